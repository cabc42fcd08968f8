"""Serve people's screens: pages, the public stream, and the private channel of each seat."""
