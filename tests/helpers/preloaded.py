"""Modules and files for every server of a test run: the process that forks them imports this, once.

Imports, and reading and packing the pages' files, are most of the work of a server's start.
"""

from importlib import import_module

from companion.i18n import web_root
from companion.server.assets import PUBLIC, Assets
from tests.helpers.assets import share_assets

for name in ("dashboard", "demo", "serve"):
    import_module(f"companion.cli.{name}")
share_assets()
Assets(web_root(), *PUBLIC)
