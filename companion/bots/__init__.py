"""Players that are programs.

A human bot gets only the public stream; the vampire bot its own view.
"""
