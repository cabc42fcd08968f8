"""Manhunt: one hidden fugitive against 1 to 5 hunters on a map and by a rule card from a file."""

from companion.games.manhunt.rules import Manhunt

__all__ = ["Manhunt"]
