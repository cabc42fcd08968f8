"""The wiring: a table with everything around it, in one process."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from companion.app import Application
from companion.clock import SystemClock
from companion.config import PanelSettings, Settings, SettleSettings
from companion.core.game import Game, Seat, View
from companion.core.placement import Cell, Pawn
from companion.sensors.board_field import parse_field
from companion.sensors.diff import pawn_cells
from companion.sensors.observation import Observation
from companion.sensors.reader import BoardRefused
from companion.sim.table_model import World, apply_placement, default_pawns
from companion.sim.terminal import PseudoTerminal
from companion.sim.virtual_board import VirtualBoard
from tests.helpers.fake_pins import FakePins
from tests.helpers.usb import PRINTER, know_usb

pytestmark = pytest.mark.slow

TIMEOUT = 90.0


def until(condition: Callable[[], Any]) -> None:
    """Wait until a condition holds; the time it takes is not asserted."""
    end = time.monotonic() + TIMEOUT
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.fixture
def companion(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Application]:
    monkeypatch.setattr("companion.app.open_pins", lambda settings: FakePins(time.monotonic))
    devices = tmp_path / "dev"
    devices.mkdir()
    settings = Settings(
        data=str(tmp_path / "data"),
        board="auto",
        night_floor=0,
        settle=SettleSettings(rest=0.1),
        panel=PanelSettings(pins="gpio"),
    )
    table = Application(settings, devices=devices)
    yield table
    table.close()


def board_of(companion: Application) -> dict[str, Any]:
    board: dict[str, Any] = companion.table.snapshot()["board"]
    return board


def beside(companion: Application) -> object:
    """Return the devices that are plugged in and not used, as the diagnostics page receives
    them.
    """
    return (companion.reader.diagnostics()["source"] or {}).get("beside")


def begin(companion: Application) -> None:
    """Begin a game, the vampire hidden, and wait for the first human's turn."""
    table = companion.table
    table.seats.claim(Seat("V"), "Vlad", "11" * 32)
    table.start()
    table.submit(Seat("V"), table.decode([{"type": "place", "cell": "C3"}]), id="1")
    until(lambda: table.snapshot()["to_move"] == "H1" and not table.snapshot()["revealing"])


def play(companion: Application, action: dict[str, Any]) -> None:
    """Play an action as from a phone."""
    table = companion.table
    table.submit(Seat("H1"), table.decode([action]), id=str(table.snapshot()["position"]))


def walks(companion: Application) -> list[dict[str, Any]]:
    return [action for action in companion.table.snapshot()["legal"] if action["type"] == "walk"]


def standing(companion: Application) -> dict[Pawn, Cell]:
    """Return where the record has each pawn."""
    game, view = running(companion)
    return pawn_cells(game.placement(view))


def running(companion: Application) -> tuple[Game, View]:
    present = companion.table.board_view()
    assert present is not None
    return present


def set_pawn(pawn: Pawn, cell: Cell, board: VirtualBoard, now: float) -> None:
    board.world.put(pawn, cell)


def test_a_real_board_takes_over_from_the_virtual_one(companion: Application) -> None:
    """Without a plugged-in board a virtual one is used; the first real one that answers replaces
    it.
    """
    companion.sources.simulate(0)
    companion.start()
    until(lambda: board_of(companion).get("link") == "up")
    assert "tags" in board_of(companion)["caps"]

    real = VirtualBoard("presence", World())
    with PseudoTerminal(real, time.monotonic, know_usb(companion.sources.devices, "ttyACM0")):
        until(lambda: "presence" in board_of(companion)["caps"])

        assert str(companion.sources.devices / "ttyACM0") == board_of(companion)["port"]


def test_a_board_that_starts_slowly_takes_over_in_a_game(companion: Application) -> None:
    """A board that is plugged in during a game and silent at first is used once it answers: the
    virtual one gives way, the game goes on, and the differences are shown tile by tile.
    """
    companion.sources.simulate(0)
    companion.start()
    begin(companion)
    play(companion, walks(companion)[0])
    until(lambda: board_of(companion)["state"] == "in_sync")
    expected, position = standing(companion), companion.table.snapshot()["position"]

    real = VirtualBoard("tags", World(default_pawns(humans=3, each=8)))
    real.faults.mask = "mute"
    with PseudoTerminal(
        real, time.monotonic, know_usb(companion.sources.devices, "ttyACM0")
    ) as wire:
        assert companion.sources._real_board is not None
        until(
            lambda: (
                companion.sources._real_board is not None
                and companion.sources._real_board.link.state == "refused"
            )
        )
        wire.do(lambda board, now: setattr(board.faults, "mask", ""))
        until(lambda: board_of(companion)["port"] == str(companion.sources.devices / "ttyACM0"))
        until(lambda: board_of(companion)["state"] == "unexplained")
        missing = {
            Pawn(pawn) for each in board_of(companion)["differences"] for pawn in each["expected"]
        }
        game, view = running(companion)
        wire.do(lambda board, now: apply_placement(board.world, game.placement(view)))
        until(lambda: board_of(companion)["state"] == "in_sync")

    assert (set(expected), position) == (missing, companion.table.snapshot()["position"])
    assert companion.sources.sim is not None and not companion.sources.sim.terminal.plugged


def test_a_stranger_beside_the_virtual_board_is_a_board_once_confirmed(
    companion: Application,
) -> None:
    """A device with a chip that is none of boards is not opened: the virtual board is used, and the
    page names the device. A person who chooses it makes it the board, and is remembered.
    """
    printer = know_usb(companion.sources.devices, "ttyACM0", PRINTER)
    with PseudoTerminal(VirtualBoard("presence", World()), time.monotonic, printer):
        companion.sources.simulate(0)
        companion.start()
        until(lambda: board_of(companion).get("link") == "up")
        assert [str(printer)] == beside(companion)
        assert "sim" == board_of(companion)["source"]

        companion.sources.maintenance.use_board(str(printer))

        until(lambda: board_of(companion)["port"] == str(printer))
    assert "2c99:0002:" in (companion.settings.folder / "boards.json").read_text()


def test_a_board_that_does_not_fit_is_told_when_a_game_begins(companion: Application) -> None:
    """A board of any size is used; when a game begins that needs other cells, a sentence says so,
    and taps play.
    """
    field = parse_field("4x4")
    assert field is not None
    board = VirtualBoard("presence", World(field=field))
    with PseudoTerminal(board, time.monotonic, know_usb(companion.sources.devices, "ttyACM0")):
        companion.start()
        until(lambda: board_of(companion).get("link") == "up")
        assert board_of(companion)["message"] is None
        begin(companion)
        until(lambda: board_of(companion)["state"] == "other_field")
        assert "board_other_field" == board_of(companion)["message"]["code"]
        play(companion, walks(companion)[0])


def test_one_of_two_boards_is_chosen(companion: Application) -> None:
    """Of two boards the one that a person chooses is used; an absent device is refused with a
    sentence.
    """
    boards = [VirtualBoard("presence", World()), VirtualBoard("tags", World())]
    first, second = (know_usb(companion.sources.devices, name) for name in ("ttyACM0", "ttyACM1"))
    with (
        PseudoTerminal(boards[0], time.monotonic, first),
        PseudoTerminal(boards[1], time.monotonic, second),
    ):
        companion.start()
        until(lambda: beside(companion) == [str(second)])
        with pytest.raises(BoardRefused):
            companion.sources.maintenance.use_board("/dev/null")

        companion.sources.maintenance.use_board(str(second))

        until(lambda: "tags" in board_of(companion)["caps"])
        assert [str(first)] == beside(companion)


def test_the_virtual_table_is_kept_like_the_record(companion: Application) -> None:
    """A tapped walk is made on the virtual table too, so that record and table agree again, and its
    two cells are lit there.
    """
    companion.sources.simulate(0)
    companion.start()
    begin(companion)
    walk = walks(companion)[0]
    start = companion.table.snapshot()["view"]["pawns"][walk["pawn"]]

    play(companion, walk)

    sim = companion.sources.sim
    assert sim is not None
    until(lambda: sim.world.pawns[walk["pawn"]] == walk["to"])
    until(lambda: board_of(companion)["state"] == "in_sync")
    lit = dict.fromkeys((start, walk["to"]), "white")
    until(lambda: sim.terminal.do(lambda board, now: board.lamps()) == lit)


def test_the_virtual_table_is_never_at_fault_by_itself(
    companion: Application, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the start of a game on, taps cause no correction of pieces that no hand has touched."""
    states: list[str] = []
    publish = companion.reader._on_change

    def note(status: dict[str, Any]) -> None:
        states.append(status["state"])
        publish(status)

    monkeypatch.setattr(companion.reader, "_on_change", note)
    # On a busy machine the simulated board reports later than within the 3 s of a table at rest.
    companion.reader._grace_period = TIMEOUT
    companion.sources.simulate(0)
    companion.start()
    until(lambda: companion.reader._settled)
    begin(companion)
    until(lambda: states[-1] == "in_sync")
    for walk in (walks(companion)[0], walks(companion)[-1]):
        play(companion, walk)
        until(lambda: states[-1] == "in_sync")

    assert {"off", "settling", "in_sync"} >= set(states)


def test_the_virtual_table_stands_as_the_record_after_a_restart(tmp_path: Path) -> None:
    """Stopped and started in mid-game, the virtual board stands as the record; a pawn in a wrong
    place is returned by *Put it back*.
    """
    settings = Settings(data=str(tmp_path / "data"), board="sim", night_floor=0)
    first = Application(settings)
    begin(first)
    play(first, walks(first)[0])
    expected = standing(first)
    first.close()

    restarted = Application(settings)
    sim = restarted.sources.simulate(0)
    restarted.start()
    assert expected == {pawn: cell for pawn, cell in sim.world.pawns.items() if cell is not None}
    until(lambda: board_of(restarted).get("state") == "in_sync")
    sim.terminal.do(partial(set_pawn, Pawn("H1a"), Cell("D4")))
    until(lambda: board_of(restarted)["state"] == "unexplained")
    restarted.reader.answer("put_back")

    assert expected[Pawn("H1a")] == sim.world.pawns[Pawn("H1a")]
    until(lambda: board_of(restarted)["state"] == "in_sync")
    restarted.close()


def test_the_panels_button_ends_a_turn(companion: Application) -> None:
    """The panel's button ends the turn of the human to move, through the whole wiring."""
    companion.start()
    table = companion.table
    table.seats.claim(Seat("V"), "Vlad", "11" * 32)
    table.start()
    table.submit(Seat("V"), table.decode([{"type": "place", "cell": "C3"}]), id="1")
    until(lambda: table.snapshot()["to_move"] == "H1" and not table.snapshot()["revealing"])
    pins = companion.panel._pins
    assert isinstance(pins, FakePins)

    pins.press()

    until(lambda: table.snapshot()["to_move"] == "H2")


def test_the_clock_stops_before_the_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An action of the clock at the table's last moment still finds a thinking bot."""
    companion = Application(Settings(data=str(tmp_path / "data"), board="none"))
    close, thought = SystemClock.close, []

    def closed_late(self: SystemClock) -> None:
        thought.append(companion._bots.submit(int).result())
        close(self)

    monkeypatch.setattr(SystemClock, "close", closed_late)
    companion.close()

    assert [0] == thought


def test_a_photos_process_ends_with_the_table(tmp_path: Path) -> None:
    """A process that waits for a photo is ended when the table closes."""
    companion = Application(Settings(data=str(tmp_path / "data"), board="none"))
    decoder = companion.app.extensions["companion"].photo_decoder
    decoder.prepare()
    process = decoder.prepared_process
    companion.close()

    assert -signal.SIGKILL == process.returncode


def test_a_board_that_the_program_fails_to_read_is_told_and_read_again(
    companion: Application, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error of the program in a source is a message beside the game, and the source starts
    again: what stands there is seen.
    """
    is_told = Event()
    observe = companion.reader.observe

    def fail(observation: Observation) -> None:
        if not is_told.is_set():
            raise LookupError
        observe(observation)

    monkeypatch.setattr(companion.sources._fusion, "_on_observation", fail)
    device = know_usb(companion.sources.devices, "ttyACM0")
    with PseudoTerminal(VirtualBoard("presence", World()), time.monotonic, device):
        companion.start()
        until(lambda: (board_of(companion).get("message") or {}).get("code") == "link.failed")
        is_told.set()
        until(lambda: companion.reader.diagnostics()["has_seen"])
