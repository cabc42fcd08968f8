"""Build a running table from settings, and wire its parts."""

from __future__ import annotations

import importlib.util
import secrets
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from pathlib import Path
from random import Random, SystemRandom
from threading import Event, Thread

import msgspec
from flask import Flask

from companion.bots.external_pool import ExternalBotPool
from companion.bots.runner import BotRunner, bot_levels
from companion.clock import Clock, SystemClock, real_monotonic
from companion.config import Broker, Settings
from companion.content.loader import add_content
from companion.content.user_content import UserContent
from companion.core.game import Action, Seat
from companion.games import GAMES, find_game
from companion.i18n import Catalog, read_printed
from companion.mqtt.broker_status import BrokerStatus
from companion.panel.cell_lamps import CellLamps, show_lamps
from companion.panel.panel import Panel, run_panel
from companion.panel.pins import open_pins
from companion.replay.build import replay_json
from companion.server.app import ServerSettings, Services, create_app
from companion.server.auth.codes import Entropy
from companion.server.context import ServerContext
from companion.server.http.addresses import OwnNames, TableAddresses
from companion.server.http.certificate import Certificate
from companion.server.http.limits import StreamLimits, cap_streams
from companion.server.http.network import host_name, own_addresses
from companion.sources import DEVICE_FOLDER, SensorSources
from companion.table.broadcast import Subscription, follow
from companion.table.settings import TableSettings
from companion.table.storage.log import Log
from companion.table.storage.rotation import AutoBackup
from companion.table.table import Table

PUBLISHER_TIMEOUT = 6.0
"""Seconds to wait at the end for the publisher, which may wait for a broker."""


class Application:
    """One table with its devices and publishers.

    `start` begins to listen to boards and buttons; `close` ends it.

    devices: the folder in which boards are looked for
    demo: serve the split page, which shows other pages of the same origin
    `lost`: the number of the log's entries that are lost to damage, as `Log.lost`
    `mqtt_missing`: whether a broker is configured and the package for it is not installed

    Raises `AlreadyRunning`, `NewerSchema` and `StorageFailed` (data folder), `PanelUnavailable`
    (pins), `ContentRefused` (a content file).
    """

    def __init__(
        self,
        settings: Settings,
        clock: Clock | None = None,
        entropy: Entropy = secrets.token_bytes,
        rng: Random | None = None,
        limits: StreamLimits | None = None,
        release: float = 0.1,
        devices: Path = DEVICE_FOLDER,
        demo: bool = False,
    ) -> None:
        clock = clock or SystemClock()
        self.settings = settings
        self.addresses = TableAddresses.of(settings)
        self.clock = clock
        self._entropy = entropy
        self._closing = Event()
        self._threads: list[Thread] = []
        self._publisher: Thread | None = None
        self.broker = BrokerStatus(settings.club.address())
        self.mqtt_missing = bool(settings.club.broker) and importlib.util.find_spec("paho") is None
        games = add_content(GAMES, [Path(path).expanduser() for path in settings.content])
        boards = UserContent(settings.folder, games)
        log = Log(settings.folder, reserve=True)
        self.lost = log.lost
        self._programs = ExternalBotPool(settings.bot_program, real_monotonic)
        self.table = Table(
            games,
            log,
            clock,
            entropy,
            rng or SystemRandom(),
            msgspec.convert(settings, TableSettings, from_attributes=True),
            custom_boards=boards.load(),
            bot_levels=bot_levels(games, self._programs.names),
        )
        self._copies = ThreadPoolExecutor(1, thread_name_prefix="copies")
        self.table.on_publish(
            AutoBackup(self.table.snapshot, log.copy, clock, self._copies).start_copy_if_due
        )
        self.sources = SensorSources(
            settings,
            self.table,
            self._play,
            clock,
            devices,
            self.addresses.local if demo else "'none'",
            entropy(4).hex() if settings.scanner else "",
        )
        self.reader = self.sources.reader
        self.table.connect_board(self.reader.next_status, self.reader.blocking_reason)
        self.panel = self._open_panel()
        # The answer of a program before an undo is still awaited while the next one computes.
        self._bots = ThreadPoolExecutor(5 if settings.bot_program else 1, thread_name_prefix="bots")
        self.bot_seats = BotRunner(
            self.table, clock, entropy, self._bots, self.sources.hands_move_pawns, self._programs
        )
        self.certificate = load_certificate(settings) if settings.tls else None
        self.app: Flask = create_app(
            Services(
                table=self.table,
                reader=self.reader,
                clock=clock,
                entropy=entropy,
                maintenance=self.sources.maintenance,
                frames=self.sources.frames,
                boards=boards,
                print_kit=printed_kit,
                build_replay=replay_json,
            ),
            self._server_settings(
                limits or cap_streams(StreamLimits(), tls=settings.tls), release, demo
            ),
        )

    def start(self) -> None:
        """Start the threads of the board, the button, the scanner, the camera and the broker."""
        self.reader.game_changed()
        self._thread("record", self._watch_record)
        if self.settings.panel.pins != "none":
            self._thread(
                "panel",
                lambda: run_panel(self.panel, self._subscribe, self._closing.is_set),
            )
        self.sources.start()
        if self.settings.board != "none":
            self._thread("cell-lamps", self._light_cells)
        self.start_publisher()

    def start_publisher(self) -> None:
        """Start the broker's publisher, if there is a broker."""
        if (broker := self.settings.club.address()) and not self.mqtt_missing:
            self._publisher = Thread(
                target=self._publish_to_broker, args=(broker,), name="club", daemon=True
            )
            self._publisher.start()

    def close(self) -> None:
        """End all threads and release the data folder."""
        self._closing.set()
        self.sources.close()
        for thread in self._threads:
            thread.join()
        if self._publisher is not None:
            self._publisher.join(PUBLISHER_TIMEOUT)
        if self.sources.sim is not None:
            self.sources.sim.close()
        context: ServerContext = self.app.extensions["companion"]
        context.executor.close()
        context.photo_decoder.close()
        # Actions that the clock still starts may need a bot's computation.
        if isinstance(self.clock, SystemClock):
            self.clock.close()
        self._programs.close()
        self._bots.shutdown(cancel_futures=True)
        self._copies.shutdown(cancel_futures=True)
        self.table.close()

    def _open_panel(self) -> Panel:
        settings = self.settings.panel
        return Panel(
            open_pins(settings),
            lambda seat, actions: self._play(seat, self.table.decode(actions)),
            self.table.votes.undo,
            self.clock.monotonic,
            hold=settings.hold,
        )

    def _server_settings(self, limits: StreamLimits, release: float, demo: bool) -> ServerSettings:
        settings = self.settings
        return ServerSettings(
            settings.folder,
            self.addresses,
            OwnNames(settings.hosts),
            limits=limits,
            release=release,
            recovery=settings.recovery,
            demo=self.sources.simulated_page if demo else None,
            fingerprint=self.certificate.fingerprint if self.certificate else "",
            wifi=settings.wifi,
            broker_problem=lambda: self.broker.problem,
        )

    def _play(self, seat: Seat, actions: list[Action]) -> bool:
        """Play actions; return whether the reader's next status was published with them."""
        self.table.submit(seat, actions, id=self._entropy(16).hex())
        return bool(self.table.snapshot()["board"] == self.reader.next_status())

    def _subscribe(self) -> Subscription:
        """Return a subscription for a thread of the table's own."""
        return self.table.journal.subscribe(is_behind=True)

    def _watch_record(self) -> None:
        """Make the reader compare again after each public event."""
        for update in follow(self._subscribe, self._closing.is_set):
            if update is not None and update.events:
                self.reader.game_changed()

    def _light_cells(self) -> None:
        lamps = CellLamps(lambda game: find_game(game).lamps)
        updates = follow(self._subscribe, self._closing.is_set)
        show_lamps(lamps, updates, self.sources.show_lamps)

    def _publish_to_broker(self, broker: Broker) -> None:
        # It needs the extra `club`, which a table without a club may lack.
        from companion.mqtt.client import MqttClient
        from companion.mqtt.publisher import (
            Publisher,
            PublisherLoop,
            read_table_id,
            run_publisher,
        )
        from companion.mqtt.status import TableIdentity

        club, folder = self.settings.club, self.settings.folder
        identity = TableIdentity(
            read_table_id(folder, self._entropy), club.name or host_name(), club.names
        )
        publisher = Publisher(
            club,
            identity,
            cache(partial(Catalog.load, self.settings.language)),
            self.table.reference,
            lambda game: find_game(game).status_words,
        )
        line = MqttClient(
            broker,
            f"companion-{identity.id}",
            real_monotonic,
            will=publisher.topics.availability_message("lost"),
        )
        run_publisher(
            PublisherLoop(publisher, line, self._subscribe, self.broker.set),
            self._closing.is_set,
        )

    def _thread(self, name: str, work: Callable[[], None]) -> None:
        thread = Thread(target=work, name=name, daemon=True)
        self._threads.append(thread)
        thread.start()


def load_certificate(settings: Settings) -> Certificate:
    """Return the data folder's certificate, made for the machine's names if there is none yet."""
    return Certificate(settings.folder, OwnNames(settings.hosts).certified(own_addresses()))


def printed_kit(
    game: str, paper: str, language: str, address: str, is_tactile: bool = False
) -> bytes:
    """Return a game's print kit as a PDF with the joining page's address.

    Omits an address that no phone can reach, and leaves room to write one. Raises KeyError for an
    unknown game, paper or language.
    """
    kits = {each.name: each.print_kit for each in GAMES if each.print_kit is not None}
    reachable = address if "://127." not in address else None
    return kits[game].draw(paper, language, read_printed(game), reachable, is_tactile)
