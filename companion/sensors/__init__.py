"""Sensors: turn readings of the table into game actions.

`serial`, `rfid` and `vision` turn bytes, tags and pictures into `Observation`s. `BoardReader` waits
until an observation rests (`debounce`), compares it with the game (`reconcile`), and submits the
one sequence of actions that explains it, asks people, or shows them how to correct the table.
"""
