"""The pages' fonts hold every letter that the catalogues have."""

from __future__ import annotations

import json

import pytest
from fontTools.ttLib import TTFont

from companion.games import GAMES
from companion.i18n import web_root

FONTS = web_root() / "core" / "fonts"
FIRST_CJK = 0x2E80
LANGUAGES = {"text": ("en", "nl"), "display": ("en", "nl"), "japanese": ("ja",)}
MAY_BE_DRAWN = set("→■▲\u00ad\u2011")
"""Signs that another font may draw: an arrow, shapes, a hidden and an unbreakable hyphen."""


def letters(font: str) -> set[str]:
    """Return the letters of a font."""
    return {chr(code) for code in TTFont(FONTS / f"{font}.woff2").getBestCmap()}


@pytest.mark.parametrize("font", LANGUAGES)
def test_letters_of_the_catalogues(font: str) -> None:
    """A font has every letter of the catalogues in its languages; the Japanese font has those that
    no Latin font has.
    """
    words = {
        letter
        for language in LANGUAGES[font]
        for path in web_root().glob(f"**/i18n/**/{language}.json")
        for value in json.loads(path.read_text(encoding="utf-8")).values()
        for letter in str(value)
        if font != "japanese" or ord(letter) >= FIRST_CJK
    }
    assert words
    assert "".join(sorted(words - letters(font) - MAY_BE_DRAWN)) == ""


def test_letters_of_titles() -> None:
    """The titles' font has every letter of the games' names."""
    titles = json.loads((web_root() / "i18n" / "en.json").read_text(encoding="utf-8"))
    names = "".join(titles[f"game.{game.name}"] for game in GAMES)
    assert set(names) - letters("title") == set()


def test_digits_are_tabular() -> None:
    """All digits of the font of numbers are equally wide."""
    font = TTFont(FONTS / "display.woff2")
    assert len({font["hmtx"][font.getBestCmap()[ord(digit)]][0] for digit in "0123456789"}) == 1
