"""Vampire Empire on two phones and the display: a whole game by clicks, the sample's label, and
with real cards.
"""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from playwright.sync_api import TimeoutError, expect

from companion.games.vampire_empire.cards import CHARACTERS as COURT
from companion.games.vampire_empire.cards import sample_decks
from tests.browser.conftest import HANDHELD, SEVEN_INCH, WIDE, Screens, StartServer
from tests.browser.games.test_whole_game import decided_again
from tests.browser.looks import broken
from tests.browser.page_objects import Display, Phone
from tests.browser.pseudo_locale import MADE_UP, tongues
from tests.browser.screens.test_screens import REQUEST
from tests.browser.screenshots import cut_off, save_screenshot, settled, spilled, sunlit
from tests.browser.server import TableServer
from tests.helpers.repetitions import soak

LABEL = "SAMPLE CONTENT, not from the box"
SHORT = """format = 1
game = "vampire_empire"
title = "Kort"
language = "nl"
sample = false
card = [
  { id = "v-all", deck = "vampire", kind = "combat", name = "Oude schuld", value = 2, borders = ["noble", "servant"], copies = 6 },
  { id = "v-clergy", deck = "vampire", kind = "combat", name = "Koster", value = 2, borders = ["clergy"], copies = 3 },
  { id = "v-night", deck = "vampire", kind = "support", name = "Nacht", text = "Trek een kaart.", effects = [{ do = "draw", count = 1 }] },
  { id = "h-all", deck = "human", kind = "combat", name = "Trouw", value = 2, borders = ["noble", "servant"], copies = 5 },
  { id = "h-water", deck = "human", kind = "holy", name = "Wijwater", value = 1, borders = ["holy", "clergy"], copies = 4 },
]
[translations.en]
"Wijwater" = "Holy water"
"""  # noqa: E501
"""Decks of ten and nine cards, so that an evening is short."""
TRIES = 8
TAP_MS = 4000
MOST = 120
"""Clicks after which a game of so few cards must be over."""


def proposed(server: TableServer, screens: Screens, options: dict[str, object]) -> Display:
    """Choose the game in the lobby, with these options."""
    display = screens.display(server)
    display.press("games")
    display.press("game", "vampire_empire")
    display.until(lambda snapshot: snapshot["game"] == "vampire_empire", "another game")
    assert display.page.evaluate(REQUEST, ["propose", {"change": {"options": options}}])["ok"]
    return display


QUICK = """() => {
  const [now, later] = [performance.now.bind(performance), setTimeout];
  performance.now = () => 10 * now();
  window.setTimeout = (act, ms, ...more) => (ms !== 4000 ? later(act, ms === 20000 ? 60000 : ms, ...more) : window.held ? window.held.push(act) : act());
}"""  # noqa: E501
"""Lets a page's time fly, so that no press of a test comes too soon to be meant; an answer is read
at once, or when the test has `held` it; who looks is slow.
"""


def seated(server: TableServer, screens: Screens) -> dict[str, Phone]:
    """Let Ana and Ben sit down. Their fingers are quicker than people's."""
    phones = {"vampire": screens.phone(server), "human": screens.phone(server)}
    for (seat, phone), name in zip(phones.items(), ("Ana", "Ben"), strict=True):
        phone.sit(seat, name=name)
        phone.page.evaluate(QUICK)
    return phones


def shot(
    screen: Display | Phone, name: str, *, may_scroll: bool = False, is_new: bool = True
) -> None:
    """Keep a picture; nothing on the page may be wrong or spill."""
    settled(screen.page)
    save_screenshot(screen.page, f"empire-{name}.png")
    assert [] == broken(screen.page, is_new=is_new)
    wide, high = spilled(screen.page)
    assert 0 == wide
    assert may_scroll or 0 == high


def at_both_sizes(display: Display, name: str) -> None:
    """Keep a picture of the display on 7 inches and on a large one."""
    for width, height in (SEVEN_INCH, WIDE):
        display.page.set_viewport_size({"width": width, "height": height})
        shot(display, f"{name}-{width}", is_new=(width, height) == SEVEN_INCH)


def look(phone: Phone) -> None:
    """Look at the own part, if it is not looked at."""
    if not phone.at(".secret").count():
        phone.press("reveal")
    phone.shows(".secret")


USE = '#acts [data-action="use"]'
WAYS = (
    "#declines button.prime",
    USE,
    "#acts button.prime",
    "#hand button.lit",
    '#acts [data-action="attacker"]',
    "#acts button",
)
"""What is pressed first where several things may be done: a fight before passing, a card where one
is asked for.
"""
CHOSEN = (
    USE,
    '#acts [data-action="attacker"]:not([data-action="attacker"][data-arg=""])',
    '#acts [data-action="do"]',
)
"""What is pressed after a character or a card was chosen."""
ATTACK = (
    '#acts button:has-text("Against")',
    '#acts [data-action="attacker"]:not([data-action="attacker"][data-arg=""])',
    '#acts [data-action="who"]:not([data-action="who"][data-arg=""])',
)
"""What leads to an attack, the last step first."""
CELLAR = ('#acts button:has-text("The cellar is my deck now")', '[data-action="beside"]')


def tap(phone: Phone, *ways: str) -> str:
    """Tap the first of these ways that there is on the own part, and return what it does. The page
    may be redrawn under the finger, or cover itself: then look and tap again.
    """
    for _ in range(TRIES):
        with contextlib.suppress(TimeoutError):
            look(phone)
            phone.at(", ".join(ways)).first.wait_for(timeout=TAP_MS)
            button = phone.at(next((way for way in ways if phone.at(way).count()), ways[0])).first
            action = str(button.get_attribute("data-action", timeout=TAP_MS))
            button.tap(timeout=TAP_MS)
            return action
    raise AssertionError(f"none of {ways} could be tapped")


def move(phone: Phone, first: tuple[str, ...] = WAYS, then: tuple[str, ...] = CHOSEN) -> None:
    """Press the first of the ways on the page as the game stands, and what it then asks for, until
    something is done: the page may lose a press, or cover itself and forget what was chosen.
    """
    before: int = phone.until(
        lambda snapshot: phone.position() == snapshot["position"] and snapshot["position"],
        "the page as the game stands",
    )
    for _ in range(TRIES):
        ways = first
        while (
            not tap(phone, *ways).startswith(("do", "use", "decline"))
            and phone.server.snapshot["position"] == before
        ):
            ways = then
        for _ in range(TAP_MS // 50):
            if phone.server.snapshot["position"] > before:
                return
            phone.page.wait_for_timeout(50)
    raise AssertionError("nothing was done")


def ask_holy_water(display: Display, phones: dict[str, Phone]) -> None:
    """Ask about somebody in the city. The answer stands on the display and both phones; it can be
    pressed away when there was time to read it, and then nothing repeats it.
    """
    human, vampire = phones["human"], phones["vampire"]
    human.page.evaluate("window.held = []")
    view = display.server.snapshot["view"]
    characters = {*view["castle"], *view["revealed"], *(one["character"] for one in view["dead"])}
    who = next(name for name in COURT if name not in characters)
    human.hides('#acts button:has-text("Holy water")')
    water = (
        f'#acts button:has-text("Holy water: {who.title()}")',
        f'#acts [data-action="who"][data-arg="{who}"]',
    )
    move(human, water, water)
    both = (f'{USE}:has-text("2")', '#hand button.lit[aria-pressed="false"]')
    move(human, both, both)
    display.until(lambda snapshot: snapshot["view"]["answer"] is not None, "an answer")
    display.says("#answer", who.title())
    vampire.says(".result", who.title())
    look(human)
    human.says("#answer", who.title())
    expect(human.at("#acts button")).to_have_attribute("aria-disabled", "true")
    shot(human, "water-asked", may_scroll=True, is_new=False)
    shot(vampire, "water-heard", may_scroll=True, is_new=False)
    shot(display, "water-table", is_new=False)
    human.page.evaluate("() => { for (const act of window.held) act(); window.held = null; }")
    tap(human, "#acts button:not([aria-disabled])")
    display.until(
        lambda snapshot: snapshot["view"]["answer"] is None, "an answer that was pressed away"
    )
    display.hides("#answer")
    vampire.hides(".result")
    tap(vampire, '[data-action="notes"]')
    is_human = not any(who in shown for shown in display.server.snapshot["view"]["revealed"])
    vampire.says(f'[data-notes="{"cleared" if is_human else "city"}"]', who.title())
    vampire.says('[data-notes="met"]', "Holy water 2/4")
    shot(vampire, "notebook", may_scroll=True)
    tap(vampire, '[data-action="notes"]')
    expect(display.at("#log")).not_to_contain_text("no vampire")


@pytest.mark.parametrize("is_whole", [False, *soak(True)], ids=["a-draw", "to-the-end"])
def test_a_game_by_clicks(
    start_server: StartServer, screens: Screens, tmp_path: Path, is_whole: bool
) -> None:
    """Two phones play a household's own short decks to the end, or agree on a draw after a fight
    and holy water, what the file translates in the phones' language: the display shows fights, dead
    and the winner, no label stands anywhere, and the record is decided again.
    """
    deck = tmp_path / "kort.toml"
    deck.write_text(SHORT, encoding="utf-8")
    server = start_server(None, f'content = ["{deck}"]\n')
    display = proposed(server, screens, {"content": "kort.toml", "notebook": True})
    phones = seated(server, screens)
    for phone in phones.values():
        phone.adds()
    display.press("start")
    display.until(lambda snapshot: snapshot["phase"] == "play", "a start")
    steps: set[str] = set()
    for _ in range(MOST):
        snapshot = server.snapshot
        if snapshot["phase"] == "over":
            break
        if not is_whole and {"fight", "water"} <= steps:
            drawn(display, phones)
            continue
        if (snapshot["to_move"], snapshot["view"]["step"]) == (
            "human",
            "action",
        ) and "water" not in steps:
            steps.add("water")
            ask_holy_water(display, phones)
            continue
        move(phones[snapshot["to_move"]])
        step = server.snapshot["view"]["step"]
        if step in ("discard", "fight", "action") and step not in steps:
            steps.add(step)
            phone = phones[server.snapshot["to_move"]]
            look(phone)
            shot(phone, f"phone-{step}", may_scroll=True)
            shot(display, f"table-{step}", is_new=step == "fight")
    assert "over" == server.snapshot["phase"]
    assert {"fight", "water"} <= steps
    display.shows('[data-action="again"]')
    everything_is_shown(display)
    shot(display, "over", is_new=False)
    for screen, button in ((display, "reveal"), (phones["vampire"], "truth")):
        if screen.at(".secret").count():
            screen.press("reveal")
        screen.press(button)
        screen.says("#verdict.fine", "The deal is the one sealed before the first turn")
        screen.says("#shuffle", "sealed seed and from 2 phones")
        shot(screen, f"truth-{button}", may_scroll=screen is not display, is_new=button == "truth")
    assert 0 == display.at("#sample").count()
    phones["vampire"].shows('.stack .prime[data-action="replay"] + [data-action="again"]')
    display.press("replay")
    display.shows("#players")
    decided_again(server, tmp_path / "evening.jsonl")


def drawn(display: Display, phones: dict[str, Phone]) -> None:
    """Let both players agree on a draw."""
    for phone in phones.values():
        assert phone.page.evaluate(REQUEST.replace("display-key", "seat-key"), ["draw", {}])["ok"]
    display.until(lambda snapshot: snapshot["phase"] == "over", "the end")


def test_a_side_without_a_player_s_name_is_named_in_full(
    start_server: StartServer, screens: Screens
) -> None:
    """The banner has room for "Vampire player" beside the moon, on every display."""
    server = start_server(None)
    display = proposed(server, screens, {})
    screens.phone(server).sit("vampire")
    display.give("human", "random")
    display.press("start")
    for width, height in (WIDE, (1366, 768), (1024, 768), SEVEN_INCH):
        display.page.set_viewport_size({"width": width, "height": height})
        display.says("#banner h1", "Vampire player")
        settled(display.page)
        assert display.at("#banner h1").evaluate("it => it.scrollWidth <= it.clientWidth")


def everything_is_shown(display: Display) -> None:
    """After the end everybody sees who was who, dead or alive, and both hands; the replay is the
    first thing to press.
    """
    vampires = display.server.snapshot["view"]["identities"]["vampires"]
    marked = display.at("#castle .vampire, #dead .vampire")
    expect(marked).to_have_count(len(vampires))
    for vampire in vampires:
        expect(marked.filter(has_text=vampire.title())).to_have_count(1)
    display.shows("#stock .laid")
    piles = display.server.snapshot["view"]["piles"]
    for seat in ("vampire", "human"):
        expect(display.at(f'#stock [data-seat="{seat}"] .playing-card')).to_have_count(
            piles[seat]["hand"]
        )
    display.shows('#bar .prime[data-action="replay"]')


def test_the_sample_is_called_so_everywhere(start_server: StartServer, screens: Screens) -> None:
    """Lobby, display, phones, a stream's overlay and the record of a game with our decks bear the
    label. The second tap of a double one does nothing: "Go on" stands where "Draw" was.
    """
    server = start_server(None)
    display = proposed(server, screens, {})
    display.says("#sample", LABEL)
    phones = seated(server, screens)
    for phone in phones.values():
        phone.says("#sample", LABEL)
    at_both_sizes(display, "lobby")
    display.press("start")
    display.shows("#castle")
    display.says("#sample", LABEL)
    at_both_sizes(display, "sample")
    overlay = screens.phone(server)
    overlay.page.goto(server.phone("/overlay"))
    overlay.says("#sample", LABEL)
    shot(overlay, "overlay")
    display.press("info")
    display.says("#head", server.snapshot["seal"]["seal"])
    shot(display, "info", is_new=False)
    display.press("info")
    ana = phones["vampire"]
    ana.page.set_viewport_size({"width": HANDHELD[0], "height": HANDHELD[1]})
    shot(ana, "open", may_scroll=True, is_new=False)
    look(ana)
    ana.says("#sample", LABEL)
    shot(ana, "hand", may_scroll=True)
    in_its_own_language(ana)
    ana.page.evaluate("performance.now = () => 1e9")
    move(ana)
    shot(ana, "reveal", may_scroll=True, is_new=False)
    tap(ana, "#acts button.prime")
    ana.page.evaluate("performance.now = () => 2e9")
    tap(ana, "#acts button.prime")
    display.until(lambda snapshot: snapshot["view"]["step"] == "action", "the action")


def in_its_own_language(phone: Phone) -> None:
    """The sample's cards, which are Dutch, are on a phone what its language calls them."""
    private = phone.page.evaluate(REQUEST.replace("display-key", "seat-key"), ["hello", {}])[
        "private"
    ]
    cards = {card.id: card.name for card in sample_decks().card}
    for tongue in tongues(phone.page):
        names = (sample_decks().translations or {}).get("en" if tongue == MADE_UP else tongue, {})
        look(phone)
        called = [names.get(cards[card], cards[card]) for card in private["own"]["hand"]]
        expect(phone.at("#hand .playing-card b")).to_have_text(called)
        if tongue != MADE_UP:
            assert [] == cut_off(phone.page)
            shot(phone, f"hand-{tongue}", may_scroll=True, is_new=False)


def decline(display: Display, waiting: Phone, answerer: Phone, name: str) -> None:
    """Let who is asked for a support card press "Nothing" on the open page, where no hand can be
    seen. The others read that they wait, and the banner is still that of the player whose turn it
    is.
    """
    display.until(lambda snapshot: snapshot["view"]["window"] is not None, "a question")
    seats = {seat["seat"]: seat["name"] for seat in display.server.snapshot["seats"]}
    view = display.server.snapshot["view"]
    display.says("#banner h1", seats[view["turn"]])
    for screen, place in ((display, "#banner p"), (waiting, "#task")):
        screen.says(place, f"Wait: {seats[view['window']['asked']]} may play a support card.")
    answerer.says("#task", "A support card, or nothing?")
    expect(answerer.at("#declines button")).to_have_text(["Nothing", "Nothing more this turn"])
    shot(display, f"{name}-asked-table", is_new=False)
    shot(answerer, f"{name}-asked", may_scroll=True)
    answerer.press("decline")
    display.until(lambda snapshot: snapshot["view"]["window"] is None, "an answer")


def test_with_real_cards(start_server: StartServer, screens: Screens) -> None:
    """With real cards the phones hold who is who; people tell who comes from the city, and type
    values in a fight.
    """
    server = start_server(None)
    display = proposed(server, screens, {"content": "box"})
    phones = seated(server, screens)
    display.press("start")
    display.until(lambda snapshot: snapshot["phase"] == "play", "a start")
    for _ in range(3):
        move(phones["vampire"])
    display.until(lambda snapshot: len(snapshot["view"]["castle"]) == 3, "a full castle")
    ana = phones["vampire"]
    move(ana)
    decline(display, ana, phones["human"], "box")
    look(ana)
    shot(ana, "box-action", may_scroll=True, is_new=False)
    display.says("#steps .now", "3 · One action")
    display.says("#steps", "An empty deck is made of the cellar, once.")
    tap(ana, '[data-action="beside"]')
    shot(ana, "box-beside", may_scroll=True, is_new=False)
    move(ana, CELLAR, CELLAR)
    display.says("#steps", "The cellar is used up")
    character = server.snapshot["view"]["castle"][2]
    into = (
        f'#acts button:has-text("Into the city: {character.title()}")',
        '#acts button:has-text("A marker or support")',
        f'#acts [data-action="who"][data-arg="{character}"]',
    )
    move(ana, into, into)
    display.until(lambda snapshot: len(snapshot["view"]["castle"]) == 2, "somebody under the city")
    shot(display, "box-swap", is_new=False)
    move(ana)
    display.until(lambda snapshot: len(snapshot["view"]["castle"]) == 3, "somebody from the city")
    phones["human"].press("decline_turn")
    display.until(lambda snapshot: not snapshot["view"]["window"], "an answer")
    tap(ana, '#acts [data-action="who"]')
    shot(ana, "box-verbs", may_scroll=True, is_new=False)
    move(ana, ATTACK, ATTACK)
    display.until(lambda snapshot: snapshot["view"]["fight"] is not None, "a fight")
    attacker = server.snapshot["view"]["fight"]["attacker"].title()
    for screen in (display, ana):
        screen.says("#banner p" if screen is display else "#task", f" card for {attacker}.")
    tap(ana, '[data-action="value"][data-arg="3"]')
    shot(ana, "box-fight", may_scroll=True)
    tap(ana, '#acts [data-action="do"]:has(.sign)')
    display.until(lambda snapshot: snapshot["view"]["sums"] == [3, 0], "a card")
    display.says("#fight", "3")
    display.says("#fight", "Round 1")
    ana.says("#task", ", or stop.")
    shot(display, "box-table", is_new=False)
    with sunlit(display.page):
        shot(display, "box-light", is_new=False)
