"""Checks of the machine that a table runs on."""
