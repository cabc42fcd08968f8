"""An observation counts once the table rests."""

from __future__ import annotations

from companion.core.placement import Cell, Pawn
from companion.sensors.debounce import Debouncer
from companion.sensors.observation import Observation, Tile

A1, B1 = Cell("A1"), Cell("B1")


def presence(at: float, *cells: Cell, source: str = "serial") -> Observation:
    return Observation(source, at, occupied=frozenset(cells))


def scan(at: float, cell: Cell) -> Observation:
    return Observation("serial", at, pawns={cell: frozenset({Pawn("H1a")})})


def settled(debouncer: Debouncer, *observations: Observation) -> list[bool]:
    return [
        debouncer.update(observation, observation.at) is not None for observation in observations
    ]


class TestPresence:
    def test_rests_after_three_quarters_of_a_second(self) -> None:
        """0.75 s without a change, then one fresh observation that agrees."""
        observations = [presence(at, A1) for at in (0.0, 0.5, 0.74, 0.75, 0.8)]

        assert [False, False, False, True, True] == settled(Debouncer(), *observations)

    def test_cells_passed_while_sliding_are_ignored(self) -> None:
        """A slide over several cells rests only where it ends."""
        slide = [
            presence(0.0, A1),
            presence(0.3),
            presence(0.6, B1),
            presence(0.9),
            presence(1.2, Cell("C1")),
        ]
        rest = [presence(1.9, Cell("C1")), presence(1.95, Cell("C1"))]

        assert [False] * 6 + [True] == settled(Debouncer(), *slide, *rest)

    def test_a_change_back_restarts_the_wait(self) -> None:
        """Contacts that chatter never rest."""
        observations = [
            presence(number * 0.4, *([A1] if number % 2 else [])) for number in range(50)
        ]

        assert [False] * 50 == settled(Debouncer(), *observations)

    def test_one_late_look_is_not_enough(self) -> None:
        """An observation that changed does not confirm itself, however late it comes."""
        assert [False, False, True] == settled(
            Debouncer(), presence(0.0), presence(9.0, A1), presence(9.75, A1)
        )

    def test_the_time_is_a_setting(self) -> None:
        """A table with slow hands may wait longer."""
        assert [False, False, True] == settled(
            Debouncer(rest=2.0), presence(0, A1), presence(1.9, A1), presence(2, A1)
        )

    def test_rests_early_after_a_share_of_the_time(self) -> None:
        """0.12 s without a change and a second observation; each change restarts the time."""
        debouncer = Debouncer()
        observations = [presence(0.0, A1), presence(0.1, A1), presence(0.12, A1), presence(0.5, B1)]
        early = [
            debouncer.update(observation, observation.at) or debouncer.rests_early(observation.at)
            for observation in observations
        ]

        assert [False, False, True, False] == early


class TestByName:
    def test_two_equal_scans(self) -> None:
        """Two scans that decode to the same placement."""
        assert [False, True] == settled(Debouncer(), scan(0.0, A1), scan(0.35, A1))

    def test_two_different_scans(self) -> None:
        """A scan that differs counts as the first."""
        assert [False, False, True] == settled(
            Debouncer(), scan(0.0, A1), scan(0.35, B1), scan(0.7, B1)
        )

    def test_never_rests_early(self) -> None:
        """One scan proves nothing: it may read a pawn in the middle of a move."""
        debouncer = Debouncer(scans=3)
        observations = [scan(0.0, A1), scan(0.35, A1)]

        assert [None, None] == [
            debouncer.update(observation, observation.at) for observation in observations
        ]
        assert not debouncer.rests_early(0.35)


def test_a_photo_counts_at_once() -> None:
    """A single picture needs no settling."""
    photo = Observation("scan", 0.0, tiles={A1: Tile(7, 90)})

    assert photo is Debouncer().update(photo, 0.0)


def test_another_source_restarts_the_wait() -> None:
    """An observation of one source confirms none of another."""
    assert [False, False] == settled(
        Debouncer(), presence(0.0, A1), presence(1.0, A1, source="camera")
    )


def test_after_a_reset_the_next_look_is_the_first() -> None:
    """After a restart a board needs two observations again."""
    debouncer = Debouncer()
    settled(debouncer, scan(0.0, A1))
    debouncer.reset()

    assert [False, True] == settled(debouncer, scan(0.35, A1), scan(0.7, A1))
