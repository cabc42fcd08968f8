"""The seed of the next shuffle: sealed in the lobby, added to by phones, drawn from when the game
begins.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from random import Random

from companion.core.game import Game
from companion.table.entries import Item, Seeded
from companion.table.errors import Refused
from companion.table.events import ShareGiven, ShuffleSealed
from companion.table.fairness.lazy_random import LazyRandom
from companion.table.fairness.shuffle import DEAL_DRAW, SHARE_HEX, Shuffle, seed_line
from companion.table.journal import Journal, table_events


class SeedCommitment:
    """The lobby's part of a fair shuffle.

    Callers hold the desk's lock; `entropy` is the cryptographic one.
    """

    def __init__(self, desk: Journal, entropy: Callable[[int], bytes]) -> None:
        self._desk = desk
        self._course = desk.course
        self._entropy = entropy

    def seal(self) -> None:
        """Seal a seed where the proposed game deals and none is sealed; where the disk takes
        nothing, at the next occasion. A seed that nothing was drawn from stays: who could draw
        seeds anew could wait for one he likes.
        """
        course = self._course
        if course.game is None and not course.seed and course.games[course.proposal.game].dealt:
            with suppress(Refused):
                self._desk.commit([self._sealed()])

    def give(self, key_hex: str, sealed: str, share: str) -> None:
        """Take what the phone `key_hex` adds (hex) to the seed with this seal: its first share
        alone, so that nobody can exchange it. Raises `Refused`: "no_seed" for another seal or none,
        "share_given".
        """
        course = self._course
        if not SHARE_HEX.fullmatch(share) or course.game is not None or sealed != course.seed_seal:
            raise Refused("no_seed")
        if course.shares.get(key_hex, share) != share:
            raise Refused("share_given")
        if key_hex not in course.shares:
            self._desk.commit(table_events(ShareGiven(key_hex, share)))

    def begin(self, game: Game) -> tuple[list[Item], Random]:
        """Return what is told of the shuffle of a game that deals, and what it is dealt from."""
        course = self._course
        fresh = None if course.seed else self._sealed()
        seeded = fresh or Seeded(course.seed)
        keys = {
            seat: person.key for seat in course.seat_names() if (person := course.people.get(seat))
        }
        shares = {seat: course.shares[key] for seat, key in keys.items() if key in course.shares}
        given = tuple(name for name in game.dealt if course.proposal.setup.get(name) is not None)
        shuffle = Shuffle.of(seeded.line, shares)
        told = table_events(ShuffleSealed(seeded.seal, shares, given))
        return [*([fresh] if fresh else []), *told], LazyRandom(partial(shuffle.draw, DEAL_DRAW))

    def _sealed(self) -> Seeded:
        return Seeded(seed_line(self._entropy(32)))
