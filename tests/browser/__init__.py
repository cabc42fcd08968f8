"""Whole evenings in a real browser: a table that is really served, a virtual board, phones and a
display.
"""
