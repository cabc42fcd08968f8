"""The browser's own proof of a game: a second implementation, in another language, from the record
alone.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser

from companion.games.shisogari.rules import Shisogari
from companion.games.vampireradar.options import HUMANS, V
from companion.games.vampireradar.rules import VampireRadar
from companion.i18n import web_root
from companion.server.standalone import proof_page
from companion.table.fairness.export import export_record
from companion.table.fairness.verify import verify_record
from companion.table.storage.log import read_bodies
from tests.games.shisogari.sessions import ShisogariSession
from tests.games.vampireradar.on_paper import GAMES as RECORDED
from tests.helpers.repetitions import soak
from tests.table.fairness import forged
from tests.table.lost_phone import LostPhone
from tests.table.play import Play
from tests.table.test_vampireradar import play_on

pytestmark = pytest.mark.slow

GAME = VampireRadar()
Json = dict[str, Any]


class Finished:
    """A finished random game: its record, and the heads and seals that a player wrote down."""

    def __init__(self, folder: Path, seed: int) -> None:
        play = Play(folder, GAME, seed=seed)
        humans = HUMANS[: 1 + seed % 3]
        play.table.lobby.propose({"options": {"pawns_block_shots": seed % 4 == 1}})
        play.start("V", *humans, players=1 + len(humans))
        kept: dict[str, str] = {}
        for part in range(4):
            play_on(play, Random(seed * 10 + part), 25)
            snapshot = play.table.snapshot()
            kept[str(snapshot["position"])] = snapshot["head"]
            if part == 1 and snapshot["phase"] == "play" and snapshot["undo"]["kind"] != "none":
                self._take_back(play, humans)
        play.clock.advance(200)
        if play.table.snapshot()["phase"] == "play":
            play.table.surrender(V)
        snapshot = play.table.snapshot()
        seals = {
            str(number): opened["seal"]
            for number, opened in enumerate(play.table.opened_commitments(), start=1)
        }
        self.kept = {"heads": kept | {str(snapshot["position"]): snapshot["head"]}, "seals": seals}
        self.lines = list(export_record(read_bodies(folder), [GAME]))
        self.head = snapshot["head"]
        play.table.close()

    @property
    def record(self) -> str:
        return "".join(f"{line}\n" for line in self.lines)

    @staticmethod
    def _take_back(play: Play, humans: tuple[Any, ...]) -> None:
        play.table.votes.undo(V)
        for seat in humans:
            if play.table.snapshot()["vote"]:
                play.table.votes.cast(seat, True)


def proved(records: list[tuple[str, Json]]) -> list[Json]:
    """Return the results of the browser's code for each record."""
    script = Path(__file__).with_name("prove.mjs")
    lines = "".join(json.dumps(pair) + "\n" for pair in records)
    result = subprocess.run(
        ["node", script], input=lines, capture_output=True, text=True, timeout=300
    )
    assert (0, "") == (result.returncode, result.stderr)
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.fixture(scope="module", params=[8, *soak(25)])
def games(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> list[Finished]:
    folder = tmp_path_factory.mktemp("games")
    return [Finished(folder / str(seed), seed) for seed in range(request.param)]


def answers_in(record: str) -> int:
    kinds = ("radar_called", "shot_fired", "pawns_killed", "bat_eaten")
    events = [event for line in record.splitlines() for event in json.loads(line).get("public", [])]
    return sum(event["event"] in kinds for event in events)


def test_a_record_of_another_format(games: list[Finished]) -> None:
    """A record in a newer format is refused in one sentence."""
    newer = games[0].record.replace('"format":1', '"format":2', 1)

    assert ["proof.newer"] == [proof["wrong"] for proof in proved([(newer, games[0].kept)])]


def test_real_games_are_proved(games: list[Finished]) -> None:
    """Random games, some with a turn taken back, verify in both languages, with the same number of
    seals and the same last head; every radar answer, shot, attack and meal is counted.
    """
    for game, proof in zip(
        games, proved([(game.record, game.kept) for game in games]), strict=True
    ):
        report = verify_record(game.lines, [GAME])
        assert (None, game.head, report.seals) == (proof["wrong"], proof["head"], proof["nights"])
        assert answers_in(game.record) == proof["answers"]
        assert len(game.kept["heads"]) + len(game.kept["seals"]) == proof["kept"]
    assert sum(answers_in(game.record) for game in games) > 10 * len(games)


def start_of(game: Finished) -> Json:
    """Return what a phone stores about the game to which its seals belong."""
    values = [json.loads(line) for line in game.lines]
    (event,) = (value for value in values if value.get("table", {}).get("event") == "game_started")
    return {"position": event["position"], "key": event["table"]["key"]}


def test_seals_and_a_share_of_another_game_do_not_count(games: list[Finished]) -> None:
    """A phone whose seat keeps no history in this game still has the hashes of the one before; by
    its own start a wrong seal counts, and so do notes that name no game.
    """
    game = games[0]
    other: Json = {"seals": {"1": "0" * 64}}
    starts = [start_of(games[1]), None, start_of(game) | {"position": 99}, start_of(game)]

    *elsewhere, own, noted = proved(
        [(game.record, other | {"start": start}) for start in starts] + [(game.record, other)]
    )

    assert [(None, 0)] * 3 == [(proof["wrong"], proof["kept"]) for proof in elsewhere]
    assert ["proof.kept"] * 2 == [own["wrong"], noted["wrong"]]


def changes(value: object) -> Iterator[object]:
    """Yield a value with each of its parts changed, one at a time."""
    match value:
        case dict():
            for key, inner in value.items():
                yield from ({**value, key: other} for other in changes(inner))
        case list():
            for index, inner in enumerate(value):
                yield from (
                    [*value[:index], other, *value[index + 1 :]] for other in changes(inner)
                )
        case bool():
            yield not value
        case int():
            yield value + 1
        case str():
            yield value[:-1] + ("A" if value[-1:] != "A" else "B")


def test_every_changed_value_is_found(games: list[Finished]) -> None:
    """After a change of any single public value, or without a line, the record no longer proves the
    kept heads.
    """
    lines, kept = games[1].lines, games[1].kept
    mutated: list[tuple[str, Json]] = []
    for number, line in enumerate(lines):
        value = json.loads(line)
        # The events are the public part: the set-up is repeated in the first, a human's action in
        # its own.
        aside = {"new", "to_move", "by", "automatic", "resigned"} | (
            {"seat", "actions"} if value.get("seat") != "V" else set()
        )
        checked = {key: inner for key, inner in value.items() if key not in aside}
        for other in changes(checked):
            changed = json.dumps(value | dict(other))  # type: ignore[call-overload]
            mutated.append(("\n".join([*lines[:number], changed, *lines[number + 1 :]]), kept))
        mutated.append(("\n".join([*lines[:number], *lines[number + 1 :]]), kept))

    proofs = proved(mutated)

    unseen = [
        text for (text, _), proof in zip(mutated, proofs, strict=True) if proof["wrong"] is None
    ]
    assert [] == unseen[:1]
    assert len(proofs) > 300


def test_a_wrong_answer_with_true_seals_is_found(games: list[Finished]) -> None:
    """A table that published a wrong distance, and changed nothing else, is found by the path
    alone, without any head.
    """
    wrong: list[tuple[str, Json]] = []
    for game in games:
        for number, line in enumerate(game.lines):
            if '"radar_called"' in line:
                value = json.loads(line)
                value["public"][0]["distance"] += 1
                wrong.append(
                    (
                        "\n".join(
                            [*game.lines[:number], json.dumps(value), *game.lines[number + 1 :]]
                        ),
                        {},
                    )
                )

    assert {"proof.answer"} == {proof["wrong"] for proof in proved(wrong)}


def test_a_night_that_was_never_opened_is_a_surrender(games: list[Finished]) -> None:
    """A seal that is never opened is named: the proof fails by its own reason."""
    lines = [line for line in games[2].lines]
    last = max(number for number, line in enumerate(lines) if '"opened"' in line)

    (proof,) = proved([("\n".join([*lines[:last], *lines[last + 1 :]]), {})])

    assert "proof.closed" == proof["wrong"]


def undone(games: list[Finished]) -> Finished:
    """Return a game with an undo."""
    return next(game for game in games if '"rewound"' in game.record)


def test_an_event_that_nobody_computes_is_refused(games: list[Finished]) -> None:
    """An answer on a line of the table's own, beside an opened line or as an undo is refused, also
    if the record has no gap and nobody kept a head.
    """
    forgeries = ["\n".join(forge(undone(games).lines)) for forge in forged.UNCOMPUTED]

    proofs = proved([(record, {}) for record in forgeries])

    assert ["proof.unreadable"] * len(forgeries) == [proof["wrong"] for proof in proofs]


def test_each_secret_turn_is_sealed_and_opened(games: list[Finished]) -> None:
    """A record without seals, without the last one, with one from after its turn, with one that is
    opened late or never or with one nonce for all seals is refused.
    """
    lines = undone(games).lines
    forgeries = [
        (code, "\n".join(forge(lines)))
        for code, forges in (
            ("proof.unsealed", forged.UNSEALED),
            ("proof.closed", forged.CLOSED),
            ("proof.gap", forged.MISPLACED),
            ("proof.chain", (forged.one_nonce,)),
        )
        for forge in forges
    ]

    proofs = proved([(record, {}) for _, record in forgeries])

    assert [code for code, _ in forgeries] == [proof["wrong"] for proof in proofs]


def test_a_secret_turn_under_another_seats_name_is_refused(games: list[Finished]) -> None:
    """A night that a record gives to a human, without its seal, is no human's turn."""
    lines = forged.last_not_sealed(games[1].lines)
    last = max(number for number, line in enumerate(lines) if '"seat": "V", "public"' in line)
    changed = lines[last].replace('"seat": "V", "public"', '"seat": "H1", "public"')

    (proof,) = proved([("\n".join([*lines[:last], changed, *lines[last + 1 :]]), {})])

    assert "proof.path" == proof["wrong"]


def nested(game: Finished) -> str:
    """Return a record with one more event of the table, in which 20,000 lists are nested."""
    position = max(int(position) for position in game.kept["heads"]) + 1
    event = '{"event":"paused","by":' + "[" * 20_000 + "]" * 20_000 + "}"
    return f'{game.record}{{"table":{event},"position":{position}}}\n'


def test_a_record_that_nests_too_deep_is_unreadable(games: list[Finished]) -> None:
    """Whatever a crafted record throws, the result is a refusal."""
    (proof,) = proved([(nested(games[0]), {})])

    assert "proof.unreadable" == proof["wrong"]


def test_the_page_shows_no_verdict_of_another_record(
    games: list[Finished], browser: Browser, tmp_path: Path
) -> None:
    """A file chooser without a file changes nothing; a file is shown as unreadable if it is; while
    a file is read the page shows nothing of the record before it.
    """
    path, crafted = tmp_path / "proof.html", tmp_path / "crafted.jsonl"
    path.write_text(proof_page(games[0].record, web_root()), encoding="utf-8")
    crafted.write_text(nested(games[0]), encoding="utf-8")
    problems: list[str] = []
    with browser.new_context(offline=True, locale="en-GB") as context:
        page = context.new_page()
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.goto(path.as_uri())
        page.locator("#file").dispatch_event("change")
        assert 1 == page.locator("#verdict.right").count()
        page.locator("#file").set_input_files(crafted)
        page.locator("#verdict.wrong", has_text="no record of a finished game").wait_for()
        crafted.write_text(games[0].record, encoding="utf-8")
        page.locator("#file").set_input_files(crafted)
        page.locator("#verdict.right").wait_for()
        page.evaluate("() => { Blob.prototype.text = () => new Promise(() => {}); }")
        page.locator("#file").set_input_files(crafted)
        page.locator("#verdict").wait_for(state="detached")
        assert "" == page.locator("#proof").inner_text()
    assert [] == problems


LOST = (("01-3p", 60), ("02-4p", 25), ("03-2p", 60))


@pytest.fixture(scope="module")
def lost(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[list[list[str]], str, str]]:
    """Recorded games whose phone is lost: the true pages, the record before they were typed, and
    after it.
    """
    records = []
    for name, share in LOST:
        game = LostPhone(tmp_path_factory.mktemp("lost") / name, RECORDED / f"{name}.jsonl", share)
        untyped = record_of(game.play)
        game.play.table.enter_paper_path(game.pages)
        records.append((game.pages, untyped, record_of(game.play)))
        game.play.table.close()
    return records


def record_of(play: Play) -> str:
    return "\n".join(export_record(read_bodies(play.folder), [GAME]))


def pages_changed(pages: list[list[str]]) -> Iterator[list[list[str]]]:
    """Yield the pages with one left out, with another beginning, and with each night's first step
    to a far tile.
    """
    yield pages[:-1]
    yield [["C3" if pages[0] != ["C3"] else "D4"], *pages[1:]]
    for number, page in enumerate(pages):
        if number and page:
            yield [
                *pages[:number],
                ["A1" if page[0] >= "D" else "F6", *page[1:]],
                *pages[number + 1 :],
            ]


def one_answer_changed(record: str) -> str:
    """Return the record with the first radar answer on paper one off."""
    sealed, paper = record.split('{"switched_to_paper"')
    changed = re.sub(
        r'("radar_called"[^}]*"distance":)(\d+)',
        lambda match: f"{match[1]}{int(match[2]) + 1}",
        paper,
        count=1,
    )
    return f'{sealed}{{"switched_to_paper"{changed}'


def test_a_game_that_went_on_on_paper(lost: list[tuple[list[list[str]], str, str]]) -> None:
    """Untyped, the answers from the sealed nights are right and there is no result for the others.
    Typed, the path on paper gives all answers too; a wrong answer, another step, a page too few or
    another beginning is found by itself.
    """
    for pages, before, after in lost:
        typed = f'"pages":{json.dumps(pages, separators=(",", ":"))}'
        others = [
            after.replace(typed, f'"pages":{json.dumps(other)}') for other in pages_changed(pages)
        ]
        records = [before, after, one_answer_changed(after), *others]
        untyped, correct, *wrong = proved([(record, {}) for record in records])

        assert (None, None, pages) == (
            untyped["wrong"],
            untyped["paper"]["pages"],
            correct["paper"]["pages"],
        )
        assert (None, answers_in(after)) == (correct["wrong"], correct["answers"])
        assert answers_in(before.split('{"switched_to_paper"')[0]) == untyped["answers"]
        assert ["proof.paper"] * (1 + len(others)) == [proof["wrong"] for proof in wrong]
        assert len(others) > 2


def test_one_line_can_be_checked_by_hand(games: list[Finished]) -> None:
    """The command that the page shows prints the published seal, in a plain shell."""
    (proof,) = proved([(games[0].record, {})])
    for command, seal in zip(proof["commands"], proof["seals"], strict=True):
        printed = subprocess.run(
            ["sh", "-c", command], capture_output=True, text=True, check=True
        ).stdout
        assert seal == printed.split()[0]


def test_the_page_alone_proves_a_game_of_cards(
    card_games: list[ShisogariSession], browser: Browser, tmp_path: Path
) -> None:
    """One file, as light or dark as the browser wants pages: it shows how many picks and placings
    are right, lists each placing, and has a sentence for what a changed card does not give.
    """
    game = card_games[1]
    path, changed = tmp_path / "proof.html", tmp_path / "changed.jsonl"
    path.write_text(proof_page(game.record, web_root()), encoding="utf-8")
    changed.write_text(
        game.record.replace('"event":"card_kept"', '"event":"card_lost"', 1), encoding="utf-8"
    )
    with browser.new_context(offline=True, locale="en-GB") as context:
        page = context.new_page()
        page.goto(path.as_uri())
        verdict = page.locator("#verdict").inner_text()
        assert re.match(
            r"Answers: \d+, all correct. Picked cards: \d+, placings: \d+, accusations: \d",
            verdict,
        ), verdict
        assert len(game.kept["seals"]) == page.locator("#nights li").count()
        for look, panel in (
            ("light", "rgba(253, 248, 236, 0.9)"),
            ("dark", "rgba(13, 11, 34, 0.85)"),
        ):
            page.emulate_media(color_scheme=look)  # type: ignore[arg-type]
            colour = "getComputedStyle(document.querySelector('main')).backgroundColor"
            assert panel == page.evaluate(colour)
        page.locator("#file").set_input_files(changed)
        refuted = "the published events are not what the cards give"
        page.locator("#verdict.wrong", has_text=refuted).wait_for()


def test_the_page_alone_proves_a_game(
    games: list[Finished],
    lost: list[tuple[list[list[str]], str, str]],
    browser: Browser,
    tmp_path: Path,
) -> None:
    """One file, opened from the disk without a network: it shows that all answers are right, finds
    a kept head, shows the contradictions of a changed record, and the parts that were on paper or
    cannot be checked.
    """
    game = games[3]
    path = tmp_path / "proof.html"
    path.write_text(proof_page(game.record, web_root()), encoding="utf-8")
    context = browser.new_context(offline=True, locale="en-GB")
    problems: list[str] = []
    page = context.new_page()
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on(
        "console",
        lambda message: problems.append(message.text) if message.type == "error" else None,
    )
    page.goto(path.as_uri())

    assert (
        f"Answers: {answers_in(game.record)}, all correct" in page.locator("#verdict").inner_text()
    )
    assert len(game.kept["seals"]) == page.locator("#nights li").count()
    page.locator("#kept").fill("\n".join(f"{at} {head}" for at, head in game.kept["heads"].items()))
    page.locator("#compare").click()
    assert f"{len(game.kept['heads'])} of yours found" in page.locator("#found").inner_text()
    page.locator("#kept").fill(f"{next(iter(game.kept['heads']))} {'ab' * 32}")
    page.locator("#compare").click()
    assert "not what you kept" in page.locator("#verdict").inner_text()
    changed = tmp_path / "changed.jsonl"
    changed.write_text(game.record.replace('"hit":false', '"hit":true', 1), encoding="utf-8")
    page.locator("#kept").fill("")
    page.locator("#file").set_input_files(changed)
    page.locator("#verdict.wrong", has_text="an answer is not the one").wait_for()
    pages, untyped, typed = lost[0]
    for record, message in (
        (untyped, "their path was never typed"),
        (typed, "kept on paper, without a seal"),
    ):
        changed.write_text(record, encoding="utf-8")
        page.locator("#file").set_input_files(changed)
        page.locator("#verdict.right", has_text=message).wait_for()
    assert len(pages) - 1 == page.locator("#pages li").count()
    assert [] == problems
    context.close()


OPTIONS: tuple[Json, ...] = (
    {},
    {"pick_colour": "free", "dealt_pairs": "redealt"},
    {
        "declare_equals_pick": True,
        "last_card": "dealt",
        "dealt_pairs": "redealt",
        "count_pairs": "all",
    },
    {},
)


@pytest.fixture(scope="module")
def card_games(tmp_path_factory: pytest.TempPathFactory) -> list[ShisogariSession]:
    folder = tmp_path_factory.mktemp("cards")
    return [
        ShisogariSession(
            folder / str(seed), seed, 4 + seed % 2, OPTIONS[seed % 4], undo=seed % 3 == 0
        )
        for seed in range(8, 20)
    ]


def test_games_of_cards_are_proved(card_games: list[ShisogariSession]) -> None:
    """Every pick is drawn again from its seed; each placing, pair, bite and determination follows,
    and both languages come to the same number of seals and the same last head.
    """
    proofs = proved([(game.record, game.kept) for game in card_games])
    for game, proof in zip(card_games, proofs, strict=True):
        report = verify_record(game.lines, [Shisogari()])
        events = [
            event["event"] for line in game.lines for event in json.loads(line).get("public", [])
        ]
        counts = Counter(events)
        count = {
            "picks": counts["card_picked"],
            "placings": counts["card_kept"] + counts["pair_laid"],
            "determinations": counts["pairs_counted"],
        }

        assert (None, report.head, report.seals) == (
            proof["wrong"],
            proof["head"],
            proof["nights"] + 2,
        )
        assert ("shisogari", count) == (proof["game"], proof["count"])
        assert len(game.kept["heads"]) + len(game.kept["seals"]) == proof["kept"]
    ends = {game.snapshot["outcome"]["reason"] for game in card_games}
    assert ends >= {"hand_lost", "wrong_suspect"}


def mutations(game: ShisogariSession) -> Iterator[list[str]]:
    """Yield a record with each single value changed, and with each line left out."""
    for number, line in enumerate(game.lines):
        yield [*game.lines[:number], *game.lines[number + 1 :]]
        for other in changes(json.loads(line)):
            yield [*game.lines[:number], json.dumps(other), *game.lines[number + 1 :]]


def test_whatever_the_program_refuses_the_browser_refuses(
    card_games: list[ShisogariSession],
) -> None:
    """Of a game of cards in which any one value is changed (a dealt card, a role, a pick's seed, a
    placing, a public event), the page accepts none that `companion verify` refuses, by the cards
    alone: nobody kept anything.
    """
    game = sorted(card_games, key=lambda one: len(one.lines))[3]
    refused = [lines for lines in mutations(game) if not verify_record(lines, [Shisogari()]).ok]
    proofs = proved([("\n".join(lines), {}) for lines in refused])

    believed = [
        lines for lines, proof in zip(refused, proofs, strict=True) if proof["wrong"] is None
    ]
    assert [] == believed[:1]
    assert {"proof.outcome", "proof.deal", "proof.cards", "proof.acted"} <= {
        proof["wrong"] for proof in proofs
    }
