"""All phones reconnect at once: `python -m tests.server.http.storm [--clients N] [--kills K]`.

The server is killed and started again; each client waits as the pages do (0.5 s, doubling up to 8
s, jittered, for ever) and connects again. Prints the longest time from a kill until every client
received from the table again.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from tests.helpers.ports import free_port
from tools.bench.processes import hosted
from tools.bench.served_table import Hosting

MOST_SECONDS = 10.0
FIRST, LONGEST = 0.5, 8.0


class Crowd:
    """Clients of one table; `connected` are those that have received from it since the last
    reset.
    """

    def __init__(self, port: int, count: int, seed: int) -> None:
        self.port = port
        self.connected: set[int] = set()
        self._rngs = [Random(f"{seed} {number}") for number in range(count)]

    async def connect_all(self) -> None:
        """Follow the stream until stopped."""
        async with asyncio.TaskGroup() as group:
            for number in range(len(self._rngs)):
                group.create_task(self._follow(number))

    async def _follow(self, number: int) -> None:
        attempt = 0
        while True:
            try:
                reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
                writer.write(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
                while await reader.readline():
                    attempt = 0
                    self.connected.add(number)
                writer.close()
            except OSError:
                # Refused or reset: pages meet the same while the table is down.
                self.connected.discard(number)
            step = min(LONGEST, FIRST * 2**attempt)
            await asyncio.sleep(max(FIRST, step * (0.5 + self._rngs[number].random() / 2)))
            attempt += 1


async def storm(folder: Path, clients: int, kills: int, seed: int) -> list[float]:
    """Return for each kill the seconds until every client had received from the table again."""
    port = free_port()
    crowd = Crowd(port, clients, seed)
    following = asyncio.create_task(crowd.connect_all())
    waits: list[float] = []
    killed = 0.0
    for number in range(kills + 1):
        crowd.connected.clear()
        with hosted(Hosting(str(folder), port, streams=clients)) as process:
            while len(crowd.connected) < clients:
                await asyncio.sleep(0.02)
            if number:
                waits.append(time.monotonic() - killed)
            killed = time.monotonic()
            process.kill()
            process.wait()
    following.cancel()
    return waits


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=220)
    parser.add_argument("--kills", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        waits = asyncio.run(storm(Path(folder), args.clients, args.kills, args.seed))
    print(f"clients={args.clients} kills={len(waits)} longest_s={max(waits):.1f}")
    return int(max(waits) > MOST_SECONDS)


if __name__ == "__main__":
    sys.exit(main())
