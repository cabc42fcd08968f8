"""Verify a finished record against itself and against the heads that phones kept."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct, structs

from companion.core.codec import canonical_json, tag_names
from companion.core.game import Commitment, Game, GameError, Message, PublicEvent
from companion.table.errors import Refused
from companion.table.events import TABLE_EVENTS, PaperPathEntered, Rewound, ShuffleSealed
from companion.table.fairness import commitment
from companion.table.fairness.replay import Replayer, read_record_line
from companion.table.fairness.shuffle import DEAL_DRAW, Shuffle, redeal

NONCE = re.compile(r"[0-9a-f]{64}")
ON_TABLE_LINES = tag_names(
    tuple(kind for kind in TABLE_EVENTS if issubclass(kind, PublicEvent) and kind is not Rewound)
)
"""The events that a line of the table's own may have: nobody computes them again."""
COMPUTED = frozenset({"new", "actions", "by_hand", "switched_to_paper", "resigned"})
"""The lines with a game's events, which its rules compute again."""
LINE_KINDS = COMPUTED | {"rewound", "opened", "table", "winner"}
"""Every line is of one kind: it has exactly one of these names."""


class ProofReport(Struct, frozen=True):
    """The result of verifying a record.

    seals: the number of lines that opened their seals
    answers: the number of submissions that gave the recorded events
    head: the last head
    wrong: the first fault, at `line` (from 1, 0 for no line)
    pages: the number of pages on paper, which no seal fixes; `paper`: the typed pages
    deal: whether the deal was sealed before the first turn
    shares: the seats whose phones contributed to the shuffle, None if the table drew alone
    given: the fields of the set-up that the shuffle did not deal
    game: the game's name, "" if a fault was found before the name
    """

    seals: int
    answers: int
    head: str
    wrong: Message | None = None
    line: int = 0
    pages: int = 0
    paper: PaperPathEntered | None = None
    deal: bool = False
    shares: tuple[str, ...] | None = None
    custom_setup: tuple[str, ...] = ()
    game: str = ""

    @property
    def ok(self) -> bool:
        return self.wrong is None


def verify_record(
    lines: Iterable[str], games: Sequence[Game], heads: Mapping[int, str] | None = None
) -> ProofReport:
    """Verify a record.

    Every submission is decided again; its line must open its seal; the seals must form a chain; and
    the public events must give each head in `heads` (by position).
    """
    replayer, chain = Replayer({game.name: game for game in games}), _Chain()
    values: list[dict[str, Any]] = []
    for number, text in enumerate((line for line in lines if line.strip()), start=1):
        try:
            values.append(read_record_line(text))
            if not replayer.decide(values[-1]):
                raise Refused("record_still_sealed")
            _check_kind(values[-1])
            chain.check(values[-1], replayer)
        except GameError as wrong:
            return ProofReport(chain.seals, replayer.decided, "", wrong.message, number)
    pages = len(replayer.running().paper.pages(replayer.public_history())) if values else 0
    report = ProofReport(
        chain.seals,
        replayer.decided,
        "",
        pages=pages,
        paper=replayer.paper,
        deal=chain.is_dealt,
        shares=chain.shares,
        custom_setup=chain.custom_setup,
        game=replayer.running().name if values else "",
    )
    return (
        _wrong(report, "record_still_sealed")
        if chain.closed or chain.due
        else _with_heads(values, report, heads or {})
    )


class _Chain:
    """The chain of seals, checked line by line.

    closed: the seals still to be opened
    due: what the line of the last secret turn has to fix, until that line is opened
    """

    def __init__(self) -> None:
        self.number = 0
        self.due: Commitment | None = None
        self.is_dealt = False
        self.shares: tuple[str, ...] | None = None
        self.custom_setup: tuple[str, ...] = ()
        self.closed: list[dict[str, Any]] = []
        self._key: object = None
        self._prev = commitment.ZERO_HASH
        self._nonces: set[str] = set()
        self._closed_at = self._position = -1
        self._last: dict[str, Any] = {}
        self._start: dict[str, Any] = {}
        self._players = 0
        self._shuffle: Shuffle | None = None
        self._draws = DEAL_DRAW

    @property
    def seals(self) -> int:
        """The number of lines that opened their seals."""
        return self.number + self.is_dealt + (self._shuffle is not None)

    def check(self, value: dict[str, Any], replayer: Replayer) -> None:
        """Check the next line, which `replayer` has decided; raise `Refused`."""
        self._check_order(value)
        match value:
            case {"new": {"players": int(players), **start}}:
                self._key, self._players = value.get("key"), players
                self._start = {
                    str(name): of for name, of in start.items() if name not in ("game", "players")
                }
            case {"table": {"event": "shuffle_sealed" | "deal_sealed" | "night_sealed"} as fields}:
                self.closed.append(fields)
                self._closed_at = value["position"]
            case {"opened": str(line), "seal": str(sealed)} if self._awaits("shuffle_sealed"):
                self._open_seed(line, sealed, replayer.running())
            case {"opened": str(line), "seal": str(sealed)} if self._awaits("deal_sealed"):
                self._open_deal(line, sealed)
            case {"opened": str(line), "seal": str(sealed)} if self.due:
                self._open(line, sealed, self.due)
            case {"opened": _}:
                raise Refused("seal_does_not_open")
            case {"seat": _, "actions": _}:
                self._last = value
                self._check_draw(value.get("chance"), has_drawn=replayer.has_drawn)
                self.due = replayer.commitment
                if self.due and not self._is_sealed(value):
                    raise Refused("turn_not_sealed")

    def _check_order(self, value: dict[str, Any]) -> None:
        """Check that the game's lines stand in the order of their events, after every seal before
        them was opened; another order would hide an answer from before its seal.
        """
        if not value.keys() & (COMPUTED | {"rewound"}):
            return
        if self.due or self._awaits("shuffle_sealed") or self._awaits("deal_sealed"):
            raise Refused("record_still_sealed")
        for position in _public_heads(value):
            if position <= self._position:
                raise Refused("record_has_gap")
            self._position = position

    def _is_sealed(self, turn: dict[str, Any]) -> bool:
        """Return whether the only closed seal is this seat's, from before the turn's events."""
        match self.closed:
            case [{"event": "night_sealed", "seat": seat}]:
                later = all(position > self._closed_at for position in turn["positions"])
                return bool(seat == turn["seat"]) and later
        return False

    def _awaits(self, event: str) -> bool:
        return bool(self.closed) and self.closed[0].get("event") == event

    def _open_seed(self, line: str, sealed: str, game: Game) -> None:
        fields = self.closed.pop(0)
        if not commitment.matches(line, sealed) or fields.get("seal") != sealed:
            raise Refused("seal_does_not_open")
        if self._shuffle is not None or self._last:
            raise Refused("seal_chain_broken")
        try:
            event = msgspec.convert(fields, ShuffleSealed)
            self._shuffle = Shuffle.from_shares(line, event.shares)
        except (msgspec.ValidationError, ValueError) as wrong:
            raise Refused("seal_does_not_open") from wrong
        if not event.shares.keys() <= set(game.seat_names(self._players)):
            raise Refused("seal_chain_broken")
        self.shares, self.custom_setup = tuple(sorted(event.shares)), event.custom_setup
        drawn = self._shuffle.draw(DEAL_DRAW)
        dealt = redeal(game, self._players, self._start, event.custom_setup, drawn)
        if canonical_json(dealt) != canonical_json(self._start):
            raise Refused("other_draw")
        self._draws = DEAL_DRAW + 1

    def _check_draw(self, chance: object, *, has_drawn: bool) -> None:
        """Check that a submission drew from the next draw of the shuffle, if it drew."""
        if self._shuffle is None:
            return
        if chance != (self._shuffle.draw(self._draws) if has_drawn else None):
            raise Refused("other_draw")
        self._draws += has_drawn

    def _open_deal(self, line: str, sealed: str) -> None:
        fixed = self._opened(line, sealed, {"deal", "game", "kind", "nonce", "rest", "v"})
        if self.is_dealt or fixed["game"] != self._key:
            raise Refused("seal_chain_broken")
        nonce = bytes.fromhex(fixed["nonce"])
        dealt = "deal" in self._start
        if (
            not dealt
            or commitment.deal_line(game=str(self._key), start=self._start, nonce=nonce) != line
        ):
            raise Refused("seal_of_other_deal")
        self.is_dealt = True

    def _opened(self, line: str, sealed: str, names: set[str]) -> dict[str, Any]:
        """Return a line's named values; raise `Refused` unless it opens the oldest seal."""
        fields = self.closed.pop(0) if self.closed else {}
        if not commitment.matches(line, sealed) or fields.get("seal") != sealed:
            raise Refused("seal_does_not_open")
        return _parse(line, names)

    def _open(self, line: str, sealed: str, due: Commitment) -> None:
        fields = self.closed[0] if self.closed else {}
        fixed = self._opened(
            line,
            sealed,
            {"actions", "game", "kind", "nonce", "number", "path", "prev", "seat", "v"},
        )
        self.number += 1
        if (fixed["number"], fixed["prev"], fixed["game"]) != (self.number, self._prev, self._key):
            raise Refused("seal_chain_broken")
        if (fixed["seat"], fixed["number"]) != (fields.get("seat"), fields.get("number")) or fixed[
            "nonce"
        ] in self._nonces:
            raise Refused("seal_chain_broken")
        acted = (self._last.get("seat"), self._last.get("actions"), due.kind, list(due.path))
        if (fixed["seat"], fixed["actions"], fixed["kind"], fixed["path"]) != acted:
            raise Refused("seal_of_other_actions")
        self._prev = sealed
        self._nonces.add(fixed["nonce"])
        self.due = None


def _check_kind(value: dict[str, Any]) -> None:
    """Check that a line is of one kind, and has no event that its kind does not compute."""
    kinds = value.keys() & LINE_KINDS
    match value:
        case {"table": {"event": str(event)}, "position": int()}:
            is_valid = event in ON_TABLE_LINES
        case {"rewound": dict(rewound), "position": int()}:
            is_valid = rewound.keys() == {"by", "steps", "to"}
        case {"public": list(events), "positions": list(positions)}:
            is_valid = len(events) == len(positions) and all(type(at) is int for at in positions)
        case _:
            is_valid = not kinds & (COMPUTED | {"table", "rewound"})
    if len(kinds) != 1 or not is_valid or ("public" in value and not kinds <= COMPUTED):
        raise Refused("record_unreadable")


def _parse(line: str, names: set[str]) -> dict[str, Any]:
    try:
        fixed = commitment.parse_line(line)
    except ValueError as wrong:
        raise Refused("seal_does_not_open") from wrong
    if (
        names != set(fixed)
        or type(fixed["nonce"]) is not str
        or not NONCE.fullmatch(fixed["nonce"])
    ):
        raise Refused("seal_does_not_open")
    return fixed


def _with_heads(
    values: list[dict[str, Any]], report: ProofReport, heads: Mapping[int, str]
) -> ProofReport:
    match values:
        case [{"position": int(position), "head": str(head)}, *_]:
            pass
        case _:
            return _wrong(report, "record_without_start")
    fields: dict[int, dict[str, Any]] = {}
    for value in values:
        events = _public_heads(value)
        if fields.keys() & events.keys() or min(events, default=position + 1) <= position:
            return _wrong(report, "record_has_gap")
        fields |= events
    for number in range(position + 1, max(fields, default=position) + 1):
        if number not in fields:
            return _wrong(report, "record_has_gap")
        head = commitment.next_head(head, fields[number])
        if heads.get(number, head) != head:
            return _wrong(report, "head_differs")
    return structs.replace(report, head=head)


def _public_heads(value: dict[str, Any]) -> dict[int, dict[str, Any]]:
    """Return the public events of a line by position; {} for a malformed line."""
    match value:
        case {"table": dict(event), "position": int(position)}:
            return {position: event}
        case {"rewound": dict(rewound), "position": int(position)}:
            return {position: {"event": "rewound", **rewound}}
        case {"positions": list(positions), "public": list(events)} if len(positions) == len(
            events
        ):
            return (
                dict(zip(positions, events, strict=True))
                if all(type(at) is int for at in positions)
                else {}
            )
    return {}


def _wrong(report: ProofReport, code: str) -> ProofReport:
    return structs.replace(report, wrong=Message(code))
