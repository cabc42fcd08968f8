"""Vampire Radar (3rd edition, 2015): one hidden vampire, humans with radars and guns, 2 to 4
players.
"""

from companion.games.vampireradar.rules import VampireRadar

__all__ = ["VampireRadar"]
