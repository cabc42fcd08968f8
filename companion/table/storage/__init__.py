"""The event log on SQLite: schema, recovery, copies, backup."""
