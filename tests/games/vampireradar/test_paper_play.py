"""Vampire Radar with the vampire on paper: people enter every answer by hand, and its path is
compared with them at the end.
"""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from companion.core.codec import encode_event
from companion.core.game import Event, IllegalAction, InvalidSetup, PublicEvent
from companion.core.grid import manhattan_distance
from companion.core.placement import Cell, Pawn, PositionEdit
from companion.core.view import view
from companion.games.vampireradar.actions import END, HIDE, AnswerRadar, AnswerShot, Place
from companion.games.vampireradar.bots.belief import Belief
from companion.games.vampireradar.bots.bitboard import INDEX
from companion.games.vampireradar.events import (
    AnswersContradict,
    GameOver,
    GameSetUp,
    RadarAsked,
    RadarCalled,
    ShotAsked,
    ShotFired,
    SwitchedToPaper,
    VampireMoved,
)
from companion.games.vampireradar.options import Options, Setup, V
from tests.games.vampireradar.builders import (
    GAME,
    H1,
    attack,
    play,
    radar,
    refused,
    shoot,
    start,
    walk,
)
from tests.games.vampireradar.on_paper import (
    GAMES,
    PaperGame,
    acts_from,
    fold,
    lost,
    pages_from,
    played,
    recorded,
    turns,
)

RECORDS = [GAMES / f"{name}.jsonl" for name in ("01-3p", "02-4p", "03-2p", "07-3p", "10-3p")]
"""Games whose radar answers early and late: a wrong answer can be put in anywhere."""
ON_PAPER = Options(path="paper")


@pytest.fixture(scope="module", params=RECORDS, ids=lambda path: path.stem)
def game(request: pytest.FixtureRequest) -> PaperGame:
    return recorded(request.param)


def bare(events: list[Event]) -> list[dict[str, object]]:
    """Return the events without the facts that paper leaves open: how many points a step left."""
    values = [(encode_event(event), isinstance(event, VampireMoved)) for event in events]
    return [
        {key: value[key] for key in value if not (moved and key == "actions_left")}
        for value, moved in values
    ]


def public_facts(events: list[Event]) -> list[dict[str, object]]:
    """Return the public facts without the questions and the option itself."""
    public = [event for event in events if isinstance(event, PublicEvent)]
    plain = [replace(e, options=Options()) if isinstance(e, GameSetUp) else e for e in public]
    return bare([event for event in plain if not isinstance(event, RadarAsked | ShotAsked)])


def test_true_answers_are_all_right(game: PaperGame) -> None:
    """A game played on paper with the true answers has the same public facts as on a phone and
    raises no doubt; its path is right, and its replay with the path is that of the phone's game.
    """
    history = played(game)
    audit = GAME.paper.audit(history, game.pages)

    assert public_facts(game.phone) == public_facts([*history])
    assert () == audit.wrong
    assert audit.answers == sum(
        isinstance(action, AnswerRadar | AnswerShot) for _, action in game.acts
    )
    assert bare(game.phone) == bare(GAME.paper.retrace(history, game.pages).phone_events)


def test_one_wrong_answer_is_named(game: PaperGame) -> None:
    """The audit names exactly the one radar answer or shot that was entered wrongly, in its
    night.
    """
    rng = Random(len(game.acts))
    acts = [*game.acts]
    radar_answers = [
        index for index, (_, action) in enumerate(acts) if isinstance(action, AnswerRadar)
    ]
    index = rng.choice(radar_answers)
    action = acts[index][1]
    assert isinstance(action, AnswerRadar)
    acts[index] = (V, AnswerRadar(action.distance + (1 if action.distance < 5 else -1)))
    nights = sum(seat == V and action == END for seat, action in acts[:index])

    (finding,) = GAME.paper.audit(played(game, acts), game.pages).wrong
    assert (nights, "audit.radar") == (finding.page, finding.message.code)
    assert action.distance == finding.message.params["right"]


def test_one_wrong_step_is_named(game: PaperGame) -> None:
    """A step to a tile that is no neighbour is named first, in its night, with both tiles."""
    history = played(game)
    page = next(number for number, cells in enumerate(game.pages) if number and cells)
    before = [cell for cells in game.pages[:page] for cell in cells][-1]
    far = max(GAME.initial().public.field.grid.cells, key=lambda cell: _distance(before, cell))
    pages = [*game.pages[:page], [far, *game.pages[page][1:]], *game.pages[page + 1 :]]

    finding = GAME.paper.audit(history, pages).wrong[0]
    assert page == finding.page
    assert finding.message.code in ("not_neighbours", "audit.not_there")


def _distance(a: str, b: str) -> int:
    return manhattan_distance(Cell(a), Cell(b))


def test_where_it_can_be_is_a_bot_s_belief(game: PaperGame) -> None:
    """After every event by day the rules hold exactly those places possible that the exact belief
    holds.
    """
    belief = Belief()
    state = GAME.initial()
    for event in played(game):
        belief.observe(event)
        state = fold([event], state)
        if state.public.placed and state.public.to_move not in (V, None):
            assert belief.tiles == sum(
                1 << INDEX[cell] for cell in {cell for cell, _ in state.public.reachable}
            )


def test_an_answer_is_waited_for() -> None:
    """After a radar or a shot only the vampire may answer, with any distance possible from that
    tile; then the human goes on.
    """
    state, _ = play(
        start(options=ON_PAPER), HIDE, walk("H1a", "A2"), walk("H1a", "A3"), radar("H1a")
    )

    assert V == GAME.to_move(state.public)
    assert [*map(AnswerRadar, range(9))] == [*GAME.legal_actions(view(state, V))]
    assert () == GAME.legal_actions(view(state, H1))
    assert "not_your_turn" == refused(state, END, seat=H1)
    assert "vampire_answers_first" == refused(state, AnswerShot(True), seat=V)
    after, (called,) = play(state, AnswerRadar(4), seat=V)
    assert (H1, "radar_called") == (GAME.to_move(after.public), encode_event(called)["event"])


def test_what_cannot_be_is_doubted() -> None:
    """An answer that contradicts all earlier ones is accepted, with a doubt: it or an earlier one
    is wrong. Later answers are compared with it alone.
    """
    state, _ = play(
        start(options=ON_PAPER), HIDE, walk("H1a", "A2"), walk("H1a", "A3"), radar("H1a")
    )
    _, first = play(state, AnswerRadar(1), seat=V)
    doubted, second = play(state, AnswerRadar(8), seat=V)

    assert [] == [event for event in first if isinstance(event, AnswersContradict)]
    assert isinstance(second[1], AnswersContradict)
    assert {Cell("F6")} == {cell for cell, _ in doubted.public.reachable}


def test_attacks_that_lie_too_far_apart_are_doubted() -> None:
    """Two attacks of a night that no chain of steps joins are doubted; the first alone is not."""
    state, _ = play(start(options=ON_PAPER), HIDE, END, END)
    state, first = play(state, attack("A1"))
    _, second = play(state, attack("F6"))

    assert [False, True] == [
        any(isinstance(event, AnswersContradict) for event in events) for events in (first, second)
    ]


def test_no_seat_has_a_secret() -> None:
    """On paper no state holds a place: nothing private, no secret turn, and no bot for the
    vampire.
    """
    state = start(options=ON_PAPER)

    assert ({}, None, frozenset({V})) == (
        state.private,
        GAME.secret_seat(state.public),
        GAME.paper.seats_of_people(state.public),
    )


def test_on_paper_attacks_are_published_at_once() -> None:
    """Paper cannot announce a night's attacks in board order after the night: such a game is not
    set up.
    """
    with pytest.raises(InvalidSetup) as error:
        GAME.setup(GAME.seat_names(3), Setup(Options(path="paper", announce="turn_end")), Random(0))

    assert "paper_announces_at_once" == error.value.message.code


def test_the_table_is_not_set_by_hand_while_the_vampire_speaks() -> None:
    """In the vampire's turn, and while it owes an answer, nobody may set pawns by hand: its attacks
    are checked against them.
    """
    state, _ = play(start(options=ON_PAPER), HIDE, shoot("H1a", "E"))
    with pytest.raises(IllegalAction, match="vampire_announces_first"):
        GAME.set_position(state.public, PositionEdit({Pawn("H1a"): Cell("D4")}))


PLACES = (0, 1, 20, 50, 80)
"""Per cent of a game after which its phone is lost."""


@pytest.mark.parametrize("place", PLACES)
def test_a_phone_that_is_lost_in_mid_game(game: PaperGame, place: int) -> None:
    """A game goes on on paper after any move: with the true answers the public facts are those of
    the phone, no doubt is raised, sealed and written path together prove every answer, and its
    replay is that of the phone's game.
    """
    at = turns(game)[len(turns(game)) * place // 100]
    history = lost(game, at)
    audit = GAME.paper.audit(history, pages_from(game, at))
    answers = [event for event in game.phone if isinstance(event, RadarCalled | ShotFired)]

    assert public_facts(game.phone) == public_facts(
        [event for event in history if event != SwitchedToPaper()]
    )
    assert (len(answers), ()) == (audit.answers, audit.wrong)
    assert bare(game.phone) == bare(GAME.paper.retrace(history, pages_from(game, at)).phone_events)


@pytest.mark.parametrize("place", PLACES[2:])
def test_a_wrong_answer_after_the_switch_is_named(game: PaperGame, place: int) -> None:
    """An answer entered wrongly on paper is found, on its page; so is a paper that begins elsewhere
    than where the last sealed night ended.
    """
    at = turns(game)[len(turns(game)) * place // 100]
    acts = acts_from(game, at)
    index = next(index for index, (_, action) in enumerate(acts) if isinstance(action, AnswerRadar))
    action = acts[index][1]
    assert isinstance(action, AnswerRadar)
    acts[index] = (V, AnswerRadar(action.distance + (1 if action.distance < 5 else -1)))
    pages = pages_from(game, at)
    ended = sum(seat == V and action == END for seat, action in acts[:index])
    first = pages_from(game, at)[0]

    (finding,) = GAME.paper.audit(lost(game, at, acts), pages).wrong
    assert (ended, "audit.radar") == (finding.page, finding.message.code)
    assert action.distance == finding.message.params["right"]
    elsewhere = "C3" if first != ["C3"] else "D4"
    findings = GAME.paper.audit(lost(game, at), [[elsewhere], *pages[1:]]).wrong
    assert [(0, "audit.switched_to_paper")] == [
        (finding.page, finding.message.code) for finding in findings
    ]


def test_a_lost_path_is_shown_as_unknown(game: PaperGame) -> None:
    """Without any page the replay shows the vampire's place while it had a phone, and not later."""
    at = turns(game)[len(turns(game)) // 2]
    path_known = []
    state = GAME.initial()
    for event in GAME.paper.retrace(lost(game, at), ()).phone_events:
        state = GAME.evolve(state, event)
        path_known.append(V in state.private)

    assert path_known == sorted(path_known, reverse=True)
    assert {True, False} == {*path_known}


def test_the_switch_to_paper_comes_once() -> None:
    """Paper is taken up in a game with a phone that is not over; if attacks were published after a
    night, they are published at once from then on.
    """
    late, _ = play(start(options=Options(announce="turn_end")), Place(Cell("B2")), END, END)
    (switch_event,) = GAME.paper.switch_to_paper(late.public)
    on_paper = GAME.evolve(late, switch_event)
    _, events = play(on_paper, attack("A1"))

    assert "pawns_killed" == encode_event(events[0])["event"]
    with pytest.raises(IllegalAction, match="on_paper_already"):
        GAME.paper.switch_to_paper(on_paper.public)
    over = GAME.evolve(late, GameOver("draw", "agreed"))
    with pytest.raises(IllegalAction, match="game_is_over"):
        GAME.paper.switch_to_paper(over.public)


def test_what_stands_in_a_nights_way_is_named() -> None:
    """The audit has a reason for each impossible night: a wall, too many walks, no action left for
    an attack, an attack off the path, a first tile outside the centre.
    """
    history = _public_events(HIDE, END, END, END, END, END, attack("A1"), END)

    def findings(*pages: str) -> list[tuple[int, str]]:
        audit = GAME.paper.audit(history, [page.split() for page in pages])
        return [(finding.page, finding.message.code) for finding in audit.wrong]

    assert [] == findings("B2", "B1", "A1")
    assert [(1, "wall_between")] == findings("B3", "B4 A4", "A3 A2 A1")[:1]
    assert [(1, "audit.tired")] == findings("B2", "B3 B2 B1", "A1")
    assert [(2, "audit.tired")] == findings("C3", "", "B3 B2 B1 A1")
    assert [(2, "audit.not_there")] == findings("B2", "B1", "")
    assert [(0, "not_a_centre_tile")] == findings("A2", "", "A1")
    assert [(0, "audit.start")] == findings("", "", "A1")
    assert [(1, "no_such_cell")] == findings("B2", "Z9", "B1 A1")


def _public_events(*actions: object) -> list[PublicEvent]:
    events = GAME.setup(GAME.seat_names(3), Setup(ON_PAPER, start().public.field.layout), Random(0))
    _, more = play(fold(events), *actions)  # type: ignore[arg-type]
    return [event for event in [*events, *more] if isinstance(event, PublicEvent)]
