"""One test for each rule of the card."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from companion.core.game import Action, Event, IllegalAction, InvalidSetup, PublicEvent, Seat, State
from companion.core.placement import Cell, Pawn, PositionEdit
from companion.core.view import view
from companion.games.manhunt import Manhunt
from companion.games.manhunt.actions import (
    AGAIN,
    END,
    LOOK,
    SURRENDER,
    Arrest,
    Ask,
    Hide,
    Step,
    Walk,
)
from companion.games.manhunt.events import (
    ArrestMissed,
    FugitiveCaught,
    FugitiveMoved,
    FugitiveShown,
    GameOver,
    HideoutReached,
    NightOver,
    NightStarted,
    NothingFound,
    PawnSet,
    QuestionAnswered,
    TargetReached,
)
from companion.games.manhunt.options import F, Options, Setup
from tests.games.manhunt.small_map import small

H1, H2 = Seat("H1"), Seat("H2")
P1, P2 = Pawn("H1a"), Pawn("H1b")
START = {"H1a": "1", "H1b": "3"}


class Play:
    """A game on the small map, action by action."""

    def __init__(self, players: int = 2, start: dict[str, str] | None = None, **rules: Any) -> None:
        self.game = Manhunt()
        setup = Setup(content=small(**rules), start=start or START)
        self.state: State = self.game.fold(
            self.game.setup(self.game.seat_names(players), setup, Random(0))
        )

    def do(self, seat: Seat, *actions: Action) -> list[Event]:
        events: list[Event] = []
        for action in actions:
            new_events = list(self.game.decide(self.state, seat, action, Random(0)).events)
            self.state = self.game.fold(new_events, self.state)
            events += new_events
        return [event for event in events if isinstance(event, PublicEvent)]

    def legal(self, seat: Seat) -> Sequence[Action]:
        return self.game.legal_actions(view(self.state, seat))

    def hide(self, cell: str) -> None:
        self.do(F, Hide(Cell(cell)))
        self.do(H1, LOOK)


def step(to: int, kind: str = "street", *, unseen: bool = False) -> Step:
    return Step(Cell(str(to)), kind, unseen)


def walk(pawn: Pawn, to: int, kind: str = "street") -> Walk:
    return Walk(pawn, Cell(str(to)), kind)


def test_the_fugitive_begins_on_a_free_start() -> None:
    """Only the fugitive's own starts are offered, and none with a pawn on it."""
    play = Play(start={"H1a": "9", "H1b": "3"})

    assert [Hide(Cell("10")), Hide(Cell("11"))] == list(play.legal(F))
    with pytest.raises(IllegalAction, match="no_start_here"):
        play.do(F, Hide(Cell("9")))


def test_it_takes_ways_for_tickets_and_enters_no_pawns_place() -> None:
    """Steps go along ways, those for the fugitive alone included, one-ways in their direction, and
    never onto a pawn; a limited kind costs a ticket.
    """
    play = Play(start={"H1a": "5", "H1b": "3"}, unseen_moves=0)
    play.hide("10")
    assert [step(9), step(11), step(7, "tunnel")] == list(play.legal(F))
    play.do(F, step(9), END)
    assert {"street": 5, "tram": 3} == play.state.public.fugitive_tickets
    play.do(H1, LOOK)

    assert [step(10)] == list(play.legal(F))


def test_a_kind_without_tickets_is_closed_but_for_unseen_moves() -> None:
    """Without a ticket only an unseen move takes such a way; it costs none and is announced as
    unseen.
    """
    play = Play()
    play.state.public.fugitive_tickets["street"] = 0
    play.hide("9")
    assert [step(5, unseen=True), step(10, unseen=True)] == sorted(
        play.legal(F), key=lambda each: each.to if isinstance(each, Step) else ""
    )[::-1]

    assert FugitiveMoved(("unseen",)) == play.do(F, step(5, unseen=True), END)[0]
    assert 0 == play.state.public.unseen


def test_it_has_to_move_where_it_may_not_stay() -> None:
    """The fugitive may not end its turn without a step; where it may stay, it may, and that is
    announced.
    """
    play, idle = Play(), Play(may_stay=["fugitive"])
    for each in (play, idle):
        each.hide("9")

    with pytest.raises(IllegalAction, match="must_move"):
        play.do(F, END)
    assert FugitiveMoved(()) == idle.do(F, END)[0]


def test_a_fugitive_without_a_way_is_caught() -> None:
    """If no step is left, the fugitive gives up."""
    play = Play(start={"H1a": "5", "H1b": "10"})
    play.hide("9")

    assert [SURRENDER] == list(play.legal(F))
    assert [GameOver("hunters", "trapped")] == play.do(F, SURRENDER)


@pytest.mark.parametrize(
    ("announce", "event"),
    [
        ("kind", FugitiveMoved(("street", "tram"))),
        ("direction", FugitiveMoved(("E", "NW"))),
        ("distance", FugitiveMoved(distance=2)),
        ("nothing", FugitiveMoved()),
    ],
)
def test_each_round_announces_what_the_card_says(announce: str, event: FugitiveMoved) -> None:
    """A turn announces each step's kind and direction, the nearest pawn's distance after all of
    them, or nothing.
    """
    play = Play(start={"H1a": "3"}, announce=announce, fugitive_moves=2, hunters=1)
    play.hide("10")

    assert event == play.do(F, step(11), step(6, "tram"), END)[0]


def test_it_shows_itself_in_the_rounds_of_the_card() -> None:
    """After its turn of such a round the fugitive's place is shown."""
    play = Play(shows=[2])
    play.hide("9")
    first = play.do(F, step(10), END)
    play.do(H1, LOOK)

    assert not any(isinstance(event, FugitiveShown) for event in first)
    assert FugitiveShown(Cell("11")) == play.do(F, step(11), END)[1]


def test_a_double_move_is_two_rounds_in_a_row() -> None:
    """A second turn follows before any hunter moves; each turn is announced by itself; it is not
    taken twice in a row, nor in the last round.
    """
    play = Play(rounds=3, shows=[], double_moves=2)
    play.hide("9")
    play.do(F, step(10), AGAIN)

    assert (F, 2, 1) == (
        play.state.public.to_move,
        play.state.public.round,
        play.state.public.doubles,
    )
    assert AGAIN not in play.legal(F)
    play.do(F, step(11), END)
    play.do(H1, LOOK)
    play.do(F, step(12))
    assert [END] == list(play.legal(F))


def test_hunters_pay_tickets_and_the_fugitive_may_get_them() -> None:
    """A way of a limited kind costs the pawn a ticket; `paid_to` gives it to the fugitive."""
    for paid_to, tram in (("box", 3), ("fugitive", 4)):
        play = Play(paid_to=paid_to)
        play.hide("9")
        play.do(F, step(10), END)
        play.do(H1, walk(P1, 6, "tram"))

        assert 2 == play.state.public.tickets[P1]["tram"]
        assert tram == play.state.public.fugitive_tickets["tram"]
        assert not [
            each
            for each in play.legal(H1)
            if getattr(each, "pawn", 0) == P1 and isinstance(each, Walk)
        ]


def test_entering_its_place_catches_it_at_the_end_of_the_turn() -> None:
    """A step announces nothing; the end of the turn catches the fugitive or announces that nothing
    was found. Places that a pawn only passed count too.
    """
    play = Play(start={"H1a": "5", "H1b": "3"}, hunter_moves=2)
    play.hide("11")
    play.do(F, step(10), END)
    play.do(H1, walk(P2, 2))
    assert NothingFound((Cell("2"),)) == play.do(H1, LOOK)[0]
    play.do(F, step(9), END)
    play.do(H1, walk(P1, 9), walk(P1, 10))

    assert [FugitiveCaught(Cell("9")), GameOver("hunters", "caught")] == play.do(H1, LOOK)


def test_an_announced_arrest_names_a_place() -> None:
    """With `announce` entering catches nobody; one arrest a turn, here or beside the pawn."""
    play = Play(start={"H1a": "5", "H1b": "3"}, arrest="announce")
    play.hide("9")
    play.do(F, step(10), END)

    assert [ArrestMissed(P1, Cell("9"))] == play.do(H1, Arrest(P1, Cell("9")))
    with pytest.raises(IllegalAction, match="no_such_question"):
        play.do(H1, Arrest(P1, Cell("5")))
    play.do(H1, LOOK)
    play.do(F, step(9), END)
    assert GameOver("hunters", "caught") == play.do(H1, Arrest(P1, Cell("9")))[-1]


def test_questions_are_answered_truly() -> None:
    """`was_here` asks about this night, the others about now; each pawn asks once a turn and then
    stands still.
    """
    play = Play(start={"H1a": "5", "H1b": "7"}, within=1)
    play.hide("9")
    play.do(F, step(10), END)
    events = play.do(H1, walk(P1, 9), Ask(P1, "was_here"), Ask(P2, "which_of"))

    assert [
        QuestionAnswered(P1, "was_here", Cell("9"), yes=True),
        QuestionAnswered(P2, "which_of", Cell("7"), yes=False),
    ] == events[1:]
    assert [LOOK] == list(play.legal(H1))
    play.do(H1, LOOK)
    play.do(F, step(11), END)
    assert (
        QuestionAnswered(P2, "which_of", Cell("7"), True, Cell("11"))
        == play.do(H1, Ask(P2, "which_of"))[0]
    )
    assert QuestionAnswered(P1, "within", Cell("9"), yes=False) == play.do(H1, Ask(P1, "within"))[0]


@pytest.mark.parametrize(("moves", "yes"), [(1, True), (2, False)])
def test_within_one_way_is_one_way(moves: int, yes: bool) -> None:
    """`within` counts ways: a fugitive one way off is within one, one two ways off is not."""
    play = Play(start={"H1a": "5", "H1b": "7"}, within=1, fugitive_moves=moves)
    play.hide("9")
    play.do(F, *(step(10 + number) for number in range(moves)), END)
    play.do(H1, walk(P1, 9))

    assert QuestionAnswered(P1, "within", Cell("9"), yes=yes) == play.do(H1, Ask(P1, "within"))[0]


def test_hunters_move_where_they_may_not_stay() -> None:
    """The hunters' turn does not end before every pawn that can move has moved."""
    play = Play(may_stay=[])
    play.hide("9")
    play.do(F, step(10), END)

    with pytest.raises(IllegalAction, match="must_move"):
        play.do(H1, LOOK)
    play.do(H1, walk(P1, 2), walk(P2, 4), LOOK)


def test_the_rounds_end_a_night_for_the_side_of_the_card() -> None:
    """After the last round the fugitive has won if `rounds` is an end; otherwise the hunters."""
    for ends, winner in ((["rounds"], "fugitive"), (["hideout"], "hunters")):
        play = Play(rounds=1, shows=[], ends=ends)
        play.hide("9")
        play.do(F, step(10), END)

        assert [GameOver(winner, "rounds")] == play.do(H1, LOOK)  # type: ignore[arg-type]


def test_a_hideout_ends_a_night_where_it_is_an_end() -> None:
    """A turn that ends on a hideout is announced and wins; without that end nothing happens."""
    play, without_option = Play(ends=["hideout"]), Play()
    for each in (play, without_option):
        each.hide("11")

    assert [HideoutReached(Cell("12")), GameOver("fugitive", "hideout")] == play.do(
        F, step(12), END
    )[1:]
    assert not any(
        isinstance(event, HideoutReached) for event in without_option.do(F, step(12), END)
    )


def test_targets_are_told_and_counted_once() -> None:
    """A target that was not visited before is announced; all of them, or as many as the card
    states, win.
    """
    play, short = Play(ends=["targets"]), Play(ends=["targets"], targets=1)
    for each in (play, short):
        each.hide("10")

    assert TargetReached(Cell("11")) == play.do(F, step(11), END)[1]
    assert GameOver("fugitive", "targets") == short.do(F, step(11), END)[-1]
    play.do(H1, LOOK)
    play.do(F, step(12), END)
    play.do(H1, LOOK)
    assert not any(isinstance(event, TargetReached) for event in play.do(F, step(11), END))


def test_a_night_begins_with_new_counts() -> None:
    """A night that the fugitive wins is followed by another from a new start, with everything as at
    the beginning; the last one wins the game.
    """
    play = Play(rounds=1, shows=[], nights=2)
    play.hide("9")
    play.do(F, step(10), END)
    play.do(H1, walk(P1, 2))
    events = play.do(H1, LOOK)

    assert [NightOver(1, "rounds"), NightStarted(2)] == events[1:]
    assert (START, 0) == (play.state.public.pawns, play.state.public.round)
    assert {"street": 6, "tram": 3} == play.state.public.fugitive_tickets
    assert [LOOK] == list(play.legal(H1))
    play.do(H1, LOOK)
    play.hide("11")
    play.do(F, step(12), END)
    assert [GameOver("fugitive", "rounds")] == play.do(H1, LOOK)


def test_every_hunter_has_a_pawn_and_pawns_are_shared_out() -> None:
    """With fewer hunters than pawns each seat moves several; with more pawns than that each has
    one.
    """
    assert ["H1a", "H1b"] == list(Play(2).state.public.pawns)
    five = Manhunt().fold(
        Manhunt().setup(Manhunt().seat_names(6), Setup(content=small()), Random(0))
    )

    assert ["H1a", "H2a", "H3a", "H4a", "H5a"] == list(five.public.pawns)


def test_hands_leave_the_fugitive_a_start() -> None:
    """Before the fugitive hides, pawns cannot be set on all of its starts."""
    game = Manhunt()
    public = game.fold(game.setup(game.seat_names(6), Setup(content=small()), Random(0))).public
    starts = public.board.starts("fugitive")
    edits = dict(zip(public.pawns, starts, strict=False))
    assert {*starts} == {*edits.values()}

    with pytest.raises(IllegalAction, match="start_leaves_none"):
        game.set_position(public, PositionEdit(edits))
    edits.popitem()
    assert len(edits) == len(game.set_position(public, PositionEdit(edits)))


def test_pawns_are_set_by_hand() -> None:
    """An agreed position is no move: it costs nothing and catches nobody."""
    play = Play()
    play.hide("9")
    events = play.game.set_position(play.state.public, PositionEdit({P1: Cell("9")}))

    assert [PawnSet(P1, Cell("1"), Cell("9"))] == list(events)
    for edit, code in (
        (PositionEdit({P1: Cell("99")}), "no_such_cell"),
        (PositionEdit({Pawn("H9a"): Cell("9")}), "no_such_pawn"),
        (PositionEdit({P1: Cell("1")}), "nothing_set"),
        (PositionEdit({}, {Cell("1"): "bat"}), "token_not_here"),
    ):
        with pytest.raises(IllegalAction, match=code):
            play.game.set_position(play.state.public, edit)


@pytest.mark.parametrize(
    ("start", "code"),
    [
        ({"H1a": "1"}, "start_missing_pawn"),
        ({"H1a": "1", "H1b": "3", "H1c": "8"}, "start_unknown_pawn"),
        ({"H1a": "1", "H1b": "99"}, "start_no_such_cell"),
    ],
)
def test_a_start_names_each_pawn_and_real_places(start: dict[str, str], code: str) -> None:
    """A given start is refused unless it has exactly the game's pawns, all on places of the map."""
    with pytest.raises(InvalidSetup, match=code):
        Play(start=start)


def test_an_unknown_map_is_refused() -> None:
    """The option names one of our maps or a file of the household."""
    with pytest.raises(InvalidSetup, match="no_such_content"):
        Manhunt().setup((F, H1), Setup(Options(content="atlantis")), Random(0))


def test_what_is_sealed_is_the_whole_path() -> None:
    """The seal of a turn has its places and kinds of ways; the seal of a start has the place."""
    play = Play()
    placed = play.game.sealed(view(play.state, F), [Hide(Cell("9"))])
    play.hide("9")
    turn = play.game.sealed(view(play.state, F), [step(10), END])

    assert ("place", ("9",)) == (placed.kind, placed.path)
    assert ("turn", ("9", "street", "10")) == (turn.kind, turn.path)
