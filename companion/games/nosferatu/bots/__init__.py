"""Bots for Nosferatu: an engine of its own on bit masks, and three levels that search with it."""

from companion.games.nosferatu.bots.levels import LEVELS, choose_turn

__all__ = ["LEVELS", "choose_turn"]
