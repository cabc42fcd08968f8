"""Simulated sensor boards with a switch for every fault, and a page to play on."""
