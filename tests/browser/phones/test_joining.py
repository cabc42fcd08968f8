"""The way to a seat, and to being the display; `tests/web/pages/join.test.mjs` has what the page of
joining sends.
"""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import HANDHELD, SEVEN_INCH, WIDE, Screens, StartServer
from tests.browser.page_objects import Phone, Screen, TouchPoint, VampirePhone
from tests.browser.screenshots import save_screenshot
from tests.browser.server import TableServer, run


def test_four_friends_scan_at_once(server: TableServer, screens: Screens) -> None:
    """One code lets all four in and each takes a seat; a later phone reads in a sentence that the
    code has changed because the seats are full.
    """
    display, url = screens.display(server), server.invitation["url"]
    display.says("#code", url[-4:])
    snapshot = display.at("#qr").get_attribute("src")
    friends = [screens.phone(server) for _ in range(4)]
    late = screens.phone(server)

    for friend in friends:
        friend.page.goto(url)
    for friend in friends:
        friend.shows('[data-seat="H1"]')
        friend.hides("#code")
        friend.hides("#notice")
    expect(display.at("#code")).not_to_have_text(url[-4:])
    expect(display.at("#qr")).not_to_have_attribute("src", str(snapshot))
    late.page.goto(url)
    late.says("#notice", "That code was used already.")
    display.press("players", "4")
    for number, friend in enumerate(friends[1:], 1):
        friend.choose_seat(f"H{number}")
        friend.page.wait_for_url("**/seat")
    friends[0].choose_seat("V")
    friends[0].page.wait_for_url("**/seat")

    late.at("#code").fill(display.at("#code").inner_text().lower())
    late.says("#full", "All seats are taken.")
    assert ["V", "H1", "H2", "H3"] == [
        seat["seat"] for seat in server.snapshot["seats"] if seat["taken"]
    ]


def test_the_letters_are_typed(server: TableServer, screens: Screens) -> None:
    """A phone on which the address was typed has a field for the four letters that stand beside it,
    as big as a finger; wrong letters give a message, and the right ones open the seats. The seat is
    kept like any other.
    """
    display, phone = screens.display(server), screens.phone(server)
    phone.page.goto(server.phone("/"))
    box = phone.at("#code").bounding_box()
    assert box is not None and box["height"] >= 44 and box["width"] >= 200
    letters = server.invitation["code"]

    phone.choose_seat("H1")
    phone.says("#notice", "type its four letters")
    phone.at("#code").fill("AEIO")
    phone.says("#notice", "That is not the code on the table.")
    phone.at("#code").fill(letters[:3] + ("B" if letters[3] != "B" else "C"))
    phone.says("#notice", "That is not the code on the table.")
    save_screenshot(phone.page, "join-letters.png")
    phone.at("#code").fill(letters.lower())
    phone.hides("#code")
    phone.hides("#notice")
    phone.choose_seat("V")

    phone.page.wait_for_url("**/seat")
    phone.page.goto(server.phone("/join"))
    phone.page.wait_for_url("**/seat")
    display.says('[data-seat="V"]', "ready")


def test_a_code_is_scanned_in_a_tab_that_is_open(server: TableServer, screens: Screens) -> None:
    """A page of joining follows another code in its own address."""
    phone = screens.phone(server)
    phone.page.goto(server.phone("/join"))
    phone.shows("#code")

    phone.page.goto(server.invitation["url"])

    phone.shows('[data-seat="H1"]')
    phone.hides("#code")


def test_a_code_is_scanned_during_a_game(server: TableServer, screens: Screens) -> None:
    """A tab that says how a seat comes to it follows the code of *New phone*, whenever that is
    opened in it, also while the page is being loaded.
    """
    display, vampire = screens.display(server), screens.vampire(server)
    phone = screens.phone(server)
    vampire.sit("V")
    display.press("players", "2")
    display.set_up()
    display.press("start")
    display.hides('[data-action="start"]')
    phone.page.goto(server.phone("/join"))
    phone.says("#closed", "a game is on")
    phone.page.evaluate("(url) => { location.href = url; }", server.invitation["url"])

    phone.says("#closed", "Tap your seat")
    phone.page.goto("about:blank")
    late = screens.phone(server)
    late.page.goto(server.phone("/join"), wait_until="commit")
    late.page.evaluate("(url) => { location.href = url; }", server.invitation["url"])
    late.says("#closed", "Tap your seat")


def test_a_key_of_another_evening(server: TableServer, screens: Screens) -> None:
    """A phone that scans an old code, with a key that the table no longer has, comes in by the
    letters of this one.
    """
    screens.display(server)
    phone, url = screens.phone(server), server.invitation["url"]
    phone.page.goto(f"{server.phone('/join')}#{'k' * 43}BCDF")

    phone.at("#code").fill(url[-4:])
    phone.hides("#code")
    phone.choose_seat("H1")

    phone.page.wait_for_url("**/seat")
    # Chromium itself writes that the table opened nothing by the old key, which is tried twice.
    assert [True, True] == ["400" in problem for problem in screens.problems]
    screens.problems.clear()


def test_a_reload_costs_no_code(server: TableServer, screens: Screens) -> None:
    """Who was let in stays so when the page is opened again."""
    phone, url = screens.phone(server), server.invitation["url"]
    phone.page.goto(url)
    phone.hides("#code")
    phone.shows('[data-seat="H1"]')

    phone.page.goto("about:blank")
    phone.page.goto(server.phone("/join"))
    phone.choose_seat("H1")

    phone.page.wait_for_url("**/seat")


def test_a_second_browser_only_looks_on(server: TableServer, screens: Screens) -> None:
    """It shows that, and how it becomes the display; the address of `companion pair`, pasted into
    it, takes effect at once and takes nothing from the first one.
    """
    address = server.display_address
    display, other = screens.display(server), Screen(server, screens.page(SEVEN_INCH))
    other.page.goto(address)
    other.says("#notice", "That address was used already: this screen only watches.")
    other.says("#notice", "companion pair")
    save_screenshot(other.page, "looks-on.png")
    other.hides('[data-action="start"]')
    other.page.goto(f"http://127.0.0.1:{server.port}/table")
    other.says("#notice", "This screen only watches.")

    new = run("pair", "--config", server.config, "--data", server.data).strip()
    other.page.evaluate("(address) => { location.href = address; }", new)

    other.shows('[data-action="start"]')
    other.says("#notice", "vampire")
    display.press("players", "4")
    other.shows('[data-seat="H3"]')
    other.press("players", "2")
    display.hides('[data-seat="H2"]')


def test_the_display_stays_the_display(server: TableServer, screens: Screens) -> None:
    """Whatever address is opened in its browser, one that was used, a new one or a wrong one, it
    may press on.
    """
    address = server.display_address
    display = screens.display(server)
    new = server.display_address
    for each in (
        address,
        new,
        address[:-1],
        f"{address.partition('#')[0]}#{'k' * 43}{address[-12:]}",
    ):
        display.page.goto("about:blank")
        display.page.goto(each)
        display.press("players", "3")
        display.shows('[data-seat="H2"]')
        display.page.evaluate("(address) => { location.href = address; }", each)
        display.press("players", "2")
        display.hides('[data-seat="H2"]')

    assert new == server.display_address


def test_every_screen_at_the_table_shows_the_new_code(
    server: TableServer, screens: Screens
) -> None:
    """Every paired display; a page of the same machine that is not paired shows no code."""
    displays = screens.display(server), screens.display(server)
    other = screens.page(WIDE)
    other.goto(f"http://127.0.0.1:{server.port}/table")
    before = displays[1].at("#qr").get_attribute("src")
    displays[1].says("#code", server.invitation["code"])
    expect(other.locator("#qr")).to_be_visible()
    expect(other.locator("#code")).to_be_hidden()

    url = server.invitation["url"]
    for _ in range(4):
        screens.phone(server).page.goto(url)

    expect(displays[1].at("#qr")).not_to_have_attribute("src", str(before))
    expect(displays[0].at("#code")).to_have_text(displays[1].at("#code").inner_text())


def read_words(phone: Phone) -> str:
    """Return the words that bring the seat back: they are there while a finger rests on the glass,
    and no longer.
    """
    phone.says("#three", "····")
    finger = TouchPoint(phone.page.context, phone.page, phone.at("#hold"))
    expect(phone.at("#three")).not_to_contain_text("·")
    words = " ".join(phone.at("#three span").all_inner_texts())
    finger.lift()
    phone.says("#three", "····")
    return words


def test_a_lost_phone_comes_back_in_mid_game(start_server: StartServer, screens: Screens) -> None:
    """The display shows the way to a phone that was never here; the owner's words bring the seat
    back, a wrong word does not, and the display says both.
    """
    server = start_server(None, 'recovery = "words"')
    display, lost = screens.display(server), screens.vampire(server)
    lost.page.goto(server.invitation["url"])
    lost.at("#name").fill("Ana")
    lost.press("seat", "V")
    words = read_words(lost)
    lost.press("sit")
    lost.page.wait_for_url("**/seat")
    display.says('[data-seat="V"]', "Ana")
    display.press("players", "2")
    display.set_up()
    display.press("start")
    lost.look()
    lost.step("C3")
    lost.press("end_night")
    display.turn_of("H1")
    lost.page.context.close()
    new = screens.vampire(server)

    display.press("info")
    display.press("return")
    display.shows("#qr")
    new.page.goto(server.invitation["url"])
    new.says("#closed", "Tap your seat")
    new.press("seat", "V")
    new.at("#words").fill("kano bimi teso")
    new.press("sit")
    new.says("#notice", "That is not the code. This was try 1 of 10.")
    display.says("#tried", "try 1 of 10")
    new.at("#words").fill(words.upper())
    new.press("sit")

    new.page.wait_for_url("**/seat")
    display.hides("#qr")
    events = [entry["event"] for entry in server.snapshot["log"][-3:]]
    assert ["recovery_tried", "recovery_tried", "seat_moved"] == [
        event["event"] for event in events
    ]
    display.turn_of("H1")
    new.look()
    new.says(".secret", "C3")


def test_a_language_is_chosen_for_the_whole_browser(server: TableServer, screens: Screens) -> None:
    """A page follows at once when another page of the same browser chooses a language; other
    devices keep theirs.
    """
    display, phone = screens.display(server), screens.phone(server)
    phone.page.goto(server.phone("/host"))
    settings = display.page.context.new_page()
    settings.goto(f"http://127.0.0.1:{server.port}/host")
    settings.locator('[data-action="language"][data-arg="nl"]').click()

    display.says('[data-action="games"]', "Ander spel")
    assert "en" == phone.at("html").get_attribute("lang")


def test_an_evening_over_tls(start_server: StartServer, screens: Screens) -> None:
    """The display shows the certificate's fingerprint; a phone whose owner accepted it sits down,
    follows its stream and hides over https, by the address that the code holds; the display itself
    needs no certificate.
    """
    server = start_server(None, "tls = true")
    display = screens.display(server)
    invitation = server.invitation
    display.says("#fingerprint", invitation["fingerprint"])
    assert invitation["address"].startswith("https://")
    vampire = VampirePhone(server, screens.page(HANDHELD, is_phone=True, is_careless=True))
    response = vampire.page.goto(invitation["url"].replace("http://", "https://"))

    assert response is not None
    security: dict[str, object] = dict(response.security_details() or {})
    assert ("Table companion", "TLS 1.3") == (security["subjectName"], security["protocol"])
    vampire.choose_seat("V")
    vampire.page.wait_for_url("https://**/seat")
    display.press("players", "2")
    display.set_up()
    display.press("start")
    vampire.says("#cover", "Night")
    vampire.look()
    vampire.step("C3")
    vampire.press("end_night")
    display.turn_of("H1")


def test_words_are_gone_when_the_focus_leaves(start_server: StartServer, screens: Screens) -> None:
    """Looked at by key, they are covered when Tab leaves the button before the key is released."""
    server = start_server(None, 'recovery = "words"')
    phone = screens.phone(server)
    phone.page.goto(server.invitation["url"])
    phone.press("seat", "V")
    phone.says("#three", "····")
    phone.at("#hold").focus()
    phone.page.keyboard.down("Space")
    expect(phone.at("#three")).not_to_contain_text("·")
    phone.page.keyboard.press("Tab")
    phone.says("#three", "····")
    phone.page.keyboard.up("Space")
    phone.says("#three", "····")
