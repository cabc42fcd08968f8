"""Manhunt: one hidden fugitive against 1 to 5 hunters; a file has the map and the rule card."""

from companion.games.manhunt.rules import Manhunt

__all__ = ["Manhunt"]
