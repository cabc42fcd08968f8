"""Manhunt: one hidden fugitive against 1 to 5 hunters on a map and by a rule card from a file."""
