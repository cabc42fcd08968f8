"""Turn codes into sentences of the language catalogues, for programs without a browser.

web/i18n has the sentences of all games, web/games/NAME/i18n those of one game; a folder in either
has those of some pages, of a terminal or of paper.

A catalogue is one flat JSON object: a code and its sentence with {placeholders}. A sentence with a
number has the codes `code.one` and `code.other`; the number is its parameter {n}, else the first
one in the sentence `code.other`. web/core/i18n.js has the same rules, the same `WORD_KEYS` and
`SEAT_PARAMS` for browsers.
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
    "kind": "tile", "token": "tile", "piece": "piece", "taken": "taken", "level": "bot.level",
    "fault": "fault", "item": "item", "card": "item", "colour": "colour", "city": "city",
    "region": "region", "side": "sides", "character": "character", "attacker": "character",
    "target": "character", "beside": "item",
}  # fmt: skip
"""Parameters whose values are words, and the prefixes of those words' keys."""
SEAT_PARAMS = frozenset({"seat", "by", "partner", "picker", "giver", "suspect"})
"""Parameters whose values are seats."""
PRINTED = "print"
"""The folder of the printed texts."""


def web_root() -> Path:
    """Return the folder of the web files: the package's own, else the checkout's."""
    package = Path(__file__).resolve().parent
    packaged = package / "web"
    return packaged if packaged.is_dir() else package.parent / "web"


def languages(root: Path | None = None) -> list[str]:
    """Return the languages with a catalogue, in alphabetical order."""
    return sorted(path.stem for path in (root or web_root()).glob("i18n/*.json"))


def read_catalogue(
    language: str, game: str | None = None, root: Path | None = None
) -> dict[str, str]:
    """Return a language's sentences by code, those of `game` first; raise OSError or ValueError."""
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
    """Return these folders' catalogues by language; later folders win, missing ones are skipped."""
    catalogues: dict[str, dict[str, str]] = {}
    for path in (path for folder in folders for path in sorted(folder.glob("*.json"))):
        catalogues.setdefault(path.stem, {}).update(json.loads(path.read_text(encoding="utf-8")))
    return catalogues


class Catalog:
    """Translate codes by the first of its catalogues that has them, else to code and parameters.

    language: the one that was asked for
    """

    def __init__(self, *catalogues: Mapping[str, str], language: str = FALLBACK) -> None:
        self.catalogues = catalogues
        self.language = language

    @classmethod
    def load(cls, language: str, game: str | None = None, root: Path | None = None) -> Catalog:
        """Return the catalogues of a language and of English, with those of `game` first; without a
        catalogue codes stay untranslated.
        """
        there = languages(root)
        known = [
            read_catalogue(name, game, root)
            for name in dict.fromkeys((language, FALLBACK))
            if name in there
        ]
        return cls(*known, language=language)

    def translate(self, message: Message) -> str:
        """Return the sentence for a code and its parameters."""
        sentence = self.find_sentence(message)
        if sentence is None:
            return str(message)
        return PLACEHOLDER.sub(
            lambda match: self._fill(match[0], match[1], message.params), sentence
        )

    def _fill(self, placeholder: str, name: str, params: Mapping[str, str | int]) -> str:
        value = params.get(name, placeholder)
        if name == "kinds" and name in params:
            return ", ".join(
                self._fill(kind, "kind", {"kind": kind}) for kind in str(value).split(", ")
            )
        word = (
            self.find_sentence(Message(f"{WORD_KEYS[name]}.{value}")) if name in WORD_KEYS else None
        )
        return str(value) if word is None else word

    def find_sentence(self, message: Message) -> str | None:
        """Return the sentence of a code with its {placeholders}, by its number; else None."""
        for catalogue in self.catalogues:
            if message.code in catalogue:
                return catalogue[message.code]
            other = catalogue.get(f"{message.code}.other")
            if other is not None:
                is_one = _number(other, message.params) == 1
                return catalogue.get(f"{message.code}.one", other) if is_one else other
        return None


def _number(sentence: str, params: Mapping[str, str | int]) -> int | None:
    """Return the number that chooses a sentence's form; None without one."""
    values = (params.get(name) for name in ("n", *PLACEHOLDER.findall(sentence)))
    return next((value for value in values if isinstance(value, int)), None)
