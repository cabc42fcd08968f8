"""Bots against bots: single games from a seed, many of them on all cores or a cluster, and what
came of them.
"""
