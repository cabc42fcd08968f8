"""The checks by subject."""
