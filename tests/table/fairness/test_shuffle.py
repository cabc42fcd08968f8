"""Fair shuffles: a seed that is sealed before phones add to it, and all draws of a game from it."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.game import Seat
from companion.games.shisogari.rules import Shisogari
from companion.games.vampireradar.rules import VampireRadar
from companion.table.entries import Seeded, TableEvent, decode_items, encode_items
from companion.table.errors import Refused
from companion.table.fairness.export import export_record
from companion.table.fairness.shuffle import Shuffle, read_seed, seed_line
from companion.table.fairness.verify import verify_record
from companion.table.seed_commitment import SeedCommitment
from companion.table.settings import TableSettings
from companion.table.state import TableState
from companion.table.storage.log import read_bodies
from companion.table.table import Table
from tests.games.shisogari.sessions import ShisogariSession
from tests.table.play import Play, give_shares, start_with_all
from tests.web.test_proof import proved

VECTORS = json.loads(
    (Path(__file__).parents[2] / "fixtures" / "shuffles.json").read_text(encoding="utf-8")
)
"""Also held by tests/web/proof/shuffle.test.mjs; computed by a third program that shares no line
with them.
"""
KEYS = {Seat(f"P{number}"): f"{number:064x}" for number in range(1, 5)}


def by_hand(seed: bytes, shares: list[bytes], number: int) -> str:
    """Return a draw by the formula of HMAC in RFC 2104."""
    key = hashlib.sha256(seed + b"".join(shares)).digest() + bytes(32)
    inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in key) + str(number).encode()).digest()
    return hashlib.sha256(bytes(byte ^ 0x5C for byte in key) + inner).hexdigest()


@settings(max_examples=50)
@given(
    st.binary(min_size=32, max_size=32),
    st.dictionaries(
        st.sampled_from(["P1", "P2", "P3", "P4", "P5"]), st.binary(min_size=16, max_size=16)
    ),
    st.integers(0, 10**6),
)
def test_a_draw_is_an_hmac_by_the_seed_and_all_shares(
    seed: bytes, shares: dict[str, bytes], number: int
) -> None:
    """For any seed and shares every draw equals the formula by hand, in the order of the seats'
    names and not of their arrival.
    """
    shuffle = Shuffle.from_shares(
        seed_line(seed), {Seat(seat): share.hex() for seat, share in shares.items()}
    )

    assert seed == read_seed(seed_line(seed))
    assert by_hand(seed, [shares[seat] for seat in sorted(shares)], number) == shuffle.draw(number)


def test_the_vectors_hold() -> None:
    """Draws equal the vectors, which the browser's tests use too."""
    for vector in VECTORS:
        shuffle = Shuffle.from_shares(vector["line"], vector["shares"])

        assert vector["seal"] == Seeded(vector["line"]).seal
        assert vector["draws"] == [shuffle.draw(number) for number in range(12)]
        assert "•" in repr(shuffle)


@pytest.mark.parametrize(
    "line", ['{"kind":"seed","seed":"00","v":1}', '{"kind": "seed"}', "[]", '{"kind":"seed","v":1}']
)
def test_no_other_line_is_a_seed(line: str) -> None:
    """A seed or share that is not in the canonical form is refused."""
    with pytest.raises(ValueError):
        read_seed(line)


def lobby(folder: Path) -> Play:
    """Return a table in whose lobby four people sit down to Shisogari."""
    play = Play(folder, Shisogari())
    play.games = [Shisogari(), VampireRadar()]
    play.table.close()
    play.open()
    play.table.lobby.propose({"players": 4})
    for seat, key in KEYS.items():
        play.table.seats.claim(seat, f"Person {seat}", key)
    return play


def seal_of(table: Table) -> Any:
    return table.snapshot()["lobby"].get("seed")


def test_a_seed_is_sealed_once_before_each_game(tmp_path: Path) -> None:
    """The lobby of a game that deals publishes a seal, the same for any proposal, and after a kill
    with the phones' shares; a phone's first share counts, under this seal alone. The next game has
    another seal.
    """
    play = lobby(tmp_path / "data")
    sealed = seal_of(play.table)
    give_shares(play.table, KEYS[Seat("P1")])
    for change in (
        {"options": {"start": "first"}},
        {"game": "vampireradar"},
        {"game": "shisogari", "players": 4},
    ):
        play.table.lobby.propose(change)
    assert sealed == seal_of(play.table)
    play.crash()
    table = play.table
    assert sealed == seal_of(table)
    for seal, share, wrong in (
        (sealed, "ab" * 16, "share_given"),
        ("0" * 64, "ab" * 16, "no_seed"),
    ):
        with pytest.raises(Refused, match=wrong):
            table.seeds.give_share(KEYS[Seat("P1")], seal, share)
    assert not any(re.search("share|chance", json.dumps(line)) for line in table.snapshot()["log"])
    shares = give_shares(table, KEYS[Seat("P1")], KEYS[Seat("P3")])
    for seat, key in KEYS.items():
        table.seats.claim(seat, f"Person {seat}", key)
    table.start()

    event = next(
        line["event"]
        for line in table.snapshot()["log"]
        if line["event"]["event"] == "shuffle_sealed"
    )
    assert {"P1": shares[KEYS[Seat("P1")]], "P3": shares[KEYS[Seat("P3")]]} == event["shares"]
    assert sealed == event["seal"]
    with pytest.raises(Refused, match="no_seed"):
        table.seeds.give_share(KEYS[Seat("P2")], sealed, "ab" * 16)
    for seat in KEYS:
        table.votes.draw(seat)
    table.open_next_game(by=0)
    assert seal_of(table) not in (sealed, None)
    play.table.close()


def test_a_table_between_two_games_carries_its_seed() -> None:
    """When old games are deleted, the seed and its shares stay."""
    table = TableState([Shisogari()], TableSettings())
    table.apply(Seeded(seed_line(bytes(32))))
    table.apply(TableEvent({"event": "share_given", "key": "a", "share": "b"}))
    after = TableState([Shisogari()], TableSettings())
    for item in decode_items(encode_items([table.to_snapshot()])):
        after.apply(item)

    assert (table.seed, {"a": "b"}) == (after.seed, after.shares)


def picking(play: Play) -> tuple[Seat, list[Any]]:
    """Play on until a seat has to pick; return the seat and its actions."""
    while True:
        seat = Seat(play.table.snapshot()["to_move"])
        legal = play.table.seat_snapshot(seat)["legal"]
        if any(action["type"] == "pick" for action in legal):
            return seat, legal
        [first] = play.table.decode(
            [next(action for action in legal if action["type"] != "accuse")]
        )
        play.submit(seat, first)


@pytest.mark.slow
def test_an_undone_draw_is_not_drawn_again(tmp_path: Path) -> None:
    """The game's draws are those of its shuffle in order; an undone draw is used up, and the next
    is another. A refused submission draws nothing. Nobody gets the seed or a draw before the end.
    """
    play = lobby(tmp_path / "data")
    give_shares(play.table, *KEYS.values())
    play.table.start()
    seat, legal = picking(play)
    with pytest.raises(Refused, match="drawn_before"):
        play.submit(seat, *play.table.decode([legal[0], {"type": "keep"}]))
    play.submit(seat, *play.table.decode([legal[0]]))
    play.table.votes.undo(seat)
    for other in KEYS:
        if play.table.snapshot()["vote"] and other != seat:
            play.table.votes.cast(other, True)
    assert legal == play.table.seat_snapshot(seat)["legal"]
    play.submit(seat, *play.table.decode([legal[0]]))
    shuffle = play.table.state.run.shuffle
    views: list[Any] = [
        play.table.snapshot(),
        play.table.state.public_log.after(0),
        *(play.table.seat_snapshot(seat) for seat in KEYS),
    ]
    early = json.dumps(views) + "".join(export_record(read_bodies(play.folder), play.games))
    for other in KEYS:
        play.table.votes.draw(other)
    record = [json.loads(line) for line in play.table.record()]
    lines = play.table.record()
    play.table.close()

    assert shuffle is not None
    secrets = [
        json.loads(record[4]["opened"])["seed"],
        shuffle.key.hex(),
        *map(shuffle.draw, range(9)),
    ]
    assert [] == [secret for secret in secrets if secret in early]
    assert [shuffle.draw(1), shuffle.draw(2)] == [
        line["chance"] for line in record if "chance" in line
    ]
    assert verify_record(lines, [Shisogari()]).ok
    assert None is proved([("\n".join(lines), {})])[0]["wrong"]


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> ShisogariSession:
    return ShisogariSession(tmp_path_factory.mktemp("fair"), 14)


def share_of(game: ShisogariSession, seat: str) -> dict[str, str]:
    """Return what a seat's phone kept: the seal that it saw, and its share."""
    event = json.loads(game.lines[2])["table"]
    return {"seal": event["seal"], "share": event["shares"][seat]}


@pytest.mark.slow
def test_a_phone_finds_its_share_in_the_record(game: ShisogariSession) -> None:
    """A whole game follows from the seed and the phones, one of four asleep; each finds its own
    share under the seal it saw. If a table seals another seed after it has seen the shares, or
    leaves a share out, that phone finds it.
    """
    kept = [share_of(game, seat) for seat in ("P1", "P2", "P3")]
    swapped = [{**each, "seal": "ab" * 32} for each in kept]
    ignored = [{**each, "share": "ab" * 16} for each in kept]
    proofs = proved([(game.record, {"share": each}) for each in (*kept, *swapped, *ignored)])

    assert [None] * 3 + ["proof.share"] * 6 == [proof["wrong"] for proof in proofs]
    assert [1, 1, 1] == [proof["kept"] for proof in proofs[:3]]
    assert ("P1", "P2", "P3") == verify_record(game.lines, [Shisogari()]).shares


@pytest.mark.slow
def test_a_changed_draw_is_found(game: ShisogariSession) -> None:
    """One changed or missing digit of a draw is refused by the program and by the browser, whatever
    the game's course; so is the whole game by another seed under its seal.
    """
    changed = []
    for number, line in enumerate(game.lines):
        value = json.loads(line)
        if "chance" in value:
            other = value["chance"][:-1] + ("0" if value["chance"][-1] != "0" else "1")
            without = {name: of for name, of in value.items() if name != "chance"}
            for bad in (value | {"chance": other}, without):
                changed.append([*game.lines[:number], json.dumps(bad), *game.lines[number + 1 :]])
    seed = Seeded(seed_line(bytes(32)))
    swapped = [json.loads(line) for line in game.lines]
    swapped[2]["table"]["seal"] = swapped[4]["seal"] = seed.seal
    swapped[4]["opened"] = seed.line
    changed.append([json.dumps(line) for line in swapped])
    reports = [verify_record(lines, [Shisogari()]) for lines in changed]
    proofs = proved([("\n".join(lines), {}) for lines in changed])

    assert len(changed) > 8
    assert [] == [report for report in reports if report.ok]
    assert [] == [proof for proof in proofs if proof["wrong"] is None]
    assert ("other_draw", "proof.drawn") == (
        reports[-1].wrong and reports[-1].wrong.code,
        proofs[-1]["wrong"],
    )


@pytest.mark.slow
def test_a_record_of_before_is_proved_as_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a shuffle a record is decided as before, with the result that the table drew alone; a
    phone that had given a share finds it unused.
    """
    with monkeypatch.context() as patch:
        patch.setattr(Shisogari, "random_fields", ())
        patch.setattr("tests.games.shisogari.sessions.give_shares", lambda *_: {})
        old = ShisogariSession(tmp_path / "old", 2)
    report = verify_record(old.lines, [Shisogari()])
    plain, kept = proved(
        [(old.record, {}), (old.record, {"share": {"seal": "ab" * 32, "share": "ab" * 16}})]
    )

    assert (True, True, None) == (report.ok, report.deal, report.shares)
    assert (None, None, "proof.share") == (plain["wrong"], plain["seed"], kept["wrong"])


@pytest.mark.slow
def test_a_deal_that_was_proposed_is_shown_as_such(tmp_path: Path, game: ShisogariSession) -> None:
    """A proposed deal is played, and published as custom, not as drawn; both checks find that."""
    deal = json.loads(game.lines[0])["new"]["deal"]
    play = lobby(tmp_path / "data")
    play.table.lobby.propose({"deal": deal, "first": "P2"})
    start_with_all(play.table)
    for seat in KEYS:
        play.table.votes.draw(seat)
    lines = play.table.record()
    play.table.close()
    undealt = [line.replace(',"custom_setup":["deal","first"]', "") for line in lines]
    (proof, other) = proved([("\n".join(each), {}) for each in (lines, undealt)])

    assert (True, ("deal", "first")) == (
        (report := verify_record(lines, [Shisogari()])).ok,
        report.custom_setup,
    )
    assert (None, ["deal", "first"]) == (proof["wrong"], proof["seed"]["customSetup"])
    assert ("proof.drawn", "other_draw") == (
        other["wrong"],
        str(verify_record(undealt, [Shisogari()]).wrong),
    )


@pytest.mark.slow
def test_a_table_that_draws_alone_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that seals a seed and takes shares, and then deals otherwise, is refused by both
    checks.
    """
    begin = SeedCommitment.begin
    monkeypatch.setattr(SeedCommitment, "begin", lambda *of: (begin(*of)[0], Random(5)))
    (proof,) = proved([("\n".join(lines := ShisogariSession(tmp_path / "own", 3).lines), {})])

    assert ("proof.drawn", "other_draw") == (
        proof["wrong"],
        str(verify_record(lines, [Shisogari()]).wrong),
    )
