"""Two games with one public history, which differ in the secret alone, read alike on every other
screen: the display, the phones of those who share no secret, and the covered ones.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch
from zlib import crc32

import pytest
from msgspec import Struct, to_builtins
from playwright.sync_api import Browser, Page, Route

from companion.core.game import Seat
from companion.games import GAMES, find_game
from companion.games.shisogari import deal as shisogari_deal
from companion.games.vampire_empire import deal as vampire_empire_deal
from companion.games.vwars import deal as vwars_deal
from companion.table.fairness.shuffle import Shuffle
from companion.table.table import Table
from tests.browser.phones.test_secrets_in_pages import SEAL
from tests.browser.screens.test_layout import KINDS, WEB, Pages, Screen, open_paired, opened, seated
from tests.browser.states import NAMES, State
from tests.browser.tree_player import read_tree
from tests.table.play import Play, start_with_all
from tools.secrecy import http_cards, http_manhunt, http_vampire_empire
from tools.secrecy.http_cards import CardPair
from tools.secrecy.random_games import begin

Json = dict[str, Any]

PAIRS: dict[str, tuple[Callable[..., CardPair], Any, int]] = {
    "manhunt": (http_manhunt.make_pair, None, 3),
    "shisogari": (http_cards.make_pair, shisogari_deal, 4),
    "vampire_empire": (http_vampire_empire.make_pair, vampire_empire_deal, 2),
    "vwars": (http_cards.make_pair, vwars_deal, 3),
}
"""The maker of pairs, the module that deals, and the number of players. Vampire Radar's pairs are
those of `test_secrets_in_pages.py`.
"""
WITHOUT_SECRETS = {"nosferatu"}
SEED = 6
TURNS = 8
FEW = 6
"""Moments in which a planted leak is there."""
PATIENCE = 30
"""Seconds in which two pages draw the same on a loaded machine."""
COUNTS = {
    "manhunt": "unseen",
    "shisogari": "needed",
    "vampire_empire": "city",
    "vwars": "sympathy",
}
"""A public count that all screens of a game read out."""
Leak = Callable[[Json, Table], None]


class Moment(Struct, frozen=True):
    """What a table publishes at once, and what each seat sees alone."""

    state: State
    events: list[Json]


class LeakingPages(Pages):
    """The pages, with a covered button that describes the secret under the cover."""

    def answer(self, route: Route) -> None:
        if not route.request.url.endswith("/static/core/phone.js"):
            super().answer(route)
            return
        text = (WEB / "core" / "phone.js").read_text(encoding="utf-8")
        for before, after in (
            ("stack({ look, snapshot }, more", "stack({ look, snapshot, secret }, more"),
            ('{ type: "button" },', '{ type: "button", title: JSON.stringify(secret?.own) },'),
        ):
            assert 1 == text.count(before), before
            text = text.replace(before, after)
        route.fulfill(body=text, content_type=KINDS[".js"])


def moments(
    folder: Path, name: str, pair: CardPair, game_table: Any, leak: Leak | None = None
) -> list[Moment]:
    """Play one side of a pair and return what its table published; `leak` spoils a snapshot."""
    game, dealing = find_game(name), PAIRS[name][1]
    play = Play(folder, game)
    table, seats = play.table, game.seat_names(pair.twins.players)
    setup = {"game": name, "players": len(seats), **to_builtins(pair.twins.setup)}
    table.lobby.propose(setup)
    for number, (seat, person) in enumerate(zip(seats, NAMES, strict=False), start=1):
        table.seats.claim(Seat(seat), person, f"{number:064x}")
    published: list[Moment] = []
    drawn = "start"

    def publish() -> None:
        snapshot = json.loads(json.dumps(table.snapshot()))
        if leak:
            leak(snapshot, table)
        last = published[-1].state.snapshot["position"] if published else snapshot["position"]
        private = {str(seat): table.seat_snapshot(Seat(seat)) for seat in seats}
        published.append(
            Moment(
                State(name, snapshot, private, table.reference()),
                [entry for entry in snapshot["log"] if entry["position"] > last],
            )
        )

    with ExitStack() as stack:
        stack.enter_context(patch.object(Shuffle, "draw", lambda *_: drawn))
        if dealing:
            stack.enter_context(patch.object(dealing, "draw", lambda *_: game_table.deal))
        start_with_all(table)
        publish()
        for turn in game_table.turns if dealing else game_table:
            drawn = getattr(turn, "chance", "")
            play.submit(turn.seat, *(getattr(turn, "actions", None) or [turn.action]))
            if turn.is_secret:
                publish()
                play.clock.advance(60)
            publish()
    table.close()
    return published


class Reader:
    """One side's screens, each in a browser of its own: the display and each seat's phone."""

    def __init__(self, browser: Browser, pages: Callable[[], Pages], first: Moment) -> None:
        self._opened: list[Iterator[Screen]] = []
        self.screens: dict[str, Screen] = {}
        for seat in ("display", *first.state.private):
            opening = opened(browser, pages(), is_phone=seat != "display")
            self._opened.append(opening)
            screen = next(opening)
            self.screens[seat] = screen
            if seat == "display":
                open_paired(screen)
            else:
                seated(screen, first.state, seat)
        self.tell(first)
        for screen in self.screens.values():
            screen.page.wait_for_selector("#open-commands", state="attached")

    def tell(self, moment: Moment) -> None:
        """Send every screen what was published."""
        state = moment.state
        for seat, screen in self.screens.items():
            screen.pages.state = state
            own = state.private.get(seat)
            screen.page.evaluate(
                """async ([update, own, role]) => {
                  tell(update, own, role);
                  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
                }""",
                [
                    {"snapshot": state.snapshot, "events": moment.events},
                    own,
                    seat if own else None,
                ],
            )

    def close(self) -> None:
        """Close all screens; a fault that one of them reported is an error."""
        for opening in self._opened:
            assert next(opening, None) is None


def read(page: Page) -> list[str]:
    """Return what is read on a page, but for seals: they are random."""
    return [str(each.spoken) for each in read_tree(page) if not each.name.startswith(SEAL)]


def read_alike(one: Page, two: Page, patience: float) -> tuple[list[str], list[str]]:
    """Return what two pages read as soon as it is the same, at last what they read."""
    end = time.monotonic() + patience
    while (pair := (read(one), read(two)))[0] != pair[1] and time.monotonic() < end:
        one.wait_for_timeout(50)
    return pair


def differences(
    browser: Browser,
    folder: Path,
    name: str,
    patience: float = PATIENCE,
    most: int | None = None,
    leak: Leak | None = None,
    pages: Callable[[], Pages] = Pages,
) -> dict[str, list[str]]:
    """Play both sides of a pair, and return for each screen the first lines that differ, in the
    first `most` moments.
    """
    make, _, players = PAIRS[name]
    pair = make(SEED, players, TURNS, 1_000_000, name)
    assert pair.twins.unlike
    sides = [
        moments(folder / str(number), name, pair, side, leak)
        for number, side in enumerate((pair.twins.one, pair.twins.two))
    ]
    readers = [Reader(browser, pages, side[0]) for side in sides]
    trees: dict[str, set[str]] = {}
    unlike: dict[str, list[str]] = {}
    for number, both in enumerate(islice(zip(*sides, strict=True), most)):
        for reader, moment in zip(readers, both, strict=True):
            if number:
                reader.tell(moment)
        for seat, screen in readers[0].screens.items():
            if seat in unlike:
                continue
            one, two = read_alike(screen.page, readers[1].screens[seat].page, patience)
            trees.setdefault(seat, set()).add("\n".join(one))
            if one != two:
                unlike[seat] = [f"moment {number}", *sorted({*one} ^ {*two})]
    for reader in readers:
        reader.close()
    # Each screen has read what was published.
    assert unlike or all(len(each) > 2 for each in trees.values()), {
        seat: len(each) for seat, each in trees.items()
    }
    return unlike


def secret_number(table: Table) -> int:
    """Return a number from 1 to 7 that depends on what the seats know alone."""
    return crc32(repr(table.state.run.state.private).encode()) % 7 + 1


def test_every_game_with_a_secret_has_pairs() -> None:
    """A game in which no seat knows anything alone needs no pairs; every other one has some."""
    assert {game.name for game in GAMES} == {*PAIRS, "vampireradar"} | WITHOUT_SECRETS
    for name in WITHOUT_SECRETS:
        state, *_ = begin(find_game(name), find_game(name).seats[0], Random(0))
        assert not state.private


@pytest.mark.soak
@pytest.mark.parametrize("name", PAIRS)
def test_twins_read_alike(browser: Browser, tmp_path: Path, name: str) -> None:
    """At each step of two games that differ in the secret alone the accessibility trees of the
    display and of every phone, covered where it has a secret, are the same.
    """
    assert {} == differences(browser, tmp_path, name)


@pytest.mark.soak
@pytest.mark.parametrize("name", PAIRS)
def test_a_count_that_depends_on_the_secret_is_seen(
    browser: Browser, tmp_path: Path, name: str
) -> None:
    """Planted: a count that everybody hears depends on the secret; display and phones read it."""

    def leak(snapshot: Json, table: Table) -> None:
        snapshot["view"][COUNTS[name]] = secret_number(table)

    unlike = differences(browser, tmp_path, name, patience=0, most=FEW, leak=leak)
    assert "display" in unlike
    assert len(unlike) > 1


@pytest.mark.soak
@pytest.mark.parametrize("name", PAIRS)
def test_a_button_that_depends_on_the_secret_is_seen(
    browser: Browser, tmp_path: Path, name: str
) -> None:
    """Planted: a button of the covered phone describes what its seat knows alone."""
    unlike = differences(browser, tmp_path, name, patience=0, most=FEW, pages=LeakingPages)
    assert unlike
    assert "display" not in unlike
