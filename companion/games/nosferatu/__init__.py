"""Nosferatu (Chris Huntoon, 2001): vampires against villagers on a hexagon, nothing hidden, 2
players.
"""

from companion.games.nosferatu.rules import Nosferatu

__all__ = ["Nosferatu"]
