"""A photo of the tiles, sent by an allowed phone, becomes the field; in mid-game it is compared
with it.
"""

from __future__ import annotations

import socket
from random import Random
from threading import Thread
from typing import Any

import pytest

from companion.games.vampireradar.layout import HOUSE_FIELD
from companion.games.vampireradar.tiles import tiles_of_layout
from companion.server.auth.tickets import MAX_TICKETS, TICKET_SECONDS, Tickets
from companion.server.http.server import make_server
from tests.sensors.vision.malicious_images import claiming
from tests.server.client import BOXED, GameTable, Phone
from tools.photos.scene import Laid, Scene, random_laid
from tools.photos.views import View, photo

pytestmark = pytest.mark.slow

HOUSE: Laid = {
    cell: (tile.number, tile.turn or 0) for cell, tile in tiles_of_layout(HOUSE_FIELD, {}).items()
}
FIELD = {"tiles": list(HOUSE_FIELD.tiles), "walls": list(HOUSE_FIELD.walls)}


def send(
    game_table: GameTable, phone: Phone | None, image: bytes, ticket: str | None = None
) -> tuple[int, Any]:
    """Send a photo with a new ticket of a phone, or with a given one; return the status and the
    answer.
    """
    ticket = ticket if ticket is not None or phone is None else phone.request("photo")["ticket"]
    headers = {"X-Ticket": ticket} if ticket else {}
    answer = game_table.app.test_client().post(
        "/photo", data=image, content_type=BOXED, headers=headers
    )
    return answer.status_code, answer.get_json()


def test_a_ticket_prepares_the_photos_process(game_table: GameTable) -> None:
    """With a ticket for a photo its process starts, with one for a map none does; the photo ends
    the process.
    """
    decoder = game_table.context.photo_decoder
    (phone,) = game_table.seated("H1")
    phone.request("map")
    assert decoder.prepared_process is None
    ticket = phone.request("photo")["ticket"]
    process = decoder.prepared_process
    assert process

    send(game_table, phone, photo(Scene(laid=HOUSE, card="west"), View(), 2), ticket)
    assert 0 == process.returncode


def test_a_photo_becomes_the_field(game_table: GameTable) -> None:
    """The tiles in a seated phone's photo are answered, and once confirmed they are the proposed
    field.
    """
    (phone,) = game_table.seated("H1")
    status, reading = send(game_table, phone, photo(Scene(laid=HOUSE, card="west"), View(), 2))

    assert (200, [], [], "card") == (
        status,
        reading["unread"],
        reading["problems"],
        reading["north"],
    )
    assert {cell: list(tile) for cell, tile in HOUSE.items()} == reading["tiles"]
    assert game_table.table.snapshot()["lobby"]["field"] is None

    assert phone.request("lay_tiles", tiles=reading["tiles"])["ok"]

    lobby = game_table.table.snapshot()["lobby"]
    assert (FIELD, []) == (lobby["field"], lobby["warnings"])


def test_tiles_that_make_no_field_are_reported(game_table: GameTable) -> None:
    """A field with a hole is refused with the cell's name; nothing is proposed."""
    display = game_table.display()
    tiles = {cell: list(tile) for cell, tile in HOUSE.items() if cell != "C4"}
    answer = display.request("lay_tiles", tiles=tiles)

    assert (False, "tiles_missing") == (answer["ok"], answer["message"]["code"])
    assert game_table.table.snapshot()["lobby"]["field"] is None


def test_only_who_is_at_the_table_may_send(game_table: GameTable) -> None:
    """A guest gets no ticket; without one, with a made-up one, or with a used one, no photo is
    read.
    """
    guest, (phone,) = game_table.phone(), game_table.seated("V")
    used = phone.request("photo")["ticket"]
    send(game_table, None, b"x", used)

    assert "not_seated" == guest.request("photo")["message"]["code"]
    assert [(403, {"code": "no_ticket"})] * 3 == [
        send(game_table, None, b"x", ticket) for ticket in ("", "0" * 32, used)
    ]


def test_what_is_no_field_is_answered_in_words(game_table: GameTable) -> None:
    """A picture without a field is 422 with its problem."""
    status, reading = send(game_table, game_table.display(), claiming(9400, 9400))

    assert (422, ["scan.too_many_pixels"]) == (
        status,
        [problem["code"] for problem in reading["problems"]],
    )


def test_a_game_is_held_against_its_tiles(game_table: GameTable) -> None:
    """During a game a photo is compared with the field: exchanged and turned tiles are named, the
    field stays.
    """
    display = game_table.display()
    display.request("lay_tiles", tiles={cell: list(tile) for cell, tile in HOUSE.items()})
    game_table.placed()
    moved = HOUSE | {
        "A1": HOUSE["F6"],
        "F6": HOUSE["A1"],
        "B2": (HOUSE["B2"][0], (HOUSE["B2"][1] + 90) % 360),
    }
    _, reading = send(game_table, display, photo(Scene(laid=moved), View(azimuth=180), 2))
    steps = display.request("check_tiles", tiles=reading["tiles"])["steps"]

    assert "known" == reading["north"]
    assert {"A1": "wrong", "F6": "wrong", "B2": "turn"} == {
        c: step[2] for c, step in steps.items() if step[2] != "done"
    }
    assert "game_running" == display.request("lay_tiles", tiles=reading["tiles"])["message"]["code"]


def test_a_half_laid_field_is_ticked_off(game_table: GameTable) -> None:
    """A photo taken while the proposed field is being laid, with no corner card yet, ticks off the
    laid tiles.
    """
    display = game_table.display()
    assert display.request("propose", change={"players": 3, "field": FIELD})["ok"]
    laid = {cell: tile for cell, tile in HOUSE.items() if cell[1] in "123"}
    status, reading = send(game_table, display, photo(Scene(laid=laid), View(azimuth=90), 2))
    sheet = game_table.table.snapshot()["lobby"]["sheet"]["tiles"]

    assert (200, "known") == (status, reading["north"])
    assert set(laid) == {cell for cell, step in sheet.items() if step[2] == "done"}


def test_a_field_without_a_game_is_not_checked(game_table: GameTable) -> None:
    """Before a game there is nothing to compare with."""
    assert (
        "no_game"
        == game_table.display().request("check_tiles", tiles={"A1": [1, 0]})["message"]["code"]
    )


def test_tickets() -> None:
    """A ticket is valid once, for a while, and as long as not too many newer ones are out."""
    clock, rng = [0.0], Random(1)
    tickets = Tickets(rng.randbytes, lambda: clock[0])
    first, second = tickets.issue(), tickets.issue()
    assert tickets.is_good(first) and tickets.spend(first)
    assert not tickets.is_good(first) and not tickets.spend(first)
    clock[0] = TICKET_SECONDS + 1
    assert not tickets.spend(second)
    third = tickets.issue()
    for _ in range(MAX_TICKETS):
        tickets.issue()
    assert not tickets.is_good(third)


@pytest.mark.parametrize(
    ("path", "good", "large"),
    [("/photo", True, True), ("/photo", False, False), ("/channel", True, False)],
)
def test_only_a_ticket_opens_the_door_for_much(
    game_table: GameTable, path: str, good: bool, large: bool
) -> None:
    """A long body is accepted here with a valid ticket only; others are refused unread."""
    ticket = game_table.context.tickets.issue() if good else "0" * 32
    server = make_server(game_table.app, "127.0.0.1", 0)
    thread = Thread(target=server.run, daemon=True)
    thread.start()
    port = server.effective_port
    head = (
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nX-Ticket: {ticket}\r\nContent-Type: "
        f"{BOXED}\r\n"
        f"Content-Length: {200_000 if large else 9_000_000}\r\nConnection: close\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", port), timeout=30) as wire:
        wire.sendall(head.encode() + (b"\0" * 200_000 if large else b""))
        answer = wire.recv(65536)
    server.close()

    assert (b" 422 " if large else b" 413 ") in answer.splitlines()[0]


def test_random_tiles_are_read_like_any(game_table: GameTable) -> None:
    """A field against every rule is read too; its warnings are shown when it is proposed."""
    laid = random_laid(Random(8))
    display = game_table.display()
    _, reading = send(game_table, display, photo(Scene(laid=laid), View(), 2))

    assert {cell: list(tile) for cell, tile in laid.items()} == reading["tiles"]
    assert display.request("lay_tiles", tiles=reading["tiles"])["ok"]
    assert [] != game_table.table.snapshot()["lobby"]["warnings"]
