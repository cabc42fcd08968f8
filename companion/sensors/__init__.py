"""Sensors: turn readings of the table into game actions.

`serial` and `vision` turn lines and pictures into `Observation`s; `tags` says which tag is under
which piece. `BoardReader` waits until an observation rests (`debounce`), compares it with the game
(`reconcile`), and submits the one sequence of actions that explains it, asks people, or shows them
how to correct the table.
"""
