"""Shisogari: a hidden Vampire bites hunters who pass cards without a word, 4 or 5 players, roles
that change.
"""

from companion.games.shisogari.rules import Shisogari

__all__ = ["Shisogari"]
