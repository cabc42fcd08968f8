"""Commit to the seed of the next shuffle, and take the phones' shares."""

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
from companion.table.journal import Journal, JournalPart, locked, table_event_items


class SeedCommitment(JournalPart):
    """The seed of the next game's fair shuffle. `entropy` is cryptographic."""

    def __init__(self, journal: Journal, entropy: Callable[[int], bytes]) -> None:
        super().__init__(journal)
        self._entropy = entropy

    def seal(self) -> None:
        """Commit to a seed if the proposed game deals and there is none.

        If the disk refuses the write, a later change tries again. An unused seed is kept: otherwise
        the table could draw seeds until it gets one that it prefers.
        """
        state = self.state
        if state.run.game is None and not state.seed and state.proposed_game.random_fields:
            with suppress(Refused):
                self.journal.commit([self._sealed()])

    @locked
    def give_share(self, key_hex: str, sealed: str, share: str) -> None:
        """Add 16 bytes (hex) of the phone `key_hex` to this seal's seed, once, before the game.

        A second share of the same phone is refused, so that nobody can exchange it. Raises
        `Refused`: "no_seed" for another seal or none, "share_given".
        """
        state = self.state
        if (
            not SHARE_HEX.fullmatch(share)
            or state.run.game is not None
            or sealed != state.seed_seal
        ):
            raise Refused("no_seed")
        if state.shares.get(key_hex, share) != share:
            raise Refused("share_given")
        if key_hex not in state.shares:
            self.commit_events(ShareGiven(key_hex, share))

    def begin(self, game: Game) -> tuple[list[Item], Random]:
        """Return the shuffle's log items and the generator to deal from."""
        state = self.state
        fresh = None if state.seed else self._sealed()
        seeded = fresh or Seeded(state.seed)
        keys = {
            seat: person.key for seat in state.seat_names() if (person := state.people.get(seat))
        }
        shares = {seat: state.shares[key] for seat, key in keys.items() if key in state.shares}
        custom_setup = tuple(
            name for name in game.random_fields if state.proposal.setup.get(name) is not None
        )
        shuffle = Shuffle.from_shares(seeded.line, shares)
        announced = table_event_items(ShuffleSealed(seeded.seal, shares, custom_setup))
        return [*([fresh] if fresh else []), *announced], LazyRandom(
            partial(shuffle.draw, DEAL_DRAW)
        )

    def _sealed(self) -> Seeded:
        return Seeded(seed_line(self._entropy(32)))
