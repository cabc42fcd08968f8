"""Each row of the design's table of hard spots, by name (RFID) and by presence."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from companion.core.game import Action, View
from companion.core.placement import Cell, Pawn
from companion.games.vampireradar import VampireRadar
from companion.games.vampireradar.actions import END, CallRadar, TakeBullet, Walk
from companion.sensors.observation import Observation
from companion.sensors.reconcile import (
    Ambiguous,
    InSync,
    Lifted,
    Matched,
    Removals,
    Result,
    Unexplained,
    reconcile,
)
from tests.sensors.fakes import GAME, Record, by_name, by_presence, moved, record

BOTH = pytest.mark.parametrize("observe", [by_name, by_presence], ids=["by_name", "by_presence"])
Moves = Mapping[str, str | None]


def walk(pawn: str, to: str) -> Walk:
    return Walk(pawn=Pawn(pawn), to=Cell(to))


def reconciled(game: Record, observation: Observation, owed: Removals | None = None) -> Result:
    return reconcile(GAME, game.present, observation, owed or {})


def readings(result: Result) -> set[tuple[Action, ...]]:
    assert isinstance(result, Ambiguous | Lifted)
    return set(result.readings)


@BOTH
def test_nothing_changed(observe) -> None:  # type: ignore[no-untyped-def]
    """A table that looks like the record is in sync."""
    game = record({"H1a": "A1", "H2a": "C3"})

    assert InSync() == reconciled(game, observe(game.placement))


@BOTH
class TestOneWalk:
    def test_to_a_free_neighbour(self, observe) -> None:  # type: ignore[no-untyped-def]
        """One pawn to a free neighbour is matched."""
        game = record({"H1a": "A1", "H1b": "F6", "H2a": "C3"})

        assert Matched((walk("H1a", "B1"),)) == reconciled(
            game, observe(moved(game.placement, {"H1a": "B1"}))
        )

    def test_onto_a_radar(self, observe) -> None:  # type: ignore[no-untyped-def]
        """A walk onto a radar is matched as a walk; the call stays a press."""
        game = record({"H1a": "A1", "H1b": "F6"}, tiles=(".r....", *("......",) * 5))

        assert Matched((walk("H1a", "B1"),)) == reconciled(
            game, observe(moved(game.placement, {"H1a": "B1"}))
        )

    def test_through_a_wall(self, observe) -> None:  # type: ignore[no-untyped-def]
        """A step through a wall is unexplained and named by its rule."""
        game = record({"H1a": "A1", "H1b": "F6"}, walls=("A1-B1",))

        result = reconciled(game, observe(moved(game.placement, {"H1a": "B1"})))

        assert isinstance(result, Unexplained)
        assert "wall_between" == result.rule.code
        assert ["A1", "B1"] == [difference.cell for difference in result.differences]

    def test_of_the_wrong_seat(self, observe) -> None:  # type: ignore[no-untyped-def]
        """A pawn of another seat that moves is unexplained and named by its rule."""
        game = record({"H1a": "A1", "H2a": "F6"})

        result = reconciled(game, observe(moved(game.placement, {"H2a": "F5"})))

        assert isinstance(result, Unexplained)
        assert "not_your_pawn" == result.rule.code

    def test_without_an_action_left(self, observe) -> None:  # type: ignore[no-untyped-def]
        """A walk without an action left is unexplained and named by its rule."""
        game = record({"H1a": "A1", "H1b": "F6"}, actions_left=0)

        result = reconciled(game, observe(moved(game.placement, {"H1a": "B1"})))

        assert isinstance(result, Unexplained)
        assert "no_actions_left" == result.rule.code

    def test_over_several_tiles(self, observe) -> None:  # type: ignore[no-untyped-def]
        """A pawn moved across the field is unexplained."""
        game = record({"H1a": "A1", "H1b": "F6"})

        result = reconciled(game, observe(moved(game.placement, {"H1a": "D1"})))

        assert isinstance(result, Unexplained)
        assert "not_neighbours" == result.rule.code


class TestTwoWalksAtOnce:
    @BOTH
    def test_that_offer_nothing(self, observe) -> None:  # type: ignore[no-untyped-def]
        """Two walks on blank tiles are one reading: their order changes nothing."""
        game = record({"H1a": "A1", "H1b": "F6"})

        result = reconciled(game, observe(moved(game.placement, {"H1a": "B1", "H1b": "E6"})))

        assert isinstance(result, Matched)
        assert {walk("H1a", "B1"), walk("H1b", "E6")} == set(result.actions)

    @BOTH
    def test_of_which_one_lands_on_an_offer(self, observe) -> None:  # type: ignore[no-untyped-def]
        """The order decides who may still take the bullet, so it is asked."""
        game = record({"H1a": "A1", "H1b": "F6"}, tiles=(".o....", *("......",) * 5))
        first, second = walk("H1a", "B1"), walk("H1b", "E6")

        result = reconciled(game, observe(moved(game.placement, {"H1a": "B1", "H1b": "E6"})))

        assert {(first, second), (second, first)} == readings(result)

    @BOTH
    def test_whose_offers_do_not_lapse(self, observe) -> None:  # type: ignore[no-untyped-def]
        """With rights that stay until the pawn walks on, the order of two pawns changes nothing."""
        game = record(
            {"H1a": "A1", "H1b": "F6"}, tiles=(".o....", *("......",) * 5), lazy_landing=True
        )

        result = reconciled(game, observe(moved(game.placement, {"H1a": "B1", "H1b": "E6"})))

        assert isinstance(result, Matched)

    @BOTH
    def test_one_more_than_actions_are_left(self, observe) -> None:  # type: ignore[no-untyped-def]
        """A second walk without an action point is unexplained."""
        game = record({"H1a": "A1", "H1b": "F6"}, actions_left=1)

        result = reconciled(game, observe(moved(game.placement, {"H1a": "B1", "H1b": "E6"})))

        assert isinstance(result, Unexplained)

    def test_by_name_the_rule_is_that_no_action_is_left(self) -> None:
        """By name, the second walk is the one too many."""
        game = record({"H1a": "A1", "H1b": "F6"}, actions_left=1)

        result = reconciled(game, by_name(moved(game.placement, {"H1a": "B1", "H1b": "E6"})))

        assert isinstance(result, Unexplained)
        assert "no_actions_left" == result.rule.code

    def test_whose_pairing_is_unclear(self) -> None:
        """By presence, cells that pair as walks in two ways are asked."""
        game = record({"H1a": "A1", "H1b": "B2"})

        result = reconciled(game, by_presence(moved(game.placement, {"H1a": "B1", "H1b": "A2"})))

        assert {frozenset(reading) for reading in readings(result)} == {
            frozenset({walk("H1a", "B1"), walk("H1b", "A2")}),
            frozenset({walk("H1a", "A2"), walk("H1b", "B1")}),
        }

    def test_that_exchange_two_pawns_by_name(self) -> None:
        """An exchange of two pawns is more likely a mistake than two walks, so it is asked."""
        game = record({"H1a": "A1", "H1b": "B1"})

        result = reconciled(game, by_name(moved(game.placement, {"H1a": "B1", "H1b": "A1"})))

        assert {frozenset({walk("H1a", "B1"), walk("H1b", "A1")})} == {
            frozenset(each) for each in readings(result)
        }

    def test_that_exchange_two_pawns_by_presence(self) -> None:
        """By presence an exchange is invisible and harmless."""
        game = record({"H1a": "A1", "H1b": "B1"})

        assert InSync() == reconciled(
            game, by_presence(moved(game.placement, {"H1a": "B1", "H1b": "A1"}))
        )


class TestLeavingASharedCell:
    def test_by_name(self) -> None:
        """By name it is a walk like any other."""
        game = record({"H1a": "A1", "H1b": "A1", "H2a": "A1"})

        assert Matched((walk("H1b", "B1"),)) == reconciled(
            game, by_name(moved(game.placement, {"H1b": "B1"}))
        )

    def test_of_which_only_one_is_the_seats(self) -> None:
        """By presence, the one pawn of the seat beside the new cell walks."""
        game = record({"H1a": "A1", "H2a": "A1"})

        assert Matched((walk("H1a", "B1"),)) == reconciled(
            game, by_presence(moved(game.placement, {"H1a": "B1"}))
        )

    def test_with_the_same_colour_and_rights(self) -> None:
        """Pawns of one colour with the same rights are equal: the lowest letter walks."""
        game = record({"H1a": "A1", "H1b": "A1", "H1c": "A1"})

        assert Matched((walk("H1a", "B1"),)) == reconciled(
            game, by_presence(moved(game.placement, {"H1c": "B1"}))
        )

    def test_two_of_one_colour_for_two_cells(self) -> None:
        """Two of them that leave for two blank cells are one reading too."""
        game = record({"H1a": "A1", "H1b": "A1", "H2a": "A1"})

        result = reconciled(game, by_presence(moved(game.placement, {"H1a": "A2", "H1b": "B1"})))

        assert isinstance(result, Matched)
        assert {walk("H1a", "A2"), walk("H1b", "B1")} == set(result.actions) or {
            walk("H1b", "A2"),
            walk("H1a", "B1"),
        } == set(result.actions)

    def test_with_other_rights(self) -> None:
        """If only one of them may still call the radar, the pawn that left is asked."""
        game = record(
            {"H1a": "A1", "H1b": "B1"}, tiles=(".r....", *("......",) * 5), actions_left=2
        )
        game.play(walk("H1a", "B1"))

        result = reconciled(game, by_presence(moved(game.placement, {"H1a": "B2"})))

        assert {(walk("H1a", "B2"),), (walk("H1b", "B2"),)} == readings(result)

    def test_from_two_shared_cells(self) -> None:
        """Candidates on several neighbouring shared cells are asked."""
        game = record({"H1a": "A1", "H2a": "A1", "H1b": "C1", "H2b": "C1"})

        result = reconciled(game, by_presence(moved(game.placement, {"H1a": "B1"})))

        assert {(walk("H1a", "B1"),), (walk("H1b", "B1"),)} == readings(result)

    def test_by_two_steps(self) -> None:
        """Two steps straight from a shared cell are found although no cell becomes empty."""
        game = record({"H1a": "A1", "H2a": "A1"})

        result = reconciled(game, by_presence(moved(game.placement, {"H1a": "C1"})))

        assert Matched((walk("H1a", "B1"), walk("H1a", "C1"))) == result


class TestJoiningAnOccupiedCell:
    def test_by_name(self) -> None:
        """By name it is a walk like any other."""
        game = record({"H1a": "A1", "H2a": "B1"})

        assert Matched((walk("H1a", "B1"),)) == reconciled(
            game, by_name(moved(game.placement, {"H1a": "B1"}))
        )

    def test_by_presence(self) -> None:
        """A cell that becomes empty while none becomes occupied is never matched: the pawn is
        lifted, and each neighbour is offered.
        """
        game = record({"H1a": "A1", "H2a": "B1", "H2b": "A2"})

        result = reconciled(game, by_presence(moved(game.placement, {"H1a": "B1"})))

        assert isinstance(result, Lifted)
        assert ("A1",) == result.cells
        assert {(walk("H1a", "B1"),), (walk("H1a", "A2"),)} == readings(result)

    def test_beside_a_clear_walk(self) -> None:
        """A join beside a walk is asked: the first pawn may still be lifted."""
        game = record({"H1a": "A1", "H2a": "B1", "H1b": "F6"}, walls=("A1-A2",))

        result = reconciled(game, by_presence(moved(game.placement, {"H1a": "B1", "H1b": "E6"})))

        assert isinstance(result, Ambiguous)


class TestTwoStepsInOneLift:
    @BOTH
    def test_across_the_corner(self, observe) -> None:  # type: ignore[no-untyped-def]
        """A1 to B2 has two paths: both are asked."""
        game = record({"H1a": "A1", "H1b": "F6"})

        result = reconciled(game, observe(moved(game.placement, {"H1a": "B2"})))

        assert {
            (walk("H1a", "A2"), walk("H1a", "B2")),
            (walk("H1a", "B1"), walk("H1a", "B2")),
        } == readings(result)

    @BOTH
    def test_across_the_corner_with_one_legal_path(self, observe) -> None:  # type: ignore[no-untyped-def]
        """With a wall on one path the other is matched."""
        game = record({"H1a": "A1", "H1b": "F6"}, walls=("A1-A2",))

        result = reconciled(game, observe(moved(game.placement, {"H1a": "B2"})))

        assert Matched((walk("H1a", "B1"), walk("H1a", "B2"))) == result

    @BOTH
    @pytest.mark.parametrize("tile", ["o", "r"])
    def test_across_the_corner_over_an_offer(self, observe, tile: str) -> None:  # type: ignore[no-untyped-def]
        """One legal path that passes an offer is asked."""
        game = record(
            {"H1a": "A1", "H1b": "F6"}, (f".{tile}....", *("......",) * 5), walls=("A1-A2",)
        )

        result = reconciled(game, observe(moved(game.placement, {"H1a": "B2"})))

        assert {(walk("H1a", "B1"), walk("H1a", "B2"))} == readings(result)

    @BOTH
    def test_straight_on(self, observe) -> None:  # type: ignore[no-untyped-def]
        """A1 to A3 over a blank tile is matched."""
        game = record({"H1a": "A1", "H1b": "F6"})

        result = reconciled(game, observe(moved(game.placement, {"H1a": "A3"})))

        assert Matched((walk("H1a", "A2"), walk("H1a", "A3"))) == result

    @BOTH
    @pytest.mark.parametrize("tile", ["o", "r"])
    def test_straight_on_over_an_offer(self, observe, tile: str) -> None:  # type: ignore[no-untyped-def]
        """A1 to A3 over a token or a radar is asked, because the right lapses with the next
        action.
        """
        game = record({"H1a": "A1", "H1b": "F6"}, ("......", f"{tile}.....", *("......",) * 4))

        result = reconciled(game, observe(moved(game.placement, {"H1a": "A3"})))

        assert {(walk("H1a", "A2"), walk("H1a", "A3"))} == readings(result)

    def test_over_an_occupied_cell_by_name(self) -> None:
        """By name, the pawn that walked is certain."""
        game = record({"H1a": "A1", "H1b": "A2"})

        result = reconciled(game, by_name(moved(game.placement, {"H1a": "A3"})))

        assert Matched((walk("H1a", "A2"), walk("H1a", "A3"))) == result

    def test_over_an_occupied_cell_by_presence(self) -> None:
        """With A2 occupied throughout, one pawn walked two steps or two walked one: asked."""
        game = record({"H1a": "A1", "H1b": "A2"})

        result = reconciled(game, by_presence(moved(game.placement, {"H1a": "A3"})))

        assert {
            frozenset({walk("H1a", "A2"), walk("H1a", "A3")}),
            frozenset({walk("H1a", "A2"), walk("H1b", "A3")}),
        } == {frozenset(reading) for reading in readings(result)}


class TestTokens:
    TILES = (".o....", *("......",) * 5)

    def test_gone_from_the_landing_tile(self) -> None:
        """A token missing from the landing tile is evidence that the bullet was taken."""
        game = record({"H1a": "A1", "H1b": "F6"}, self.TILES)
        after = moved(game.placement, {"H1a": "B1"}, taken_tokens=("B1",))

        assert Matched((walk("H1a", "B1"), TakeBullet(Pawn("H1a")))) == reconciled(
            game, by_name(after, tokens=True)
        )

    def test_gone_after_the_landing(self) -> None:
        """The same in two observations."""
        game = record({"H1a": "A1", "H1b": "F6"}, self.TILES)
        game.play(walk("H1a", "B1"))

        result = reconciled(
            game, by_name(moved(game.placement, {}, taken_tokens=("B1",)), tokens=True)
        )

        assert Matched((TakeBullet(Pawn("H1a")),)) == result

    def test_gone_from_a_tile_passed_over(self) -> None:
        """Taken on the way, nothing lapses: matched."""
        game = record({"H1a": "A1", "H1b": "F6"}, self.TILES)

        result = reconciled(
            game, by_name(moved(game.placement, {"H1a": "C1"}, taken_tokens=("B1",)), tokens=True)
        )

        assert Matched((walk("H1a", "B1"), TakeBullet(Pawn("H1a")), walk("H1a", "C1"))) == result

    def test_unseen_are_no_evidence(self) -> None:
        """A source without tokens never takes a bullet; a press does."""
        game = record({"H1a": "A1", "H1b": "F6"}, self.TILES)

        assert Matched((walk("H1a", "B1"),)) == reconciled(
            game, by_name(moved(game.placement, {"H1a": "B1"}))
        )

    def test_gone_from_anywhere_else(self) -> None:
        """A token that nobody could take must be put back."""
        game = record({"H1a": "A1", "H1b": "F6"}, ("......", "..o...", *("......",) * 4))

        result = reconciled(
            game, by_name(moved(game.placement, {}, taken_tokens=("C2",)), tokens=True)
        )

        assert isinstance(result, Unexplained)
        assert "board_put_token_back" == result.rule.code

    def test_still_lying_after_it_was_taken(self) -> None:
        """A taken token that still lies there blocks where tokens are observed, and its cell is
        named.
        """
        game = record({"H1a": "A1", "H1b": "F6"}, self.TILES)
        before = game.placement
        game.play(walk("H1a", "B1"), TakeBullet(Pawn("H1a")))
        table = moved(before, {"H1a": "B1", "H1b": "F5"})

        result = reconciled(game, by_name(table, tokens=True))

        assert isinstance(result, Unexplained)
        assert "board_remove_token token=bullet cell=B1" == str(result.rule)
        assert isinstance(reconciled(game, by_presence(table)), Matched)


@BOTH
class TestHands:
    def test_one_pawn_in_the_air(self, observe) -> None:  # type: ignore[no-untyped-def]
        """A pawn missing from its cell is lifted."""
        game = record({"H1a": "A1", "H1b": "F6"})

        result = reconciled(game, observe(moved(game.placement, {"H1a": None})))

        assert isinstance(result, Lifted)
        assert ("A1",) == result.cells

    def test_two_pawns_in_the_air(self, observe) -> None:  # type: ignore[no-untyped-def]
        """Two pawns of any colours may be lifted."""
        game = record({"H1a": "A1", "H1b": "F6", "H2a": "C3"})

        result = reconciled(game, observe(moved(game.placement, {"H1a": None, "H2a": None})))

        assert isinstance(result, Lifted)
        assert ("A1", "C3") == result.cells

    def test_three_pawns_in_the_air(self, observe) -> None:  # type: ignore[no-untyped-def]
        """Three lifted pawns are too many for one turn."""
        game = record({"H1a": "A1", "H1b": "F6", "H2a": "C3", "H2b": "D5"})
        lifted = {"H1a": None, "H1b": None, "H2a": None}

        result = reconciled(game, observe(moved(game.placement, lifted)))

        assert isinstance(result, Unexplained)
        assert "board_many_changes" == result.rule.code

    def test_all_cells_empty(self, observe) -> None:  # type: ignore[no-untyped-def]
        """An empty table is a mistake to be put back; no pawn dies."""
        game = record({"H1a": "A1", "H1b": "F6", "H2a": "C3", "H2b": "C4"})

        result = reconciled(
            game, observe(moved(game.placement, dict.fromkeys(("H1a", "H1b", "H2a", "H2b"))))
        )

        assert isinstance(result, Unexplained)
        assert "board_many_changes" == result.rule.code
        assert 4 == len(result.differences)

    def test_the_table_is_bumped(self, observe) -> None:  # type: ignore[no-untyped-def]
        """Many changes at once are a mistake to be put back."""
        game = record({f"H1{letter}": f"{letter.upper()}1" for letter in "abcdef"})

        result = reconciled(
            game,
            observe(
                moved(game.placement, {f"H1{letter}": f"{letter.upper()}3" for letter in "abcdef"})
            ),
        )

        assert isinstance(result, Unexplained)
        assert "board_many_changes" == result.rule.code


def test_all_cells_occupied() -> None:
    """A board that reports all cells occupied is at fault, and no action explains it."""
    game = record({"H1a": "A1", "H1b": "F6"})
    everything = frozenset(Cell(f"{column}{row}") for column in "ABCDEF" for row in range(1, 7))

    result = reconciled(game, Observation("serial", 0.0, occupied=everything))

    assert isinstance(result, Unexplained)
    assert "board_many_changes" == result.rule.code


@BOTH
def test_a_walk_beside_a_pawn_in_the_air_waits(observe) -> None:  # type: ignore[no-untyped-def]
    """While another pawn is lifted nothing is matched."""
    game = record({"H1a": "A1", "H1b": "F6"})

    assert isinstance(
        reconciled(game, observe(moved(game.placement, {"H1a": "B1", "H1b": None}))), Lifted
    )


@BOTH
class TestSecretTurns:
    def test_a_pawn_moves_in_the_night(self, observe) -> None:  # type: ignore[no-untyped-def]
        """Any move during the night is unexplained, with the same message."""
        game = record({"H1a": "A1", "H1b": "F6"})
        game.play(END)

        for moves in ({"H1a": "B1"}, {"H1a": None}, {"H1a": "D4"}):
            result = reconciled(game, observe(moved(game.placement, moves)))
            assert isinstance(result, Unexplained)
            assert "board_not_now" == str(result.rule)

    def test_the_words_are_the_same_for_each_place_of_the_vampire(self, observe) -> None:  # type: ignore[no-untyped-def]
        """Two games that differ only in the vampire's place have the same result."""
        games = [record({"H1a": "A1", "H1b": "F6"}, vampire=cell) for cell in ("B2", "E5")]
        for game in games:
            game.play(END)

        results = [
            reconciled(game, observe(moved(game.placement, {"H1a": "B1"}))) for game in games
        ]

        assert results[0] == results[1]

    def test_nobody_is_to_move(self, observe) -> None:  # type: ignore[no-untyped-def]
        """Without a seat to move nothing is matched."""
        game = record({"H1a": "A1", "H1b": "F6"})
        view = View(None, game.state.public)

        assert isinstance(
            reconcile(GAME, view, observe(moved(game.placement, {"H1a": "B1"}))), Unexplained
        )


class TestOwedRemovals:
    """H2b was killed on B6 and, by the last observation, still stands there."""

    OWED: Removals = {Cell("B6"): frozenset({Pawn("H2b")})}  # noqa: RUF012

    @BOTH
    def test_still_standing(self, observe) -> None:  # type: ignore[no-untyped-def]
        """While it stands there, pawn and cell are named."""
        game = record({"H1a": "A1", "H2a": "F1"})

        result = reconciled(game, observe(moved(game.placement, {"H2b": "B6"})), self.OWED)

        assert isinstance(result, Unexplained)
        assert "board_remove_pawn pawn=H2b cell=B6" == str(result.rule)

    @BOTH
    def test_still_standing_beside_a_walk(self, observe) -> None:  # type: ignore[no-untyped-def]
        """Until it is removed no walk is matched."""
        game = record({"H1a": "A1", "H2a": "F1"})

        result = reconciled(
            game, observe(moved(game.placement, {"H2b": "B6", "H1a": "B1"})), self.OWED
        )

        assert isinstance(result, Unexplained)
        assert "board_remove_pawn" == result.rule.code

    @BOTH
    def test_gone(self, observe) -> None:  # type: ignore[no-untyped-def]
        """Once it is removed, nothing differs."""
        game = record({"H1a": "A1", "H2a": "F1"})

        assert InSync() == reconciled(game, observe(game.placement), self.OWED)

    @BOTH
    def test_gone_beside_a_walk(self, observe) -> None:  # type: ignore[no-untyped-def]
        """A walk in the same window as an owed removal is asked, never matched."""
        game = record({"H1a": "A1", "H2a": "F1"})

        result = reconciled(game, observe(moved(game.placement, {"H1a": "B1"})), self.OWED)

        assert {(walk("H1a", "B1"),)} == readings(result)

    def test_set_down_elsewhere_by_presence(self) -> None:
        """A dead pawn moved from B6 to B5 looks like a living one that leaves a shared neighbour:
        asked.
        """
        game = record({"H1a": "B4", "H2a": "B4"})

        result = reconciled(game, by_presence(moved(game.placement, {"H2b": "B5"})), self.OWED)

        assert {(walk("H1a", "B5"),)} == readings(result)

    def test_set_down_elsewhere_by_name(self) -> None:
        """By name it must still be removed, on any cell."""
        game = record({"H1a": "B4", "H2a": "B4"})

        result = reconciled(game, by_name(moved(game.placement, {"H2b": "B5"})), self.OWED)

        assert isinstance(result, Unexplained)
        assert "board_remove_pawn pawn=H2b cell=B5" == str(result.rule)

    def test_under_living_pawns_by_presence(self) -> None:
        """A dead pawn on a cell with others cannot be detected, so it does not block."""
        game = record({"H1a": "B6", "H2a": "F1"})

        assert InSync() == reconciled(game, by_presence(game.placement), self.OWED)


class TestUnknownCells:
    @BOTH
    def test_neither_match_nor_contradict(self, observe) -> None:  # type: ignore[no-untyped-def]
        """A cell set aside is no difference, whatever stands there."""
        game = record({"H1a": "A1", "H2a": "C3"})

        result = reconciled(
            game, observe(moved(game.placement, {"H2a": None}), unknown=frozenset({Cell("C3")}))
        )

        assert InSync() == result

    @BOTH
    def test_a_pawn_that_may_stand_on_one_is_lifted(self, observe) -> None:  # type: ignore[no-untyped-def]
        """A pawn missing beside an unknown cell may be there or lifted: never matched."""
        game = record({"H1a": "A1", "H2a": "C3"})

        result = reconciled(
            game, observe(moved(game.placement, {"H1a": None}), unknown=frozenset({Cell("B1")}))
        )

        assert isinstance(result, Lifted)
        assert {(walk("H1a", "B1"),)} == readings(result)


def test_what_a_source_cannot_see_is_never_a_difference() -> None:
    """An observation without pawns, tokens and tiles agrees with every record."""
    game = record({"H1a": "A1"}, (".o....", *("......",) * 5))

    assert InSync() == reconciled(game, Observation("scan", 0.0))


def test_two_steps_for_one_who_has_three() -> None:
    """With an action to spare the shortest explanation counts, not a detour."""
    game = record({"H1a": "A1", "H1b": "F6"}, actions_left=3)

    assert Matched((walk("H1a", "B1"),)) == reconciled(
        game, by_name(moved(game.placement, {"H1a": "B1"}))
    )


class Careless(VampireRadar):
    """A game that calls the radar a physical action which moves a pawn."""

    def physical_actions(self, view: View) -> list[Action]:
        return [CallRadar(Pawn("H1a"))]

    def preview(self, view: View, action: Action) -> View:
        return super().preview(view, walk("H1a", "B1"))


def test_an_action_that_discloses_is_never_a_reading() -> None:
    """An action that discloses a secret needs a press, even if a game calls it physical."""
    game = record({"H1a": "A1", "H1b": "F6"})

    result = reconcile(Careless(), game.present, by_name(moved(game.placement, {"H1a": "B1"})))

    assert isinstance(result, Unexplained)
