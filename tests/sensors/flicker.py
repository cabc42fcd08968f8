"""Simulate a flickering contact for a day: `python -m tests.sensors.flicker --hours 24`.

A presence board with one loose contact, its host and the reader play a game in simulated time.
Pawns walk on cells with sound contacts; the reader must read each walk and record nothing else.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from random import Random

from companion.core.game import Action, Seat
from companion.core.placement import Cell
from companion.games.vampireradar.actions import END, Walk
from companion.sensors.link import Link
from companion.sensors.observation import Observation
from companion.sensors.reader import BoardReader
from companion.sensors.serial.session import Session
from companion.sensors.tags.registry import TagRegistry
from companion.sim.table_model import World
from companion.sim.virtual_board import VirtualBoard
from tests.helpers.simulated_clock import SimulatedClock
from tests.sensors.fakes import GAME, record

CELLS = tuple(Cell(f"{column}{row}") for row in range(1, 7) for column in "ABCDEF")
STEP = 0.05
BEGIN = 20.0
"""Seconds without a hand's move, until the flickering contact is detected."""


@dataclass
class Report:
    """Counts of walks that were read or missed, other actions, and disclosed events."""

    hours: float
    walks: int = 0
    unread: int = 0
    made_up: int = 0
    disclosures: int = 0
    set_aside: float = 0.0

    @property
    def good(self) -> bool:
        """Whether every walk was read and nothing else."""
        return self.walks > 0 and not (self.unread or self.made_up or self.disclosures)

    def __str__(self) -> str:
        return (
            f"hours={self.hours:g} walks={self.walks} unread={self.unread} made_up={self.made_up} "
            f"disclosures={self.disclosures} set_aside={self.set_aside:.2%}"
        )


class LooseContact:
    """A board with a loose contact at one cell, its table, and a simulated player."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)
        self.cell = self.rng.choice(CELLS)
        self.game = record(self._start())
        self.world = World()
        for cell, pawns in self.game.placement.pawns.items():
            for pawn in pawns:
                self.world.put(pawn, cell)
        self.board = VirtualBoard("presence", self.world)
        self.board.faults.rng = Random(seed)
        self.board.faults.flicker = {self.cell}
        self.clock = SimulatedClock()
        self.reader = BoardReader(lambda: self.game.view(), self._submit, self.clock)
        self.host = Session("serial", TagRegistry())
        self.unknown_count = self.observation_count = 0
        self._to_board = self.host.port_opened("/dev/ttyACM0", 0.0)
        self._expected: Walk | None = None
        self._made_up: list[Action] = []
        self._disclosed = 0

    def play(self, hours: float) -> Report:
        """Simulate `hours` hours of play."""
        report = Report(hours)
        self._run(BEGIN)
        self.unknown_count = self.observation_count = 0
        while self.clock.monotonic() < 3600 * hours:
            if GAME.to_move(self.game.state.public) is None:
                self._restart_game()
            self._walk(report)
            self._run(self.rng.uniform(1.0, 60.0))
        report.made_up, report.disclosures = len(self._made_up), self._disclosed
        report.set_aside = self.unknown_count / max(1, self.observation_count)
        return report

    def _restart_game(self) -> None:
        """Start another game with the pawns where they stand after a game ended."""
        standing = {
            str(pawn): str(cell)
            for cell, pawns in self.game.placement.pawns.items()
            for pawn in pawns
        }
        self.game = record(standing)
        self.reader.game_changed()

    def _start(self) -> dict[str, str]:
        """Return start cells, each with one pawn; in half of the games the loose contact's is one
        of them.
        """
        others = self.rng.sample([cell for cell in CELLS if cell != self.cell], 8)
        under = [self.cell] if self.rng.random() < 0.5 else []
        return dict(
            zip(
                (f"H{human}{letter}" for human in "12" for letter in "abcd"),
                [*under, *others],
                strict=False,
            )
        )

    def _submit(self, seat: Seat, actions: list[Action]) -> None:
        count = len(self.game.public_events)
        self.game.submit(seat, actions)
        self._disclosed += sum(type(event).discloses for event in self.game.public_events[count:])
        if actions == [self._expected]:
            self._expected = None
        else:
            self._made_up += actions

    def _walk(self, report: Report) -> None:
        """Lift a pawn for a moment and walk it; if none may walk, end the turn."""
        actions = GAME.physical_actions(self.game.present)
        walks = [action for action in actions if isinstance(action, Walk) and self._may(action)]
        if not walks:
            self._end_turn()
            return
        walk = self.rng.choice(walks)
        assert walk.pawn is not None
        report.walks += 1
        self._expected = walk
        self.world.put(walk.pawn, None)
        self._run(self.rng.uniform(0.2, 1.5))
        self.world.put(walk.pawn, walk.to)
        self._run(4.0)
        if self._expected is not None:
            report.unread += 1
            self._expected = None
            self.game.play(walk)
            self.reader.game_changed()

    def _may(self, walk: Walk) -> bool:
        """Return whether a walk is between cells of sound contacts and onto an empty one."""
        standing = self.game.placement.pawns
        return (
            walk.to != self.cell
            and walk.to not in standing
            and walk.pawn not in standing.get(self.cell, ())
        )

    def _end_turn(self) -> None:
        """End the turn by a press; the vampire does nothing at night."""
        self.game.play(END)
        self.reader.game_changed()

    def _run(self, seconds: float) -> None:
        for _ in range(round(seconds / STEP)):
            self.clock.advance(STEP)
            now = self.clock.monotonic()
            self._to_board = self.host.advance(now, self.board.step(now, self._to_board))
            for item in self.host.events():
                match item:
                    case Observation():
                        self.observation_count += 1
                        self.unknown_count += self.cell in item.unknown
                        self.reader.observe(item)
                    case Link():
                        self.reader.link_changed(item)


def main() -> int:
    """Run the command; exit with 1 if a walk was missed or something else was read."""
    parser = argparse.ArgumentParser(prog="python -m tests.sensors.flicker", description=__doc__)
    parser.add_argument("--hours", type=float, default=24.0)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    report = LooseContact(args.seed).play(args.hours)
    print(report)
    return 0 if report.good else 1


if __name__ == "__main__":
    raise SystemExit(main())
