"""The table as a state machine: after any actions in any order, every acknowledged one is kept and
published once.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from contextlib import suppress
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from companion.core.codec import encode_event
from companion.core.game import Action, GameError, Seat
from companion.core.view import may_see
from companion.table.fairness.export import export_record
from companion.table.fairness.replay import replay_record
from companion.table.storage.log import read_bodies
from companion.table.table import Table
from tests.helpers.texts import found_in
from tests.table.play import Play
from tests.table.toy_game import Ask, End, QuietGame, S, Shout, Step, Wait, Win

pytestmark = pytest.mark.slow

SEATS = st.sampled_from(["S", "A", "B"]).map(Seat)
OPEN: list[Action] = [Wait(), Ask(), End(), Step(1)]
DRAFTS = st.lists(st.sampled_from([Step(0), Step(1), Shout()]), max_size=3)


class TableMachine(RuleBasedStateMachine):
    """A model of the table: the acknowledged requests, by id, the secret turn that waits to be
    stored, with its id, and every public event received.
    """

    def __init__(self) -> None:
        super().__init__()
        self.root = Path(tempfile.mkdtemp())
        self.play = Play(self.root / "data")
        self.acknowledged: dict[tuple[Seat, str], tuple[list[Action], int]] = {}
        self.waiting: tuple[str, list[Action]] | None = None
        self.events: list[dict[str, Any]] = []
        self.count = 0

    def teardown(self) -> None:
        self.play.table.close()
        shutil.rmtree(self.root)

    @property
    def table(self) -> Table:
        return self.play.table

    @initialize()
    def begin(self) -> None:
        self.listener = self.table.journal.subscribe()
        self.play.start("S", "A", "B")

    def submit(self, seat: Seat, actions: list[Action]) -> None:
        self.count += 1
        id = f"{self.count}"
        entries, before = len(self.play.log), self.table.snapshot()
        try:
            receipt = self.table.submit(seat, actions, id=id)
        except GameError:
            assert entries == len(self.play.log)
            assert before is self.table.snapshot()
        else:
            if receipt.is_stored:
                self.acknowledged[seat, id] = (actions, receipt.position)
            else:
                assert entries == len(self.play.log)
                self.waiting = id, actions

    @rule(seat=SEATS, actions=st.lists(st.sampled_from(OPEN), min_size=1, max_size=3))
    def act(self, seat: Seat, actions: list[Action]) -> None:
        self.submit(seat, actions)

    @rule(draft=DRAFTS)
    def night(self, draft: list[Action]) -> None:
        before = self.table.snapshot()
        self.submit(S, [*draft, End()])
        assert before is self.table.snapshot()

    @rule(seat=SEATS, draft=DRAFTS)
    def preview(self, seat: Seat, draft: list[Action]) -> None:
        entries, before = len(self.play.log), self.table.snapshot()
        with suppress(GameError):
            self.table.preview(seat, draft)
        assert (entries, True) == (len(self.play.log), before is self.table.snapshot())

    @precondition(lambda self: self.acknowledged)
    @rule(data=st.data())
    def repeat(self, data: st.DataObject) -> None:
        (seat, id), (actions, position) = data.draw(
            st.sampled_from(sorted(self.acknowledged.items(), key=repr))
        )
        entries = len(self.play.log)
        assert position == self.table.submit(seat, actions, id=id).position
        assert entries == len(self.play.log)

    @rule(seat=SEATS)
    def undo(self, seat: Seat) -> None:
        self.attempt("votes.undo", seat)

    @rule(seat=SEATS, agree=st.sampled_from([True, True, True, False]))
    def vote(self, seat: Seat, agree: bool) -> None:
        self.attempt("votes.cast", seat, agree)

    @rule(seat=SEATS, cell=st.sampled_from(["A1", "B2"]), mark=st.sampled_from(["?", "x", ""]))
    def mark(self, seat: Seat, cell: str, mark: str) -> None:
        self.attempt("mark", seat, cell, mark)

    @rule(seat=SEATS)
    def draw(self, seat: Seat) -> None:
        self.attempt("votes.draw", seat)

    @rule(seat=SEATS)
    def win_and_again(self, seat: Seat) -> None:
        self.submit(seat, [Win()])
        if self.table.snapshot()["phase"] == "over":
            self.check_record()
            self.table.open_next_game(by=0)
            self.table.start()

    @rule(seconds=st.sampled_from([0.5, 2.5, 12, 61]))
    def wait(self, seconds: float) -> None:
        self.play.clock.advance(seconds)

    @rule()
    def crash(self) -> None:
        self.receive()
        before = [self.table.snapshot(), *(self.table.seat_snapshot(Seat(seat)) for seat in "SAB")]
        is_waiting = self.table.journal.held is not None
        self.play.crash()
        if is_waiting:
            # As the phone does, which was not told that it is stored.
            assert self.waiting is not None
            id, actions = self.waiting
            assert not self.table.submit(S, actions, id=id).is_stored
        assert before == [
            self.table.snapshot(),
            *(self.table.seat_snapshot(Seat(seat)) for seat in "SAB"),
        ]
        self.listener = self.table.journal.subscribe()

    def attempt(self, name: str, *arguments: Any) -> None:
        with suppress(GameError):
            attrgetter(name)(self.table)(*arguments)

    def receive(self) -> None:
        while (update := self.listener.get(0)) is not None:
            self.events += update.events

    def check_record(self) -> None:
        report = replay_record(
            export_record(read_bodies(self.play.folder), [QuietGame()]), [QuietGame()]
        )
        assert (None, 0) == (report.wrong, report.sealed_at)

    @invariant()
    def a_stored_turn_has_its_answer(self) -> None:
        """A secret turn that waits no more is stored with the answer to its request, or dropped."""
        if self.waiting is None or self.table.journal.held is not None:
            return
        (id, actions), self.waiting = self.waiting, None
        if answer := self.table.journal.answer(S, id):
            self.acknowledged[S, id] = (actions, int(answer.text))
        else:
            assert not self.table.own_run.pending_reveal

    @invariant()
    def events_arrive_once_in_order(self) -> None:
        """Positions are dense: everybody received every public event once, and no number was
        skipped.
        """
        self.receive()
        assert list(range(1, len(self.events) + 1)) == [line["position"] for line in self.events]
        assert len(self.events) == self.table.snapshot()["position"]

    @invariant()
    def secrets_stay_secret(self) -> None:
        """The running record and the snapshot hold no step of the seat in secret."""
        if self.table.snapshot()["phase"] == "play":
            text = "\n".join(
                export_record(read_bodies(self.play.folder), [QuietGame()])
            ) + json.dumps(self.table.snapshot())
            assert "" == found_in(text, '"step"') == found_in(text, '"stepped"')
            assert "" == found_in(text, "nonce")

    @invariant()
    def notes_match_events(self) -> None:
        """A seat's own page holds its private events, by secret turn and in order: of the last
        twelve turns, the last 24 of each; of the unpublished turn its own seat's events.
        """
        run = self.table.own_run
        for seat in map(Seat, "SAB"):
            own = run.pending_reveal and run.steps[-1].seat == seat
            pages: dict[int, list[dict[str, Any]]] = {0: []}
            for step in run.steps if own else run.published_steps:
                page = pages.setdefault(step.number, [])
                page += [
                    encode_event(event) for event in step.private_events if may_see(event, seat)
                ]
            kept = [{"number": number, "events": events[-24:]} for number, events in pages.items()]
            notes = self.table.seat_snapshot(seat)["notes"]
            assert kept[-12:] == notes or not self.table.state.run.game


def machine(examples: int) -> type:
    """Return a test of `examples` tables, each of 40 steps."""
    steps = settings(max_examples=examples, stateful_step_count=40, deadline=None)
    return type("TestTable", (TableMachine.TestCase,), {"settings": steps})


TestTable = machine(12)
TestTableForLonger = pytest.mark.soak(machine(40))
