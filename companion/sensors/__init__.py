"""Sensors: from things on the table to game actions.

`serial`, `rfid` and `vision` turn bytes, tags and pictures into `Observation`s. `BoardReader` waits
until an observation rests (`debounce`), compares it with the game (`reconcile`), and submits the
one sequence of actions that explains it, asks, or shows how to put the table right.
"""
