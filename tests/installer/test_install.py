"""The package in a root of Debian: installation, service, and removal without remains."""

from __future__ import annotations

import configparser
import io
import math
import os
import re
import shutil
import signal
import subprocess
import tarfile
import time
import tomllib
import urllib.request
from pathlib import Path

import pytest

from companion.games import GAMES as KNOWN
from companion.installer.manifest import UNIT_FOLDER
from companion.installer.wifi import PASSWORD_LETTERS
from hardware.image.__main__ import FIRST_START, FIRST_START_UNIT
from tests.helpers.ports import free_port
from tests.installer.booted import Booted
from tests.installer.debian import ENVIRONMENT, TIMEOUT, Debian
from tests.table.play import Play

GAMES = "/var/lib/companion"
KEYFILE = "/etc/NetworkManager/system-connections/companion.nmconnection"
HANDED = "/etc/companion/wifi.toml"
PRIORITY = "autoconnect-priority"
MANAGER = ("NetworkManager", "dnsmasq")
"""The programs that show that a machine can open a Wi-Fi."""
COMPILER = "/usr/bin/py3compile"
CAMERA_OR_BOARD = re.compile(r"^DeviceAllow=.*(video|media|dma|ttyUSB|ttyACM|gpio)", re.MULTILINE)

needs_control_groups = pytest.mark.skipif(
    " cgroup2 " not in Path("/proc/mounts").read_text(encoding="utf-8"),
    reason="no control groups of the second kind on this machine",
)


def serving(debian: Debian, user: str, port: int) -> subprocess.Popen[bytes]:
    """Start the installed table as a user, with its games where the service keeps them."""
    return subprocess.Popen(
        debian.command(
            f"install -d -m 700 -o {user} -g {user} {GAMES};"
            f" exec setpriv --reuid {user} --regid {user} --clear-groups --no-new-privs"
            f" companion serve --data {GAMES} --host 127.0.0.1 --port {port} --board none"
        ),
        stdout=subprocess.DEVNULL,
        env=ENVIRONMENT,
    )


def page(port: int, path: str, process: subprocess.Popen[bytes]) -> bytes:
    """Return a page as soon as it is served."""
    end = time.monotonic() + TIMEOUT
    while True:
        try:
            with urllib.request.urlopen(
                f"http://127.0.0.1:{port}{path}", timeout=TIMEOUT
            ) as answer:
                return bytes(answer.read())
        except OSError:
            assert process.poll() is None and time.monotonic() < end
            time.sleep(0.1)


def test_a_machine_becomes_the_tables_own_and_its_owners_again(debian: Debian) -> None:
    """The installed files are enabled and valid for systemd; a second installation changes nothing;
    after the uninstallation and removal of the package every file of the system is as before.
    """
    output = debian.run("companion install")
    second_run = debian.run("companion install")
    enabled = debian.run(
        "systemctl is-enabled companion.service companion-kiosk.service companion-update.timer"
    )
    verified = debian.run("systemd-analyze verify --man=no /etc/systemd/system/companion*.service")
    users = debian.run(
        "id -nG companion; id -nG companion-kiosk; stat -c '%a %U' /opt/companion/made.json"
    )
    number = debian.run("id -u companion-kiosk").strip()
    session = debian.run(f"cat /etc/systemd/system/user-{number}.slice.d/companion.conf")
    laid = debian.changed()
    uninstalled = debian.run(
        "companion uninstall; dpkg -P table-companion; find /usr/bin/cage /usr/bin/Xwayland "
        "-empty -delete"
    )

    assert ["The service", "A sensor", "The table", "At 4:30", "The screen", "It starts"] == [
        " ".join(line.split()[:2]) for line in output.splitlines()
    ]
    assert "Everything was in its place already.\n" == second_run
    assert 3 * "enabled\n" == enabled
    assert "" == verified
    assert "companion\ncompanion-kiosk\n600 root\n" == users
    assert {
        "[Slice]",
        "IPAddressDeny=any",
        "IPAddressAllow=localhost",
        "DevicePolicy=closed",
    } <= set(session.split())
    assert None is CAMERA_OR_BOARD.search(session)
    assert {"etc/avahi/services/companion.service", "etc/udev/rules.d/99-companion.rules"} <= set(
        laid
    )
    assert "are gone" in uninstalled
    assert [] == debian.changed()


def test_the_service_plays_and_the_kiosk_sees_only_its_display(debian: Debian) -> None:
    """The installed program serves its first page as the service's user; the kiosk's user gets the
    address that pairs its display, once, in a page that no other user may read, and can open
    nothing of the games. The doctor checks the service's games without an option; an account that
    may not read them gets that result, and the rest.
    """
    debian.run("companion install")
    port = free_port()
    with serving(debian, "companion", port) as process:
        try:
            first = page(port, "/table", process)
            kit = page(port, "/kit/vampireradar/A4-ja.pdf", process)
            (debian.upper / "etc/companion").mkdir()
            (debian.upper / "etc/companion/table.toml").write_text(f"port = {port}\n")
            run = "mkdir -p /run/companion-kiosk; chown companion-kiosk: /run/companion-kiosk"
            kiosk = "setpriv --reuid companion-kiosk --regid companion-kiosk --clear-groups"
            start = debian.run(
                f"{run}; /opt/companion/companion-kiosk prepare; {kiosk} cat "
                f"/run/companion-kiosk/start.html"
            )
            denied = debian.run(f"{kiosk} cat {GAMES}/table.sqlite {GAMES}/display-code", status=1)
            others = debian.run(
                f"{run}; /opt/companion/companion-kiosk prepare;"
                " setpriv --reuid nobody --clear-groups cat /run/companion-kiosk/start.html",
                status=1,
            )
            # The root of this test is an overlay, on which no machine keeps games.
            doctor = debian.run("companion doctor", status=1)
            doctor_output = debian.run(
                "setpriv --reuid nobody --clear-groups companion doctor", status=1
            )
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(TIMEOUT)

    assert b'<html lang="en"' in first and b"/static/screens/table/main.js" in first
    assert b"%PDF-" == kit[:5]
    code = (debian.upper / GAMES[1:] / "display-code").read_text().strip()
    assert f"http://127.0.0.1:{port}/table?kiosk#{code}" in start
    assert 2 == denied.count("Permission denied")
    assert code not in others and "Permission denied" in others
    assert f"This checks the installed service and its games in {GAMES}" in doctor.splitlines()[0]
    assert f"serving on port {port}" in doctor and "The log of the games is intact" in doctor
    assert "would not survive power-off" in doctor and "The system can be written to" in doctor
    assert (
        f"{GAMES} is another user's and may not be read" in doctor_output
        and "Traceback" not in doctor_output
    )
    assert f"serving on port {port}" in doctor_output and "log of the games" not in doctor_output


def test_the_games_outlive_the_companion(debian: Debian) -> None:
    """Uninstalled, the companion leaves games and settings in folders that only root enters;
    --purge deletes them.
    """
    debian.run(
        f"companion install --no-kiosk; install -d -m 700 -o companion {GAMES}; touch "
        f"{GAMES}/table.sqlite"
    )
    kept = debian.run("companion uninstall")
    owner = debian.run(f"stat -c '%U %a' {GAMES}")
    debian.run(f"companion install --no-kiosk; mkdir {GAMES}/before-1")
    deleted = debian.run(
        f"companion uninstall --purge; ! ls -d {GAMES}* 2>/dev/null; grep -c companion "
        f"/etc/passwd || true"
    )

    assert "are kept; --purge deletes them too" in kept
    assert "root 700\n" == owner
    assert ["/var/lib/companion is deleted.", "0"] == deleted.splitlines()[-2:]


def test_all_files_of_a_package_have_one_time(package: Path) -> None:
    """Two checkouts of one commit build the same package: no file has its time in the checkout."""
    words = ["dpkg-deb", "--fsys-tarfile", str(package)]
    packed = subprocess.run(words, check=True, timeout=TIMEOUT, stdout=subprocess.PIPE).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as files:
        assert 1 == len({each.mtime for each in files})


def another(package: Path, folder: Path, version: str) -> Path:
    """Return the package as another version: one document more, one less, a changed unit."""
    tree = folder / version
    subprocess.run(["dpkg-deb", "-R", str(package), str(tree)], check=True, timeout=TIMEOUT)
    control, documents = tree / "DEBIAN/control", tree / "usr/share/doc/table-companion"
    control.write_text(
        re.sub("^Version: .*", f"Version: {version}", control.read_text(), flags=re.MULTILINE)
    )
    (documents / "README.md").rename(documents / "MANUAL.md")
    (unit,) = tree.glob("usr/lib/**/companion/installer/files/companion.service")
    unit.write_text(f"# {version}\n{unit.read_text()}")
    deb = folder / f"{version}.deb"
    packing = ["dpkg-deb", "-Znone", "-b", str(tree), str(deb)]
    subprocess.run(packing, check=True, timeout=TIMEOUT, stdout=subprocess.DEVNULL)
    return deb


def test_another_version_over_it(debian: Debian, package: Path, tmp_path: Path) -> None:
    """A newer package installs its files and removes obsolete ones; games and settings are the same
    to the byte after it, after the older one installed over it, and after its removal. Purging
    leaves nothing.
    """
    # Compiling is checked with the first installation; packages do without.
    debian.run(f"rm -f {COMPILER}; companion install --no-kiosk")
    play = Play(tmp_path / "games", KNOWN[0])
    play.start("V")
    play.table.close()
    shutil.copytree(play.folder, debian.upper / GAMES[1:])
    (debian.upper / "etc/companion").mkdir()
    (debian.upper / "etc/companion/table.toml").write_text("port = 8099\n")
    shutil.copy(another(package, tmp_path, "9.1"), debian.upper / "newer.deb")
    shutil.copy(package, debian.upper / "older.deb")
    sums = f"find {GAMES} /etc/companion -type f -exec sha256sum {{}} + | sort"
    laid = "ls /usr/share/doc/table-companion; head -1 /etc/systemd/system/companion.service"
    before = debian.run(f"chown -R companion: {GAMES} /etc/companion; {sums}")
    newer = debian.run(f"dpkg --force-unsafe-io -i newer.deb; dpkg --audit; {laid}")
    after = debian.run(
        f"{sums}; stat -c '%U %a' {GAMES}/table.sqlite; grep '<port>' "
        f"/etc/avahi/services/companion.service"
    )
    older = debian.run(f"dpkg --force-unsafe-io -i older.deb; dpkg --audit; {laid}; {sums}")
    removed = debian.run(
        f"dpkg -r table-companion; rm *er.deb; mkdir {GAMES}/before-1; {sums}; stat -c %U "
        f"{GAMES} /etc/companion"
    )
    remaining = set(debian.changed())
    debian.run("dpkg -P table-companion; find /usr/bin/cage /usr/bin/Xwayland -empty -delete")

    assert ["MANUAL.md", "changelog.gz", "copyright", "docs", "# 9.1"] == newer.splitlines()[-5:]
    assert "The service (companion.service)" in newer
    assert f"{before}companion 600\n    <port>8099</port>\n" == after
    assert re.search(r"downgrading table-companion (from |\()9\.1", older) and "# 9.1" not in older
    assert older.endswith(before) and "README.md" in older and "MANUAL.md" not in older
    assert removed.endswith(f"{before}root\nroot\n")
    assert {GAMES[1:], "etc/companion/table.toml"} <= remaining
    assert [] == [
        path
        for path in remaining
        if path.startswith(("opt/companion", "usr/lib/table", "usr/bin/comp", "etc/sys"))
    ]
    assert {COMPILER[1:]} >= set(debian.changed())


def test_an_update_outlives_an_older_package(debian: Debian) -> None:
    """`companion install`, repeated or by an older package, keeps a newer release, but no older
    one.
    """
    debian.run(
        "companion install --no-kiosk; cd /opt/companion; mkdir -p releases/9.0/bin "
        "releases/0.0.9/bin"
    )
    debian.run(
        "cd /opt/companion; cp -P releases/packaged/bin/companion releases/9.0/bin; ln -sfn "
        "releases/9.0 current"
    )
    newer = debian.run("companion install; readlink /opt/companion/current")
    debian.run(
        "cd /opt/companion; mv releases/9.0/bin/companion releases/0.0.9/bin; ln -sfn "
        "releases/0.0.9 current"
    )
    older = debian.run("companion install; readlink /opt/companion/current")

    assert "Release 9.0 goes on running: it is newer than the package's" in newer
    assert "releases/9.0" == newer.splitlines()[-1]
    assert "releases/packaged" == older.splitlines()[-1]


def test_a_desktop_keeps_its_screen_without_the_option(debian: Debian) -> None:
    """On a desktop the table gets the screen only on request, and can give it back later."""
    debian.run(
        "echo '[Service]\nExecStart=/bin/true' > /etc/systemd/system/lightdm.service;"
        " ln -s /etc/systemd/system/lightdm.service /etc/systemd/system/display-manager.service"
    )
    before = set(debian.changed())
    without_kiosk = debian.run("companion install")
    with_kiosk = debian.run("companion install --kiosk")
    held = debian.run(
        "systemd-analyze verify --man=no lightdm.service; cat "
        "/etc/systemd/system/lightdm.service.d/*.conf"
    )
    debian.run("companion uninstall")

    assert (
        "the screen is left to the desktop" in without_kiosk.lower()
        and "The screen shows" not in without_kiosk
    )
    assert "The screen shows" in with_kiosk and "lightdm.service" in with_kiosk
    assert "ConditionPathExists=!/etc/systemd/system/companion-kiosk.service" in held
    assert before == set(debian.changed())


def test_a_wifi_of_its_own(debian: Debian) -> None:
    """Written if it is chosen and NetworkManager is installed: root's alone, the service's part
    readable by it and by no other user; the same after a second installation, another if one was
    written down, gone when declined.
    """
    before = set(debian.changed())
    refused = debian.run("companion install --wifi", status=1)
    untouched = set(debian.changed())
    debian.run(f"cd /usr/sbin; touch {' '.join(MANAGER)}; mkdir -p {Path(KEYFILE).parent}")
    files_before = set(debian.changed())
    unasked = debian.run(f"companion install --no-kiosk; ls -A {Path(KEYFILE).parent}")
    first = debian.run("companion install --wifi")
    laid = read_keyfile(debian)
    modes = debian.run(f"stat -c '%a %U %G' {KEYFILE} {HANDED}")
    readers = debian.run(
        f"setpriv --reuid companion --regid companion --clear-groups cat {HANDED};"
        f" ! setpriv --reuid companion --regid companion --clear-groups cat {KEYFILE};"
        f" ! setpriv --reuid nobody --regid nogroup --clear-groups cat {HANDED}"
    )
    second_run = debian.run("companion install")
    keyfile_after = read_keyfile(debian)
    changed = debian.run(
        f"sed -i 's/^password.*/password = \"of our own\"/' {HANDED}; companion install"
    )
    ours = read_keyfile(debian)
    wrong = debian.run(
        f"sed -i 's/of our own/a\\tb c d e f g/' {HANDED}; companion install", status=1
    )
    declined = debian.run("companion install --no-wifi; companion install")
    remaining = [(debian.upper / place[1:]).exists() for place in (KEYFILE, HANDED)]
    debian.run("companion install --wifi; companion uninstall")

    assert "needs `sudo apt install network-manager dnsmasq-base`" in " ".join(refused.split())
    assert before == untouched
    assert "Wi-Fi" not in unasked and "nmconnection" not in unasked
    name, password = laid["wifi"]["ssid"], laid["wifi-security"]["psk"]
    assert name in first and password not in first
    assert re.fullmatch(f"Table [{PASSWORD_LETTERS}]{{4}}", name)
    assert re.fullmatch(f"[{PASSWORD_LETTERS}]{{5}}(-[{PASSWORD_LETTERS}]{{5}}){{2}}", password)
    assert 64 <= 15 * math.log2(len(set(PASSWORD_LETTERS)))
    assert ("wifi", "true", "-999") == tuple(
        laid["connection"][key] for key in ("type", "autoconnect", PRIORITY)
    )
    assert ("ap", "wpa-psk", "shared") == (
        laid["wifi"]["mode"],
        laid["wifi-security"]["key-mgmt"],
        laid["ipv4"]["method"],
    )
    assert "600 root root\n640 root companion\n" == modes
    tuned = tomllib.loads("".join(line for line in readers.splitlines(True) if " = " in line))
    assert {
        "name": name,
        "password": password,
        "address": laid["ipv4"]["address1"].removesuffix("/24"),
    } == tuned
    assert 2 == readers.count("Permission denied")
    assert "Everything was in its place already.\n" == second_run and laid == keyfile_after
    assert f'the machine opens "{name}"' in changed and "of our own" == ours["wifi-security"]["psk"]
    assert name == ours["wifi"]["ssid"]
    assert "needs name, password and address" in wrong
    assert ["The machine opens no Wi-Fi any more.", "Everything was in its place already."] == [
        line for line in declined.splitlines() if "Wi-Fi" in line or "Everything" in line
    ]
    assert [False, False] == remaining
    assert files_before == set(debian.changed())


def test_each_card_draws_its_own_wifi(debian: Debian) -> None:
    """What a disk image runs at its first start draws a Wi-Fi, on each card another one, and does
    not run again.
    """
    commands = "; ".join(re.findall("^ExecStart=(.+)$", FIRST_START_UNIT, re.MULTILINE))
    debian.run(
        f"cd /usr/sbin; touch {' '.join(MANAGER)}; mkdir -p {Path(KEYFILE).parent}; "
        f"companion install --no-kiosk --wifi; rm {KEYFILE} {HANDED}"
    )
    (debian.upper / UNIT_FOLDER / FIRST_START).write_text(FIRST_START_UNIT)
    drawn, states = [], []
    for _ in range(2):
        debian.run(f"systemctl enable {FIRST_START}")
        debian.run(f"mkdir /run/system; mount --bind / /run/system; {commands}")
        states.append(debian.run(f"systemctl is-enabled {FIRST_START} || true").strip())
        drawn.append(read_keyfile(debian)["wifi-security"]["psk"])
        debian.run(f"cat {HANDED}; rm {KEYFILE} {HANDED}")

    assert 2 == len(set(drawn))
    assert ["disabled"] * 2 == states


def read_keyfile(debian: Debian) -> dict[str, dict[str, str]]:
    """Return NetworkManager's keyfile, section by section."""
    parser = configparser.ConfigParser(interpolation=None)
    parser.read(debian.upper / KEYFILE[1:])
    return {section: dict(parser[section]) for section in parser.sections()}


UBUNTU = "printf 'ID=ubuntu\\nPRETTY_NAME=\"Ubuntu 24\"\\n' > /etc/os-release"


@pytest.mark.parametrize(
    ("prepare", "command", "why"),
    [
        ("", "setpriv --reuid nobody --clear-groups companion install", "only root may do that"),
        (UBUNTU, "companion install", "not for Ubuntu 24"),
        ("mkdir /card", "companion install --root /card", "/card without an etc/os-release"),
        (
            "mkdir -p /card/etc; cp /etc/os-release /card/etc",
            "companion install --root /card",
            "has no systemd",
        ),
        (
            "rm /usr/bin/cage",
            "companion install --kiosk",
            "needs `sudo apt install cage xwayland chromium`",
        ),
        (
            "rm /usr/bin/Xwayland",
            "companion install --kiosk",
            "needs `sudo apt install cage xwayland chromium`",
        ),
        ("", "companion uninstall --root /nowhere", "does not exist"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(
    debian: Debian, prepare: str, command: str, why: str
) -> None:
    """On an unsupported system, or without permission, one sentence has the reason and nothing
    changes.
    """
    debian.run(prepare or "true")
    before = debian.changed()
    output = debian.run(f"{command} || test $? -lt 3")

    assert why in output and "Traceback" not in output
    assert before == debian.changed()


def test_a_card_in_another_machine(debian: Debian, package: Path) -> None:
    """`--root` installs everything on a system that does not run, an empty one but for the package,
    and removes it. That of a Pi opens a Wi-Fi without being asked.
    """
    card = debian.upper / "card"
    (card / "etc").mkdir(parents=True)
    (card / "usr/bin").mkdir(parents=True)
    subprocess.run(["dpkg-deb", "-x", str(package), str(card)], check=True, timeout=TIMEOUT)
    for name in ("os-release", "passwd", "group", "shadow", "gshadow"):
        shutil.copy(f"/etc/{name}", card / "etc" / name)
    for name in ("systemctl", "cage", "Xwayland", "chromium", *MANAGER):
        (card / "usr/bin" / name).touch()
    (card / "etc/rpi-issue").touch()
    tree = listing(card)
    output = debian.run("companion install --root /card")
    laid = listing(card)
    wanted = sorted(
        path.name for path in (card / "etc/systemd/system/multi-user.target.wants").iterdir()
    )
    debian.run("companion uninstall --root /card")

    assert ["companion-kiosk.service", "companion-settle.service", "companion.service"] == wanted
    assert "Where no known Wi-Fi is in reach" in output and {KEYFILE[1:], HANDED[1:]} <= set(laid)
    assert tree == listing(card)


def listing(folder: Path) -> dict[str, object]:
    """Return the content of a folder, without the backups that the tools for accounts keep."""
    own = re.compile(r"etc/(.*-|\.pwd\.lock)")
    paths = {str(path.relative_to(folder)): path for path in folder.rglob("*")}
    return {
        name: path.read_bytes()
        if path.is_file()
        else (path.lstat().st_mode, path.is_symlink() and os.readlink(path))
        for name, path in paths.items()
        if not own.fullmatch(name) and "site-packages" not in name
    }


@needs_control_groups
def test_the_kiosks_session_reaches_a_table_on_a_fixed_address(debian: Debian) -> None:
    """Under systemd, a program in the kiosk's session gets a page of a table that listens on the
    address of a network card, and of no other address; at first, and after another host and
    `companion install` again. With all addresses it reaches loopback alone. The doctor warns while
    the limits are those of another host.
    """
    debian.run("test -e /usr/bin/chromium || touch /usr/bin/chromium")
    with Booted(debian) as system:
        system.run("ip link add lan type veth peer name nowhere; mkdir -p /etc/companion")
        for address in ("192.168.178.20", "192.168.178.21"):
            system.run(f"ip addr add {address}/24 dev lan")
        system.run("ip link set nowhere up; ip link set lan up")
        reached, is_warned = {}, []
        doctor = "companion doctor | grep -c 'browser may not connect' || true"
        for host in ("192.168.178.20", "192.168.178.21", "0.0.0.0"):
            system.run(f"echo 'host = \"{host}\"' > /etc/companion/table.toml")
            is_warned.append(system.run(doctor).strip())
            system.run("companion install --kiosk --no-wifi")
            is_warned.append(system.run(doctor).strip())
            slice_ = f"user-{system.run('id -u companion-kiosk').strip()}.slice"
            reached[host] = [
                address
                for address in ("127.0.0.1", "192.168.178.20", "192.168.178.21")
                if "reached"
                in system.run(
                    f"systemd-run --quiet --wait --pipe --slice={slice_} "
                    f"curl -s -o /dev/null -m 2 http://{address}:8080/healthz && echo reached "
                    "|| true"
                )
            ]

    assert {
        "192.168.178.20": ["192.168.178.20"],
        "192.168.178.21": ["192.168.178.21"],
        "0.0.0.0": ["127.0.0.1"],
    } == reached
    # Before the first installation there is no kiosk to warn of.
    assert ["0", "0", "1", "0", "0", "0"] == is_warned


def test_the_kiosk_has_no_device_of_the_games() -> None:
    """The display's unit opens no camera, board or pin, reaches no address but this machine's, and
    gains no right.
    """
    files = Path(__file__).resolve().parents[2] / "hardware/pi"
    unit = (files / "companion-kiosk.service").read_text()

    assert None is CAMERA_OR_BOARD.search(unit)
    assert {
        "IPAddressDeny=any",
        "IPAddressAllow=localhost",
        "NoNewPrivileges=yes",
        "DevicePolicy=closed",
    } <= set(unit.splitlines())
