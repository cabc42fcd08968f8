"""A finished game, moment by moment: the truth, the odds by public events, and statistics."""
