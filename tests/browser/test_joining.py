"""The way to a seat: a code lets one phone in, and the display shows another."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import HANDHELD, WIDE, Furnish, Screens
from tests.browser.house import House
from tests.browser.pages import Finger, Phone, VampirePhone


def test_a_code_lets_one_phone_in(house: House, screens: Screens) -> None:
    """Two phones scan the same code: one is in; the other is told so in a sentence and comes in by the code that the
    display shows from then on. A photograph of the first code admits nobody."""
    display, url = screens.display(house), house.invitation["url"]
    display.says("#code", url[-4:])
    picture = display.at("#qr").get_attribute("src")
    first, second, late = (screens.phone(house) for _ in range(3))

    first.page.goto(url)
    first.shows('[data-seat="H1"]')
    first.hides("#code")
    expect(display.at("#code")).not_to_have_text(url[-4:])
    expect(display.at("#qr")).not_to_have_attribute("src", str(picture))
    second.page.goto(url)
    second.says("#notice", "Another phone has used that code")
    second.press("seat-H1")
    second.hides("#pin")

    second.at("#code").fill(display.at("#code").inner_text().lower())
    second.press("seat-H1")
    second.page.wait_for_url("**/seat")
    first.press("seat-H2")
    first.page.wait_for_url("**/seat")
    late.page.goto(url)
    late.says("#notice", "Another phone has used that code")
    assert ["H1", "H2"] == [seat["seat"] for seat in house.picture["seats"] if seat["taken"]]


def test_a_reload_costs_no_code(house: House, screens: Screens) -> None:
    """Who was let in stays so when the page is opened again."""
    phone, url = screens.phone(house), house.invitation["url"]
    phone.page.goto(url)
    phone.hides("#code")
    phone.shows('[data-seat="H1"]')

    phone.page.goto("about:blank")
    phone.page.goto(house.phone("/join"))
    phone.press("seat-H1")

    phone.page.wait_for_url("**/seat")


def test_every_screen_at_the_table_shows_the_new_code(house: House, screens: Screens) -> None:
    """The display that is paired, and the same machine's page that is not."""
    display = screens.display(house)
    other = screens.page(WIDE)
    other.goto(f"http://127.0.0.1:{house.port}/table")
    expect(other.locator("#code")).to_have_text(house.invitation["code"])
    before = other.locator("#qr").get_attribute("src")

    screens.phone(house).page.goto(house.invitation["url"])

    expect(other.locator("#qr")).not_to_have_attribute("src", str(before))
    expect(display.at("#code")).to_have_text(other.locator("#code").inner_text())


def read_words(phone: Phone) -> str:
    """Return the words that bring the seat back: they are there while a finger rests on the glass, and no longer."""
    phone.says("#three", "····")
    finger = Finger(phone.page.context, phone.page, phone.at("#hold"))
    expect(phone.at("#three")).not_to_contain_text("·")
    words = " ".join(phone.at("#three span").all_inner_texts())
    finger.lift()
    phone.says("#three", "····")
    return words


def test_a_lost_phone_comes_back_in_mid_game(furnish: Furnish, screens: Screens) -> None:
    """The display shows the way to a phone that was never here; the owner's words bring the seat back, a wrong word
    does not, and everybody is told of both."""
    house = furnish(None, 'recovery = "words"')
    display, lost = screens.display(house), screens.vampire(house)
    lost.page.goto(house.invitation["url"])
    lost.at("#name").fill("Ana")
    lost.press("seat-V")
    words = read_words(lost)
    lost.press("sit")
    lost.page.wait_for_url("**/seat")
    display.says('[data-seat="V"]', "Ana")
    display.press("players-2")
    display.set_up()
    display.press("start")
    lost.look()
    lost.step("C3")
    lost.press("end-night")
    display.turn_of("H1")
    lost.page.context.close()
    new = screens.vampire(house)

    display.press("info")
    display.press("return")
    display.shows("#qr")
    new.page.goto(house.invitation["url"])
    new.press("seat-V")
    new.at("#words").fill("kano bimi teso")
    new.press("sit")
    new.says("#notice", "That is not the code. This was try 1 of 10.")
    new.at("#words").fill(words.upper())
    new.press("sit")

    new.page.wait_for_url("**/seat")
    display.hides("#qr")
    told = [entry["event"] for entry in house.picture["log"][-3:]]
    assert ["recovery_tried", "recovery_tried", "seat_moved"] == [event["event"] for event in told]
    display.turn_of("H1")
    new.look()
    new.says(".secret", "C3")


def test_a_language_is_chosen_for_the_whole_browser(house: House, screens: Screens) -> None:
    """A page follows at once when another page of the same browser chooses a language; other devices keep theirs."""
    display, phone = screens.display(house), screens.phone(house)
    phone.page.goto(house.phone("/host"))
    settings = display.page.context.new_page()
    settings.goto(f"http://127.0.0.1:{house.port}/host")
    settings.locator('[data-action="language:nl"]').click()

    display.says('[data-action="games"]', "Andere spellen")
    assert "en" == phone.at("html").get_attribute("lang")


def test_an_evening_over_tls(furnish: Furnish, screens: Screens) -> None:
    """The display shows the certificate's fingerprint; a phone whose owner accepted it sits down, follows its stream
    and hides over https, by the address that the code holds; the display itself needs no certificate."""
    house = furnish(None, "tls = true")
    display = screens.display(house)
    told = house.invitation
    display.says("#fingerprint", told["fingerprint"])
    assert told["address"].startswith("https://")
    vampire = VampirePhone(house, screens.page(HANDHELD, is_phone=True, is_careless=True))
    opened = vampire.page.goto(told["url"].replace("http://", "https://"))

    assert opened is not None
    security: dict[str, object] = dict(opened.security_details() or {})
    assert ("Table companion", "TLS 1.3") == (security["subjectName"], security["protocol"])
    vampire.press("seat-V")
    vampire.press("sit")
    vampire.page.wait_for_url("https://**/seat")
    display.press("players-2")
    display.set_up()
    display.press("start")
    vampire.says("#cover", "Night")
    vampire.look()
    vampire.step("C3")
    vampire.press("end-night")
    display.turn_of("H1")
