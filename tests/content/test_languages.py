"""A content file may have its names and words in other languages: translations of unknown words are
refused by line.
"""

from __future__ import annotations

import msgspec
import pytest

from companion.content.loader import ContentFinding, load_bytes
from companion.core.content import strip_translations, translations_of
from companion.games import GAMES as OURS
from tests.content.orchard import GAMES, HEAD, Garden

ORCHARD = HEAD + (
    'tree = [\n  { id = "a", name = "Oude eik", kind = "pear" },\n  { id = "b", name = "Linde", '
    'kind = "pear" },\n'
    '  { id = "c", name = "Linde", kind = "apple", work = [{ do = "graft", tree = "a", why = '
    '"Oogst." }] },\n]\n'
)
WHOLE = (
    '[translations.en]\nOurs = "Mine"\n"Oude eik" = "Old oak"\nLinde = "Lime tree"\n"Oogst." '
    '= "Reap."\n'
)
GOT = {"Ours": "Mine", "Oude eik": "Old oak", "Linde": "Lime tree", "Oogst.": "Reap."}


def keys(findings: tuple[ContentFinding, ...]) -> list[tuple[int | None, str, str]]:
    """Return line, field and code of findings."""
    return [(each.line, each.field, each.message.code) for each in findings]


def test_names_and_words_stand_there_in_other_languages() -> None:
    """A title, names and words of every depth are translated, each spelling once for all its
    uses.
    """
    reading = load_bytes("garden.toml", (ORCHARD + WHOLE).encode(), GAMES)

    assert ((), ()) == (reading.errors, reading.warnings)
    assert isinstance(reading.content, Garden)
    assert {"en": GOT} == translations_of(reading.content)


def test_a_game_has_its_own_language_alone() -> None:
    """A game's content, and so its record, is the same with translations and without."""
    plain, rich = (
        load_bytes("garden.toml", text.encode(), GAMES).content
        for text in (ORCHARD, ORCHARD + WHOLE)
    )
    assert plain is not None and rich is not None

    assert msgspec.json.encode(plain) == msgspec.json.encode(strip_translations(rich))
    assert {} == translations_of(strip_translations(rich)) == translations_of(None)


@pytest.mark.parametrize(
    ("more", "finding"),
    [
        (
            '[translations.en]\n"Oude ek" = "Old oak"\n',
            (12, 'translations.en."Oude ek"', "content.no_words_close"),
        ),
        ('[translations.en]\nxyz = "?"\n', (12, "translations.en.xyz", "content.no_words")),
        ('[translations.en]\na = "An id"\n', (12, "translations.en.a", "content.no_words")),
        ('[translations.en]\nLinde = " "\n', (12, "translations.en.Linde", "content.empty")),
        ("[translations.en]\nLinde = 3\n", (12, "translations.en.Linde", "content.text")),
        ('[translations.nl]\nLinde = "Linde"\n', (11, "translations.nl", "content.own_language")),
        ('[translations.jp]\nLinde = "?"\n', (11, "translations.jp", "content.choice")),
        ('[translations]\nen = "?"\n', (12, "translations.en", "content.table")),
    ],
)
def test_a_translation_of_nothing_is_refused(more: str, finding: tuple[int, str, str]) -> None:
    """Words that the file lacks, an unknown language and the file's own one are named by line and
    field; the other errors are still found.
    """
    errors = load_bytes("garden.toml", (ORCHARD + more).encode(), GAMES).errors
    broken = load_bytes(
        "garden.toml", (ORCHARD.replace('"apple"', '"plum"') + more).encode(), GAMES
    ).errors

    assert [finding] == keys(errors)
    assert [(9, "tree[3].kind", "content.choice"), finding] == keys(broken)


def test_what_a_language_lacks_is_reported_once() -> None:
    """An incomplete language is playable; each missing name or text is a warning at its line."""
    reading = load_bytes(
        "garden.toml", f'{ORCHARD}[translations.en]\n"Oude eik" = "Old oak"\n'.encode(), GAMES
    )

    assert () == reading.errors
    assert [
        (3, "title", "content.untranslated"),
        (8, "tree[2].name", "content.untranslated"),
        (9, "tree[3].work[1].why", "content.untranslated"),
    ] == keys(reading.warnings)


def test_a_map_alone_has_one_language() -> None:
    """The board that people type with real cards is in their language; others are refused, not
    ignored.
    """
    regions = "".join(f'[[region]]\nid = "r{n}"\nname = "R{n}"\nadjacent = []\n' for n in range(2))
    cities = "".join(
        f'[[city]]\nid = "c{n}"\nname = "C{n}"\nregion = "r{n % 2}"\n' for n in range(10)
    )
    text = f'{HEAD.replace("orchard", "vwars")}{regions}{cities}[translations.en]\nR0 = "Zero"\n'

    assert [(54, "translations.en", "content.one_language")] == keys(
        load_bytes("map.toml", text.encode(), OURS).errors
    )
