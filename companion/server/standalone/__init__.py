"""Pages that are one file and open without a table."""
