"""`companion flash`: the shipped firmware, and how to write it to a board.

`presence.hex` and `identity.hex` are built by `make firmware`; a test builds them again and
compares.
"""
