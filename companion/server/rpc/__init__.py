"""Encrypted requests of phones and the display, and their handlers."""
