"""The Pi's files fit together; systemd's own tools check the unit, no Pi has."""

from __future__ import annotations

import os
import re
import secrets
import shutil
import stat
import subprocess
from pathlib import Path

import pytest

from companion.config import PanelSettings
from companion.files import atomic_write
from companion.installer.install import Installation
from companion.installer.target import TargetSystem

HARDWARE = Path(__file__).resolve().parents[2] / "hardware"
UNIT = HARDWARE / "pi/companion.service"

DRIVERS = {
    "ttyACM": "cdc_acm",
    "ttyUSB": "usbserial",
    "spi": "spidev",
    "video4linux": "videodev",
    "media": "mc",
}
"""The module that makes each kind of device known to the kernel."""
BUILT_IN = {"gpiochip", "dma_heap"}
"""The kinds that the kernels of Debian and Raspberry Pi OS know without a module."""

KIOSK_NUMBER = 997
LOOPBACK_ALONE = ["localhost"]

needs_systemd = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="no systemd-analyze on this machine"
)


def known_to_apt(package: str) -> bool:
    """Return whether apt could install a package here."""
    if shutil.which("apt-cache") is None:
        return False
    return (
        "Candidate: (none)" not in (policy := subprocess.getoutput(f"apt-cache policy {package}"))
        and policy != ""
    )


def analyze(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run systemd-analyze."""
    return subprocess.run(
        ["systemd-analyze", *arguments], capture_output=True, text=True, timeout=60, check=False
    )


@needs_systemd
def test_the_unit_is_confined() -> None:
    """systemd rates the unit's exposure at 2.0 at most."""
    rated = analyze("security", "--offline=true", "--threshold=20", str(UNIT))

    assert 0 == rated.returncode, rated.stdout[-200:]


@needs_systemd
def test_the_unit_is_understood(tmp_path: Path) -> None:
    """systemd accepts every key of the unit; the program it starts is replaced, because it is not
    installed here.
    """
    unit = tmp_path / "companion.service"
    unit.write_text(
        re.sub(r"^ExecStart=\S+", "ExecStart=/bin/true", UNIT.read_text(), flags=re.MULTILINE)
    )
    verified = analyze("verify", "--man=no", str(unit))

    assert (0, "") == (verified.returncode, verified.stderr)


def test_the_unit_runs_the_companion() -> None:
    """The unit runs `companion serve`, keeps its data private, and leaves a second table alone
    (exit 75).
    """
    keys = dict(
        line.split("=", 1) for line in UNIT.read_text().splitlines() if re.match(r"[A-Z]\w+=", line)
    )

    assert keys["ExecStart"].endswith("/bin/companion serve")
    assert ("companion", "0700", "0077") == (
        keys["StateDirectory"],
        keys["StateDirectoryMode"],
        keys["UMask"],
    )
    assert ("75", "0", "0") == (
        keys["RestartPreventExitStatus"],
        keys["LimitCORE"],
        keys["MemorySwapMax"],
    )


def test_the_unit_loads_the_drivers_of_what_is_plugged_in_later() -> None:
    """systemd allows only the kinds of devices that the kernel knows when the unit starts, so that
    the module of each kind is loaded before it.
    """
    lines = UNIT.read_text().splitlines()
    allowed = {match[1] for line in lines if (match := re.match(r"DeviceAllow=char-(\w+) ", line))}
    loaded = {
        key: set(re.findall(r"modprobe@(\w+)\.service", line))
        for line in lines
        for key in ("Wants", "After")
        if line.startswith(f"{key}=modprobe@")
    }

    assert set(DRIVERS) == allowed - BUILT_IN
    assert {key: set(DRIVERS.values()) for key in ("Wants", "After")} == loaded


def test_the_scripts_are_shell() -> None:
    """The scripts that a Pi runs as root are valid shell."""
    scripts = [HARDWARE / "pi" / name for name in ("companion-update", "companion-kiosk")]
    read = [
        subprocess.run(["sh", "-n", script], capture_output=True, check=False) for script in scripts
    ]

    assert [(0, b"")] * 2 == [(result.returncode, result.stderr) for result in read]


@pytest.mark.parametrize("word", ["prepare", "show"])
def test_the_console_shows_that_the_display_starts(tmp_path: Path, word: str) -> None:
    """While the kiosk waits for the table, and before the compositor has the screen, the console is
    not empty.
    """
    (tmp_path / "current/bin").mkdir(parents=True)
    for name in ("current/bin/companion", "setpriv", "cage", "chromium"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    path = f"{tmp_path}:{os.environ['PATH']}"
    environment = {
        "PATH": path,
        "COMPANION_ROOT": str(tmp_path),
        "STATE_DIRECTORY": str(tmp_path),
        "RUNTIME_DIRECTORY": str(tmp_path),
    }
    reading, console = os.openpty()
    os.set_blocking(reading, False)
    with open(reading, "rb"), open(console, "rb") as terminal:
        words = [str(HARDWARE / "pi/companion-kiosk"), word]
        result = subprocess.run(
            words, stdin=terminal, capture_output=True, env=environment, check=False
        )
        output = os.read(reading, 1000)

    assert (0, b"") == (result.returncode, result.stderr)
    assert b"The display of the table is starting." in output


def test_what_is_laid_can_be_read_from_its_first_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file has its permissions before it has its name: a program that watches the folder, as
    avahi-daemon does, can read it.
    """
    replaced, modes = os.replace, []

    def replace(source: Path, target: Path) -> None:
        modes.append(stat.S_IMODE(source.stat().st_mode))
        replaced(source, target)

    monkeypatch.setattr(os, "replace", replace)
    atomic_write(tmp_path / "companion.service", b"", 0o644)

    assert [0o644] == modes
    assert 0o644 == stat.S_IMODE((tmp_path / "companion.service").stat().st_mode)


def test_only_what_is_named_is_installed() -> None:
    """The Makefile installs no recommendations."""
    commands = re.findall(
        r"^\t\$\(APT\) .*$", (HARDWARE.parent / "Makefile").read_text(), re.MULTILINE
    )

    assert commands and all("--no-install-recommends" in line for line in commands)


@pytest.mark.soak
def test_the_recommendations_are_enough(tmp_path: Path) -> None:
    """The package's recommendations bring a session, a font and sound, and no configurator of
    printers.
    """
    if not known_to_apt("chromium"):
        pytest.skip("apt has no list of packages here")
    control = (HARDWARE / "deb/control").read_text()
    recommended = re.search(r"^Recommends: (.+)$", control, re.MULTILINE)
    assert recommended is not None
    (tmp_path / "status").touch()
    words = [
        "apt-get",
        "-s",
        "-o",
        f"Dir::State::status={tmp_path}/status",
        "satisfy",
        "--no-install-recommends",
    ]
    result = subprocess.run([*words, recommended[1]], capture_output=True, text=True, check=True)
    brought = set(re.findall(r"^Inst (\S+)", result.stdout, re.MULTILINE))

    assert {
        "cage",
        "chromium",
        "dbus",
        "libpam-systemd",
        "libasound2-data",
        "fonts-dejavu-core",
    } <= brought
    assert set() == {name for name in brought if re.match("cups|.*printer", name)}


def test_the_wiring_is_that_of_the_settings() -> None:
    """The pins in the wiring table are the defaults of the settings."""
    rows = re.findall(
        r"^\| (\w+)[^|]*\| (\d+) \|",
        (HARDWARE / "README.md").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    wiring = {part: int(pin) for part, pin in rows}
    panel = PanelSettings()

    assert (panel.button, panel.lamp) == (wiring["button"], wiring["lamp"])
    assert panel.piezo == wiring["passive"]


def show_kiosk(folder: Path, cage: str, **environment: str) -> str:
    """Run `companion-kiosk show` with a shell command in the place of the compositor; return its
    output.
    """
    for name, text in (("cage", f"#!/bin/sh\n{cage}\n"), ("chromium", "#!/bin/sh\n")):
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    return subprocess.run(
        [str(HARDWARE / "pi/companion-kiosk"), "show"],
        env={
            "PATH": f"{folder}:{os.environ['PATH']}",
            "STATE_DIRECTORY": str(folder),
            "RUNTIME_DIRECTORY": str(folder),
        }
        | environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    ).stdout


@pytest.mark.parametrize(
    ("driver", "renderer"), [("v3d", ""), ("virtio-pci", "pixman"), ("virtio_gpu", "pixman")]
)
def test_the_kiosk_draws_with_what_the_machine_has(
    tmp_path: Path, driver: str, renderer: str
) -> None:
    """Without a known graphics processor, as in a virtual machine, the compositor draws in software
    of its own: OpenGL's takes minutes, or ends it.
    """
    (tmp_path / "drivers" / driver).mkdir(parents=True)
    device = tmp_path / "drm/renderD128/device"
    device.mkdir(parents=True)
    (device / "driver").symlink_to(tmp_path / "drivers" / driver)
    drm = str(tmp_path / "drm")
    output = show_kiosk(tmp_path, 'echo "renderer=${WLR_RENDERER:-}"', COMPANION_DRM=drm)

    assert f"renderer={renderer}\n" == output


@pytest.mark.parametrize(
    ("last", "seconds", "platform"),
    [
        (None, 30, "wayland"),
        ("wayland 30", 32, "x11"),
        ("x11 30", 32, "wayland"),
        ("wayland 30", 90, "wayland"),
        ("x11 30", 90, "x11"),
        ("x11 4000", 20, "x11"),
        ("", 30, "wayland"),
        ("x11", 30, "x11"),
        ("wayl", 30, "wayland"),
    ],
)
def test_a_browser_that_ends_at_once_is_started_by_the_other_protocol(
    tmp_path: Path, last: str | None, seconds: int, platform: str
) -> None:
    """After an end within a minute the kiosk's browser is started by X's protocol instead of
    Wayland's, or by Wayland's instead of X's; after a longer run, or another boot, by the same.
    """
    state = tmp_path / "state"
    state.mkdir()
    (tmp_path / "uptime").write_text(f"{seconds}.50 1.00\n")
    if last is not None:
        (state / "platform").write_text(last)
    output = show_kiosk(
        tmp_path,
        'echo "$@"',
        COMPANION_UPTIME=str(tmp_path / "uptime"),
        STATE_DIRECTORY=str(state),
    )

    assert f"--ozone-platform={platform}" in output.split()
    assert f"{platform} {seconds}\n" == (state / "platform").read_text()


def test_nothing_of_the_last_run_stops_the_browser(tmp_path: Path) -> None:
    """A new name of the machine, a power cut or a copied card leaves the kiosk no lock, session or
    preference of the browser's last run; what the page stores stays.
    """
    profile = tmp_path / "state/chromium"
    stored = profile / "Default/Local Storage/leveldb"
    stored.mkdir(parents=True)
    (stored / "000003.log").write_text("language")
    (profile / "Default/Sessions").mkdir()
    for name in ("Local State", "Default/Preferences", "Default/Sessions/Tabs_1"):
        (profile / name).write_text("torn")
    for name in ("SingletonLock", "SingletonCookie", "SingletonSocket"):
        (profile / name).symlink_to("oldname-4711")
    output = show_kiosk(
        tmp_path,
        f'cd "{profile}"\nfind . ! -type d',
        STATE_DIRECTORY=str(tmp_path / "state"),
    )

    assert "./Default/Local Storage/leveldb/000003.log\n" == output


class Card(TargetSystem):
    """A system's folder with everything that the kiosk needs, whose tools do nothing."""

    def check(self) -> None:
        pass

    def names(self, database: str) -> list[str]:
        return []

    def number(self, database: str, name: str) -> int:
        return KIOSK_NUMBER

    def has(self, *programs: str) -> bool:
        return True

    def run(self, *command: str) -> None:
        pass


def allowed_addresses(root: Path, unit: str) -> list[str]:
    """Return what a unit and its drop-in of ours may connect to."""
    texts = [
        path.read_text()
        for path in (root / unit, root / f"{unit}.d/companion.conf")
        if path.exists()
    ]
    return [
        address for text in texts for address in re.findall(r"^IPAddressAllow=(.*)$", text, re.M)
    ]


def test_the_kiosk_may_connect_to_the_tables_own_address(tmp_path: Path) -> None:
    """The address of a fixed `host` is allowed to the kiosk's unit and to its session, the newest
    alone, and to neither once the table listens on all addresses or on loopback again.
    """
    units = tmp_path / "etc/systemd/system"
    program = tmp_path / "usr/lib/table-companion/bin/companion"
    settings = tmp_path / "etc/companion/table.toml"
    for path in (program, settings):
        path.parent.mkdir(parents=True)
    program.touch()
    allowed, sentences = [], []
    for host in ("0.0.0.0", "192.168.178.20", "10.0.0.7", "10.0.0.7", "localhost", "127.0.0.2"):
        settings.write_text(f'host = "{host}"\n')
        said = [*Installation(Card(tmp_path), secrets.token_bytes).install(kiosk=True)]
        sentences.append([sentence for sentence in said if "browser" in sentence])
        names = ("companion-kiosk.service", f"user-{KIOSK_NUMBER}.slice")
        unit, session = (allowed_addresses(units, name) for name in names)
        assert unit == session
        allowed.append(unit)

    assert [
        LOOPBACK_ALONE,
        [*LOOPBACK_ALONE, "192.168.178.20"],
        [*LOOPBACK_ALONE, "10.0.0.7"],
        [*LOOPBACK_ALONE, "10.0.0.7"],
        LOOPBACK_ALONE,
        LOOPBACK_ALONE,
    ] == allowed
    assert [0, 1, 1, 0, 1, 0] == [len(each) for each in sentences]


def test_a_hosts_name_is_no_address_for_the_kiosk(tmp_path: Path) -> None:
    """The limits hold addresses: a host that is a name is told to the owner, and allows nothing."""
    program = tmp_path / "usr/lib/table-companion/bin/companion"
    settings = tmp_path / "etc/companion/table.toml"
    for path, text in ((program, ""), (settings, 'host = "table.lan"\n')):
        path.parent.mkdir(parents=True)
        path.write_text(text)
    sentences = [*Installation(Card(tmp_path), secrets.token_bytes).install(kiosk=True)]

    assert any("is a name (table.lan)" in sentence for sentence in sentences)
    assert LOOPBACK_ALONE == allowed_addresses(
        tmp_path / "etc/systemd/system", "companion-kiosk.service"
    )
