"""Whole evenings from one seed: table, phones, board, disk and clock, one thing after another.

`python -m tools.evenings [--games N] [--seed N]` plays the real application in simulated time.
People play by taps and by pawns on a virtual board, whose wire loses, doubles and tears frames;
phones use a link that loses requests and answers and doubles both; moves are taken back and tiles
marked; a vampire loses its phone and the game goes on on paper; the process is killed and starts
again; the wall clock jumps by years. The same seed gives the same evening, to the last head. After
each game every answer is decided again and every seal opened. Prints what was played, and whether
memory, descriptors and threads stayed what they were. The disk is memory: what a power cut leaves
of a real one is `tests.table.storage.powercut`'s affair.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import threading
from collections import Counter
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

from msgspec.structs import replace
from nacl.public import PrivateKey

from companion.app import Application
from companion.config import Settings
from companion.core.codec import decode_actions
from companion.games import GAMES
from companion.sim.table_model import World, apply_placement, default_pawns
from companion.sim.virtual_board import BoardKind
from companion.table.fairness.export import export_record
from companion.table.fairness.replay import replay_record
from companion.table.fairness.verify import verify_record
from companion.table.storage.log import read_bodies
from companion.table.votes import VOTE_TIMEOUT
from tests.helpers.join_code import KEY_LENGTH, join_fragment
from tests.helpers.ramdisk import in_memory
from tests.helpers.simulated_clock import SimulatedClock
from tests.sensors.serial.connection import Connection
from tests.server.client import BOXED, Json, Phone
from tests.table.play import entropy_of

TICK = 0.1
YEARS = 20 * 365 * 86400
MOST_STEPS = 45
"""Things that happen in a game before the vampire gives it up: games of pure chance are long."""


class Link(Phone):
    """A phone that sends bytes to the application without a client between, as a server would."""

    def post(self, path: str, body: bytes) -> Answered:
        """Return the application's answer."""
        response = Answered()
        parts = self.app(self._environ(path, body), response.begin)
        response.data = b"".join(parts)
        if callable(close := getattr(parts, "close", None)):
            close()
        return response

    def _environ(self, path: str, body: bytes) -> dict[str, Any]:
        return {
            "REQUEST_METHOD": "POST",
            "SCRIPT_NAME": "",
            "PATH_INFO": path,
            "QUERY_STRING": "",
            "SERVER_NAME": "localhost",
            "SERVER_PORT": "8080",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "HTTP_HOST": "localhost",
            "REMOTE_ADDR": self.address,
            "CONTENT_TYPE": BOXED,
            "CONTENT_LENGTH": f"{len(body)}",
            "wsgi.version": (1, 0),
            "wsgi.url_scheme": "http",
            "wsgi.input": BytesIO(body),
            "wsgi.errors": sys.stderr,
            "wsgi.multithread": False,
            "wsgi.multiprocess": False,
            "wsgi.run_once": False,
        }


class Answered:
    """An answer as received."""

    def __init__(self) -> None:
        self.status_code = 0
        self.data = b""

    def begin(
        self, status: str, headers: object, fault: object = None
    ) -> Callable[[bytes], object]:
        """Receive the status line, as in WSGI."""
        self.status_code = int(status[:3])
        return lambda more: None


class GameTable:
    """One household's table. Every event follows from `seed`."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder = folder
        self.rng = Random(f"world {seed}")
        self.seed = seed
        self.counts: Counter[str] = Counter()
        self.acknowledged: list[tuple[str, str]] = []
        self._keys = {
            name: PrivateKey(entropy_of(seed + number)(32))
            for number, name in enumerate(("V", "display"))
        }
        self._moved = False
        self._lives = 0
        # The board that identifies the pawn on each cell takes most of the time.
        kind: BoardKind = "presence" if seed % 4 else "tags"
        self.connection = Connection(kind, world=World(default_pawns(humans=1, each=8)))
        self._begin()
        self._seat_everybody()

    def play(self, games: int) -> None:
        """Play games to their end, one after another."""
        for _ in range(games):
            for _ in range(MOST_STEPS):
                if self.snapshot["phase"] == "over":
                    break
                self._step()
            # A night that is being published is published to its end first.
            for _ in range(MOST_STEPS):
                if self.snapshot["phase"] != "over":
                    self._give_up()
                    self._pass_time(1, sensing=False)
            assert "over" == self.snapshot["phase"], "a game cannot be given up"
            self._check()
            # A phone that is awake receives the end, and takes the next game's key.
            self._ask("V", "hello")
            self._ask("display", "next_game", by=0)
            self._ask("display", "start")
            self.counts["games"] += 1

    @property
    def snapshot(self) -> Json:
        return self.companion.table.snapshot()

    def close(self) -> None:
        self.companion.close()

    # The world

    def _begin(self) -> None:
        """Start the application, as after every power-on; the machine may believe in another
        year.
        """
        self._lives += 1
        self.clock = SimulatedClock(wall=self.rng.uniform(0, 2e9))
        settings = Settings(
            data=str(self.folder), board="none", night_floor=0, auto_pick_up=False, sound=False
        )
        entropy = entropy_of(self.seed * 1000 + self._lives)
        self.companion = Application(
            settings,
            self.clock,
            entropy,
            Random(f"rng {self.seed} {self._lives}"),
            release=0.0,
            devices=self.folder,
        )
        self.companion.table.on_publish(self._on_publish)
        # A restarted table opens the port again.
        self.connection.reopen()
        fragment = (self.folder / "display-code").read_text().strip()
        self.phones = {
            name: Link(self.companion.app, fragment[:43], key, "127.0.0.1")
            for name, key in self._keys.items()
        }
        # No request number is used twice, even across restarts.
        for name, phone in self.phones.items():
            phone._random = Random(f"{name} {self.seed} {self._lives}")

    def _on_publish(self) -> None:
        self._moved = True

    def _seat_everybody(self) -> None:
        fragment = (self.folder / "display-code").read_text().strip()
        self._ask("display", "pair", code=fragment[43:])
        self._ask("display", "propose", change={"players": 2})
        code = join_fragment(self.folder)[KEY_LENGTH:]
        self._ask("V", "claim", seat="V", name="V", code=code, pin="1111")
        self._ask("display", "start")

    def _pass_time(self, seconds: float, *, sensing: bool = True) -> None:
        """Let time pass for table and board together; the board is not read where no pawn moves."""
        for _ in range(round(seconds / TICK)):
            self.clock.advance(TICK)
            if sensing:
                self._run_board()
            if self._moved:
                self._moved = False
                self.companion.reader.game_changed()

    def _run_board(self) -> None:
        self.connection.run(TICK)
        for link in self.connection.links:
            self.companion.reader.link_changed(link)
        for observation in self.connection.observations:
            self.companion.reader.observe(replace(observation, at=self.clock.monotonic()))
        for queue in (self.connection.observations, self.connection.links, self.connection.written):
            queue.clear()

    def _crash(self) -> None:
        """Lose the process at any moment; the disk keeps what was written."""
        before = self.snapshot
        aside = self.folder.with_name("crashed")
        shutil.copytree(self.folder, aside, ignore=shutil.ignore_patterns("*-shm"))
        self.companion.close()
        shutil.rmtree(self.folder)
        aside.rename(self.folder)
        self._begin()
        after = self.snapshot
        assert (before["position"], before["head"]) == (after["position"], after["head"]), (
            "history changed"
        )
        for seat, id in self.acknowledged:
            assert self.companion.table.journal.log.answer(seat, id) is not None, (
                "an acknowledged action was lost"
            )
        self.counts["crashes"] += 1

    def _ask(self, sender: str, do: str, **arguments: Any) -> Json:
        """Send a request over a bad link that loses requests, loses answers and doubles both;
        repeat it until it is answered.
        """
        phone = self.phones[sender]
        request = {"id": phone.new_id(), "do": do} | arguments
        while True:
            fate = self.rng.random()
            if fate < 0.05:
                self.counts["requests_lost"] += 1
                continue
            answer = phone.request_raw(request)
            if fate < 0.1:
                self.counts["answers_lost"] += 1
                continue
            if fate < 0.15 and do == "submit":
                self.counts["doubled"] += 1
                second = phone.request_raw(request)
                assert answer["ok"] == second["ok"] or not answer["ok"], (
                    "a repetition was answered otherwise"
                )
            if answer["ok"] and do == "submit" and "pending" not in answer:
                self.acknowledged.append((arguments.get("seat", sender), request["id"]))
            return answer

    # The people

    def _step(self) -> None:
        """Take one random step."""
        chance = self.rng.random()
        if chance < 0.005:
            self._crash()
        elif chance < 0.02:
            self.clock.shift_wall(self.rng.choice([-YEARS, YEARS]))
            self.counts["jumps"] += 1
        elif chance < 0.04:
            self._toggle_wire_faults()
        elif chance < 0.09:
            self._undo_or_mark()
        elif chance < 0.094:
            self._lose_phone()
        snapshot = self.snapshot
        if snapshot["secret"]:
            self._night(snapshot)
        elif snapshot["legal"] and not snapshot["revealing"]:
            self._human(snapshot)
        self._pass_time(0.5 if snapshot["secret"] or snapshot["revealing"] else 0.1, sensing=False)

    def _undo_or_mark(self) -> None:
        """Take the last move back, which may need everybody's agreement, or make a mark."""
        snapshot = self.snapshot
        if self.rng.random() < 0.5:
            self.counts["marks"] += self._ask("display", "mark", cell="C3", mark="?", seat="H1")[
                "ok"
            ]
            return
        if not self._ask("display", "undo", seat="H1")["ok"]:
            return
        if self.snapshot["vote"]:
            agree = self.rng.random() < 0.5
            self._ask("V", "vote", agree=agree)
        self.counts["taken_back"] += self.snapshot["view"] != snapshot["view"]
        self._correct_board()

    def _lose_phone(self) -> None:
        """Ask to continue on paper: the vampire agrees, or its phone is silent for too long."""
        if not self._ask("display", "switch_to_paper", seat="H1")["ok"]:
            return
        if self.rng.random() < 0.5:
            self._ask("V", "vote", agree=True)
        else:
            self._pass_time(VOTE_TIMEOUT + 1, sensing=False)
        # A night handed in before is revealed by now, which drops the vote.
        assert self.snapshot["vote"] is None, "a lost phone holds the game up"
        self.counts["gone_on_on_paper"] += self._is_on_paper

    @property
    def _is_on_paper(self) -> bool:
        return bool(self.snapshot["view"]["options"].get("path") == "paper")

    def _toggle_wire_faults(self) -> None:
        faults = self.connection.board.faults
        faults.lost, faults.duplicated, faults.torn, faults.noise = (
            (0.0, 0.0, 0.0, 0.0) if faults.lost else (0.2, 0.2, 0.1, 0.001)
        )
        self.counts["wire_faults"] += 1

    def _night(self, snapshot: Json) -> None:
        private = self._ask("V", "hello")["private"]
        if private["submitted"] or not private["legal"]:
            return
        legal = private["legal"]
        if legal[0]["type"] == "place":
            self._ask("V", "submit", actions=[self.rng.choice(legal)])
            return
        draft: list[Json] = []
        while legal and self.rng.random() < 0.7:
            step = self.rng.choice(legal)
            if step["type"] == "end":
                break
            draft.append(step)
            legal = self._ask("V", "preview", actions=draft).get("legal", [])
        self._ask("V", "submit", actions=[*draft, {"type": "end"}])
        self.counts["nights"] += 1

    def _human(self, snapshot: Json) -> None:
        """Set a pawn on another tile, or tap."""
        action = self.rng.choice(snapshot["legal"])
        if action["type"] == "walk" and self.rng.random() < 0.1:
            # A new board is trusted once it has agreed with the record.
            self._correct_board()
            self._pass_time(1.5)
            if self.snapshot["position"] != snapshot["position"]:
                # An earlier step that was not sensed before the pawn was put back was sensed late:
                # it counts.
                self.counts["walks_sensed_late"] += 1
                self._correct_board()
                return
            running = self.companion.table.board_view()
            assert running is not None
            game, view = running
            apply_placement(
                self.connection.world,
                game.placement(game.preview(view, decode_actions(game, [action])[0])),
            )
            self._pass_time(2.0)
            self.counts["pawns_moved"] += 1
            if self.snapshot["position"] != snapshot["position"]:
                self.counts["walks_sensed"] += 1
            self._correct_board()
            return
        accepted = self._ask("display", "submit", actions=[action], seat=snapshot["to_move"])["ok"]
        self.counts["told_on_paper"] += (
            accepted and self._is_on_paper and snapshot["to_move"] == "V"
        )
        self._correct_board()

    def _correct_board(self) -> None:
        """Make the table look like the record, as people do after a tap."""
        running = self.companion.table.board_view()
        if running is not None:
            game, view = running
            apply_placement(self.connection.world, game.placement(view))

    def _give_up(self) -> None:
        """End a game early; a vampire on paper owes no reveal, so that both must agree to a
        draw.
        """
        if not self._is_on_paper:
            self._ask("V", "surrender")
        elif self._ask("display", "draw", seat="H1")["ok"]:
            self._ask("V", "vote", agree=True)

    def _check(self) -> None:
        """Decide the finished game again, and open every seal."""
        record = list(export_record(read_bodies(self.folder), GAMES))
        assert replay_record(record, GAMES).wrong is None, "the record is not what was decided"
        assert verify_record(record, GAMES, {}).wrong is None, "a seal does not open"


def resources() -> dict[str, int]:
    """Return this process's resident kilobytes, open descriptors and threads."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    rss = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))
    return {
        "rss_kb": rss,
        "files": len(os.listdir("/proc/self/fd")),
        "threads": threading.active_count(),
    }


def play(folder: Path, games: int, seed: int) -> tuple[Counter[str], str]:
    """Play an evening; return the counts and the last head."""
    game_table = GameTable(folder / "data", seed)
    try:
        game_table.play(games)
    except Exception as error:
        error.add_note(f"in the evening of seed {seed}")
        raise
    head = game_table.snapshot["head"]
    game_table.close()
    return game_table.counts, head


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--an-evening", type=int, default=10, help="games in one data folder")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    counts, seed = Counter[str](), args.seed
    first: dict[str, int] = {}
    while counts["games"] < args.games:
        with in_memory() as folder:
            counts += play(Path(folder), min(args.an_evening, args.games - counts["games"]), seed)[
                0
            ]
        seed += 1
        # The measurement begins after a third: caches are full then.
        if not first and counts["games"] * 3 >= args.games:
            first = resources()
    last = resources()
    growth = {"rss_grew_%": round(100 * (last["rss_kb"] / first["rss_kb"] - 1), 1)}
    growth |= {name: last[name] - first[name] for name in ("files", "threads")}
    print(" ".join(f"{name}={value}" for name, value in (dict(counts) | growth).items()))
    return int(growth["rss_grew_%"] > 5 or growth["files"] > 0 or growth["threads"] > 0)


if __name__ == "__main__":
    sys.exit(main())
