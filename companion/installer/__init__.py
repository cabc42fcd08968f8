"""A Raspberry Pi as the table's own machine: what is laid on it, and how all of it is taken away
again.
"""
