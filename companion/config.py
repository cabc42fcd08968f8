"""Load settings: table.toml, the environment and the command line give one frozen value.

An unknown key is an error that names the file, the line and the nearest known key: a setting that
is silently ignored is worse than none.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import unquote, urlsplit

import msgspec
from msgspec import Meta, Struct, inspect
from msgspec.structs import replace

from companion.core.content import Path as Place
from companion.core.content import field_name
from companion.core.game import GameError
from companion.core.shape import SECRET, shape_errors, unfit_values
from companion.core.text import shorten
from companion.core.toml import TomlLines, TomlRefused, parse_toml
from companion.platforms import ON_WINDOWS

Language = Literal["en", "ja", "nl"]
NightFloor = Literal[0, 12, 20]
Pin = Annotated[int, Meta(ge=2, le=27)]
"""A GPIO pin in Broadcom (BCM) numbering; 0 and 1 belong to the identity chip of a HAT."""


EVERY_ADDRESS = "0.0.0.0"
"""The host of a server that listens on all IPv4 addresses of the machine."""
OWN_WIFI = "wifi.toml"
"""The file beside table.toml with the machine's own Wi-Fi; `companion install` writes it."""
BUILT_IN_BOTS = ("random", "greedy", "heuristic", "search", "deep", "auto")
"""Names that no external bot may have: those of the levels, and of even odds."""
PROGRAM_NAME = re.compile(f"(?!({'|'.join(BUILT_IN_BOTS)})$)[a-z]{{1,16}}")
"""The allowed names of external bots."""


class SettingsError(GameError, ValueError):
    """Error raised when table.toml or an option of the command line cannot be used.

    place: the text before the message: file, line and field, or the option
    """

    code = "invalid_settings"

    def __init__(self, place: str, reason: str, **params: str | int) -> None:
        super().__init__(reason, **params)
        self.place = place


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
    def without_secrets(self) -> str:
        """The address without its path, which may be secret, and without the login."""
        return f"http{'s' if self.secure else ''}://{self.host}:{self.port}"

    def __repr__(self) -> str:
        return f"CameraAddress({self.without_secrets!r})"


class CameraSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """A camera over the table that reads printed tiles and pawns with printed caps."""

    source: Annotated[str, Meta(extra=SECRET)] = ""
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
        """Return the source's address, None for another source; raise ValueError if unreadable."""
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
        return self.source if address is None else address.without_secrets


class WifiSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """The Wi-Fi for phones, the home's or the Pi's own; the display shows its code."""

    name: Annotated[str, Meta(max_length=32)] = ""
    password: Annotated[
        str, Meta(pattern="^(.{8,63})?$", extra=SECRET | {"form": "settings_wifi_password"})
    ] = ""
    """WPA's 8 to 63 characters, "" for an open one."""
    address: Annotated[
        str,
        Meta(pattern=r"^([0-9]{1,3}(\.[0-9]{1,3}){3})?$", extra={"form": "settings_wifi_address"}),
    ] = ""
    """The machine's address in its own Wi-Fi, which is shown only while it has this address."""


class PanelSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """The box with a button, a lamp and a piezo.

    pins: the driver
    button, lamp, piezo: the wiring
    """

    pins: Literal["none", "gpio"] = "none"
    button: Pin = 17
    lamp: Pin = 27
    piezo: Pin = 18
    hold: Annotated[float, Meta(ge=0.5, le=5)] = 1.5
    """Seconds to hold the button for an undo."""


Topic = Annotated[
    str,
    Meta(
        pattern="^([A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*)?$",
        max_length=64,
        extra={"form": "settings_topic"},
    ),
]
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

    broker: Annotated[str, Meta(extra=SECRET)] = ""
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
        """Return the settings' broker, None without one; raise ValueError for a bad address."""
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
    """A hand scanner for tiles: a device or an address such as socket://; "" for none."""
    language: Language = "en"
    recovery: Literal["pin", "words"] = "pin"
    """What moves a seat to a new phone: four digits, or three words that no friend can guess."""
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
    camera: Annotated[CameraSettings, Meta(extra=SECRET)] = CameraSettings()
    wifi: Annotated[WifiSettings, Meta(extra=SECRET)] = WifiSettings()
    club: Annotated[ClubSettings, Meta(extra=SECRET)] = ClubSettings()

    @property
    def folder(self) -> Path:
        """The data folder, the only place with games and secrets."""
        return Path(self.data)


SHAPE = inspect.type_info(Settings)


def load(
    path: Path | None = None,
    overrides: Mapping[str, object] | None = None,
    environment: Mapping[str, str] = os.environ,
) -> Settings:
    """Return the settings of the file at `path`; values of `overrides` replace them, except None.

    Tables are merged key by key. Without `path`, read the default table.toml if it exists, and the
    Wi-Fi of `companion install` if table.toml names none. Raises `SettingsError`.
    """
    options = {key: value for key, value in (overrides or {}).items() if value is not None}
    default_file = _file(environment)
    source = _File.read(path if path is not None else default_file, must_exist=path is not None)
    settings = source.convert(options)
    if path is None and "wifi" not in source.values:
        settings = replace(settings, wifi=own_wifi(default_file.with_name(OWN_WIFI)))
    folder = settings.data or str(data_folder(environment))
    return replace(settings, data=os.path.expanduser(folder))


def own_wifi(path: Path) -> WifiSettings:
    """Return the Wi-Fi of a file, without a name if the file is missing; raise `SettingsError`."""
    return _File.read(path, must_exist=False).convert({}).wifi


def data_folder(environment: Mapping[str, str]) -> Path:
    """Return the default data folder: systemd's, else the account's own of Windows or XDG."""
    if state := environment.get("STATE_DIRECTORY"):
        return Path(state.split(":")[0])
    if ON_WINDOWS:
        return _windows_folder(environment)
    return (
        Path(environment.get("XDG_STATE_HOME") or _home(environment) / ".local/state") / "companion"
    )


def _file(environment: Mapping[str, str]) -> Path:
    if folder := environment.get("CONFIGURATION_DIRECTORY"):
        return Path(folder.split(":")[0]) / "table.toml"
    if ON_WINDOWS:
        return _windows_folder(environment) / "table.toml"
    return (
        Path(environment.get("XDG_CONFIG_HOME") or _home(environment) / ".config")
        / "companion/table.toml"
    )


def _windows_folder(environment: Mapping[str, str]) -> Path:
    local = environment.get("LOCALAPPDATA") or Path.home() / "AppData/Local"
    return Path(local) / "Table Companion"


def _home(environment: Mapping[str, str]) -> Path:
    return Path(environment.get("HOME") or Path.home())


OPTIONS = {"club": "broker"}
"""Keys of table.toml whose option on the command line has another name."""


class _File(Struct, frozen=True):
    """The values of a settings file and their lines."""

    path: Path
    values: dict[str, Any] = {}
    lines: TomlLines = TomlLines([])

    @classmethod
    def read(cls, path: Path, must_exist: bool) -> _File:
        try:
            return cls(path, *parse_toml(path.read_bytes()))
        except FileNotFoundError as missing:
            if must_exist:
                raise SettingsError(f"{path}: ", "settings_missing") from missing
            return cls(path)
        except OSError as wrong:
            why = wrong.strerror or str(wrong)
            raise SettingsError(f"{path}: ", "content.unreadable", why=why) from wrong
        except TomlRefused as wrong:
            place = str(path) if wrong.line is None else f"{path}:{wrong.line}"
            raise SettingsError(f"{place}: ", wrong.message.code, **wrong.message.params) from wrong

    def convert(self, options: Mapping[str, object]) -> Settings:
        """Return the file's settings, overridden by the command line; raise `SettingsError`."""
        values = merge_tables(self.values, options)
        errors = [*unfit_values(values)] or [*shape_errors(SHAPE, values)]
        if errors:
            first = min(errors, key=lambda error: self.lines.line_of(error.path))
            raise self._refused(first.path, options, first.code, **first.params)
        settings = msgspec.convert(values, Settings)
        if ":" in settings.host:
            raise self._refused(("host",), options, "settings_ipv6")
        self._check_wiring(settings.panel)
        self._check_address(settings.camera, "settings_camera", ("camera", "source"), options)
        self._check_programs(settings.bot_program, options)
        self._check_address(settings.club, "settings_broker", ("club", "broker"), options)
        return settings

    def _check_wiring(self, panel: PanelSettings) -> None:
        pins = (panel.button, panel.lamp, panel.piezo)
        if len({*pins}) < len(pins):
            listed = ", ".join(map(str, pins))
            raise self._refused(("panel",), {}, "settings_pins_clash", pins=listed)

    def _check_programs(self, programs: Mapping[str, str], options: Mapping[str, object]) -> None:
        for name, command in programs.items():
            if not PROGRAM_NAME.fullmatch(name) or not _is_command(command):
                path = ("bot_program", name)
                raise self._refused(path, options, "settings_program", name=shorten(name))

    def _check_address(
        self,
        part: CameraSettings | ClubSettings,
        code: str,
        path: tuple[str, str],
        options: Mapping[str, object],
    ) -> None:
        # The address may hold a password: the sentence has its place, never its value.
        try:
            part.address()
        except ValueError as wrong:
            raise self._refused(path, options, code) from wrong

    def _refused(
        self, path: Place, options: Mapping[str, object], code: str, **params: str | int
    ) -> SettingsError:
        """Return the error of a value of the command line, or of the file by line and field."""
        if path and path[0] in options:
            option = OPTIONS.get(str(path[0]), str(path[0])).replace("_", "-")
            return SettingsError(f"--{option}: ", code, **params)
        line = self.lines.line_of(path)
        return SettingsError(f"{self.path}:{line}: {field_name(path)}: ", code, **params)


def _is_command(command: str) -> bool:
    """Return whether a shell could split the text into a program and its arguments."""
    try:
        return bool(shlex.split(command))
    except ValueError:
        return False


def merge_tables(values: Mapping[str, Any], overrides: Mapping[str, Any]) -> dict[str, Any]:
    """Return values overridden by others, table by table."""
    merged = {**values, **overrides}
    for key, value in overrides.items():
        if isinstance(value, Mapping) and isinstance(values.get(key), Mapping):
            merged[key] = merge_tables(values[key], value)
    return merged
