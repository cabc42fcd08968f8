"""The letters that the fonts of the printed pages have."""

from __future__ import annotations

from companion.printing import page


def has_glyphs(font: str, words: str) -> bool:
    """Return whether a font, or the Japanese one beside it, has every letter of a text."""
    return all(page._has(face, letter) for face, part in page._runs(words, font) for letter in part)
