"""Check this machine: return findings and advice. Checks change nothing.

Each check is a function of the settings and the system.
"""

from __future__ import annotations

import os
import re
import stat
import tempfile
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from companion.accounts import account_of, run_as
from companion.config import Settings
from companion.core.game import Message
from companion.doctor.installed import KIOSK_NAME, KIOSK_UNIT, check_system, is_barred
from companion.doctor.result import CheckResult, Severity, bad, ok
from companion.doctor.system import System
from companion.i18n import Catalog
from companion.mounts import mount_of, nearest_existing
from companion.platforms import ON_LINUX, ON_WINDOWS, is_root
from companion.sensors.link import Link
from companion.sensors.serial.ports import device_group
from companion.sensors.serial.spi import LOAD_DEVICE, SPI
from companion.sensors.vision.frames.open_frame_source import DEVICE, PI
from companion.server.http.addresses import TableAddresses, is_address
from companion.table.errors import NewerSchema, StorageFailed
from companion.table.storage import reserve
from companion.table.storage.recovery import LOG_FILE
from companion.table.storage.store import inspect_log

PYTHON = (3, 11)
BOARD_RULES = "/etc/udev/rules.d/99-companion.rules"
MODULES = ("flask", "waitress", "serial", "pyqrcode", "msgspec", "nacl")
VOLATILE_FILESYSTEMS = frozenset({"tmpfs", "ramfs", "rootfs", "overlay", "overlayfs", "aufs"})
"""File systems in memory: a power cut deletes their contents."""
UNSUITABLE_FILESYSTEMS = frozenset(
    {"nfs", "nfs4", "cifs", "smb3", "vfat", "exfat", "msdos", "9p", "fuse.sshfs"}
)
"""File systems on which SQLite's log or file permissions do not work as specified."""
CAMERA_DEVICES = ("/dev/video*", "/dev/media*", "/dev/dma_heap/*")
"""Devices that rpicam-still opens: sensor, image processor, buffers. Their group is video."""
EARLIEST_DATE = datetime(2025, 1, 1, tzinfo=UTC).timestamp()
"""An earlier date means that the clock was never set."""


SEVERITY_MARKS: Mapping[Severity, str] = {"ok": "✓", "note": "·", "warning": "!", "failure": "✗"}
Check = Callable[[Settings, System], Iterator[CheckResult]]


def run_checks(settings: Settings, machine: System | None = None) -> list[CheckResult]:
    """Return the results of all checks, in a fixed order."""
    asked = machine or System()
    return [
        finding
        for check in CHECKS
        for finding in (_run_as_owner if check in FOLDER_CHECKS else _run)(check, settings, asked)
    ]


def _run(check: Check, settings: Settings, machine: System) -> list[CheckResult]:
    return [*check(settings, machine)]


def _run_as_owner(check: Check, settings: Settings, machine: System) -> list[CheckResult]:
    """Run a check as the data folder's owner: root must not follow that account's links."""
    account = account_of(settings.folder) if is_root() else None
    if account is None:
        return _run(check, settings, machine)
    encoded = run_as(account, lambda: msgspec.json.encode(_run(check, settings, machine)).decode())
    return msgspec.json.decode(encoded, type=list[CheckResult])


def healthy(findings: list[CheckResult]) -> bool:
    """Return whether a game can be played and saved: no result is a failure."""
    return all(finding.level != "failure" for finding in findings)


def format_report(findings: list[CheckResult], sentences: Catalog) -> Iterator[str]:
    """Yield the lines for a terminal: each result after its mark, its advice indented below."""
    for finding in findings:
        yield f"{SEVERITY_MARKS[finding.level]} {sentences.translate(finding.message)}"
        if finding.advice is not None:
            yield f"    {sentences.translate(finding.advice)}"


def check_python(settings: Settings, machine: System) -> Iterator[CheckResult]:
    """Check that Python is new enough and the packages are installed."""
    version = ".".join(map(str, machine.python()))
    good = machine.python() >= PYTHON
    yield (
        ok("doctor_python", version=version)
        if good
        else bad("failure", "doctor_python_old", version=version)
    )
    if missing := machine.missing_modules(MODULES):
        yield bad("failure", "doctor_modules_missing", modules=", ".join(missing))
    else:
        yield ok("doctor_modules")


def check_folder(settings: Settings, machine: System) -> Iterator[CheckResult]:
    """Check that the data folder survives a power cut, is writable, private and has room."""
    folder = settings.folder
    yield _keeps(folder, machine.mounts())
    there = nearest_existing(folder)
    if not machine.may_read(there):
        yield bad("note", "doctor_data_unseen", folder=str(there))
    elif why := _not_writable(there):
        yield bad("failure", "doctor_data_not_writable", folder=str(there), why=why)
    elif folder.is_dir() and not ON_WINDOWS and stat.S_IMODE(folder.stat().st_mode) & 0o077:
        yield bad(
            "warning",
            "doctor_data_open",
            folder=str(folder),
            mode=f"{folder.stat().st_mode & 0o777:04o}",
        )
    else:
        yield ok(
            "doctor_data_writable" if folder.is_dir() else "doctor_data_new", folder=str(folder)
        )
    free = machine.free_bytes(there)
    if free >= reserve.LOW_SPACE_BYTES:
        yield ok("doctor_space", mb=free // 1_000_000)
    else:
        severity: Severity = "failure" if free < reserve.FULL_SPACE_BYTES else "warning"
        yield bad(severity, "doctor_space_low", mb=free // 1_000_000)


def is_volatile(folder: Path, mounts: str) -> bool:
    """Return whether a power cut deletes the folder's contents."""
    mount = mount_of(folder, mounts)
    return mount is not None and mount.kind in VOLATILE_FILESYSTEMS


def _keeps(folder: Path, mounts: str) -> CheckResult:
    mount = mount_of(folder, mounts)
    kind = mount.kind if mount else "?"
    if kind in VOLATILE_FILESYSTEMS:
        return bad("failure", "doctor_data_volatile", folder=str(folder), kind=kind)
    if kind in UNSUITABLE_FILESYSTEMS:
        return bad("warning", "doctor_data_unfit", folder=str(folder), kind=kind)
    return ok("doctor_data_kept", folder=str(folder), kind=kind)


def _not_writable(folder: Path) -> str | None:
    try:
        with tempfile.TemporaryFile(dir=folder):
            return None
    except OSError as refused:
        return refused.strerror or str(refused)


def check_database(settings: Settings, machine: System) -> Iterator[CheckResult]:
    """Open the log of the games and verify its chain; hide its length, which counts nights."""
    path = settings.folder / LOG_FILE
    if not machine.may_read(nearest_existing(settings.folder)):
        return
    yield _log(path) if path.exists() else ok("doctor_log_none")
    for kind in ("corrupt", "unread"):
        for copy in sorted(settings.folder.glob(f"{LOG_FILE}.{kind}-*[0-9]")):
            yield bad("note", "doctor_log_kept", file=str(copy))


def _log(path: Path) -> CheckResult:
    if not path.is_file():
        return bad("failure", "doctor_log_unreadable", file=str(path), why="not a file")
    try:
        wrong = inspect_log(path).wrong
    except NewerSchema as newer:
        return bad("failure", "doctor_log_newer", why=str(newer))
    except (StorageFailed, OSError) as failed:
        return bad("failure", "doctor_log_unreadable", file=str(path), why=str(failed))
    return bad("failure", "doctor_log_damaged", file=str(path)) if wrong else ok("doctor_log_good")


def check_network(settings: Settings, machine: System) -> Iterator[CheckResult]:
    """Check that phones can reach the pages."""
    addresses = TableAddresses.of(settings, machine.addresses)
    problem = machine.listen_failure(addresses)
    if problem is None:
        yield ok("doctor_port", port=settings.port)
    elif machine.companion_answers(addresses):
        yield ok("doctor_running", port=settings.port)
    else:
        yield bad("failure", problem.code, **problem.params)
    if outside := addresses.for_phones():
        pages = (addresses.page("join", address) for address in outside)
        yield ok("doctor_addresses", addresses=", ".join(pages))
    elif addresses.is_local_only:
        yield bad("warning", "doctor_local_only", host=settings.host)
    else:
        yield bad("warning", "doctor_no_network")
    if barred := [each for each in outside if is_barred(each, machine)]:
        yield bad("warning", "doctor_addresses_barred", addresses=", ".join(barred))
    if machine.wifi_blocked():
        yield bad("note", "doctor_wifi_blocked")


def check_board(settings: Settings, machine: System) -> Iterator[CheckResult]:
    """Check that the board is plugged in, may be used and answers, unless a table has it open."""
    if settings.board in ("none", "sim") or "://" in settings.board:
        yield ok("doctor_board_unasked", board=settings.board)
        return
    is_auto = settings.board == "auto"
    ports = machine.serial_ports() if is_auto else [settings.board]
    if not ports:
        yield bad("note", "doctor_board_absent")
    for device in machine.strange_ports() if is_auto else ():
        yield bad("note", "doctor_board_stranger", device=device)
    if ports:
        yield from _check_port_takers(machine)
    running = machine.companion_answers(TableAddresses.of(settings))
    known = 0
    for port in ports:
        is_spi = port == SPI
        device = str(LOAD_DEVICE) if is_spi else port
        if not machine.has(device):
            code = "doctor_spi_missing" if is_spi else "doctor_port_missing"
            yield bad("failure", code, device=device)
        elif not machine.may_use(device):
            yield bad("failure", "doctor_port_forbidden", device=device, group=device_group(port))
        elif running:
            yield ok("doctor_board_in_use", device=port)
        elif programs := machine.programs_with(port):
            yield bad("warning", "doctor_port_shared", device=port, programs=", ".join(programs))
        else:
            link, lines = machine.identify(port)
            known += link.state == "up"
            yield _identity(link)
            if link.state != "up" and lines:
                yield ok("doctor_board_said", device=port, lines=" | ".join(lines[-3:]))
    if known > 1:
        yield bad("note", "doctor_boards_several")


def _check_port_takers(machine: System) -> Iterator[CheckResult]:
    """Name installed programs that take serial ports by themselves."""
    if machine.find("brltty"):
        yield bad("note", "doctor_brltty")
    if machine.find("ModemManager") and not machine.has(BOARD_RULES):
        yield bad("note", "doctor_modem_manager")


def _identity(link: Link) -> CheckResult:
    device = link.port or "?"
    if link.state == "up":
        if link.faults:
            fault = ", ".join(link.faults)
            return bad("warning", "doctor_board_fault", device=device, fault=fault)
        if link.message is not None and link.message.code == "link.older_firmware":
            return bad("note", "doctor_board_older", device=device, **link.message.params)
        name = link.name or link.board_id or "-"
        return ok("doctor_board_known", device=device, name=name, firmware=link.firmware or "-")
    message = link.message or Message("doctor_board_unknown", {"device": device})
    return CheckResult(
        "warning", message, Message("doctor_board_unknown_advice", {"device": device})
    )


def check_camera(settings: Settings, machine: System) -> Iterator[CheckResult]:
    """Check the camera over the table, if one is set: its devices or program, and its reader."""
    pictures = settings.camera.source
    if not pictures:
        return
    if machine.missing_modules(("cv2",)):
        yield bad("failure", "doctor_camera_unread")
    if (address := settings.camera.address()) is not None:
        yield ok("doctor_camera_address", address=address.without_secrets)
    elif DEVICE.fullmatch(pictures):
        if not machine.devices(pictures):
            yield bad("failure", "doctor_camera_no_device", device=pictures)
        elif not machine.may_use(pictures):
            yield bad("failure", "doctor_camera_forbidden", devices=pictures)
        else:
            yield ok("doctor_camera_device", device=pictures)
    elif pictures != PI:
        if os.access(Path(pictures).expanduser(), os.R_OK | os.X_OK):
            yield ok("doctor_camera_folder", folder=pictures)
        else:
            yield bad("failure", "doctor_camera_folder_missing", folder=pictures)
    elif machine.find("rpicam-still") is None:
        yield bad("failure", "doctor_camera_no_program")
    elif forbidden := [
        device for device in machine.devices(*CAMERA_DEVICES) if not machine.may_use(device)
    ]:
        yield bad("failure", "doctor_camera_forbidden", devices=", ".join(forbidden))
    elif camera := re.search(
        r"^\d+ : (\S+)", machine.ask("rpicam-still", "--list-cameras") or "", re.MULTILINE
    ):
        yield ok("doctor_camera", name=camera[1])
    else:
        yield bad("failure", "doctor_camera_absent")


def check_pins(settings: Settings, machine: System) -> Iterator[CheckResult]:
    """Check that the box's pins can be used, and that only one package provides RPi.GPIO."""
    providers = [package for package in ("RPi.GPIO", "rpi-lgpio") if machine.installed(package)]
    if len(providers) == 2:
        yield bad("failure", "doctor_gpio_twice")
    elif providers:
        yield ok("doctor_gpio", package=providers[0])
    elif settings.panel.pins == "gpio":
        yield bad("failure", "doctor_gpio_missing")


def check_club(settings: Settings, machine: System) -> Iterator[CheckResult]:
    """Check that the MQTT broker serves this table; nothing here is a failure: it is optional."""
    broker = settings.club.address()
    if broker is None:
        return
    if machine.missing_modules(["paho"]):
        yield bad("warning", "doctor_club_package")
    elif problem := machine.broker_problem(settings.club, broker):
        yield bad("warning", problem.code, **problem.params)
    else:
        yield ok("doctor_broker", host=broker.host, port=broker.port)


def check_kiosk(settings: Settings, machine: System) -> Iterator[CheckResult]:
    """Check that this machine has a browser for its own display, which gets the page (Linux)."""
    if not ON_LINUX:
        return
    browser = machine.find("chromium", "chromium-browser", "google-chrome")
    yield ok("doctor_browser", path=browser) if browser else bad("note", "doctor_no_browser")
    host = TableAddresses.of(settings).local_host
    if not machine.has(f"/{KIOSK_UNIT}"):
        return
    if not is_address(host):
        yield bad("warning", "doctor_kiosk_name", host=host)
    elif is_barred(host, machine, KIOSK_NAME):
        yield bad("warning", "doctor_kiosk_host", host=host)


def check_clock(settings: Settings, machine: System) -> Iterator[CheckResult]:
    """Check that the clock was set; only the dates of saved games need it."""
    year = datetime.fromtimestamp(max(machine.wall(), 0), UTC).year
    yield (
        ok("doctor_clock")
        if machine.wall() >= EARLIEST_DATE
        else bad("note", "doctor_clock_unset", year=year)
    )


def check_power(settings: Settings, machine: System) -> Iterator[CheckResult]:
    """Check that the Pi's supply holds its voltage (vcgencmd get_throttled, bits 0 and 16)."""
    answer = re.match(r"throttled=0x([0-9a-fA-F]+)", machine.ask("vcgencmd", "get_throttled") or "")
    if answer is None:
        return
    bits = int(answer[1], 16)
    if bits & 1 << 0:
        yield bad("failure", "doctor_voltage_low")
    elif bits & 1 << 16:
        yield bad("warning", "doctor_voltage_was_low")
    else:
        yield ok("doctor_voltage")


CHECKS: tuple[Check, ...] = (
    check_python,
    check_folder,
    check_system,
    check_database,
    check_network,
    check_board,
    check_camera,
    check_pins,
    check_club,
    check_kiosk,
    check_clock,
    check_power,
)
FOLDER_CHECKS = (check_folder, check_database)
"""The checks that open files of the data folder."""
