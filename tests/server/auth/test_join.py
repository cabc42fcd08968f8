"""The way in: an address for everybody, the key and the code for people at the table."""

from __future__ import annotations

import re

import pytest

from companion.server.auth.join import qr_svg
from tests.helpers.texts import found_in
from tests.server.client import GameTable, Json, Phone


def invitation(game_table: GameTable, address: str = "192.168.1.66") -> Json:
    """Return the answer to a browser without a key at `address`."""
    response: Json = (
        game_table.app.test_client()
        .get("/join.json", environ_base={"REMOTE_ADDR": address})
        .get_json()
    )
    return response


def test_a_display_shows_key_and_code(game_table: GameTable) -> None:
    """A display's address has 43 characters of key and four letters after the #, which no browser
    ever sends.
    """
    url = game_table.display().request("hello")["join"]["url"]

    assert re.fullmatch(r"http://192\.168\.1\.20:8080/join#[\w-]{43}[BCDFGHJKLMNPQRSTVWXZ]{4}", url)


@pytest.mark.parametrize("asker", ["192.168.1.66", "127.0.0.1", "::1"])
def test_without_a_key_everybody_gets_the_address_only(game_table: GameTable, asker: str) -> None:
    """The code keeps out people who cannot see the table. A program on this machine gets none
    either: a reverse proxy there forwards the requests of strangers, with or without a header.
    """
    response = invitation(game_table, asker)

    address = "http://192.168.1.20:8080/join"
    assert {
        "url": address,
        "address": address,
        "code": None,
        "admission": response["admission"],
    } == response
    assert response["admission"] != game_table.display_fragment[:43]
    drawn = game_table.app.test_client().get("/qr/join.svg", environ_base={"REMOTE_ADDR": asker})
    assert (qr_svg(address), "image/svg+xml; charset=utf-8") == (drawn.text, drawn.content_type)
    assert "" == found_in(game_table.app.test_client().get("/snapshot").text, game_table.code)


def test_the_way_to_the_tiles_lets_nobody_in(game_table: GameTable) -> None:
    """The code of the tiles' page is its plain address, for everybody."""
    client = game_table.app.test_client()
    address = invitation(game_table, "10.0.0.9")["address"].replace("/join", "/tiles")

    for asker in ("127.0.0.1", "10.0.0.9"):
        assert (
            qr_svg(address) == client.get("/qr/tiles.svg", environ_base={"REMOTE_ADDR": asker}).text
        )


def test_after_the_start_the_code_lets_nobody_in(game_table: GameTable) -> None:
    """After the start the code is a spectator's address; on the table's own screens it holds the
    table's key, by which a player with another phone comes back, and still no code.
    """
    game_table.started()
    display = game_table.display()

    guest, shown = invitation(game_table), display.request("hello")["join"]

    assert (shown["address"], None) == (guest["url"], guest["code"])
    assert (f"{shown['address']}#{game_table.display_fragment[:43]}", None) == (
        shown["url"],
        shown["code"],
    )
    assert (qr_svg(shown["url"]), 1) == (shown["svg"], shown["ways"])


def test_the_code_is_version_5_with_its_quiet_zone() -> None:
    """The drawing has 37 modules and a white margin of four on each side, black on white."""
    svg = qr_svg("http://192.168.178.123:8080/join#" + "k" * 43 + "KTQF")

    assert 'viewBox="0 0 45 45"' in svg
    assert 'fill="#fff"' in svg
    assert "style=" not in svg


def test_a_paired_display_elsewhere_gets_the_drawing_in_its_box(game_table: GameTable) -> None:
    """A paired television shows the same code as the kiosk."""
    fragment = game_table.display_fragment
    television = game_table.phone("192.168.1.77")

    join = television.request("pair", code=fragment[43:])["join"]

    assert game_table.code == join["code"]
    assert qr_svg(join["url"]) == join["svg"]


def test_a_guest_gets_no_code(game_table: GameTable) -> None:
    """A phone that can box a question is not yet admitted and gets no code."""
    assert None is game_table.phone().request("hello")["join"]["code"]


def phone_without_key(game_table: GameTable, address: str = "10.0.0.9") -> Phone:
    """Return a phone on which the address was typed: it has the public facts without the table's
    key.
    """
    phone = game_table.phone(address)
    return Phone(
        game_table.app, invitation(game_table, address)["admission"], phone.secret, address
    )


def test_the_letters_alone_let_a_phone_in(game_table: GameTable) -> None:
    """The right letters give a phone on which the address was typed the table's key, and by it a
    seat.
    """
    phone = phone_without_key(game_table)

    reply = phone.request("admit", code=f" {game_table.code.lower()} ")

    assert {"ok": True, "key": game_table.display_fragment[:43]} == reply
    inside = Phone(game_table.app, reply["key"], phone.secret, "10.0.0.9")
    assert inside.request("hello")["admitted"]
    assert inside.request("claim", seat="V", pin="1111")["ok"]


def test_wrong_letters_are_counted_and_tell_no_key(game_table: GameTable) -> None:
    """Wrong letters are counted, five a minute from one address, with and without the table's key;
    an earlier code is named as one.
    """
    phone, before = phone_without_key(game_table), game_table.code
    game_table.context.access.change_code()
    wrong = "BBBB" if game_table.code != "BBBB" else "CCCC"

    replies = [phone.request("admit", code=code) for code in (wrong, before, wrong, before)]
    replies.append(game_table.phone("10.0.0.9").request("admit", code=wrong))
    replies.append(phone.request("admit", code=game_table.code))

    assert ["wrong_code", "code_used"] * 2 + ["wrong_code", "too_many_codes"] == [
        answer["code"] for answer in replies
    ]
    assert not any("key" in answer for answer in replies)


def test_by_the_letters_nothing_else_can_be_requested(game_table: GameTable) -> None:
    """By the letters a guest can request nothing else: no screen is notified, and no stream
    opens.
    """
    phone, position = phone_without_key(game_table), game_table.table.snapshot()["position"]
    requests: list[Json] = [
        {"do": "hello"}, {"do": "start"}, {"do": "recover", "seat": "V", "pin": "1111"},
        {"do": "reveal"}, {"do": "?"}, {"do": "claim", "seat": "H1", "pin": "1111",
        "code": game_table.code},
    ]  # fmt: skip

    replies = [phone.request_raw({"id": phone.new_id(), **each}) for each in requests]

    assert {"code_needed", "invalid_action"} == {answer["code"] for answer in replies}
    assert {("ok", "code", "message")} == {tuple(answer) for answer in replies}
    assert position == game_table.table.snapshot()["position"]
    assert (
        400
        == phone.post("/stream", phone.seal({"id": phone.new_id(), "do": "hello"})[0]).status_code
    )


def test_after_the_start_the_letters_let_nobody_in(game_table: GameTable) -> None:
    """Nor can a guest make the screens show a late arrival."""
    code = game_table.code
    game_table.started()
    position = game_table.table.snapshot()["position"]

    assert "seats_closed" == phone_without_key(game_table).request("admit", code=code)["code"]
    assert position == game_table.table.snapshot()["position"]
