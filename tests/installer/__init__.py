"""A machine as the table's own: the package, what it lays, and that nothing is left of it."""
