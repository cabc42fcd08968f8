"""A promise is kept, broken, or not at its end yet; each is one line, and none keeps the next from
being looked at.
"""

from __future__ import annotations

import pytest

from tests.acceptance import check
from tests.acceptance.check import Check


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
def test_a_line_says_what_was_found(each: Check, kept: bool, figure: str) -> None:
    """A check holds if its program ends as it should and says the figure; the line says the figure
    either way.
    """
    reported = each.run(long=False)

    assert (kept, figure) == (reported.kept, reported.figure)
    assert reported.line().startswith("ok " if kept else "NOT ")


def test_a_program_that_does_not_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """A check that is not at its end in time does not hold, and the others are still looked at."""
    monkeypatch.setattr(check, "PATIENCE", 1)
    reported = Check("1", "what", program("while True: pass")).run(long=False)

    assert (False, "not at its end yet") == (reported.kept, reported.figure)
