"""The twin run of Manhunt over real sockets: where the fugitive is, and how it came there."""

from __future__ import annotations

import random

import msgspec

from companion.core.codec import encode_action, encode_actions
from companion.core.game import Action
from companion.core.view import view
from tests.secrecy.http import (
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
from tests.secrecy.http_cards import CardPair, CardSide
from tests.secrecy.paired_cards import CardTurn
from tests.secrecy.paired_manhunt import GAME, ManhuntTurn, twins
from tests.server.client import Json

ILLEGAL: list[Json] = [{"type": "step", "to": "1", "kind": "nowhere"}, {"type": "end"}]
"""What no fugitive may do."""
PAPERWORK = 12
"""What is done and told on paper after a phone was lost."""


class ManhuntSide(CardSide):
    """One side's server; the fugitive alone has a secret."""

    game_name = GAME.name
    first = "F"
    probes: Probes = (
        ("hello", {}), ("blank", {}), ("reveal", {}), ("again", {}), ("start", {}), ("forfeit", {}),
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
        self.chance.begin(pair.seed)
        self.secret = frozenset({"F"})
        with logged() as lines:
            self.table.start()
            self.look("start")
            draw = random.Random(pair.seed)
            for number, turn in enumerate(game_table):
                if turn.is_secret:
                    self.flee(turn, private)
                else:
                    self.get("/likely.json")
                    tried = CardTurn(turn.seat, turn.action)
                    self.declare(tried, "H1", draw, thorough=pair.thorough and number in (2, 9))
            self.look("last")
            if is_lost(pair) and self.table.snapshot()["phase"] == "play":
                self.lose_phone(draw)
            if pair.thorough:
                self.probe_one("H1")
                self._leave()
        told = [*self.transcript, *(("log", line) for line in lines)]
        self._again()
        return told

    def lose_phone(self, draw: random.Random) -> None:
        """Let the fugitive's phone be silent for a minute, or agree that it is lost. Then all play
        on on paper for a while, and the fugitive tells at random.
        """
        self.asks("paired", "on_paper")
        self.look("on paper?")
        self._all_agree(without="F")
        if draw.random() < 0.5:
            assert self.phones["F"].ask("consent", agree=True)["ok"]
        else:
            self.clock.advance(60)
        self.look("on paper")
        assert self.table.snapshot()["view"]["options"]["path"] == "paper"
        for _ in range(PAPERWORK):
            self.asks("H1", "hello")
            self.get(draw.choice(self.paths()))
            actions = self._going_on()
            if not actions:
                break
            self.asks("paired", "submit", actions=[encode_action(draw.choice(actions))])
            self.look("told on paper")

    def _going_on(self) -> list[Action]:
        """Return what may be done or told now and does not end the game, which opens the seals."""
        state = self.table.state.run.state
        seat = GAME.to_move(state.public)
        assert seat is not None
        return [
            action
            for action in GAME.legal_actions(view(state, seat))
            if GAME.fold(GAME.decide(state, seat, action, random.Random(0)), state).public.outcome
            is None
        ]

    def flee(self, turn: ManhuntTurn, private: Behaviour) -> None:
        """Play a secret turn; how the fugitive behaves before it commits, and when it does, is its
        own affair.
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
                asked = waiting.pop(0) if waiting else {"do": "blank"}
                message, nonce = phone.seal({"id": phone.new_id(), **asked})
                reply = phone.post("/channel", message)
                phone.sizes.add((len(message), len(reply.data)))
                self.note("wire F", reply.head + b" %d %d" % (len(message), len(reply.data)))
                answer = phone.open(reply.data)
                assert nonce == answer.pop("re")
                assert answer["ok"] or asked["actions"] == ILLEGAL, answer
            self.clock.advance(BEAT)
            self.look(f"hidden turn {beat}", hear=beat % LOOKS == 0)
            if beat % 20 == 0:
                self.asks("H1", "hello")
                self.get("/likely.json")
            snapshot = self.table.snapshot()
            if beat > commit and not waiting and not (snapshot["secret"] or snapshot["telling"]):
                break
        self.note("sizes", sorted(phone.sizes))


def is_lost(pair: CardPair) -> bool:
    """Return whether a pair goes on on paper at its end."""
    return pair.seed % 3 == 0 and not pair.thorough


def make_pair(
    seed: int, players: int, turns: int, whole_every: int, game: str = GAME.name
) -> CardPair:
    """Return pair `seed` of about `turns` turns; every `whole_every` is longer and thorough."""
    draw = random.Random(f"{game} {seed} {players}")
    return CardPair(
        seed, twins(draw, players, draw.randrange(turns, 3 * turns)), seed % whole_every == 1
    )
