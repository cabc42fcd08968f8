"""No press is refused in silence: whatever looks pressable acts, or says why not."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Route

from tests.browser.conftest import StartServer
from tests.browser.screens.test_layout import (
    CHANNEL,
    ORIGIN,
    SEATS,
    Pages,
    Screen,
    drawn,
    opened,
    seated,
)
from tests.browser.states import State, hunts, played

LEAVING = (
    "again", "draw", "language", "light", "look", "replay", "return", "reveal", "rules", "save",
    "truth",
)  # fmt: skip
"""What leads to another page or to a look, saves a file, or asks a table that is not there."""

SILENT = """async ([known, leaving]) => {
  const frames = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const isVisible = (it) =>
    it.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const named = (it) => {
    const { action, arg = "" } = it.dataset;
    return action ? `${action}:${arg}` : `${it.localName}.${it.getAttribute("class")}`;
  };
  // What is chosen already may be chosen again.
  const isChosen = (it) =>
    it.getAttribute("aria-pressed") === "true" || it.querySelector(".ring.chosen");
  let now = performance.now();
  // Each press is far from the one before: no slip of a finger.
  performance.now = () => {
    now += 1000;
    return now;
  };
  const silent = [];
  for (const it of document.querySelectorAll("main :is(button, [data-action], [data-cell])")) {
    const isOff = it.getAttribute("aria-disabled") === "true" || it.disabled;
    const words = it.dataset.whyNot ?? "";
    if (isOff && isVisible(it) && (!words || /[{}]|undefined/.test(words)))
      silent.push(`${named(it)} is off without a reason ${words}`);
  }
  for (const it of document.querySelectorAll("[data-why-not]"))
    if (/[{}]|undefined|^[a-z_.]+$/.test(it.dataset.whyNot))
      silent.push(`${named(it)} has no words: ${it.dataset.whyNot}`);
  const board = document.querySelector("main svg:is(#field, #map:not(#canvas *))");
  if (board && !board.matches("[data-why-not]") && isVisible(board))
    if (![...board.querySelectorAll("[data-cell], [data-city], [data-action]")].length)
      silent.push("a board that nothing can be pressed on, without a reason");
  for (const it of document.querySelectorAll("main.play [data-city] > div:not([data-why-not])"))
    if (isVisible(it)) silent.push(`${it.parentElement.dataset.city} does nothing, no reason`);
  const controls = () =>
    [...document.querySelectorAll("main :is(button, [data-action], [data-cell])")].filter(
      (it) => isVisible(it) && it.getAttribute("aria-disabled") !== "true" &&
        !isChosen(it) && !leaving.includes(it.dataset.action) && !known.includes(named(it)),
    );
  for (let left = 40; left; left -= 1) {
    const [it] = controls();
    if (!it) break;
    known.push(named(it));
    const was = document.body.innerHTML;
    const asks = globalThis.asked;
    it.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    // What has to be loaded first comes late; what is silent stays so.
    const isSilent = () => was === document.body.innerHTML && asks === globalThis.asked;
    for (let more = 60; more && isSilent(); more -= 1) await frames();
    if (it.id !== "hold" && isSilent())
      silent.push(`${named(it)} ${it.dataset.cell ?? ""} does nothing`);
  }
  return [silent, known];
}"""
"""What is refused in silence on this page; each kind of control is pressed once."""


PRESSED = """(cell) => {
  const place = document.querySelector(`g[data-cell="${cell}"][aria-disabled]`);
  place.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  const words = ["#why-not", "#say"].map((it) => document.querySelector(it).textContent);
  const isForTranslators = document.querySelector("#why-not").translate;
  dispatchEvent(new Event("blur"));
  const { length } = document.querySelectorAll(".secret, #why-not");
  return [place.dataset.whyNot, ...words, isForTranslators, length];
}"""
"""Presses a tile that must not be pressed; returns why, what is shown and read aloud, whether the
browser's translator gets it, and how much of a secret is left once the page has lost the attention.
"""


def silent(screen: Screen, known: list[str]) -> list[str]:
    """Press what is not known yet; return what stayed silent."""
    found, known[:] = screen.page.evaluate(SILENT, [known, [*LEAVING]])
    return sorted({*found})


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> list[State]:
    chosen: list[tuple[str, int, dict[str, str], int]] = [
        ("nosferatu", 2, {}, 60), ("vampire_empire", 2, {}, 60), ("vwars", 5, {}, 60),
        ("shisogari", 5, {}, 60), ("shisogari", 4, {"hands": "cards"}, 60), ("manhunt", 3, {}, 200),
    ]  # fmt: skip
    folder = tmp_path_factory.mktemp("games")
    states = [
        each
        for number, (game, players, options, most) in enumerate(chosen)
        for each in played(folder / str(number), game, players, options, most)
    ]
    return [*hunts(), *states]


class RefusingPages(Pages):
    """Pages whose table previews nothing."""

    def answer(self, route: Route) -> None:
        """Answer a page's request."""
        if not route.request.url.endswith("/static/core/channel.js"):
            return super().answer(route)
        refused = 'if (what === "preview") return { ok: false, message: { code: "stale" } };'
        head = "request = async (what) => {"
        assert head in CHANNEL
        body = CHANNEL.replace(head, f"{head} {refused}").replace("HELLO", json.dumps(self.hello))
        return route.fulfill(body=body, content_type="text/javascript")


@pytest.fixture
def pages() -> Pages:
    return RefusingPages()


@pytest.fixture
def phone(browser: Browser, pages: Pages) -> Iterator[Screen]:
    yield from opened(browser, pages, is_phone=True)


@pytest.mark.parametrize("game", SEATS)
def test_displays_say_why(display: Screen, games: list[State], game: str) -> None:
    """On the display, in every state of every game."""
    known: list[str] = []
    found = []
    for state in games:
        if (state.snapshot["game"], state.snapshot["phase"]) in ((game, "play"), (game, "over")):
            drawn(display, state)
            found += [f"{state.name}: {each}" for each in silent(display, known)]

    assert [] == found, "\n".join(found)


@pytest.mark.parametrize("game", SEATS)
def test_phones_say_why(phone: Screen, games: list[State], game: str) -> None:
    """On the phones of every game's seats, covered and looked at."""
    found = []
    states = [each for each in games if each.snapshot["game"] == game]
    for seat in SEATS[game]:
        known: list[str] = []
        seated(phone, states[0], seat)
        for state in states:
            phone.page.evaluate("dispatchEvent(new Event('blur'))")
            phone.show(state, seat)
            phone.page.wait_for_selector("main")
            found += [f"{state.name} {seat}: {each}" for each in silent(phone, known)]
            phone.page.evaluate("dispatchEvent(new Event('blur'))")
            if seat in state.private and phone.page.locator("#hold").count():
                if not phone.page.locator(".secret").count():
                    phone.page.locator("#reveal, #look").tap()
                phone.page.wait_for_selector(".secret")
                found += [f"{state.name} {seat} looked: {each}" for each in silent(phone, known)]

    assert [] == found, "\n".join(found)


@pytest.mark.parametrize("role", ["guest", "display"])
def test_other_pages_say_why(phone: Screen, start_server: StartServer, role: str) -> None:
    """The pages of the host, the board, the camera, the tiles, the maps, the typed path and of
    joining, before a game, in one and after it, for a guest and for who may change things.
    """
    phone.pages.hints["diagnostics"] = start_server("tags").get("/diagnostics")
    lobby, turn, over = (
        next(each for each in hunts() if each.name == f"vampireradar-{name}")
        for name in ("lobby", "turn", "over")
    )
    begun = State("begun", lobby.snapshot | {"seats": turn.snapshot["seats"]})
    typed: dict[str, object] = {"announced": [[], [], []], "typed": None}
    path = State("path", over.snapshot | {"paper": typed})
    asked = {
        "join": [lobby, turn], "host": [lobby, turn], "board": [begun], "camera": [lobby],
        "tiles": [lobby, turn], "map": [lobby, turn], "map-editor": [lobby], "paper": [over, path],
    }  # fmt: skip
    silence = []
    for page, states in asked.items():
        known: list[str] = []
        for state in states:
            phone.pages.state = state
            phone.pages.hello = {
                "role": "guest" if page == "join" else role, "snapshot": state.snapshot,
            }  # fmt: skip
            phone.page.goto(f"{ORIGIN}/{page}")
            if page != "camera":
                phone.page.wait_for_function("() => 'tell' in globalThis")
                phone.show(state)
            phone.page.wait_for_selector("main")
            silence += [f"{page} {state.name}: {each}" for each in silent(phone, known)]

    assert [] == silence, "\n".join(silence)


def test_a_reason_stays_under_the_hold(phone: Screen) -> None:
    """The reason of a refused press is read aloud on an open page; under the hold it is silent, not
    for a translator, and gone with the look.
    """
    turn, night = (
        next(each for each in hunts() if each.name == f"vampireradar-{name}")
        for name in ("turn", "night")
    )
    seated(phone, turn, "H1")
    why, shown, aloud, is_translated, _ = phone.page.evaluate(PRESSED, "E4")
    assert (why, why, True) == (shown, aloud, is_translated)

    seated(phone, night, "V")
    phone.page.locator("#reveal").tap()
    phone.page.locator('g[data-cell="A1"]').wait_for()
    why, shown, aloud, is_translated, left = phone.page.evaluate(PRESSED, "A1")
    assert (why, "", False, 0) == (shown, aloud, is_translated, left)
