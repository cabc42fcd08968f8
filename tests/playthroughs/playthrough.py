"""Games written out for people: who may know what at every step.

Of each kind one is played at random. Beside the box, where people type what real cards bring, and
on paper, one of each is written by hand: its file has the start, the actions, and the results by
the rulebook.

`python -m tests.playthroughs.playthrough` writes the files again; a rule that changed or a
secret that got out is then a difference that can be read.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import msgspec

from companion.core.codec import canonical_json, decode_action, encode_action, encode_event
from companion.core.game import Action, Event, Game, Seat, State
from companion.core.view import may_see, view
from companion.games import GAMES, find_game
from tools.secrecy.random_games import begin, random_play

FOLDER = Path(__file__).parent
BY_HAND = tuple(sorted([*FOLDER.glob("*-box.txt"), *FOLDER.glob("*-paper.txt")]))
STEPS = 60
FEWER = {"vwars": 20}
"""Games shortened to this number of steps: one of them may be a whole riot."""
STILL = ("tiles", "walls", "options", "regions", "cities")
"""What is left out of views: it stands still, or events have its changes."""
SEED = 20261121


def path_of(game: Game, players: int) -> Path:
    """Return the file of a game with this number of players."""
    return FOLDER / f"{game.name}-{players}p.txt"


def playthrough(game: Game, players: int) -> Iterator[str]:
    """Yield the lines: each action, the public events (=), the events of single seats (seat:), the
    table's view of the game (view), and a seat's own part (own) and actions.
    """
    rng, steps = Random(SEED), FEWER.get(game.name, STEPS)
    _, events = begin(game, players, rng)
    yield f"{game.name} with {players} players, seed {SEED}; the first {steps} steps of random play"
    yield from (f"= {canonical_json(encode_event(event))}" for event in events)
    for number, (_, seat, action, happened, after) in enumerate(
        random_play(game, players, Random(SEED)), 1
    ):
        if number > steps:
            return
        yield ""
        yield from _step(game, players, number, seat, action, happened, after)


def by_hand(path: Path) -> Iterator[str]:
    """Yield the lines of a game that was written by hand, with the results of its actions (#): like
    `playthrough`, but only the changes of the view, and only the number of offers. The first two
    lines name the game and the start; the rule of a step (>) stands before it.
    """
    title, start, *lines = path.read_text(encoding="utf-8").splitlines()
    yield from (title, start)
    name, players = title.split(" with ")[0], int(title.split(" with ")[1].split()[0])
    game = find_game(name)
    setup = msgspec.convert(json.loads(start.removeprefix("start ")), game.setup_type)
    state, number = game.initial(), 0
    for event in game.setup(game.seat_names(players), setup, Random(0)):
        state = game.evolve(state, event)
        yield _event_line(game, players, event)
    for line in lines:
        if line.startswith(">"):
            yield from ("", line)
        if not line.startswith("#"):
            continue
        number += 1
        _, _, seat, value = line.split(" ", 3)
        action = decode_action(game, json.loads(value))
        before, events = state, list(game.decide(state, Seat(seat), action, Random(0)).events)
        for event in events:
            state = game.evolve(state, event)
        yield from _step(game, players, number, Seat(seat), action, events, state, before)


def _event_line(game: Game, players: int, event: Event) -> str:
    if may_see(event, None):
        return f"= {canonical_json(encode_event(event))}"
    listeners = [name for name in game.seat_names(players) if may_see(event, name)]
    return f"{' '.join(listeners) or 'nobody'}: {canonical_json(encode_event(event))}"


def _step(
    game: Game,
    players: int,
    number: int,
    seat: Seat,
    action: Action,
    events: Sequence[Event],
    after: State,
    before: State | None = None,
) -> Iterator[str]:
    """Yield a step's lines; with `before` in short: the changes of the view, and the number of
    offers.
    """
    yield f"# {number} {seat} {canonical_json(encode_action(action))}"
    yield from (_event_line(game, players, event) for event in events)
    public_view = {
        key: value for key, value in game.encode_view(view(after, None)).items() if key not in STILL
    }
    public_before = {} if before is None else game.encode_view(view(before, None))
    changed = {
        key: public_view[key]
        for key in public_view
        if before is None or public_view[key] != public_before[key]
    }
    yield f"view {canonical_json(changed)}"
    for name in game.seat_names(players):
        own_view = view(after, name)
        own, legal = (
            game.encode_view(own_view)["own"],
            [canonical_json(encode_action(each)) for each in game.legal_actions(own_view)],
        )
        if before is not None:
            yield f"{name} may do one of {len(legal)}"
        elif own is not None or legal:
            yield f"{name} own {canonical_json(own)} may {' '.join(legal) or 'nothing'}"


def main() -> None:
    """Write every file again."""
    for game in GAMES:
        for players in game.seats:
            path_of(game, players).write_text(
                "\n".join(playthrough(game, players)) + "\n", encoding="utf-8"
            )
    for path in BY_HAND:
        path.write_text("\n".join(list(by_hand(path))) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
