"""Content files: what a rulebook leaves to its box, read, checked and named by file, line and
field.
"""
