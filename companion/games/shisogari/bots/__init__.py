"""Players of Shisogari that are programs; each knows its own hand and what everybody hears."""

from companion.games.shisogari.bots.bot import LEVELS, choose_action

__all__ = ["LEVELS", "choose_action"]
