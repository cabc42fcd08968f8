"""Manage seats: the first claim wins, and all claims are public."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from companion.core.game import Seat
from companion.table import events
from companion.table.errors import Refused
from companion.table.journal import Journal, JournalPart, locked
from companion.table.lobby import Lobby
from companion.table.results import AUTO_LEVEL
from companion.table.state import Person
from companion.table.storage.log import NO_REQUEST, RequestId
from companion.table.votes import SYSTEM, Votes

MAX_NAME_LENGTH = 24
# Embeddings, overrides and isolates of writing direction turn the words behind a name in lists and
# in speech; the letters have no ink.
UNFIT_IN_NAMES = re.compile("[\u202a-\u202e\u2066-\u2069\u115f\u1160\u2800\u3164\uffa0]")
KEY_HEX = re.compile(r"[0-9a-f]{64}", re.ASCII)


class SeatClaims(JournalPart):
    """The seats of the table."""

    def __init__(self, journal: Journal, votes: Votes, lobby: Lobby) -> None:
        super().__init__(journal)
        self._votes = votes
        self._lobby = lobby

    def seat_of(self, key_hex: str) -> Seat | None:
        """Return the seat that a phone's key holds."""
        people = self.state.people.items()
        return next((seat for seat, person in people if person.key == key_hex and key_hex), None)

    def key_of(self, seat: Seat) -> str | None:
        """Return the key that holds a seat, None if nobody sits there."""
        person = self.state.people.get(seat)
        return person.key if person else None

    @locked
    def claim(self, seat: Seat, name: str, key_hex: str) -> None:
        """Give a seat to a phone's public key; in the lobby its holder leaves an earlier seat.

        With the name "" a person is called by the seat's name. Raises `Refused` ("seat_taken") and
        publishes the attempt.
        """
        self._check(seat)
        name = clean_name(name) if name else ""
        check_key(key_hex)
        holder = self.key_of(seat)
        if holder == key_hex:
            return
        if holder is not None and not (self._is_bot(seat) and self.state.run.game is None):
            self.commit_events(events.SeatTried(seat))
            raise Refused("seat_taken", seat=seat)
        old = self.seat_of(key_hex)
        if old and self.state.run.game is not None:
            raise Refused("already_seated", seat=old)
        left = [events.SeatFreed(old)] if old else []
        self.commit_events(*left, events.SeatClaimed(seat, name), events.SeatKey(seat, key_hex))

    @locked
    def note_try(self, seat: Seat) -> None:
        """Publish that somebody tried to get this taken or closed seat."""
        self._check(seat)
        self.commit_events(events.SeatTried(seat))

    @locked
    def note_recovery(self, seat: Seat, tries: int, of: int) -> None:
        """Publish that somebody tries to come back to this seat: the `tries`-th of `of` tries."""
        self._check(seat)
        self.commit_events(events.RecoveryTried(seat, tries, of))

    @locked
    def note_latecomer(self) -> None:
        """Publish that somebody sent a join code after the seats were closed."""
        self.commit_events(events.LatecomerTried())

    @locked
    def note_screen(self, by: Seat) -> None:
        """Publish that this seat made another screen a display."""
        self.commit_events(events.ScreenPaired(by))

    @locked
    def rekey(self, seat: Seat, key_hex: str, request: RequestId = NO_REQUEST) -> None:
        """Give a taken seat to a new phone of the same person; the old key loses it."""
        check_key(key_hex)
        self._check_taken(seat)
        if held := self.seat_of(key_hex):
            raise Refused("already_seated", seat=held)
        self.commit_events(events.SeatMoved(seat), events.SeatKey(seat, key_hex), request=request)

    @locked
    def rename(self, seat: Seat, name: str, request: RequestId = NO_REQUEST) -> None:
        """Change the name of the person at a seat."""
        self._check_taken(seat)
        if (cleaned := clean_name(name)) != self.state.people[seat].name:
            self.commit_events(events.SeatRenamed(seat, cleaned), request=request)

    @locked
    def free(self, seat: Seat, by: Seat = SYSTEM, request: RequestId = NO_REQUEST) -> None:
        """Free a seat: in the lobby at once, in a game by consent, never one that owns a secret."""
        self._check_taken(seat)
        owns_secret = seat in self.state.run.published.private
        if self.state.run.playing and (owns_secret or not self._is_bot(seat)):
            self._votes.free_seat(seat, by, request)
        else:
            self.commit_events(events.SeatFreed(seat), request=request)

    @locked
    def give(
        self, seat: Seat, level: str, by: Seat = SYSTEM, request: RequestId = NO_REQUEST
    ) -> None:
        """Let a bot of `level` play a seat: a free one, a bot's, the sender's, or in the lobby any.

        Raises `Refused`: "seat_taken", "seat_of_person", "bot_without_hands" if hands are real
        cards, or "no_such_level" unless the level is one of the game's `bot_levels`, and during a
        game for `AUTO_LEVEL`.
        """
        state = self.state
        self._check_bot(seat, level)
        is_held = seat in state.people and not self._is_bot(seat)
        if is_held and by != seat and state.run.game is not None:
            raise Refused("seat_taken", seat=seat)
        if state.people.get(seat) != Person("", bot=level):
            self.commit_events(events.SeatGiven(seat, level), request=request)

    @locked
    def give_free(self, seats: Sequence[Seat], level: str, request: RequestId = NO_REQUEST) -> None:
        """Let bots of `level` play those of these seats that are free.

        Raises `Refused` as `give` does, and then gives no seat at all.
        """
        for seat in seats:
            self._check_bot(seat, level)
        given = [events.SeatGiven(seat, level) for seat in seats if seat not in self.state.people]
        if given:
            self.commit_events(*given, request=request)

    @locked
    def evict_bot(self, seat: Seat, fault: str, stand_in: str) -> None:
        """Take a seat from the bot that misbehaved there, and stop play until somebody resumes it.

        A seat that owns a secret is kept for the bot `stand_in`, any other is free for a person or
        a bot. `fault` is a public word.
        """
        level = self.state.seats_of_bots().get(seat)
        if level is None:
            raise Refused("seat_free", seat=seat)
        owns_secret = seat in self.state.run.published.private
        lost = (
            events.SeatHandedOn(seat, level, fault, stand_in)
            if owns_secret
            else events.BotEvicted(seat, level, fault)
        )
        self.commit_events(lost)

    def _check_bot(self, seat: Seat, level: str) -> None:
        """Check that a bot of this level could play this seat; raise `Refused`."""
        run = self.state.run
        is_late = level == AUTO_LEVEL and run.game is not None
        if is_late or level not in self._lobby.levels(self.state.proposal.game):
            raise Refused("no_such_level", level=level)
        if self._lobby.has_real_cards():
            raise Refused("bot_without_hands")
        if run.playing and seat in run.running().paper.seats_of_people(run.published.public):
            raise Refused("seat_of_person", seat=seat)
        self._check(seat)

    def _is_bot(self, seat: Seat) -> bool:
        return seat in self.state.seats_of_bots()

    def _check(self, seat: Seat) -> None:
        if seat not in self.state.seat_names():
            raise Refused("no_such_seat")

    def _check_taken(self, seat: Seat) -> None:
        self._check(seat)
        if seat not in self.state.people:
            raise Refused("seat_free", seat=seat)


def clean_name(name: str) -> str:
    """Return a person's name, 1 to 24 visible characters; raise `Refused`."""
    name = unicodedata.normalize("NFC", " ".join(name.split()))
    kinds = [unicodedata.category(character) for character in name]
    # Other characters of "Cf" join emoji.
    if any(kind in ("Cc", "Cs", "Co", "Cn") for kind in kinds) or UNFIT_IN_NAMES.search(name):
        raise Refused("bad_name")
    if len(name) > 4 * MAX_NAME_LENGTH:
        raise Refused("bad_name")
    if not 1 <= sum(kind[0] != "M" and kind != "Cf" for kind in kinds) <= MAX_NAME_LENGTH:
        raise Refused("bad_name")
    return name


def check_key(key_hex: str) -> None:
    """Raise `Refused` unless this is a public key: 64 hex digits, not all zero."""
    if not KEY_HEX.fullmatch(key_hex) or not key_hex.strip("0"):
        raise Refused("bad_key")
