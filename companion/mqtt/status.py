"""Build a table's published status: a few facts of the public snapshot, and announcements.

Pure: a function of the snapshot for every display, and of the table's identity. Only fields named
here are published, so a new field of the snapshot is not. An event is published by its sentence
only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from companion.core.content import Translations
from companion.core.game import Message, StatusWords
from companion.i18n import PLACEHOLDER, SEAT_PARAMS, Catalog

Availability = Literal["online", "lost", "closed"]
""""lost": sent by the broker as the last will. "closed": the table was shut down."""
NIGHT_EVENTS = frozenset({"night_fell", "night_sealed"})
"""Events without an announcement in a game without nights."""
RECENT_ANNOUNCEMENTS = 3
"""Latest announcements that a status repeats."""
NO_TRANSLATIONS: Translations = {}
PLAIN_WORDS = StatusWords()
ShortText = Annotated[str, Meta(max_length=64)]
NameText = Annotated[str, Meta(max_length=96)]
"""As long as the table takes one: 24 visible characters, each of which may consist of several."""


class TableIdentity(Struct, frozen=True):
    """`id`: never changes. `name`: for people."""

    id: str
    name: str
    names: bool = True
    """Whether to publish the players' names."""


class Player(Struct, frozen=True):
    """A seat and its player. `bot`: a bot's level."""

    seat: ShortText
    name: NameText | None = None
    taken: bool = False
    bot: ShortText = ""


LongText = Annotated[str, Meta(max_length=512)]


class Announcement(Struct, frozen=True, omit_defaults=True):
    """One public event: a code of the language catalogues with parameters, and its sentence.

    `text`: in the table's language. `translations`: by language, the content's words for values of
    `params`.
    """

    position: int
    code: ShortText
    params: dict[ShortText, LongText | int]
    text: LongText
    translations: Annotated[dict[ShortText, dict[LongText, LongText]], Meta(max_length=8)] = {}


class TableStatus(Struct, frozen=True):
    """The public status of a table."""

    name: ShortText
    position: int
    phase: Literal["lobby", "play", "over"]
    game: ShortText
    players: Annotated[tuple[Player, ...], Meta(max_length=16)]
    to_move: ShortText | None
    mover: NameText
    """Name of the player to move; "" for nobody."""
    night: bool
    """Whether a secret turn is being played or revealed."""
    paused: bool
    round: int | None
    turn: int | None
    announcements: Annotated[tuple[Announcement, ...], Meta(max_length=RECENT_ANNOUNCEMENTS)]
    outcome: dict[str, Any] | None = None
    view: dict[str, Any] | None = None
    """The game's public view, as the display draws it."""
    format: Literal[1] = 1
    sample: bool = False
    """Whether the content is an invented sample, which every screen must show."""


def table_status(
    snapshot: Mapping[str, Any],
    identity: TableIdentity,
    sentences: Catalog,
    translations: Translations = NO_TRANSLATIONS,
    words: StatusWords = PLAIN_WORDS,
) -> TableStatus:
    """Return the status of a public snapshot; `translations`: those of the game's content."""
    view, seats = snapshot["view"], _players(snapshot, identity)
    return TableStatus(
        name=identity.name,
        position=snapshot["position"],
        phase=snapshot["phase"],
        game=snapshot["game"],
        players=seats,
        to_move=snapshot["to_move"],
        mover=_seat_name(snapshot["to_move"], seats, sentences) if snapshot["to_move"] else "",
        night=bool(snapshot["secret"] or snapshot["revealing"] or snapshot["night"])
        and words.has_nights,
        paused=bool(snapshot["paused"]),
        round=_number(view, "round"),
        turn=_number(view, "turns"),
        announcements=tuple(
            announcements(snapshot["log"], snapshot, identity, sentences, translations, words)
        )[-RECENT_ANNOUNCEMENTS:],
        outcome=snapshot["outcome"],
        view=view,
        sample=bool(snapshot.get("sample")),
    )


def announcements(
    events: Iterable[Mapping[str, Any]],
    snapshot: Mapping[str, Any],
    identity: TableIdentity,
    sentences: Catalog,
    translations: Translations = NO_TRANSLATIONS,
    words: StatusWords = PLAIN_WORDS,
) -> list[Announcement]:
    """Return the announcements of public events ({"position", "event", "message"}).

    Some events have none.
    """
    players = _players(snapshot, identity)
    announced: list[Announcement] = []
    for one in events:
        message = one["message"]
        if not message or (not words.has_nights and one["event"]["event"] in NIGHT_EVENTS):
            continue
        spoken = _visible_params(message["code"], message["params"], sentences)
        if spoken is not None:
            params = {
                name: _place_name(name, value, snapshot["view"], words)
                for name, value in spoken.params.items()
            }
            others = _select_translations(params.values(), translations)
            ours = others.get(sentences.language, {})
            named = {
                name: ours.get(str(value), _seat_or_value(name, value, players, sentences))
                for name, value in params.items()
            }
            text = sentences.translate(Message(spoken.code, named))
            # The game and the table both announce nightfall; it is published once.
            if announced and text == announced[-1].text:
                continue
            announced.append(Announcement(one["position"], spoken.code, params, text, others))
    return announced


def _players(snapshot: Mapping[str, Any], identity: TableIdentity) -> tuple[Player, ...]:
    return tuple(
        Player(
            one["seat"], one["name"] if identity.names else None, one["taken"], one.get("bot", "")
        )
        for one in snapshot["seats"]
    )


def _visible_params(
    code: str, params: Mapping[str, str | int], sentences: Catalog
) -> Message | None:
    """Return a message with the parameters of its sentence alone: no seal, no key."""
    sentence = sentences.find_sentence(Message(code, dict(params)))
    if sentence is None:
        return None
    spoken = {*PLACEHOLDER.findall(sentence), "n"}
    return Message(code, {name: value for name, value in params.items() if name in spoken})


def _place_name(
    name: str, value: str | int, view: Mapping[str, Any] | None, words: StatusWords
) -> str | int:
    """Return a place's name on the board: readers elsewhere see no board."""
    places: Mapping[str, Any] = (view or {}).get(words.places.get(name, ""), {})
    return str(places[str(value)]["name"]) if value in places else value


def _select_translations(
    values: Iterable[str | int], translations: Translations
) -> dict[str, dict[str, str]]:
    """Return the translations of these values."""
    texts = {str(value) for value in values}
    selected = {
        language: {own: text for own, text in table.items() if own in texts}
        for language, table in translations.items()
    }
    return {language: table for language, table in selected.items() if table}


def _seat_or_value(
    name: str,
    value: str | int,
    players: Iterable[Player],
    sentences: Catalog,
) -> str | int:
    return _seat_name(str(value), players, sentences) if name in SEAT_PARAMS else value


def _seat_name(seat: str, players: Iterable[Player], sentences: Catalog) -> str:
    """Return a seat's name for people: the player's, the side's, or "Player N"."""
    typed = next((player.name for player in players if player.seat == seat), None)
    if typed and typed != seat:
        return typed
    if sentences.find_sentence(Message(f"side.{seat}")) is not None:
        return sentences.translate(Message(f"side.{seat}"))
    return (
        sentences.translate(Message("player", {"n": int(seat[1:])})) if seat[1:].isdigit() else seat
    )


def _number(view: Mapping[str, Any] | None, name: str) -> int | None:
    """Return a counter of the view; None where the game has none, or nothing is counted yet."""
    value = view.get(name) if view else None
    return value if isinstance(value, int) and value > 0 else None
