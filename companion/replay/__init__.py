"""A finished game, moment by moment: the truth, what could be known then, and statistics."""
