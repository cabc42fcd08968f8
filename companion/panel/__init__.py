"""The panel on the table: a button, a lamp and a piezo, driven by public data only."""
