"""The twin run of Manhunt over real sockets: the fugitive's place and path are secret."""

from __future__ import annotations

import random

import msgspec

from companion.core.codec import encode_action, encode_actions
from companion.core.game import Action
from companion.core.view import view
from tests.server.client import Json
from tools.secrecy.http import (
    BEAT,
    LOOKS,
    NIGHT,
    THINKING,
    TICK,
    Behaviour,
    Probes,
    Transcript,
    logged,
    wrong_codes,
)
from tools.secrecy.http_cards import CardPair, CardSide
from tools.secrecy.paired_cards import CardTurn
from tools.secrecy.paired_manhunt import GAME, ManhuntTurn, twins

ILLEGAL: list[Json] = [{"type": "step", "to": "1", "kind": "nowhere"}, {"type": "end"}]
"""Actions that no fugitive may take."""
PAPERWORK = 12
"""Actions on paper after a phone was lost."""


class ManhuntSide(CardSide):
    """One side's server; only the fugitive has a secret."""

    game_name = GAME.name
    first = "F"
    probes: Probes = (
        ("hello", {}), ("blank", {}), ("reveal", {}), ("next_game", {}), ("start", {}),
        ("surrender", {}),
        ("nonsense", {}), ("preview", {"actions": []}), ("preview", {"actions": [{"type": "end"}]}),
        ("preview", {"actions": [{"type": "look"}]}), ("free", {"seat": "F"}), ("submit",
        {"actions": [{"type": "step", "to": "6", "kind": "tram"}]}), ("submit",
        {"actions": [{"type": "walk", "pawn": "H1a", "to": "99", "kind": "street"}]}), ("preview",
        {"actions": [{"type": "ask", "pawn": "H1a", "question": "is_here"}]}), ("aim",
        {"actions": [{"type": "look"}]}), ("claim", {"seat": "F", "code": "BCDF", "pin": "1111"}),
        *wrong_codes("F", "H1"),
    )  # fmt: skip

    def game_table(
        self, pair: CardPair, game_table: tuple[ManhuntTurn, ...], private: Behaviour
    ) -> Transcript:
        """Play one side of a pair and return what the others received."""
        self.table.lobby.propose({"game": self.game_name, **msgspec.to_builtins(pair.twins.setup)})
        self.listen("proposed")
        self.transcript = []
        self.entropy.begin(pair.seed)
        self.secret = frozenset({"F"})
        with logged() as lines:
            self.table.start()
            self.note_updates("start")
            draw = random.Random(pair.seed)
            for number, turn in enumerate(game_table):
                if turn.is_secret:
                    self.flee(turn, private)
                else:
                    self.get("/odds.json")
                    self.get("/suggestion.json")
                    card_turn = CardTurn(turn.seat, turn.action)
                    self.declare(card_turn, "H1", draw, thorough=pair.thorough and number in (2, 9))
            self.note_updates("last")
            if is_lost(pair) and self.table.snapshot()["phase"] == "play":
                self.lose_phone(draw)
            if pair.thorough:
                self.probe_one("H1")
                self._note_record()
        entries = [*self.transcript, *(("log", line) for line in lines)]
        self._end_game()
        return entries

    def lose_phone(self, draw: random.Random) -> None:
        """Let the fugitive's phone be silent for a minute, or agree that it is lost. Then all play
        on on paper for a while, and the fugitive answers at random.
        """
        self.request("paired", "switch_to_paper")
        self.note_updates("on paper?")
        self._all_agree(without="F")
        if draw.random() < 0.5:
            assert self.phones["F"].request("vote", agree=True)["ok"]
        else:
            self.clock.advance(60)
        self.note_updates("on paper")
        assert self.table.snapshot()["view"]["options"]["path"] == "paper"
        for _ in range(PAPERWORK):
            self.request("H1", "hello")
            self.get(draw.choice(self.paths()))
            actions = self._actions_that_continue()
            if not actions:
                break
            self.request("paired", "submit", actions=[encode_action(draw.choice(actions))])
            self.note_updates("told on paper")

    def _actions_that_continue(self) -> list[Action]:
        """Return the legal actions that do not end the game, which would open the seals."""
        state = self.table.state.run.state
        seat = GAME.to_move(state.public)
        assert seat is not None
        return [
            action
            for action in GAME.legal_actions(view(state, seat))
            if GAME.fold(
                GAME.decide(state, seat, action, random.Random(0)).events, state
            ).public.outcome
            is None
        ]

    def flee(self, turn: ManhuntTurn, private: Behaviour) -> None:
        """Play a secret turn; the fugitive's behaviour before it commits, and the time, are
        private.
        """
        phone = self.phones["F"]
        commit = private.hesitation + private.draw.randrange(THINKING // 2)
        waiting: list[Json] = []
        for beat in range(NIGHT):
            if beat < commit and not waiting and private.draw.random() < 0.3:
                waiting = [{"do": "submit", "actions": ILLEGAL}]
            if beat == commit:
                waiting.append({"do": "submit", "actions": encode_actions(turn.actions)})
            if beat % TICK == 0:
                request = waiting.pop(0) if waiting else {"do": "blank"}
                message, nonce = phone.seal({"id": phone.new_id(), **request})
                reply = phone.post("/channel", message)
                phone.sizes.add((len(message), len(reply.data)))
                self.note("wire F", reply.head + b" %d %d" % (len(message), len(reply.data)))
                answer = phone.open(reply.data)
                assert nonce == answer.pop("re")
                assert answer["ok"] or request["actions"] == ILLEGAL, answer
            self.clock.advance(BEAT)
            self.note_updates(f"hidden turn {beat}", to_mark=beat % LOOKS == 0)
            if beat % 20 == 0:
                self.request("H1", "hello")
                self.get("/odds.json")
                self.get("/suggestion.json")
            snapshot = self.table.snapshot()
            if beat > commit and not waiting and not (snapshot["secret"] or snapshot["revealing"]):
                break
        self.note("sizes", sorted(phone.sizes))


def is_lost(pair: CardPair) -> bool:
    """Return whether a pair continues on paper at its end."""
    return pair.seed % 3 == 0 and not pair.thorough


def make_pair(
    seed: int, players: int, turns: int, whole_every: int, game: str = GAME.name
) -> CardPair:
    """Return pair `seed` of about `turns` turns; every `whole_every` is longer and thorough."""
    draw = random.Random(f"{game} {seed} {players}")
    return CardPair(
        seed, twins(draw, players, draw.randrange(turns, 3 * turns)), seed % whole_every == 1
    )
