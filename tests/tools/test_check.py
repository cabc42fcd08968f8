"""A promise is kept, broken, or not finished yet; each is one line, and none prevents the next."""

from __future__ import annotations

import pytest

from tools.acceptance import check
from tools.acceptance.check import Check


def program(text: str) -> list[str]:
    return ["-c", text]


@pytest.mark.parametrize(
    ("each", "kept", "figure"),
    [
        (Check("1", "what", program("print('a=1'); print('b=2')")), True, "b=2"),
        (Check("1", "what", program("print('a=1'); print('b=2')"), says="a="), True, "a=1"),
        (Check("1", "what", program("print('b=2')"), says="a="), False, "b=2"),
        (Check("1", "what", program("print('lost=1'); raise SystemExit(1)")), False, "lost=1"),
        (Check("1", "what", program("print('found=0')"), status=1), False, "found=0"),
        (Check("1", "what", program("raise SystemExit('no disk')")), False, "no disk"),
    ],
)
def test_a_line_has_the_figure(each: Check, kept: bool, figure: str) -> None:
    """A check holds if its program ends as it should and prints the figure; the line has the figure
    either way.
    """
    reported = each.run(long=False)

    assert (kept, figure) == (reported.kept, reported.figure)
    assert reported.line().startswith("ok " if kept else "NOT ")


def test_a_program_that_does_not_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """A check that does not finish in time does not hold, and the others still run."""
    monkeypatch.setattr(check, "TIMEOUT", 1)
    reported = Check("1", "what", program("while True: pass")).run(long=False)

    assert (False, "not at its end yet") == (reported.kept, reported.figure)


def test_each_check_has_its_row() -> None:
    """The table of the acceptance checks has the number of each check, and no other."""
    # It takes a second to import, which collecting all tests need not wait for.
    from tools.acceptance.__main__ import CHECKS

    page = (check.ROOT / "docs/fair-play.md").read_text(encoding="utf-8")
    rows = page.partition("## The acceptance checks")[2].partition("|---|")[2].splitlines()[1:]
    numbers = [number.strip() for row in rows for number in row.split("|")[1].split(",")]

    assert {each.number for each in CHECKS} == set(numbers)
    assert len(numbers) == len(set(numbers))
