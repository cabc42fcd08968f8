"""`companion flash`: the Nano's shipped firmware, and how to write it.

`presence.hex` is built by `make firmware`; a test builds it again and compares.
"""
