"""From codes to sentences: the language catalogues of web/i18n, for whatever speaks without a
browser.

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

DOMAINS = (
    "terminal", "bench", "host", "settings", "join", "help", "replay", "demo", "club", "ways",
    "speech", "map", "paper", "truth", "tiles",
)  # fmt: skip
"""What has a file of its own, since not every page says it."""
PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")
FALLBACK = "en"
WORDED = {
    "direction": "direction", "rule": "rule", "winner": "end.winner", "reason": "end.reason",
    "kind": "tile", "item": "item", "card": "item", "colour": "colour", "character": "character",
    "target": "character", "side": "sides",
}  # fmt: skip
"""Parameters whose values are words themselves, and where in a catalogue those words stand."""


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


def read_catalogue(language: str, root: Path | None = None) -> dict[str, str]:
    """Return a language's codes and sentences; raise OSError or ValueError."""
    folder = (root or web_root()) / "i18n"
    catalogue: dict[str, str] = json.loads(
        (folder / f"{language}.json").read_text(encoding="utf-8")
    )
    # What only some pages, a terminal or one game says has a file of its own: no seat has to load
    # it.
    rooms = [folder / room / f"{language}.json" for room in DOMAINS]
    for more in [*rooms, *sorted(folder.glob(f"games/*.{language}.json"))]:
        if more.exists():
            catalogue |= json.loads(more.read_text(encoding="utf-8"))
    return catalogue


def read_printed(root: Path | None = None) -> dict[str, dict[str, str]]:
    """Return the texts that are printed on paper, by language; raise OSError or ValueError."""
    folder = (root or web_root()) / "i18n" / "print"
    return {
        path.stem: json.loads(path.read_text(encoding="utf-8"))
        for path in sorted(folder.glob("*.json"))
    }


class Catalog:
    """Says codes in the first of its catalogues that knows them, else as code and parameters.
    `language` is the one that was asked for.
    """

    def __init__(self, *catalogues: Mapping[str, str], language: str = FALLBACK) -> None:
        self.catalogues = catalogues
        self.language = language

    @classmethod
    def load(cls, language: str, root: Path | None = None) -> Catalog:
        """Return the sentences of a language before the English ones; without any catalogue, codes
        alone.
        """
        there = languages(root)
        known = [
            read_catalogue(name, root)
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
        word = self.find_sentence(Message(f"{WORDED[name]}.{value}")) if name in WORDED else None
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
