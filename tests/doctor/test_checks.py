"""The doctor reports in plain words what is wrong with a machine, with advice."""

from __future__ import annotations

import os
import socket
import stat
import tempfile
import threading
import tty
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace
from msgspec.structs import replace as replace_settings

from companion.config import Broker, CameraSettings, ClubSettings, PanelSettings, Settings
from companion.core.game import Message
from companion.doctor.checks import check_camera, format_report, healthy, run_checks
from companion.doctor.installed import KIOSK_NAME, KIOSK_UNIT, service_settings
from companion.doctor.result import CheckResult
from companion.doctor.system import System
from companion.i18n import Catalog
from companion.mounts import Mount, mount_of
from companion.sensors.link import Link, Timing
from companion.server.http.addresses import TableAddresses
from companion.table.storage.log import Log

REFUSED = Message("broker_refused", {"host": "broker.local", "port": 1883, "why": "Not authorized"})
TAKEN = Message("listen_taken", {"host": "0.0.0.0", "port": 8080, "option": "--port"})
ALLOWED = "127.0.0.0/8 169.254.0.0/16 10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 ::1/128 fd00::/8\n"
"""What systemctl prints about the installed unit."""
EXT4 = "29 1 8:2 / / rw,relatime shared:1 - ext4 /dev/root rw\n"


class Healthy(System):
    """A healthy machine; a test changes one answer."""

    version = (3, 11)
    missing: Sequence[str] = ()
    packages: Sequence[str] = ()
    mount_table = EXT4
    texts: Mapping[str, str] = {}
    there: Sequence[str] = ()
    readable = True
    journald: str | None = None
    free = 10**10
    own = ("192.168.178.20",)
    listening: Message | None = None
    allowed: str | None = None
    allowed_display: str | None = None
    blocked = False
    running = False
    ports: Sequence[str] = ()
    usable = True
    board = Link("up", "?", firmware="1.2")
    browser: str | None = "/usr/bin/chromium"
    broker: Message | None = None
    throttled: str | None = "throttled=0x0\n"
    cameras: str | None = (
        "Available cameras\n-----------------\n0 : imx708 [4608x2592 10-bit RGGB] "
        "(/base/soc/i2c0mux)\n"
    )
    absent: Sequence[str] = ("brltty", "ModemManager")
    strangers: Sequence[str] = ()
    readers: Sequence[str] = ()
    nodes: Sequence[str] = ("/dev/video0",)
    clock = 1.8e9

    def python(self) -> tuple[int, int]:
        return self.version

    def missing_modules(self, modules: Sequence[str]) -> list[str]:
        return list(self.missing)

    def installed(self, package: str) -> bool:
        return package in self.packages

    def mounts(self) -> str:
        return self.mount_table

    def text(self, path: str) -> str:
        return self.texts.get(path, "")

    def has(self, path: str) -> bool:
        return path in self.there or path in self.ports

    def free_bytes(self, path: Path) -> int:
        return self.free

    def addresses(self) -> list[str]:
        return list(self.own)

    def wifi_blocked(self) -> bool:
        return self.blocked

    def listen_failure(self, addresses: TableAddresses) -> Message | None:
        return self.listening

    def companion_answers(self, addresses: TableAddresses) -> bool:
        return self.running

    def serial_ports(self) -> list[str]:
        return list(self.ports)

    def strange_ports(self) -> list[str]:
        return list(self.strangers)

    def programs_with(self, device: str) -> tuple[str, ...]:
        return tuple(self.readers)

    def identify(self, device: str, timing: Timing | None = None) -> tuple[Link, list[str]]:
        return replace(self.board, port=device), ["ets Jul 29 2019"]

    def may_use(self, path: str) -> bool:
        return self.usable

    def may_read(self, folder: Path) -> bool:
        return self.readable

    def devices(self, *patterns: str) -> list[str]:
        return list(self.nodes)

    def find(self, *programs: str) -> str | None:
        return None if programs[0] in self.absent else self.browser

    def ask(self, *command: str) -> str | None:
        answers = {
            "rpicam-still": self.cameras,
            "systemd-analyze": self.journald,
            "systemctl": self.allowed_display if KIOSK_NAME in command else self.allowed,
        }
        return answers.get(command[0], self.throttled)

    def broker_problem(self, settings: ClubSettings, broker: Broker) -> Message | None:
        return self.broker

    def wall(self) -> float:
        return self.clock


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Settings with a private data folder."""
    folder = tmp_path / "data"
    folder.mkdir(mode=0o700)
    return Settings(data=str(folder))


def machine(**answers: object) -> System:
    """Return a healthy machine with these answers changed."""
    changed = Healthy()
    for name, answer in answers.items():
        setattr(changed, name, answer)
    return changed


def levels_of(settings: Settings, system: System) -> dict[str, str]:
    """Return the levels of all findings, by code."""
    return {finding.message.code: finding.level for finding in run_checks(settings, system)}


def test_a_healthy_machine(settings: Settings) -> None:
    """On a healthy machine the only advice is to plug in a board."""
    findings = run_checks(settings, Healthy())

    assert healthy(findings)
    assert ["doctor_board_absent"] == [
        finding.message.code for finding in findings if finding.advice
    ]


@pytest.mark.parametrize(
    ("answers", "code", "level"),
    [
        ({"version": (3, 10)}, "doctor_python_old", "failure"),
        ({"missing": ["nacl"]}, "doctor_modules_missing", "failure"),
        ({"free": 49_000_000}, "doctor_space_low", "warning"),
        ({"free": 8_000_000}, "doctor_space_low", "failure"),
        ({"mount_table": EXT4.replace("ext4", "tmpfs")}, "doctor_data_volatile", "failure"),
        ({"mount_table": EXT4.replace("ext4", "overlay")}, "doctor_data_volatile", "failure"),
        ({"mount_table": EXT4.replace("ext4", "nfs4")}, "doctor_data_unfit", "warning"),
        ({"mount_table": EXT4.replace("ext4", "vfat")}, "doctor_data_unfit", "warning"),
        ({"listening": TAKEN}, "listen_taken", "failure"),
        ({"listening": TAKEN, "running": True}, "doctor_running", "ok"),
        ({"own": ()}, "doctor_no_network", "warning"),
        ({"own": ["100.64.0.9"], "allowed": ALLOWED}, "doctor_addresses_barred", "warning"),
        (
            {"own": ["192.168.1.9", "131.111.8.9"], "allowed": ALLOWED},
            "doctor_addresses_barred",
            "warning",
        ),
        ({"blocked": True}, "doctor_wifi_blocked", "note"),
        ({"packages": ["RPi.GPIO", "rpi-lgpio"]}, "doctor_gpio_twice", "failure"),
        ({"packages": ["rpi-lgpio"]}, "doctor_gpio", "ok"),
        ({"packages": ["RPi.GPIO"]}, "doctor_gpio", "ok"),
        ({"browser": None}, "doctor_no_browser", "note"),
        ({"clock": 0.0}, "doctor_clock_unset", "note"),
        ({"throttled": "throttled=0x50005\n"}, "doctor_voltage_low", "failure"),
        ({"throttled": "throttled=0x50000\n"}, "doctor_voltage_was_low", "warning"),
        ({"throttled": "throttled=0x0\n"}, "doctor_voltage", "ok"),
    ],
)
def test_one_thing_is_wrong(
    settings: Settings, answers: dict[str, object], code: str, level: str
) -> None:
    """Each fault is found, with its weight, and each finding that is not ok has advice."""
    findings = run_checks(settings, machine(**answers))
    finding = next(finding for finding in findings if finding.message.code == code)

    assert level == finding.level
    assert (level != "ok") == (finding.advice is not None)
    assert (level != "failure") == healthy(findings)


@pytest.mark.parametrize(
    ("answers", "code", "level"),
    [
        ({}, "doctor_camera", "ok"),
        ({"cameras": "No cameras available!\n"}, "doctor_camera_absent", "failure"),
        ({"cameras": None}, "doctor_camera_absent", "failure"),
        ({"usable": False}, "doctor_camera_forbidden", "failure"),
        ({"absent": ["rpicam-still"]}, "doctor_camera_no_program", "failure"),
        ({"missing": ["cv2"]}, "doctor_camera_unread", "failure"),
    ],
)
def test_the_pis_camera(
    settings: Settings, answers: dict[str, object], code: str, level: str
) -> None:
    """A configured camera is looked for, and so are its program, its rights and its decoder;
    without one in the settings none is missed.
    """
    watched = Settings(data=settings.data, camera=CameraSettings(source="pi"))

    assert level == levels_of(watched, machine(**answers))[code]
    assert [] == [code for code in levels_of(settings, machine(**answers)) if "camera" in code]


def test_a_folder_of_pictures(settings: Settings, tmp_path: Path) -> None:
    """A camera that writes its pictures into a folder needs the folder."""
    existing, nowhere = (
        Settings(data=settings.data, camera=CameraSettings(source=str(path)))
        for path in (tmp_path, tmp_path / "nowhere")
    )

    assert "ok" == levels_of(existing, Healthy())["doctor_camera_folder"]
    assert "failure" == levels_of(nowhere, Healthy())["doctor_camera_folder_missing"]


@pytest.mark.parametrize(
    ("source", "answers", "code", "level"),
    [
        ("/dev/video0", {}, "doctor_camera_device", "ok"),
        ("/dev/video0", {"nodes": ()}, "doctor_camera_no_device", "failure"),
        ("/dev/video0", {"usable": False}, "doctor_camera_forbidden", "failure"),
        ("http://me:secret@cam/x?secret", {}, "doctor_camera_address", "ok"),
    ],
)
def test_a_webcam_or_an_address(
    settings: Settings, source: str, answers: dict[str, object], code: str, level: str
) -> None:
    """A device must be there and allowed; an address is named without its path and login."""
    watched = Settings(data=settings.data, camera=CameraSettings(source=source))

    assert level == levels_of(watched, machine(**answers))[code]
    assert "secret" not in str(list(check_camera(watched, machine(**answers))))


@pytest.mark.parametrize("answer", [None, "", "VCHI initialization failed"])
def test_a_machine_that_is_no_pi(settings: Settings, answer: str | None) -> None:
    """Without a report on the supply's voltage, the check has no result."""
    assert [] == [
        code for code in levels_of(settings, machine(throttled=answer)) if "voltage" in code
    ]


def test_pins_without_a_package(settings: Settings) -> None:
    """A panel in the settings needs a package that provides its pins; without one in the settings
    none is missed.
    """
    wanting = Settings(data=settings.data, panel=PanelSettings(pins="gpio"))

    assert "failure" == levels_of(wanting, Healthy())["doctor_gpio_missing"]
    assert "doctor_gpio_missing" not in levels_of(settings, Healthy())


def test_data_in_memory_is_a_failure_with_its_reason() -> None:
    """A data folder in /dev/shm fails, because games would not survive power-off."""
    mounts = EXT4 + "31 29 0:26 / /dev/shm rw,nosuid - tmpfs tmpfs rw\n"
    findings = run_checks(Settings(data="/dev/shm/games/x"), machine(mount_table=mounts))

    assert not healthy(findings)
    expected = CheckResult(
        "failure",
        Message("doctor_data_volatile", {"folder": "/dev/shm/games/x", "kind": "tmpfs"}),
        Message("doctor_data_volatile_advice", {"folder": "/dev/shm/games/x", "kind": "tmpfs"}),
    )
    assert expected in findings


def test_a_folder_that_others_may_read(settings: Settings) -> None:
    """A data folder that is open to others is named with its mode."""
    settings.folder.chmod(0o755)
    finding = next(
        f for f in run_checks(settings, Healthy()) if f.message.code == "doctor_data_open"
    )

    assert ("warning", "0755") == (finding.level, finding.message.params["mode"])


def test_a_folder_that_is_not_there_yet(tmp_path: Path) -> None:
    """A folder that does not exist is fine if it can be made; the doctor does not make it."""
    settings = Settings(data=str(tmp_path / "a" / "b"))

    assert "ok" == levels_of(settings, Healthy())["doctor_data_new"]
    assert [] == list(tmp_path.iterdir())


def test_a_folder_that_cannot_be_written(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder that cannot be written to is a failure with the system's reason."""

    def refuse(**options: object) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    finding = next(
        f for f in run_checks(settings, Healthy()) if f.message.code == "doctor_data_not_writable"
    )

    assert ("failure", "Read-only file system") == (finding.level, finding.message.params["why"])


@pytest.mark.parametrize(
    ("place", "kind"),
    [
        ("", "ext4"),
        ("memory", "tmpfs"),
        ("memory/deep", "tmpfs"),
        ("memory2", "ext4"),
        ("stick one", "vfat"),
        ("over", "overlay"),
    ],
)
def test_the_file_system_of_a_path(tmp_path: Path, place: str, kind: str) -> None:
    """The innermost and last mount over a path counts; spaces in mount points are understood."""
    for name in ("memory/deep", "memory2", "stick one", "over"):
        (tmp_path / name).mkdir(parents=True)
    mounts = (
        EXT4
        + f"30 29 0:1 / {tmp_path}/memory rw - tmpfs tmpfs rw\n"
        + f"31 29 0:2 / {tmp_path}/stick\\040one rw shared:7 master:2 - vfat /dev/sda1 rw\n"
        + f"32 29 0:3 / {tmp_path}/over rw - ext4 /dev/sda2 rw\n"
        + f"33 32 0:4 / {tmp_path}/over rw - overlay overlay rw\n"
        + "a line that is none\n"
    )

    mount = mount_of(tmp_path / place, mounts)

    assert mount is not None
    assert kind == mount.kind


def test_a_link_does_not_hide_memory(tmp_path: Path) -> None:
    """A symbolic link to a folder in memory is seen through."""
    (tmp_path / "memory").mkdir()
    (tmp_path / "data").symlink_to(tmp_path / "memory")

    mount = mount_of(
        tmp_path / "data",
        EXT4 + f"30 29 0:1 / {tmp_path}/memory rw,noatime - tmpfs tmpfs rw,size=1k\n",
    )

    assert (
        Mount(tmp_path / "memory", "tmpfs", "tmpfs", "0:1", frozenset({"rw", "noatime", "size=1k"}))
        == mount
    )


def test_without_a_mount_table_nothing_is_claimed() -> None:
    """If the kernel lists no mounts the file system is unknown, not good."""
    assert mount_of(Path("/"), "") is None


@pytest.mark.parametrize("board", ["none", "sim", "socket://desk:7000"])
def test_no_board_is_looked_for_without_the_option(settings: Settings, board: str) -> None:
    """With taps, a simulated board or an address the doctor advises to plug in nothing."""
    unchecked = Settings(data=settings.data, board=board)

    assert "ok" == levels_of(unchecked, Healthy())["doctor_board_unasked"]


def test_a_board_that_is_there(settings: Settings, tmp_path: Path) -> None:
    """Our board is named with its firmware; a device that may not be used, or is missing, is a
    failure.
    """
    device = tmp_path / "ttyUSB0"
    device.touch()

    expected = CheckResult(
        "ok", Message("doctor_board_known", {"device": str(device), "name": "-", "firmware": "1.2"})
    )
    assert expected in run_checks(settings, machine(ports=[str(device)]))
    assert (
        "failure"
        == levels_of(settings, machine(ports=[str(device)], usable=False))["doctor_port_forbidden"]
    )
    missing = Settings(data=settings.data, board=str(tmp_path / "ttyUSB9"))
    assert "failure" == levels_of(missing, Healthy())["doctor_port_missing"]


def test_strips_at_the_pi(settings: Settings) -> None:
    """SPI that is off, a user without its group, a fallen plug and a running table are told."""
    at_pi = Settings(data=settings.data, board="spi")
    there = ["/dev/spidev0.0"]
    broken = Link("up", faults=("strip 3",))

    assert "failure" == levels_of(at_pi, Healthy())["doctor_spi_missing"]
    assert CheckResult(
        "failure",
        Message("doctor_port_forbidden", {"device": there[0], "group": "spi"}),
        Message("doctor_port_forbidden_advice", {"device": there[0], "group": "spi"}),
    ) in run_checks(at_pi, machine(there=there, usable=False))
    assert "ok" == levels_of(at_pi, machine(there=there))["doctor_board_known"]
    assert "warning" == levels_of(at_pi, machine(there=there, board=broken))["doctor_board_fault"]
    assert "ok" == levels_of(at_pi, machine(there=there, running=True))["doctor_board_in_use"]


def test_two_boards(settings: Settings, tmp_path: Path) -> None:
    """With two boards the doctor reports which one is used, and how to choose."""
    devices = [tmp_path / "ttyUSB0", tmp_path / "ttyUSB1"]
    for device in devices:
        device.touch()

    assert (
        "note" == levels_of(settings, machine(ports=[*map(str, devices)]))["doctor_boards_several"]
    )
    assert "doctor_boards_several" not in levels_of(settings, machine(ports=[str(devices[0])]))


def test_a_board_that_a_running_table_has(settings: Settings, tmp_path: Path) -> None:
    """While a table is running its board is not opened: that could reset it in the middle of a
    turn.
    """
    device = tmp_path / "ttyUSB0"
    device.touch()

    assert (
        "ok"
        == levels_of(settings, machine(ports=[str(device)], running=True))["doctor_board_in_use"]
    )


def test_a_board_with_older_firmware(settings: Settings, tmp_path: Path) -> None:
    """Our board with older firmware gets a note with the command that updates it."""
    device = tmp_path / "ttyUSB0"
    device.touch()
    message = Message("link.older_firmware", {"theirs": "1.2", "ours": "1.3"})
    board = Link("up", str(device), firmware="1.2", message=message)
    (finding,) = (
        finding
        for finding in run_checks(settings, machine(ports=[str(device)], board=board))
        if finding.message.code == "doctor_board_older"
    )

    assert ("note", "1.2") == (finding.level, finding.message.params["theirs"])
    assert finding.advice is not None
    assert "companion flash" in Catalog.load("en").translate(finding.advice)


def test_a_stranger_on_the_port(settings: Settings, tmp_path: Path) -> None:
    """A device that is not our board is named by its answer, with advice."""
    device = tmp_path / "ttyUSB0"
    device.touch()
    message = Message("link.not_our_board", {"port": str(device)})
    findings = machine(ports=[str(device)], board=Link("refused", "?", message=message))
    finding = next(
        finding for finding in run_checks(settings, findings) if finding.message == message
    )

    assert ("warning", "doctor_board_unknown_advice") == (
        finding.level,
        finding.advice and finding.advice.code,
    )


def test_a_silent_device_is_identified_as_none_of_ours() -> None:
    """A device that never answers is refused after the time limit, and receives nothing else."""
    host, device = os.openpty()
    tty.setraw(device)
    link, lines = System().identify(
        os.ttyname(device), Timing(ask_every=0.01, ask_for=0.05, read=0.01)
    )
    sent = os.read(host, 4096)
    os.close(host)
    os.close(device)

    assert ("refused", "link.not_our_board") == (link.state, link.message and link.message.code)
    assert {b"?"} == set(sent.split()) and [] == lines


def test_a_board_is_identified() -> None:
    """A device that answers as a board is listed with its name and its firmware."""
    host, device = os.openpty()
    tty.setraw(device)

    def answer() -> None:
        while b"?" not in os.read(host, 4096):
            pass
        os.write(host, b'boot\n#board 1 6x6 name="my mat" fw=1.2\n-\n-\n')

    board = threading.Thread(target=answer)
    board.start()
    link, lines = System().identify(os.ttyname(device), Timing(ask_for=30.0, read=0.01))
    board.join()
    os.close(host)
    os.close(device)

    assert ("up", "my mat", "1.2") == (link.state, link.name, link.firmware)
    assert "boot" in lines


@pytest.mark.parametrize(
    "answers, code",
    [
        ({"strangers": ["/dev/ttyACM3"]}, "doctor_board_stranger"),
        ({"readers": ["minicom"]}, "doctor_port_shared"),
        ({"absent": ["ModemManager"]}, "doctor_brltty"),
        ({"absent": ["brltty"]}, "doctor_modem_manager"),
        ({"board": Link("refused", "?")}, "doctor_board_said"),
    ],
)
def test_what_takes_a_board_away(
    settings: Settings, tmp_path: Path, answers: dict[str, object], code: str
) -> None:
    """Devices that `auto` leaves alone, other readers of the port and programs that take ports are
    named; what a device that is no board says is shown.
    """
    device = tmp_path / "ttyUSB0"
    device.touch()

    assert code in levels_of(settings, machine(ports=[str(device)], **answers))
    assert code not in levels_of(settings, machine(ports=[str(device)]))


def test_a_device_that_does_not_open(tmp_path: Path) -> None:
    """A missing device is refused with a reason."""
    link, _ = System().identify(str(tmp_path / "ttyUSB0"))

    assert ("refused", "link.absent") == (link.state, link.message and link.message.code)


def test_a_table_for_this_machine_alone(settings: Settings) -> None:
    """A table that listens on the loopback address only is warned that no phone can come in."""
    local = Settings(data=settings.data, host="127.0.0.1")

    assert "warning" == levels_of(local, Healthy())["doctor_local_only"]


def test_addresses_are_named_as_phones_open_them(settings: Settings) -> None:
    """The addresses have the protocol that phones use, and are fine if the service lets their
    networks in.
    """
    secure = replace_settings(settings, tls=True)
    findings = run_checks(secure, machine(allowed=ALLOWED))

    assert "https://192.168.178.20:8080/join" in [
        finding.message.params.get("addresses") for finding in findings
    ]
    assert "doctor_addresses_barred" not in [finding.message.code for finding in findings]


@pytest.mark.parametrize(
    ("host", "allowed", "code"),
    [
        ("192.168.178.20", "127.0.0.0/8 ::1/128\n", "doctor_kiosk_host"),
        ("192.168.178.20", "192.168.178.20/32 127.0.0.0/8 ::1/128\n", None),
        ("192.168.178.20", "192.168.178.21/32 127.0.0.0/8 ::1/128\n", "doctor_kiosk_host"),
        ("0.0.0.0", "127.0.0.0/8 ::1/128\n", None),
        ("127.0.0.2", "127.0.0.0/8 ::1/128\n", None),
        ("table.lan", "127.0.0.0/8 ::1/128\n", "doctor_kiosk_name"),
    ],
)
def test_a_kiosk_that_cannot_get_its_page(
    settings: Settings, host: str, allowed: str, code: str | None
) -> None:
    """A host to which the installed display's browser may not connect is named, and no other."""
    display = machine(there=[f"/{KIOSK_UNIT}"], allowed_display=allowed)
    findings = levels_of(replace_settings(settings, host=host), display)

    assert {code} - {None} == {each for each in findings if each.startswith("doctor_kiosk")}


def test_the_log_is_examined(settings: Settings) -> None:
    """A sound log is ok, a damaged one a failure, no log no trouble, and the doctor changes no
    byte.
    """
    assert "ok" == levels_of(settings, Healthy())["doctor_log_none"]
    log = Log(settings.folder)
    log.append("[]")
    log.close()
    path = settings.folder / "table.sqlite"
    before = path.read_bytes()
    assert "ok" == levels_of(settings, Healthy())["doctor_log_good"]
    assert before == path.read_bytes()

    path.write_bytes(b"not a database" * 1000)
    assert "failure" == levels_of(settings, Healthy())["doctor_log_damaged"]


def test_the_log_of_a_running_table_is_examined(settings: Settings) -> None:
    """The doctor looks at a log while a table holds it."""
    log = Log(settings.folder)
    log.append("[]")
    levels = levels_of(settings, Healthy())
    log.close()

    assert "ok" == levels["doctor_log_good"]


def test_the_length_of_the_log_is_no_result(settings: Settings) -> None:
    """The report does not depend on the log's length, which would count sealed nights."""
    findings = []
    for bodies in (1, 3):
        log = Log(settings.folder)
        for _ in range(bodies):
            log.append("[]")
        log.close()
        findings.append(run_checks(settings, Healthy()))

    assert findings[0] == findings[1]


def test_a_damaged_log_that_was_kept(settings: Settings) -> None:
    """A damaged log that was put aside is named, so that it can be examined."""
    (settings.folder / "table.sqlite.corrupt-1").touch()

    assert "note" == levels_of(settings, Healthy())["doctor_log_kept"]


@pytest.mark.parametrize(
    ("answers", "code", "level"),
    [
        ({}, "doctor_broker", "ok"),
        ({"broker": REFUSED}, "broker_refused", "warning"),
        ({"missing": ["paho"]}, "doctor_club_package", "warning"),
    ],
)
def test_the_broker_is_looked_for(
    settings: Settings, answers: dict[str, object], code: str, level: str
) -> None:
    """The doctor reports whether the club's broker accepts this table, without its password; it
    is optional.
    """
    club = ClubSettings("mqtt://ana:secret@broker.local")
    findings = run_checks(replace_settings(settings, club=club), machine(**answers))

    assert level == {finding.message.code: finding.level for finding in findings}[code]
    assert "secret" not in "".join(format_report(findings, Catalog.load("en")))


GAMES = (
    "31 29 8:3 / {folder} rw,nosuid,noatime shared:2 - ext4 /dev/mmcblk0p3 "
    "rw,errors=remount-ro,commit=1\n"
)
OVERLAID = "29 1 0:3 / / rw,relatime - overlay overlayroot rw,lowerdir=/media/root-ro\n"
SWAPS = "Filename Type Size Used Priority\n"
REPAIR = "root=PARTUUID=1-2 rootfstype=ext4 fsck.repair=yes rootwait\n"


@pytest.mark.parametrize(
    ("answers", "codes"),
    [
        ({"mount_table": EXT4}, {"doctor_system_writable": "ok", "doctor_data_shared": "ok"}),
        ({"mount_table": EXT4.replace("rw,relatime", "ro")}, {"doctor_system_read_only": "ok"}),
        ({"mount_table": EXT4 + GAMES}, {"doctor_data_apart": "ok", "doctor_no_repair": "note"}),
        (
            {"mount_table": EXT4 + GAMES.replace(",commit=1", "")},
            {"doctor_data_apart_lacks": "note"},
        ),
        (
            {"mount_table": OVERLAID + GAMES},
            {"doctor_system_read_only": "ok", "doctor_data_kept": "ok"},
        ),
        (
            {"mount_table": OVERLAID},
            {"doctor_system_read_only": "ok", "doctor_data_volatile": "failure"},
        ),
        ({"journald": "Storage=auto\n"}, {"doctor_journal_volatile": "ok"}),
        (
            {"journald": "Storage=auto\n", "more": "/var/log/journal"},
            {"doctor_journal_kept": "note"},
        ),
        ({"journald": None, "more": "/var/log/journal"}, {"doctor_journal_kept": "note"}),
        ({"journald": "#Storage=volatile\nStorage=persistent\n"}, {"doctor_journal_kept": "note"}),
        (
            {"journald": "Storage=auto\nStorage=volatile\n", "more": "/var/log/journal"},
            {"doctor_journal_volatile": "ok"},
        ),
        ({}, {"doctor_no_swap": "ok"}),
        (
            {"texts": {"/proc/swaps": SWAPS + "/dev/zram0 partition 1 0 100\n"}},
            {"doctor_no_swap": "ok"},
        ),
        ({"texts": {"/proc/swaps": SWAPS + "/var/swap file 1 0 -2\n"}}, {"doctor_swap": "note"}),
    ],
)
def test_a_machine_that_is_the_tables_own(
    settings: Settings, answers: dict[str, object], codes: dict[str, str]
) -> None:
    """There the results are whether the system is read-only, the games lie on a partition of their
    own with the right options, and neither log nor memory is written to the card; elsewhere there
    is none. Games on a read-only system without their own partition are a failure.
    """
    unit = "/etc/systemd/system/companion.service"
    table = str(answers.get("mount_table", EXT4)).format(folder=settings.folder)
    units = [unit, *([str(answers["more"])] if "more" in answers else [])]
    system = machine(**{**answers, "mount_table": table, "there": units})
    levels = levels_of(settings, system)

    assert codes == {code: levels.get(code) for code in codes}
    assert not any(
        code.startswith(("doctor_system", "doctor_journal"))
        for code in levels_of(settings, Healthy())
    )


def test_the_partition_is_mended_after_a_power_cut(settings: Settings) -> None:
    """With a repairing file system check a partition of the games lacks nothing."""
    own = {
        "mount_table": EXT4 + GAMES.format(folder=settings.folder),
        "texts": {"/proc/cmdline": REPAIR},
    }
    levels = levels_of(settings, machine(there=["/etc/systemd/system/companion.service"], **own))

    assert "doctor_data_apart" in levels and "doctor_no_repair" not in levels


def test_games_of_another_user(settings: Settings) -> None:
    """An unreadable folder is reported once as unseen, and is no failure; the other checks run."""
    findings = run_checks(settings, machine(readable=False))
    levels = {finding.message.code: finding.level for finding in findings}

    assert healthy(findings)
    assert "note" == levels["doctor_data_unseen"]
    assert {"doctor_data_kept", "doctor_space", "doctor_port"} <= set(levels)
    assert not {"doctor_log_none", "doctor_log_good", "doctor_data_writable"} & set(levels)


def test_the_installed_service_is_looked_at(tmp_path: Path) -> None:
    """With an installed service its settings and folder are checked, and a result names them."""
    assert service_settings({}, tmp_path) is None

    unit, file = (
        tmp_path / "etc/systemd/system/companion.service",
        tmp_path / "etc/companion/table.toml",
    )
    for path in (unit, file):
        path.parent.mkdir(parents=True)
    unit.touch()
    plain = service_settings({"port": None}, tmp_path)
    file.write_text('port = 8099\nlanguage = "nl"\n')
    service = service_settings({"port": 9000}, tmp_path)

    assert plain is not None and service is not None
    assert (f"{tmp_path}/var/lib/companion", 8080) == (plain[0].data, plain[0].port)
    assert (9000, "nl") == (service[0].port, service[0].language)
    assert ["doctor_service"] == [finding.message.code for finding in service[1]]


def test_the_report() -> None:
    """A terminal gets a line for each finding and, indented below it, what to do."""
    findings = [
        CheckResult("ok", Message("a")),
        CheckResult("failure", Message("b", {"n": 3}), Message("b_advice")),
    ]

    expected = ["✓ All is well.", "✗ Only 3 MB.", "    Make room."]
    assert expected == list(
        format_report(
            findings,
            Catalog({"a": "All is well.", "b": "Only {n} MB.", "b_advice": "Make room."}),
        )
    )


def test_the_machine_itself_answers(tmp_path: Path) -> None:
    """The real machine gives answers of the right kind."""
    machine = System()

    assert machine.python() >= (3, 11)
    assert ["no_such_module"] == machine.missing_modules(["json", "no_such_module"])
    assert (True, False) == (machine.installed("msgspec"), machine.installed("no-such-package"))
    assert machine.free_bytes(tmp_path) > 0
    assert all(not address.startswith("127.") for address in machine.addresses())
    assert ("x\n", None, None) == (
        machine.ask("echo", "x"),
        machine.ask("false"),
        machine.ask("no-such-program"),
    )
    assert machine.find("no-such-program", "sh") is not None
    assert machine.wall() > 1.7e9
    assert stat.S_ISDIR(tmp_path.stat().st_mode) and machine.may_use(str(tmp_path))
    assert not machine.may_use(str(tmp_path / "none"))
    assert isinstance(machine.serial_ports(), list)
    assert mount_of(tmp_path, machine.mounts()) is not None
    assert ("", False) == (
        machine.text(str(tmp_path / "none")),
        machine.has(str(tmp_path / "none")),
    )
    assert machine.text("/proc/swaps").startswith("Filename")


def test_a_taken_port_is_seen() -> None:
    """A port that is in use cannot be listened on, and its listener is no companion."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        place = TableAddresses("127.0.0.1", port)
        problem = System().listen_failure(place)
    assert "listen_taken" == (problem and problem.code)
    assert System().listen_failure(place) is None
    assert not System().companion_answers(place)
