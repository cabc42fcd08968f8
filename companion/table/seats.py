"""Manage who sits where: the first claim wins, and everybody sees who tried."""

from __future__ import annotations

from companion.core.game import Seat
from companion.table.errors import Refused
from companion.table.events import (
    LatecomerTried,
    RecoveryTried,
    ScreenPaired,
    SeatClaimed,
    SeatForfeited,
    SeatFreed,
    SeatGiven,
    SeatHandedOn,
    SeatKey,
    SeatMoved,
    SeatRenamed,
    SeatTried,
)
from companion.table.journal import Journal, table_event_items
from companion.table.lobby import check_key, clean_name
from companion.table.votes import SYSTEM, Votes


class SeatClaims:
    """The seats of the table. Callers hold the journal's lock."""

    def __init__(self, journal: Journal, consent: Votes) -> None:
        self._journal = journal
        self._state = journal.state
        self._votes = consent

    def seat_of(self, key_hex: str) -> Seat | None:
        """Return the seat that a phone's key holds."""
        people = self._state.people.items()
        return next((seat for seat, person in people if person.key == key_hex and key_hex), None)

    def key_of(self, seat: Seat) -> str | None:
        """Return the key that holds a seat."""
        person = self._state.people.get(seat)
        return person.key if person else None

    def claim(self, seat: Seat, name: str, key_hex: str) -> None:
        """Sit down; who sat elsewhere in the lobby moves. With the name "" a person is called by
        the seat. Raises `Refused` ("seat_taken") and says who tried.
        """
        self._check(seat)
        name = clean_name(name) if name else ""
        check_key(key_hex)
        holder = self.key_of(seat)
        if holder == key_hex:
            return
        if holder is not None and not (self._is_bot(seat) and self._state.run.game is None):
            self._journal.commit(table_event_items(SeatTried(seat)))
            raise Refused("seat_taken", seat=seat)
        old = self.seat_of(key_hex)
        if old and self._state.run.game is not None:
            raise Refused("already_seated", seat=old)
        left = table_event_items(SeatFreed(old)) if old else []
        self._journal.commit(
            [*left, *table_event_items(SeatClaimed(seat, name), SeatKey(seat, key_hex))]
        )

    def note_try(self, seat: Seat) -> None:
        """Tell everybody that somebody tried to get a taken or closed seat."""
        self._check(seat)
        self._journal.commit(table_event_items(SeatTried(seat)))

    def note_recovery(self, seat: Seat, tries: int, of: int) -> None:
        """Tell everybody that somebody wants to come back to a seat on a new phone."""
        self._check(seat)
        self._journal.commit(table_event_items(RecoveryTried(seat, tries, of)))

    def note_latecomer(self) -> None:
        """Tell everybody that somebody brought a joining code too late."""
        self._journal.commit(table_event_items(LatecomerTried()))

    def note_screen(self, by: Seat) -> None:
        """Tell everybody who let another screen be touched."""
        self._journal.commit(table_event_items(ScreenPaired(by)))

    def rekey(self, seat: Seat, key_hex: str) -> None:
        """Give a taken seat to a new phone; the old key holds nothing from now on."""
        check_key(key_hex)
        self._taken(seat)
        if self.seat_of(key_hex):
            raise Refused("already_seated", seat=str(self.seat_of(key_hex)))
        self._journal.commit(table_event_items(SeatMoved(seat), SeatKey(seat, key_hex)))

    def rename(self, seat: Seat, name: str) -> None:
        """Give another name to who sits there."""
        self._taken(seat)
        self._journal.commit(table_event_items(SeatRenamed(seat, clean_name(name))))

    def free(self, seat: Seat, by: Seat | None) -> None:
        """Free a seat: at once in the lobby, by everybody's consent in a game."""
        self._taken(seat)
        if self._state.playing and not (
            self._is_bot(seat) and seat not in self._state.run.published.private
        ):
            self._votes.free_seat(seat, by or SYSTEM)
        else:
            self._journal.commit(table_event_items(SeatFreed(seat)))

    def give(self, seat: Seat, level: str, by: Seat | None) -> None:
        """Let a bot play a seat: one that is free or a bot's already, one's own, or in the lobby
        any.
        """
        self._check(seat)
        held = seat in self._state.people and not self._is_bot(seat)
        if held and by != seat and self._state.run.game is not None:
            raise Refused("seat_taken", seat=seat)
        self._journal.commit(table_event_items(SeatGiven(seat, level)))

    def evict_bot(self, seat: Seat, fault: str, stand_in: str) -> None:
        """Take a seat from the program that plays it and stop play; `stand_in` plays on a seat that
        owns a secret.
        """
        level = self._state.seats_of_bots().get(seat)
        if level is None:
            raise Refused("seat_free", seat=seat)
        kept = seat in self._state.run.published.private
        lost = (
            SeatHandedOn(seat, level, fault, stand_in)
            if kept
            else SeatForfeited(seat, level, fault)
        )
        self._journal.commit(table_event_items(lost))

    def _is_bot(self, seat: Seat) -> bool:
        return seat in self._state.seats_of_bots()

    def _check(self, seat: Seat) -> None:
        if seat not in self._state.seat_names():
            raise Refused("no_such_seat")

    def _taken(self, seat: Seat) -> None:
        self._check(seat)
        if seat not in self._state.people:
            raise Refused("seat_free", seat=seat)
