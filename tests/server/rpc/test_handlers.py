"""What each `do` does, for whom, and what it answers."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path
from typing import Any

import pytest

from companion.clock import SimulatedClock
from companion.server.rpc.channel import REPLY_PLAIN
from companion.server.rpc.requests import REQUEST_TYPES
from companion.server.sse import to_json
from tests.server.client import Evening, Json, Phone

WALK = {"type": "walk", "pawn": "H1a", "to": "B1"}
END = {"type": "end"}

EVERY_ASK: dict[str, Json] = {
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
    "propose": {"change": {"players": 3}},
    "choose": {"what": "roles", "choice": None},
    "pause": {"on": True},
    "start": {},
    "again": {},
    "preview": {"actions": [END]},
    "submit": {"actions": [END]},
    "undo": {},
    "consent": {"agree": True},
    "draw": {},
    "by_hand": {"arrangement": {"pawns": {"H1a": "D4"}}},
    "on_paper": {},
    "forfeit": {},
    "mark": {"cell": "C3", "mark": "?"},
    "settings": {"change": {"sound": False}},
    "free": {"seat": "H1"},
    "give": {"seat": "H2", "level": "greedy"},
    "board": {"answer": "accept"},
    "touch": {"pawn": "H1a", "cell": "B1"},
    "bench": {"step": "calibrate"},
    "reveal": {},
    "take_tiles": {},
    "lay_tiles": {"tiles": {"A1": [1, 0]}},
    "check_tiles": {"tiles": {"A1": [1, 0]}},
    "photo": {},
    "map": {},
    "paper": {"pages": "C4,C5D5,,D4"},
    "blank": {},
}
HARMLESS = {"hello", "blank"}
FOR_ALL_AFTER_THE_END = {"reveal"}
BY_CODE = {"pair", "pair_camera", "admit", "claim", "recover"}


def picture_of(phone: Phone) -> Json:
    picture: Json = phone.app.test_client().get("/picture").get_json()
    return picture


def legal(phone: Phone) -> list[Json]:
    actions: list[Json] = picture_of(phone)["legal"]
    return actions


def positions(evening: Evening) -> int:
    position: int = evening.table.snapshot()["position"]
    return position


def test_every_ask_is_tried_here() -> None:
    """A new `do` cannot be forgotten by the test below."""
    assert {ask.__struct_config__.tag for ask in REQUEST_TYPES} == set(EVERY_ASK)


@pytest.mark.parametrize("do", sorted(set(EVERY_ASK) - HARMLESS - FOR_ALL_AFTER_THE_END - BY_CODE))
def test_a_key_without_a_seat_is_refused_alike(evening: Evening, do: str) -> None:
    """A guest, a revoked key and another game's key get one answer, and nothing changes."""
    vampire, _ = evening.placed()
    guest, revoked = evening.phone(), vampire
    evening.phone().ask("recover", seat="V", pin="1111")
    before = positions(evening)

    answers = [phone.ask(do, **EVERY_ASK[do]) for phone in (guest, revoked)]

    expected = {"ok": False, "code": "not_seated", "said": {"code": "not_seated", "params": {}}}
    assert [expected, expected] == answers
    assert before == positions(evening)


def test_hello_returns_a_seat_s_own_page(evening: Evening) -> None:
    """The vampire his place, a human nothing private, a guest nothing at all."""
    vampire, human = evening.placed(cell="D4")

    told = [phone.ask("hello") for phone in (vampire, human, evening.phone())]

    assert ["V", "H1", "guest"] == [answer["role"] for answer in told]
    assert "D4" == told[0]["private"]["own"]["cell"]
    assert None is told[1]["private"]["own"]
    assert None is told[2]["private"]
    assert told[0]["picture"] == told[1]["picture"] == told[2]["picture"]


def test_a_small_picture_comes_along_and_a_large_one_is_fetched(evening: Evening) -> None:
    """What decides is public: the picture's own length."""
    vampire, human = evening.started()
    assert evening.table.snapshot() == human.ask("hello")["picture"]
    for number in range(12):
        human.ask("rename", name=f"{number}" + "é" * 23)

    assert [None, None] == [phone.ask("hello")["picture"] for phone in (vampire, human)]


def test_a_submission_is_answered_without_the_picture(evening: Evening) -> None:
    """To fetch it then, and not after a draft, would show the one from the other on the wire."""
    vampire, _ = evening.started()

    answer = vampire.ask("submit", actions=[{"type": "place", "cell": "C3"}])

    assert {"ok", "role", "private"} == set(answer)


def test_a_whole_round(evening: Evening) -> None:
    """Place, walk, end, a night, and the humans' turn again; all messages of one size."""
    vampire, human = evening.placed(cell="C3")

    assert human.ask("submit", actions=[legal(human)[0]], expect=positions(evening))["ok"]
    assert human.ask("submit", actions=[END])["ok"]
    assert "V" == picture_of(human)["to_move"]
    draft = vampire.ask("preview", actions=[vampire.ask("hello")["private"]["legal"][0]])
    assert draft["ok"]
    assert {"ok", "view", "legal"} == set(draft)
    answer = vampire.ask("submit", actions=[END])
    assert (True, True) == (answer["ok"], answer["private"]["submitted"])
    evening.pass_night()

    assert "H1" == picture_of(human)["to_move"]
    assert {(1097, 8232)} == vampire.sizes | human.sizes


def test_the_same_id_is_done_once(evening: Evening) -> None:
    """A double tap or a retry gets the first answer; another body under the same id is refused."""
    _, human = evening.placed()
    walk = next(action for action in legal(human) if action["type"] == "walk")
    asked = {"id": human.new_id(), "do": "submit", "actions": [walk]}

    first = human.ask_raw(asked)
    after = positions(evening)
    second = human.ask_raw(asked)

    assert (True, True, after) == (first["ok"], second["ok"], positions(evening))
    assert "id_reused" == human.ask_raw(asked | {"actions": [END]})["code"]


def test_a_message_replayed_from_the_wire_does_nothing(evening: Evening) -> None:
    """Who recorded a question and sends it again moves nothing."""
    _, human = evening.placed()
    message, _ = human.seal({"id": human.new_id(), "do": "submit", "actions": [END]})
    human.post("/channel", message)
    before = positions(evening)

    for _ in range(3):
        human.post("/channel", message)

    assert before == positions(evening)


def test_the_last_action_of_a_game_may_be_sent_again(evening: Evening) -> None:
    """Its receipt is still kept when the game is over."""
    vampire, human = evening.placed()
    asked = {"id": human.new_id(), "do": "submit", "actions": [legal(human)[0]]}
    human.ask_raw(asked)
    vampire.ask("forfeit")

    assert human.ask_raw(asked)["ok"]


def test_an_old_tab_gets_the_present_state(evening: Evening) -> None:
    """What was decided on an old picture is refused with the new one."""
    _, human = evening.placed()
    old = positions(evening)
    walk = next(action for action in legal(human) if action["type"] == "walk")
    human.ask("submit", actions=[walk], expect=old)

    answer = human.ask("submit", actions=[END], expect=old)

    assert (False, "stale") == (answer["ok"], answer["code"])
    assert evening.table.snapshot() == answer["picture"]
    assert "H1" == answer["picture"]["to_move"]


def test_a_pencil_mark_makes_nothing_old(evening: Evening) -> None:
    """It moves the position, not the game."""
    vampire, human = evening.placed()
    seen = positions(evening)
    assert vampire.ask("mark", cell="C3", mark="?")["ok"]

    assert human.ask("submit", actions=[legal(human)[0]], expect=seen)["ok"]


def test_illegal_actions_are_named_by_their_rule(evening: Evening) -> None:
    """The kind as `code`, the reason in `said`."""
    _, human = evening.placed()

    answer = human.ask("submit", actions=[{"type": "walk", "pawn": "H1a", "to": "F6"}])

    assert (False, "illegal_action") == (answer["ok"], answer["code"])
    assert {"code", "params"} == set(answer["said"])


@pytest.mark.parametrize(
    "asked",
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
def test_unreadable_questions_are_refused_as_such(evening: Evening, asked: Json) -> None:
    """200 outside, "invalid_action" inside, and the table goes on."""
    answer = evening.phone().ask_raw(asked)

    assert ("invalid_action", "unreadable_request") == (answer["code"], answer["said"]["code"])


@pytest.mark.parametrize(
    "actions", [[], [{}], [{"type": "fly"}], ["end"], [END] * 101, [{"type": "end", "by": 1}]]
)
def test_unreadable_actions_are_refused_as_such(evening: Evening, actions: list[Any]) -> None:
    """All or nothing: nothing."""
    _, human = evening.placed()
    before = positions(evening)

    if len(actions) > 100:
        actions = [{}] * 101
    assert "invalid_action" == human.ask("submit", actions=actions)["code"]
    assert before == positions(evening)


def test_nobody_acts_for_another_seat(evening: Evening) -> None:
    """A seated phone names its own seat or none."""
    vampire, human = evening.placed()

    assert "not_your_seat" == vampire.ask("submit", actions=[END], seat="H1")["code"]
    assert "not_your_seat" == human.ask("submit", actions=[END], seat="V")["code"]
    assert "not_your_seat" == human.ask("undo", seat="V")["code"]


def test_the_display_acts_for_humans_by_hand(evening: Evening) -> None:
    """What a hand on the table may do, for the seat that moves."""
    evening.placed()
    display = evening.display()

    assert display.ask("submit", actions=[legal(display)[0]], seat="H1")["ok"]
    assert display.ask("submit", actions=[END])["ok"]
    assert "V" == evening.table.snapshot()["to_move"]


@pytest.mark.parametrize("do", ["submit", "undo", "consent", "draw", "by_hand", "on_paper", "mark"])
def test_the_display_never_acts_for_the_vampire(evening: Evening, do: str) -> None:
    """By night, by day, and before he is placed."""
    evening.started()
    display = evening.display()
    placing = display.ask(do, seat="V", **EVERY_ASK[do])

    assert "not_by_display" == placing["code"]


def test_the_display_never_drafts_for_anybody(evening: Evening) -> None:
    """A preview is a seat's own."""
    evening.placed()

    assert "not_seated" == evening.display().ask("preview", actions=[END])["code"]


def test_the_display_by_night_acts_for_nobody_in_secret(evening: Evening) -> None:
    """Without a name it is a human's, who has to wait."""
    vampire, human = evening.placed()
    human.ask("submit", actions=[END])
    display = evening.display()

    assert "not_by_display" == display.ask("submit", actions=[END], seat="V")["code"]
    assert "night_not_over" == display.ask("submit", actions=[END], seat="H1")["code"]
    assert vampire.ask("submit", actions=[END])["ok"]
    assert "not_by_display" == display.ask("submit", actions=[END], seat="V")["code"]


def test_undo_by_hand_means_who_moved_last(evening: Evening) -> None:
    """A walk is taken back by the display as by the phone."""
    evening.placed()
    display = evening.display()
    walk = next(action for action in legal(display) if action["type"] == "walk")
    display.ask("submit", actions=[walk])

    assert display.ask("undo")["ok"]

    assert "rewound" == evening.table.snapshot()["log"][-1]["event"]["event"]


def test_everybody_must_agree_to_unhear(evening: Evening) -> None:
    """The display may agree for a human, the vampire alone for himself."""
    vampire, _human = evening.placed()
    display = evening.display()
    display.ask("submit", actions=[END])
    vampire.ask("submit", actions=[END])
    evening.pass_night()

    assert display.ask("undo", seat="H1")["ok"]
    asked = evening.table.snapshot()["undo"]["asked"]
    assert (["H1"], {"V", "H1"}) == (asked["agreed"], set(asked["needed"]))
    display.ask("consent", agree=True)
    assert "not_by_display" == display.ask("consent", agree=True, seat="V")["code"]
    assert None is not evening.table.snapshot()["undo"]["asked"]
    assert vampire.ask("consent", agree=True)["ok"]
    assert "rewound" in [line["event"]["event"] for line in evening.table.snapshot()["log"]]


def test_the_lobby_is_open_to_who_sits_and_to_the_display(evening: Evening) -> None:
    """Propose, change the manners, start."""
    display = evening.display()
    vampire, _ = evening.seated("V", "H1")

    assert display.ask("propose", change={"players": 2})["ok"]
    assert vampire.ask("settings", change={"sound": False})["ok"]
    assert vampire.ask("rename", name="Vlad")["ok"]
    assert display.ask("start")["ok"]

    picture = evening.table.snapshot()
    assert ("play", False) == (picture["phase"], picture["settings"]["sound"])
    assert "Vlad" in [seat["name"] for seat in picture["seats"]]
    assert display.ask("pause", on=True)["ok"]
    assert evening.table.snapshot()["paused"]


def test_the_display_agrees_to_no_game_that_was_laid_by_hand(evening: Evening) -> None:
    """A hand on the display may propose and want to begin such a game; who sits agrees on his own
    phone alone, and the display can say no.
    """
    display = evening.display()
    rows = ["....", ".....", "......", "...s...", "......", ".....", "...w"]
    assert display.ask(
        "propose", change={"game": "nosferatu", "players": 2, "position": {"rows": rows}}
    )["ok"]
    phones = evening.seated("vampires", "villagers")
    display.ask("start")

    assert "lobby" == evening.table.snapshot()["phase"]
    assert "not_by_display" == display.ask("consent", agree=True, seat="vampires")["code"]
    assert display.ask("consent", agree=False, seat="vampires")["ok"]
    assert None is evening.table.snapshot()["undo"]["asked"]
    display.ask("start")
    for phone in phones:
        phone.ask("consent", agree=True)
    assert "play" == evening.table.snapshot()["phase"]


def test_seats_are_freed_by_their_holders_or_the_display(evening: Evening) -> None:
    """In the lobby nobody throws another out from a phone."""
    vampire, human = evening.seated("V", "H1")

    assert "not_your_seat" == vampire.ask("free", seat="H1")["code"]
    assert human.ask("free", seat="H1")["ok"]
    assert "guest" == human.ask("hello")["role"]
    assert evening.display().ask("free", seat="V")["ok"]
    assert "guest" == vampire.ask("hello")["role"]


def test_seals_are_opened_after_the_end_for_everybody(evening: Evening) -> None:
    """Before it nobody gets them, not even the vampire."""
    vampire, human = evening.placed()
    assert {"not_over"} == {
        phone.ask("reveal")["code"] for phone in (vampire, human, evening.phone())
    }
    vampire.ask("forfeit")

    told = evening.phone().ask("reveal")

    assert (True, 1) == (told["ok"], told["pages"])
    assert {"opened", "seal"} == set(told["opened"][0])
    assert '"cell":"C3"' in told["opened"][0]["opened"]


def test_touching_is_for_the_display(evening: Evening) -> None:
    """It is evidence like a sensor's, from the one screen on the table."""
    _, human = evening.placed()

    assert "display_only" == human.ask("touch", pawn="H1a", cell="B1")["code"]


def test_the_boards_questions_are_answered(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everybody at the table can answer the reader's questions."""
    answered: list[tuple[str, int | None]] = []
    monkeypatch.setattr(
        evening.reader, "answer", lambda kind, index=None: answered.append((kind, index))
    )
    _, human = evening.placed()

    assert human.ask("board", answer="reading", index=1)["ok"]
    assert evening.display().ask("board", answer="ignore")["ok"]

    assert [("reading", 1), ("ignore", None)] == answered


def test_private_answers_alone_are_held_back(evening: Evening) -> None:
    """The vampire's, always; a human's and the display's, never."""
    handler = evening.context.handler
    vampire, human = evening.started()

    assert handler.is_private(vampire.key.hex())
    vampire.ask("submit", actions=[{"type": "place", "cell": "C3"}])
    evening.pass_night()
    assert handler.is_private(vampire.key.hex())
    assert not handler.is_private(human.key.hex())
    assert not handler.is_private(evening.display().key.hex())


@pytest.mark.slow
def test_long_games_fit_in_the_box() -> None:
    """The largest answer of random games stays below 80 % of its size, the public picture left out
    or not.
    """
    assert REPLY_PLAIN * 0.8 > max(largest_answer(seed) for seed in range(4))


def largest_answer(seed: int) -> int:
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        evening = Evening(Path(folder))
        phones = evening.placed(players=3, cell="C4")
        most = 0
        for _ in range(150):
            picture = evening.table.snapshot()
            if picture["outcome"] is not None:
                break
            mover = dict(zip(["V", "H1", "H2"], phones, strict=True))[picture["to_move"]]
            answer = mover.ask("submit", actions=random_turn(chance, mover, picture))
            most = max(
                most, len(to_json(answer)), *(len(to_json(phone.ask("hello"))) for phone in phones)
            )
            assert isinstance(evening.clock, SimulatedClock)
            if picture["secret"]:
                evening.pass_night()
        evening.close()
    return most


def random_turn(chance: random.Random, mover: Phone, picture: Json) -> list[Json]:
    if not picture["secret"]:
        quiet = [
            action
            for action in picture["legal"]
            if action["type"] != "shoot" or chance.random() < 0.05
        ]
        return [chance.choice(quiet)]
    draft: list[Json] = []
    options: list[Json] = mover.ask("hello")["private"]["legal"]
    while not draft or draft[-1]["type"] != "end":
        draft.append(chance.choice(options))
        options = mover.ask("preview", actions=draft).get("legal", [])
        if not options:
            break
    return draft


def test_answers_of_the_running_game_are_sent_again(evening: Evening) -> None:
    """Every answer that this game has given may be read again by everybody, with its nightfalls,
    oldest first; nothing else.
    """
    client = evening.app.test_client()
    assert [] == client.get("/answers").get_json()
    _, human = evening.placed()
    human.ask(
        "submit",
        actions=[{"type": "walk", "pawn": "H1a", "to": evening.table.snapshot()["legal"][0]["to"]}],
    )
    human.ask("submit", actions=[{"type": "shoot", "pawn": "H1a", "direction": "N"}])

    told = [line["event"]["event"] for line in client.get("/answers").get_json()]
    assert ["night_fell", "vampire_placed", "shot_fired"] == told


def test_a_shot_is_aimed_before_all_eyes(evening: Evening) -> None:
    """What a human is about to shoot is shown to everybody until something happens; nothing else
    can be aimed.
    """
    vampire, human = evening.placed()
    shot = {"type": "shoot", "pawn": "H1a", "direction": "E"}
    assert human.ask("aim", actions=[shot])["ok"]
    assert shot == evening.table.snapshot()["aim"]
    assert "cannot_aim" == human.ask("aim", actions=[shot | {"pawn": "H2a"}])["code"]
    assert "cannot_aim" == vampire.ask("aim", actions=[shot])["code"]
    position = evening.table.snapshot()["position"]

    human.ask("submit", actions=[shot])

    assert (None, True) == (
        evening.table.snapshot()["aim"],
        evening.table.snapshot()["position"] > position,
    )


@pytest.mark.parametrize(
    ("step", "thing", "code"),
    [
        ("register", None, "bench_no_board"),
        ("register", "dragon:1", "bench_no_board"),
        ("calibrate", None, "bench_no_board"),
        ("uncalibrate", None, "bench_no_board"),
        ("forget", "dragon:1", "bench_no_such_thing"),
        ("forget", None, "bench_no_such_thing"),
        ("skip", None, None),
        ("stop", None, None),
    ],
)
def test_the_workbench_without_a_board(
    evening: Evening, step: str, thing: str | None, code: str | None
) -> None:
    """Every admitted phone may work at a board; without a board each step is refused in words or
    has no effect.
    """
    vampire, human = evening.started()

    for phone in (vampire, human, evening.display()):
        answer = phone.ask("bench", step=step, thing=thing)
        assert (code is None, code) == (answer["ok"], answer.get("said", {}).get("code"))
