"""The table's display, its board and its bots."""
