"""The print kit: everything that a table needs on paper, as one PDF in true millimetres."""
