"""Vampire Empire: three of nine at court are vampires, and only one of the two players knows which;
2 players.
"""

from companion.games.vampire_empire.rules import VampireEmpire

__all__ = ["VampireEmpire"]
