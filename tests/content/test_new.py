"""`companion content new GAME` writes a template for the owner of a box."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli.content import content, template
from companion.content.loader import load_bytes
from companion.games import GAMES, find_game

WITH_CONTENT = [game.name for game in GAMES if game.content]


def filled(game: str) -> str:
    """Return a game's template with title and language filled in, and the entries of our own sample
    after it.
    """
    text = (
        template(find_game(game))
        .replace('title = ""', 'title = "T"')
        .replace('language = ""', 'language = "en"')
    )
    folder = resources.files(f"companion.games.{game}")
    own = folder / "sample.toml"
    sample = (own if own.is_file() else folder / "maps" / "town.toml").read_text(encoding="utf-8")
    if "[[places]]" in text:
        entries = sample[sample.index("[[places]]") : sample.index("[rules]")]
        return text.replace("[rules]\n", f"{entries}[rules]\n", 1)
    if "card = [" in text:
        return text.replace(
            "card = [\n", sample[sample.index("card = [\n") : sample.rindex("\n]\n") + 1], 1
        )
    return text + sample[sample.index("[[region]]") :].partition("[translations")[0]


def codes(text: str) -> list[tuple[str, str]]:
    return [
        (finding.field, finding.message.code)
        for finding in load_bytes("own.toml", text.encode(), GAMES).errors
    ]


@pytest.mark.parametrize("game", WITH_CONTENT)
def test_a_template_is_sound_once_it_is_filled_in(game: str) -> None:
    """With title, language and entries there is no error; the bare template names what is
    missing.
    """
    assert [] == codes(filled(game))
    assert {("title", "content.empty"), ("language", "content.empty")} <= {
        *codes(template(find_game(game)))
    }


@pytest.mark.parametrize("game", WITH_CONTENT)
def test_the_samples_show_the_form(game: str) -> None:
    """Without the # before them the sample entries are valid, except that they are too few."""
    text = (
        template(find_game(game))
        .replace('title = ""', 'title = "T"')
        .replace('language = ""', 'language = "en"')
    )
    lines = re.sub(r"(?m)^( *)# (?=\[\[|[a-z_]+ = |\{ id)", r"\1", text)

    assert lines != text
    assert all(code.startswith("content.few_") for _, code in codes(lines))


@pytest.mark.parametrize("game", WITH_CONTENT)
def test_new_writes_a_file_and_overwrites_none(tmp_path: Path, game: str) -> None:
    """The file is written under its name; a second time, or if writing fails, an error leaves
    all unchanged.
    """
    path = tmp_path / "own.toml"
    first = CliRunner().invoke(content, ["new", game, str(path)])
    assert (0, template(find_game(game))) == (first.exit_code, path.read_text(encoding="utf-8"))
    path.write_text("mine")
    second_run = CliRunner().invoke(content, ["new", game, str(path)])
    nowhere = CliRunner().invoke(content, ["new", game, str(tmp_path / "none" / "own.toml")])

    assert (2, 2, "mine") == (second_run.exit_code, nowhere.exit_code, path.read_text())
    assert second_run.stderr.startswith(f"{path}: it cannot be written: ")
