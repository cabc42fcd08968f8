"""Each game at a table, by taps and pawns."""
