"""The twin run over real sockets of a game in which every seat has a secret: hands, roles, picks
and bites.

All that the display, guests, strangers and a seat with the same knowledge in both games receive is
compared as in `tools.secrecy.http`; of the other seats' traffic the sizes and times, which are not
encrypted.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec
from msgspec import Struct

from companion.core.codec import encode_action
from companion.games import find_game
from companion.games.shisogari import deal as shisogari_deal
from companion.games.vwars import deal as vwars_deal
from companion.table.fairness.shuffle import Shuffle
from tests.table.play import start_with_all
from tools.secrecy import paired_cards, paired_vwars
from tools.secrecy.http import (
    BEAT,
    Behaviour,
    Difference,
    Probes,
    Side,
    Transcript,
    difference,
    logged,
    wrong_codes,
)
from tools.secrecy.paired_cards import CardTurn

SPAN = 10
"""Steps in which a card may be placed."""
LEAD = 2
"""Steps from the moment at which it is stored until it is published."""
NO_SHARE: tuple[str, dict[str, Any]] = ("share", {"seal": "0" * 64, "share": "0" * 32})
PROBES: Probes = (
    ("hello", {}), ("blank", {}), ("reveal", {}), ("next_game", {}), ("start", {}),
    ("surrender", {}),
    ("nonsense", {}), NO_SHARE, ("preview", {"actions": []}), ("preview",
    {"actions": [{"type": "keep"}]}), ("free", {"seat": "P2"}), ("preview",
    {"actions": [{"type": "pick", "back": 1}]}), ("submit", {"actions": [{"type": "pick",
    "back": 9}]}), ("preview", {"actions": [{"type": "accuse", "suspect": "P2"}]}), ("submit",
    {"actions": [{"type": "lay", "card": "dagger"}]}), ("claim", {"seat": "P1", "code": "BCDF",
    "pin": "1111"}), ("aim", {"actions": [{"type": "keep"}]}), *wrong_codes("P1", "P2"),
)  # fmt: skip

VWARS_PROBES: Probes = (
    ("hello", {}), ("blank", {}), ("reveal", {}), ("next_game", {}), ("start", {}),
    ("surrender", {}),
    ("nonsense", {}), NO_SHARE, ("preview", {"actions": [{"type": "end"}]}), ("preview",
    {"actions": [{"type": "reveal"}]}), ("preview", {"actions": [{"type": "investigate",
    "target": "P2"}]}), ("free", {"seat": "P2"}), ("submit", {"actions": [{"type": "put",
    "card": "nowhere-h1"}]}), ("submit", {"actions": [{"type": "awaken", "target": "P9"}]}), ("aim",
    {"actions": [{"type": "riot"}]}), *wrong_codes("P1", "P2"),
)  # fmt: skip


class CardPair(Struct, frozen=True):
    """One pair of games; a `thorough` one has all probes."""

    seed: int
    twins: Any
    thorough: bool = False


def make_pair(
    seed: int, players: int, turns: int, whole_every: int, game: str = "shisogari"
) -> CardPair:
    """Return pair `seed` of about `turns` turns; every `whole_every` is longer and thorough."""
    draw = random.Random(f"{game} {seed} {players}")
    thorough = seed % whole_every == 1
    twins = paired_vwars.twins if game == "vwars" else paired_cards.twins
    return CardPair(seed, twins(draw, players, draw.randrange(turns // 2, 2 * turns)), thorough)


class CardSide(Side):
    """One side's server; every seat has a phone."""

    game_name = "shisogari"
    probes = PROBES
    dealing: Any = shisogari_deal
    first = "P1"
    """The seat that asks for the next game."""
    drawn = "start"
    """The seed of the table's next draw, independent of what was sealed."""

    def request(self, client: str, do: str, **arguments: Any) -> None:
        if client not in self.secret:
            super().request(client, do, **arguments)
            return
        phone = self.phones[client]
        message, nonce = phone.seal({"id": phone.new_id(), "do": do, **arguments})
        reply = phone.post("/channel", message)
        answer = phone.open(reply.data)
        assert nonce == answer.pop("re")
        assert do != "submit" or answer["ok"], answer
        self.note(f"{client} {do} wire", reply.head + b" %d" % len(reply.data))

    def game_table(self, pair: CardPair, game_table: Any, private: Behaviour) -> Transcript:
        """Play one side of a pair and return what the others received."""
        seats = find_game(self.game_name).seat_names(pair.twins.players)
        self.table.lobby.propose({"game": self.game_name, **msgspec.to_builtins(pair.twins.setup)})
        sealed = self.table.snapshot()["lobby"]["seed"]
        for number, seat in enumerate(seats, start=1):
            # All but one, as if a phone were asleep.
            if number > 1:
                assert self.phones[seat].request(
                    "share", seal=sealed, share=f"{pair.seed + number:032x}"
                )["ok"]
        self.listen("proposed")
        self.transcript = []
        self.entropy.begin(pair.seed)
        self.secret = frozenset(seats) - {pair.twins.alike}
        with logged() as lines, ExitStack() as stack:
            patches = (
                patch.object(self.dealing, "draw", lambda *_: game_table.deal),
                patch.object(Shuffle, "draw", lambda *_: self.drawn),
            )
            for patcher in patches:
                stack.enter_context(patcher)
            start_with_all(self.table)
            self.note_updates("start")
            draw = random.Random(pair.seed)
            for number, turn in enumerate(game_table.turns):
                if turn.is_secret:
                    self.place(turn, pair.twins.alike, private)
                else:
                    self.declare(
                        turn, pair.twins.alike, draw, thorough=pair.thorough and number in (1, 6)
                    )
            self.note_updates("last")
            if pair.thorough:
                self.probe_one(pair.twins.alike)
                self._note_record()
        entries = [*self.transcript, *(("log", line) for line in lines)]
        self._end_game()
        return entries

    def declare(self, turn: CardTurn, alike: str, draw: random.Random, *, thorough: bool) -> None:
        """Play a public step, with probes before it."""
        if thorough:
            self.probe_one(alike)
        else:
            attempts: list[Callable[[], object]] = [
                *(
                    lambda do=do, more=more: self.request(alike, do, **more)
                    for do, more in self.probes
                ),
                lambda: self.request("stranger", draw.choice(("hello", "undo", "reveal", "start"))),
                lambda: self.request("paired", "submit", actions=[{"type": "keep"}]),
                lambda: self.get(draw.choice(self.paths())),
            ]
            for attempt in draw.sample(attempts, 3):
                attempt()
        self.drawn = turn.chance
        self.request(turn.seat, "submit", actions=[encode_action(turn.action)])
        self.note_updates(f"{turn.seat} {encode_action(turn.action)['type']}", to_mark=False)

    def place(self, turn: CardTurn, alike: str, private: Behaviour) -> None:
        """Let the picker place a card; his previews, and when or whether he acts, are private."""
        phone = self.phones[turn.seat]
        private_view = phone.request("hello")["private"]
        is_compulsory = len(private_view["legal"]) == 1
        draw = random.Random(turn.chance) if turn.seat == alike else private.draw
        commit = draw.randrange(SPAN) if not is_compulsory or draw.random() < 0.7 else SPAN
        for beat in range(SPAN + LEAD):
            if turn.seat != alike and beat <= commit and draw.random() < 0.3:
                phone.request("preview", actions=[draw.choice(private_view["legal"])])
            if beat == commit < SPAN:
                answer = phone.request("submit", actions=[encode_action(turn.action)])
                assert answer["ok"], answer
            self.clock.advance(BEAT)
            self.note_updates(f"placing {beat}", to_mark=beat % 5 == 2)
            if beat == 4:
                for client in self.phones:
                    self.request(client, "hello")
        self.note("sizes", sorted(phone.sizes))
        assert not self.table.snapshot()["secret"]

    def probe_one(self, alike: str) -> None:
        """Request every route, and every boxed request."""
        for path in self.paths():
            self.get(path)
            self.get(path, more="If-None-Match: *\r\nAccept-Encoding: gzip\r\nRange: bytes=0-9\r\n")
        for client in (alike, "stranger", "paired"):
            for do, more in self.probes:
                self.request(client, do, **more)

    def _end_game(self) -> None:
        if self.table.snapshot()["phase"] == "play":
            for seat in (place["seat"] for place in self.table.snapshot()["seats"]):
                assert self.phones[seat].request("draw")["ok"]
        self._reopen(self.first)
        # The end discloses the secrets, and the next lobby's log would still show it.
        self.table.state.public_log.recent.clear()


class VWarsSide(CardSide):
    """One side's server in a game of secret factions without timed placing."""

    game_name = "vwars"
    recovery = "words"
    code = "bada keno tila"
    probes = VWARS_PROBES
    dealing = vwars_deal


class CardRun:
    """Both sides of one number of players."""

    def __init__(
        self, folder: Path, players: int, stack: ExitStack, kind: type[CardSide] = CardSide
    ) -> None:
        self.one, self.two = (
            kind(folder / f"{side}-{players}", players, stack) for side in ("one", "two")
        )

    def play(self, pair: CardPair) -> tuple[bool, Difference | None]:
        """Play a pair; return whether it is unlike, and the first difference."""
        first = self.one.game_table(pair, pair.twins.one, Behaviour(f"{pair.seed} one", 0))
        second = self.two.game_table(pair, pair.twins.two, Behaviour(f"{pair.seed} two", 0))
        assert len(first) > 50
        return pair.twins.unlike, difference(first, second)
