"""The print kit: everything to print for a table, as one PDF in true millimetres."""
