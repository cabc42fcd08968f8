"""Run external bots: one process for each seat, one line in, one line out.

A bot receives what its seat may know: the events that the seat received, its own view, its legal
actions. It loses its seat if it is late, writes an unreadable answer, breaks the rules or exits.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from queue import Empty, Queue
from threading import Thread
from typing import Any, Literal

from companion.core.capabilities import Bot
from companion.core.codec import decode_actions, encode_actions, encode_event
from companion.core.game import Action, Event, Game, InvalidAction, Seat, View
from companion.core.text import all_text_is_printable, load_json
from companion.platforms import CHILD_FLAGS, kill_with_children, split_command
from companion.process import minimal_env

BOT_PROTOCOL = 1
PREFIX = "program:"
"""The prefix of a command where a level's name could stand."""
START_SECONDS = 5.0
"""Additional seconds for a program's first answer: it must load."""
PIPE_CLOSE_SECONDS = 1.0
"""Seconds within which the pipes of a process that was ended are at their end."""
MAX_ANSWER_BYTES = 100_000
"""Bytes of an answer's line."""
BotFault = Literal["late", "gone", "unreadable", "forbidden", "failed"]
"""The reasons for which a bot loses its seat, a program for one of the first four: the only words
about it that are published in a game with secrets.
"""


class BotFailed(Exception):
    """Error raised when a program loses its seat.

    Its text has the `seat` and the reason, and may repeat the program's output; `fault` is a word
    that reveals nothing else.
    """

    def __init__(self, seat: Seat, why: str, fault: BotFault) -> None:
        super().__init__(f"{seat} {why}")
        self.seat = seat
        self.fault: BotFault = fault


def read_actions(game: Game, seat: Seat, answer: bytes) -> list[Action]:
    """Return the actions of `game` in a program's answer; raise `BotFailed`."""
    try:
        reply = load_json(answer)
    except ValueError as wrong:
        raise BotFailed(seat, "answered what is not JSON", "unreadable") from wrong
    if not isinstance(reply, dict) or reply.keys() != {"actions"}:
        raise BotFailed(seat, 'answered something else than {"actions": […]}', "unreadable")
    if not all_text_is_printable(reply):
        raise BotFailed(seat, "answered with a character that no text may have", "unreadable")
    try:
        return decode_actions(game, reply["actions"])
    except InvalidAction as wrong:
        raise BotFailed(seat, f"answered what cannot be read: {wrong}", "unreadable") from wrong


class ExternalBot(Bot):
    """One process that plays one seat.

    seconds: the time limit of an answer
    start: additional seconds for the first one
    quiet: whether to discard standard error, which may reveal the seat's secrets
    """

    def __init__(
        self,
        game: Game,
        command: str,
        seat: Seat,
        seconds: float,
        monotonic: Callable[[], float],
        start: float | None = None,
        *,
        quiet: bool = False,
    ) -> None:
        self._game = game
        self._seat = seat
        self._monotonic = monotonic
        self._seconds = seconds
        self._grace = START_SECONDS if start is None else start
        self._waiting: list[Event] = []
        self._read = b""
        self._exchange: Thread | None = None
        try:
            self._process = subprocess.Popen(
                split_command(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL if quiet else None,
                bufsize=0,
                start_new_session=True,
                creationflags=CHILD_FLAGS,
                env=minimal_env(),
            )
        except (OSError, ValueError, IndexError) as wrong:
            raise BotFailed(seat, f"cannot be started by {command}: {wrong}", "gone") from wrong

    def observe(self, event: Event) -> None:
        """Keep an event for the next question."""
        self._waiting.append(event)

    def act(self, view: View) -> list[Action]:
        """Return what the program does in its own view: one of the legal actions, or a secret turn,
        which the rules check as a whole.

        Raises `BotFailed` and ends the process.
        """
        is_secret = self._game.secret_seat(view.public) == self._seat
        legal = self._game.legal_actions(view)
        if self._game.bots is not None:
            legal = self._game.bots.bot_actions(legal)
        question = {
            "protocol": BOT_PROTOCOL,
            "game": self._game.name,
            "seat": self._seat,
            "secret": is_secret,
            "seconds": self._seconds,
            "events": [encode_event(event) for event in self._waiting],
            "view": self._game.encode_view(view),
            "legal": encode_actions(legal),
        }
        self._waiting = []
        deadline = self._monotonic() + self._seconds + self._grace
        self._grace = 0.0
        try:
            actions = read_actions(self._game, self._seat, self._answer(question, deadline))
            if not is_secret and len(actions) != 1:
                count = len(actions)
                raise self._lost(f"must answer with one action, not with {count}", "forbidden")
            if not is_secret and actions[0] not in legal:
                raise self._lost(f"did what is not allowed: {actions[0]}", "forbidden")
        except BotFailed:
            self.close()
            raise
        return actions

    def kill(self) -> None:
        """End the process and its children; a thread that waits for its answer gets `BotFailed`."""
        if self._process.poll() is None:
            kill_with_children(self._process)

    def close(self) -> None:
        """End the process and close its pipes."""
        self.kill()
        self._process.wait()
        if self._exchange is not None:
            self._exchange.join(PIPE_CLOSE_SECONDS)
            if self._exchange.is_alive():
                # A process that left the program's session has the pipes: one thread waits for it.
                return
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()

    def _answer(self, question: dict[str, Any], deadline: float) -> bytes:
        line = json.dumps(question, separators=(",", ":")).encode() + b"\n"
        answers: Queue[bytes] = Queue()
        # A thread of its own, since Windows cannot wait for a pipe with a time limit.
        self._exchange = Thread(target=self._exchange_lines, args=(line, answers), daemon=True)
        self._exchange.start()
        try:
            read = answers.get(timeout=max(0.0, deadline - self._monotonic()))
        except Empty:
            raise self._lost(f"took longer than {self._seconds:g} s", "late") from None
        if len(read) > MAX_ANSWER_BYTES:
            raise self._lost(f"answered with more than {MAX_ANSWER_BYTES} bytes", "unreadable")
        answer, ended, self._read = read.partition(b"\n")
        if not ended:
            raise self._lost("went away", "gone")
        return answer

    def _exchange_lines(self, line: bytes, answers: Queue[bytes]) -> None:
        """Write a line, then read until a line has ended, the process has, or it wrote too much."""
        out, back = self._process.stdin, self._process.stdout
        assert out is not None and back is not None
        read = self._read
        try:
            while line:
                line = line[out.write(line) :]
            while b"\n" not in read and len(read) <= MAX_ANSWER_BYTES:
                more = os.read(back.fileno(), 65536)
                if not more:
                    break
                read += more
        except (OSError, ValueError):  # It has ended, or was closed.
            read = b""
        answers.put(read)

    def _lost(self, why: str, fault: BotFault) -> BotFailed:
        return BotFailed(self._seat, why, fault)
