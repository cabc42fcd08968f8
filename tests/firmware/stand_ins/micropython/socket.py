"""Imported, and unused without Wi-Fi."""
