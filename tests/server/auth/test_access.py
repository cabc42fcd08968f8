"""Who gets a seat: by the code before the game, by the PIN afterwards, and nobody else."""

from __future__ import annotations

import hashlib
import json
import os
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from random import Random
from threading import Event, Lock
from unittest.mock import Mock

import pytest

import companion.server.context as context_module
from companion import files
from companion.core.game import Seat
from companion.files import GuardedFile
from companion.server.auth import access, codes, keystore
from companion.server.auth.access import Denied
from companion.server.auth.codes import (
    ALPHABET,
    MAX_HASHES,
    draw_code,
    hash_pin,
    same_code,
    same_pin,
)
from companion.server.auth.join import qr_svg
from companion.server.rpc.channel import Channel
from companion.table.errors import Refused
from tests.helpers.pins import REAL_PINS
from tests.helpers.repetitions import soak
from tests.helpers.simulated_clock import SimulatedClock
from tests.server.client import GameTable, Json, Phone
from tests.table.play import entropy_of

SECONDS = 60.0


def claim(phone: Phone, code: str, seat: str = "H1", pin: str = "1111") -> Json:
    return phone.request("claim", seat=seat, name="Ana", code=code, pin=pin)


def admitted(game_table: GameTable, address: str) -> Phone:
    """Return a phone that was let in and has no seat yet."""
    phone = game_table.phone(address)
    assert phone.request("admit", code=game_table.code)["ok"]
    return phone


def events(game_table: GameTable) -> list[str]:
    return [line["event"]["event"] for line in game_table.table.snapshot()["log"]]


def other_code(code: str) -> str:
    """Return a code that differs from `code` in its last letter."""
    return code[:-1] + ("B" if code[-1] != "B" else "C")


def test_the_code_gives_a_seat_and_everybody_sees_who(game_table: GameTable) -> None:
    """The code gives the phone's key a seat, and everybody sees by whom."""
    phone = game_table.phone()

    answer = claim(phone, f" {game_table.code.lower()}")

    assert (True, "H1") == (answer["ok"], answer["role"])
    assert {"seat": "H1", "name": "Ana", "taken": True} in answer["snapshot"]["seats"]
    assert "H1" == phone.request("hello")["role"]


def test_a_nameless_person_is_called_by_the_seat(game_table: GameTable) -> None:
    """Without a name, the last and optional field, a player is called by the seat."""
    answer = game_table.phone().request("claim", seat="H1", code=game_table.code, pin="1111")

    assert {"seat": "H1", "name": "", "taken": True} in answer["snapshot"]["seats"]


def test_a_nameless_person_moves_on_without_a_name(game_table: GameTable) -> None:
    """With the next game everybody moves on by one seat: a player without a name is called by the
    new seat, not the old.
    """
    game_table.table.lobby.propose({"players": 2})
    vampire, human = game_table.phone(), game_table.phone()
    assert vampire.request("claim", seat="V", code=game_table.code, pin="1111")["ok"]
    assert human.request("claim", seat="H1", name="Ben", code=game_table.code, pin="1111")["ok"]
    game_table.table.start()
    assert vampire.request("surrender")["ok"]

    answer = human.request("next_game", by=1)

    assert ("V", "H1") == (answer["role"], vampire.request("hello")["role"])
    assert [("V", "Ben"), ("H1", "")] == [
        (place["seat"], place["name"]) for place in game_table.table.snapshot()["seats"]
    ]


def test_the_first_claim_wins_and_the_second_is_seen(game_table: GameTable) -> None:
    """The first claim wins; all screens show that a second was tried."""
    claim(game_table.phone(), game_table.code)

    answer = claim(game_table.phone(), game_table.code)

    assert (False, "seat_taken") == (answer["ok"], answer["code"])
    assert "seat_tried" == events(game_table)[-1]


def test_eight_phones_at_once_get_one_seat(game_table: GameTable) -> None:
    """One wins, seven are refused, and the log holds one claim."""
    phones = [admitted(game_table, f"192.168.1.{100 + number}") for number in range(8)]

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda phone: claim(phone, ""), phones))

    assert [True] == [answer["ok"] for answer in answers if answer["ok"]]
    assert {"seat_taken"} == {answer["code"] for answer in answers if not answer["ok"]}
    assert 1 == events(game_table).count("seat_claimed")
    assert 7 == events(game_table).count("seat_tried")


def test_five_wrong_codes_a_minute_from_one_address(game_table: GameTable) -> None:
    """The sixth code is not compared, even the right one; another address is not held up; a minute
    later the first may try again.
    """
    phone, code = game_table.phone(), game_table.code

    codes = [claim(phone, other_code(code))["code"] for _ in range(5)]

    assert ["wrong_code"] * 5 == codes
    refused = claim(phone, code)
    assert ("too_many_codes", 60) == (refused["code"], refused["message"]["params"]["n"])
    assert claim(game_table.phone("192.168.1.99"), code, seat="H2")["ok"]
    assert isinstance(game_table.clock, SimulatedClock)
    game_table.clock.advance(61)
    assert claim(phone, game_table.code)["ok"]


def test_a_restart_forgives_no_guess(tmp_path: Path) -> None:
    """Guesses are stored before they are compared; after a power cut their minute begins again."""
    game_table = GameTable(tmp_path)
    for _ in range(4):
        claim(game_table.phone(), other_code(game_table.code))
    game_table.close()

    restarted = GameTable(tmp_path)
    phone = restarted.phone()

    assert ["wrong_code", "too_many_codes"] == [
        claim(phone, other_code(restarted.code))["code"] for _ in range(2)
    ]
    assert isinstance(restarted.clock, SimulatedClock)
    restarted.clock.advance(61)
    assert claim(phone, restarted.code)["ok"]
    restarted.close()


def test_a_guess_is_on_the_disk_before_it_is_compared(
    game_table: GameTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pulling the plug at the right moment does not undo a guess."""
    stored: list[dict[str, int]] = []

    def compare(*_: str) -> bool:
        stored.append(
            keystore.KeyStore(game_table.folder, keystore.StoredKeys("", "")).keys.guesses
        )
        return False

    monkeypatch.setattr(access, "same_code", compare)
    for _ in range(2):
        claim(game_table.phone(), game_table.code)

    assert [{"192.168.1.31": 1}, {"192.168.1.31": 2}] == stored


def test_one_code_lets_everybody_in(game_table: GameTable) -> None:
    """All phones that scan the code within two minutes are let in, as many as the game can seat,
    and no others. The display has another code from then on, and the first one is useless.
    """
    code, count = game_table.code, game_table.table.snapshot()["join_code_version"]
    phones = [game_table.phone(f"192.168.1.{40 + number}") for number in range(5)]

    assert [True] * 3 == [phone.request("admit", code=code)["ok"] for phone in phones[:3]]
    assert (code, count) == (game_table.code, game_table.table.snapshot()["join_code_version"])
    assert claim(phones[0], "", "H1")["ok"]
    assert phones[3].request("admit", code=code)["ok"]

    assert code != game_table.code
    assert count + 1 == game_table.table.snapshot()["join_code_version"]
    assert "code_used" == phones[4].request("admit", code=code)["code"]
    assert phones[4].request("admit", code=game_table.code)["ok"]
    assert claim(phones[1], "", "H2")["ok"]


def test_a_code_is_good_for_two_minutes_after_its_first_phone(game_table: GameTable) -> None:
    """A used code expires after two minutes; an unused one waits as long as needed."""
    assert isinstance(game_table.clock, SimulatedClock)
    code, count = game_table.code, game_table.table.snapshot()["join_code_version"]
    game_table.clock.advance(10 * access.CODE_SECONDS)
    assert game_table.phone().request("admit", code=code)["ok"]
    game_table.clock.advance(access.CODE_SECONDS - 1)
    assert game_table.phone().request("admit", code=code)["ok"]

    game_table.clock.advance(1)

    assert count + 1 == game_table.table.snapshot()["join_code_version"]
    assert "code_used" == game_table.phone().request("admit", code=code)["code"]
    new_code = game_table.code
    assert game_table.phone().request("admit", code=new_code)["ok"]
    game_table.clock.advance(access.CODE_SECONDS - 1)
    assert new_code == game_table.code


def test_a_code_is_replaced_once_the_disk_takes_it(
    game_table: GameTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the next code cannot be stored, the code stays, and is replaced as soon as it can."""
    assert isinstance(game_table.clock, SimulatedClock)
    code = game_table.code
    assert game_table.phone().request("admit", code=code)["ok"]

    def refuse(*_: object) -> None:
        raise OSError

    with monkeypatch.context() as full:
        full.setattr(files, "atomic_write", refuse)
        game_table.clock.advance(access.CODE_SECONDS)
        assert code == game_table.code
    game_table.clock.advance(access.CODE_SECONDS)

    assert code != game_table.code


def test_eight_phones_scan_the_same_code_at_once(game_table: GameTable) -> None:
    """As many phones are let in as the game can seat; the others come in by the code that the
    display shows then.
    """
    phones = [game_table.phone(f"192.168.1.{100 + number}") for number in range(8)]
    code = game_table.code

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda phone: phone.request("admit", code=code), phones))

    assert 4 == sum(answer["ok"] for answer in answers)
    assert {"code_used"} == {answer["code"] for answer in answers if not answer["ok"]}
    assert all(
        phone.request("hello")["admitted"] or phone.request("admit", code=game_table.code)["ok"]
        for phone in phones
    )


def test_an_answer_that_was_lost_costs_no_second_code(game_table: GameTable) -> None:
    """The same phone with the same code stays admitted, also after a restart of its page."""
    phone, code = game_table.phone(), game_table.code
    assert phone.request("admit", code=code)["ok"]

    assert phone.request("admit", code=code)["ok"]

    assert phone.request("hello")["admitted"]
    assert not game_table.phone().request("hello")["admitted"]


def test_who_was_let_in_stays_so_over_a_restart(tmp_path: Path) -> None:
    """An admitted phone stays so over a restart, and its code lets no other in."""
    game_table = GameTable(tmp_path)
    phone, code = game_table.phone(), game_table.code
    assert phone.request("admit", code=code)["ok"]
    game_table.close()

    restarted = GameTable(tmp_path)
    phone.app = restarted.app

    # The first phone of an evening has the first evening's first key.
    assert restarted.phone().key == phone.key
    assert "code_used" == restarted.phone().request("admit", code=code)["code"]
    assert claim(phone, "")["ok"]
    restarted.close()


def test_who_is_sent_away_needs_another_code(game_table: GameTable) -> None:
    """The code that brought a phone to its seat is worth that one seat; changing one's own seat
    needs none, nor does standing up and sitting down while the code is good.
    """
    phone, display, code = game_table.phone(), game_table.display(), game_table.code
    assert claim(phone, code, "H1")["ok"]
    assert claim(phone, "", "H2")["ok"]
    assert phone.request("free", seat="H2")["ok"]
    assert claim(phone, code, "H2")["ok"]

    assert display.request("free", seat="H2")["ok"]

    assert "code_needed" == claim(phone, "", "H1")["code"]
    assert "code_used" == claim(phone, code, "H1")["code"]


def test_who_loses_a_seat_to_another_game_needs_no_code(game_table: GameTable) -> None:
    """If another game has fewer seats, a player who loses his may take another one without a code;
    a player who keeps his has the same key there.
    """
    display = game_table.display()
    phones = [admitted(game_table, f"10.0.0.{number}") for number in (1, 2, 3)]
    for phone, seat in zip(phones, ("H1", "H2", "V"), strict=True):
        assert claim(phone, "", seat)["ok"]

    assert display.request("propose", change={"players": 2})["ok"]

    assert ["H1", "guest", "V"] == [phone.request("hello")["role"] for phone in phones]
    assert phones[1].request("hello")["admitted"]
    assert display.request("propose", change={"players": 3})["ok"]
    assert claim(phones[1], "", "H2")["ok"]


def test_without_a_code_nobody_is_let_in(game_table: GameTable) -> None:
    """Without a code no phone is let in, and an empty code counts as no guess."""
    phone = game_table.phone()

    assert ["code_needed"] * 7 == [claim(phone, "")["code"] for _ in range(7)]
    assert not phone.request("hello")["admitted"]


def test_right_codes_are_no_guesses(game_table: GameTable) -> None:
    """Right codes count as no guesses: a family behind one address may all sit down."""
    assert all(claim(game_table.phone(), game_table.code, seat)["ok"] for seat in ("V", "H1", "H2"))
    assert all(
        "seat_taken" == claim(game_table.phone(), game_table.code, "V")["code"] for _ in range(6)
    )


@pytest.mark.parametrize("pin", ["", "123", "12345", "12a4", "١٢٣٤", "12 4"])
def test_a_pin_is_four_digits(unchanged_table: GameTable, pin: str) -> None:
    """A PIN is four digits; anything else is refused and gives no seat."""
    phone = unchanged_table.phone()

    assert "bad_pin" == claim(phone, unchanged_table.code, pin=pin)["code"]
    assert "guest" == phone.request("hello")["role"]


def test_a_late_code_gives_no_seat_and_is_announced(game_table: GameTable) -> None:
    """Seats close before the first secret exists; the notice costs a guess, so that it cannot flood
    the log.
    """
    code = game_table.code
    game_table.started()
    late = game_table.phone("192.168.1.66")

    codes = [claim(late, code, "V")["code"] for _ in range(7)]

    assert ["seats_closed"] * 5 + ["too_many_codes"] * 2 == codes
    assert 5 == events(game_table).count("seat_tried")
    assert "guest" == late.request("hello")["role"]
    other = game_table.phone("192.168.1.67")
    before = game_table.table.snapshot()["position"]
    assert ["seats_closed"] * 5 + ["too_many_codes"] == [
        other.request("admit", code=code)["code"] for _ in range(6)
    ]
    assert not other.request("hello")["admitted"]
    assert ["latecomer_tried"] * 5 == events(game_table)[-5:]
    assert before + 5 == game_table.table.snapshot()["position"]


def test_the_pin_brings_the_seat_to_a_new_phone(game_table: GameTable) -> None:
    """The PIN brings the seat to a new phone; the old key holds nothing any more, and all screens
    show that.
    """
    vampire, _ = game_table.placed()
    new = game_table.phone()

    answer = new.request("recover", seat="V", pin="1111")

    assert (True, "V") == (answer["ok"], answer["role"])
    assert "C3" == answer["private"]["own"]["cell"]
    reply = vampire.request("hello")
    assert ("guest", None) == (reply["role"], reply["private"])
    assert ["recovery_tried", "seat_moved"] == events(game_table)[-2:]


def test_every_try_to_come_back_is_announced(game_table: GameTable) -> None:
    """Every try to come back is announced with its number, whether it is right or not."""
    game_table.placed()
    guesser = game_table.phone()

    accepted = [guesser.request("recover", seat="V", pin=pin)["ok"] for pin in ("9999", "1111")]

    tries = [
        entry["event"]
        for entry in game_table.table.snapshot()["log"]
        if entry["event"]["event"] == "recovery_tried"
    ]
    assert [False, True] == accepted
    assert [
        {"event": "recovery_tried", "seat": "V", "tries": number, "of": 10} for number in (1, 2)
    ] == tries


@pytest.fixture
def words_table(tmp_path: Path) -> Iterator[GameTable]:
    """A table with recovery words."""
    game_table = GameTable(tmp_path, recovery="words")
    yield game_table
    game_table.close()


@pytest.mark.parametrize(
    "words", ["", "1111", "kano bimi", "kano bimi tes", "kano bimi tesu", "kano bimi teso mola"]
)
def test_where_words_are_wanted_three_are_given(words_table: GameTable, words: str) -> None:
    """With recovery words three are required; anything else is refused and gives no seat."""
    phone = words_table.phone()

    assert "words" == phone.request("hello")["recovery"]
    assert "bad_words" == claim(phone, words_table.code, pin=words)["code"]
    assert "guest" == phone.request("hello")["role"]


def test_words_bring_the_seat_to_a_new_phone(words_table: GameTable) -> None:
    """The words count in any spelling; wrong ones are tries."""
    phone, new = words_table.phone(), words_table.phone()
    assert claim(phone, words_table.code, "V", pin="kano bimi teso")["ok"]
    words_table.table.start()

    replies = [
        new.request("recover", seat="V", pin=words)
        for words in ("kano bimi tesi", " Kano-Bimi, TESO ")
    ]

    assert ["wrong_pin", None] == [answer.get("code") for answer in replies]
    assert ("V", "guest") == (new.request("hello")["role"], phone.request("hello")["role"])


def test_the_pin_moves_along(game_table: GameTable) -> None:
    """The PIN moves along: a second phone may be lost too."""
    game_table.placed()
    assert game_table.phone().request("recover", seat="V", pin="1111")["ok"]

    assert game_table.phone().request("recover", seat="V", pin="1111")["ok"]


@pytest.mark.slow
def test_at_most_ten_pins_are_compared_in_a_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After 2,000 guesses with the plug pulled in between, ten are evaluated, each stored before it
    is compared.
    """
    game_table = GameTable(tmp_path)
    game_table.placed()
    compared: list[int] = []

    def compare(_: str, kept: keystore.StoredPin) -> bool:
        stored = keystore.KeyStore(tmp_path, keystore.StoredKeys("", "")).keys.pins
        compared.append(kept.tries)
        assert kept.tries in [pin.tries for pin in stored.values()]
        return False

    monkeypatch.setattr(access, "same_pin", compare)
    for guess in range(80):
        if guess % 10 == 9:
            game_table.close()
            game_table = GameTable(tmp_path)
        guesser = game_table.phone()
        for number in range(25):
            guesser.request("recover", seat="V", pin=f"{(25 * guess + number) % 10000:04}")
        assert isinstance(game_table.clock, SimulatedClock)
        game_table.clock.advance(3600)

    assert list(range(1, 11)) == compared
    assert "recovery_closed" == game_table.phone().request("recover", seat="V", pin="1111")["code"]
    game_table.close()


def test_one_pin_is_hashed_at_a_time(
    game_table: GameTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While a PIN is hashed, seven wait for their turn and further ones are refused at once and not
    counted as tries; the table answers.
    """
    _, human = game_table.placed()
    running, most = Lock(), [0]
    has_begun, may_end = Event(), Event()

    def hold(given: str, kept: keystore.StoredPin) -> bool:
        most[0] += not running.acquire(blocking=False)
        has_begun.set()
        assert may_end.wait(SECONDS)
        running.release()
        return False

    monkeypatch.setattr(access, "same_pin", hold)
    guessers = [game_table.phone(f"192.168.1.{number}") for number in range(40, 60)]
    with ThreadPoolExecutor(len(guessers)) as threads:
        replies = [
            threads.submit(guesser.request, "recover", seat=seat, pin="9999")
            for guesser, seat in zip(guessers, ["V", "H1"] * 10, strict=True)
        ]
        try:
            ended = as_completed(replies, SECONDS)
            refused = [next(ended).result()["code"] for _ in range(len(guessers) - MAX_HASHES)]
            assert has_begun.wait(SECONDS)
            assert human.request("hello")["ok"]
        finally:
            may_end.set()
        counted = [reply.result()["code"] for reply in ended]

    assert ["pins_busy"] * 12 == refused
    assert ["wrong_pin"] * 8 == counted
    assert [0] == most
    assert 8 == events(game_table).count("recovery_tried")


MEMORY_PROGRAM = """
import json, sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from companion.process import configure_malloc
from tests.server.client import GameTable

def megabytes(line):
    status = Path("/proc/self/status").read_text().splitlines()
    return next(int(each.split()[1]) for each in status if each.startswith(line)) / 1024

configure_malloc()
table = GameTable(Path(sys.argv[1]))
human = table.phone()
do, many = sys.argv[2], int(sys.argv[3])
if do == "recover":
    table.placed()
else:
    table.table.lobby.propose({"players": 2})
    assert human.request("admit", code=table.code)["ok"]
table.phone().request("recover", seat="H1", pin="0000")
with ThreadPoolExecutor(many) as threads:
    before = megabytes("VmRSS")
    replies = list(threads.map(
        lambda number: human.request(do, seat=["V", "H1"][number % 2], pin="4321").get("code"),
        range(many),
    ))
    peak, after = megabytes("VmHWM") - before, megabytes("VmRSS") - before
print(json.dumps([peak, after, len(replies)]))
"""


@pytest.mark.slow
@pytest.mark.parametrize(("do", "many"), [("recover", 20), ("claim", 60)])
def test_a_flood_of_pins_takes_little_memory(tmp_path: Path, do: str, many: int) -> None:
    """Twenty tries at PINs at once, or sixty claims of a seat, take at most 40 MB more, and most of
    that is given back.
    """
    environment = os.environ | {"COMPANION_CHECK_LOCKS": ""}
    output = subprocess.run(
        [sys.executable, "-c", MEMORY_PROGRAM, str(tmp_path / "data"), do, str(many)],
        check=True,
        capture_output=True,
        env=environment,
        cwd=Path(__file__).parents[3],
    ).stdout
    peak, after, replies = json.loads(output)

    assert many == replies
    assert peak < 40, f"{peak} MB, {after} MB afterwards"
    assert after < 12, f"{after} MB"


def test_after_five_tries_the_lock_doubles(game_table: GameTable) -> None:
    """After five tries the lock lasts 60 s, then 120 s, and so on; the seated phone plays on."""
    vampire, _ = game_table.placed()
    guesser = game_table.phone()
    replies = [guesser.request("recover", seat="V", pin="9999") for _ in range(6)]

    assert ["wrong_pin"] * 5 + ["recovery_locked"] == [answer["code"] for answer in replies]
    assert {"tries": 5, "of": 10} == replies[4]["message"]["params"]
    assert isinstance(game_table.clock, SimulatedClock)
    game_table.clock.advance(59)
    assert "recovery_locked" == guesser.request("recover", seat="V", pin="1111")["code"]
    game_table.clock.advance(2)
    assert "wrong_pin" == guesser.request("recover", seat="V", pin="9999")["code"]
    game_table.clock.advance(100)
    assert "recovery_locked" == guesser.request("recover", seat="V", pin="1111")["code"]
    assert "V" == vampire.request("hello")["role"]


def test_a_restart_begins_the_running_lock_again(tmp_path: Path) -> None:
    """A power cycle shortens no lock."""
    game_table = GameTable(tmp_path)
    game_table.placed()
    for _ in range(5):
        game_table.phone().request("recover", seat="V", pin="9999")
    game_table.close()

    restarted = GameTable(tmp_path)

    assert "recovery_locked" == restarted.phone().request("recover", seat="V", pin="1111")["code"]
    restarted.close()


def test_seats_that_nobody_holds_cannot_be_recovered(game_table: GameTable) -> None:
    """A free seat, and one that does not exist, are refused alike."""
    game_table.started()

    codes = [
        game_table.phone().request("recover", seat=seat, pin="1111")["code"] for seat in ("H9", "X")
    ]

    assert ["not_recoverable"] * 2 == codes


def test_the_displays_code_works_once(game_table: GameTable) -> None:
    """The display's code works once; a used code is replaced in its file, which only the kiosk's
    user may read.
    """
    first = game_table.display_fragment
    display = game_table.phone("127.0.0.1")

    assert "display" == display.request("pair", code=first[43:])["role"]

    assert "display" == display.request("hello")["role"]
    assert first != game_table.display_fragment
    assert display.request("pair", code=first[43:])["ok"]
    assert "wrong_code" == game_table.phone("127.0.0.1").request("pair", code=first[43:])["code"]
    assert 0o600 == stat.S_IMODE((game_table.folder / "display-code").stat().st_mode)


def test_a_seated_phone_lets_another_screen_in(game_table: GameTable) -> None:
    """A seated phone lets another screen in once, and everybody reads by whom; the kiosk's own code
    does not change.
    """
    (phone,), kiosk = game_table.seated("H1"), game_table.display_fragment
    offer = phone.request("screen")["screen"]
    page, _, fragment = offer["url"].partition("#")
    screen, second = game_table.phone("192.168.1.77"), game_table.phone("192.168.1.78")

    assert ("http://192.168.1.20:8080/table", kiosk[:43]) == (page, fragment[:43])
    assert qr_svg(offer["url"]) == offer["svg"]
    assert "display" == screen.request("pair", code=fragment[43:])["role"]
    assert "wrong_code" == second.request("pair", code=fragment[43:])["code"]

    assert {"event": "screen_paired", "by": "H1"} == game_table.table.snapshot()["log"][-1]["event"]
    assert kiosk == game_table.display_fragment
    assert screen.request("propose", change={"players": 2})["ok"]


def test_an_offer_to_another_screen_runs_out(game_table: GameTable) -> None:
    """An offer that was photographed and used late is refused; a guest gets no offer."""
    (phone,) = game_table.seated("H1")
    code = phone.request("screen")["screen"]["url"].partition("#")[2][43:]
    assert isinstance(game_table.clock, SimulatedClock)

    game_table.clock.advance(301)

    assert "wrong_code" == game_table.phone().request("pair", code=code)["code"]
    assert "not_seated" == game_table.phone().request("screen")["code"]


def test_the_oldest_display_is_unpaired_by_a_ninth(game_table: GameTable) -> None:
    """The number of displays is limited: a ninth unpairs the oldest."""
    displays = [game_table.display() for _ in range(9)]

    assert ["guest"] + ["display"] * 8 == [display.request("hello")["role"] for display in displays]


def test_keys_survive_a_restart(tmp_path: Path) -> None:
    """The table's key, the code, the seats and the displays survive a restart."""
    game_table = GameTable(tmp_path)
    vampire, _ = game_table.started()
    display, fragment = game_table.display(), game_table.display_fragment
    game_table.close()

    restarted = GameTable(tmp_path)

    assert fragment[:43] == restarted.display_fragment[:43]
    for phone, role in ((vampire, "V"), (display, "display")):
        phone.app = restarted.app
        assert role == phone.request("hello")["role"]
    restarted.close()


def test_the_vault_is_private(game_table: GameTable) -> None:
    """No other user of the machine can read the vault."""
    assert 0o600 == stat.S_IMODE((game_table.folder / "keys.json").stat().st_mode)


def test_no_code_no_key_and_no_pin_is_kept_in_clear(game_table: GameTable) -> None:
    """No code, key or PIN is kept in clear: PINs are kept as scrypt."""
    game_table.seated("V", "H1")

    assert b'"1111"' not in (game_table.folder / "keys.json").read_bytes()
    assert "StoredKeys(•)" == repr(
        keystore.KeyStore(game_table.folder, keystore.StoredKeys("", "")).keys
    )


def test_a_vault_that_cannot_be_read_stops_the_start(tmp_path: Path) -> None:
    """A vault of another release stops the start; nothing is deleted, and the sentence names the
    file.
    """
    GuardedFile(tmp_path / "keys.json").write(b"{")
    before = (tmp_path / "keys.json").read_bytes()

    with pytest.raises(keystore.KeysUnreadable, match=r"keys\.json"):
        keystore.KeyStore(tmp_path, keystore.StoredKeys("", ""))
    assert before == (tmp_path / "keys.json").read_bytes()


@pytest.mark.parametrize("bits", [60, *soak(0)])
def test_every_flipped_bit_of_the_vault_is_mended(game_table: GameTable, bits: int) -> None:
    """Whichever bit of the file flips, the table starts with the same keys and the file is whole
    again. `bits`: the number of bits to try, 0 for all.
    """
    game_table.seated("V", "H1")
    game_table.display()
    path, folder = game_table.folder / "keys.json", game_table.folder
    sound, fresh = path.read_bytes(), keystore.StoredKeys("", "")
    kept = keystore.KeyStore(folder, fresh).keys
    every = range(8 * len(sound))
    for bit in every if not bits else Random(1).sample(every, bits):
        damaged = bytearray(sound)
        damaged[bit // 8] ^= 1 << bit % 8
        path.write_bytes(damaged)
        store = keystore.KeyStore(folder, fresh)

        assert (kept, "mended", sound) == (store.keys, store.damage, path.read_bytes()), bit


def test_mended_keys_are_said_and_phones_go_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """After damage of the keys every phone and display goes on, and the display and the log say
    what was mended.
    """
    game_table = GameTable(tmp_path)
    vampire, display = game_table.seated("V")[0], game_table.display()
    game_table.close()
    path = tmp_path / "keys.json"
    path.write_bytes(path.read_bytes().replace(b'"secret":"', b'"secret":"0', 1))
    caplog.clear()
    restarted = GameTable(tmp_path)

    for phone, role in ((vampire, "V"), (display, "display")):
        phone.app = restarted.app
        assert role == phone.request("hello")["role"]
    assert "keys_mended" == restarted.table.snapshot()["storage"]
    assert f"{path} was damaged and is mended from its copy" in caplog.text
    restarted.close()


def test_lost_keys_do_not_stop_the_table(tmp_path: Path) -> None:
    """If the keys and their copy are damaged, the table starts with new keys, says so on its
    display, keeps the damaged files, and phones can join.
    """
    game_table = GameTable(tmp_path)
    game_table.seated("V")
    game_table.close()
    for name in ("keys.json", "keys.json.copy"):
        (tmp_path / name).write_text("{")
    restarted = GameTable(tmp_path)

    assert "keys_lost" == restarted.table.snapshot()["storage"]
    assert ["{"] * 2 == [path.read_text() for path in tmp_path.glob("*.corrupt-1")]
    phone = restarted.phone()
    assert claim(phone, restarted.code)["ok"]
    assert "display" == restarted.display().request("hello")["role"]
    restarted.close()
    again = GameTable(tmp_path)
    assert "ok" == again.table.snapshot()["storage"]
    again.close()


def test_a_disk_that_takes_nothing_gives_no_seat(
    game_table: GameTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An answer means stored: without a stored PIN there is no seat."""

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    phone, code = game_table.phone(), game_table.code
    monkeypatch.setattr(files, "atomic_write", fail)

    assert "keys_not_stored" == claim(phone, code)["code"]
    assert "guest" == phone.request("hello")["role"]


def test_codes_are_drawn_from_all_letters() -> None:
    """Codes are drawn from letters without vowels and lookalikes, each equally likely."""
    drawn = draw_code(20_000, entropy_of(1))

    assert set(ALPHABET) == set(drawn)
    assert 20 == len(ALPHABET)
    assert all(800 < drawn.count(letter) < 1200 for letter in ALPHABET)
    assert same_code(" bcdf", "BCDF")
    assert not same_code("ΒCDF", "BCDF")


@pytest.mark.slow
def test_a_pin_is_known_by_its_scrypt(monkeypatch: pytest.MonkeyPatch) -> None:
    """A PIN is kept at scrypt's cost for logins, with its own salt, so that equal PINs look
    different.
    """
    monkeypatch.setattr(codes, "PIN_COST", REAL_PINS)
    kept = hash_pin("0042", b"s" * 16)

    digest = hashlib.scrypt(b"0042", salt=b"s" * 16, n=2**14, r=8, p=1, dklen=32)
    assert digest.hex() == kept.digest
    assert same_pin("0042", kept)
    assert not same_pin("0043", kept)
    assert kept.digest != hash_pin("0042", b"t" * 16).digest


def test_guesses_are_bounded_in_memory() -> None:
    """A flood of addresses displaces the oldest from memory."""
    guesses = codes.RateLimiter(lambda: 0.0, {})
    for number in range(codes.MAX_ADDRESSES + 10):
        guesses.count_guess(str(number))

    assert codes.MAX_ADDRESSES == len(guesses._guessed)


def test_a_new_game_has_a_new_code(game_table: GameTable) -> None:
    """The last game's code is invalid in the next game; players keep seats, and tries restart."""
    vampire, human = game_table.placed()
    before = keystore.KeyStore(game_table.folder, keystore.StoredKeys("", "")).keys.code
    count = game_table.table.snapshot()["join_code_version"]
    game_table.phone().request("recover", seat="V", pin="9999")
    assert vampire.request("surrender")["ok"]

    assert human.request("next_game", by=0)["ok"]

    kept = keystore.KeyStore(game_table.folder, keystore.StoredKeys("", "")).keys
    assert before != kept.code == game_table.code
    assert count + 1 == game_table.table.snapshot()["join_code_version"]
    assert "code_used" == game_table.phone().request("admit", code=before)["code"]
    assert [0, 0] == [pin.tries for pin in kept.pins.values()]


def play_next_game(game_table: GameTable, vampire: Phone, human: Phone) -> None:
    """End the game and prepare the next one."""
    assert vampire.request("surrender")["ok"]
    assert human.request("next_game", by=0)["ok"]


def test_each_game_has_a_key_of_its_own(game_table: GameTable) -> None:
    """Seated phones and displays get the next key under the last one, which is deleted as soon as
    all have come over: no key on the disk then opens a recording of the last game.
    """
    vampire, human = game_table.placed()
    display = game_table.display()
    recorded, _ = vampire.seal({"id": vampire.new_id(), "do": "hello"})
    before, fragment = game_table.context.access.secrets, game_table.display_fragment
    play_next_game(game_table, vampire, human)
    current, former = game_table.context.access.secrets
    assert before == (former,)
    assert fragment[:43] != game_table.display_fragment[:43] == game_table.fragment[:43]

    for phone, role in ((human, "H1"), (vampire, "V"), (display, "display")):
        assert former.hex() in (game_table.folder / keystore.KEYS_FILE).read_text()
        assert role == phone.request("hello")["role"]

    assert (current,) == game_table.context.access.secrets
    assert former.hex() not in (game_table.folder / keystore.KEYS_FILE).read_text()
    assert 400 == vampire.post("/channel", recorded).status_code


@pytest.mark.parametrize("is_power_cut", [False, True])
def test_a_key_that_was_not_stored_is_drawn_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_power_cut: bool
) -> None:
    """If the disk refuses the next game's keys after the table is reopened, the same request or the
    next start draws them.
    """
    game_table = GameTable(tmp_path)
    vampire, human = game_table.placed()
    assert vampire.request("surrender")["ok"]
    before = game_table.context.access.secrets
    request = {"id": human.new_id(), "do": "next_game", "by": 0}
    with monkeypatch.context() as patch:
        refuse = Mock(side_effect=OSError(28, "No space left on device"))
        patch.setattr(files, "atomic_write", refuse)
        assert "keys_not_stored" == human.request_raw(request)["code"]
    assert "lobby" == game_table.table.snapshot()["phase"]
    assert before == game_table.context.access.secrets
    if is_power_cut:
        game_table.close()
        game_table = GameTable(tmp_path)
    else:
        assert human.request_raw(request)["ok"]
    current, former = game_table.context.access.secrets
    game_table.close()

    assert before == (former,)
    assert current != former


def test_a_second_claim_keeps_the_first_pin(game_table: GameTable) -> None:
    """A double tap claims a seat twice with two PINs: the first one counts."""
    phone = game_table.phone()
    for pin in ("1111", "2222"):
        assert claim(phone, game_table.code, "H1", pin)["ok"]

    assert "wrong_pin" == game_table.phone().request("recover", seat="H1", pin="2222")["code"]
    assert game_table.phone().request("recover", seat="H1", pin="1111")["ok"]


def test_another_seats_pin_changes_nothing_of_a_seated_phone(game_table: GameTable) -> None:
    """A seated phone that types another seat's PIN gets no second seat and keeps its own PIN."""
    for seat, pin in (("V", "1111"), ("H1", "2222")):
        assert claim(game_table.phone(), game_table.code, seat, pin)["ok"]
    human = game_table.phone()
    assert human.request("recover", seat="H1", pin="2222")["ok"]

    assert "already_seated" == human.request("recover", seat="V", pin="1111")["code"]
    assert "wrong_pin" == game_table.phone().request("recover", seat="H1", pin="1111")["code"]
    assert game_table.phone().request("recover", seat="H1", pin="2222")["ok"]


def test_no_screen_is_paired_that_was_not_announced(
    game_table: GameTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the disk takes no announcement, the screen that a seat offered is no display."""
    _, human = game_table.placed()
    code = human.request("screen")["screen"]["url"].partition("#")[2][43:]
    screen = game_table.phone()
    with monkeypatch.context() as patch:
        patch.setattr(
            game_table.table.journal.log, "append", Mock(side_effect=Refused("disk_full"))
        )
        assert "disk_full" == screen.request("pair", code=code)["code"]

    assert "guest" == screen.request("hello")["role"]


def test_the_last_key_waits_for_one_game(tmp_path: Path) -> None:
    """A phone that sleeps finds the table again after a restart; after a whole game only by its
    code, and a display that slept as long is unpaired. A stranger with the last key gets the next
    one, and no more.
    """
    game_table = GameTable(tmp_path)
    vampire, human = game_table.placed()
    display, guest = game_table.display(), game_table.phone()
    play_next_game(game_table, vampire, human)
    game_table.close()
    game_table = GameTable(tmp_path)
    for phone in (vampire, human, display, guest):
        phone.app = game_table.app
    assert ["guest", "guest"] == [guest.request("hello")["role"] for _ in range(2)]
    assert [2, "H1", 2] == [
        len(game_table.context.access.secrets),
        human.request("hello")["role"],
        len(game_table.context.access.secrets),
    ]

    game_table.table.start()
    game_table.table.surrender(Seat("V"))
    assert human.request("next_game", by=0)["ok"]

    lost, _ = vampire.seal({"id": vampire.new_id(), "do": "hello"})
    assert 400 == vampire.post("/channel", lost).status_code
    assert () == keystore.KeyStore(tmp_path, keystore.StoredKeys("", "")).keys.displays
    *_, fresh = (game_table.phone() for _ in range(9))
    assert fresh.request("recover", seat="V", pin="1111")["ok"]
    assert (
        400
        == display.post(
            "/channel", display.seal({"id": display.new_id(), "do": "hello"})[0]
        ).status_code
    )
    game_table.close()


def test_a_key_has_one_channel(game_table: GameTable, monkeypatch: pytest.MonkeyPatch) -> None:
    """All requests with the next game's key, however many at once, are answered by one channel: a
    stream by another would end.
    """

    def slowly(
        secret: bytes, entropy: Callable[[int], bytes], is_known: Callable[[str], bool]
    ) -> Channel:
        time.sleep(0.05)
        return Channel(secret, entropy, is_known)

    vampire, human = game_table.placed()
    play_next_game(game_table, vampire, human)
    monkeypatch.setattr(context_module, "Channel", slowly)
    game_table.context._known_channels = (), ()
    with ThreadPoolExecutor(8) as threads:
        channels = [*threads.map(lambda _: game_table.context.channel, range(8))]

    assert 8 * [game_table.context.channel] == channels


def test_nothing_of_the_next_game_goes_by_the_last_key(game_table: GameTable) -> None:
    """A stream opened under the last key ends with the frame that has the next one."""
    vampire, human = game_table.placed()
    lines, old = vampire.follow(), vampire.box
    next(lines)
    play_next_game(game_table, vampire, human)
    assert human.request("rename", name="Ann")["ok"]
    assert human.request("rename", name="Anna")["ok"]
    game_table.table.journal.broadcaster.close()

    key_kept = [vampire.box is old for _ in lines]

    assert [False] == key_kept


def test_denials_are_refusals() -> None:
    """Denials carry a code of the language catalogues."""
    assert "wrong_code" == Denied("wrong_code").message.code
