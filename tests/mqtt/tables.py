"""Many tables: the updates of a real game, published by many publishers to a real broker."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random
from threading import Event, Thread

from companion.config import Broker, ClubSettings
from companion.core.game import Seat, StatusWords
from companion.games import find_game
from companion.i18n import Catalog
from companion.mqtt.client import MqttClient
from companion.mqtt.publisher import Publisher, PublisherLoop
from companion.mqtt.status import TableIdentity
from companion.table.broadcast import Broadcaster, Subscription, Update
from tests.server.client import GameTable, Json
from tests.table.play import entropy_of

NAMES = ("Ana", "Ben", "Cas", "Dee")


def game_table_of(folder: Path, game: str, players: int, seed: int, most: int = 60) -> list[Update]:
    """Play a random game, and return the updates that a display receives."""
    game_table, draw = GameTable(folder), Random(seed)
    try:
        table = game_table.table
        table.lobby.propose({"game": game, "players": players})
        for number, seat in enumerate(table.snapshot()["seats"]):
            table.seats.claim(Seat(seat["seat"]), NAMES[number % 4], entropy_of(number)(32).hex())
        subscription = table.journal.subscribe()
        table.start()
        updates: list[Update] = []
        while len(updates) < most and table.snapshot()["phase"] == "play":
            snapshot = table.snapshot()
            seat = snapshot["to_move"]
            if not snapshot["revealing"] and (
                turn := turn_of(snapshot, table.seat_snapshot(seat)["legal"], draw)
            ):
                table.submit(seat, table.decode(turn), id=str(len(updates)))
            game_table.clock.advance(60)  # type: ignore[attr-defined]
            while (update := subscription.get(0)) is not None:
                updates.append(update)
        return updates
    finally:
        game_table.close()


def turn_of(snapshot: Json, legal: list[Json], draw: Random) -> list[Json]:
    """Return a random turn of a seat: one open action, or a whole secret turn; nothing while it may
    not act.
    """
    if not snapshot["secret"]:
        return draw.sample(snapshot["legal"] or legal, min(1, len(snapshot["legal"] or legal)))
    last = [each for each in legal if each["type"] == "end"]
    first = draw.choice([each for each in legal if each not in last] or last)
    # Where standing still is no turn, the end is legal after the first step alone.
    return [first, *(last or [{"type": "end"}] * (first["type"] == "step"))]


def words_of(game: str) -> StatusWords:
    return find_game(game).status_words


class Tables:
    """`count` tables, each at another point of its evening; one thread does all their work."""

    def __init__(self, broker: Broker, game_tables: list[list[Update]], count: int) -> None:
        sentences, settings = partial(Catalog.load, "en"), ClubSettings()
        self.updates = [game_tables[number % len(game_tables)] for number in range(count)]
        self.streams = [Broadcaster() for _ in range(count)]
        self.at = [number % len(self.updates[number]) for number in range(count)]
        self.lines: list[MqttClient] = []
        self.loops: list[PublisherLoop] = []
        for number in range(count):
            identity = TableIdentity(f"{number:012x}", f"Table {number + 1}")
            game = find_game(self.updates[number][0].snapshot["game"])
            publisher = Publisher(
                settings,
                identity,
                sentences,
                partial(game.reference, game.initial().public),
                words_of,
            )
            line = MqttClient(
                broker,
                f"companion-{identity.id}",
                time.monotonic,
                will=publisher.topics.availability_message("lost"),
            )
            self.lines.append(line)
            self.loops.append(PublisherLoop(publisher, line, partial(self._listen, number)))
        self._stopping = Event()
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def present(self, number: int) -> Update:
        """Return the last update of a table."""
        return self.updates[number][self.at[number]]

    def move(self, number: int) -> None:
        """Play the next update of a table."""
        self.at[number] = (self.at[number] + 1) % len(self.updates[number])
        self.streams[number].publish(self.present(number))

    def close(self) -> None:
        self._stopping.set()
        self._thread.join()
        for loop in self.loops:
            loop.close()

    def _listen(self, number: int) -> Subscription:
        return self.streams[number].subscribe(lambda: self.present(number))

    def _run(self) -> None:
        while not self._stopping.is_set():
            for loop in self.loops:
                loop.step(0.0001)


@contextmanager
def many_tables(broker: Broker, game_tables: list[list[Update]], count: int) -> Iterator[Tables]:
    """Yield `count` tables that publish to a broker."""
    tables = Tables(broker, game_tables, count)
    try:
        yield tables
    finally:
        tables.close()
