"""Count disclosures that sensor noise causes without a press.

`python -m tests.sensors.no_false_disclosure --frames N`. The reader gets frames of every kind of
noise (random cells, flicker, slides and bounces over radars, bumps, swapped pawns) and of legal
walks, in human turns, in nights and across them. The last line is `disclosures=N`.
"""

from __future__ import annotations

import argparse
from collections import Counter
from random import Random

from companion.core.game import Action, PublicEvent, Seat, View
from companion.core.placement import Cell, Placement
from companion.games.vampireradar.actions import END, Attack, Heal, Walk
from companion.sensors.link import Link
from companion.sensors.observation import Observation
from companion.sensors.reader import BoardReader
from tests.helpers.simulated_clock import SimulatedClock
from tests.sensors.fakes import GAME, by_name, by_presence, moved, random_game

CELLS = tuple(Cell(f"{column}{row}") for row in range(1, 7) for column in "ABCDEF")
STEP = 0.4
"""Seconds between two frames: an unchanged table rests after three of them."""


class Noise:
    """A table under a faulty board. `disclosures` counts events and actions of the reader that
    disclose.
    """

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)
        self.clock = SimulatedClock()
        self.disclosures = 0
        self.walks = 0
        self.frames = 0
        self.states: Counter[str] = Counter()
        self._life = 0
        self._begin()

    def run(self, frames: int) -> None:
        """Read at least `frames` frames of noise."""
        while self.frames < frames:
            self.rng.choice(
                (self._random, self._flicker, self._slide, self._walk, self._bump, self._stay)
            )()
            if self.rng.random() < 0.15:
                self._next_turn()

    def _begin(self) -> None:
        self.game = random_game(self.rng.randint(2, 4), self.rng.randrange(2**32))
        self.named = self.rng.random() < 0.5
        self.reader = BoardReader(self.game.view, self._submit, self.clock)
        self._link()
        self._show(self.game.placement, 4)

    def _link(self) -> None:
        self._life += 1
        self.reader.link_changed(Link("up", generation=self._life))

    def _submit(self, seat: Seat, actions: list[Action]) -> None:
        count = len(self.game.public_events)
        self.game.submit(seat, actions)
        self.walks += 1
        events: list[PublicEvent] = self.game.public_events[count:]
        self.disclosures += sum(type(action).discloses for action in actions)
        self.disclosures += sum(type(event).discloses for event in events)

    def _observe(self, observation: Observation) -> None:
        self.frames += 1
        self.clock.advance(STEP)
        self.reader.observe(observation)
        self.states[self.reader.status()["state"]] += 1

    def _show(self, placement: Placement, times: int = 1) -> None:
        observe = by_name if self.named else by_presence
        for _ in range(times):
            self._observe(observe(placement, self.clock.monotonic() + STEP))

    def _random(self) -> None:
        """Report pawns on random cells, for a moment or at rest."""
        cells = self.rng.sample(CELLS, self.rng.randint(0, 36))
        names = self.rng.choices(tuple(self.game.state.public.start), k=len(cells))
        placement = Placement(
            {cell: frozenset({name}) for cell, name in zip(cells, names, strict=True)}
        )
        self._show(placement, self.rng.randint(1, 4))

    def _flicker(self) -> None:
        """Report one pawn that flickers where it stands, or on a radar."""
        pawn = self.rng.choice(tuple(self.game.state.public.pawns))
        radars = self.game.state.public.field.cells_of("r")
        to = self.rng.choice((None, *radars))
        for _ in range(self.rng.randint(1, 6)):
            self._show(moved(self.game.placement, {pawn: to}), self.rng.randint(1, 3))
            self._show(self.game.placement, self.rng.randint(1, 3))

    def _slide(self) -> None:
        """Push a pawn along a row over everything in it."""
        pawn = self.rng.choice(tuple(self.game.state.public.pawns))
        row = self.rng.randint(1, 6)
        for column in "ABCDEF":
            self._show(
                moved(self.game.placement, {pawn: f"{column}{row}"}), self.rng.choice((1, 1, 1, 4))
            )

    def _walk(self) -> None:
        """Make legal walks of one pawn or several, to be matched."""
        view, placement = self.game.present, self.game.placement
        self._show(placement, 4)
        for _ in range(self.rng.randint(1, 3)):
            walks = [action for action in GAME.physical_actions(view) if isinstance(action, Walk)]
            if walks:
                step = self.rng.choice(walks)
                view = GAME.preview(view, step)
                placement = moved(placement, {str(step.pawn): step.to})
                self._show(placement, self.rng.choice((1, 4)))
        self._show(placement, 4)

    def _bump(self) -> None:
        """Move some pawns, remove some, and restart the board at random."""
        pawns = tuple(self.game.state.public.pawns)
        moves: dict[str, str | None] = {
            pawn: self.rng.choice((None, *CELLS))
            for pawn in self.rng.sample(pawns, self.rng.randint(1, len(pawns)))
        }
        if self.rng.random() < 0.3:
            self._link()
        self._show(moved(self.game.placement, moves), self.rng.randint(1, 10))

    def _stay(self) -> None:
        self._show(self.game.placement, 4)

    def _next_turn(self) -> None:
        """End the turn by a press; the vampire may strike or eat first."""
        public = self.game.state.public
        seat = GAME.to_move(public)
        if seat is None or self.rng.random() < 0.02:
            self._begin()
            return
        if GAME.secret_seat(public) is not None:
            legal = GAME.legal_actions(View(seat, public, self.game.state.private[seat]))
            strikes = [action for action in legal if isinstance(action, Attack | Heal)]
            if strikes:
                self.game.play(self.rng.choice(strikes))
        if GAME.to_move(self.game.state.public) is not None:
            self.game.play(END)
        self.reader.game_changed()
        if GAME.outcome(self.game.state.public) is not None:
            self._begin()


def main() -> None:
    """Read the frames and print the counts."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.sensors.no_false_disclosure", description=__doc__
    )
    parser.add_argument("--frames", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    noise = Noise(args.seed)
    noise.run(args.frames)
    states = " ".join(f"{state}={count}" for state, count in sorted(noise.states.items()))
    print(f"frames={noise.frames} walks={noise.walks} {states}")
    print(f"disclosures={noise.disclosures}")
    raise SystemExit(noise.disclosures > 0 or (noise.walks == 0 and args.frames >= 1000))


if __name__ == "__main__":
    main()
