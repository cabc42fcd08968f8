"""Manhunt with the fugitive on paper: people enter its announcements by hand, and its path is
compared with them at the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from companion.core.codec import encode_event
from companion.core.game import Action, Event, IllegalAction, InvalidAction, PublicEvent, Seat
from companion.core.placement import Cell, Pawn, PositionEdit
from companion.core.view import view
from companion.games.manhunt.actions import (
    AGAIN,
    END,
    LOOK,
    SURRENDER,
    WRITE_START,
    Again,
    AnnounceDistance,
    AnnouncePlace,
    AnnounceWay,
    AnswerArrest,
    AnswerQuestion,
    Arrest,
    Ask,
    End,
    Hide,
    Step,
    Walk,
)
from companion.games.manhunt.belief import Belief
from companion.games.manhunt.events import (
    AnswersContradict,
    ArrestAsked,
    FugitiveHid,
    FugitiveMoved,
    FugitivePlaced,
    FugitiveStepped,
    GameOver,
    GameSetUp,
    NothingFound,
    QuestionAsked,
    SwitchedToPaper,
    TurnAnnounced,
)
from companion.games.manhunt.options import F, Options, Setup
from tests.games.manhunt.on_paper import (
    GAME,
    PaperGame,
    acts_from,
    breaks,
    lost,
    pages_from,
    played,
    random_game,
)
from tests.games.manhunt.small_map import small

H1 = Seat("H1")
P1, P2 = Pawn("H1a"), Pawn("H1b")
CARDS: list[dict[str, Any]] = [
    {},
    {"arrest": "announce", "shows": [2]},
    {"announce": "distance", "fugitive_moves": 2, "shows": []},
    {"announce": "direction", "fugitive_moves": 3, "may_stay": ["fugitive"], "shows": [1]},
    {"announce": "nothing", "ends": ["hideout", "targets"], "nights": 3, "shows": []},
    {"fugitive_moves": 3, "unseen_moves": 9, "nights": 2, "ends": ["rounds", "hideout"]},
]
AT_TABLE = QuestionAsked | ArrestAsked | TurnAnnounced | SwitchedToPaper


@pytest.fixture(scope="module", params=range(6))
def game(request: pytest.FixtureRequest) -> PaperGame:
    """A random game of a card, with two to four players."""
    seed: int = request.param
    return random_game(small(**CARDS[seed % len(CARDS)]), 2 + seed % 3, seed)


def on_phone(events: Sequence[Event]) -> list[Event]:
    """Return the part of a game on paper that a game on a phone has too."""
    return [
        replace(event, options=Options()) if isinstance(event, GameSetUp) else event
        for event in events
        if not isinstance(event, AT_TABLE)
    ]


def public_events(events: Sequence[Event]) -> list[Event]:
    return [event for event in events if isinstance(event, PublicEvent)]


def test_the_truth_is_all_right(game: PaperGame) -> None:
    """A game played on paper with the truth publishes the same as on a phone and raises no doubt;
    its pages are right, and its replay is that of the phone's game.
    """
    events = played(game)
    audit = GAME.paper.audit(events, game.pages)

    assert public_events(game.phone) == on_phone(events)
    assert () == audit.wrong
    assert bare(game.phone) == bare(GAME.paper.retrace(events, game.pages).phone_events)


def bare(events: Sequence[Event]) -> list[dict[str, object]]:
    """Return the events without the kinds of ways that were never announced: paper does not state
    them.
    """
    return [
        {key: value for key, value in encode_event(event).items() if key != "kind"}
        if encode_event(event)["event"] == "fugitive_stepped"
        else encode_event(event)
        for event in events
    ]


def test_where_it_can_be_is_exact(game: PaperGame) -> None:
    """After every event the table holds exactly those places possible that the exact belief
    holds.
    """
    belief, state = Belief(), GAME.initial()
    for event in public_events(played(game)):
        belief.observe(event)  # type: ignore[arg-type]
        state = GAME.fold([event], state)
        assert state.public.belief is not None
        assert belief.places == state.public.belief.places


@pytest.mark.parametrize("place", [0, 30, 60, 95])
def test_a_phone_that_is_lost_in_mid_game(game: PaperGame, place: int) -> None:
    """A game goes on on paper after any move: with the truth it publishes the same as on the phone,
    raises no doubt, and has the same replay.
    """
    ends = breaks(game)
    at = ends[len(ends) * place // 100]
    events, pages = lost(game, at), pages_from(game, at)

    assert public_events(game.phone) == on_phone(public_events(events))
    assert () == GAME.paper.audit(events, pages).wrong
    assert bare(game.phone) == bare(GAME.paper.retrace(events, pages).phone_events)


def test_a_changed_page_is_caught(game: PaperGame) -> None:
    """A page is changed so that the path goes elsewhere: where the audit finds nothing, the changed
    path fits everything that was published.
    """
    rng = Random(len(game.moves))
    events, pages = played(game), game.pages
    caught = 0
    for number, page in enumerate(pages):
        cells = [cell for cell in GAME.fold(events).public.board.cells if cell not in page]
        changed = [*page[:-1], rng.choice(cells)]
        audit = GAME.paper.audit(events, [*pages[:number], changed, *pages[number + 1 :]])
        caught += bool(audit.wrong)
        if not audit.wrong:
            phone_events = GAME.paper.retrace(
                events, [*pages[:number], changed, *pages[number + 1 :]]
            ).phone_events
            assert public_events(game.phone) == phone_game_events(game, phone_events)
    assert caught >= len(pages) // 2


def phone_game_events(game: PaperGame, phone_events: Sequence[Event]) -> list[Event]:
    """Play the game on a phone with the fugitive's steps of `phone_events`; return the public
    events.
    """
    turns = iter(steps_of(phone_events))
    events = list(GAME.setup(GAME.seat_names(game.players), game.setup, Random(0)))
    state = GAME.fold(events)
    for move in game.moves:
        actions: Sequence[Action] = [move.action]
        if isinstance(move.action, Hide):
            actions = next(turns)
        elif isinstance(move.action, End | Again):
            actions = [*next(turns), move.action]
        for action in [] if isinstance(move.action, Step) else actions:
            new_events = list(GAME.decide(state, move.seat, action, Random(0)).events)
            state = GAME.fold(new_events, state)
            events += new_events
    return public_events(events)


def steps_of(events: Sequence[Event]) -> Iterator[list[Action]]:
    """Yield the actions of each start and each turn."""
    actions: list[Action] = []
    for event in events:
        match event:
            case FugitiveHid(cell=cell):
                actions.append(Hide(cell))
            case FugitiveStepped(to=to, kind=kind, unseen=unseen):
                actions.append(Step(to, kind, unseen))
            case FugitivePlaced() | FugitiveMoved():
                yield actions
                actions = []


def test_a_wrong_answer_is_named(game: PaperGame) -> None:
    """The audit names exactly the one answer that was entered wrongly."""
    acts = [*game.acts]
    answers = [
        index
        for index, (_, action) in enumerate(acts)
        if isinstance(action, AnswerQuestion) and action.found is None
    ]
    for index in answers:
        action = acts[index][1]
        assert isinstance(action, AnswerQuestion)
        question = acts[index - 1][1]
        assert isinstance(question, Ask)
        if question.question == "which_of":
            continue
        lie = [*acts[:index], (F, AnswerQuestion(not action.yes)), *acts[index + 1 :]]
        (finding,) = GAME.paper.audit(played(game, lie), game.pages).wrong
        yes = "no" if action.yes else "yes"
        assert f"audit.{question.question}.{yes}" == finding.message.code


class Paper:
    """A game on paper on the small map, action by action."""

    def __init__(self, players: int = 2, **rules: Any) -> None:
        setup = Setup(Options(path="paper"), small(**rules), {"H1a": "1", "H1b": "3"})
        self.state = GAME.fold(GAME.setup(GAME.seat_names(players), setup, Random(0)))

    def do(self, *actions: Any) -> list[Event]:
        events: list[Event] = []
        for action in actions:
            seat = GAME.to_move(self.state.public)
            assert seat is not None
            new_events = list(GAME.decide(self.state, seat, action, Random(0)).events)
            self.state = GAME.fold(new_events, self.state)
            events += new_events
        return events

    def refused(self, action: Any) -> str:
        with pytest.raises(IllegalAction) as error:
            self.do(action)
        return error.value.message.code

    @property
    def legal(self) -> list[Any]:
        return [*GAME.legal_actions(view(self.state, F))]


def test_only_what_the_card_tells_is_asked_for() -> None:
    """A start is written down and not announced; later the fugitive announces its way, and its
    place only in a round that shows it.
    """
    paper = Paper(shows=[2])
    assert [WRITE_START] == paper.legal
    paper.do(WRITE_START, LOOK)
    assert [*map(AnnounceWay, ("street", "tram", "tunnel", "unseen")), SURRENDER] == paper.legal
    assert "announce_all_first" == paper.refused(END)
    assert "not_announced_now" == paper.refused(AnnouncePlace(Cell("9")))
    assert [TurnAnnounced(("street",))] == paper.do(AnnounceWay("street"))
    assert [FugitiveMoved(("street",))] == paper.do(END)[:1]

    paper.do(LOOK, AnnounceWay("street"))
    assert "announce_all_first" == paper.refused(END)
    assert Cell("10") in [each.cell for each in paper.legal]


def test_distances_are_told() -> None:
    """Where the card tells the distance, each one that a place has is offered, once."""
    paper = Paper(announce="distance", shows=[])
    paper.do(WRITE_START, LOOK)

    assert [*map(AnnounceDistance, (1, 2, 3)), SURRENDER] == paper.legal
    paper.do(AnnounceDistance(2))
    assert [END, AGAIN] == paper.legal


def test_an_answer_is_waited_for() -> None:
    """After a question, an arrest, or a turn whose pawns entered places, only the fugitive may
    answer; then the hunter goes on.
    """
    paper = Paper(shows=[])
    paper.do(WRITE_START, LOOK, AnnounceWay("street"), END)
    paper.do(Ask(P1, "which_of"))
    assert F == GAME.to_move(paper.state.public)
    assert [AnswerQuestion(False)] + [
        AnswerQuestion(True, Cell(cell)) for cell in ("2", "5", "6")
    ] == paper.legal
    assert "fugitive_answers_first" == paper.refused(END)
    paper.do(AnswerQuestion(False))
    assert H1 == GAME.to_move(paper.state.public)

    paper.do(Walk(P2, Cell("7"), "street"), LOOK)
    assert [AnswerArrest(), AnswerArrest(Cell("7"))] == paper.legal
    assert [NothingFound((Cell("7"),))] == paper.do(AnswerArrest())[:1]
    assert 2 == paper.state.public.round


def test_an_arrest_is_answered() -> None:
    """An announced arrest catches the fugitive if it says so."""
    paper = Paper(shows=[], arrest="announce")
    paper.do(WRITE_START, LOOK, AnnounceWay("street"), END, Arrest(P1, Cell("5")))

    assert [AnswerArrest(), AnswerArrest(Cell("5"))] == paper.legal
    assert GameOver("hunters", "caught") == paper.do(AnswerArrest(Cell("5")))[-1]


def test_what_cannot_be_is_doubted() -> None:
    """A place that contradicts earlier announcements is accepted, with a doubt; from then on it
    counts alone.
    """
    paper = Paper(shows=[1])
    paper.do(WRITE_START, LOOK, AnnounceWay("street"), AnnouncePlace(Cell("4")))
    events = paper.do(END)

    assert isinstance(events[2], AnswersContradict)
    assert paper.state.public.belief is not None
    assert (Cell("4"),) == paper.state.public.belief.cells
    assert [] == [
        each for each in paper.do(LOOK, AnnounceWay("tram"), END) if is_contradiction(each)
    ]


def is_contradiction(event: Event) -> bool:
    return isinstance(event, AnswersContradict)


def test_nobody_is_trapped_who_has_a_way() -> None:
    """ "No way is left" is doubted where every possible place has one."""
    paper = Paper()
    paper.do(WRITE_START, LOOK)

    assert [AnswersContradict(), GameOver("hunters", "trapped")] == paper.do(SURRENDER)


def test_what_stands_in_the_way_is_named() -> None:
    """The audit has a reason for each impossible page."""
    paper = Paper(shows=[2])
    start = GAME.setup(
        GAME.seat_names(2),
        Setup(Options(path="paper"), paper.state.public.board.content, {"H1a": "1", "H1b": "3"}),
        Random(0),
    )
    events = [
        *start,
        *paper.do(
            WRITE_START, LOOK, AnnounceWay("street"), END, Walk(P1, Cell("5"), "street"), LOOK
        ),
        *paper.do(AnswerArrest(), AnnounceWay("street"), AnnouncePlace(Cell("11")), END),
    ]

    def findings(*pages: str) -> list[tuple[int, str]]:
        audit = GAME.paper.audit(events, [page.split() for page in pages])
        return [(finding.page, finding.message.code) for finding in audit.wrong]

    assert [] == findings("9", "10", "11")
    assert [(0, "audit.no_start")] == findings("12", "11", "10")[:1]
    assert [(0, "audit.start")] == findings("9 10", "10", "11")
    assert [(1, "audit.no_way")] == findings("9", "11", "10")[:1]
    assert [(1, "audit.no_place")] == findings("9", "77", "11")[:1]
    assert [(1, "audit.way")] == findings("10", "7", "11")
    assert [(1, "audit.count")] == findings("10", "", "11")
    assert [(1, "audit.nobody")] == findings("9", "5", "9")[:1]
    assert [(2, "audit.pawn")] == findings("10", "9", "5")[:1]
    assert [(2, "audit.place")] == findings("10", "11", "12")
    assert "paper_pages" == refused_pages(events)


def refused_pages(events: Sequence[Event]) -> str:
    with pytest.raises(InvalidAction) as error:
        GAME.paper.audit(events, [["9"]])
    return error.value.message.code


def test_no_seat_has_a_secret() -> None:
    """On paper no state holds a place: nothing private, no secret turn, and no bot for the
    fugitive.
    """
    state = Paper().state

    assert ({}, None, frozenset({F})) == (
        state.private,
        GAME.secret_seat(state.public),
        GAME.paper.seats_of_people(state.public),
    )


def test_the_table_is_not_set_by_hand_while_the_fugitive_tells() -> None:
    """In the fugitive's turn, and while it owes an answer, nobody may set pawns by hand."""
    with pytest.raises(IllegalAction, match="fugitive_announces_first"):
        GAME.set_position(Paper().state.public, PositionEdit({P1: Cell("5")}))


def test_the_switch_to_paper_comes_once(game: PaperGame) -> None:
    """Paper is taken up in a game with a phone that is not over."""
    on_paper = Paper().state.public
    with pytest.raises(IllegalAction, match="on_paper_already"):
        GAME.paper.switch_to_paper(on_paper)
    over = GAME.fold(game.phone).public
    with pytest.raises(IllegalAction, match="game_is_over"):
        GAME.paper.switch_to_paper(over)


def test_a_lost_path_is_shown_as_unknown(game: PaperGame) -> None:
    """Without any page the replay shows the fugitive's place while it had a phone, and not
    later.
    """
    ends = breaks(game)
    at = ends[len(ends) // 2]
    path_known = []
    state = GAME.initial()
    for event in GAME.paper.retrace(lost(game, at), ()).phone_events:
        state = GAME.evolve(state, event)
        path_known.append(F in state.private)

    assert path_known == sorted(path_known, reverse=True)
    assert {True, False} == {*path_known}
    assert acts_from(game, at)
