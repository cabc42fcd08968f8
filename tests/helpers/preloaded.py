"""Modules for every server of a test run: the process that forks them imports this, once.

Imports are most of the work of a server's start.
"""

from importlib import import_module

for name in ("dashboard", "demo", "serve"):
    import_module(f"companion.cli.{name}")
