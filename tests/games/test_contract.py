"""What every game in GAMES must keep, whatever its rules."""

from __future__ import annotations

import sys
from itertools import islice
from random import Random

import msgspec
import pytest

from companion.core.codec import decode_action, decode_event, encode_action, encode_event
from companion.core.game import Game, IllegalAction, PrivateEvent, PublicEvent, State
from companion.core.view import view
from companion.games import GAMES
from tools.secrecy.random_games import begin, random_play

EVERY = [
    pytest.param(game, players, id=f"{game.name}-{players}")
    for game in GAMES
    for players in game.seats
]


@pytest.mark.parametrize(("game", "players"), EVERY)
def test_random_play_ends_and_replays_equal(game: Game, players: int) -> None:
    """Random play ends; its events alone, after a trip through the codec, give an equal state."""
    rng = Random(players)
    for _ in range(5):
        state, events = begin(game, players, rng)
        for _, _, _, step_events, after in random_play(game, players, Random(rng.random())):
            events, state = [*events, *step_events], after
        assert game.outcome(state.public) is not None


@pytest.mark.parametrize(("game", "players"), EVERY)
def test_events_alone_give_the_state(game: Game, players: int) -> None:
    """A decision has the state after its events. Folding their stored form gives an equal state:
    replay needs no random numbers.
    """
    rng = Random(f"{game.name}{players}")
    folded, setup = begin(game, players, rng)
    refolded = _fold(game, game.initial(), setup)
    assert folded == refolded
    state = folded
    for _ in range(200):
        seat = game.to_move(state.public)
        if seat is None:
            break
        legal = list(game.legal_actions(view(state, seat)))
        draft = game.decide(state, seat, rng.choice(legal), rng)
        assert _fold(game, state, draft.events, stored=False) == draft.state
        state, refolded = draft.state, _fold(game, refolded, draft.events)
    assert state == refolded


def _fold(game: Game, state: State, events: object, stored: bool = True) -> State:
    for event in events:  # type: ignore[attr-defined]
        state = game.evolve(
            state, decode_event(game.events, encode_event(event)) if stored else event
        )
    return state


@pytest.mark.slow
@pytest.mark.parametrize(("game", "players"), EVERY)
def test_legal_is_accepted_and_the_rest_refused(game: Game, players: int) -> None:
    """Every offered action is accepted; every other action that this game ever offered is
    refused.
    """
    rng = Random(f"legal {game.name}{players}")
    earlier: set[bytes] = set()
    for before, seat, _, _, _ in random_play(game, players, rng):
        legal = list(game.legal_actions(view(before, seat)))
        offered = {msgspec.json.encode(action) for action in legal}
        for action in legal:
            game.decide(before, seat, action, Random(0))
        for raw in rng.sample(sorted(earlier - offered), min(8, len(earlier - offered))):
            with pytest.raises(IllegalAction):
                game.decide(before, seat, decode_action(game, msgspec.json.decode(raw)), Random(0))
        earlier |= offered


@pytest.mark.parametrize(("game", "players"), EVERY)
def test_nobody_else_may_act(game: Game, players: int) -> None:
    """A seat that is not to move is offered only interrupts; the mover's other actions are refused
    to it.
    """
    for before, seat, action, _, _ in random_play(game, players, Random(7)):
        for other in game.seat_names(players):
            if other != seat:
                offered = list(game.legal_actions(view(before, other)))
                assert [] == [
                    interrupt for interrupt in offered if type(interrupt) not in game.interrupts
                ]
                for interrupt in offered:
                    game.decide(before, other, interrupt, Random(0))
                if action not in offered:
                    with pytest.raises(IllegalAction):
                        game.decide(before, other, action, Random(0))


@pytest.mark.parametrize(("game", "players"), EVERY)
def test_a_game_stores_no_state(game: Game, players: int) -> None:
    """After it was asked for legal actions and for a decision, a game refers to no part of the
    state: one process may play several games, and their secrets end with them.
    """
    rng = Random(f"stored {game.name}{players}")
    state, _ = begin(game, players, rng)
    for _ in range(20):
        seat = game.to_move(state.public)
        if seat is None:
            break
        before = _references(state)
        action = rng.choice(list(game.legal_actions(view(state, seat))))
        game.decide(state, seat, action, Random(0))
        assert before == _references(state)
        state = game.decide(state, seat, action, rng).state


def _references(state: State) -> list[int]:
    """Return how many references there are to each part of a state."""
    return [sys.getrefcount(part) for part in (state.public, *state.private.values())]


@pytest.mark.parametrize(("game", "players"), EVERY)
def test_evolve_is_pure(game: Game, players: int) -> None:
    """`evolve` changes no state in place: a state encodes the same before and after its successors
    are made.
    """
    for before, _, _, events, after in random_play(game, players, Random(3)):
        public_view = game.encode_view(view(before, None))
        assert after == _fold(game, before, events, stored=False)
        assert public_view == game.encode_view(view(before, None))


@pytest.mark.parametrize(("game", "players"), EVERY)
def test_actions_and_events_round_trip(game: Game, players: int) -> None:
    """Each action and event reads back from its JSON as an equal value, and each public one has a
    message.
    """
    for _, _, action, events, _ in random_play(game, players, Random(5)):
        assert action == decode_action(game, encode_action(action))
        for event in events:
            assert event == decode_event(game.events, encode_event(event))
            if isinstance(event, PublicEvent):
                assert event.message().code.startswith("event.")


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_only_public_events_change_the_public_part(game: Game) -> None:
    """No private event has a fold of the public part."""
    private = [kind for kind in game.events if issubclass(kind, PrivateEvent)]

    assert [] == [kind for kind in private if kind.apply is not PrivateEvent.apply]


@pytest.mark.parametrize(("game", "players"), EVERY)
def test_public_part_is_its_own_fold(game: Game, players: int) -> None:
    """Folding the public events alone, without any private part, gives the same public part."""
    _, setup = begin(game, players, Random(11))
    folded = _fold(
        game, State(game.initial().public), [e for e in setup if isinstance(e, PublicEvent)]
    )
    for before, _, _, events, after in random_play(game, players, Random(13)):
        folded = State(before.public)
        folded = _fold(game, folded, [event for event in events if isinstance(event, PublicEvent)])
        assert folded.public == after.public


@pytest.mark.parametrize(("game", "players"), EVERY)
def test_imagined_is_what_happens(game: Game, players: int) -> None:
    """`preview` of a physical action returns the public part that deciding it would give."""
    for before, seat, action, _, after in random_play(game, players, Random(17)):
        own_view = view(before, seat)
        if action in game.physical_actions(own_view):
            assert after.public == game.preview(own_view, action).public


@pytest.mark.parametrize(("game", "players"), EVERY)
def test_set_up_again_without_luck(game: Game, players: int) -> None:
    """`to_setup` names everything that was drawn: a set-up from it with another seed gives an equal
    start.
    """
    state, _ = begin(game, players, Random(19))
    setup = msgspec.convert(game.to_setup(state), game.setup_type)
    restored = _fold(game, game.initial(), game.setup(game.seat_names(players), setup, Random(23)))

    assert state == restored


@pytest.mark.parametrize(("game", "players"), EVERY)
def test_a_game_that_deals_nothing_draws_nothing_in_play(game: Game, players: int) -> None:
    """If chance deals no field of the set-up, an action decided with another seed gives the same
    events.
    """
    if not game.random_fields:
        for before, seat, action, events, _ in random_play(game, players, Random(29)):
            assert events == list(game.decide(before, seat, action, Random(31)).events)


def _dealt_roles(game: Game, state: State) -> list[object]:
    """Return the roles that the deal hid, from the game's own state."""
    match game.name:
        case "shisogari":
            return [
                {seat: own.role for seat, own in state.private.items()},
                {seat: own.cards for seat, own in state.private.items()},
            ]
        case "vampire_empire":
            return [state.hidden.deal.vampires, state.hidden.deal.trusted]
        case "vwars":
            return [{seat: hand.faction for seat, hand in state.private.items()}]
    return []


def _shown_roles(game: Game, state: State) -> list[object]:
    """Return the roles that everybody sees."""
    public = state.public
    match game.name:
        case "shisogari":
            return [public.shown.roles, public.shown.hands] if public.shown else [None]
        case "vampire_empire":
            return (
                [public.identities.vampires, public.identities.trusted]
                if public.identities
                else [None]
            )
        case "vwars":
            return [public.factions]
    return []


@pytest.mark.parametrize(("game", "players"), EVERY)
def test_an_agreed_draw_shows_who_was_who(game: Game, players: int) -> None:
    """A draw by agreement shows every role and hand that any other end shows."""
    rng = Random(f"draw {game.name}{players}")
    state, _ = begin(game, players, rng)
    for _, _, _, _, after in islice(random_play(game, players, rng), 20):
        state = after if game.outcome(after.public) is None else state
    for event in game.resign(state, "agreed"):
        state = game.evolve(state, event)
    outcome = game.outcome(state.public)
    assert outcome is not None
    assert ("draw", "agreed") == (outcome.winner, outcome.reason)
    assert _dealt_roles(game, state) == _shown_roles(game, state)
