"""Install the companion on a machine, and remove everything but the games.

New users, groups and folders are recorded before they are made, so an interrupted installation can
be removed completely.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Generator, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import Struct

from companion import __version__
from companion.config import WifiSettings, load
from companion.files import atomic_write
from companion.installer.disk import (
    JOURNAL_FILES,
    MOUNT,
    NO_PARTITION,
    NO_SWAP_FILE,
    READ_ONLY_FILES,
    SWAP,
    Partition,
    check_partition,
    find_partition,
    move_games_from,
    move_games_to,
    why_not_read_only,
)
from companion.installer.manifest import (
    ACCOUNTS,
    ALWAYS,
    FOLDERS,
    GAMES_FOLDER,
    KIOSK,
    KIOSK_ACCOUNTS,
    KIOSK_STATE,
    OPT,
    PROGRAM_FOLDER,
    SETTINGS_FOLDER,
    UNIT_FOLDER,
    UNIT_NAME,
    FileGroup,
    InstalledFile,
)
from companion.installer.target import BELOW_READ_ONLY_HINT, CannotInstall, TargetSystem
from companion.installer.wifi import (
    KEYFILE,
    SERVICE_FILE,
    keyfile_text,
    service_text,
    should_set_up,
    why_no_wifi,
    wifi_credentials,
)
from companion.server.auth.codes import Entropy
from companion.server.http.addresses import TableAddresses, is_address, is_loopback

STATE_FILE = f"{OPT}/made.json"
RELEASE = "packaged"
"""The name of the package's program among the releases."""
DESKTOP = "display-manager.service"
UDEV = Path("/run/udev/control")
"""The socket of udev; it does not run in a container."""
DESKTOP_CONDITION = f"[Unit]\nConditionPathExists=!/{UNIT_FOLDER}/companion-kiosk.service\n"
"""The drop-in that keeps a desktop from starting while the kiosk has the screen."""
KIOSK_LIMITS = f"{UNIT_FOLDER}/companion-kiosk.service.d/companion.conf"
"""The drop-in that lets the kiosk's browser connect to the settings' fixed host."""
CGROUP_RULES = re.compile(r"^(?:IPAddress|Device|MemorySwap)\w+=.*\n", re.MULTILINE)
"""Settings of a unit's control group. The kiosk's programs run in that of their session."""


class InstallState(Struct, frozen=True):
    """The users, groups and folders that were made, and the choices of screen, Wi-Fi and disk.

    None: not chosen.
    """

    users: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    kiosk: bool | None = None
    wifi: bool | None = None
    partition: str | None = None
    """The UUID of the games' own partition."""
    read_only: bool = False


class InstallPlan(NamedTuple):
    """The checked choices of an installation.

    own_address: the table's address if this machine's browser does not reach it at loopback, else
    ""
    left_out: why parts are not installed, or do not work
    """

    kiosk: bool | None
    wifi: bool | None
    credentials: WifiSettings | None
    partition: Partition | None
    groups: tuple[FileGroup, ...]
    port: int
    own_address: str
    left_out: tuple[str, ...]


class Installation:
    """The installation on one system; `entropy` is the source of its Wi-Fi's password."""

    def __init__(self, root: TargetSystem, entropy: Entropy) -> None:
        self._root = root
        self._entropy = entropy
        note = root.at(STATE_FILE)
        self._made = (
            msgspec.json.decode(note.read_bytes(), type=InstallState)
            if note.exists()
            else InstallState()
        )

    def install(
        self,
        kiosk: bool | None = None,
        wifi: bool | None = None,
        partition: str | None = None,
        read_only: bool | None = None,
    ) -> Iterator[str]:
        """Write what is missing or differs; yield a sentence for each change, or for none.

        kiosk: whether the kiosk has the screen; None keeps the last choice, at first yes without a
        desktop
        wifi: whether to open a Wi-Fi where no known one is in reach; None keeps the last choice, at
        first yes on a Pi
        partition: the partition for the games, or `NO_PARTITION`; None keeps it
        read_only: whether to make the system read-only; None keeps it
        Raises `CannotInstall`, before anything is changed where possible.
        """
        plan = self._plan(kiosk, wifi, partition, read_only)
        self._save_state(kiosk=plan.kiosk, wifi=plan.wifi)
        self._make_accounts(*ACCOUNTS, *(KIOSK_ACCOUNTS if KIOSK in plan.groups else ()))
        for folder, mode in FOLDERS:
            self._make_folder(folder, mode)
        program = yield from self._install_program()
        files = yield from self._install_groups(plan)
        screen = yield from self._install_screen(plan)
        network = yield from self._install_network(plan)
        disk = False
        for sentence in self._prepare_disk(plan.partition, partition is not None, read_only):
            disk = True
            yield sentence
        for why in plan.left_out:
            yield why[0].upper() + why[1:] + "."
        changed = program or files or screen or network or disk
        self._start(changed)
        yield self._summary(changed, plan)

    def _plan(
        self,
        kiosk: bool | None,
        wifi: bool | None,
        partition: str | None,
        read_only: bool | None,
    ) -> InstallPlan:
        """Return the choices, completed by the last ones; raise `CannotInstall`, change nothing."""
        root = self._root
        root.check()
        if not root.at(f"{PROGRAM_FOLDER}/bin/companion").exists():
            raise CannotInstall(
                f"the package table-companion is not installed in {root.path}; `make deb` makes it"
            )
        choice = self._made.kiosk if kiosk is None else kiosk
        no_kiosk = self._why_no_kiosk(choice)
        if no_kiosk and kiosk:
            raise CannotInstall(no_kiosk)
        opens = self._made.wifi if wifi is None else wifi
        no_wifi = why_no_wifi(root, opens)
        if no_wifi and wifi:
            raise CannotInstall(no_wifi)
        settings = load(
            environment={"CONFIGURATION_DIRECTORY": str(root.at(SETTINGS_FOLDER)), "HOME": "/"}
        )
        has_wifi = should_set_up(root, opens) and not no_wifi
        has_kiosk = not no_kiosk and choice is not False
        host = TableAddresses.of(settings).local_host
        no_page = (
            f'the display cannot open its page: "host" in table.toml is a name ({host}), and the '
            "display's browser may connect to addresses only; write the IPv4 address there, then "
            "install again"
            if has_kiosk and not is_address(host)
            else None
        )
        return InstallPlan(
            kiosk=choice,
            wifi=opens,
            credentials=wifi_credentials(root, self._entropy) if has_wifi else None,
            partition=self._planned(partition, read_only),
            groups=(*ALWAYS, KIOSK) if has_kiosk else ALWAYS,
            port=settings.port,
            own_address=host if is_address(host) and not is_loopback(host) else "",
            left_out=tuple(why for why in (no_kiosk, no_wifi, no_page) if why),
        )

    def _install_program(self) -> Generator[str, None, bool]:
        """Link the package's release, unless a newer one runs; return whether that changed."""
        if newer := self._newer_release():
            yield f"Release {newer} goes on running: it is newer than the package's {__version__}."
            return False
        return self._link_release()

    def _install_groups(self, plan: InstallPlan) -> Generator[str, None, bool]:
        """Write and enable the plan's files; return whether any changed."""
        changed = False
        for group in plan.groups:
            if any([self._write_if_changed(part, plan.port) for part in group.parts]):
                changed = True
                yield group.summary
            if group.units:
                self._root.systemctl("enable", *group.units)
        return changed

    def _install_screen(self, plan: InstallPlan) -> Generator[str, None, bool]:
        """Give the screen to the kiosk or take it back; return whether it must start again."""
        if KIOSK not in plan.groups:
            removed = self._remove(KIOSK)
            if removed:
                yield "The screen is no longer the table's."
            return removed
        changed = self._confine_session(plan.own_address)
        if self._allow_own_address(plan.own_address):
            changed = True
            reached = f"{plan.own_address} too" if plan.own_address else "this machine alone"
            yield f"The display's browser may connect to {reached}."
        desktop = self._desktop()
        if desktop and self._write(
            f"{UNIT_FOLDER}/{desktop}.d/companion.conf", DESKTOP_CONDITION, 0o644
        ):
            yield (
                f"The desktop ({desktop}) starts no more; "
                "`companion uninstall` lets it start again."
            )
        return changed

    def _install_network(self, plan: InstallPlan) -> Generator[str, None, bool]:
        """Write the machine's own Wi-Fi, or remove it; return whether anything changed."""
        own = plan.credentials
        changed = self._install_wifi(own) if own else self._remove_wifi()
        if changed and own:
            yield (
                f'Where no known Wi-Fi is in reach, the machine opens "{own.name}"; '
                "the display then says so."
            )
        elif changed:
            yield "The machine opens no Wi-Fi any more."
        return changed

    def _summary(self, changed: bool, plan: InstallPlan) -> str:
        """Return the last sentence of an installation."""
        if changed and self._root.runs:
            return "The table is running; `sudo companion doctor` says how it is."
        if changed:
            return "It starts when this system does."
        if plan.left_out:
            return "Everything else was in its place already."
        return "Everything was in its place already."

    def uninstall(self, purge: bool = False) -> Iterator[str]:
        """Remove all that was installed; yield a sentence for each step.

        The games and the settings stay, in folders of root's, unless `purge`. Raises
        `CannotInstall`.
        """
        root = self._root
        root.check()
        if root.is_below_read_only:
            raise CannotInstall(BELOW_READ_ONLY_HINT)
        for group in (KIOSK, *reversed(ALWAYS)):
            self._remove(group)
        self._remove_wifi()
        yield from self._prepare_disk(None, True, False)
        for user in self._made.users:
            if user in root.names("passwd"):
                root.remove_user(user)
        for name in self._made.groups:
            if name in root.names("group"):
                root.remove_group(name)
        yield (
            "The service, the display, the board's rule, the name on the network, the timer, the "
            "own Wi-Fi and their"
            " users are gone."
        )
        games, settings = root.at(GAMES_FOLDER), root.at(SETTINGS_FOLDER)
        if purge:
            yield from self._purge(games, settings)
        elif games.exists() or settings.exists():
            for folder in (games, settings):
                _give_to_root(folder)
            yield (
                "The games (/var/lib/companion) and the settings (/etc/companion) are kept; "
                "--purge deletes them too."
            )
        # Last, with the list of what was made: after a refusal a second run needs it.
        shutil.rmtree(root.at(OPT), ignore_errors=True)
        for place in sorted(self._made.folders, reverse=True):
            _remove_empty(root.at(place))

    def _purge(self, *folders: Path) -> Iterator[str]:
        for folder in folders:
            if folder.exists():
                shutil.rmtree(folder)
                yield f"/{folder.relative_to(self._root.path)} is deleted."

    def _why_no_kiosk(self, choice: bool | None) -> str | None:
        """Return why the kiosk does not get the screen, None if it does or nobody wants it."""
        if choice is False:
            return None
        # The cage of Debian 12 exits at its start without Xwayland.
        if not all(map(self._root.has, ("cage", "Xwayland"))) or not self._root.has(
            "chromium", "chromium-browser"
        ):
            return (
                "the screen is left alone: it needs `sudo apt install cage xwayland "
                "chromium`, then install again"
            )
        if (
            choice is None
            and self._desktop()
            and not self._root.at(f"{UNIT_FOLDER}/companion-kiosk.service").exists()
        ):
            return (
                "the screen is left to the desktop that has it; `sudo companion install "
                "--kiosk` gives it to the table"
            )
        return None

    def _desktop(self) -> str | None:
        """Return the unit that starts a desktop, None without one."""
        link = self._root.at(f"{UNIT_FOLDER}/{DESKTOP}")
        return Path(os.readlink(link)).name if link.is_symlink() else None

    def _save_state(self, **changed: object) -> None:
        self._made = msgspec.structs.replace(self._made, **changed)
        note = self._root.at(STATE_FILE)
        if missing := self._missing(OPT):
            self._made = msgspec.structs.replace(self._made, folders=missing)
            note.parent.mkdir(mode=0o755, parents=True)
        atomic_write(note, msgspec.json.encode(self._made))

    def _make_accounts(self, *lines: str) -> None:
        users = {line.split()[1] for line in lines if line.startswith("u ")} - set(
            self._root.names("passwd")
        )
        groups = {line.split()[1] for line in lines} - set(self._root.names("group"))
        if users or groups:
            self._save_state(
                users=(*self._made.users, *sorted(users)),
                groups=(*self._made.groups, *sorted(groups)),
            )
            self._root.make_accounts(*lines)

    def _make_folder(self, place: str, mode: int = 0o755) -> None:
        if missing := self._missing(place):
            self._save_state(folders=(*self._made.folders, *missing))
        for path in reversed(missing):
            self._root.at(path).mkdir()
            self._root.at(path).chmod(mode if path == place else 0o755)

    def _missing(self, place: str) -> tuple[str, ...]:
        """Return the missing ones of the folder and its parents."""
        return tuple(
            path
            for path in (place, *map(str, Path(place).parents))
            if not self._root.at(path).is_dir()
        )

    def _write_if_changed(self, part: InstalledFile, port: int) -> bool:
        """Write a file that is missing or differs; return whether it was written."""
        return self._write(part.place, part.text(port), part.mode)

    def _write(self, place: str, text: str, mode: int, group: int | None = None) -> bool:
        self._make_folder(str(Path(place).parent))
        path, content = self._root.at(place), text.encode()
        if path.exists() and path.read_bytes() == content:
            status = path.stat()
            if status.st_mode & 0o7777 == mode and group in (None, status.st_gid):
                return False
        atomic_write(path, content, mode, group)
        return True

    def _install_wifi(self, wifi: WifiSettings) -> bool:
        """Write the files of the machine's own Wi-Fi; return whether one of them changed."""
        group = self._root.number("group", "companion")
        laid = [
            self._write(KEYFILE, keyfile_text(wifi), 0o600),
            self._write(SERVICE_FILE, service_text(wifi), 0o640, group),
        ]
        return self._network_read(any(laid))

    def _remove_wifi(self) -> bool:
        there = [path for path in map(self._root.at, (KEYFILE, SERVICE_FILE)) if path.exists()]
        for path in there:
            path.unlink()
        if SETTINGS_FOLDER in self._made.folders:
            _remove_empty(self._root.at(SETTINGS_FOLDER))
        return self._network_read(bool(there))

    def _network_read(self, changed: bool) -> bool:
        """Make NetworkManager, if it runs, read its files again after a change."""
        if changed:
            with suppress(CannotInstall):
                self._root.run_if_live("nmcli", "connection", "reload")
        return changed

    def _planned(self, name: str | None, read_only: bool | None) -> Partition | None:
        """Return the chosen partition for the games, None without one; raise `CannotInstall`."""
        if name is not None and self._root.is_below_read_only:
            raise CannotInstall(BELOW_READ_ONLY_HINT)
        if name is None:
            partition = Partition(self._made.partition) if self._made.partition else None
        elif name == NO_PARTITION:
            partition = None
        else:
            partition = find_partition(self._root, name)
            check_partition(self._root, partition)
        sealed = self._made.read_only if read_only is None else read_only
        if sealed and (why := why_not_read_only(self._root, partition is not None)):
            raise CannotInstall(why)
        return partition

    def _prepare_disk(
        self, partition: Partition | None, is_new_choice: bool, read_only: bool | None
    ) -> Iterator[str]:
        """Move the games after a new choice, and make the system read-only or not; yield a sentence
        for each change.
        """
        root, before = self._root, self._made.partition
        if is_new_choice and before and (partition is None or partition.uuid != before):
            yield from self._move_games_back(Partition(before))
        if partition:
            if is_new_choice:
                self._stop()
                moved = move_games_to(root, partition)
                self._save_state(partition=partition.uuid)
                if moved:
                    yield f"The games that were there are on {partition.device} now."
            self._make_folder(GAMES_FOLDER, 0o700)
            self._make_folder(f"{UNIT_FOLDER}/local-fs.target.wants")
            if self._write(MOUNT, partition.unit(), 0o644):
                yield (
                    f"Games are kept on a partition of their own (UUID {partition.uuid}), "
                    "and only while it is there."
                )
            root.systemctl("enable", Path(MOUNT).name)
        if read_only is not None:
            self._save_state(read_only=read_only)
        sealed = self._made.read_only
        if sealed and root.at(f"usr/lib/systemd/system/{SWAP}").exists():
            self._write_if_changed(NO_SWAP_FILE, 0)
        elif not sealed:
            root.at(NO_SWAP_FILE.place).unlink(missing_ok=True)
        for group, is_chosen in ((JOURNAL_FILES, partition is not None), (READ_ONLY_FILES, sealed)):
            if is_chosen and any([self._write_if_changed(part, 0) for part in group.parts]):
                yield group.summary
            elif not is_chosen and self._remove(group) and group is READ_ONLY_FILES:
                yield "From the next start on the system can be written to."

    def _move_games_back(self, partition: Partition) -> Iterator[str]:
        """Move the games back to the system's own partition."""
        root = self._root
        self._stop()
        root.systemctl("disable", *(["--now"] if root.runs else []), Path(MOUNT).name)
        root.at(MOUNT).unlink(missing_ok=True)
        root.run_if_live("systemctl", "daemon-reload")
        try:
            if move_games_from(root, find_partition(root, partition.uuid)):
                yield "The games lie on the system's own partition again."
        except CannotInstall as failed:
            yield (
                f"What games there are stay on the partition with the UUID {partition.uuid}: "
                f"{failed}."
            )
        self._save_state(partition=None)

    def _stop(self) -> None:
        """Stop everything that uses the games."""
        for unit in ("companion-kiosk.service", UNIT_NAME):
            if self._root.at(f"{UNIT_FOLDER}/{unit}").exists():
                self._root.run_if_live("systemctl", "stop", unit)

    def _newer_release(self) -> str | None:
        """Return the running release if it is an update newer than the package's."""
        current = self._root.at(f"{OPT}/current")
        name = Path(os.readlink(current)).name if current.is_symlink() else RELEASE
        there = name != RELEASE and self._root.at(f"{OPT}/releases/{name}/bin/companion").exists()
        return name if there and self._root.is_newer(name, __version__) else None

    def _link_release(self) -> bool:
        """Link the package's program as the present release; return whether the link changed."""
        current = self._root.at(f"{OPT}/current")
        _link(self._root.at(f"{OPT}/releases/{RELEASE}"), f"../../../{PROGRAM_FOLDER}")
        if current.is_symlink() and os.readlink(current) == f"releases/{RELEASE}":
            return False
        _link(current, f"releases/{RELEASE}")
        return True

    def _confine_session(self, own_address: str) -> bool:
        """Write the kiosk unit's limits of networks and devices for the kiosk's session too, with
        the table's own address allowed; return whether they changed.
        """
        unit = next(part for part in KIOSK.parts if part.place.endswith(".service"))
        rules = "".join(CGROUP_RULES.findall(unit.text(0))) + _allowing(own_address)
        slice_ = f"user-{self._root.number('passwd', 'companion-kiosk')}.slice"
        return self._write(f"{UNIT_FOLDER}/{slice_}.d/companion.conf", f"[Slice]\n{rules}", 0o644)

    def _allow_own_address(self, own_address: str) -> bool:
        """Let the kiosk reach the table's own address, or loopback; return whether that changed."""
        if own_address:
            return self._write(KIOSK_LIMITS, f"[Service]\n{_allowing(own_address)}", 0o644)
        is_limited = not self._root.at(KIOSK_LIMITS).exists()
        self._root.at(KIOSK_LIMITS).unlink(missing_ok=True)
        return not is_limited

    def _remove(self, group: FileGroup) -> bool:
        """Stop and remove a group of files; return whether one existed."""
        there = [part for part in group.parts if self._root.at(part.place).exists()]
        units = [unit for unit in group.units if self._root.at(f"{UNIT_FOLDER}/{unit}").exists()]
        if units:
            self._root.systemctl("disable", *(["--now"] if self._root.runs else []), *units)
        for part in there:
            self._root.at(part.place).unlink()
        if group is KIOSK:
            shutil.rmtree(self._root.at(KIOSK_STATE), ignore_errors=True)
            for pattern in ("*.service.d/companion.conf", "user-*.slice.d/companion.conf"):
                for laid in self._root.at(UNIT_FOLDER).glob(pattern):
                    laid.unlink()
        if there:
            self._root.run_if_live("systemctl", "daemon-reload")
        return bool(there)

    def _start(self, changed: bool) -> None:
        """Make the running system load and start what was installed."""
        run_if_live = self._root.run_if_live
        run_if_live("systemctl", "daemon-reload")
        if UDEV.exists():
            run_if_live("udevadm", "control", "--reload")
            run_if_live("udevadm", "trigger", "--subsystem-match=tty", "--subsystem-match=dma_heap")
        kiosk = (
            ["companion-kiosk.service"]
            if self._root.at(f"{UNIT_FOLDER}/companion-kiosk.service").exists()
            else []
        )
        if changed:
            # After one "restart" a service starts even if the mount that it requires has failed.
            run_if_live("systemctl", "stop", *kiosk, UNIT_NAME, "companion-update.timer")
        run_if_live("systemctl", "start", UNIT_NAME, "companion-update.timer", *kiosk)


def _allowing(address: str) -> str:
    """Return the line of a unit that allows an address, "" for none."""
    return f"IPAddressAllow={address}\n" if address else ""


def _link(path: Path, target: str) -> None:
    aside = path.with_name(path.name + ".new")
    aside.unlink(missing_ok=True)
    aside.symlink_to(target)
    aside.replace(path)


def _give_to_root(folder: Path) -> None:
    """Give a folder to root: an account with the number of a removed user must not own it.

    Its content keeps its owner; only the owner can enter the folder with the games.
    """
    if folder.is_dir():
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            os.fchown(descriptor, 0, 0)
        finally:
            os.close(descriptor)


def _remove_empty(folder: Path) -> None:
    if folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()
