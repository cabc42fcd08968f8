"""Values and pure functions that every game and table uses: no clock, no I/O, no threads."""
