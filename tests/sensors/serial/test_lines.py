"""The lines of the wire: what each means, and that nothing wrong is accepted."""

from __future__ import annotations

import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.placement import Cell
from companion.sensors.board_field import parse_field
from companion.sensors.serial.lines import (
    MAX_LINE,
    Damaged,
    Fault,
    Foreign,
    Greeting,
    Line,
    LineDecoder,
    StateLine,
    parse_board_line,
    with_checksum,
)
from companion.sensors.tags.registry import Uid
from tests.sensors.serial import fuzz


def state(*things: str, checked: bool = False) -> StateLine:
    """Return the state with these things, "A1" or "A1=E004"."""
    pieces = ((Cell(cell), Uid(uid)) for cell, _, uid in (each.partition("=") for each in things))
    return StateLine(tuple(sorted(pieces)), checked)


@pytest.mark.parametrize(
    "line, meaning",
    [
        ("A1 B3 F6", state("A1", "B3", "F6")),
        ("A1 B3 F6*71", state("A1", "B3", "F6", checked=True)),
        ("F6 A1 A1", state("A1", "A1", "F6")),
        ("d4 AA12", state("d4", "AA12")),
        ("A1=e004015012345678", state("A1=E004015012345678")),
        ("-", state()),
        ("-*2d", state(checked=True)),
        ("A1 B3 F6*33", Damaged("A1 B3 F6*33")),
        ("#board 1", Greeting(1)),
        (
            '#board 1 6X6 id=7f3a name="my mat" fw=1.0 colour=red',
            Greeting(1, "6x6", {"id": "7f3a", "name": "my mat", "fw": "1.0", "colour": "red"}),
        ),
        ("#board 2 hex4", Greeting(2, "hex4")),
        ("+blue", Foreign("+blue")),
        ("!strip 3", Fault("strip 3")),
        ("A0", Foreign("A0")),
        ("A1  B2", Foreign("A1  B2")),
        ("A1=E00", Foreign("A1=E00")),
        ("- A1", Foreign("- A1")),
        ("!" + "x" * 41, Foreign("!" + "x" * 41)),
        ("ets Jul 29 2019 12:21:46", Foreign("ets Jul 29 2019 12:21:46")),
        ("\x80\xff", Foreign("??")),
    ],
)
def test_the_meaning_of_a_line(line: str, meaning: Line) -> None:
    """Each line has one meaning; what is none of a board's lines is foreign."""
    assert meaning == parse_board_line(line.encode("latin-1"))


def test_any_line_end_in_any_pieces() -> None:
    """CR, LF and both end a line, wherever the reads cut it; empty lines are nothing."""
    data = b"A1\rB2\r\n\r\n\nC3\nD4"
    for cut in range(len(data)):
        decoder = LineDecoder()
        lines = [*decoder.receive(data[:cut]), *decoder.receive(data[cut:])]
        assert [state("A1"), state("B2"), state("C3")] == lines


def test_a_flood_without_a_line_end_fills_no_memory() -> None:
    """10 MB without a line end are one damaged line, and the next line is read."""
    decoder = LineDecoder()
    tracemalloc.start()
    for _ in range(10_000):
        assert [] == list(decoder.receive(b"A1 " * 341))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert [Damaged(""), state("B2")] == list(decoder.receive(b"\nB2\n"))
    assert peak < 20 * MAX_LINE


@given(st.lists(st.binary(max_size=300)))
def test_any_bytes(chunks: list[bytes]) -> None:
    """No bytes raise, and however they are cut they are the same lines."""
    whole, cut = LineDecoder(), LineDecoder()

    assert list(whole.receive(b"".join(chunks))) == [
        line for chunk in chunks for line in cut.receive(chunk)
    ]


@given(st.lists(st.sampled_from(["A1", "B3", "F6", "C3=E004", "AA12=00FF"])))
def test_a_line_and_back(things: list[str]) -> None:
    """A state with its checksum is read as it was sent."""
    [line] = LineDecoder().receive(with_checksum(" ".join(things) or "-"))

    assert state(*things, checked=True) == line


@pytest.mark.parametrize(
    "name, count, ends",
    [("6x6", 36, ("A1", "F6")), ("8x8", 64, ("A1", "H8")), ("2x3", 6, ("A1", "B3")),
     ("hex4", 37, ("a1", "g7")), ("hex1", 1, ("a1", "a1"))],
)  # fmt: skip
def test_fields(name: str, count: int, ends: tuple[str, str]) -> None:
    """A field of squares or hexagons has its cells in order; any other name is none."""
    field = parse_field(name)
    assert field is not None
    assert (count, ends) == (len(set(field.cells)), (field.cells[0], field.cells[-1]))
    assert [None] * 6 == list(map(parse_field, ("", "0x6", "27x1", "hex0", "hex14", "6x6x6")))


def test_damaged_lines() -> None:
    """Of damaged lines none counts that was not sent (more of them under soak)."""
    report = fuzz.run(2_000, seed=1)

    assert report.good and report.counted, report
