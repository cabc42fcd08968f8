"""List the steps of a finished game, and count its nights, shots, radars and near misses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from msgspec import Struct

from companion.core.capabilities import Moment
from companion.core.game import Event, PublicEvent
from companion.core.grid import Direction
from companion.core.placement import Cell, Pawn
from companion.games.vampireradar import events
from companion.games.vampireradar.actions import Shoot
from companion.games.vampireradar.bots.belief import shot_line
from companion.games.vampireradar.bots.bitboard import INDEX, Bitboard
from companion.games.vampireradar.bots.posterior import PosteriorBelief, Weights
from companion.games.vampireradar.humans import human_actions
from companion.games.vampireradar.options import V
from companion.games.vampireradar.state import Public


class ReplayStep(NamedTuple):
    """One event.

    earlier, public: the state before and after it
    cell: the vampire's tile after it; None before it hid, and on paper if it was not typed
    before, tiles, weights: the possible tiles before and after it, from public events. A secret
    event changes nothing here, so within a night the vampire's tile may be missing.
    """

    event: Event
    earlier: Public
    public: Public
    cell: Cell | None
    before: int
    tiles: int
    weights: Weights
    ground: Bitboard


def replay_steps(moments: Iterable[Moment]) -> list[ReplayStep]:
    """Return a step for each moment of a game."""
    posterior, steps = PosteriorBelief(), []
    tiles, weights = 0, posterior.weights
    for moment in moments:
        event, before, earlier = moment.event, tiles, posterior.belief.public
        if isinstance(event, PublicEvent):
            posterior.observe(event)
            tiles, weights = posterior.belief.tiles, posterior.weights
        public: Public = moment.state.public
        if (
            isinstance(event, events.PawnsKilled | events.BatEaten)
            and public.options.announce == "immediate"
        ):
            # The tile is public now; the belief is updated only at the end of the night.
            tiles, weights = 1 << INDEX[event.cell], {INDEX[event.cell]: 1.0}
        own = moment.state.private.get(V)
        cell = None if own is None else own.cell
        steps.append(
            ReplayStep(
                event, earlier, public, cell, before, tiles, weights, posterior.belief.ground
            )
        )
    return steps


class RadarCut(Struct, frozen=True):
    """The possible tiles before and after a radar's answer."""

    pawn: Pawn
    cell: Cell
    round: int
    before: int
    after: int


class NearCall(Struct, frozen=True):
    """The steps to the vampire after a pawn's walk; 0 is its own tile."""

    pawn: Pawn
    steps: int
    round: int


class MissedShot(Struct, frozen=True):
    """A legal shot that would have hit and was not fired.

    on, possible: the possible tiles on its line, and all of them
    """

    pawn: Pawn
    cell: Cell
    direction: Direction
    round: int
    on: int
    possible: int


class HuntStatistics(Struct, frozen=True):
    """The figures of a hunt.

    steps: the vampire's steps in all nights
    still: the most nights in a row in which it stood still
    late: missed shots that would have hit the vampire's tile before its last night
    chances: the humans' turns in which a shot would have hit and none did
    missed: the likeliest shot of these, by the share of possible tiles on its line; the first of
    equals
    fewest: the smallest number of possible tiles in a human's turn, and its round
    """

    nights: int
    steps: int
    still: int
    shots: int
    hits: int
    late: int
    pawns: int
    bats: int
    chances: int
    missed: MissedShot | None
    radars: list[RadarCut]
    closest: NearCall | None
    fewest: tuple[int, int] | None


def compute_statistics(replayed: Sequence[ReplayStep]) -> HuntStatistics:
    """Return the statistics of a whole game."""
    history = [step.event for step in replayed]
    nights = _nights(replayed)
    shots = [event for event in history if isinstance(event, events.ShotFired)]
    missed = _missed_shots(replayed)
    return HuntStatistics(
        nights=len(nights),
        steps=sum(isinstance(event, events.VampireMoved) for event in history),
        still=_longest(steps == 0 for steps in nights),
        shots=len(shots),
        hits=sum(shot.hit for shot in shots),
        late=_late(replayed),
        pawns=sum(len(event.pawns) for event in history if isinstance(event, events.PawnsKilled)),
        bats=sum(isinstance(event, events.BatEaten) for event in history),
        chances=len(missed),
        missed=max(missed, key=lambda shot: shot.on / shot.possible, default=None),
        radars=[
            RadarCut(
                event.pawn,
                event.cell,
                step.public.round,
                step.before.bit_count(),
                step.tiles.bit_count(),
            )
            for step in replayed
            if isinstance(event := step.event, events.RadarCalled)
        ],
        closest=_closest(replayed),
        fewest=_fewest(replayed),
    )


def _nights(replayed: Sequence[ReplayStep]) -> list[int]:
    """Return the number of the vampire's steps in each finished night."""
    nights, steps = [], 0
    for event in (step.event for step in replayed):
        match event:
            case events.TurnStarted(seat=seat) if seat == V:
                steps = 0
            case events.VampireMoved():
                steps += 1
            case events.TurnEnded(seat=seat) if seat == V:
                nights.append(steps)
    return nights


def _longest(held: Iterable[bool]) -> int:
    longest = run = 0
    for one in held:
        run = run + 1 if one else 0
        longest = max(longest, run)
    return longest


def _late(replayed: Sequence[ReplayStep]) -> int:
    late = 0
    now: Cell | None = None
    evening: Cell | None = None
    for step in replayed:
        match step.event:
            case events.TurnStarted(seat=seat) if seat == V:
                now = step.cell
            case events.TurnEnded(seat=seat) if seat == V:
                evening = now
            case events.ShotFired(hit=False) as shot if evening is not None:
                late += shot_line(step.ground, step.earlier, shot) >> INDEX[evening] & 1
    return late


def _closest(replayed: Sequence[ReplayStep]) -> NearCall | None:
    near = [
        NearCall(event.pawn, step.ground.far[INDEX[event.to]][INDEX[step.cell]], step.public.round)
        for step in replayed
        if isinstance(event := step.event, events.PawnWalked) and step.cell is not None
    ]
    return min(near, key=lambda call: call.steps, default=None)


def _fewest(replayed: Sequence[ReplayStep]) -> tuple[int, int] | None:
    counts = [
        (step.tiles.bit_count(), step.public.round)
        for step in replayed
        if step.tiles and step.public.to_move not in (None, V)
    ]
    return min(counts, key=lambda count: count[0], default=None)


def _missed_shots(replayed: Sequence[ReplayStep]) -> list[MissedShot]:
    """Return, for each human turn without a hit, the likeliest shot that would have hit."""
    missed = []
    for turn in _human_turns(replayed):
        if any(isinstance(step.event, events.ShotFired) and step.event.hit for step in turn):
            continue
        would_hit = [shot for step in turn for shot in _would_hit(step)]
        missed += [max(would_hit, key=lambda shot: shot.on / shot.possible)] if would_hit else []
    return missed


def _human_turns(replayed: Sequence[ReplayStep]) -> list[list[ReplayStep]]:
    turns: list[list[ReplayStep]] = []
    for step in replayed:
        if isinstance(step.event, events.TurnStarted):
            turns.append([])
        if turns:
            turns[-1].append(step)
    return [turn for turn in turns if turn[0].public.to_move != V]


def _would_hit(step: ReplayStep) -> list[MissedShot]:
    """Return the shots that were legal after this event and would have hit; none if the answers of
    a game on paper contradict each other.
    """
    public, seat = step.public, step.public.to_move
    if seat in (None, V) or public.asked or step.cell is None or not step.tiles:
        return []
    shots = []
    for shot in human_actions(public):
        if isinstance(shot, Shoot):
            cell = public.pawns[shot.pawn]
            line = shot_line(
                step.ground,
                public,
                events.ShotFired(shot.pawn, cell, shot.direction, False, 0, public.hp),
            )
            if line >> INDEX[step.cell] & 1:
                on, possible = (line & step.tiles).bit_count(), step.tiles.bit_count()
                shots.append(
                    MissedShot(shot.pawn, cell, shot.direction, public.round, on, possible)
                )
    return shots
