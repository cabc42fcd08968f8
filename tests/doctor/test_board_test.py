"""`companion board-test`: the stages of a board on the workbench."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import board_test, main
from companion.core.placement import Cell, Pawn
from companion.doctor.board_test import BoardTest, Stage
from companion.sensors.board_field import parse_field
from companion.sensors.serial.lines import LineDecoder
from companion.sim.table_model import World
from companion.sim.terminal import PseudoTerminal
from companion.sim.virtual_board import VirtualBoard


class Bench:
    """A test that receives typed lines."""

    def __init__(self, field: str = "") -> None:
        self.now = 0.0
        self.test = BoardTest(0.0, field)
        self.said: list[str] = []

    def say(self, *lines: str) -> Bench:
        """Send lines, 0.1 s apart."""
        for text in lines:
            self.now += 0.1
            for line in LineDecoder().receive(text.encode() + b"\n"):
                self.said += self.test.take(line, self.now)
        return self

    def stage(self) -> Stage:
        """The present stage."""
        return self.test.stage

    def wait(self, seconds: float) -> Bench:
        """Let time pass."""
        self.now += seconds
        self.said += self.test.advance(self.now)
        return self


def test_a_good_board_passes_all_stages() -> None:
    """Lines, greeting, each cell occupied and freed, no fault, no tags."""
    bench = Bench().say("-")
    assert Stage.GREETING == bench.stage()
    bench.say('#board 1 1x2 name="my mat"')
    assert "3 cells: put a pawn on each and take it off; 2 left: A1 A2" == bench.said[-1]
    bench.say("A1", "A1", "-", "a2", "A2", "-")
    assert Stage.FAULTS == bench.stage()
    bench.wait(3.1)

    assert Stage.DONE == bench.stage()
    assert "   A1 free, crossed off; 1 left: A2" in bench.said


def test_a_cell_that_never_frees_is_not_crossed_off() -> None:
    """A stuck contact keeps the stage open, and a cell beside the field is named."""
    bench = Bench().say("-", "#board 1 1x2", "A1", "A1 A2", "A1", "A1 B9", "A1")

    assert Stage.CELLS == bench.stage()
    assert "   B9 occupied: NO CELL" in bench.said


def test_a_cell_that_the_board_does_not_have_is_not_crossed_off() -> None:
    """A wrong name is called so, and counts for nothing when it is freed."""
    bench = Bench().say("#board 1 1x2", "B9", "B9", "-")

    assert "   B9 occupied: NO CELL" in bench.said
    assert "   B9 free" == bench.said[-1]


def test_faults_and_other_lines_are_shown() -> None:
    """A fault is shown once, and its end; the stage waits for it."""
    bench = Bench("1x1").say("-", "A1", "-").wait(3.1)
    assert Stage.FAULTS == bench.stage() and "no greeting" in "".join(bench.said)
    bench.say("!strip 3", "!strip 3", "rst:0x1", "A1*00").wait(2.5)
    assert Stage.FAULTS == bench.stage()
    bench.wait(0.3)
    said = "\n".join(bench.said)

    assert Stage.DONE == bench.stage() and 1 == said.count("FAULT strip 3")
    for words in ("other line: rst:0x1", "damaged line: A1*00", "over: "):
        assert words in said


def test_a_reader_has_to_read_a_tag() -> None:
    """A board that says it reads tags is done once it has read one."""
    bench = Bench().say("-", "#board 1 1x1 reads=tags", "A1", "-").wait(3.1)
    assert Stage.TAGS == bench.stage()
    bench.say("A1=E004")

    assert Stage.DONE == bench.stage() and "   tag E004 on A1" in bench.said


def test_the_command_on_a_real_port(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command ends by itself once all stages are done."""
    monkeypatch.setattr("companion.doctor.board_test.FAULT_FREE_TIME", 0.1)
    field = parse_field("1x1")
    assert field is not None
    world = World([Pawn("X")], field=field)
    ended = threading.Event()

    def toggle(board: VirtualBoard, now: float) -> None:
        world.put(Pawn("X"), None if world.pawns[Pawn("X")] else Cell("A1"))

    def press() -> None:
        while not ended.wait(0.2):
            terminal.do(toggle)

    board = VirtualBoard("presence", world)
    with PseudoTerminal(board, time.monotonic, tmp_path / "b") as terminal:
        presser = threading.Thread(target=press)
        presser.start()
        result = CliRunner().invoke(main, ["board-test", "--port", str(tmp_path / "b")])
        ended.set()
        presser.join()

    assert 0 == result.exit_code, result.output
    assert "5 done: this board reads no tags" in result.output


@pytest.mark.parametrize("is_served", [True, False])
def test_a_port_in_use_is_refused_with_what_to_stop(
    monkeypatch: pytest.MonkeyPatch, is_served: bool
) -> None:
    """Without rights the refusal names the command that stops the table, or the program that has
    the port.
    """
    monkeypatch.setattr(board_test, "programs_with", lambda device: ("minicom",))
    monkeypatch.setattr(board_test, "service_runs", lambda: is_served)
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    result = CliRunner().invoke(main, ["board-test", "--port", "/dev/null"])

    assert 1 == result.exit_code
    expected = "sudo companion board-test" if is_served else "in use by minicom"
    assert expected in result.output


@pytest.mark.parametrize(("answer", "calls"), [("y\n", ["stop", "start"]), ("n\n", [])])
def test_the_table_releases_its_board_for_the_test(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: str, calls: list[str]
) -> None:
    """Root is asked whether to stop the table; it is started again, also after a failed test."""
    systemctl = tmp_path / "systemctl"
    systemctl.write_text(
        f'#!/bin/sh\n[ "$1" = is-active ] || echo "$1" >> {tmp_path}/calls\n', encoding="ascii"
    )
    systemctl.chmod(0o755)
    (tmp_path / "calls").touch()
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.setattr(board_test, "programs_with", lambda device: ("python3",))
    monkeypatch.setattr("os.geteuid", lambda: 0)
    result = CliRunner().invoke(main, ["board-test", "--port", "/dev/null"], input=answer)

    assert 1 == result.exit_code, result.output
    assert "Stop it for the test?" in result.output
    assert calls == (tmp_path / "calls").read_text(encoding="ascii").split()
