"""Load settings: table.toml, the environment and the command line give one frozen value.

An unknown key is an error that names the file, the line and the nearest known key: a setting that
is silently ignored is worse than none.
"""

from __future__ import annotations

import difflib
import os
import re
import shlex
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, get_args
from urllib.parse import unquote, urlsplit

import msgspec
from msgspec import Meta, Struct

from companion.core.game import GameError

Language = Literal["en", "ja", "nl"]
NightFloor = Literal[0, 12, 20]
Pin = Annotated[int, Meta(ge=2, le=27)]
"""A GPIO pin in Broadcom (BCM) numbering; 0 and 1 belong to the identity chip of a HAT."""


EVERY_ADDRESS = "0.0.0.0"
"""The host of a server that listens on all IPv4 addresses of the machine."""
OWN_WIFI = "wifi.toml"
"""The file beside table.toml with the machine's own Wi-Fi; `companion install` writes it."""
BUILT_IN_BOTS = ("random", "greedy", "heuristic", "belief", "search", "deep", "even")
"""Names that no external bot may have: those of the levels, and of even odds."""
PROGRAM_NAME = re.compile(f"(?!({'|'.join(BUILT_IN_BOTS)})$)[a-z]{{1,16}}")
"""The allowed names of external bots."""


class SettingsError(GameError, ValueError):
    """Error raised when table.toml or an option of the command line cannot be used."""

    code = "invalid_settings"


class SettleSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """The rest time of pieces before an observation counts."""

    rest: Annotated[float, Meta(ge=0.1, le=5)] = 0.75
    """Seconds without a change, for a board that only senses that a piece stands on a cell."""
    scans: Annotated[int, Meta(ge=1, le=5)] = 2
    """Equal scans in a row, for a board that identifies each pawn."""


class CameraAddress(Struct, frozen=True):
    """The address of a camera's pictures. `login`: its name and password, "" for none."""

    host: str
    port: int
    target: str
    secure: bool
    login: str

    @property
    def shown(self) -> str:
        """The address without its path, which may be secret, and without the login."""
        return f"http{'s' if self.secure else ''}://{self.host}:{self.port}"

    def __repr__(self) -> str:
        return f"CameraAddress({self.shown!r})"


class CameraSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """A camera over the table that reads printed tiles and pawns with printed caps."""

    source: str = ""
    """The source of its pictures: "pi" for the Pi's own camera, a device (/dev/video0), an address
    that gives JPEG or MJPEG (http://…), else a folder; "" for none.
    """
    internet: bool = False
    """Whether an address outside private networks may be read too."""
    pawn_height: Annotated[float, Meta(ge=0, le=100)] = 30
    """Millimetres from the tile to the top of a pawn's cap."""
    every: Annotated[float, Meta(ge=0.2, le=10)] = 1
    """Seconds between two pictures, for all but a folder."""
    timeout: Annotated[float, Meta(ge=1, le=600)] = 10
    """Seconds without a readable picture after which people tap instead."""

    def address(self) -> CameraAddress | None:
        """Return the source's address, None for another source; raise ValueError for an address
        that cannot be read.
        """
        if "://" not in self.source:
            return None
        url = urlsplit(self.source)
        secure = url.scheme == "https"
        if not (secure or url.scheme == "http") or not url.hostname or not self.source.isascii():
            raise ValueError("no http address of a machine")
        target = (url.path or "/") + (f"?{url.query}" if url.query else "")
        name = "" if url.username is None else f"{url.username}:{url.password or ''}"
        return CameraAddress(
            url.hostname, url.port or (443 if secure else 80), target, secure, unquote(name)
        )

    @property
    def name(self) -> str:
        """The source's name for people: an address without path and password."""
        address = self.address()
        return self.source if address is None else address.shown


class WifiSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """The Wi-Fi for phones, the home's or the Pi's own; the display shows its code."""

    name: Annotated[str, Meta(max_length=32)] = ""
    password: Annotated[str, Meta(pattern="^(.{8,63})?$")] = ""
    """WPA's 8 to 63 characters, "" for an open one."""
    address: Annotated[str, Meta(pattern=r"^([0-9]{1,3}(\.[0-9]{1,3}){3})?$")] = ""
    """The machine's address in its own Wi-Fi; the Wi-Fi is shown only while the machine has this
    address.
    """


class PanelSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """The box with a button, a lamp and a piezo.

    pins: the driver
    button, lamp, piezo: the wiring
    """

    pins: Literal["none", "gpio", "fake"] = "none"
    button: Pin = 17
    lamp: Pin = 27
    piezo: Pin = 18
    hold: Annotated[float, Meta(ge=0.5, le=5)] = 1.5
    """Seconds to hold the button for an undo."""


Topic = Annotated[str, Meta(pattern="^([A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*)?$", max_length=64)]
"""The beginning of MQTT topics, without the wildcards of subscriptions."""


class Broker(Struct, frozen=True):
    """The address of an MQTT broker and the login."""

    host: str
    port: int
    tls: bool = False
    user: str = ""
    password: str = ""
    ca: str = ""
    """A file with the broker's certificate authorities; "" for those of the system."""

    def __repr__(self) -> str:
        return f"Broker({self.host!r}, {self.port})"


class ClubSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """The club: a table sends its public state to a broker, and a dashboard shows all tables."""

    broker: str = ""
    """mqtt://[USER:PASSWORD@]HOST[:PORT], mqtts:// for TLS; "" for no broker."""
    name: Annotated[str, Meta(max_length=40)] = ""
    """The table's name in the club; "" for the machine's name."""
    names: bool = True
    """Whether the players' names are sent too."""
    ca: str = ""
    topic: Annotated[Topic, Meta(min_length=1)] = "companion"
    discovery: Topic = "homeassistant"
    """The topic of Home Assistant's discovery; "" sends nothing there."""

    def address(self) -> Broker | None:
        """Return the broker of the settings, None without one; raise ValueError for an invalid
        address.
        """
        if not self.broker:
            return None
        url = urlsplit(self.broker)
        tls = url.scheme == "mqtts"
        if (
            not (tls or url.scheme == "mqtt")
            or url.path.strip("/")
            or url.query
            or url.fragment
            or not url.hostname
        ):
            raise ValueError("not an address of a broker")
        # An invalid host name would raise another kind of error, and much later.
        url.hostname.encode("idna")
        port = url.port if url.port is not None else 8883 if tls else 1883
        if not port or (self.ca and not tls):
            raise ValueError("a port that is none, or a certificate for nothing")
        return Broker(
            url.hostname,
            port,
            tls,
            unquote(url.username or ""),
            unquote(url.password or ""),
            self.ca,
        )


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """The settings of a table; the options of the command line have the same names."""

    data: str = ""
    host: Annotated[str, Meta(min_length=1, max_length=253)] = EVERY_ADDRESS
    """The name or the IPv4 address on which the pages are served."""
    port: Annotated[int, Meta(ge=1, le=65535)] = 8080
    hosts: tuple[Annotated[str, Meta(min_length=1, max_length=253)], ...] = ()
    """Additional host names of the pages, beside the machine's own."""
    tls: bool = False
    """Whether the network is served over https, with a certificate that the table makes."""
    board: Annotated[str, Meta(min_length=1)] = "auto"
    """"auto", "none", "sim", "spi" (strips at the Pi's own pins), a device such as /dev/ttyUSB0 or
    an address such as loop://.
    """
    scanner: str = ""
    """A hand scanner for printed tiles: a device such as /dev/ttyACM1 or an address such as
    socket://; "" for none.
    """
    language: Language = "en"
    recovery: Literal["pin", "words"] = "pin"
    """The secret that moves a seat to a new phone: four digits, or three words that no friend can
    guess.
    """
    night_floor: NightFloor = 12
    """The shortest length of a night in seconds."""
    auto_pick_up: bool = True
    marks: bool = True
    sound: bool = True
    volume: Annotated[int, Meta(ge=0, le=100)] = 80
    """The volume in per cent of the display's loudest."""
    player_groans: bool = False
    """Whether the vampire's player groans at a hit, and the display makes no sound."""
    content: tuple[Annotated[str, Meta(min_length=1)], ...] = ()
    """Content files (TOML) with the cards, cities or maps of boxes; checked at the start."""
    bot_program: dict[str, str] = {}
    """External bots: name and command."""
    settle: SettleSettings = SettleSettings()
    panel: PanelSettings = PanelSettings()
    camera: CameraSettings = CameraSettings()
    wifi: WifiSettings = WifiSettings()
    club: ClubSettings = ClubSettings()

    @property
    def folder(self) -> Path:
        """The data folder, the only place with games and secrets."""
        return Path(self.data)


def load(
    path: Path | None = None,
    overrides: Mapping[str, object] | None = None,
    environment: Mapping[str, str] = os.environ,
) -> Settings:
    """Return the settings of the file at `path`, overridden by `overrides` (top-level keys; None
    values do not count).

    Tables are merged key by key. Without `path`, read the default table.toml if it exists, and the
    Wi-Fi of `companion install` if table.toml names none. Raises `SettingsError`.
    """
    given = {key: value for key, value in (overrides or {}).items() if value is not None}
    default_file = _file(environment)
    source = _File.read(path if path is not None else default_file, must_exist=path is not None)
    settings = source.convert(given)
    if path is None and "wifi" not in source.values:
        settings = msgspec.structs.replace(
            settings, wifi=own_wifi(default_file.with_name(OWN_WIFI))
        )
    folder = settings.data or str(data_folder(environment))
    return msgspec.structs.replace(settings, data=os.path.expanduser(folder))


def own_wifi(path: Path) -> WifiSettings:
    """Return the Wi-Fi of a file, without a name if the file is missing; raise `SettingsError`."""
    return _File.read(path, must_exist=False).convert({}).wifi


def data_folder(environment: Mapping[str, str]) -> Path:
    """Return the default data folder: systemd's state folder, else the XDG one."""
    if state := environment.get("STATE_DIRECTORY"):
        return Path(state.split(":")[0])
    return (
        Path(environment.get("XDG_STATE_HOME") or _home(environment) / ".local/state") / "companion"
    )


def _file(environment: Mapping[str, str]) -> Path:
    if folder := environment.get("CONFIGURATION_DIRECTORY"):
        return Path(folder.split(":")[0]) / "table.toml"
    return (
        Path(environment.get("XDG_CONFIG_HOME") or _home(environment) / ".config")
        / "companion/table.toml"
    )


def _home(environment: Mapping[str, str]) -> Path:
    return Path(environment.get("HOME") or Path.home())


OPTIONS = {"club": "broker"}
"""Keys of table.toml whose option on the command line has another name."""
BOUND = re.compile(r"Expected `(int|float)` (?P<side><=|>=) (?P<bound>\S+)")
"""msgspec's message about a number outside its bounds."""


class _File(Struct, frozen=True):
    """The text and the values of a settings file."""

    path: Path
    text: str
    values: dict[str, Any]

    @classmethod
    def read(cls, path: Path, must_exist: bool) -> _File:
        try:
            text = path.read_text(encoding="utf-8")
            return cls(path, text, tomllib.loads(text))
        except FileNotFoundError as missing:
            if must_exist:
                raise SettingsError("settings_missing", where=str(path)) from missing
            return cls(path, "", {})
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as broken:
            raise SettingsError("settings_unreadable", where=str(path), why=str(broken)) from broken

    def convert(self, given: Mapping[str, object]) -> Settings:
        """Return the file's settings, overridden by the command line; raise `SettingsError`."""
        values = merge_tables(self.values, given)
        for key in _unknown(Settings, values):
            raise self._unknown_key(key, given)
        try:
            settings = msgspec.convert(values, Settings)
        except msgspec.ValidationError as wrong:
            raise self._wrong_value(str(wrong), given) from wrong
        if ":" in settings.host:
            raise SettingsError("settings_ipv6", where=self._where(("host",), given))
        self._check_wiring(settings.panel)
        self._check_address(settings.camera, "settings_camera", ("camera", "source"), given)
        self._check_programs(settings.bot_program, given)
        self._check_address(settings.club, "settings_broker", ("club", "broker"), given)
        return settings

    def _unknown_key(self, key: tuple[str, ...], given: Mapping[str, object]) -> SettingsError:
        known = sorted(_fields(_kind(key[:-1])))
        facts = {
            "where": self._where(key, given),
            "key": ".".join(key),
            "allowed": ", ".join(known),
        }
        for closest in difflib.get_close_matches(key[-1], known, n=1):
            return SettingsError("settings_unknown_close", closest=closest, **facts)
        return SettingsError("settings_unknown", **facts)

    def _wrong_value(self, message: str, given: Mapping[str, object]) -> SettingsError:
        why, _, place = message.partition(" - at `$")
        key = tuple(part for part in re.split(r"[.`]|\[.*", place) if part)
        facts = {"where": self._where(key, given), "key": ".".join(key)}
        if (choices := get_args(_kind(key))) and all(
            isinstance(choice, str | int) for choice in choices
        ):
            return SettingsError("settings_choice", allowed=", ".join(map(str, choices)), **facts)
        if bound := BOUND.fullmatch(why):
            code = "settings_at_most" if bound["side"] == "<=" else "settings_at_least"
            return SettingsError(code, bound=bound["bound"], **facts)
        return SettingsError("settings_value", why=why, **facts)

    def _check_wiring(self, panel: PanelSettings) -> None:
        if len({panel.button, panel.lamp, panel.piezo}) < 3:
            where = self._where(("panel",), {})
            raise SettingsError(
                "settings_pins_clash",
                where=where,
                pins=f"{panel.button}, {panel.lamp}, {panel.piezo}",
            )

    def _check_programs(self, programs: Mapping[str, str], given: Mapping[str, object]) -> None:
        for name, command in programs.items():
            if not PROGRAM_NAME.fullmatch(name) or not _is_command(command):
                raise SettingsError(
                    "settings_program", where=self._where(("bot_program", name), given), name=name
                )

    def _check_address(
        self,
        part: CameraSettings | ClubSettings,
        code: str,
        key: tuple[str, str],
        given: Mapping[str, object],
    ) -> None:
        # The address may hold a password: the sentence has its place, never its value.
        try:
            part.address()
        except ValueError as wrong:
            raise SettingsError(code, where=self._where(key, given)) from wrong

    def _where(self, key: tuple[str, ...], given: Mapping[str, object]) -> str:
        if key and key[0] in given:
            return f"--{OPTIONS.get(key[0], key[0]).replace('_', '-')}"
        line = line_of(self.text, key)
        return str(self.path) if line is None else f"{self.path}:{line}"


def _is_command(command: str) -> bool:
    """Return whether a shell could split the text into a program and its arguments."""
    try:
        return bool(shlex.split(command))
    except ValueError:
        return False


def merge_tables(values: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return values overridden by others, table by table."""
    found = {**values, **given}
    for key, value in given.items():
        if isinstance(value, Mapping) and isinstance(values.get(key), Mapping):
            found[key] = merge_tables(values[key], value)
    return found


def line_of(text: str, key: tuple[str, ...]) -> int | None:
    """Return the line, counted from 1, in which a TOML text sets `key` or begins its table."""
    section: tuple[str, ...] = ()
    for number, line in enumerate(text.splitlines(), 1):
        if header := re.match(r"\s*\[+([^]]+)]", line):
            section = _dotted(header[1])
            if section and section == key:
                return number
        elif "=" in line:
            name = section + _dotted(line.partition("=")[0])
            if name == key[: len(name)]:
                return number
    return None


def _dotted(text: str) -> tuple[str, ...]:
    return tuple(part.strip().strip("\"'") for part in text.split("."))


def _fields(kind: Any) -> dict[str, Any]:
    return {field.name: field.type for field in msgspec.structs.fields(kind)}


def _kind(key: tuple[str, ...]) -> Any:
    kind: Any = Settings
    for name in key:
        kind = _fields(kind)[name]
    return kind


def _unknown(
    kind: Any, values: Mapping[str, Any], above: tuple[str, ...] = ()
) -> Iterator[tuple[str, ...]]:
    fields = _fields(kind)
    for name, value in values.items():
        if name not in fields:
            yield (*above, name)
        elif (
            isinstance(value, dict)
            and isinstance(fields[name], type)
            and issubclass(fields[name], Struct)
        ):
            yield from _unknown(fields[name], value, (*above, name))
