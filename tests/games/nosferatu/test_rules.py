"""Nosferatu: the cases of the rules, on positions written as in the rules."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Literal

import msgspec
import pytest
from msgspec.structs import replace

from companion.core.codec import decode_action, encode_actions
from companion.core.game import Action, IllegalAction, InvalidSetup, Seat, State
from companion.core.hexgrid import Hexgrid
from companion.core.placement import Cell, Pawn, PositionEdit
from companion.core.view import view
from companion.games.nosferatu import movement
from companion.games.nosferatu.actions import PASS, Enter, Jump, Move, Pass
from companion.games.nosferatu.events import PieceJumped
from companion.games.nosferatu.options import (
    FIELD,
    SEATS,
    VAMPIRES,
    VILLAGERS,
    Hands,
    Options,
    Position,
    Setup,
)
from companion.games.nosferatu.rules import Nosferatu
from companion.games.nosferatu.state import Public, other

GAME = Nosferatu()
EXAMPLE = (".x..", "..x.w", "sx....", ".x..w..", "..www.", "...w.", ".www")
"""The position that the rules publish."""
NO_SAFE_CELL = "s d1 x a1 a4 b2 b5 c6 d3 d6 d7 e3 e7 f5 f7 g4 g7 w c4"
"""A villager in hand has no cell here where it cannot be taken at once; the one on the board can
move.
"""


def at(pieces: str, hands: str = "", to_move: str = "vampires", **options: Any) -> State:
    """Return the position with pieces such as "s a1 w b2 c3" and hands such as "s xx w". Nosferatu
    and one villager, unless named, are in hand, so that the game goes on.
    """
    standing: dict[str, str] = {}
    letter = ""
    for word in pieces.split():
        if len(word) == 1:
            letter = word
        else:
            standing[word] = letter
    hand_pieces = hands.replace(" ", "")
    letters = [*standing.values(), *hand_pieces]
    in_hand = Hands(
        nosferatu=hand_pieces.count("s") or int("s" not in letters),
        vampires=hand_pieces.count("x"),
        villagers=hand_pieces.count("w") or int("w" not in letters),
    )
    rows = tuple("".join(standing.get(cell, ".") for cell in row) for row in FIELD.rows)
    return start(Setup(Options(**options), Position(rows, in_hand, to_move)))  # type: ignore[arg-type]


def start(setup: Setup) -> State:
    state = GAME.initial()
    for event in GAME.setup(SEATS, setup, Random(0)):
        state = GAME.evolve(state, event)
    return state


def random_position(rng: Random) -> State:
    """Return a position of up to 16 pieces, Nosferatu among them, with chain safety; one more of
    each side is in hand.
    """
    cells = rng.sample(FIELD.cells, rng.randint(3, 16))
    villagers = rng.randint(1, min(7, len(cells) - 1))
    pieces = (
        f"s {cells[0]} w {' '.join(cells[1 : 1 + villagers])} x {' '.join(cells[1 + villagers :])}"
    )
    return at(pieces, "x w", entry_safe="chain")


def can_take(public: Public, seat: Seat, cell: Cell) -> bool:
    """Return whether any capture of the other side takes a piece of `seat` put on the cell."""
    taken = public.hands[seat][0]
    todo = [replace(public, pieces={**public.pieces, taken: cell}, to_move=other(seat))]
    while todo:
        state = todo.pop()
        for jump in movement.jumps(state, other(seat)):
            draft = GAME.decide(State(state), other(seat), jump, Random(0))
            first, *then = draft.events
            if isinstance(first, PieceJumped) and first.taken == taken:
                return True
            if not then:
                todo.append(draft.state.public)
    return False


def example() -> State:
    """Return the example, villagers to move."""
    return start(Setup(position=Position(EXAMPLE, to_move="villagers")))


def legal(state: State) -> list[Action]:
    seat = state.public.to_move
    return list(GAME.legal_actions(view(state, seat)))


def notations(state: State) -> list[str]:
    """Return the legal actions in the rules' notation: "d3-c2", "b2:d2", "a2:e2+" (converted),
    "w*c3" (entered).
    """
    return [word(state, action) for action in legal(state)]


def word(state: State, action: Action) -> str:
    match action:
        case Jump(pawn=pawn, to=to, convert=convert):
            return f"{state.public.pieces[pawn]}:{to}{'+' if convert else ''}"
        case Move(pawn=pawn, to=to):
            return f"{state.public.pieces[pawn]}-{to}"
        case Enter(pawn=pawn, to=to):
            return f"{ {'n': 's', 'v': 'x', 'm': 'w'}[pawn[0]] }*{to}"
        case Pass():
            return "pass"
    raise AssertionError(action)


def act(state: State, action: Action) -> State:
    assert state.public.to_move is not None
    for event in GAME.decide(state, state.public.to_move, action, Random(0)).events:
        state = GAME.evolve(state, event)
    return state


def play(state: State, *words: str) -> State:
    for wanted in words:
        state = act(state, next(action for action in legal(state) if wanted == word(state, action)))
    return state


def chains(state: State, so_far: str = "") -> list[str]:
    """Return every whole capture of the seat to move, as "a1:d4+:f6"."""
    seat, matches = state.public.to_move, []
    for action in legal(state):
        assert isinstance(action, Jump)
        jump = word(state, action)
        text = f"{so_far}{jump[2:]}" if so_far else jump
        after = act(state, action)
        matches += chains(after, text) if after.public.to_move == seat else [text]
    return matches


def refusal(state: State, action: Action) -> str:
    assert action not in legal(state)
    seat = state.public.to_move
    assert seat is not None
    with pytest.raises(IllegalAction) as error:
        GAME.decide(state, seat, action, Random(0))
    return error.value.message.code


def entering(letter: str, cell: str) -> Enter:
    return Enter(Pawn({"w": "m1", "x": "v1", "s": "n"}[letter]), Cell(cell))


def pawn_at(state: State, cell: str) -> Pawn:
    pawn: Pawn = state.public.standing[Cell(cell)]
    return pawn


def move(state: State, origin: str, to: str) -> Move:
    return Move(pawn_at(state, origin), Cell(to))


def captured(state: State) -> tuple[list[Pawn], list[Pawn]]:
    """Return the captured pieces in the view: those removed and those turned."""
    public_view = GAME.encode_view(view(state, None))
    return public_view["taken"], public_view["turned"]


class TestExample:
    def test_position(self) -> None:
        """The published example is set up as the rules show it: x b5 c5 b3 b2, s a2, w e7 e5 d3 e4
        f5 f4 e2 f3 g4.
        """
        state = example()
        cells = {
            letter: sorted(c for c, p in state.public.standing.items() if p[0] == letter)
            for letter in "vnm"
        }

        assert ["b2", "b3", "b5", "c5"] == cells["v"]
        assert ["a2"] == cells["n"]
        assert ["d3", "e2", "e4", "e5", "e7", "f3", "f4", "f5", "g4"] == cells["m"]

    def test_forced_lines(self) -> None:
        """After d3-c2 everything is forced: b2:d2, e2:c2, then a2:d2:g5 or a2:e2 with 4 and 2
        choices, then Nosferatu falls to g4:g6 or f3:d1, whatever was converted.
        """
        state = example()
        assert not any(isinstance(action, Jump) for action in legal(state))
        state = play(state, "d3-c2")
        assert ["b2:d2"] == notations(state)
        state = play(state, "b2:d2")
        assert ["e2:c2"] == notations(state)
        state = play(state, "e2:c2")
        assert sorted(
            ["a2:d2:g5", "a2:d2:g5+", "a2:d2+:g5", "a2:d2+:g5+", "a2:e2", "a2:e2+"]
        ) == sorted(chains(state))
        ends = 0
        for chain in chains(state):
            after = state
            first, *rest = chain.split(":")
            cell = first
            for jump in rest:
                after = play(after, f"{cell}:{jump}")
                cell = jump.rstrip("+")
            killers = [w for w in notations(after) if w in ("g4:g6", "f3:d1")]
            assert 1 == len(killers)
            over = play(after, killers[0])
            ends += 1
            assert ("villagers", "nosferatu_taken") == (
                over.public.outcome.winner,
                over.public.outcome.reason,
            )
        assert 6 == ends


class TestEntering:
    def test_case_2_centre(self) -> None:
        """The very first piece may not go to the centre; later ones may, if they are safe there."""
        state = start(Setup())

        assert "not_the_centre_first" == refusal(state, entering("x", "d4"))
        assert "w*d4" in notations(play(state, "x*a1"))

    @pytest.mark.parametrize(
        ("pieces", "letter", "cell", "is_legal"),
        [
            pytest.param("w d4", "x", "e4", False, id="3 d4:f4"),
            pytest.param("w f4", "x", "g4", True, id="4 edge behind"),
            pytest.param("w d4 f4", "x", "e4", True, id="5 landing blocked"),
            pytest.param("s a1", "w", "c3", False, id="6 flight"),
            pytest.param("s a1", "w", "g7", True, id="7 no landing behind"),
            pytest.param("s a1 x d4", "w", "c3", False, id="8 d4:b2"),
            pytest.param("x a1", "w", "c3", True, id="9 too far"),
            pytest.param("w d3", "s", "d4", False, id="10 d3:d5"),
        ],
    )
    def test_safe_cells(self, pieces: str, letter: str, cell: str, is_legal: bool) -> None:
        """A piece is entered only where no enemy could take it with the first jump of a capture."""
        state = at(pieces, letter, "villagers" if letter == "w" else "vampires")
        action = next(
            (
                a
                for a in legal(state)
                if isinstance(a, Enter) and word(state, a) == f"{letter}*{cell}"
            ),
            None,
        )

        assert is_legal == (action is not None)
        if not is_legal:
            hand = state.public.hands[state.public.to_move]
            pawn = next(pawn for pawn in hand if pawn[0] == {"w": "m", "x": "v", "s": "n"}[letter])
            assert "open_to_attack" == refusal(state, Enter(pawn, Cell(cell)))

    def test_case_11_capture_first(self) -> None:
        """A side that can capture may not enter."""
        state = at("x d4 w e4 s a1", "x")

        assert "must_capture" == refusal(state, Enter(Pawn("v2"), Cell("a4")))

    def test_case_24_each_for_himself(self) -> None:
        """Vampires that have all entered move, while villagers still enter."""
        state = at("s a1 x a4 w g7", "wwwwww")

        assert all(isinstance(action, Move) for action in legal(state))
        after = play(state, "a4-a3")
        assert all(isinstance(action, Enter) for action in legal(after))

    def test_case_25_no_moving_with_a_hand(self) -> None:
        """With pieces in hand and a safe cell nobody moves."""
        state = at("s a1 w g7", "x")

        assert "must_enter" == refusal(state, move(state, "a1", "a2"))

    def test_without_a_safe_cell_moving_is_allowed(self) -> None:
        """With a villager in hand but no safe cell for him, villagers move."""
        state = at(NO_SAFE_CELL, "w", "villagers")

        assert {Move} == {type(action) for action in legal(state)}
        assert "open_to_attack" == refusal(state, Enter(Pawn("m2"), Cell("d4")))

    def test_entry_safe_chain(self) -> None:
        """With `entry_safe = "chain"` later jumps of a capture count as well."""
        pieces = "x a1 w b2 s b5"

        assert "w*d4" in notations(at(pieces, "w", "villagers"))
        assert "w*d4" not in notations(at(pieces, "w", "villagers", entry_safe="chain"))

    def test_a_chain_ends_with_nosferatu(self) -> None:
        """A capture that takes Nosferatu ends the game, so that what it could take after him is
        safe.
        """
        takes_nosferatu = at("w a1 s b2", "x", entry_safe="chain")
        takes_a_vampire = at("w a1 x b2 s g4", "x", entry_safe="chain")

        assert "x*d4" in notations(takes_nosferatu)
        assert "x*d4" not in notations(takes_a_vampire)

    @pytest.mark.parametrize("seed", range(6))
    def test_chain_safety_is_what_captures_do(self, seed: int) -> None:
        """A cell is open to attack if the enemy, to move, can play a capture, with any choice to
        convert, that takes the piece on it.
        """
        rng = Random(seed)
        for _ in range(12):
            public = random_position(rng).public
            for seat in SEATS:
                open_cells = movement.exposed_cells(public, seat)
                for cell in rng.sample(
                    [cell for cell in FIELD.cells if cell not in public.standing], 5
                ):
                    assert can_take(public, seat, cell) == (cell in open_cells)

    def test_no_safe_cell_option(self) -> None:
        """With `no_safe_cell = "pass"` a side with pieces in hand and no safe cell passes; with an
        empty hand it moves.
        """
        waiting = at(NO_SAFE_CELL, "w", "villagers", no_safe_cell="pass")
        moving = at(NO_SAFE_CELL, "", "villagers", no_safe_cell="pass")

        assert None is waiting.public.outcome
        assert ["pass"] == notations(waiting)
        assert "piece_in_hand" == refusal(waiting, move(waiting, "c4", "b4"))
        assert {Move} == {type(action) for action in legal(moving)}

    def test_any_piece_of_a_kind(self) -> None:
        """Pieces of a kind are alike: whichever of the hand is entered is accepted."""
        state = start(Setup())

        assert act(state, Enter(Pawn("v4"), Cell("a1"))).public.pieces == {"v4": "a1"}
        assert "not_in_hand" == refusal(state, Enter(Pawn("v6"), Cell("a1")))
        assert "not_in_hand" == refusal(state, Enter(Pawn("m1"), Cell("a1")))


class TestCaptures:
    @pytest.mark.parametrize(
        ("pieces", "expected"),
        [
            pytest.param("s a1 w b2 c3", [], id="12 two in line"),
            pytest.param("s a1 w c3 d4", [], id="14 two in line further on"),
            pytest.param("x a1 w b2 d4", ["a1:c3:e5"], id="15 both compulsory"),
            pytest.param("x a1 w b2 d3 d5", ["a1:c3:e3"], id="16 one way on"),
            pytest.param("x d4 w e5 d5 s a1", ["d4:d6", "d4:f6"], id="19 free choice"),
        ],
    )
    def test_whole_captures(self, pieces: str, expected: list[str]) -> None:
        """A capture goes on with the same piece as long as it can, and any may be chosen."""
        state = at(pieces)
        captures = chains(state) if any(isinstance(a, Jump) for a in legal(state)) else []

        assert expected == sorted(captures)

    def test_case_13_flight(self) -> None:
        """Nosferatu takes from afar and may land anywhere behind the piece; he may not stop where
        he can go on.
        """
        state = at("s a1 w c3 e5")
        choices = chains(state)

        assert 8 == len([chain for chain in choices if chain.startswith("a1:d4")])
        assert {"f6", "g7"} == {
            chain.rstrip("+").split(":")[2] for chain in choices if chain.startswith("a1:d4")
        }
        on_d4 = play(state, "a1:d4")
        assert VAMPIRES == on_d4.public.to_move
        assert "must_go_on" == refusal(on_d4, PASS)

    def test_case_17_one_turn(self) -> None:
        """A man takes two pieces in one turn."""
        assert ["d4:f4:f6"] == chains(at("w d4 x e4 f5 s g6", to_move="villagers"))

    def test_case_18_own_piece_blocks(self) -> None:
        """Nosferatu does not jump his own pieces, and a vampire removes what it takes."""
        assert ["b2:d4"] == chains(at("s a1 x b2 w c3"))

    def test_case_20_emptied_cells(self) -> None:
        """Cells emptied in the chain may be landed on; a piece without a free cell behind it
        stays.
        """
        state = at("s d1 w d3 d5 d7")

        assert "d1:d4:d6" in chains(state)
        after = play(state, "d1:d4", "d4:d6")
        assert Cell("d7") in after.public.standing

    def test_case_21_a_converted_villager_blocks(self) -> None:
        """A converted piece is a vampire at once and blocks the way; a removed one does not."""
        state = play(at("s b1 w b2 c4 a3 c3"), "b1:b4")
        removed, converted = (
            play(at("s b1 w b2 c4 a3 c3"), "b1:b4"),
            play(at("s b1 w b2 c4 a3 c3"), "b1:b4+"),
        )

        assert VAMPIRES == state.public.to_move
        assert VAMPIRES == play(removed, "b4:d4").public.to_move
        assert {"d4:b2", "d4:a1"} == {w.rstrip("+") for w in notations(play(removed, "b4:d4"))}
        assert VILLAGERS == play(converted, "b4:d4").public.to_move
        for landing in ("e4", "f4", "g4"):
            for before in (removed, converted):
                assert VILLAGERS == play(before, f"b4:{landing}").public.to_move

    def test_case_22_nosferatu_taken_midway(self) -> None:
        """The jump that takes Nosferatu ends the game, though the chain could go on."""
        over = play(at("w a1 s b2 x d4", to_move="villagers"), "a1:c3")

        assert ("villagers", "nosferatu_taken") == (
            over.public.outcome.winner,
            over.public.outcome.reason,
        )
        assert [] == legal(over)

    def test_case_23_the_hand_counts(self) -> None:
        """With a villager in hand the last one on the board is not the end; without one it is."""
        goes_on = play(at("x a1 w b2 s g7", "w"), "a1:c3")
        over = play(at("x a1 w b2 s g7"), "a1:c3")

        assert (None, VILLAGERS) == (goes_on.public.outcome, goes_on.public.to_move)
        assert ("vampires", "villagers_gone") == (
            over.public.outcome.winner,
            over.public.outcome.reason,
        )

    def test_case_27_the_converted_must_capture(self) -> None:
        """A turned villager is a vampire, and must capture like one."""
        assert ["d3:b1"] == notations(play(at("s b3 w b2 d3"), "b3:e3+", "b2-c2"))

    def test_the_view_has_captured_pieces(self) -> None:
        """The view shows which pieces left the board and which villagers were turned."""
        state = at("s b3 w b2 d3")
        villager = state.public.standing[Cell("d3")]
        removed, converted = play(state, "b3:e3"), play(state, "b3:e3+")

        assert ([villager], []) == captured(removed)
        assert ([], [villager]) == captured(converted)

    def test_only_nosferatu_converts(self) -> None:
        """A vampire removes; Nosferatu turns only villagers."""
        state = at("x a1 w b2 s g7")

        assert "cannot_convert" == refusal(state, Jump(pawn_at(state, "a1"), Cell("c3"), True))


class TestMoving:
    def test_case_26_no_leaps(self) -> None:
        """Nosferatu does not move through a piece, a man goes one step."""
        state = at("s a1 x a3 w g7")

        assert "no_such_move" == refusal(state, move(state, "a1", "a4"))
        villagers = play(state, "a3-a4")
        assert "no_such_move" == refusal(villagers, move(villagers, "g7", "e7"))

    def test_not_the_others(self) -> None:
        """Nobody moves the other side's pieces, or pieces that do not exist."""
        state = at("s a1 w g7")

        assert "not_your_piece" == refusal(state, move(state, "g7", "f7"))
        assert "no_such_piece" == refusal(state, Move(Pawn("v9"), Cell("a2")))

    def test_no_passing(self) -> None:
        """A side that can act may not pass."""
        assert "may_not_pass" == refusal(at("s a1 w g7"), PASS)


class TestEnds:
    def shut_in(self, **options: Any) -> State:
        """Return a villager in the corner a1 with vampires around that he cannot take; he is to
        move.
        """
        return at("w a1 x a2 b2 b1 a3 c3 c1 s g7", to_move="villagers", **options)

    def test_pass(self) -> None:
        """Without any legal turn a side passes."""
        state = self.shut_in()

        assert ["pass"] == notations(state)
        assert VAMPIRES == play(state, "pass").public.to_move

    @pytest.mark.parametrize(("stalemate", "winner"), [("loss", "vampires"), ("draw", "draw")])
    def test_stalemate_options(self, stalemate: str, winner: str) -> None:
        """With `stalemate` set otherwise a side without a legal turn has lost, or nobody has
        won.
        """
        over = self.shut_in(stalemate=stalemate)

        assert (winner, "stalemate") == (over.public.outcome.winner, over.public.outcome.reason)

    @pytest.mark.parametrize("no_safe_cell", ["move", "pass"])
    def test_stalemate_with_a_piece_in_hand(self, no_safe_cell: Literal["move", "pass"]) -> None:
        """A side that can only pass has lost, also if it has a piece in hand and no safe cell."""
        rows = ("x..x", "..s..", ".x..x.", "x..x..x", ".xx.x.", ".xxx.", "x..x")
        options = Options(no_safe_cell=no_safe_cell, stalemate="loss")

        over = start(Setup(options, Position(rows, Hands(villagers=1), "villagers")))

        assert ("vampires", "stalemate") == (over.public.outcome.winner, over.public.outcome.reason)

    def test_repetition(self) -> None:
        """The third time a position stands with the same side to move is a draw; without `draws` it
        is not.
        """
        back_and_forth = ["a1-a2", "g7-f7", "a2-a1", "f7-g7"] * 2
        drawn, endless = at("s a1 w g7"), at("s a1 w g7", draws=False)

        over = play(drawn, *back_and_forth)
        assert ("draw", "repetition") == (over.public.outcome.winner, over.public.outcome.reason)
        assert VAMPIRES == play(endless, *back_and_forth).public.to_move


class TestSetup:
    @pytest.mark.parametrize(("vampires", "villagers"), [(6, 12), (17, 1), (16, 2)])
    def test_no_more_vampires_than_can_be_converted(self, vampires: int, villagers: int) -> None:
        """Vampires are the five dealt ones and the converted villagers: at most 17 of both
        kinds.
        """
        with pytest.raises(InvalidSetup, match="too_many_pieces"):
            start(Setup(position=Position((), Hands(1, vampires, villagers))))
        start(Setup(position=Position((), Hands(1, vampires - 1, villagers))))

    def test_start(self) -> None:
        """Vampires begin, five and Nosferatu in hand, against twelve villagers, on an empty
        board.
        """
        state = start(Setup())

        assert (VAMPIRES, 6, 12, {}) == (
            state.public.to_move,
            len(state.public.hands[VAMPIRES]),
            len(state.public.hands[VILLAGERS]),
            state.public.pieces,
        )

    @pytest.mark.parametrize(
        ("reason", "rows", "hands"),
        [
            ("position_rows", ("....",), Hands(1, 5, 12)),
            ("position_letter", ("q...", *("." * len(r) for r in FIELD.rows[1:])), Hands(1, 5, 12)),
            ("too_many_pieces", ("ss..", *("." * len(r) for r in FIELD.rows[1:])), Hands(0, 0, 1)),
            ("position_is_over", ("s...", *("." * len(r) for r in FIELD.rows[1:])), Hands()),
            ("position_is_over", ("w...", *("." * len(r) for r in FIELD.rows[1:])), Hands()),
        ],
    )
    def test_unplayable(self, reason: str, rows: Sequence[str], hands: Hands) -> None:
        """A position that cannot be read, or is over already, is refused with a sentence."""
        with pytest.raises(InvalidSetup, match=reason):
            GAME.setup(SEATS, Setup(position=Position(tuple(rows), hands)), Random(0))

    def test_no_rows_are_the_empty_board(self) -> None:
        """A position without rows is the empty board with these hands."""
        position = msgspec.convert({"hands": {"nosferatu": 1, "villagers": 2}}, Position)
        public = start(Setup(position=position)).public

        assert {} == public.pieces
        assert {"vampires": 1, "villagers": 2} == {
            seat: len(hand) for seat, hand in public.hands.items()
        }

    def test_starts_again(self) -> None:
        """The set-up that `to_setup` returns starts the same game."""
        state = example()
        setup = GAME.to_setup(state)

        assert state == start(
            Setup(Options(), Position(tuple(setup["position"]["rows"]), Hands(), "villagers"))
        )


class TestByHand:
    def test_set(self) -> None:
        """Everybody agrees where pieces of both sides stand, and they are set there; nobody's turn
        is used up.
        """
        state = at("s a1 x a4 w g7")
        for event in GAME.set_position(
            state.public, PositionEdit({Pawn("v1"): Cell("d4"), Pawn("m1"): Cell("f6")})
        ):
            state = GAME.evolve(state, event)

        assert {"n": "a1", "v1": "d4", "m1": "f6"} == state.public.pieces
        assert VAMPIRES == state.public.to_move

    @pytest.mark.parametrize(
        ("reason", "arrangement"),
        [
            ("no_such_piece", PositionEdit({Pawn("v9"): Cell("d4")})),
            ("no_such_cell", PositionEdit({Pawn("v1"): Cell("a7")})),
            ("cell_taken", PositionEdit({Pawn("v1"): Cell("a1")})),
            ("token_not_here", PositionEdit({}, {Cell("d4"): None})),
            ("nothing_set", PositionEdit({Pawn("v1"): Cell("a4")})),
        ],
    )
    def test_refused(self, reason: str, arrangement: PositionEdit) -> None:
        """A position that no board can have, and one that changes nothing, are refused."""
        with pytest.raises(IllegalAction, match=reason):
            GAME.set_position(at("s a1 x a4 w g7").public, arrangement)

    def test_not_in_a_capture(self) -> None:
        """In the middle of a capture no piece is set by hand: the capture ends first."""
        state = play(at("x a1 w b2 d4 s g7"), "a1:c3")

        with pytest.raises(IllegalAction, match="must_go_on"):
            GAME.set_position(state.public, PositionEdit({Pawn("n"): Cell("g6")}))


def test_actions_have_names() -> None:
    """The actions of the JSON-lines protocol."""
    actions = [
        Enter(Pawn("v1"), Cell("a1")),
        Move(Pawn("m3"), Cell("c2")),
        Jump(Pawn("n"), Cell("d4"), True),
        PASS,
    ]
    encoded = [
        {"type": "enter", "pawn": "v1", "to": "a1"},
        {"type": "move", "pawn": "m3", "to": "c2"},
        {"type": "jump", "pawn": "n", "to": "d4", "convert": True},
        {"type": "pass"},
    ]

    assert encoded == encode_actions(actions)
    assert actions == [decode_action(GAME, value) for value in encoded]


def test_the_field() -> None:
    """37 cells in seven rows, d4 in the centre with six neighbours, a corner with three."""
    grid = Hexgrid(4)

    assert [4, 5, 6, 7, 6, 5, 4] == [len(row) for row in grid.rows]
    assert [
        ("a4", "d7"),
        ("a3", "e7"),
        ("a2", "f7"),
        ("a1", "g7"),
        ("b1", "g6"),
        ("c1", "g5"),
        ("d1", "g4"),
    ] == [(row[0], row[-1]) for row in grid.rows]
    assert {"c3", "c4", "d3", "d5", "e4", "e5"} == set(grid.neighbours[grid.centre])
    assert {"a2", "b1", "b2"} == set(grid.neighbours[Cell("a1")])
