"""Players of Vampire Empire that are programs: each sees one seat's view and what everybody was
told.
"""

from companion.games.vampire_empire.bots.bot import LEVELS, choose_action

__all__ = ["LEVELS", "choose_action"]
