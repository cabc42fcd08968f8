"""The print kit: its languages, its file, the page that offers it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from click.testing import CliRunner

from companion.app import printed_kit
from companion.cli import main
from companion.games import GAMES
from companion.games.vampireradar.layout import HOUSE_FIELD, lay
from companion.games.vampireradar.print_kit.pictures import CALLER, HIDDEN, HIT, LAST, SHOOTER
from companion.i18n import read_printed
from companion.printing.page import wrap_lines
from companion.server.http.server import SERVER_THREADS
from tests.server.client import GameTable

KITS = ("vampireradar", "nosferatu")
ADDRESS = "http://192.168.1.20:8080/join"
SECONDS = 60.0


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


class HeldPrinter:
    """Prints kits at once, the first one when the test says so."""

    def __init__(self) -> None:
        self.has_begun, self.may_end = Event(), Event()
        self.count = 0

    def print(self, game: str, paper: str, language: str, address: str, is_tactile: bool) -> bytes:
        self.count += 1
        if not self.has_begun.is_set():
            self.has_begun.set()
            assert self.may_end.wait(SECONDS)
        return f"{game} {paper} {language} {address} {is_tactile}".encode()


KIT_PATHS = [
    f"/kit/{game}/{paper}-{language}.pdf"
    for game in (*KITS, "manhunt")
    for paper in ("A4", "Letter")
    for language in ("en", "ja", "nl")
]


@pytest.mark.slow
def test_nobody_waits_for_a_kit(tmp_path: Path) -> None:
    """While a kit is drawn, more requests for kits than the server has threads delay no other one:
    each gets a page in three languages that tries again by itself. Then it gets its kit, and each
    is drawn once.
    """
    printer = HeldPrinter()
    app = GameTable(tmp_path, print_kit=printer.print).app
    with ThreadPoolExecutor(SERVER_THREADS) as threads:

        def get(path: str) -> Any:
            return threads.submit(lambda: app.test_client().get(path))

        first = get(KIT_PATHS[0])
        assert printer.has_begun.wait(SECONDS)
        flood = [get(path) for _ in range(4) for path in KIT_PATHS]
        try:
            health = get("/healthz").result(SECONDS)
            busy = [answer.result(SECONDS) for answer in flood]
        finally:
            printer.may_end.set()
        first = first.result(SECONDS)
    client = app.test_client()
    pages = [client.get(path) for path in KIT_PATHS * 2]

    assert (200, 200) == (health.status_code, first.status_code)
    assert {(503, "text/html", "2", "2")} == {
        (each.status_code, each.mimetype, each.headers["Retry-After"], each.headers["Refresh"])
        for each in busy
    }
    assert all(f'lang="{language}"' in busy[0].text for language in ("en", "nl", "ja"))
    assert [200] * len(pages) == [page.status_code for page in pages]
    assert len(KIT_PATHS) == len({page.data for page in pages}) == printer.count


def test_a_kit_names_the_present_address(tmp_path: Path) -> None:
    """When the table's address changes, its kits are drawn again; the earlier ones are dropped."""
    addresses = ["192.168.1.20"]
    printer = HeldPrinter()
    printer.may_end.set()
    game_table = GameTable(tmp_path, print_kit=printer.print, addresses=lambda: addresses)
    client = game_table.app.test_client()
    texts = []
    for address in ("192.168.1.20", "192.168.1.21", "192.168.1.20"):
        addresses[:] = [address]
        texts.append(client.get(KIT_PATHS[0]).text)

    assert [True, False, True] == ["192.168.1.20" in text for text in texts]
    assert 3 == printer.count


def test_japanese_lines_never_begin_with_a_full_stop() -> None:
    """A line may end between Japanese letters, but no closing sign begins the next one."""
    words = "コマ1つを隣のタイルへ。斜めと壁越しは不可。" * 6
    lines = [line for width in range(10, 40) for line in wrap_lines(words, 2.2, width)]

    assert len(lines) > 200
    assert [] == [line for line in lines if line[0] in "。、）」"]


def test_the_pictures_follow_the_rules() -> None:
    """The shot in the kit's picture hits the tile that it shows and ends as by the rule; the
    radar's number is the distance by the rule.
    """
    grid = lay(HOUSE_FIELD).grid
    line = grid.line(SHOOTER, "E")

    assert (HIT in line, LAST) == (True, line[-1])
    assert 4 == grid.distances[CALLER][HIDDEN]
