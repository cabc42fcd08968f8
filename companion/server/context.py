"""Share the table, access control and streams between the routes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, cast

from flask import current_app, request
from msgspec import Struct, to_builtins

from companion.bots.hints import HintCache
from companion.clock import Clock
from companion.config import WifiSettings
from companion.content.user_content import UserContent
from companion.core.codec import encode_action
from companion.core.game import Message
from companion.locks import LockRank, make_lock
from companion.sensors.maintenance import BoardMaintenance
from companion.sensors.reader import BoardReader
from companion.sensors.vision.frames.phone_source import PhoneSource
from companion.sensors.vision.photo_client import PhotoDecoder
from companion.server.auth.access import AccessControl
from companion.server.auth.codes import Recovery, key_text
from companion.server.auth.join import Invitation, JoinOption, join_options
from companion.server.auth.tickets import Tickets
from companion.server.http.addresses import OwnNames, TableAddresses
from companion.server.http.limits import StreamLimits, StreamSlots
from companion.server.result_cache import ResultCache
from companion.server.rpc.channel import Channel, DecryptedRequest, DecryptError
from companion.server.rpc.replies import AnsweredRequests, FixedDelayExecutor
from companion.server.sse import HEARTBEAT_SECONDS, UpdateEncoder
from companion.table.table import Table

BuildReplay = Callable[[str, dict[str, str]], dict[str, Any]]
"""Returns the replay of a finished game from its record and the people's names by seat."""


PrintKitPdf = Callable[[str, str, str, str, bool], bytes]
"""Returns a game's kit as a PDF, by game, paper, language, the address on its joining card, and
whether it is read by touch; raises KeyError for a kit that is not there.
"""


class Services(Struct, frozen=True):
    """The parts of the companion that the routes and requests use.

    entropy: the cryptographic one
    maintenance: registers tags and chooses boards
    frames: receives the pictures of a camera phone
    boards: stores typed boards
    """

    table: Table
    reader: BoardReader
    clock: Clock
    entropy: Callable[[int], bytes]
    maintenance: BoardMaintenance
    frames: PhoneSource
    boards: UserContent
    print_kit: PrintKitPdf
    build_replay: BuildReplay


class CameraPhone(NamedTuple):
    """The camera phone's frames, and the tickets for them."""

    frames: PhoneSource
    tickets: Tickets


class ServerSettings(Struct, frozen=True):
    """The place of the server's keys, and the addresses for browsers."""

    folder: Path
    addresses: TableAddresses = TableAddresses()
    names: OwnNames = OwnNames()
    """The names under which the pages may be opened."""
    limits: StreamLimits = StreamLimits()
    release: float = 0.1
    """Seconds after which every private answer is sent; 0 in simulated time."""
    recovery: Recovery = "pin"
    """The secret that moves a seat to a new phone."""
    fingerprint: str = ""
    """The fingerprint of the certificate, "" without https."""
    wifi: WifiSettings = WifiSettings()
    broker_problem: Callable[[], Message | None] = lambda: None
    """Returns why the club's broker does not serve the table, None if it does or there is none."""
    demo: Callable[[], str | None] | None = None
    """Returns the address of the virtual board's page; None without the split page."""


class ServerContext:
    """The shared state of one table's routes. Made once by `create_app`."""

    def __init__(self, services: Services, settings: ServerSettings) -> None:
        table, clock, entropy = services.table, services.clock, services.entropy
        self.table = table
        self.reader = services.reader
        self.maintenance = services.maintenance
        self.boards = services.boards
        self.clock = clock
        self.entropy = entropy
        self.access = AccessControl(settings.folder, table, clock, entropy, settings.recovery)
        self.admission = Channel(entropy(32), entropy)
        """For phones that have only the letters of the join code; it accepts no other request."""
        self._channels_lock = make_lock(LockRank.CHANNELS)
        self._known_channels: tuple[tuple[bytes, ...], tuple[Channel, ...]] = ((), ())
        self.tickets = Tickets(entropy, clock.monotonic)
        # Anybody with a seat gets a photo's ticket, only the camera phone a frame's.
        self.camera = CameraPhone(services.frames, Tickets(entropy, clock.monotonic))
        self.photo_decoder = PhotoDecoder()
        self.answered = AnsweredRequests()
        self.executor = FixedDelayExecutor(settings.release)
        self.stream_slots = StreamSlots(settings.limits, self.access.is_known)
        self.encoder = UpdateEncoder()
        self.names = settings.names
        self._settings = settings
        self._record = (-1, "")
        self._build_replay = services.build_replay
        self._hints = HintCache(table.state.games)
        self._odds = ResultCache[dict[str, Any]](LockRank.ODDS)
        self._suggestion = ResultCache[dict[str, Any]](LockRank.SUGGESTION)
        self._replays = ResultCache[dict[str, Any]](LockRank.REPLAY)
        self._print_kit = services.print_kit
        self._kits = ResultCache[bytes](LockRank.PRINT_KIT)
        self._last_addresses = self._present_addresses()
        self._schedule_heartbeat(clock.monotonic() + HEARTBEAT_SECONDS)

    @property
    def channel(self) -> Channel:
        """The private channel by the table's present key."""
        return self._channels()[0]

    def open(self, message: bytes) -> tuple[Channel, DecryptedRequest]:
        """Return a decrypted request and its channel, by either key; raise `DecryptError`."""
        for channel in self._channels():
            try:
                opened = channel.open(message)
            except DecryptError:
                continue
            if channel is self.channel:
                self.access.acknowledge_key(opened.key)
            return channel, opened
        raise DecryptError

    def next_key(self, channel: Channel) -> dict[str, str]:
        """Return the table's present key, which every reply by an old channel carries."""
        now = self.channel
        return {} if channel is now else {"next": key_text(now.public_key)}

    def _channels(self) -> tuple[Channel, ...]:
        # Two requests with a new key at the same time must get the same channel: a stream ends when
        # its channel is not the present one.
        with self._channels_lock:
            secrets = self.access.secrets
            known, channels = self._known_channels
            if known != secrets:
                by_secret = dict(zip(known, channels, strict=True))
                channels = tuple(
                    by_secret.get(secret) or Channel(secret, self.entropy, self.access.is_known)
                    for secret in secrets
                )
                self._known_channels = secrets, channels
            return channels

    def record(self) -> str:
        """Return the record of the game that has just ended; raise `Refused` before its end."""
        snapshot = self.table.snapshot()
        ended = snapshot["position"] if snapshot["phase"] == "over" else -1
        if self._record[0] != ended or ended < 0:
            self._record = (ended, "".join(f"{line}\n" for line in self.table.record()))
        return self._record[1]

    def replay(self) -> dict[str, Any]:
        """Return the replay of the game that has just ended; raise `Refused` before its end, and
        `Computing`.
        """
        record, seats = self.record(), self.table.snapshot()["seats"]
        names = {one["seat"]: one["name"] for one in seats if one["name"]}
        return self._replays.get(
            self._record[0], "replay", lambda: self._build_replay(record, names)
        )

    def odds(self) -> dict[str, Any]:
        """Return the odds from public events; raise `Refused` without hints, and `Computing`."""
        game, position, events = self.table.public_history()
        return self._odds.get(
            position,
            "odds",
            lambda: {"position": position, "odds": self._hints.odds(game, events)},
        )

    def suggestion(self) -> dict[str, Any]:
        """Return the suggestion from public events; raise `Refused` without hints, and `Computing`.

        The caller's thread computes it, without a lock of the table.
        """
        game, position, events = self.table.public_history()

        def compute() -> dict[str, Any]:
            best = self._hints.suggest(game, events)
            value = best and {"action": encode_action(best.action), "reason": best.reason}
            return {"position": position, "suggestion": value}

        return self._suggestion.get(position, "suggestion", compute)

    def print_kit(self, game: str, paper: str, language: str, is_tactile: bool) -> bytes:
        """Return a game's kit with the present address as a PDF, of about 150 kB.

        Raises KeyError for a kit that is not there, and `Computing` while another thread prints.
        """
        address, kit = self.invitation(inside=False).address, (game, paper, language)
        return self._kits.get(
            address, (*kit, is_tactile), lambda: self._print_kit(*kit, address, is_tactile)
        )

    def diagnostics(self) -> dict[str, Any]:
        """Return the state of the sensors and of the club's broker."""
        problem = self._settings.broker_problem()
        return self.reader.diagnostics() | {
            "maintenance": self.maintenance.to_json(),
            "broker": problem and to_builtins(problem),
        }

    def address(self) -> str:
        """Return the client address of the present request."""
        return request.remote_addr or ""

    def join_options(self) -> list[JoinOption]:
        """Return every join option, for seats and displays."""
        addresses, wifi = self._present_addresses(), self._settings.wifi
        # The machine's own Wi-Fi is there only while the machine has its address.
        there = wifi if wifi.address in ("", *addresses) else WifiSettings()
        invitations = [self._make_invitation(each, inside=True) for each in addresses]
        return join_options(there, invitations or [self._make_invitation(None, inside=True)])

    def invitation(self, *, inside: bool) -> Invitation:
        """Return the invitation.

        inside: add the table's key, which a new phone of a player needs, and, until the game
        starts, the code for a free seat.
        """
        return self._make_invitation(next(iter(self._present_addresses()), None), inside=inside)

    def _make_invitation(self, address: str | None, *, inside: bool) -> Invitation:
        return Invitation(
            self._settings.addresses.page("join", address),
            key_text(self.channel.public_key) if inside else None,
            self.access.join_code if inside else None,
            self._settings.fingerprint,
        )

    def _schedule_heartbeat(self, when: float) -> None:
        def send_heartbeat() -> None:
            self._schedule_heartbeat(when + HEARTBEAT_SECONDS)
            self.stream_slots.heartbeat()
            self._check_network()

        self.clock.call_at(when, send_heartbeat)

    def _check_network(self) -> None:
        """Refresh the displayed join code after the machine's addresses changed.

        After power-on the network comes later than the table, and a Wi-Fi may be lost.
        """
        try:
            addresses = self._present_addresses()
        except OSError:
            # No descriptor is free for the query: the next beat tries again.
            return
        if addresses != self._last_addresses:
            self._last_addresses = addresses
            self.table.journal.show_new_join_code()

    def _present_addresses(self) -> list[str]:
        """Return the addresses for phones, which may change, the machine's own Wi-Fi's first."""
        return sorted(
            self._settings.addresses.for_phones(),
            key=lambda address: address != self._settings.wifi.address,
        )


def server_context() -> ServerContext:
    """Return the context of the application that answers the present request."""
    return cast(ServerContext, current_app.extensions["companion"])
