"""Turn codes into sentences of the language catalogues, for whatever speaks without a browser.

What all games say stands in web/i18n, what one game says in web/games/NAME/i18n; in either, a
folder holds what only some pages, a terminal or paper says.

A catalogue is one flat JSON object: a code and its sentence with {placeholders}. A sentence that
counts stands under `code.one` and `code.other` and counts its parameter {n}, without one its first
number. The same rules are kept by web/core/i18n.js for browsers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

from companion.core.game import Message

PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")
FALLBACK = "en"
WORD_KEYS = {
    "direction": "direction", "rule": "rule", "winner": "end.winner", "reason": "end.reason",
    "kind": "tile", "item": "item", "card": "item", "colour": "colour", "character": "character",
    "target": "character", "side": "sides",
}  # fmt: skip
"""Parameters whose values are words, and what the keys of those words begin with."""
PRINTED = "print"
"""The folder of what is printed on paper."""


def web_root() -> Path:
    """Return the folder of templates, static files and languages: the package's own, else the
    checkout's.
    """
    package = Path(__file__).resolve().parent
    packaged = package / "web"
    return packaged if packaged.is_dir() else package.parent / "web"


def languages(root: Path | None = None) -> list[str]:
    """Return the languages there are catalogues for, in alphabetical order."""
    return sorted(path.stem for path in (root or web_root()).glob("i18n/*.json"))


def read_catalogue(
    language: str, game: str | None = None, root: Path | None = None
) -> dict[str, str]:
    """Return a language's codes and sentences; where games differ, those of `game` count.

    Raises OSError or ValueError.
    """
    web = root or web_root()
    games = sorted(web.glob("games/*/i18n"), key=lambda folder: folder.parent.name == game)
    catalogue: dict[str, str] = json.loads(
        (web / "i18n" / f"{language}.json").read_text(encoding="utf-8")
    )
    for folder in (web / "i18n", *games):
        for path in sorted(folder.rglob(f"{language}.json")):
            if path.parent.name != PRINTED:
                catalogue |= json.loads(path.read_text(encoding="utf-8"))
    return catalogue


def read_printed(game: str, root: Path | None = None) -> dict[str, dict[str, str]]:
    """Return the texts that a game prints on paper, by language; raise OSError or ValueError."""
    web = root or web_root()
    return read_folders(web / "i18n" / PRINTED, web / "games" / game / "i18n" / PRINTED)


def read_folders(*folders: Path) -> dict[str, dict[str, str]]:
    """Return what the catalogues of these folders say, by language; a later one counts before an
    earlier one, a folder that is missing says nothing.
    """
    found: dict[str, dict[str, str]] = {}
    for path in (path for folder in folders for path in sorted(folder.glob("*.json"))):
        found.setdefault(path.stem, {}).update(json.loads(path.read_text(encoding="utf-8")))
    return found


class Catalog:
    """Says codes in the first of its catalogues that knows them, else as code and parameters.
    `language` is the one that was asked for.
    """

    def __init__(self, *catalogues: Mapping[str, str], language: str = FALLBACK) -> None:
        self.catalogues = catalogues
        self.language = language

    @classmethod
    def load(cls, language: str, game: str | None = None, root: Path | None = None) -> Catalog:
        """Return the sentences of a language before the English ones, where games differ those of
        `game`; without any catalogue, codes alone.
        """
        there = languages(root)
        known = [
            read_catalogue(name, game, root)
            for name in dict.fromkeys((language, FALLBACK))
            if name in there
        ]
        return cls(*known, language=language)

    def translate(self, said: Message) -> str:
        """Return the sentence for a code and its parameters."""
        sentence = self.find_sentence(said)
        if sentence is None:
            return str(said)
        return PLACEHOLDER.sub(lambda found: self._fill(found[0], found[1], said.params), sentence)

    def _fill(self, placeholder: str, name: str, params: Mapping[str, str | int]) -> str:
        value = params.get(name, placeholder)
        word = (
            self.find_sentence(Message(f"{WORD_KEYS[name]}.{value}")) if name in WORD_KEYS else None
        )
        return str(value) if word is None else word

    def find_sentence(self, said: Message) -> str | None:
        """Return the sentence of a code with its {placeholders}, in the form of its number, None if
        there is none.
        """
        numbers = (value for value in said.params.values() if isinstance(value, int))
        form = "one" if said.params.get("n", next(numbers, None)) == 1 else "other"
        for catalogue in self.catalogues:
            for key in (said.code, f"{said.code}.{form}", f"{said.code}.other"):
                if key in catalogue:
                    return catalogue[key]
        return None
