"""Serve one page that shows every table of the club (`/wall`)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from threading import BoundedSemaphore, Event, Thread
from typing import Any

from flask import Flask, Response, redirect
from waitress.adjustments import Adjustments  # type: ignore[import-untyped]
from waitress.task import ThreadedTaskDispatcher  # type: ignore[import-untyped]

from companion.config import Broker
from companion.i18n import web_root
from companion.mqtt.client import MqttClient
from companion.mqtt.directory import TableDirectory
from companion.server.assets import PUBLIC, Assets
from companion.server.http.addresses import OwnNames
from companion.server.http.security import add_security_headers, audience, collect_audiences
from companion.server.http.server import listen_on
from companion.server.http.timeouts import TimeoutServer
from companion.server.routes.pages import add_page

MAX_PAGES = 32
"""Pages that may be open at the same time; each needs a thread."""
DASHBOARD_THREADS = MAX_PAGES + 16
BROKER_POLL = 0.1
BATCH_SECONDS = 0.2
"""Seconds for which changes are collected into one event for a page."""
PING_SECONDS = 15.0


class Dashboard:
    """A server of one page with the club's tables, at `host` and `port` (0: a free one).

    `start` connects to the broker, `run` serves browsers until the process has to end, `close` ends
    both.
    """

    def __init__(
        self,
        broker: Broker,
        topic: str,
        monotonic: Callable[[], float],
        host: str,
        port: int,
        name: str,
        hosts: tuple[str, ...] = (),
    ) -> None:
        self.directory = TableDirectory(topic, monotonic)
        self._stopping = Event()
        topics = [f"{topic}/+/availability", f"{topic}/+/state"]
        self._line = MqttClient(
            broker,
            name,
            monotonic,
            topics=topics,
            on_connect=lambda: self.directory.set_connected(True),
            on_message=self.directory.receive,
        )
        self._listener = Thread(target=self._listen, name="wall", daemon=True)
        self.app = dashboard_app(self.directory, hosts)
        socket = listen_on(host, port)
        workers = ThreadedTaskDispatcher()
        workers.set_thread_count(DASHBOARD_THREADS)
        self._server = TimeoutServer(
            self.app,
            {},
            True,
            socket,
            dispatcher=workers,
            adj=Adjustments(
                sockets=[socket], threads=DASHBOARD_THREADS, asyncore_use_poll=True, ident=None
            ),
            bind_socket=False,
            sockinfo=(socket.family, socket.type, socket.proto, socket.getsockname()),
            monotonic=monotonic,
        )

    @property
    def port(self) -> int:
        """The port for browsers."""
        return int(self._server.effective_port)

    def start(self) -> None:
        """Connect to the broker, on a thread."""
        self._listener.start()

    def run(self) -> None:
        """Serve browsers until the process has to end."""
        self._server.run()

    def end_pages(self) -> None:
        """End the open pages' event streams, so that the server can end."""
        self.directory.close()

    def close(self) -> None:
        """Close pages, broker connection and server."""
        self.end_pages()
        self._stopping.set()
        if self._listener.is_alive():
            self._listener.join()
        self._line.close()
        self._server.close()

    def _listen(self) -> None:
        while not self._stopping.is_set():
            self._line.step(BROKER_POLL)
            self.directory.set_connected(self._line.connected)
            self.directory.mark_lost()


def dashboard_app(directory: TableDirectory, hosts: tuple[str, ...] = ()) -> Flask:
    """Return the application that shows a directory's tables."""
    root = web_root()
    app = Flask("companion.mqtt", static_folder=None, template_folder=str(root / "templates"))
    add_security_headers(app, OwnNames(hosts))
    static = Assets(root, *PUBLIC)
    slots = BoundedSemaphore(MAX_PAGES)

    @app.get("/")
    @audience("everybody")
    def front() -> Any:
        return redirect("/wall")

    @app.get("/static/<path:name>")
    @audience("everybody")
    def static_file(name: str) -> Response:
        return static.answer(name)

    @app.get("/tables")
    @audience("everybody")
    def tables() -> Response:
        if not slots.acquire(blocking=False):
            return Response(status=503, headers={"Retry-After": "5"})
        response = Response(
            directory_events(directory),
            mimetype="text/event-stream",
            headers={"X-Accel-Buffering": "no"},
        )
        response.call_on_close(slots.release)
        return response

    add_page(app, static, "wall")
    collect_audiences(app)
    return app


def directory_events(directory: TableDirectory) -> Iterator[bytes]:
    """Yield server-sent events {"up", "all", "cards"}: first everything, then batched changes."""
    pause, revision = Event(), 0
    yield b"retry: 1000\n\n"
    while not directory.closed:
        update = directory.since(revision, PING_SECONDS)
        if update is None:
            yield b": ping\n\n"
            continue
        fresh = {"up": update.up, "all": revision == 0, "cards": update.cards}
        yield b"data: %b\n\n" % json.dumps(fresh, ensure_ascii=False).encode()
        revision = update.revision
        pause.wait(BATCH_SECONDS)
