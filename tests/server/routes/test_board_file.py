"""The board of a box, typed once: sent by an allowed phone, kept in the data folder, proposed with
real cards.
"""

from __future__ import annotations

from typing import Any

from companion.content.user_content import UserContent
from companion.games import GAMES
from tests.server.client import BOXED, GameTable, Phone

HEAD = 'format = 1\ngame = "vwars"\ntitle = "Ours"\nlanguage = "en"\nsample = false\n'
REGIONS = "".join(
    f'[[region]]\nid = "r{n}"\nname = "Region {n}"\nadjacent = ["r{2 if n == 1 else 1}"]\n'
    for n in (1, 2)
)
CITIES = "".join(
    f'[[city]]\nid = "c{n}"\nname = "City {n}"\nregion = "r{1 + n % 2}"\n' for n in range(10)
)
MAP = HEAD + REGIONS + CITIES


def send(
    game_table: GameTable, phone: Phone, text: str, ticket: str | None = None
) -> tuple[int, Any]:
    """Send a file with a new ticket of a phone, or with a given one; return the status and the
    answer.
    """
    ticket = phone.request("map")["ticket"] if ticket is None else ticket
    answer = game_table.app.test_client().post(
        "/map", data=text.encode(), content_type=BOXED, headers={"X-Ticket": ticket}
    )
    return answer.status_code, answer.get_json()


def test_a_typed_map_is_proposed_and_kept(game_table: GameTable) -> None:
    """A sound map is proposed with the box's own cards, need not be typed again, and is kept when
    the server restarts.
    """
    display = game_table.display()
    status, answer = send(game_table, display, MAP)
    lobby = game_table.table.snapshot()["lobby"]

    assert (200, "vwars", "box", True) == (
        status,
        lobby["game"],
        lobby["options"]["content"],
        lobby["ready"],
    )
    assert answer["setup"]["map"] == lobby["map"]
    assert ["City 1", "City 3", "City 5", "City 7", "City 9"] == list(
        lobby["map"]["r2"]["cities"].values()
    )
    assert {"vwars": answer["setup"]} == game_table.app.test_client().get("/map.json").get_json()
    assert {"vwars": answer["setup"]} == UserContent(game_table.folder, GAMES).load()


def test_the_map_comes_and_goes_with_the_box(game_table: GameTable) -> None:
    """Other cards than the box's need no map; the box's own cards, and the next game, get the kept
    map; a named map is used instead.
    """
    display = game_table.display()
    send(game_table, display, MAP)
    kept = game_table.table.snapshot()["lobby"]["map"]
    display.request("propose", change={"options": {"content": "sample"}})
    assert (None, True) == tuple(
        game_table.table.snapshot()["lobby"][key] for key in ("map", "ready")
    )
    display.request("propose", change={"game": "nosferatu"})
    display.request(
        "propose", change={"game": "vwars", "options": {"content": "box", "factions": "cards"}}
    )
    assert kept == game_table.table.snapshot()["lobby"]["map"]
    assert display.request("start")["ok"]
    assert ["Region 1", "Region 2"] == [
        region["name"] for region in game_table.table.snapshot()["view"]["regions"].values()
    ]
    display.request("draw", seat="P1")
    display.request("next_game")
    assert kept == game_table.table.snapshot()["lobby"]["map"]
    own_map = {"x": {"name": "X", "cities": {f"x{n}": str(n) for n in range(10)}}}
    assert display.request("propose", change={"map": own_map})["ok"]
    assert own_map == game_table.table.snapshot()["lobby"]["map"]


def test_a_fault_is_named_and_nothing_is_kept(game_table: GameTable) -> None:
    """An unplayable map is answered with its faults by line and field; the one before stays."""
    display = game_table.display()
    send(game_table, display, MAP)
    before = game_table.table.snapshot()
    status, answer = send(game_table, display, MAP.replace('name = "City 3"', 'name = ""'))

    assert (200, [("city[4].name", "content.empty")]) == (
        status, [(finding["field"], finding["message"]["code"]) for finding in answer["findings"]],
    )  # fmt: skip
    assert (before, 200) == (game_table.table.snapshot(), send(game_table, display, MAP)[0])


def test_a_map_is_kept_where_it_cannot_be_proposed(game_table: GameTable) -> None:
    """Beside a bot nothing is proposed and the reason is given; the typed map is kept."""
    display = game_table.display()
    game_table.table.lobby.bot_levels = {"vwars": ("greedy",)}
    display.request("propose", change={"game": "vwars"})
    assert display.request("give", seat="P1", level="greedy")["ok"]
    status, answer = send(game_table, display, MAP)

    assert (200, "bot_without_hands") == (status, answer["code"])
    assert ["vwars"] == list(UserContent(game_table.folder, GAMES).load())


def test_no_map_is_read_during_a_game(game_table: GameTable) -> None:
    """A running game gives no ticket for a map, and an earlier ticket sends none."""
    display = game_table.display()
    ticket = display.request("map")["ticket"]
    game_table.started()

    status, answer = send(game_table, display, MAP, ticket)

    assert "game_running" == display.request("map")["code"]
    assert (200, "game_running") == (status, answer["code"])
    assert {} == UserContent(game_table.folder, GAMES).load()


def test_only_who_is_at_the_table_may_send(game_table: GameTable) -> None:
    """A guest gets no ticket, and without a good one the file is not read."""
    guest = game_table.phone()

    assert "not_seated" == guest.request("map")["message"]["code"]
    assert [(403, {"code": "no_ticket"})] * 2 == [
        send(game_table, guest, MAP, ticket) for ticket in ("", "0" * 32)
    ]
