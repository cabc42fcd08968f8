"""Run one table: submissions, the log, publication, undo and proof."""
