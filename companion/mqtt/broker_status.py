"""Keep, for pages and the log, whether the club's broker serves this table."""

from __future__ import annotations

import logging
from typing import Literal

from companion.config import Broker
from companion.core.game import Message

_log = logging.getLogger("companion.club")

Problem = Literal["unreachable", "refused", "closed"]
"""Why a broker does not serve: no answer, a refused login, or every connection is ended."""


class BrokerStatus:
    """Why the broker does not serve the table. One thread calls `set`, any may read `problem`.

    Each reason is logged once, until the broker serves the table again.
    """

    def __init__(self, broker: Broker | None) -> None:
        self.problem: Message | None = None
        self._broker = broker
        self._logged: set[tuple[Problem, str]] = set()

    def set(self, problem: Problem | None, why: str) -> None:
        """Set the reason: `problem` and the system's or the broker's words; None for no reason."""
        assert self._broker is not None
        place = f"the broker at {self._broker.host}, port {self._broker.port}"
        if problem is None:
            self.problem = None
            if self._logged:
                _log.warning("%s serves this table again", place)
            self._logged.clear()
            return
        self.problem = describe_problem(problem, why, self._broker)
        if (problem, why) not in self._logged:
            self._logged.add((problem, why))
            _log.warning("%s does not serve this table (%s): %s", place, problem, why)


def describe_problem(problem: Problem, why: str, broker: Broker) -> Message:
    """Return why a broker serves no client, for people."""
    params: dict[str, str | int] = {"host": broker.host, "port": broker.port, "why": why}
    return Message(f"broker_{problem}", params)
