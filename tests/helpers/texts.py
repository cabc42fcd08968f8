"""Look for a word in a long text. Where `assert word not in text` fails, pytest compares the text
with itself line by line, for minutes if a line is long.
"""

from __future__ import annotations

AROUND = 40
"""Characters shown on either side."""


def found_in(text: str, word: str) -> str:
    """Return the first place of a word with the text around it, "" if it is nowhere."""
    at = text.find(word)
    return "" if at < 0 else text[max(0, at - AROUND) : at + len(word) + AROUND]
