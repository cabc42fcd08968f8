"""The print kit: its languages, its file, the page that offers it."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.app import printed_kit
from companion.cli import main
from companion.games import GAMES
from companion.games.vampireradar.layout import HOUSE_FIELD, lay
from companion.games.vampireradar.print_kit.pictures import CALLER, HIDDEN, HIT, LAST, SHOOTER
from companion.i18n import read_printed
from companion.printing.page import wrap_lines
from tests.server.client import GameTable

KITS = ("vampireradar", "nosferatu")
ADDRESS = "http://192.168.1.20:8080/join"


@pytest.mark.slow
def test_the_same_kit_is_the_same_bytes() -> None:
    """Printing twice gives the same file, so that the checked file is the printed one."""
    assert printed_kit("vampireradar", "A4", "nl", ADDRESS) == printed_kit(
        "vampireradar", "A4", "nl", ADDRESS
    )


@pytest.mark.parametrize("game", KITS)
def test_printed_texts_are_there_in_every_language(game: str) -> None:
    """All languages print the same parts, and none is empty."""
    texts = read_printed(game)

    assert {"en", "ja", "nl"} == set(texts)
    assert {frozenset(texts["en"])} == {frozenset(each) for each in texts.values()}
    assert [] == [
        key
        for each in texts.values()
        for key, text in each.items()
        if text != text.strip() or not text
    ]


@pytest.mark.slow
def test_the_command_writes_the_file(tmp_path: Path) -> None:
    """`companion print` writes the kit to the given path and prints what to do; a missing folder is
    reported.
    """
    result = CliRunner().invoke(
        main, ["print", "--paper", "Letter", "--language", "nl", "-o", str(tmp_path / "kit.pdf")]
    )
    refused = CliRunner().invoke(
        main, ["print", "nosferatu", "-o", str(tmp_path / "none" / "kit.pdf")]
    )

    assert (0, True) == (result.exit_code, "100 %" in result.output)
    assert b"%PDF-" == (tmp_path / "kit.pdf").read_bytes()[:5]
    assert (1, True) == (refused.exit_code, "cannot be written" in refused.output)


@pytest.mark.slow
def test_the_host_page_gives_the_kit(tmp_path: Path) -> None:
    """Anybody may load the kit, which names the table's address; an unknown paper or language has
    none.
    """
    game_table = GameTable(tmp_path)
    client = game_table.app.test_client()
    first, second = (
        client.get("/kit/vampireradar/A4-ja.pdf"),
        client.get("/kit/vampireradar/A4-ja.pdf"),
    )

    assert (200, "application/pdf", first.data) == (first.status_code, first.mimetype, second.data)
    assert printed_kit("vampireradar", "A4", "ja", "http://192.168.1.20:8080/join") == first.data
    assert [404, 404, 404] == [
        client.get(path).status_code
        for path in (
            "/kit/vampireradar/A5-ja.pdf",
            "/kit/nosferatu/A4-xx.pdf",
            "/kit/chess/A4-en.pdf",
        )
    ]


@pytest.mark.slow
def test_the_host_page_offers_the_kits_that_there_are(tmp_path: Path) -> None:
    """The page has the buttons for the games that can be printed, and for no other."""
    games = Path(__file__).parents[2] / "web/games"
    offered = [
        path.parent.name
        for path in games.glob("*/index.js")
        if "hasKit: true" in path.read_text(encoding="utf-8")
    ]
    client = GameTable(tmp_path).app.test_client()
    status = {game.name: client.get(f"/kit/{game.name}/A4-en.pdf").status_code for game in GAMES}

    assert {game.name: 200 if game.name in offered else 404 for game in GAMES} == status


def test_japanese_lines_never_begin_with_a_full_stop() -> None:
    """A line may end between Japanese letters, but no closing sign begins the next one."""
    lines = wrap_lines("コマ1つを隣のタイルへ。斜めと壁越しは不可。" * 6, 2.2, 30)

    assert len(lines) > 6
    assert [] == [line for line in lines if line[0] in "。、）」"]


def test_the_pictures_follow_the_rules() -> None:
    """The shot in the kit's picture hits the tile that it shows and ends as by the rule; the
    radar's number is the distance by the rule.
    """
    grid = lay(HOUSE_FIELD).grid
    line = grid.line(SHOOTER, "E")

    assert (HIT in line, LAST) == (True, line[-1])
    assert 4 == grid.distances[CALLER][HIDDEN]
