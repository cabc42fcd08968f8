"""A map of twelve places for tests, and ways to change it."""

from __future__ import annotations

import tomllib
from typing import Any

import msgspec

from companion.games.manhunt.map_file import MapFile

SMALL = """\
format = 1
game = "manhunt"
title = "Twelve places"
language = "en"
sample = false

[size]
width = 400
height = 300

[[places]]
number = 1
name = "Pump"
x = 50
y = 50
starts = ["hunter"]

[[places]]
number = 2
name = "Mill"
x = 150
y = 50

[[places]]
number = 3
name = "Bakery"
x = 250
y = 50
starts = ["hunter"]

[[places]]
number = 4
name = "Tower"
x = 350
y = 50
target = true

[[places]]
number = 5
name = "Forge"
x = 50
y = 150

[[places]]
number = 6
name = "Market"
x = 150
y = 150

[[places]]
number = 7
name = "Well"
x = 250
y = 150

[[places]]
number = 8
name = "Stables"
x = 350
y = 150
starts = ["hunter"]

[[places]]
number = 9
name = "Orchard"
x = 50
y = 250
starts = ["fugitive"]

[[places]]
number = 10
name = "Tannery"
x = 150
y = 250
starts = ["fugitive"]

[[places]]
number = 11
name = "Cellar"
x = 250
y = 250
starts = ["fugitive"]
target = true

[[places]]
number = 12
name = "Gate"
x = 350
y = 250
hideout = true

[[ways]]
between = [1, 2]

[[ways]]
between = [2, 3]

[[ways]]
between = [3, 4]

[[ways]]
between = [5, 6]

[[ways]]
between = [6, 7]

[[ways]]
between = [7, 8]

[[ways]]
between = [9, 10]

[[ways]]
between = [10, 11]

[[ways]]
between = [11, 12]

[[ways]]
between = [1, 5]

[[ways]]
between = [5, 9]

[[ways]]
between = [2, 6]

[[ways]]
between = [3, 7]

[[ways]]
between = [4, 8]

[[ways]]
between = [8, 12]

[[ways]]
between = [1, 6]
kind = "tram"

[[ways]]
between = [6, 11]
kind = "tram"

[[ways]]
between = [6, 4]
kind = "tram"

[[ways]]
from = 7
to = 11
kind = "street"

[[ways]]
between = [10, 7]
kind = "tunnel"
fugitive_only = true

[rules]
hunters = 2
rounds = 8
shows = [3, 6]
announce = "kind"
questions = ["was_here", "is_here", "within", "which_of"]
double_moves = 1
unseen_moves = 1

[rules.tickets.hunter]
tram = 3

[rules.tickets.fugitive]
street = 6
tram = 3
"""


def small(**rules: Any) -> MapFile:
    """Return the small map with other rules."""
    values = tomllib.loads(SMALL)
    values["rules"] |= rules
    if rules.get("announce", "kind") != "kind":
        values["rules"]["tickets"].pop("fugitive")
    return msgspec.convert(values, MapFile)
