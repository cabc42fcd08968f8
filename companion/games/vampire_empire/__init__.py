"""Vampire Empire: three of nine characters are vampires, known to one of two players."""

from companion.games.vampire_empire.rules import VampireEmpire

__all__ = ["VampireEmpire"]
