"""An evening in Firefox and in WebKitGTK by plain http at an address that is not this machine's
own: as phones have it, without a secure context and without WebCrypto. Chromium's tests go into
each page and step; `make nightly` and `make trust` run this.
"""

from __future__ import annotations

import time
import urllib.request
from collections.abc import Iterable
from pathlib import Path
from typing import get_args

import pytest

from companion.config import Language
from companion.i18n import read_catalogue
from tests.browser.page_objects import SLIP
from tests.browser.pseudo_locale import OTHERS
from tests.browser.screenshots import SHOTS
from tests.browser.server import TIMEOUT, TableServer, until
from tests.engines.conftest import DISPLAY_HOST, HUMAN_HOST, VAMPIRE_HOST, Open
from tests.engines.webdriver import Engine
from tests.engines.windows import PHONE, Window
from tests.web.test_in_chromium import HEARD

pytestmark = pytest.mark.soak

WIDE = (1280, 720)
KNOWN_ALONE = {
    "shisogari": "#role",
    "vampire_empire": "#own",
    "vwars": "#faction",
    "manhunt": ".secret",
}
"""The elements of a phone's page that show its seat's secret, by game."""
ASKED = """async (storage, what, args) => {
  const { Channel } = await import("/static/core/channel.js");
  return (await (await Channel.open({ storage })).request(what, args)).ok;
}"""
GAMES = ("nosferatu", *KNOWN_ALONE)
WITH_A_VAMPIRE_SEAT = ("nosferatu", "vampire_empire")
"""Games that ask, before the next one, who plays the vampire; elsewhere sides are dealt."""


def test_an_evening(
    engine: Engine, server: TableServer, window: Open, tmp_path: Path, is_exhaustive: bool
) -> None:
    """Phones join by letters, the vampire hides and stands, a human walks, asks the radar and
    shoots; then the seals are proved, the replay is opened, the same phones sit in one half of
    the other games, the other half in the other engine, and no page reports an error.
    """
    display = paired(server, window)
    vampire, human = window(VAMPIRE_HOST, PHONE), window(HUMAN_HOST, PHONE)
    display.press("players", "2")
    sit(vampire, "V")
    sit(human, "H1")
    display.press("field")
    display.press("first")
    display.shows("#doubts .fine")
    display.press("start")

    hide(vampire, "C3")
    turn_of(server, "H1")
    check_layout(human, "human", is_whole=is_exhaustive)
    walk_and_ask(human)
    display.says("#answer", "2")
    check_layout(display, "display")
    human.press("end")
    stand(vampire)
    turn_of(server, "H1")
    shoot(human)
    display.says("#answer", "Silence")

    check_speech(display, get_args(Language) if is_exhaustive else ("nl",))
    agree(display, vampire)
    check_truth(display, vampire)
    check_proof(server, vampire, tmp_path / "proof.html")
    check_replay(human, is_exhaustive)
    games = GAMES if is_exhaustive else GAMES[engine.name == "Firefox" :: 2]
    open_games(games, display, vampire, human)
    assert "" == "\n".join(engine.complaints())


def test_a_phone_of_every_game(engine: Engine, server: TableServer, window: Open) -> None:
    """By presses alone a phone keeps its seat from game to game, and shows its seat's secret while
    a finger rests on it: nothing overlaps, is cut off or covered.
    """
    display, phone = paired(server, window), window(HUMAN_HOST, PHONE)
    choose(display, GAMES[0])
    sit(phone, server.snapshot["seats"][0]["seat"])
    for game in GAMES:
        choose(display, game)
        fill(display)
        display.press("start")
        phone.shows("[data-action=rules]")
        if game in KNOWN_ALONE:
            phone.rest("#hold")
            phone.shows(KNOWN_ALONE[game])
            check_layout(phone, game)
            phone.lift()
            phone.hides(KNOWN_ALONE[game])
        check_layout(phone, f"{game}-open")
        give_up(phone)
        display.press("again")
        if game in WITH_A_VAMPIRE_SEAT:
            display.press("again", "1")
        phone.open("/seat")
    assert "" == "\n".join(engine.complaints())


def open_games(games: tuple[str, ...], display: Window, *phones: Window) -> None:
    """Begin each of these games; a phone shows its seat's secret while a finger rests on it, and
    the game ends in a draw.
    """
    for game in games:
        asks(display, "display-key", "again")
        asks(display, "display-key", "propose", change={"game": game})
        for seat in display.server.snapshot["seats"]:
            if not seat["taken"]:
                asks(display, "display-key", "give", seat=seat["seat"], level="random")
        asks(display, "display-key", "start")
        if game in KNOWN_ALONE:
            phone = with_a_secret(phones)
            phone.rest("#hold")
            phone.shows(KNOWN_ALONE[game])
            phone.lift()
            phone.hides(KNOWN_ALONE[game])
        else:
            phone = opened(phones[0])
        assert [] == phone.faults(), game
        for each in phones:
            asks(each, "seat-key", "draw")
        until(lambda: display.server.snapshot["phase"] == "over", f"the end of {game}")


def opened(phone: Window) -> Window:
    """Open the page of a phone's seat in play."""
    phone.open("/seat")
    phone.shows("[data-action=rules]")
    return phone


def with_a_secret(phones: tuple[Window, ...]) -> Window:
    """Return the first phone, opened, whose seat keeps a secret in this game."""
    return next(phone for phone in phones if opened(phone).read("#hold") is not None)


def asks(window: Window, key: str, what: str, **arguments: object) -> None:
    """Send a request as the display or as a seat."""
    assert window.run(f"return ({ASKED})(...arguments)", key, what, arguments), what


def give_up(phone: Window) -> None:
    """End the game on the page of settings; among bots a second press does it."""
    phone.open("/host")
    phone.press("draw")
    phone.says('[data-action="draw"]', "Sure?")
    time.sleep(SLIP / 1000)
    phone.press("draw")
    until(lambda: phone.server.snapshot["phase"] == "over", "the end")


def choose(display: Window, game: str) -> None:
    """Choose a game in the lobby, if it is not chosen, and wait until the display names it: the
    former game's buttons have other places.
    """
    snapshot = until(lambda: display.server.snapshot, "a picture")
    if snapshot["game"] != game:
        display.press("games")
        display.press("game", game)
    display.says("h1", read_catalogue("en")[f"game.{game}"])


def fill(display: Window) -> None:
    """Give every free seat to a bot."""
    for seat in display.server.snapshot["seats"]:
        if not seat["taken"] and "bot" not in seat:
            display.press("give", seat["seat"])
            display.press("bot", "random")
            display.says(f'[data-seat="{seat["seat"]}"]', "for children")


def paired(server: TableServer, window: Open) -> Window:
    """Open the table display."""
    display = window(DISPLAY_HOST, WIDE)
    display.open(f"/table#{server.display_address.partition('#')[2]}")
    display.shows('[data-action="players"][data-arg="2"]')
    context = display.run("return [isSecureContext, Boolean(globalThis.crypto?.subtle)]")
    assert [False, False] == context
    return display


def sit(phone: Window, seat: str) -> None:
    """Type the address, the letters beside it, once a phone, and four digits."""
    phone.open("/")
    phone.shows(f'[data-seat="{seat}"]')
    if phone.read("#code") is not None:
        phone.type("#code", phone.server.invitation["code"].lower())
        phone.hides("#code")
    phone.press("seat", seat)
    if seat[0] in "VP" or seat in ("human", "vampire"):
        phone.type("#pin", "4711")
    phone.press("sit")
    until(lambda: phone.run("return location.pathname") == "/seat", f"{seat} is taken")


def hide(vampire: Window, cell: str) -> None:
    """The secret is on the page only while a finger rests on it."""
    vampire.says("#cover", "Night")
    vampire.rest("#hold")
    vampire.shows(".secret")
    vampire.lift()
    vampire.hides(".secret")
    vampire.press("reveal")
    vampire.drag(".secret h1", "#plan")
    assert "" == vampire.run("return String(getSelection())")
    check_viewport(vampire)
    vampire.tile(cell)
    vampire.says("#plan", cell)
    check_layout(vampire, "vampire")
    vampire.press("end_night")


def check_viewport(phone: Window) -> None:
    """No page zooms by a double tap, and none reaches below a notch: a phone keeps pages out of
    there unless they ask for it.
    """
    assert "manipulation" == phone.run("return getComputedStyle(document.body).touchAction")
    viewport = phone.run("return document.querySelector('meta[name=viewport]').content")
    assert "width=device-width,initial-scale=1" == viewport


def stand(vampire: Window) -> None:
    """A night in which nothing happens."""
    vampire.says("#cover", "Night")
    vampire.press("reveal")
    vampire.press("end_night")
    vampire.says("#end-night", "Sure")
    time.sleep(SLIP / 1000)
    vampire.press("end_night")
    vampire.hides("#end-night")


def walk_and_ask(human: Window) -> None:
    """A walk onto a radar, and its question."""
    for cell in ("A2", "A3"):
        human.press("pawn", "H1a")
        human.tile(cell)
        walked(human.server, "H1a", cell)
    human.press("radar")
    # WebKit pauses a page that goes to the back, and its next press would come from an old state.
    human.says("#screen", "Radar at A3")


def shoot(human: Window) -> None:
    """A shot that misses: the arrow aims, pressed again it fires."""
    human.press("pawn", "H1b")
    human.press("shoot", "S")
    human.shows('[data-action="shoot"][data-arg="S"][aria-pressed="true"]')
    time.sleep(SLIP / 1000)
    human.press("shoot", "S")


def walked(server: TableServer, pawn: str, cell: str) -> None:
    """Wait until the record has a pawn there."""
    until(lambda: server.snapshot["view"]["pawns"][pawn] == cell, f"{pawn} on {cell}")


def turn_of(server: TableServer, seat: str) -> None:
    """Wait until a human is to move and the night is over."""
    until(
        lambda: server.snapshot["to_move"] == seat and not server.snapshot["revealing"],
        f"turn of {seat}",
    )


def check_speech(display: Window, languages: Iterable[str]) -> None:
    """The sentences of a language are played, also by a browser without Ogg."""
    for language in languages:
        sound = display.run(f"return ({HEARD})([...arguments])", language, "mp3")
        assert {"channels": 1, "sentences": True, "wrong": []} == sound


def agree(display: Window, vampire: Window) -> None:
    """End the game: the display asks for a draw and the vampire's phone agrees."""
    display.press("info")
    display.press("draw")
    vampire.press("agree")
    display.says("#banner", "A draw")


def check_truth(display: Window, vampire: Window) -> None:
    """Every night's path is shown under its seal, computed in a browser without WebCrypto."""
    display.press("reveal")
    display.says("#truth", "C3")
    display.hides("#truth .cross")
    vampire.press("truth")
    vampire.says("#truth", "C3")
    vampire.hides("#truth .cross")


def check_proof(server: TableServer, window: Window, path: Path) -> None:
    """The page that proves the game without a table works from a file."""
    address = f"http://127.0.0.1:{server.port}/proof.html"
    with urllib.request.urlopen(address, timeout=TIMEOUT) as reply:
        path.write_bytes(reply.read())
    window.engine.command("Navigate", url=path.as_uri())
    window.shows("#verdict.right")


def check_replay(window: Window, is_exhaustive: bool) -> None:
    """The replay shows the finished game moment by moment."""
    window.open("/replay")
    window.shows("#time")
    window.press("before")
    moment = window.read("#moment")
    window.press("after")
    until(lambda: window.read("#moment") != moment, "another moment")
    check_layout(window, "replay", is_whole=is_exhaustive)


def check_layout(window: Window, name: str, *, is_whole: bool = True) -> None:
    """Check a page, a whole check is in the dark and in the light style and in three languages:
    nothing overlaps, is cut off or covered; the second style has its own sheet.
    """
    path = SHOTS / f"{window.engine.name}-{name}.png"
    assert [] == window.faults()
    window.shot(path)
    if not is_whole:
        return
    for language in OTHERS:
        window.speak(language)
        assert [] == window.faults(), language
    window.speak("en")
    dark = window.run("return getComputedStyle(document.body).backgroundColor")
    window.dress("1")
    assert [] == window.faults()
    window.shot(path.with_stem(f"{path.stem}-light"))
    light = window.run("return getComputedStyle(document.body).backgroundColor")
    window.dress("0")
    assert dark == window.run("return getComputedStyle(document.body).backgroundColor")
    assert (dark != light) == window.run("return !document.body.classList.contains('cover')")
