"""The whole table at once."""
