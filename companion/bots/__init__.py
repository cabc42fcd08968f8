"""Players that are programs.

A human bot is given the public stream and nothing else; the vampire bot its own view.
"""
