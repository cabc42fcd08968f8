"""Shisogari: a hidden Vampire bites hunters who pass cards in silence, 4 or 5 players, changing
roles.
"""

from companion.games.shisogari.rules import Shisogari

__all__ = ["Shisogari"]
