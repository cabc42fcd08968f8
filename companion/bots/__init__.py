"""Players that are programs: a human bot gets the public stream, the vampire bot its own view."""
