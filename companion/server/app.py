"""Create the application: one table's pages, its public stream and its private channel."""

from __future__ import annotations

from collections.abc import Callable

from flask import Flask

from companion.clock import Clock
from companion.i18n import web_root
from companion.sensors.maintenance import BoardMaintenance
from companion.sensors.reader import BoardReader
from companion.sensors.tags.registry import TagRegistry
from companion.sensors.vision.frames.phone_source import PhoneSource
from companion.server.context import (
    BoardStore,
    BuildReplay,
    HintSource,
    ServerContext,
    ServerSettings,
)
from companion.server.http.errors import add_error_handlers
from companion.server.http.security import CSP, CSP_OF_DEMO, add_security_headers, collect_audiences
from companion.server.http.server import MAX_BODY_BYTES
from companion.server.routes.files import KITS_KEY, PrintKitPdf, PrintKits, files
from companion.server.routes.pages import add_demo, add_pages, template_loader
from companion.server.routes.public import public
from companion.server.routes.uploads import uploads
from companion.server.rpc.private import private
from companion.table.table import Table

__all__ = ["ServerSettings", "create_app"]


def create_app(
    table: Table,
    reader: BoardReader,
    settings: ServerSettings,
    entropy: Callable[[int], bytes],
    clock: Clock,
    print_kit: PrintKitPdf,
    build_replay: BuildReplay,
    hints: HintSource,
    boards: BoardStore,
    maintenance: BoardMaintenance | None = None,
    frames: PhoneSource | None = None,
) -> Flask:
    """Return the application.

    entropy: the cryptographic one
    print_kit: prints a kit
    build_replay: returns the replay of a finished game
    hints: returns the odds and the suggestion of a running one
    maintenance: registers tags and chooses boards
    boards: stores typed boards
    frames: receives the pictures of a camera phone
    Writes a display's one-time code to the data folder. Raises `KeysUnreadable`, and
    `AudienceMissing` for a route without an audience.
    """
    root = web_root()
    app = Flask("companion.server", static_folder=None)
    app.jinja_loader = template_loader(root)
    app.config["MAX_CONTENT_LENGTH"] = MAX_BODY_BYTES
    app.config["PROPAGATE_EXCEPTIONS"] = False
    # An address with a doubled slash is unknown; do not redirect it.
    app.url_map.merge_slashes = False
    context = ServerContext(
        table,
        reader,
        settings,
        entropy,
        clock,
        maintenance or BoardMaintenance(TagRegistry()),
        build_replay,
        hints,
        boards,
        frames or PhoneSource(clock.monotonic, lambda: None),
    )
    app.extensions["companion"] = context
    add_security_headers(app, settings.names, CSP_OF_DEMO if settings.demo else CSP)
    add_error_handlers(app, entropy, root, settings.addresses)
    static = add_pages(app, root)
    app.extensions[KITS_KEY] = PrintKits(print_kit)
    for blueprint in (public, private, uploads, files):
        app.register_blueprint(blueprint)
    if settings.demo:
        add_demo(app, static, settings.demo)
    collect_audiences(app)
    return app
