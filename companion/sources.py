"""Connect sensor boards, a camera, a hand scanner and the simulated table to a table."""

from __future__ import annotations

import math
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
from msgspec.structs import replace

from companion.clock import Clock
from companion.config import Settings
from companion.core.game import Action, Message, Seat
from companion.core.placement import Cell, Placement
from companion.games import find_game
from companion.locks import LockRank, make_lock
from companion.sensors.board_source import BoardSource
from companion.sensors.fusion import SensorFusion
from companion.sensors.link import Link, Timing
from companion.sensors.maintenance import BoardMaintenance
from companion.sensors.observation import Observation
from companion.sensors.reader import BoardReader
from companion.sensors.serial.barcode_scanner import BarcodeScanner, ScanHistory
from companion.sensors.serial.board import SerialBoard
from companion.sensors.serial.ports import AUTO, ConfirmedDevices, find_ports
from companion.sensors.tags.registry import TaggedItem, TagRegistry, Uid
from companion.sensors.vision.camera import Camera
from companion.sensors.vision.frame import FrameContext, FrameResult
from companion.sensors.vision.frames.frame_source import FrameSource
from companion.sensors.vision.frames.open_frame_source import open_frame_source
from companion.sensors.vision.frames.phone_source import PhoneSource
from companion.sim.page import PageServer, PrintedFeatures, listen, no_features
from companion.sim.table_model import World, apply_placement, default_pawns
from companion.sim.terminal import PseudoTerminal
from companion.sim.virtual_board import VIRTUAL_ID, VirtualBoard
from companion.table.table import Table

DEVICE_FOLDER = Path("/dev")
SIMULATED_REST = 0.3
"""Seconds after which a simulated board's pieces rest: no hand slides them."""


class SensorSources:
    """The board reader, and the devices that report pieces and tiles to it.

    A simulated board is used until a real one answers (`uses_simulation`), or a phone's camera
    shows the field. A real board and a camera are merged. `maintenance` registers tags and
    chooses boards, `frames` takes the phone's pictures.

    play: plays the actions that the reader has matched; as `submit` of `BoardReader`
    devices: the folder in which boards are looked for
    framed_by: the origin that may show the simulated table's page in a frame
    scanner_id: distinguishes the hand scanner's readings of this run from earlier ones
    """

    def __init__(
        self,
        settings: Settings,
        table: Table,
        play: Callable[[Seat, list[Action]], bool],
        clock: Clock,
        devices: Path,
        framed_by: str,
        scanner_id: str,
    ) -> None:
        self._registry = TagRegistry(settings.folder, virtual_tags)
        self._confirmed = ConfirmedDevices(settings.folder)
        self.maintenance = BoardMaintenance(
            self._registry, lambda: find_game(table.snapshot()["game"]).parts()
        )
        self.devices = devices
        self.sim: SimulatedTable | None = None
        self.uses_simulation = False
        self._settings = settings
        self._table = table
        self._clock = clock
        self.reader = BoardReader(
            table.board_view,
            play,
            clock,
            view_at_start=table.view_at_start,
            on_change=table.journal.show_board,
            on_tiles=table.journal.show_tiles,
            lay=self.lay,
            rest=settings.settle.rest,
            scans=settings.settle.scans,
        )
        self._framed_by = framed_by
        self._board: BoardSource | None = None
        self._real_board: BoardSource | None = None
        self._scanner: BarcodeScanner | None = None
        self._camera: Camera | None = None
        # A board and a camera answer on threads of their own.
        self._lock = make_lock(LockRank.SENSOR_SOURCES)
        self._uses_phone = self._has_real_board = False
        self._fusion = SensorFusion(
            self.reader.observe,
            self.reader.link_changed,
            settings.settle.rest,
            settings.settle.scans,
        )
        self.frames = PhoneSource(monotonic=clock.monotonic, refusal=self._phone_refusal)
        self.frames.on_first = self._open_phone_camera
        self._scans = ScanHistory(scanner_id, Message("scanner.absent", {"port": settings.scanner}))

    def simulate(self, page_port: int | None) -> SimulatedTable:
        """Listen to a simulated board, its page at the port; raise OSError as `listen` does."""
        self.sim = SimulatedTable(self._clock, page_port, self._framed_by, self._printed)
        self.uses_simulation = True
        return self.sim

    def start(self) -> None:
        """Begin to listen to the camera or a board, and to the hand scanner."""
        if self._settings.camera.source:
            self._camera = self._open_camera()
        if self._settings.board != "none":
            self._open_board(self._settings.board)
        if self._settings.scanner:
            self._scanner = BarcodeScanner(
                self._settings.scanner,
                monotonic=self._clock.monotonic,
                on_scan=self._tile_scanned,
                on_link=self._scanner_linked,
            )
            self._scanner.start()

    def close(self) -> None:
        """End all devices, but not the simulated table, which `lay` may still change."""
        for device in (self._real_board, self._board, self._scanner, self._camera):
            if device is not None:
                device.close()

    def lay(self, placement: Placement) -> bool:
        """Set the simulated board to a placement; return False without one for that field."""
        sim = self.sim
        if (
            sim is None
            or not self.uses_simulation
            or not placement.field <= frozenset(sim.world.field.cells)
        ):
            return False
        sim.terminal.do(lambda board, now: apply_placement(sim.world, placement))
        return True

    def show_lamps(self, line: str) -> None:
        """Light these cells of the board, also of one that is plugged in later."""
        for board in (self._board, self._real_board):
            if board is not None:
                board.show_lamps(line)

    def hands_move_pawns(self) -> bool:
        """Return whether a real board with pawns is connected."""
        status = self.reader.status()
        return (
            not self.uses_simulation
            and status["link"] == "up"
            and status["source"] not in ("none", "ignored")
        )

    def simulated_page(self) -> str | None:
        """Return the address of the simulated table's page, None without one."""
        return self.sim.page.url if self.sim else None

    def _printed(self) -> PrintedFeatures:
        """Return the printed features of the present game's tiles."""
        snapshot = self._table.snapshot()
        view = snapshot["view"]
        return no_features() if view is None else find_game(snapshot["game"]).tiles.printed(view)

    def _open_board(self, address: str) -> None:
        """Listen to the board, or to a simulated one until a real one is plugged in."""
        if self.sim is not None:
            virtual = self._make_board(
                self.sim.terminal.address,
                "sim",
                self.reader.observe,
                self.reader.link_changed,
                SIMULATED_REST,
            )
            self._board = virtual
            self._attach(virtual)
            virtual.start()
            if address != AUTO:
                return
        self._real_board = self._make_board(
            address, "serial", self._real_board_observed, self._real_board_linked
        )
        self.maintenance.chooser = self._real_board
        if self.sim is None and self._camera is None:
            self._attach(self._real_board)
        self._real_board.start()

    def _make_camera(
        self,
        name: str,
        source: FrameSource,
        linked: Callable[[Link], None],
        on_result: Callable[[FrameResult, frozenset[Cell]], None] = lambda result, covered: None,
    ) -> Camera:
        chosen = self._settings.camera
        return Camera(
            name,
            frames=source,
            monotonic=self._clock.monotonic,
            context=self._frame_context,
            on_observation=self._fusion.camera_observed,
            on_link=linked,
            timeout=chosen.timeout,
            on_result=on_result,
            on_confirm=self._fusion.camera_confirmed,
        )

    def _frame_context(self) -> FrameContext:
        """Return the expected state of the table before a frame is read."""
        snapshot = self._table.snapshot()
        return FrameContext(
            self._table.lobby.expected_tiles,
            snapshot["phase"] == "lobby",
            self._settings.camera.pawn_height,
            tuple(find_game(snapshot["game"]).parts().tokens),
        )

    def _open_camera(self) -> Camera:
        chosen = self._settings.camera
        camera = self._make_camera(
            chosen.name,
            open_frame_source(chosen, self._clock.monotonic),
            self._fusion.camera_linked,
        )
        self.reader.attach_diagnostics(lambda: camera.diagnosis().to_json())
        camera.start()
        return camera

    def _phone_refusal(self) -> Message | None:
        """Return why a phone may not be the camera now, None if it may."""
        if self._settings.camera.source:
            return Message("camera.other_source")
        if find_spec("cv2") is None:
            return Message("camera.no_reader")
        return None

    def _open_phone_camera(self) -> None:
        """Start to read the camera phone's frames."""
        self._camera = self._make_camera("phone", self.frames, self._phone_linked, self.frames.show)
        self._camera.start()

    def _phone_linked(self, link: Link) -> None:
        """Replace the simulated board by a phone that shows the field for the first time."""
        camera = self._camera
        with self._lock:
            if link.state == "up" and camera is not None and not self._uses_phone:
                self._uses_phone = True
                self._end_simulation()
                if not self._has_real_board:
                    self.reader.attach_diagnostics(lambda: camera.diagnosis().to_json())
        if self._uses_phone:
            self._fusion.camera_linked(link)

    def _end_simulation(self) -> None:
        """Stop the simulated board, if it is still used; the lock is held."""
        if self.uses_simulation and self._board is not None:
            self.uses_simulation = False
            self._board.close()
            if self.sim is not None:
                self.sim.terminal.unplug()

    def _make_board(
        self,
        address: str,
        source: str,
        observed: Callable[[Observation], None],
        linked: Callable[[Link], None],
        most_rest: float = math.inf,
    ) -> BoardSource:
        """Return the kind of board that the address means."""
        return SerialBoard(
            address,
            monotonic=self._clock.monotonic,
            on_observation=observed,
            on_link=linked,
            registry=self._registry,
            timing=Timing(rest=min(self._settings.settle.rest, most_rest)),
            source=source,
            devices=self.devices,
            taken=self._settings.scanner,
            confirmed=self._confirmed,
        )

    def _attach(self, board: BoardSource) -> None:
        """Connect diagnostics and maintenance to a board."""
        self.reader.attach_diagnostics(
            lambda: board.diagnosis().to_json() | {"beside": self.maintenance.beside()}
        )
        self.maintenance.attach(board)

    def _tile_scanned(self, number: int | None) -> None:
        """Show a reading of the hand scanner, before a game only, to a page that scans tiles."""
        if self._table.snapshot()["phase"] == "lobby":
            self._show_scans(self._scans.with_scan(number))

    def _scanner_linked(self, link: Link) -> None:
        self._show_scans(replace(self._scans, message=link.message or self._scans.message))

    def _show_scans(self, scans: ScanHistory) -> None:
        self._scans = scans
        self._table.journal.show_scanner(msgspec.to_builtins(scans))

    def _real_board_linked(self, link: Link) -> None:
        """Replace the simulated board by a real one that answers for the first time."""
        with self._lock:
            if link.state == "up" and not self._has_real_board and self._real_board is not None:
                self._has_real_board = True
                self._end_simulation()
                self._attach(self._real_board)
        if not self.uses_simulation:
            self._fusion.board_linked(link)

    def _real_board_observed(self, observation: Observation) -> None:
        if not self.uses_simulation:
            self._fusion.board_observed(observation)


class SimulatedTable:
    """A simulated board that reads tags on a port of its own, with its page."""

    def __init__(
        self,
        clock: Clock,
        page_port: int | None,
        framed_by: str,
        printed: Callable[[], PrintedFeatures],
    ) -> None:
        listening = listen(page_port)
        self._folder = TemporaryDirectory(prefix="virtual-board-")
        self.world = World(default_pawns(humans=3, each=8))
        self.terminal = PseudoTerminal(
            VirtualBoard("tags", self.world),
            clock.monotonic,
            Path(self._folder.name) / "board",
        )
        self.page = PageServer(self.terminal, listening, framed_by, printed)
        self.terminal.start()

    def close(self) -> None:
        """Stop the page and the terminal."""
        self.page.close()
        self.terminal.close()
        self._folder.cleanup()


def virtual_tags(board: str) -> dict[Uid, TaggedItem]:
    """Return the known tags of a board: those of the simulated one, {} for another."""
    return World(default_pawns(humans=3, each=8)).registry() if board == VIRTUAL_ID else {}


def board_is_plugged(settings: Settings) -> bool:
    """Return whether there is a device on which a real board could answer."""
    confirmed = ConfirmedDevices(settings.folder)
    return bool(find_ports(AUTO, DEVICE_FOLDER, settings.scanner, confirmed).boards)
