"""The virtual board: both sensor boards without hardware, a switch for every fault, and a page to
play on.
"""
