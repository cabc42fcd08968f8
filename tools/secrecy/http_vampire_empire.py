"""The twin run of Vampire Empire over real sockets: identities, tokens, hands, decks and cards laid
face down.
"""

from __future__ import annotations

import random

from companion.games.vampire_empire import deal
from tools.secrecy.http import Probes, wrong_codes
from tools.secrecy.http_cards import NO_SHARE, CardPair, CardSide
from tools.secrecy.paired_vampire_empire import GAME, twins


class VampireEmpireSide(CardSide):
    """One side's server; both seats have phones."""

    game_name = GAME.name
    dealing = deal
    first = "vampire"
    probes: Probes = (
        ("hello", {}), ("blank", {}), ("reveal", {}), ("next_game", {}), ("start", {}),
        ("surrender", {}),
        ("nonsense", {}), NO_SHARE, ("preview", {"actions": []}), ("preview",
        {"actions": [{"type": "draw"}]}), ("free", {"seat": "human"}), ("preview",
        {"actions": [{"type": "proceed"}]}), ("submit", {"actions": [{"type": "lay",
        "card": "x"}]}), ("preview", {"actions": [{"type": "fight", "attacker": "lady",
        "target": "monk"}]}), ("submit", {"actions": [{"type": "holy_water",
        "character": "nobody"}]}), ("submit", {"actions": [{"type": "discard", "card": "x",
        "pile": "moat"}]}), ("claim", {"seat": "vampire", "code": "BCDF", "pin": "1111"}), ("aim",
        {"actions": [{"type": "pass"}]}), ("preview", {"actions": [{"type": "decline"}]}),
        ("submit", {"actions": [{"type": "decline", "rest_of_turn": 1}]}), *wrong_codes("vampire",
        "human"),
    )  # fmt: skip


def make_pair(
    seed: int, players: int, turns: int, whole_every: int, game: str = GAME.name
) -> CardPair:
    """Return pair `seed` of about `turns` turns; every `whole_every` is longer and thorough."""
    draw = random.Random(f"{game} {seed} {players}")
    return CardPair(
        seed, twins(draw, players, draw.randrange(2 * turns, 6 * turns)), seed % whole_every == 1
    )
