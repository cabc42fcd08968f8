"""Phones that join, sleep, return and keep their secrets."""
