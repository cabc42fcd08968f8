"""V-Wars: humans and a secret vampire side fight over cities with cards, riots and laws, 3 to 5
players.
"""

from companion.games.vwars.rules import VWars

__all__ = ["VWars"]
