"""Each `do`: its effect, who may send it, and its answer."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from companion.core.game import Action
from companion.core.placement import Cell, Pawn
from companion.games.vampireradar.actions import Walk
from companion.server.rpc import handlers
from companion.server.rpc.channel import REPLY_PLAIN
from companion.server.rpc.request import GuestRequest
from companion.server.rpc.requests import request_types
from companion.server.sse import to_json
from tests.helpers.ramdisk import in_memory
from tests.helpers.repetitions import soak
from tests.helpers.simulated_clock import SimulatedClock
from tests.server.client import GameTable, Json, Phone

WALK = {"type": "walk", "pawn": "H1a", "to": "B1"}
END = {"type": "end"}

EVERY_REQUEST: dict[str, Json] = {
    "hello": {},
    "way": {},
    "pair": {"code": "BBBBBBBBBBBB"},
    "screen": {},
    "camera_code": {},
    "pair_camera": {"code": "BBBBBBBBBBBB"},
    "watch": {"changed": True},
    "admit": {"code": "BBBB"},
    "claim": {"seat": "V", "code": "BBBB", "pin": "1111"},
    "recover": {"seat": "V", "pin": "0000"},
    "share": {"seal": "0" * 64, "share": "0" * 32},
    "rename": {"name": "Mallory"},
    "aim": {"actions": []},
    "ask_aloud": {"what": "turn"},
    "read_aloud": {"number": 1},
    "propose": {"change": {"players": 3}},
    "choose": {"what": "roles", "choice": None},
    "pause": {"on": True},
    "start": {},
    "next_game": {},
    "preview": {"actions": [END]},
    "submit": {"actions": [END]},
    "undo": {},
    "vote": {"agree": True},
    "draw": {},
    "by_hand": {"arrangement": {"pawns": {"H1a": "D4"}}},
    "switch_to_paper": {},
    "surrender": {},
    "mark": {"cell": "C3", "mark": "?"},
    "settings": {"change": {"sound": False}},
    "free": {"seat": "H1"},
    "give": {"seat": "H2", "level": "greedy"},
    "give_free": {"seats": ["H2"], "level": "greedy"},
    "board": {"answer": "accept"},
    "touch": {"pawn": "H1a", "cell": "B1"},
    "maintain": {"step": "register", "thing": "pawn:H1a"},
    "reveal": {},
    "take_tiles": {},
    "lay_tiles": {"tiles": {"A1": [1, 0]}},
    "check_tiles": {"tiles": {"A1": [1, 0]}},
    "photo": {},
    "map": {},
    "paper": {"pages": "C4,C5 D5,,D4"},
    "blank": {},
}
HARMLESS = {"hello", "blank"}
FOR_ALL_AFTER_THE_END = {"reveal"}
BY_CODE = {"pair", "pair_camera", "admit", "claim", "recover"}


class Seated(NamedTuple):
    """The phones of a game that has just begun."""

    vampire: Phone
    human: Phone
    display: Phone


@pytest.fixture(scope="module")
def seated() -> Iterator[Seated]:
    """One game for all cases that change nothing in it."""
    with in_memory() as folder:
        game_table = GameTable(Path(folder) / "data")
        vampire, human = game_table.started()
        yield Seated(vampire, human, game_table.display())
        game_table.close()


def snapshot_of(phone: Phone) -> Json:
    snapshot: Json = phone.app.test_client().get("/snapshot").get_json()
    return snapshot


def legal(phone: Phone) -> list[Json]:
    actions: list[Json] = snapshot_of(phone)["legal"]
    return actions


def positions(game_table: GameTable) -> int:
    position: int = game_table.table.snapshot()["position"]
    return position


def test_every_ask_is_tried_here() -> None:
    """This module has an example of every `do`, so that a new one cannot be forgotten."""
    assert {ask.__struct_config__.tag for ask in request_types()} == set(EVERY_REQUEST)


def test_few_requests_are_for_guests() -> None:
    """A request is for seats and displays unless its class says otherwise. Guests may send those
    that change nothing, that need a code or a paired camera, and one after the end.
    """
    guests = {
        kind.__struct_config__.tag for kind in request_types() if issubclass(kind, GuestRequest)
    }
    assert HARMLESS | FOR_ALL_AFTER_THE_END | BY_CODE | {"watch"} == guests


@pytest.fixture(scope="module")
def strangers(unchanged_table: GameTable) -> list[Phone]:
    """A guest, and a phone whose seat another one has taken."""
    vampire, _ = unchanged_table.placed()
    unchanged_table.phone().request("recover", seat="V", pin="1111")
    return [unchanged_table.phone(), vampire]


@pytest.mark.parametrize(
    "do", sorted(set(EVERY_REQUEST) - HARMLESS - FOR_ALL_AFTER_THE_END - BY_CODE)
)
def test_a_key_without_a_seat_is_refused_alike(
    unchanged_table: GameTable, strangers: list[Phone], do: str
) -> None:
    """A guest, a revoked key and another game's key get one answer, and nothing changes."""
    before = positions(unchanged_table)

    answers = [phone.request(do, **EVERY_REQUEST[do]) for phone in strangers]

    expected = {"ok": False, "code": "not_seated", "message": {"code": "not_seated", "params": {}}}
    assert [expected, expected] == answers
    assert before == positions(unchanged_table)


def test_hello_returns_a_seat_s_own_page(game_table: GameTable) -> None:
    """`hello` returns the vampire's place to the vampire, nothing private to a human, and nothing
    of a seat to a guest.
    """
    vampire, human = game_table.placed(cell="D4")

    replies = [phone.request("hello") for phone in (vampire, human, game_table.phone())]

    assert ["V", "H1", "guest"] == [answer["role"] for answer in replies]
    assert "D4" == replies[0]["private"]["own"]["cell"]
    assert None is replies[1]["private"]["own"]
    assert None is replies[2]["private"]
    assert replies[0]["snapshot"] == replies[1]["snapshot"] == replies[2]["snapshot"]


def test_a_small_picture_comes_along_and_a_large_one_is_fetched(game_table: GameTable) -> None:
    """Whether the snapshot comes along depends on public facts: its own length."""
    vampire, human = game_table.started()
    assert game_table.table.snapshot() == human.request("hello")["snapshot"]
    for number in range(12):
        human.request("rename", name=f"{number}" + "é" * 23)

    assert [None, None] == [phone.request("hello")["snapshot"] for phone in (vampire, human)]


def test_a_submission_is_answered_without_the_picture(game_table: GameTable) -> None:
    """A submission is answered without the snapshot: fetching it then, and not after a draft, would
    show on the network which of the two was sent.
    """
    vampire, _ = game_table.started()

    answer = vampire.request("submit", actions=[{"type": "place", "cell": "C3"}])

    assert {"ok", "role", "private", "pending"} == set(answer)


def test_a_whole_round(game_table: GameTable) -> None:
    """Place, walk, end, a night, and the humans' turn again; all messages have one size."""
    vampire, human = game_table.placed(cell="C3")

    assert human.request("submit", actions=[legal(human)[0]], expect=positions(game_table))["ok"]
    assert human.request("submit", actions=[END])["ok"]
    assert "V" == snapshot_of(human)["to_move"]
    draft = vampire.request("preview", actions=[vampire.request("hello")["private"]["legal"][0]])
    assert draft["ok"]
    assert {"ok", "view", "legal"} == set(draft)
    answer = vampire.request("submit", actions=[END])
    assert (True, True) == (answer["ok"], answer["private"]["submitted"])
    game_table.pass_night()

    assert "H1" == snapshot_of(human)["to_move"]
    assert {(1097, 8232)} == vampire.sizes | human.sizes


def test_the_same_id_is_done_once(game_table: GameTable) -> None:
    """A double tap or a retry gets the first answer; another body under the same id is refused."""
    _, human = game_table.placed()
    walk = next(action for action in legal(human) if action["type"] == "walk")
    request = {"id": human.new_id(), "do": "submit", "actions": [walk]}

    first = human.request_raw(request)
    after = positions(game_table)
    second = human.request_raw(request)

    assert (True, True, after) == (first["ok"], second["ok"], positions(game_table))
    assert "id_reused" == human.request_raw(request | {"actions": [END]})["code"]


def test_a_message_replayed_from_the_wire_does_nothing(game_table: GameTable) -> None:
    """A recorded question that is sent again has no effect."""
    _, human = game_table.placed()
    message, _ = human.seal({"id": human.new_id(), "do": "submit", "actions": [END]})
    human.post("/channel", message)
    before = positions(game_table)

    for _ in range(3):
        human.post("/channel", message)

    assert before == positions(game_table)


def test_the_last_action_of_a_game_may_be_sent_again(game_table: GameTable) -> None:
    """The receipt of a game's last action is still kept when the game is over."""
    vampire, human = game_table.placed()
    request = {"id": human.new_id(), "do": "submit", "actions": [legal(human)[0]]}
    human.request_raw(request)
    vampire.request("surrender")

    assert human.request_raw(request)["ok"]


def test_an_old_tab_gets_the_present_state(game_table: GameTable) -> None:
    """An action on an old snapshot is refused with the new one."""
    _, human = game_table.placed()
    old = positions(game_table)
    walk = next(action for action in legal(human) if action["type"] == "walk")
    human.request("submit", actions=[walk], expect=old)

    answer = human.request("submit", actions=[END], expect=old)

    assert (False, "stale") == (answer["ok"], answer["code"])
    assert game_table.table.snapshot() == answer["snapshot"]
    assert "H1" == answer["snapshot"]["to_move"]


def test_a_pencil_mark_makes_nothing_old(game_table: GameTable) -> None:
    """A pencil mark moves the position, not the game."""
    vampire, human = game_table.placed()
    expected = positions(game_table)
    assert vampire.request("mark", cell="C3", mark="?")["ok"]

    assert human.request("submit", actions=[legal(human)[0]], expect=expected)["ok"]


def test_illegal_actions_are_named_by_their_rule(game_table: GameTable) -> None:
    """An illegal action is refused with its kind as `code` and the reason in `message`."""
    _, human = game_table.placed()

    answer = human.request("submit", actions=[{"type": "walk", "pawn": "H1a", "to": "F6"}])

    assert (False, "illegal_action") == (answer["ok"], answer["code"])
    assert {"code", "params"} == set(answer["message"])


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"do": "hello"},
        {"do": "nothing", "id": "0" * 32},
        {"do": "hello", "id": "short"},
        {"do": "hello", "id": "0" * 32, "more": 1},
        {"do": "submit", "id": "0" * 32, "actions": "all"},
        {"do": "submit", "id": "0" * 32, "actions": [], "expect": -1},
        {"do": "mark", "id": "0" * 32, "cell": "C3", "mark": "<b>"},
        {"do": "board", "id": "0" * 32, "answer": "shout"},
    ],
)
def test_unreadable_questions_are_refused_as_such(unchanged_table: GameTable, body: Json) -> None:
    """An unreadable question gets 200 outside, "invalid_action" inside, and the table goes on."""
    answer = unchanged_table.phone().request_raw(body)

    assert ("invalid_action", "unreadable_request") == (answer["code"], answer["message"]["code"])


@pytest.mark.parametrize(
    "actions", [[], [{}], [{"type": "fly"}], ["end"], [END] * 101, [{"type": "end", "by": 1}]]
)
def test_unreadable_actions_are_refused_as_such(game_table: GameTable, actions: list[Any]) -> None:
    """One unreadable action refuses all of a submission."""
    _, human = game_table.placed()
    before = positions(game_table)

    if len(actions) > 100:
        actions = [{}] * 101
    assert "invalid_action" == human.request("submit", actions=actions)["code"]
    assert before == positions(game_table)


def test_nobody_acts_for_another_seat(game_table: GameTable) -> None:
    """A seated phone may name its own seat or none."""
    vampire, human = game_table.placed()

    assert "not_your_seat" == vampire.request("submit", actions=[END], seat="H1")["code"]
    assert "not_your_seat" == human.request("submit", actions=[END], seat="V")["code"]
    assert "not_your_seat" == human.request("undo", seat="V")["code"]


def test_the_display_acts_for_humans_by_hand(game_table: GameTable) -> None:
    """The display may do what a hand on the table may do, for the seat that moves."""
    game_table.placed()
    display = game_table.display()

    assert display.request("submit", actions=[legal(display)[0]], seat="H1")["ok"]
    assert display.request("submit", actions=[END])["ok"]
    assert "V" == game_table.table.snapshot()["to_move"]


@pytest.mark.parametrize(
    "do", ["submit", "undo", "vote", "draw", "by_hand", "switch_to_paper", "mark"]
)
def test_the_display_never_acts_for_the_vampire(seated: Seated, do: str) -> None:
    """The display never acts for the vampire: by night, by day, and before he is placed."""
    placing = seated.display.request(do, seat="V", **EVERY_REQUEST[do])

    assert "not_by_display" == placing["code"]


def test_the_display_never_drafts_for_anybody(game_table: GameTable) -> None:
    """The display has no drafts: a preview belongs to a seat."""
    game_table.placed()

    assert "not_seated" == game_table.display().request("preview", actions=[END])["code"]


def test_the_display_by_night_acts_for_nobody_in_secret(game_table: GameTable) -> None:
    """Without a name a display's action by night is a human's, who has to wait."""
    vampire, human = game_table.placed()
    human.request("submit", actions=[END])
    display = game_table.display()

    assert "not_by_display" == display.request("submit", actions=[END], seat="V")["code"]
    assert "night_not_over" == display.request("submit", actions=[END], seat="H1")["code"]
    assert vampire.request("submit", actions=[END])["ok"]
    assert "not_by_display" == display.request("submit", actions=[END], seat="V")["code"]


def test_undo_by_hand_means_who_moved_last(game_table: GameTable) -> None:
    """The display takes a walk back as a phone does."""
    game_table.placed()
    display = game_table.display()
    walk = next(action for action in legal(display) if action["type"] == "walk")
    display.request("submit", actions=[walk])

    assert display.request("undo")["ok"]

    assert "rewound" == game_table.table.snapshot()["log"][-1]["event"]["event"]


def test_everybody_must_agree_to_unhear(game_table: GameTable) -> None:
    """The display may agree for a human, the vampire alone for himself."""
    vampire, _human = game_table.placed()
    display = game_table.display()
    display.request("submit", actions=[END])
    vampire.request("submit", actions=[END])
    game_table.pass_night()

    assert display.request("undo", seat="H1")["ok"]
    vote = game_table.table.snapshot()["vote"]
    assert (["H1"], {"V", "H1"}) == (vote["agreed"], set(vote["needed"]))
    display.request("vote", agree=True)
    assert "not_by_display" == display.request("vote", agree=True, seat="V")["code"]
    assert None is not game_table.table.snapshot()["vote"]
    assert vampire.request("vote", agree=True)["ok"]
    assert "rewound" in [line["event"]["event"] for line in game_table.table.snapshot()["log"]]


def test_the_lobby_is_open_to_who_sits_and_to_the_display(game_table: GameTable) -> None:
    """The display may propose, change the manners and start."""
    display = game_table.display()
    vampire, _ = game_table.seated("V", "H1")

    assert display.request("propose", change={"players": 2})["ok"]
    assert vampire.request("settings", change={"sound": False})["ok"]
    assert vampire.request("rename", name="Vlad")["ok"]
    assert display.request("start")["ok"]

    snapshot = game_table.table.snapshot()
    assert ("play", False) == (snapshot["phase"], snapshot["settings"]["sound"])
    assert "Vlad" in [seat["name"] for seat in snapshot["seats"]]
    assert display.request("pause", on=True)["ok"]
    assert game_table.table.snapshot()["paused"]


def test_the_display_does_not_agree_to_a_custom_setup(game_table: GameTable) -> None:
    """A hand on the display may propose such a game and ask to begin it; a seated player agrees on
    his own phone alone, and the display can say no.
    """
    display = game_table.display()
    rows = ["....", ".....", "......", "...s...", "......", ".....", "...w"]
    assert display.request(
        "propose", change={"game": "nosferatu", "players": 2, "position": {"rows": rows}}
    )["ok"]
    phones = game_table.seated("vampires", "villagers")
    display.request("start")

    assert "lobby" == game_table.table.snapshot()["phase"]
    assert "not_by_display" == display.request("vote", agree=True, seat="vampires")["code"]
    assert display.request("vote", agree=False, seat="vampires")["ok"]
    assert None is game_table.table.snapshot()["vote"]
    display.request("start")
    for phone in phones:
        phone.request("vote", agree=True)
    assert "play" == game_table.table.snapshot()["phase"]


def test_seats_are_freed_by_their_holders_or_the_display(game_table: GameTable) -> None:
    """In the lobby no phone removes another player."""
    vampire, human = game_table.seated("V", "H1")

    assert "not_your_seat" == vampire.request("free", seat="H1")["code"]
    assert human.request("free", seat="H1")["ok"]
    assert "guest" == human.request("hello")["role"]
    assert game_table.display().request("free", seat="V")["ok"]
    assert "guest" == vampire.request("hello")["role"]


def test_seals_are_opened_after_the_end_for_everybody(game_table: GameTable) -> None:
    """Before the end nobody gets the opened seals, the vampire included."""
    vampire, human = game_table.placed()
    assert {"not_over"} == {
        phone.request("reveal")["code"] for phone in (vampire, human, game_table.phone())
    }
    vampire.request("surrender")

    reply = game_table.phone().request("reveal")

    assert (True, 1) == (reply["ok"], reply["pages"])
    assert {"opened", "seal"} == set(reply["opened"][0])
    assert '"cell":"C3"' in reply["opened"][0]["opened"]


def test_touching_is_for_the_display(game_table: GameTable) -> None:
    """A touch is evidence like a sensor's, from the one screen on the table."""
    _, human = game_table.placed()

    assert "display_only" == human.request("touch", pawn="H1a", cell="B1")["code"]


def test_the_boards_questions_are_answered(
    game_table: GameTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everybody at the table can answer the reader's questions."""
    answers: list[tuple[str, list[Action]]] = []
    monkeypatch.setattr(
        game_table.reader, "answer", lambda kind, actions: answers.append((kind, actions))
    )
    _, human = game_table.placed()

    assert human.request("board", answer="reading", actions=[WALK])["ok"]
    assert game_table.display().request("board", answer="ignore")["ok"]

    assert [("reading", [Walk(pawn=Pawn("H1a"), to=Cell("B1"))]), ("ignore", [])] == answers


def test_private_answers_alone_are_held_back(game_table: GameTable) -> None:
    """The vampire's answers are always delayed; a human's and the display's never."""
    context = game_table.context
    vampire, human = game_table.started()

    assert handlers.is_private(context, vampire.key.hex())
    vampire.request("submit", actions=[{"type": "place", "cell": "C3"}])
    game_table.pass_night()
    assert handlers.is_private(context, vampire.key.hex())
    assert not handlers.is_private(context, human.key.hex())
    assert not handlers.is_private(context, game_table.display().key.hex())


@pytest.mark.slow
@pytest.mark.parametrize("seeds", [range(1), *soak(range(1, 4))])
def test_long_games_fit_in_the_box(seeds: range) -> None:
    """The largest answer of random games stays below 80 % of its size, with and without the public
    snapshot.
    """
    assert REPLY_PLAIN * 0.8 > max(largest_answer(seed) for seed in seeds)


def largest_answer(seed: int) -> int:
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        game_table = GameTable(Path(folder))
        phones = game_table.placed(players=3, cell="C4")
        most = 0
        for _ in range(150):
            snapshot = game_table.table.snapshot()
            if snapshot["outcome"] is not None:
                break
            mover = dict(zip(["V", "H1", "H2"], phones, strict=True))[snapshot["to_move"]]
            answer = mover.request("submit", actions=random_turn(chance, mover, snapshot))
            most = max(
                most,
                len(to_json(answer)),
                *(len(to_json(phone.request("hello"))) for phone in phones),
            )
            assert isinstance(game_table.clock, SimulatedClock)
            if snapshot["secret"]:
                game_table.pass_night()
        game_table.close()
    return most


def random_turn(chance: random.Random, mover: Phone, snapshot: Json) -> list[Json]:
    if not snapshot["secret"]:
        quiet = [
            action
            for action in snapshot["legal"]
            if action["type"] != "shoot" or chance.random() < 0.05
        ]
        return [chance.choice(quiet)]
    draft: list[Json] = []
    options: list[Json] = mover.request("hello")["private"]["legal"]
    while not draft or draft[-1]["type"] != "end":
        draft.append(chance.choice(options))
        options = mover.request("preview", actions=draft).get("legal", [])
        if not options:
            break
    return draft


def test_answers_of_the_running_game_are_sent_again(game_table: GameTable) -> None:
    """Everybody may read every answer of this game again, with its nightfalls, oldest first, and
    nothing else.
    """
    client = game_table.app.test_client()
    assert [] == client.get("/answers").get_json()
    _, human = game_table.placed()
    human.request(
        "submit",
        actions=[
            {"type": "walk", "pawn": "H1a", "to": game_table.table.snapshot()["legal"][0]["to"]}
        ],
    )
    human.request("submit", actions=[{"type": "shoot", "pawn": "H1a", "direction": "N"}])

    events = [line["event"]["event"] for line in client.get("/answers").get_json()]
    assert ["night_fell", "vampire_placed", "shot_fired"] == events


def test_a_shot_is_aimed_before_all_eyes(game_table: GameTable) -> None:
    """A human's aimed shot is shown to everybody until the next event; nothing else can be
    aimed.
    """
    vampire, human = game_table.placed()
    shot = {"type": "shoot", "pawn": "H1a", "direction": "E"}
    assert human.request("aim", actions=[shot])["ok"]
    assert shot == game_table.table.snapshot()["aim"]
    assert "cannot_aim" == human.request("aim", actions=[shot | {"pawn": "H2a"}])["code"]
    assert "cannot_aim" == vampire.request("aim", actions=[shot])["code"]
    position = game_table.table.snapshot()["position"]

    human.request("submit", actions=[shot])

    assert (None, True) == (
        game_table.table.snapshot()["aim"],
        game_table.table.snapshot()["position"] > position,
    )


@pytest.mark.parametrize(
    ("step", "thing", "code"),
    [
        ("register", "dragon:1", "maintenance_no_such_thing"),
        ("forget", "dragon:1", "maintenance_no_such_thing"),
        ("forget", "", "maintenance_no_such_thing"),
        ("use_board", "/dev/null", "maintenance_no_such_board"),
    ],
)
def test_maintenance_without_a_board(seated: Seated, step: str, thing: str, code: str) -> None:
    """Every admitted phone may work at a board; without a board each step is refused with a
    sentence.
    """
    for phone in seated:
        answer = phone.request("maintain", step=step, thing=thing)
        assert (False, code) == (answer["ok"], answer["message"]["code"])
