"""V-Wars on phones and on the display: moved, deployed, given in secret, an event, a riot; and
with real cards.
"""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Locator, ViewportSize, expect

from companion.content.loader import load_file
from companion.games import GAMES
from companion.games.vwars.rules import sample_cards
from tests.browser.conftest import HANDHELD, SEVEN_INCH, WIDE, Screens, StartServer
from tests.browser.games.test_whole_game import decided_again
from tests.browser.looks import broken
from tests.browser.page_objects import Display, Phone, Screen
from tests.browser.pseudo_locale import OTHERS, tongues
from tests.browser.screens.test_screens import REQUEST
from tests.browser.screenshots import cut_off, save_screenshot, settled, spilled, sunlit
from tests.browser.server import Json, TableServer

SMALL: ViewportSize = {"width": 360, "height": 740}


def proposed(server: TableServer, screens: Screens, options: dict[str, object]) -> Display:
    """Choose the game in the lobby, with these options; P1 begins."""
    display = screens.display(server)
    display.choose("vwars")
    display.until(lambda snapshot: snapshot["game"] == "vwars", "another game")
    assert display.page.evaluate(
        REQUEST, ["propose", {"change": {"options": {"start": "first", **options}}}]
    )["ok"]
    return display


def shot(screen: Screen, name: str, *, is_new: bool = True) -> None:
    """Keep a picture; nothing on the page may be wrong or spill."""
    settled(screen.page)
    save_screenshot(screen.page, f"vwars-{name}.png")
    assert [] == broken(screen.page, is_new=is_new)
    assert 0 == spilled(screen.page)[0]


def goes_on(screen: Display | Phone, position: int) -> None:
    """Wait until something was published since this position, and the page shows it."""
    screen.until(
        lambda snapshot: position < snapshot["position"] <= screen.position(), "the game goes on"
    )


def step_is(screen: Display | Phone, *steps: str) -> None:
    """Wait until the page shows one of these steps."""
    screen.until(
        lambda snapshot: (
            snapshot["view"]["step"] in steps and snapshot["position"] <= screen.position()
        ),
        str(steps),
    )


WAYS = ['[data-action="put"]', '[data-action="discard"]', '[data-action="stay"]', "#hand button"]
"""What gives a card or an answer under the hold, the last step first."""


def answered(phone: Phone, position: int) -> None:
    """Look, and give the first card or answer with nothing; look again where the look was over
    before.
    """

    def tried(snapshot: Json) -> bool:
        if snapshot["position"] > position:
            return bool(snapshot["position"] <= phone.position())
        phone.page.evaluate(
            """(ways) => (document.querySelector("#faction")
              ? ways.map((way) => document.querySelector(way)).find(Boolean)
              : document.querySelector("#look"))?.click()""",
            WAYS,
        )
        return False

    phone.until(tried, "the answer")


def hidden(phone: Phone) -> None:
    """Let nothing be looked at any more."""
    if phone.at("#faction").count():
        phone.press("look")
    phone.hides("#faction")


def in_its_own_language(screen: Screen, *sizes: tuple[int, int]) -> None:
    """The sample's regions, events and laws are in the language of each screen, whole in each of
    these sizes.
    """
    view = screen.server.snapshot["view"]
    for tongue in tongues(screen.page):
        names = (sample_cards().translations or {}).get(tongue, {})
        for each in view["regions"].values():
            screen.says("#map", names.get(each["name"], each["name"]))
        for own in (
            view["event"]["name"],
            view["event"]["text"],
            *(law["name"] for law in view["laws"].values()),
        ):
            screen.says("#coming", names.get(own, own))
        for width, height in sizes if tongue in OTHERS else ():
            screen.page.set_viewport_size({"width": width, "height": height})
            settled(screen.page)
            assert [] == cut_off(screen.page)
            assert 0 == spilled(screen.page)[0]


def test_an_evening(start_server: StartServer, screens: Screens, tmp_path: Path) -> None:
    """A phone and two bots: each chooses a role; the faction is there only under the hold; going
    somewhere and deploying are chosen in the open, the card under the hold, which is covered again
    once it is given; the event and the riot follow, the bots play on, and the record is decided
    again.
    """
    server = start_server(None)
    display = proposed(server, screens, {})
    ana = screens.phone(server)
    ana.page.set_viewport_size(SMALL)
    ana.sit("P1", name="Ana")
    for seat in ("P2", "P3"):
        display.give(seat, "random")
    display.until(lambda snapshot: all(place["taken"] for place in snapshot["seats"]), "all seated")
    roles_chosen(ana, display)
    ana.adds()
    display.press("start")
    ana.shows("#choices")
    assert "The Smith" == server.snapshot["view"]["players"]["P1"]["role"]["name"]
    ana.shows("#sample")
    display.shows("#sample")
    shot(ana, "turn")
    shot(display, "table-1920")
    texts_read(ana)
    texts_read(display)
    in_its_own_language(ana, HANDHELD)
    in_its_own_language(display, WIDE, SEVEN_INCH)
    display.page.set_viewport_size({"width": WIDE[0], "height": WIDE[1]})
    ana.hides("#faction")
    ana.press("look")
    ana.shows("#faction")
    shot(ana, "look", is_new=False)
    hidden(ana)
    ana.says("#task", "4 actions left")
    ana.press("mode", "move")
    lit_are_reachable(ana, display)
    shot(ana, "move", is_new=False)
    position = server.snapshot["position"]
    gone_to(ana, ana.at("#map .lit").first)
    goes_on(ana, position)
    ana.press("mode", "deploy")
    gone_to(ana, ana.at("#map .lit").first)
    step_is(ana, "card")
    ana.at("#hold").dispatch_event("pointerdown", {"pointerId": 7})
    ana.at("#hand button").first.tap()
    ana.shows('[data-action="put"]')
    shot(ana, "card", is_new=False)
    ana.at('[data-action="put"]').tap()
    step_is(ana, "turn")
    ana.hides("#faction")
    ana.shows("#choices .end")
    position = server.snapshot["position"]
    ana.at("#choices .end").tap()
    goes_on(ana, position)
    while server.snapshot["view"]["step"] == "event":
        position = server.snapshot["position"]
        offers, lit = ana.at("#choices .offers button"), ana.at("#map .lit")
        offers.or_(lit).first.wait_for()
        if offers.count():
            offers.last.tap()
        else:
            gone_to(ana, lit.first)
        goes_on(ana, position)
    if server.snapshot["view"]["step"] == "riot":
        position = server.snapshot["position"]
        ana.at("#choices .of-riot").tap()
        goes_on(ana, position)
        shot(display, "riot-1920", is_new=False)
        small(display)
        shot(display, "riot-800", is_new=False)
        shot(ana, "riot", is_new=False)
    while server.snapshot["view"]["turn"] == "P1" and server.snapshot["phase"] == "play":
        position = server.snapshot["position"]
        if server.snapshot["to_move"] == "P1":
            answered(ana, position)
        else:
            goes_on(ana, position)
    ana.until(lambda snapshot: snapshot["view"]["turns"] > 1, "a bot's turn")
    assert ana.page.evaluate(REQUEST.replace("display-key", "seat-key"), ["draw", {}])["ok"]
    display.until(lambda snapshot: snapshot["phase"] == "over", "the end")
    everything_is_shown(display)
    for screen, button in ((display, "reveal"), (ana, "truth")):
        screen.press(button)
        screen.says("#verdict.fine", "The deal is the one sealed before the first turn")
        screen.says("#shuffle", "sealed seed and from one phone")
    ana.says("#verdict", "that this phone kept: the same")
    shot(display, "truth-800", is_new=False)
    display.page.set_viewport_size({"width": WIDE[0], "height": WIDE[1]})
    shot(display, "truth-1920", is_new=False)
    shot(ana, "truth", is_new=False)
    display.press("replay")
    display.shows("#hands")
    shot(display, "replay")
    display.press("language")
    display.says('[data-region="frost"]', "霜の辺境")
    shot(display, "replay-ja", is_new=False)
    ana.shows('.stack .prime[data-action="replay"] + [data-action="again"]')
    ana.press("replay")
    ana.shows("#hands")
    shot(ana, "replay-phone", is_new=False)
    decided_again(server, tmp_path / "evening.jsonl")


def gone_to(ana: Phone, city: Locator) -> None:
    """Tap a city on the map, which is then named and explained, and the main button below it."""
    name = str(city.get_attribute("aria-label")).partition(":")[0]
    city.tap()
    ana.says("#city h2", name)
    ana.says("#there .prime", name)
    ana.at("#there .prime").tap()


def lit_are_reachable(ana: Phone, display: Display) -> None:
    """A phone's map lights the same cities as the display's: those into which the player may go. A
    city is as large as a finger, is reached by the keyboard too, and one that is not lit is
    explained without a button.
    """
    labels = ana.at("#map .lit").evaluate_all("all => all.map((it) => it.ariaLabel)")
    lit = sorted(label.partition(":")[0] for label in labels)
    near = display.at("#map .city.near .name").all_text_contents()
    assert sorted(map(str.strip, near)) == lit
    cities = len(display.server.snapshot["view"]["cities"])
    assert 0 < len(lit) < cities
    dots = ana.at("#map .city-dot").all()
    places = [place for each in dots if (place := each.bounding_box())]
    assert cities == len(places)
    assert 44 <= min(min(place["width"], place["height"]) for place in places)
    dark = ana.at("#map .city-dot:not(.lit)").first
    dark.focus()
    ana.page.keyboard.press("Enter")
    ana.says("#city h2", str(dark.get_attribute("aria-label")).partition(":")[0])
    ana.hides("#there .prime")


def everything_is_shown(display: Display) -> None:
    """A draw too turns all factions and hands over, and offers the replay first."""
    view = display.server.snapshot["view"]
    for seat, faction in view["factions"].items():
        display.says(f'#people [data-seat="{seat}"]', faction.title())
        expect(display.at(f'#people [data-seat="{seat}"] .chip')).to_have_count(
            view["players"][seat]["hand"]
        )
    display.shows('#choices .prime[data-action="replay"]')


def roles_chosen(ana: Phone, display: Display) -> None:
    """Bots have chosen; the phone chooses what is free, then the display another role for the same
    seat.
    """
    display.until(
        lambda snapshot: {"P2", "P3"} == set(snapshot["lobby"]["roles"] or {}), "the bots' choices"
    )
    ana.shows("#choose-roles")
    shot(ana, "roles")
    ana.press("take", "0")
    ana.shows('[data-action="take"][data-arg="0"][aria-pressed="true"]')
    display.press("choose", "roles")
    display.shows('#choose-roles [data-action="take"][data-arg="0"][aria-pressed="true"]')
    shot(display, "roles-1920", is_new=False)
    small(display)
    shot(display, "roles-800", is_new=False)
    display.press("take", "3")
    display.until(
        lambda snapshot: "smith" == snapshot["lobby"]["roles"]["P1"], "the display's choice"
    )
    display.page.set_viewport_size({"width": WIDE[0], "height": WIDE[1]})
    ana.shows('[data-action="take"][data-arg="3"][aria-pressed="true"]')
    display.press("seats")


FOCUS_AT_ONCE = """() => {
    const later = globalThis.setTimeout;
    globalThis.setTimeout = (call, ms) => {
        if (ms) return later(call, ms);
        globalThis.setTimeout = later;
        queueMicrotask(call);
    };
}"""
"""Make the page's next move of the focus come before the mouse events of the same touch."""


def texts_read(screen: Screen) -> None:
    """Events now and soon, laws and everybody's roles are a tap away, and the focus goes there and
    back; a tap on what is to come leads there too, and Escape back.
    """
    view = screen.server.snapshot["view"]
    screen.press("texts")
    for card in (view["event"], view["next_event"], *view["laws"].values()):
        screen.says("#texts", card["text"])
    for player in view["players"].values():
        screen.says("#texts", player["role"]["human_text"])
        screen.says("#texts", player["role"]["vampire_text"])
    screen.page.wait_for_function("() => document.activeElement.id === 'texts-head'")
    is_phone = isinstance(screen, Phone)
    shot(screen, f"texts-{'phone' if is_phone else 'display'}", is_new=is_phone)
    if isinstance(screen, Display):
        small(screen)
        shot(screen, "texts-800", is_new=False)
        screen.page.set_viewport_size({"width": WIDE[0], "height": WIDE[1]})
        screen.page.keyboard.press("Escape")
    else:
        screen.page.evaluate(FOCUS_AT_ONCE)
        screen.at("#texts button").tap()
    screen.hides("#texts")
    screen.page.wait_for_function("() => document.activeElement.dataset.action === 'texts'")
    screen.at("#people li").first.click()
    screen.page.wait_for_function("() => document.activeElement.id === 'texts-roles'")
    screen.at("#texts button").click()
    screen.hides("#texts")


def small(display: Display) -> None:
    """Make the display a screen of 7 inches."""
    display.page.set_viewport_size({"width": SEVEN_INCH[0], "height": SEVEN_INCH[1]})


def touched(display: Display, name: str, *, is_new: bool = True) -> None:
    """Keep a picture of a 7-inch screen: what fingers press is 64 px at least, and nothing has to
    be scrolled.
    """
    shot(display, name, is_new=is_new)
    buttons = display.at("#choices button, #bar button").all()
    places = [each.bounding_box() for each in buttons]
    assert 64 <= min(min(place["width"], place["height"]) for place in places if place)
    overflowing = """() => [...document.querySelectorAll("#choices, #riot, .side")].filter((each) =>
        each.scrollHeight > each.clientHeight + 1).map(({ id, className }) => id || className)"""
    assert [] == display.page.evaluate(overflowing)
    assert 480 >= max(place["y"] + place["height"] for place in places if place)


def pressed_in(display: Display, region: str, city: str) -> None:
    """On 7 inches, go into a region and press one of its cities; every one is 64 px high, and there
    is a way back.
    """
    position = display.server.snapshot["position"]
    cities = display.at("#map .open button.city")
    into = display.at(f'#map .zoom[aria-label="{region}"]')
    into.click()
    display.press("zoom", "")
    into.click()
    shot(display, "box-zoom-800", is_new=False)
    assert min((each.bounding_box() or {"height": 0})["height"] for each in cities.all()) >= 64
    cities.filter(has_text=city).click()
    goes_on(display, position)


def typed_map(display: Display, folder: Path) -> None:
    """Type the map of a box, in either look: a repeated name gives a message at its field; what is
    kept is saved as a sound file, and a file with a fault is refused by its line.
    """
    page = display.page.context.new_page()
    screen = Screen(display.server, page)
    page.goto(f"http://127.0.0.1:{display.server.port}/map")
    for region, name in enumerate(("Ash", "Bog", "Cliff")):
        page.fill(f"#at-{region}", name)
        for city in range(4):
            page.fill(f"#at-{region}\\.{city}", f"{name} {city}")
    screen.press("touch", "0.1")
    screen.press("touch", "2.1")
    page.fill("#at-2\\.3", "Ash 0")
    page.reload()
    screen.shows('[data-action="play"]:not([aria-disabled])')
    screen.press("play")
    screen.says("#at-2\\.3-wrong", "called that")
    shot(screen, "map-wrong")
    screen.press("light")
    screen.shows("html.light")
    page.wait_for_function("() => document.getElementById('light')?.sheet")
    shot(screen, "map-light", is_new=False)
    screen.press("light")
    screen.hides("html.light")
    page.fill("#at-2\\.3", "Cliff 3")
    screen.press("play")
    screen.shows("#kept")
    with page.expect_download() as saving:
        screen.press("save")
    saved = folder / "map.toml"
    saving.value.save_as(saved)
    assert load_file(saved, GAMES).is_board
    bad = folder / "bad.toml"
    bad.write_text(saved.read_text("utf-8").replace('"Bog 2"', '"Bog 1"'), "utf-8")
    page.set_input_files("#file", bad)
    screen.says("#faults", "city[7].name: another one is called that")
    page.set_input_files("#file", saved)
    screen.shows("#kept")
    assert "Bog 2" == page.input_value("#at-1\\.2")
    page.close()


def elected(display: Display) -> None:
    """Type that humans won an election; who won stays on the board."""
    display.press("mode", "pick_region")
    display.at("#choices .of-pick_region").last.click()
    display.shows("#choices .of-elect")
    touched(display, "box-elect-800", is_new=False)
    display.at("#choices .of-elect").first.click()
    display.says("#map", "law of the humans")


def test_a_start_without_the_map_is_asked_about(
    start_server: StartServer, screens: Screens
) -> None:
    """With real cards, without a typed map, *Start* asks first and starts nothing: from there a way
    leads to typing the map, to the lobby, or to a game on numbers. The question goes when the game
    is to be played with samples.
    """
    server = start_server(None)
    display = proposed(server, screens, {"content": "box", "factions": "cards"})
    display.press("start")
    display.says("#numbered-head", "Start without the map of your box?")
    assert "numbered-head" == display.page.evaluate("() => document.activeElement.id")
    shot(display, "box-asked")
    in_other_languages(display, WIDE, SEVEN_INCH, HANDHELD)
    display.press("seats")
    display.shows(".lobby #numbered")
    display.press("start")
    display.shows('.dialog a[href="/map"]')
    for content in ("sample", "box"):
        assert display.page.evaluate(
            REQUEST, ["propose", {"change": {"options": {"content": content, "start": "first"}}}]
        )["ok"]
        display.hides(".dialog")
        display.shows(".lobby")
    assert "lobby" == server.snapshot["phase"]
    assert display.page.evaluate(
        REQUEST,
        ["propose", {"change": {"options": {"content": "box", "factions": "cards"}}}],
    )["ok"]
    display.press("start")
    display.press("start", "numbered")
    display.says("#map", "1a")


def in_other_languages(screen: Screen, *sizes: tuple[int, int]) -> None:
    """In each other language and each of these sizes nothing is cut off and nothing spills."""
    for _ in (tongue for tongue in tongues(screen.page) if tongue in OTHERS):
        for width, height in sizes:
            screen.page.set_viewport_size({"width": width, "height": height})
            settled(screen.page)
            assert [] == cut_off(screen.page)
            assert 0 == spilled(screen.page)[0]
    screen.page.set_viewport_size({"width": WIDE[0], "height": WIDE[1]})


def test_with_real_cards(start_server: StartServer, screens: Screens, tmp_path: Path) -> None:
    """With the box's own cards the display alone keeps the board: its map is typed once, cities are
    pressed on it, the cards of a riot are typed, it stops at the winner, asks for the printed
    number, and the next player begins.
    """
    server = start_server(None)
    display = proposed(server, screens, {"content": "box", "factions": "cards"})
    display.says("#numbered", "No map is typed")
    shot(display, "box-lobby", is_new=False)
    small(display)
    shot(display, "box-lobby-800", is_new=False)
    display.page.set_viewport_size({"width": WIDE[0], "height": WIDE[1]})
    typed_map(display, tmp_path)
    display.hides("#numbered")
    display.press("start")
    display.says("#map", "Cliff 3")
    shot(display, "box-setup")
    for _ in range(10):
        position = server.snapshot["position"]
        display.at("#map button.city").first.click()
        goes_on(display, position)
    small(display)
    shot(display, "box-setup-800", is_new=False)
    pressed_in(display, "Bog", "Bog 2")
    step_is(display, "turn")
    assert 3 == server.snapshot["view"]["controlled"]
    display.press("mode", "move")
    pressed_in(display, "Bog", "Bog 1")
    display.hides("#map button")
    touched(display, "box-turn-800", is_new=False)
    display.page.set_viewport_size({"width": WIDE[0], "height": WIDE[1]})
    shot(display, "box-turn", is_new=False)
    display.at("#choices .end").click()
    step_is(display, "event")
    shot(display, "box-event", is_new=False)
    small(display)
    touched(display, "box-event-800", is_new=False)
    pressed_in(display, "Ash", "Ash 0")
    display.shows('[data-action="mode"][data-arg="troops.vampire"]')
    touched(display, "box-event-city-800", is_new=False)
    display.press("mode", "troops.vampire")
    display.says("#choices", "+6")
    touched(display, "box-event-troops-800", is_new=False)
    display.press("mode", "")
    display.shows('[data-action="mode"][data-arg="sympathy"]')
    display.press("mode", "sympathy")
    display.shows("#choices .of-sympathy")
    touched(display, "box-event-sympathy-800", is_new=False)
    display.press("mode", "")
    elected(display)
    display.page.set_viewport_size({"width": WIDE[0], "height": WIDE[1]})
    display.at("#choices .of-done").click()
    display.at("#choices .of-riot").click()
    display.shows("#choices .of-turn")
    shot(display, "riot-desk", is_new=False)
    small(display)
    display.says("#riot .strength.vampire", "2/6")
    display.press("mode", "strength.human")
    display.shows("#choices .of-strength")
    touched(display, "riot-desk-strength-800", is_new=False)
    display.press("mode", "")
    touched(display, "riot-desk-800")
    while server.snapshot["view"]["step"] == "turning":
        position = server.snapshot["position"]
        display.at("#choices .of-turn").nth(8).click()
        goes_on(display, position)
        step = server.snapshot["view"]["step"]
        touched(display, f"riot-desk-{step}-800", is_new=step == "won")
    display.at("#choices .of-swing").nth(7).click()
    step_is(display, "soon")
    display.page.set_viewport_size({"width": WIDE[0], "height": WIDE[1]})
    display.at("#map button.city").first.click()
    display.at("#choices .of-refilled").first.click()
    display.until(lambda snapshot: snapshot["to_move"] == "P2", "the next turn")
    display.shows("#map .city.near")
    shot(display, "box-next", is_new=False)
    with sunlit(display.page):
        shot(display, "box-light", is_new=False)
