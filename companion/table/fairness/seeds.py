"""Commit to the seed of the next shuffle, and take the phones' shares of it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from random import Random

from companion.core.game import Game
from companion.table.entries import Item, Seeded
from companion.table.errors import Refused
from companion.table.events import ShareGiven, ShuffleSealed
from companion.table.fairness.shuffle import DEAL_DRAW, SHARE_HEX, LazyRandom, Shuffle, seed_line
from companion.table.journal import Journal, table_event_items


class SeedCommitment:
    """The lobby's part of a fair shuffle.

    Callers hold the journal's lock; `entropy` is the cryptographic one.
    """

    def __init__(self, journal: Journal, entropy: Callable[[int], bytes]) -> None:
        self._journal = journal
        self._state = journal.state
        self._entropy = entropy

    def seal(self) -> None:
        """Commit to a seed if the proposed game deals and there is none.

        If the disk takes nothing, a later change tries again. A seed that nothing was drawn from
        stays: otherwise the table could redraw until it gets a seed it likes.
        """
        table = self._state
        if (
            table.run.game is None
            and not table.seed
            and table.games[table.proposal.game].random_fields
        ):
            with suppress(Refused):
                self._journal.commit([self._sealed()])

    def give(self, key_hex: str, sealed: str, share: str) -> None:
        """Take what the phone `key_hex` adds (hex) to the seed with this seal: its first share
        alone, so that nobody can exchange it. Raises `Refused`: "no_seed" for another seal or none,
        "share_given".
        """
        table = self._state
        if (
            not SHARE_HEX.fullmatch(share)
            or table.run.game is not None
            or sealed != table.seed_seal
        ):
            raise Refused("no_seed")
        if table.shares.get(key_hex, share) != share:
            raise Refused("share_given")
        if key_hex not in table.shares:
            self._journal.commit(table_event_items(ShareGiven(key_hex, share)))

    def begin(self, game: Game) -> tuple[list[Item], Random]:
        """Return the shuffle's log items and the generator to deal from."""
        table = self._state
        fresh = None if table.seed else self._sealed()
        seeded = fresh or Seeded(table.seed)
        keys = {
            seat: person.key for seat in table.seat_names() if (person := table.people.get(seat))
        }
        shares = {seat: table.shares[key] for seat, key in keys.items() if key in table.shares}
        given = tuple(
            name for name in game.random_fields if table.proposal.setup.get(name) is not None
        )
        shuffle = Shuffle.of(seeded.line, shares)
        told = table_event_items(ShuffleSealed(seeded.seal, shares, given))
        return [*([fresh] if fresh else []), *told], LazyRandom(partial(shuffle.draw, DEAL_DRAW))

    def _sealed(self) -> Seeded:
        return Seeded(seed_line(self._entropy(32)))
