"""Players of V-Wars that are programs; each knows its own faction and hand and what everybody
sees.
"""

from companion.games.vwars.bots.bot import LEVELS, choose_action, choose_role

__all__ = ["LEVELS", "choose_action", "choose_role"]
