"""What a page looks like from outside: which words overlap, which are cut off, which controls are
covered or small.
"""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

FINGER = 44
"""CSS pixels that a control has at least each way where fingers press it (WCAG 2.5.5)."""

LETTERS = 14
"""The least size of type on a phone, in CSS pixels."""

FAULTS = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")


def faults(page: Page, finger: int = 0, field: str | None = None, letters: int = 0) -> list[str]:
    """Return what of the page as it is drawn now nobody could read or press.

    Words that overlap others, or that something hides or the window ends, where it cannot be
    scrolled; controls that are covered at their centre, hidden, or smaller than `finger` CSS
    pixels; a page wider than its window; what `field` selects if it takes less than 60 % of the
    window's shorter side; and words whose type is smaller than `letters` CSS pixels.
    """
    defects: list[str] = page.evaluate(FAULTS, {"finger": finger, "map": field, "letters": letters})
    return defects
