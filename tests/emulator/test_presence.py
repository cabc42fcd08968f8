"""The Nano's real firmware in its emulator, line by line, in the board's own time."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

import pytest

from companion.sensors.serial.firmware_version import FIRMWARE, NANO
from tests.emulator.nano import HEXAGON, QUIET_MS, SQUARE, Nano
from tests.helpers.repetitions import soak

CHANGED_MS = 40
"""Until a change is sent twice: 20 ms of debounce, and two long lines."""
COLOURS = {
    "white": (24, 24, 24), "teal": (28, 0, 20), "gold": (24, 40, 0),
    "red": (0, 40, 0), "green": (40, 0, 0), "blue": (0, 0, 40),
}  # fmt: skip
"""Green, red, blue."""


def greeting(field: str = "6x6") -> dict[str, str]:
    return {"version": "1", "field": field, "kind": NANO, "fw": FIRMWARE}


def test_a_start_is_a_greeting_and_two_states(nano: Nano) -> None:
    """After power-on the board greets, says twice at once what stands on it, and then at least
    twice a second.
    """
    nano.put("A1", "F6")
    nano.reset(1)

    start = nano.run(80)

    assert [greeting()] == start.greetings
    assert start.lines[0].startswith("#board") and start.lines[1] == start.lines[2]
    assert [("A1", "F6")] * 2 == start.states
    assert 3 <= len(nano.run(1500).states) <= 5


@pytest.mark.parametrize("field", ["6x6", "hex4"])
def test_every_cell_is_seen_as_itself(nano: Nano, field: str) -> None:
    """A pawn moved over all cells is sent twice at each step; a full field names each cell once."""
    if field == "hex4":
        nano.hexagonal()
    nano.put(nano.cells[-1])
    nano.run(CHANGED_MS)

    for cell in nano.cells:
        nano.put(cell)
        assert [(cell,)] * 2 == nano.run(CHANGED_MS).states
    nano.put(*nano.cells)
    assert [tuple(sorted(nano.cells))] * 2 == nano.run(CHANGED_MS).states


def test_a_seventh_strip_makes_the_field_hexagonal(nano: Nano) -> None:
    """The board greets with its new field; a pawn on the longest row's last cell is no fault."""
    nano.run(QUIET_MS)
    nano.hexagonal()
    nano.put("D7")

    plugged = nano.run(CHANGED_MS)

    assert [greeting("hex4")] == plugged.greetings
    assert ("D7",) == plugged.agreed[-1] and not plugged.faults
    nano.unplug(7)
    assert {"strip 7"} == set(nano.run(QUIET_MS).faults)


def test_contacts_are_debounced(nano: Nano) -> None:
    """A contact closed for less than four samples of 5 ms is ignored, and disturbs no other."""
    for _ in range(5):
        nano.put("B2")
        bounced = nano.run(8).states
        nano.put()
        assert {()} >= {*bounced, *nano.run(12).states}
    nano.flicker("D4")
    nano.put("C3")
    assert {("C3",), ("C3", "D4")} == set(nano.run(1000).agreed)


def test_a_change_is_sent_soon(nano: Nano) -> None:
    """From a closed contact to the end of the line it takes at most 25 ms of the board's time."""
    for cell in ("A1", "C4", "F6"):
        nano.run(QUIET_MS)
        nano.put(cell)
        assert (cell,) in nano.run(25).states


def test_the_speed_is_that_of_the_port(nano: Nano) -> None:
    """Within 2.5 % of 115,200 baud; half a bit in a byte of ten would be 5 %."""
    baud = int(nano.emulator.ask("state").partition("baud=")[2].split()[0])

    assert 0.975 <= baud / 115_200 <= 1.025


# --- Faults of the strips


@pytest.mark.parametrize("strip", [1, 6, *soak(2, 3, 4, 5)])
def test_a_plug_that_is_out_is_named(nano: Nano, strip: int) -> None:
    """The strip is named with each state and none of its pawns is lost or invented, those of the
    strips before it still move, and once plugged in again all is true.
    """
    nano.put("B1", f"C{strip}", "F6")
    nano.run(CHANGED_MS)
    nano.unplug(strip)
    unplugged = nano.run(QUIET_MS)
    assert {f"strip {strip}"} == set(unplugged.faults)
    assert len(unplugged.faults) == len(unplugged.states) >= 2

    nano.put("A1")
    moved = "A1" if strip > 1 else "B1"
    assert {tuple(sorted({moved, f"C{strip}", "F6"}))} == set(nano.run(QUIET_MS).states[-2:])

    nano.unplug(0)
    nano.run(QUIET_MS)
    mended = nano.run(QUIET_MS)
    assert ([], {("A1",)}) == (mended.faults, set(mended.states))


@pytest.mark.parametrize("strip", [6, *soak(1, 2, 3, 4, 5)])
@pytest.mark.parametrize("first", ["A", "B"])
def test_a_strip_without_its_clock_is_named(nano: Nano, strip: int, first: str) -> None:
    """It repeats one level, that of its first cell: nothing is read, whatever stands there."""
    pawns = tuple(sorted({f"{first}{strip}", "E2"}))
    nano.put(*pawns)
    nano.run(CHANGED_MS)

    nano.wire(dead_clock=strip)
    broken = nano.run(QUIET_MS)

    assert ({f"strip {strip}"}, {pawns}) == (set(broken.faults), set(broken.states))


@pytest.mark.parametrize("field", ["6x6", *soak("hex4")])
@pytest.mark.parametrize("slip", [1, -1], ids=["extra", "missed"])
def test_a_slipped_clock_is_never_a_pawn(nano: Nano, slip: int, field: str) -> None:
    """At whichever bit the clock slips, with whatever pawns: no state but the true one is sent,
    and a strip is named unless the slip is behind the last one.
    """
    if field == "hex4":
        nano.hexagonal()
    rng, last = Random(1), 8 * (6 if field == "6x6" else 7)
    # Another strip each time, so that a change of the fault is sent at once.
    for place in sorted(range(1, last + 1), key=lambda place: place % 8):
        pawns = tuple(sorted(rng.sample(nano.cells, rng.choice((0, 1, 8, 30)))))
        nano.put(*pawns)
        nano.run(CHANGED_MS)
        nano.wire(slip=slip, slip_at=place)
        slipped = nano.run(CHANGED_MS)
        assert {pawns} >= set(slipped.states), place
        named = slipped.faults or nano.run(QUIET_MS).faults
        assert named or (slip, place) == (-1, last), place
        nano.wire(slip=0)


def test_a_single_slip_is_nothing(nano: Nano) -> None:
    """One damaged sample is dropped: neither a fault nor a change."""
    nano.put("A1")
    nano.run(CHANGED_MS)
    for _ in range(10):
        nano.wire(slip=1, slip_at=3)
        nano.run(5)
        nano.wire(slip=0)
        after = nano.run(23)
        assert not after.faults and {("A1",)} >= set(after.states)


# --- What the host sends


def test_the_host_asks_for_a_greeting(nano: Nano) -> None:
    """`?` at a line's beginning, with any line end, is answered by a greeting and the state
    twice; other lines and noise by nothing.
    """
    for asked in (b"?\n", b"?\r\n", b"?\r", b"\n\n?\n"):
        answer = nano.run(20, asked)
        assert ([greeting()], [()] * 2) == (answer.greetings, answer.states)
    for noise in (b"#?\n", b"hello ?\n", b"x" * 3000 + b"?\n", bytes(range(256)) * 4 + b"\n"):
        assert [] == nano.run(400, noise).greetings
    assert [greeting()] == nano.run(20, b"?\n").greetings


def test_noise_to_the_board_changes_nothing(nano: Nano) -> None:
    """Twenty thousand random bytes: the board says the truth all the time."""
    nano.put("C3")
    nano.run(CHANGED_MS)
    rng = Random(2)
    for _ in range(20):
        seen = nano.run(100, bytes(rng.choice(b"*?A1 teal\n\0\xff") for _ in range(1000)))
        assert ({("C3",)}, [], []) == (set(seen.states), seen.faults, seen.others)
    nano.run(100, b"\n")
    assert [greeting()] == nano.run(100, b"?\n").greetings


def light(nano: Nano, line: str) -> list[tuple[int, ...]]:
    """Send a lamp line; return the colours that the lamps' own signal gives, cell by cell."""
    nano.run(40, line.encode() + b"\n")
    sent = bytes.fromhex(nano.emulator.ask("lamps"))
    return [tuple(sent[i : i + 3]) for i in range(0, len(sent), 3)]


def expected(cells: Iterable[str], lit: dict[str, str]) -> list[tuple[int, ...]]:
    dark: tuple[int, ...] = (0, 0, 0)
    lamps = [COLOURS[lit[cell]] if cell in lit else dark for cell in cells]
    return lamps + [dark] * (37 - len(lamps))


def test_lamps_are_lit_in_their_colours(nano: Nano) -> None:
    """Each word colours the cells after it; cells that are not there and unknown words are
    nothing; a line replaces the one before, and the start is dark. The waveform is checked by the
    emulator.
    """
    assert expected(SQUARE, {"A1": "white", "F6": "white"}) == light(nano, "*A1 F6")
    words = " ".join(f"{colour} {cell}" for colour, cell in zip(COLOURS, SQUARE[5:], strict=False))
    assert expected(SQUARE, dict(zip(SQUARE[5:], COLOURS, strict=False))) == light(
        nano, f"*{words}"
    )
    assert expected(SQUARE, {"B2": "red"}) == light(nano, "*red b2 G1 A7 A0 purpleness Z9 A11")
    full = light(nano, "*teal " + " ".join(SQUARE))
    assert expected(SQUARE, dict.fromkeys(SQUARE, "teal")) == full
    assert expected(SQUARE, {}) == light(nano, "*")
    light(nano, "*A1")
    nano.reset(4)
    nano.run(80)
    assert expected(SQUARE, {}) == light(nano, "#")


def test_hexagonal_lamps_are_in_row_order(nano: Nano) -> None:
    """The first cell of each row, and the last of all."""
    nano.hexagonal()
    nano.run(CHANGED_MS)
    lit = {cell: "gold" for cell in ("A1", "B1", "C1", "D1", "E2", "F3", "G4", "G7")}
    assert expected(HEXAGON, lit) == light(nano, "*gold " + " ".join(lit).lower())


def test_lamps_lose_no_byte(nano: Nano) -> None:
    """What arrives while the lamps are written is received: a question behind a lamp line."""
    gold = b"*gold " + b" ".join(cell.encode() for cell in SQUARE) + b"\n"
    for line in (b"*\n", b"*red A1 A2\r\n", gold):
        assert [greeting()] == nano.run(60, line + b"?\n").greetings
    assert expected(SQUARE, dict.fromkeys(SQUARE, "gold")) == light(nano, "#")


# --- Restarts


@pytest.mark.parametrize("cause", [1, 5, 2, 4, 0])
def test_each_cause_of_a_start_begins_with_a_greeting(nano: Nano, cause: int) -> None:
    """Power (which sets the brown-out flag too), the reset pin, a brown-out, or a bootloader that
    hid it.
    """
    nano.reset(cause)
    assert [greeting()] == nano.run(80).greetings


def test_the_watchdog_starts_a_hung_program_again(nano: Nano) -> None:
    """Within 1.2 seconds, and without a reset of the chip, after which an old bootloader would
    be reset for ever (the emulator reports one); a second time too.
    """
    nano.put("A1")
    for _ in range(2):
        nano.run(CHANGED_MS)
        nano.emulator.ask("hang")
        restarted = nano.run(1200)
        assert [greeting()] == restarted.greetings
        assert {("A1",)} == set(restarted.agreed)


@pytest.mark.parametrize("every", [7, *soak(1)])
def test_a_restart_in_the_midst_of_a_line_harms_nothing(nano: Nano, every: int) -> None:
    """Whichever byte is the last one: a reader joins no two halves, and accepts only the truth."""
    nano.put("A1", "C3", "F6")
    nano.run(CHANGED_MS)
    for byte in range(1, 36, every):
        nano.emulator.ask(f"reset-after {byte}")
        torn = nano.run(1500)
        assert [greeting()] == torn.greetings, byte
        assert {("A1", "C3", "F6")} == set(torn.agreed), byte
