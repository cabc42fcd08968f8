"""Create the application: one table's pages, its public stream and its private channel."""

from __future__ import annotations

from flask import Flask

from companion.i18n import web_root
from companion.server.context import ServerContext, ServerSettings, Services
from companion.server.http.errors import add_error_handlers
from companion.server.http.security import CSP, CSP_OF_DEMO, add_security_headers, collect_audiences
from companion.server.http.server import MAX_BODY_BYTES
from companion.server.routes.files import files
from companion.server.routes.pages import add_demo, add_pages, template_loader
from companion.server.routes.public import public
from companion.server.routes.uploads import uploads
from companion.server.rpc.private import private

__all__ = ["ServerSettings", "Services", "create_app"]


def create_app(services: Services, settings: ServerSettings) -> Flask:
    """Return the application.

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
    app.extensions["companion"] = ServerContext(services, settings)
    add_security_headers(app, settings.names, CSP_OF_DEMO if settings.demo else CSP)
    add_error_handlers(app, services.entropy, root, settings.addresses)
    static = add_pages(app, root)
    for blueprint in (public, private, uploads, files):
        app.register_blueprint(blueprint)
    if settings.demo:
        add_demo(app, static, settings.demo)
    collect_audiences(app)
    return app
