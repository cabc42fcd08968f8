"""One game of each kind written out for people: who may know what at every step.

`python -m tests.playthroughs.playthrough` writes the files anew; a rule that changed or a secret that
got out is then a difference that can be read.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

from companion.core.codec import canonical, encode_action, encode_event
from companion.core.game import Game
from companion.core.view import may_hear, view
from companion.games import GAMES
from tests.contract.plays import begin, random_play

FOLDER = Path(__file__).parent
STEPS = 60
FEWER = {"vwars": 20}
"""Games of which so many steps are enough to read: one of them may be a whole riot."""
STILL = ("tiles", "walls", "options", "regions", "cities")
"""What is left out of views: it stands still, or events tell how it changes."""
SEED = 20261121


def path_of(game: Game, players: int) -> Path:
    """Return the file of a game with so many players."""
    return FOLDER / f"{game.name}-{players}p.txt"


def playthrough(game: Game, players: int) -> Iterator[str]:
    """Yield the lines: each action, what the table hears (=), what single seats hear beside it (seat:), what
    the table sees of the game now (view), what a seat alone sees (own) and may do."""
    rng, steps = Random(SEED), FEWER.get(game.name, STEPS)
    _, events = begin(game, players, rng)
    yield f"{game.name} with {players} players, seed {SEED}; the first {steps} steps of random play"
    yield from (f"= {canonical(encode_event(event))}" for event in events)
    for number, (_, seat, action, happened, after) in enumerate(random_play(game, players, Random(SEED)), 1):
        if number > steps:
            return
        yield ""
        yield f"# {number} {seat} {canonical(encode_action(action))}"
        for event in happened:
            if may_hear(event, None):
                yield f"= {canonical(encode_event(event))}"
            else:
                listeners = [name for name in game.seat_names(players) if may_hear(event, name)]
                yield f"{' '.join(listeners) or 'nobody'}: {canonical(encode_event(event))}"
        shown = game.show(view(after, None))
        yield f"view {canonical({key: shown[key] for key in shown if key not in STILL})}"
        for name in game.seat_names(players):
            seen = view(after, name)
            own, legal = game.show(seen)["own"], [canonical(encode_action(one)) for one in game.legal_actions(seen)]
            if own is not None or legal:
                yield f"{name} own {canonical(own)} may {' '.join(legal) or 'nothing'}"


def main() -> None:
    """Write every file anew."""
    for game in GAMES:
        for players in game.seats:
            path_of(game, players).write_text("\n".join(playthrough(game, players)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
