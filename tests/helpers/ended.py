"""End a server at once."""

from __future__ import annotations

from threading import Thread

from companion.server.http.server import Server


def end_server(server: Server, thread: Thread, seconds: float) -> None:
    """Close a server in its own loop, which else looks once a second for something to do."""
    server.trigger.pull_trigger(server.close)
    thread.join(seconds)
