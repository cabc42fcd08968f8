"""Build a running table from settings, and wire its parts."""

from __future__ import annotations

import importlib.util
import secrets
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from random import Random, SystemRandom
from tempfile import TemporaryDirectory
from threading import Event, Thread

from flask import Flask

from companion.bots.external_pool import ExternalBotPool
from companion.bots.hints import HintCache
from companion.bots.runner import BotRunner
from companion.clock import Clock, SystemClock, real_monotonic
from companion.config import Broker, Settings
from companion.content.loader import add_content
from companion.content.user_content import UserContent
from companion.core.game import Action, Message, Seat
from companion.core.placement import Cell, Placement, Tile
from companion.games import GAMES, find_game
from companion.i18n import Catalog, read_printed
from companion.mqtt.identity import TableIdentity, read_table_id
from companion.panel.panel import Panel, run_panel
from companion.panel.pins import open_pins
from companion.replay.build import story
from companion.sensors.link import Link, Timing
from companion.sensors.observation import Observation
from companion.sensors.reader import BoardReader
from companion.sensors.rfid.maintenance import BoardMaintenance
from companion.sensors.rfid.registry import TaggedItem, TagRegistry
from companion.sensors.serial.barcode_scanner import BarcodeScanner, ScanHistory
from companion.sensors.serial.board import SerialBoard
from companion.sensors.serial.messages import Uid
from companion.sensors.serial.ports import AUTO, find_ports
from companion.sensors.vision.camera import Camera
from companion.sensors.vision.frame import FrameContext
from companion.sensors.vision.sources import open_frame_source
from companion.server.app import ServerSettings, create_app
from companion.server.auth.codes import Entropy
from companion.server.http.certificate import Certificate
from companion.server.http.limits import StreamLimits, cap_streams
from companion.server.http.network import host_name, own_addresses, trusted_hosts
from companion.sim.autoplay import lay_out
from companion.sim.page import PageServer, PrintedFeatures, listen, no_features
from companion.sim.table_model import World, default_pawns
from companion.sim.terminal import PseudoTerminal
from companion.sim.virtual_board import BOARD_ID, VirtualBoard
from companion.table.settings import TableSettings
from companion.table.storage.log import Log
from companion.table.storage.rotation import AutoBackup
from companion.table.table import Table

DEVICE_FOLDER = Path("/dev")
PUBLISHER_TIMEOUT = 6.0
"""Seconds to wait at the end for the publisher, which may wait for a broker."""
SIMULATED_SCAN_SPEED = 0.3
"""Time of a simulated scan as a share of a real one."""
CLOSE_POLL = 0.5
"""Seconds after which a waiting thread checks whether the table closes."""


class Application:
    """One table with everything around it.

    `start` begins to listen to boards and buttons; `close` ends it.

    `lost` is the number of the log's entries that a damage has cost, as `Log` tells it.
    `mqtt_missing` is whether a broker is wanted and the package for it is not there.
    """

    def __init__(
        self,
        settings: Settings,
        clock: Clock,
        entropy: Entropy,
        rng: Random,
        limits: StreamLimits,
        release: float,
        devices: Path,
        demo: bool,
    ) -> None:
        self.settings = settings
        self.clock = clock
        self.devices = devices
        self.sim: SimulatedTable | None = None
        self.sim_heard = False
        self._scout: SerialBoard | None = None
        self._entropy = entropy
        self._closing = Event()
        self._threads: list[Thread] = []
        self._board: SerialBoard | None = None
        self._scanner: BarcodeScanner | None = None
        self._camera: Camera | None = None
        self._publisher: Thread | None = None
        self.mqtt_missing = bool(settings.club.broker) and importlib.util.find_spec("paho") is None
        self._beeps = ScanHistory(
            entropy(4).hex() if settings.scanner else "",
            Message("scanner.absent", {"port": settings.scanner}),
        )
        self._look_at_tiles: Callable[[], None] = lambda: None
        games = add_content(GAMES, [Path(path).expanduser() for path in settings.content])
        shelf = UserContent(settings.folder, games)
        log = Log(settings.folder, reserve=True)
        self.book = TagRegistry(settings.folder, virtual_tags)
        self.bench = BoardMaintenance(
            self.book, lambda: find_game(self.table.snapshot()["game"]).parts(), clock.wall
        )
        self.lost = log.lost
        self.table = Table(games, log, clock, entropy, rng, table_settings(settings))
        self.table.lobby.custom_boards = shelf.load()
        self._copies = ThreadPoolExecutor(1, thread_name_prefix="copies")
        self.table.on_publish(AutoBackup(self.table.snapshot, log.copy, clock, self._copies).look)
        self.reader = BoardReader(
            self.table.board_view,
            self._play,
            clock,
            rest=settings.settle.rest,
            scans=settings.settle.scans,
        )
        self.table.journal.board_status = self.reader.next_status
        self.reader.on_change = lambda: self.table.journal.show_board(self.reader.status())
        self.reader.on_tiles = self._tiles_seen
        self.reader.view_at_start = self.table.view_at_start
        self.reader.lay = self._lay
        self.table.disclosure_guard = self.reader.holdup
        self.panel = Panel(
            open_pins(settings.panel, clock.monotonic),
            lambda seat, actions: self._play(seat, self.table.decode(actions)),
            self.table.votes.undo,
            clock.monotonic,
            hold=settings.panel.hold,
        )
        self._programs = ExternalBotPool(settings.bot_program, real_monotonic)
        # A program that was overtaken by an undo is still waited for, while the next one thinks.
        self._bots = ThreadPoolExecutor(5 if settings.bot_program else 1, thread_name_prefix="bots")
        self.bot_seats = BotRunner(
            self.table, clock, entropy, self._bots, self._hands_move_pawns, self._programs
        )
        self._framed_by = f"http://127.0.0.1:{settings.port}" if demo else "'none'"
        self.certificate = load_certificate(settings) if settings.tls else None
        server = ServerSettings(
            settings.folder,
            settings.port,
            hosts=settings.hosts,
            limits=limits,
            release=release,
            recovery=settings.recovery,
            demo=self._drawn_board if demo else None,
            fingerprint=self.certificate.fingerprint if self.certificate else "",
            wifi=settings.wifi,
        )
        self.app: Flask = create_app(
            self.table,
            self.reader,
            server,
            entropy,
            clock,
            printed_kit,
            story,
            HintCache().likely,
            shelf,
            self.bench,
        )

    def start(self) -> None:
        """Start the threads of the board, the button, the scanner, the camera and the broker."""
        self.reader.record_changed()
        self._thread("record", self._watch_record)
        if self.settings.panel.pins != "none":
            self._thread(
                "panel",
                lambda: run_panel(self.panel, self.table.journal.subscribe, self._closing.is_set),
            )
        if self.settings.camera.source:
            self._camera = self._open_camera()
        elif self.settings.board != "none":
            self._open_board(self.settings.board)
        if self.settings.scanner:
            self._scanner = BarcodeScanner(
                self.settings.scanner, on_beep=self._beeped, on_said=self._scanner_said
            )
            self._scanner.start()
        self.start_publisher()

    def start_publisher(self) -> None:
        """Start the broker's publisher, if there is a broker."""
        if (broker := self.settings.club.address()) and not self.mqtt_missing:
            self._publisher = Thread(
                target=self._tell_the_club, args=(broker,), name="club", daemon=True
            )
            self._publisher.start()

    def close(self) -> None:
        """End all threads and release the data folder."""
        self._closing.set()
        for device in (self._scout, self._board, self._scanner, self._camera):
            if device is not None:
                device.close()
        for thread in self._threads:
            thread.join()
        if self._publisher is not None:
            self._publisher.join(PUBLISHER_TIMEOUT)
        if self.sim is not None:
            self.sim.close()
        self.app.extensions["companion"].executor.close()
        # What the clock still begins may want a bot to think.
        if isinstance(self.clock, SystemClock):
            self.clock.close()
        self._programs.close()
        self._bots.shutdown(cancel_futures=True)
        self._copies.shutdown(cancel_futures=True)
        self.table.close()

    def simulate(self, page_port: int | None) -> SimulatedTable:
        """Listen to a virtual board instead of a real one; `listen` gives its page the port.

        Raises OSError as `listen`.
        """
        self.sim = SimulatedTable(self.clock, page_port, self._framed_by, self._ground)
        self.sim_heard = True
        return self.sim

    def _ground(self) -> PrintedFeatures:
        """Return what is printed on the tiles of the present game."""
        picture = self.table.snapshot()
        view = picture["view"]
        return no_features() if view is None else find_game(picture["game"]).tiles.printed(view)

    def _drawn_board(self) -> str | None:
        return self.sim.page.url if self.sim else None

    def _open_board(self, address: str) -> None:
        """Listen to the board, or to a simulated one until a real one is plugged in."""
        if self.sim is None:
            self._listen(
                self._serial_board(address, "serial", self.reader.observe, self.reader.linked)
            )
            return
        virtual = str(self.sim.terminal.path)
        self._listen(self._serial_board(virtual, "sim", self.reader.observe, self.reader.linked))
        if address == AUTO:
            self._scout = self._serial_board(AUTO, "serial", self._scouted, self._scout_linked)
            self._scout.start()

    def _open_camera(self) -> Camera:
        chosen = self.settings.camera
        camera = Camera(
            chosen.name,
            open_frame_source(chosen, self.clock.monotonic),
            monotonic=self.clock.monotonic,
            context=lambda: FrameContext(
                self.table.lobby.expected_tiles,
                self.table.snapshot()["phase"] == "lobby",
                chosen.pawn_height,
            ),
            on_observation=self.reader.observe,
            on_link=self.reader.linked,
            patience=chosen.patience,
        )
        self.reader.attach_diagnostics(lambda: camera.diagnosis().to_json())
        camera.start()
        return camera

    def _serial_board(
        self,
        address: str,
        source: str,
        observed: Callable[[Observation], None],
        linked: Callable[[Link], None],
    ) -> SerialBoard:
        return SerialBoard(
            address,
            monotonic=self.clock.monotonic,
            on_observation=observed,
            on_link=linked,
            book=self.book,
            timing=Timing(rest=self.settings.settle.rest),
            source=source,
            devices=self.devices,
            taken=self.settings.scanner,
        )

    def _listen(self, board: SerialBoard) -> None:
        self._board = board
        self._attach(board)
        board.start()

    def _attach(self, board: SerialBoard) -> None:
        """Connect tiles, diagnostics and maintenance to a board."""
        self._look_at_tiles = board.look_at_tiles
        self.reader.attach_diagnostics(lambda: board.diagnosis().to_json())
        self.bench.attach(board)

    def _tiles_seen(self, tiles: Mapping[Cell, Tile]) -> None:
        """Show the tiles, and look again while a field is being laid."""
        if self.table.snapshot()["phase"] == "lobby":
            self.table.journal.show_tiles(tiles)
            self._look_at_tiles()

    def _beeped(self, number: int | None) -> None:
        """Show what the hand scanner read, before a game only; a page that scans tiles takes it."""
        if self.table.snapshot()["phase"] == "lobby":
            self._beeps = self._beeps.beeped(number)
            self.table.journal.show_scanner(self._beeps.show())

    def _scanner_said(self, said: Message) -> None:
        self._beeps = replace(self._beeps, said=said)
        self.table.journal.show_scanner(self._beeps.show())

    def _scout_linked(self, link: Link) -> None:
        """Replace the simulated board by a real one that answers for the first time."""
        if (
            self.sim_heard
            and link.state == "up"
            and self._board is not None
            and self._scout is not None
        ):
            self.sim_heard = False
            self._board.close()
            self._attach(self._scout)
            if self.sim is not None:
                self.sim.terminal.unplug()
        if not self.sim_heard:
            self.reader.linked(link)

    def _scouted(self, observation: Observation) -> None:
        if not self.sim_heard:
            self.reader.observe(observation)

    def _hands_move_pawns(self) -> bool:
        """Return whether a real board with pawns is connected."""
        status = self.reader.status()
        return (
            not self.sim_heard
            and status["link"] == "up"
            and status["source"] not in ("none", "ignored")
        )

    def _play(self, seat: Seat, actions: list[Action]) -> bool:
        """Play actions; return whether the reader's next status was published with them."""
        self.table.submit(seat, actions, id=self._entropy(16).hex())
        return bool(self.table.snapshot()["board"] == self.reader.next_status())

    def _watch_record(self) -> None:
        """Make the reader compare again after each public event."""
        subscription = self.table.journal.subscribe()
        try:
            while not self._closing.is_set():
                update = subscription.get(CLOSE_POLL)
                if update is not None and update.events:
                    self.reader.record_changed()
                elif update is None and subscription.closed:
                    subscription = self.table.journal.subscribe()
        finally:
            subscription.close()

    def _lay(self, placement: Placement) -> bool:
        """Set the simulated board to a placement; return False if none with that field is used."""
        sim = self.sim
        if (
            sim is None
            or not self.sim_heard
            or not placement.field <= frozenset(sim.world.geometry.cells)
        ):
            return False
        sim.terminal.do(lambda board, now: lay_out(sim.world, placement))
        if self._board is not None:
            self._board.look_again()
        return True

    def _tell_the_club(self, broker: Broker) -> None:
        # It needs the extra `club`, which a table without a club need not have.
        from companion.mqtt.client import MqttClient
        from companion.mqtt.publisher import Publisher, PublisherLoop, run_publisher

        club, folder = self.settings.club, self.settings.folder
        sign = TableIdentity(
            read_table_id(folder, self._entropy), club.name or host_name(), club.names
        )
        publisher = Publisher(
            club,
            sign,
            cache(partial(Catalog.load, self.settings.language)),
            self.table.reference,
            lambda game: find_game(game).status_words,
        )
        line = MqttClient(
            broker, f"companion-{sign.id}", real_monotonic, will=publisher.topics.is_now("lost")
        )
        run_publisher(
            PublisherLoop(publisher, line, self.table.journal.subscribe), self._closing.is_set
        )

    def _thread(self, name: str, work: Callable[[], None]) -> None:
        thread = Thread(target=work, name=name, daemon=True)
        self._threads.append(thread)
        thread.start()


class SimulatedTable:
    """A simulated identity board on a pseudo-terminal, with its page."""

    def __init__(
        self,
        clock: Clock,
        page_port: int | None,
        framed_by: str,
        ground: Callable[[], PrintedFeatures],
    ) -> None:
        listening = listen(page_port)
        self._folder = TemporaryDirectory(prefix="virtual-board-")
        self.world = World(default_pawns(humans=3, each=8))
        self.terminal = PseudoTerminal(
            VirtualBoard("identity", self.world, pace=SIMULATED_SCAN_SPEED),
            clock.monotonic,
            Path(self._folder.name) / "board",
        )
        self.page = PageServer(self.terminal, listening, framed_by, ground)
        self.terminal.start()

    def close(self) -> None:
        """Stop the page and the terminal."""
        self.page.close()
        self.terminal.close()
        self._folder.cleanup()


def build_application(
    settings: Settings,
    clock: Clock | None = None,
    entropy: Entropy = secrets.token_bytes,
    rng: Random | None = None,
    limits: StreamLimits | None = None,
    release: float = 0.1,
    devices: Path = DEVICE_FOLDER,
    demo: bool = False,
) -> Application:
    """Return the application of the settings, not yet started.

    devices: the folder in which boards are looked for
    demo: serve the split page, which shows other pages of the same origin
    Raises `AlreadyRunning`, `NewerSchema` and `StorageFailed` (data folder), `PanelUnavailable`
    (pins), `ContentRefused` (a content file).
    """
    return Application(
        settings,
        clock or SystemClock(),
        entropy,
        rng or SystemRandom(),
        limits or cap_streams(StreamLimits(), tls=settings.tls),
        release,
        devices,
        demo,
    )


def load_certificate(settings: Settings) -> Certificate:
    """Return the data folder's certificate, made for the machine's names if there is none yet."""
    return Certificate(settings.folder, trusted_hosts(own_addresses(), host_name(), settings.hosts))


def printed_kit(game: str, paper: str, language: str, address: str) -> bytes:
    """Return a game's print kit as a PDF with the joining page's address.

    An address that no phone can reach is left out, with room to write. Raises KeyError for an
    unknown game, paper or language.
    """
    kits = {each.name: each.print_kit for each in GAMES if each.print_kit is not None}
    reachable = "://127." not in address
    return kits[game].draw(paper, language, read_printed(game), address if reachable else None)


def virtual_tags(board: str) -> dict[Uid, TaggedItem]:
    """Return the known tags of a board: those of the simulated one, {} for another."""
    return World(default_pawns(humans=3, each=8)).registry() if board == BOARD_ID.hex() else {}


def board_is_plugged(settings: Settings) -> bool:
    """Return whether there is a device on which a real board could answer."""
    return bool(find_ports(AUTO, DEVICE_FOLDER, settings.scanner))


def table_settings(settings: Settings) -> TableSettings:
    """Return the settings that may change while the table runs."""
    return TableSettings(
        night_floor=settings.night_floor,
        auto_pick_up=settings.auto_pick_up,
        marks=settings.marks,
        sound=settings.sound,
        volume=settings.volume,
        own_groan=settings.own_groan,
    )
