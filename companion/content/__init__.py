"""Content files: read and check data of a game's box, with errors by file, line and field."""
