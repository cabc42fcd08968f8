"""Every screen in every state that a real evening brings, in every language and in one of longer
words: a picture of each, no violation, nothing to scroll, no word that is in no catalogue.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import HANDHELD, SEVEN_INCH, WIDE, Screens, with_slow_dawns
from tests.browser.page_objects import Display, Screen
from tests.browser.pseudo_locale import MADE_UP, OTHERS, literal, tongues
from tests.browser.screenshots import (
    COLOURS,
    OF_SIZES,
    save_screenshot,
    settled,
    spilled,
    sunlit,
    violations,
)
from tests.browser.server import Json, TableServer

REQUEST = """async ([what, args]) => {
  const { Channel } = await import("/static/core/channel.js");
  return (await Channel.open({ storage: "display-key" })).request(what, args);
}"""

LISTEN = """() => {
  const start = AudioBufferSourceNode.prototype.start;
  globalThis.heard = [];
  AudioBufferSourceNode.prototype.start = function (when, offset, seconds) {
    if (seconds !== undefined) heard.push(offset);
    return start.call(this, when, offset, seconds);
  };
}"""
"""Notes where in the recording each sentence begins that the page plays."""
HEARD = """async ([language, code]) => {
  const list = await fetch(`/static/screens/table/speech/${language}.json`);
  const { start } = (await list.json())[code];
  for (let left = 300; !heard.includes(start); left -= 1) {
    if (!left) throw new Error(`${code} was not said, but ${heard}`);
    await new Promise((done) => setTimeout(done, 100));
  }
}"""

DOUBTFUL = [".bb...", ".ooo..", "rwo.ob", "bowowr", "w.oo..", ".wrb.."]

SUNLIT = {
    "table-lobby-ready", "table-turn-pawn-chosen", "table-radar-answer", "table-shot-aimed",
    "table-board-ambiguous", "table-night", "table-over", "join", "host", "board", "human-turn",
    "vampire-map",
}  # fmt: skip
"""What is looked at in the light look too, and by axe on a large display: every colour that a
screen has is in one of these.
"""


class Album:
    """Takes each screen's picture and keeps what is wrong with it.

    In an exhaustive run it looks at each size in each language with every rule. Else each screen
    speaks English and the made-up language of longer words; a large display speaks English, since
    the same words have less room on a small one. Axe looks with every rule at English in one size,
    at some screens in the other one with those rules that a size can break.
    """

    def __init__(self, is_exhaustive: bool) -> None:
        self.wrong: list[str] = []
        self._is_exhaustive = is_exhaustive

    def display(self, display: Screen, name: str) -> None:
        """Take a table display at both its sizes; it must never need scrolling."""
        for size in (SEVEN_INCH, WIDE):
            self._take(display, f"table-{name}", size)

    def phone(self, phone: Screen, name: str) -> None:
        """Take a phone; it may be longer than its window, never wider."""
        self._take(phone, name, HANDHELD)

    def quick(self, display: Display, name: str) -> None:
        """Take a display that will not stay so: stop it first, then look at leisure."""
        display.drop_streams()
        self.display(display, name)
        display.restore_streams()

    def _take(self, screen: Screen, name: str, size: tuple[int, int]) -> None:
        label = f"{name}-{size[0]}x{size[1]}"
        if size != HANDHELD:
            screen.page.set_viewport_size({"width": size[0], "height": size[1]})
        settled(screen.page)
        is_repeated = size == WIDE and not self._is_exhaustive
        only: Sequence[str] = OF_SIZES if is_repeated else ()
        is_looked_at = name in SUNLIT or not is_repeated
        self._look(screen.page, label, size, violations(screen.page, only) if is_looked_at else [])
        if name in SUNLIT and size != WIDE:
            colours = () if self._is_exhaustive else COLOURS
            with sunlit(screen.page):
                self._look(screen.page, f"{label}-light", size, violations(screen.page, colours))
        if size == WIDE and not self._is_exhaustive:
            return
        for tongue in tongues(screen.page, OTHERS if self._is_exhaustive else ()):
            # Of the made-up language a screen reader is told nothing.
            if tongue == MADE_UP:
                defects = [f"in no catalogue: {words}" for words in literal(screen.page)]
            else:
                defects = violations(screen.page)
            self._look(screen.page, f"{label}-{tongue}", size, defects, is_kept=False)

    def _look(
        self,
        page: Page,
        label: str,
        size: tuple[int, int],
        defects: list[str],
        is_kept: bool = True,
    ) -> None:
        """Keep what is wrong, and the picture where it is wanted or shows a fault."""
        settled(page)
        right, down = spilled(page)
        if right or (down and size != HANDHELD):
            defects = [*defects, f"spills {right} px to the right and {down} px down"]
        if defects or is_kept:
            # Twice as soon written as a PNG.
            save_screenshot(page, f"{label}.jpg", is_fault=bool(defects), type="jpeg", quality=90)
        self.wrong += [f"{label}: {each}" for each in defects]


class GameTable:
    """A display, the vampire's phone, two humans' phones, and the album of their pictures."""

    def __init__(self, server: TableServer, screens: Screens, album: Album) -> None:
        self.server = server
        self.album = album
        self.display = screens.display(server)
        self.vampire = screens.vampire(server)
        self.ana, self.ben, self.guest = (screens.phone(server) for _ in range(3))

    def begin(self, cell: str) -> None:
        """Seat everybody, start a game of four, and let the vampire hide."""
        self.display.press("players", "4")
        self.vampire.sit("V")
        self.ana.sit("H1", name="Ana")
        self.ben.sit("H2", name="Ben")
        self.display.begin(self.vampire, cell, players=4)

    def propose(self, change: Json) -> None:
        """Propose what no button proposes."""
        assert self.display.page.evaluate(REQUEST, ["propose", {"change": change}])["ok"]


@pytest.fixture
def game_table(server: TableServer, screens: Screens, is_exhaustive: bool) -> Iterator[GameTable]:
    game_table = GameTable(server, screens, Album(is_exhaustive))
    yield game_table
    assert [] == game_table.album.wrong, "\n".join(game_table.album.wrong)


def test_screens_before_a_game(game_table: GameTable) -> None:
    """Lobby, field and joining, with the pages of settings and sensors."""
    album, display, vampire, ana = (
        game_table.album,
        game_table.display,
        game_table.vampire,
        game_table.ana,
    )
    display.shows('[data-action="start"][aria-disabled="true"]')
    album.display(display, "lobby")
    display.press("info")
    display.press("light")
    display.shows("html.light")
    display.press("light")
    display.shows("html:not(.light)")
    album.display(display, "lobby-more")
    display.press("info")
    display.press("games")
    display.shows('[data-action="game"][data-arg="shisogari"]')
    album.display(display, "games")
    display.press("seats")
    joining(game_table)
    ana.sit("H1", name="Ana")
    album.phone(ana, "human-lobby")
    album.phone(vampire, "vampire-lobby")
    display.press("players", "4")
    display.shows('[data-seat="H3"]')
    album.display(display, "lobby-ready")
    fields(game_table)
    ana.page.goto(game_table.server.phone("/host"))
    ana.shows('[data-action="option"]')
    album.phone(ana, "host")
    ana.page.goto(game_table.server.phone("/board"))
    ana.shows("#live")
    ana.press("light")
    ana.shows("html.light")
    ana.press("light")
    album.phone(ana, "board")


def joining(game_table: GameTable) -> None:
    """The vampire's way in."""
    album, vampire, server = game_table.album, game_table.vampire, game_table.server
    vampire.page.goto(server.phone("/join"))
    vampire.shows("#code")  # the address alone asks for the letters
    album.phone(vampire, "join-unknown")
    vampire.page.goto("about:blank")
    vampire.page.goto(server.invitation["url"])
    vampire.shows('[data-seat="V"]')
    album.phone(vampire, "join")
    vampire.press("seat", "V")
    vampire.shows("#pin")
    album.phone(vampire, "join-pin")
    vampire.page.goto("about:blank")
    vampire.sit("V")
    vampire.shows("#cover")


def fields(game_table: GameTable) -> None:
    """The set-up of the field: a good one, none, one that breaks rules."""
    album, display = game_table.album, game_table.display
    display.press("field")
    game_table.propose({"field": None, "start": None})
    display.says("main", "random")
    album.display(display, "field-random")
    display.press("first")
    display.shows("#doubts .fine")
    album.display(display, "field")
    game_table.propose({"field": {"tiles": DOUBTFUL, "walls": ["A4-A5"]}})
    display.says('[data-action="start"]', "anyway")
    album.display(display, "field-doubts")


@pytest.mark.sound
def test_screens_of_turns_and_answers(game_table: GameTable) -> None:
    """A radar offered and answered, a shot aimed, a hit and a silence, and the question whether to
    take one back.
    """
    album, display, vampire, ana, ben = (
        game_table.album, game_table.display, game_table.vampire, game_table.ana, game_table.ben,
    )  # fmt: skip
    game_table.begin("C3")
    album.display(display, "turn")
    album.phone(ana, "human-turn")
    album.phone(ben, "human-waiting")
    album.phone(vampire, "vampire-cover")
    display.tile("F1")
    display.shows("#field .ring.chosen")
    album.display(display, "turn-pawn-chosen")
    game_table.guest.page.goto(game_table.server.phone("/table"))
    game_table.guest.shows("#banner")
    album.phone(game_table.guest, "guest")

    display.walk("H1a", "A2", "A3")
    display.shows('[data-action="radar"]')
    album.display(display, "radar-offer")
    album.phone(ana, "human-radar-offer")
    display.page.evaluate(LISTEN)
    display.press("radar")
    display.says("#answer b", "2")
    display.page.evaluate(HEARD, ["en", "spoken.number.2"])
    album.display(display, "radar-answer")
    album.phone(ana, "human-no-actions")
    leave_vote_open(game_table)
    display.end_turn("H1", "H2")
    display.says("#caption", "Ana ends the turn.")
    shots(game_table)


def leave_vote_open(game_table: GameTable) -> None:
    """Someone wants to take back a disclosure: all vote, nobody agrees."""
    album, display = game_table.album, game_table.display
    display.press("undo")
    display.says("#banner", "Take the last action back")
    game_table.ben.shows("#vote")
    game_table.vampire.shows("#vote")
    album.display(display, "vote")
    album.phone(game_table.ben, "human-vote")
    album.phone(game_table.vampire, "vampire-vote")
    game_table.ben.press("refuse")
    display.says("#banner", "Ana")


def shots(game_table: GameTable) -> None:
    """One that finds nobody, one that hits."""
    album, display, ben = game_table.album, game_table.display, game_table.ben
    ben.press("pawn", "H2a")
    ben.press("shoot", "S")
    ben.shows("#field .shot")
    album.phone(ben, "human-shot-aimed")
    display.tile("F1")
    display.aim("S")
    album.display(display, "shot-aimed")
    display.fire_aimed("S")
    display.says("#answer", "Silence")
    album.display(display, "shot-silence")
    album.phone(game_table.ana, "human-waiting-answer")
    display.end_turn("H2", "H3")
    display.walk("H3c", "B1")
    display.walk("H3c", "C1")
    display.end_turn("H3", "V")
    game_table.vampire.look()
    game_table.vampire.end_night()
    display.turn_of("H1")
    display.walk("H1a", "B3")
    display.shoot("B3", "E")
    display.says("#answer", "Hit")
    album.display(display, "shot-hit")


@pytest.mark.soak
def test_screens_of_a_board_that_is_not_right(game_table: GameTable) -> None:
    """Two ways a pawn may have gone, a pawn where none may be, a board that falls silent, and what
    it senses.
    """
    album, display, board = game_table.album, game_table.display, game_table.server.board
    game_table.begin("C3")
    board.put("H1a", "B2")
    display.shows('#choices [data-action="reading"]')
    album.display(display, "board-ambiguous")
    display.settle(1)
    display.pawn_on("H1a", "B2")
    board.put("H2a", "E4")
    display.shows('[data-action="board"][data-arg="put_back"]')
    album.display(display, "board-unexplained")
    game_table.ana.says("#look", "table display")
    album.phone(game_table.ana, "human-board-unexplained")
    game_table.guest.page.goto(game_table.server.phone("/board"))
    game_table.guest.says("#fault", "not a pawn of the player")
    album.phone(game_table.guest, "board-unexplained")
    board.put("H2a", None)
    display.until(lambda snapshot: snapshot["board"]["state"] == "lifted", "a pawn in the hand")
    album.display(display, "board-lifted")
    board.put("H2a", "F1")
    display.in_sync()
    board.terminal.do(lambda virtual, now: setattr(virtual.faults, "silence", True))
    display.until(lambda snapshot: snapshot["board"]["link"] == "silent", "silence")
    display.says("#banner", "board")
    album.display(display, "board-silent")
    album.phone(game_table.guest, "board-silent")
    board.terminal.do(lambda virtual, now: setattr(virtual.faults, "silence", False))
    display.until(lambda snapshot: snapshot["board"]["link"] == "up", "the board again")
    board.terminal.unplug()
    display.until(lambda snapshot: snapshot["board"]["link"] != "up", "an unplugged board")
    album.display(display, "board-unplugged")


@pytest.mark.soak
@with_slow_dawns
def test_screens_of_the_night_and_the_end(game_table: GameTable) -> None:
    """Hiding, the night on every screen, a dawn with a kill, a human who is out, the end and the
    truth.
    """
    album, display, vampire = game_table.album, game_table.display, game_table.vampire
    display.press("players", "4")
    vampire.sit("V")
    game_table.ana.sit("H1", name="Ana")
    game_table.ben.sit("H2", name="Ben")
    game_table.propose({"options": {"pawns_each": 1}})
    display.set_up()
    display.press("start")
    display.lay_table()
    hiding(game_table)
    display.end_turn("H1", "H2")
    display.walk("H2a", "F2")
    display.walk("H2a", "E2")
    display.end_turn("H2", "H3")
    display.end_turn("H3", "V")
    night(game_table)
    album.phone(game_table.ana, "human-turn-after-night")
    quiet_dawn(game_table)
    game_table.ana.page.goto(game_table.server.phone("/host"))
    vampire.page.goto(game_table.server.phone("/host"))
    vampire.press("surrender")
    album.phone(vampire, "host-playing")
    vampire.press_again("surrender")
    over(game_table)


def hiding(game_table: GameTable) -> None:
    """The vampire chooses a start."""
    album, display, vampire = game_table.album, game_table.display, game_table.vampire
    vampire.says("#cover", "Night")
    album.display(display, "choosing")
    album.phone(vampire, "vampire-cover-night")
    vampire.look()
    album.phone(vampire, "vampire-start")
    vampire.step("E3")
    album.phone(vampire, "vampire-start-chosen")
    vampire.press("end_night")
    vampire.says(".secret h1", "Wait for dawn")
    vampire.cover()
    display.turn_of("H1")


def night(game_table: GameTable) -> None:
    """A kill in the night."""
    album, display, vampire = game_table.album, game_table.display, game_table.vampire
    vampire.says("#cover", "Night")
    album.display(display, "night")
    album.phone(game_table.ana, "human-night")
    vampire.look()
    album.phone(vampire, "vampire-map")
    vampire.tile("E2")
    vampire.shows("#sheet")
    album.phone(vampire, "vampire-sheet")
    vampire.press("attack")
    vampire.says("#plan", "E2")
    album.phone(vampire, "vampire-drafted")
    vampire.cover()
    vampire.press("rules")
    vampire.says("#rules", "Vampire Radar")
    album.phone(vampire, "vampire-rules")
    vampire.page.go_back()
    vampire.look()
    vampire.says("#plan", "E2")
    vampire.press("end_night")
    vampire.says("#end-night", "Sure")
    album.phone(vampire, "vampire-sure")
    vampire.press_again("end_night")
    vampire.hides("#end-night")
    display.until(
        lambda snapshot: "pawns_killed" in map(name_of, snapshot["log"]), "a kill that is told"
    )
    album.quick(display, "dawn-kill")
    display.until(lambda snapshot: not snapshot["revealing"], "dawn")
    display.says("#banner", "Take")
    display.says("#dawn", "gone")
    display.hides('[data-action="board"][data-arg="put_back"]')
    album.display(display, "dawn-owed")
    game_table.ben.says("#screen", "gone")
    album.phone(game_table.ben, "human-out")
    game_table.server.board.put("H2a", None)
    display.turn_of("H1")
    display.in_sync()
    album.display(display, "turn-one-out")
    vampire.hides(".secret")  # nobody has touched the glass for 8 seconds
    vampire.look()
    vampire.press("log")
    vampire.shows("#notes")
    album.phone(vampire, "vampire-log")
    vampire.cover()


def name_of(entry: Json) -> str:
    """The name of the event in an entry of the public log."""
    return str(entry["event"]["event"])


def quiet_dawn(game_table: GameTable) -> None:
    """A night in which nothing happens."""
    album, display, vampire = game_table.album, game_table.display, game_table.vampire
    display.press("info")
    album.display(display, "more")
    display.press("info")
    display.end_turn("H1", "H3")
    display.end_turn("H3", "V")
    vampire.says("#cover", "Night")
    vampire.look()
    vampire.end_night()
    display.says("#banner", "sealed")
    album.quick(display, "night-sealed")
    display.turn_of("H1")
    display.says("#dawn", "A quiet night.")
    album.display(display, "dawn-quiet")
    vampire.cover()


def over(game_table: GameTable) -> None:
    """Who won, and where the vampire was."""
    album, display, ana = game_table.album, game_table.display, game_table.ana
    display.says("#banner", "The village lives")
    album.display(display, "over")
    display.press("reveal")
    display.shows("#truth li")
    album.display(display, "truth")
    ana.page.goto(game_table.server.phone("/seat"))
    ana.press("truth")
    ana.shows("#truth li")
    album.phone(ana, "human-over")
    game_table.vampire.page.goto(game_table.server.phone("/seat"))
    game_table.vampire.press("truth")
    game_table.vampire.shows("#truth li")
    album.phone(game_table.vampire, "vampire-over")
