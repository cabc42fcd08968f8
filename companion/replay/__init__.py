"""A finished game told again: every moment with the truth beside what could have been known, and
what it came to.
"""
