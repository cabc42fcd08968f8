"""Count disclosures by sensor noise without a press.

`python -m tests.sensors.no_false_disclosure --frames N`. Frames of every kind of noise (random
cells, flicker, slides and bounces over radars, bumps, swapped pawns) and of honest walks are read,
in human turns, in nights and across them. The last line is `disclosures=N`.
"""

from __future__ import annotations

import argparse
from collections import Counter
from random import Random

from companion.clock import SimulatedClock
from companion.core.game import Action, PublicEvent, Seat, View
from companion.core.placement import Cell, Placement
from companion.games.vampireradar.actions import END, Attack, Heal, Walk
from companion.sensors.link import Link
from companion.sensors.observation import Observation
from companion.sensors.reader import BoardReader
from tests.sensors.fakes import GAME, by_name, by_presence, fresh, moved

CELLS = tuple(Cell(f"{column}{row}") for row in range(1, 7) for column in "ABCDEF")
STEP = 0.4
"""Seconds between two frames: an unchanged table rests after three of them."""


class Noise:
    """A table under a faulty board. `disclosures`: the reader's events and actions that
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
        self.game = fresh(self.rng.randint(2, 4), self.rng.randrange(2**32))
        self.named = self.rng.random() < 0.5
        self.reader = BoardReader(self.game.view, self._submit, self.clock)
        self._link()
        self._show(self.game.placement, 4)

    def _link(self) -> None:
        self._life += 1
        self.reader.linked(Link("up", generation=self._life))

    def _submit(self, seat: Seat, actions: list[Action]) -> None:
        told = len(self.game.told)
        self.game.submit(seat, actions)
        self.walks += 1
        events: list[PublicEvent] = self.game.told[told:]
        self.disclosures += sum(type(action).discloses for action in actions)
        self.disclosures += sum(type(event).discloses for event in events)

    def _frame(self, observation: Observation) -> None:
        self.frames += 1
        self.clock.advance(STEP)
        self.reader.observe(observation)
        self.states[self.reader.status()["state"]] += 1

    def _show(self, table: Placement, times: int = 1) -> None:
        see = by_name if self.named else by_presence
        for _ in range(times):
            self._frame(see(table, self.clock.monotonic() + STEP))

    def _random(self) -> None:
        """Set pawns on any cells, for a moment or at rest."""
        cells = self.rng.sample(CELLS, self.rng.randint(0, 36))
        names = self.rng.choices(tuple(self.game.state.public.start), k=len(cells))
        seen = Placement({cell: frozenset({name}) for cell, name in zip(cells, names, strict=True)})
        self._show(seen, self.rng.randint(1, 4))

    def _flicker(self) -> None:
        """Let one pawn flicker where it stands, or on a radar."""
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
        """Make an honest walk, of one pawn or of several, to be matched."""
        view, table = self.game.present, self.game.placement
        self._show(table, 4)
        for _ in range(self.rng.randint(1, 3)):
            walks = [action for action in GAME.physical_actions(view) if isinstance(action, Walk)]
            if walks:
                step = self.rng.choice(walks)
                view = GAME.preview_public(view, step)
                table = moved(table, {str(step.pawn): step.to})
                self._show(table, self.rng.choice((1, 4)))
        self._show(table, 4)

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
            own = GAME.legal_actions(View(seat, public, self.game.state.private[seat]))
            strikes = [action for action in own if isinstance(action, Attack | Heal)]
            if strikes:
                self.game.play(self.rng.choice(strikes))
        if GAME.to_move(self.game.state.public) is not None:
            self.game.play(END)
        self.reader.record_changed()
        if GAME.outcome(self.game.state.public) is not None:
            self._begin()


def main() -> None:
    """Read the frames and print what came of them."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.sensors.no_false_disclosure", description=__doc__
    )
    parser.add_argument("--frames", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    noise = Noise(chosen.seed)
    noise.run(chosen.frames)
    states = " ".join(f"{state}={count}" for state, count in sorted(noise.states.items()))
    print(f"frames={noise.frames} walks={noise.walks} {states}")
    print(f"disclosures={noise.disclosures}")
    raise SystemExit(noise.disclosures > 0 or (noise.walks == 0 and chosen.frames >= 1000))


if __name__ == "__main__":
    main()
