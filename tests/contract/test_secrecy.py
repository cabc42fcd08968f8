"""Nobody but the vampire sees anything that depends on the secret, until a public event tells it."""

from __future__ import annotations

import logging
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import companion.panel.panel as panel_module
import companion.server.channel as channel_module
import companion.server.desk as desk_module
import companion.server.events as events_module
import companion.table.desk as table_desk
import companion.table.preview as preview_module
from companion.core.codec import encode_actions
from companion.core.game import GameError, IllegalAction, Seat
from companion.games import GAMES
from companion.table import pace
from companion.table.table import Table
from tests.contract.secrecy import Observed, difference, evening
from tests.contract.vampire_twins import Twins, twins

PAIRS = 8
TURNS = 26
Plant = Callable[[pytest.MonkeyPatch], None]

MAKERS = {"vampireradar": twins}
"""Who makes pairs of games that are equal in public, for each game that has a secret."""


def transcripts_differ(folder: Path, pair: Twins, turns: int = TURNS) -> object:
    one = evening(folder / "one", pair, pair.one[:turns], private=1)
    two = evening(folder / "two", pair, pair.two[:turns], private=2)
    return difference(one, two)


def test_every_game_has_a_maker_of_pairs() -> None:
    """The secrecy contract applies to every game unasked."""
    assert {game.name for game in GAMES} == set(MAKERS)


@pytest.mark.parametrize("seed", range(PAIRS))
def test_twins_look_alike(tmp_path: Path, seed: int) -> None:
    """Two evenings that differ only in the vampire's path, drafts, tries and thinking time look the same to
    everybody else: bodies, headers, stream ids, updates, moments, the box, the log and the record."""
    pair = twins(random.Random(seed), 2 + seed % 3)

    assert None is transcripts_differ(tmp_path, pair)


@pytest.fixture(scope="module")
def pair() -> Twins:
    """A pair whose first night differs in the number of steps."""
    for seed in range(100):
        made = twins(random.Random(seed), 2)
        nights = [(a, b) for a, b in zip(made.one[:20], made.two[:20], strict=False) if a.seat == "V" and a != b]
        if any(len(a.actions) != len(b.actions) for a, b in nights) and any(
            action.discloses for turn in made.one[:20] for action in turn.actions
        ):
            return made
    raise AssertionError("no such pair among a hundred")


def steps_as_stream_id(patch: pytest.MonkeyPatch) -> None:
    """The stream's id counts what the vampire did too."""
    sent = events_module.server_sent
    patch.setattr(
        events_module,
        "server_sent",
        lambda update, encoder: sent(update, encoder).replace(b"id: ", b"id: %d" % STEPS[0]),
    )
    _count_steps(patch)


def etag_of_everything(patch: pytest.MonkeyPatch) -> None:
    """An ETag is computed over the full state."""

    def tagged(self: Observed, *arguments: Any) -> None:
        begin(self, *arguments)
        self.app._got_first_request = False
        self.app.after_request(lambda reply: reply.headers.set("ETag", str(_place(self.table))) or reply)
        self.app._got_first_request = True

    begin = Observed.__init__
    patch.setattr(Observed, "__init__", tagged)


def hint_from_the_state(patch: pytest.MonkeyPatch) -> None:
    """The public picture has a hint that was computed from the true state."""
    paint: Any = vars(table_desk)["public_picture"]
    patch.setattr(
        table_desk,
        "public_picture",
        lambda course, *rest: paint(course, *rest) | {"warm": str(course.state.private) if course.game else ""},
    )


def a_log_line(patch: pytest.MonkeyPatch) -> None:
    """A log line names the tile."""
    _wrap_submit(patch, lambda table, seat, actions: logging.getLogger("x").warning("%s %s", seat, actions))


def dawn_without_a_floor(patch: pytest.MonkeyPatch) -> None:
    """Dawn comes soon after a quick commit."""
    patch.setattr(pace, "dawn", lambda nightfall, commit, floor: commit + 0.5)


def lamp_on_a_private_event(patch: pytest.MonkeyPatch) -> None:
    """The lamp blinks when the vampire has more than one step to tell of."""
    _count_steps(patch)
    tick = panel_module.Panel.tick
    patch.setattr(panel_module.Panel, "tick", lambda self: (tick(self), self._pins.lamp(bool(STEPS[0] % 2))))


def another_error_there(patch: pytest.MonkeyPatch) -> None:
    """A refusal is worded otherwise when the vampire stands on the tile."""

    def refusal(error: GameError) -> dict[str, Any]:
        answer = plain(error)
        warm = TABLES and _place(TABLES[-1]) and _place(TABLES[-1]) in "A1 B2 C3 D4 C2 D3 E4 B3 C4 D5"
        return answer | {"warm": bool(warm)} if isinstance(error, IllegalAction) else answer

    plain = desk_module.refusal
    patch.setattr(desk_module, "refusal", refusal)
    _wrap_submit(patch, lambda table, seat, actions: TABLES.append(table))


def preview_of_a_shot(patch: pytest.MonkeyPatch) -> None:
    """A preview decides on the true state: it tells a hit before the bullet is fired."""
    patch.setattr(preview_module, "_known", lambda state, seat: state)
    patch.setattr(preview_module, "NoRandom", random.Random)


def an_unpadded_reply(patch: pytest.MonkeyPatch) -> None:
    """A private answer is as long as what it says."""

    def pad(direction: int, value: object, size: int) -> bytes:
        return full(direction, value, size).rstrip(b"\0") + b"\0" if direction == 2 else full(direction, value, size)

    full = channel_module.pad
    patch.setattr(channel_module, "pad", pad)
    patch.setattr(
        "tests.server.phone.unpad", lambda direction, plain, size: UNPAD(direction, plain.ljust(size, b"\0"), size)
    )


def an_update_at_the_commit(patch: pytest.MonkeyPatch) -> None:
    """A committed night publishes an update, though nothing in it changed."""
    _wrap_submit(patch, None, lambda table: table._desk._publish())


LEAKS: list[Plant] = [
    steps_as_stream_id,
    etag_of_everything,
    hint_from_the_state,
    a_log_line,
    dawn_without_a_floor,
    lamp_on_a_private_event,
    another_error_there,
    preview_of_a_shot,
    an_unpadded_reply,
    an_update_at_the_commit,
]
STEPS = [0]
TABLES: list[Table] = []
UNPAD = channel_module.unpad


@pytest.mark.parametrize("plant", LEAKS, ids=lambda plant: plant.__name__)
def test_planted_leaks_are_seen(plant: Plant, pair: Twins, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each planted leak alone makes the twins differ: the contract can fail."""
    TABLES.clear()
    STEPS[0] = 0
    plant(monkeypatch)
    one = evening(tmp_path / "one", pair, pair.one[:20], private=1)
    TABLES.clear()
    STEPS[0] = 0
    two = evening(tmp_path / "two", pair, pair.two[:20], private=2)

    assert None is not difference(one, two)


def _place(table: Table) -> str:
    """The true tile, which nothing but a leak would ask for."""
    course = table._course
    return str(course.state.private[Seat("V")].cell) if course.game else ""


def _count_steps(patch: pytest.MonkeyPatch) -> None:
    def count(table: Table, seat: str, actions: Any) -> None:
        STEPS[0] += len(encode_actions(actions)) if seat == "V" else 0

    _wrap_submit(patch, count)


def _wrap_submit(patch: pytest.MonkeyPatch, before: Any, after: Any = None) -> None:
    submit = Table.submit

    def wrapped(self: Table, seat: Any, actions: Any, **rest: Any) -> Any:
        if before is not None:
            before(self, seat, actions)
        receipt = submit(self, seat, actions, **rest)
        if after is not None and seat == "V":
            after(self)
        return receipt

    patch.setattr(Table, "submit", wrapped)
