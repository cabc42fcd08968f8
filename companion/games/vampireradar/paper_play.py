"""Play the vampire on paper: it announces what the rules make public, and the table enters that."""

from __future__ import annotations

from companion.core.game import Action, Event, IllegalAction, PublicEvent, Seat
from companion.core.placement import Cell
from companion.games.vampireradar import actions, events
from companion.games.vampireradar.humans import decide_open, fire, radar_cell, shot_cell, shot_line
from companion.games.vampireradar.night import attack, eat, end_night, kill, meal
from companion.games.vampireradar.options import NIGHT_POINTS, STARTS, V
from companion.games.vampireradar.state import Public, ReachableSet, Vampire
from companion.games.vampireradar.turn_order import next_turn


def announced_actions(public: Public) -> list[Action]:
    """Return every announcement that the vampire may make now, true or not."""
    match public.asked:
        case events.RadarAsked(cell=cell):
            return [actions.AnswerRadar(distance) for distance in _distances(public, cell)]
        case events.ShotAsked():
            return [actions.AnswerShot(True), actions.AnswerShot(False)]
    if not public.placed:
        return [actions.HIDE]
    attacks = [actions.Attack(to=cell) for cell in sorted(set(public.pawns.values()))]
    return [*attacks, *(actions.Heal(to=cell) for cell in public.bat_tokens), actions.END]


def _distances(public: Public, cell: Cell) -> list[int]:
    return sorted(set(public.field.grid.distances[cell].values()))


def decide_on_paper(public: Public, seat: Seat, action: Action) -> list[Event]:
    """Decide an action on paper: a radar or a shot becomes a question to the vampire."""
    if seat == V:
        return _answered(public, action)
    if isinstance(action, actions.CallRadar):
        return [events.RadarAsked(action.pawn, radar_cell(public, action.pawn))]
    if isinstance(action, actions.Shoot):
        return [events.ShotAsked(action.pawn, shot_cell(public, action.pawn), action.direction)]
    return decide_open(public, seat, action)


def _answered(public: Public, action: Action) -> list[Event]:
    """Return an answer or an announcement, with a contradiction if no place fits all answers."""
    match public.asked, action:
        case events.RadarAsked(pawn, cell), actions.AnswerRadar(distance) if distance in _distances(
            public, cell
        ):
            called = events.RadarCalled(pawn, cell, distance)
            return [called, *_contradiction(public, called)]
        case events.ShotAsked(pawn, cell, direction), actions.AnswerShot(hit):
            shot, *over = fire(public, pawn, cell, direction, hit)
            return [shot, *_contradiction(public, shot), *over]
        case events.RadarAsked() | events.ShotAsked(), _:
            raise IllegalAction("vampire_answers_first")
    if action not in announced_actions(public):
        raise IllegalAction("not_announced_now")
    match action:
        case actions.Attack(to=cell):
            killed = kill(public, cell)
            return attack(public, killed, *_contradiction(public, killed))
        case actions.Heal(to=cell):
            eaten = meal(public, cell)
            return eat(public, eaten, *_contradiction(public, eaten))
    if public.placed:
        return end_night(public, Vampire())
    return [events.VampirePlaced(), next_turn(public, public.queue)]


def _contradiction(public: Public, answer: PublicEvent) -> list[PublicEvent]:
    return [] if _consistent(public, public.reachable, answer) else [events.AnswersContradict()]


def update_reachable(before: Public, event: Event) -> ReachableSet:
    """Return the vampire's possible places after an event. If an answer contradicts earlier ones,
    only the answer counts.
    """
    match event:
        case events.VampirePlaced():
            return frozenset((cell, 0) for cell in STARTS)
        case events.SwitchedToPaper() if before.placed:
            # The answers of its phone were right; only later announcements may contradict.
            return frozenset(
                (cell, NIGHT_POINTS if before.to_move == V else 0) for cell in before.field.every
            )
        case events.TurnStarted(seat=seat) if seat == V:
            return frozenset((cell, NIGHT_POINTS) for cell, _ in before.reachable)
        case events.TurnEnded(seat=seat) if seat == V:
            return frozenset((cell, 0) for cell, _ in _with_walks(before, before.reachable))
        case events.RadarCalled() | events.ShotFired() | events.PawnsKilled() | events.BatEaten():
            anywhere = frozenset((cell, NIGHT_POINTS) for cell in before.field.every)
            return _consistent(before, before.reachable, event) or _consistent(
                before, anywhere, event
            )
    return before.reachable


def _consistent(before: Public, reachable: ReachableSet, event: Event) -> ReachableSet:
    """Return the part of `reachable` that fits an answer; in a night, also where it leads."""
    match event:
        case events.RadarCalled(cell=cell, distance=distance):
            far = before.field.grid.distances[cell]
            return frozenset(place for place in reachable if far[place[0]] == distance)
        case events.ShotFired(pawn=pawn, cell=cell, direction=direction, hit=hit):
            line = shot_line(before, pawn, cell, direction)
            return frozenset(place for place in reachable if (place[0] in line) == hit)
        case events.PawnsKilled(cell=cell) | events.BatEaten(cell=cell):
            near = {cell, *before.field.grid.neighbours[cell]}
            return frozenset(
                (cell, left) for at, left in _with_walks(before, reachable) if left and at in near
            )
    return reachable


def _with_walks(public: Public, reachable: ReachableSet) -> ReachableSet:
    """Return `reachable` with the ends of walks from there."""
    barred = (
        frozenset[Cell]() if public.options.vampire_may_share else frozenset(public.pawns.values())
    )
    reached = set(reachable)
    edge = [*reachable]
    while edge:
        cell, left = edge.pop()
        for to in public.field.grid.neighbours[cell] if left else ():
            if to not in barred and (to, left - 1) not in reached:
                reached.add((to, left - 1))
                edge.append((to, left - 1))
    return frozenset(reached)
