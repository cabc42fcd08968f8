"""`companion flash`: the firmware that is shipped, and how it gets onto a board.

`presence.hex` and `identity.hex` are what `make firmware` builds; a test builds them again and
compares.
"""
