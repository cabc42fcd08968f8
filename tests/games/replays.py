"""What every game's replay must keep."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from companion.core.game import Message
from companion.i18n import Catalog
from companion.replay.build import replay_json


def untranslated(records: Iterable[str], game: str, language: str) -> list[str]:
    """Return the messages of replays that show a code or a brace in this language."""
    sentences = Catalog.load(language, game)
    errors = []
    for record in records:
        replay: Mapping[str, Any] = replay_json(record)
        moments = [moment["message"] for moment in replay["moments"]]
        for message in [*replay["figures"], *moments]:
            sentence = sentences.translate(Message(message["code"], message["params"]))
            if {"{", "_"} & set(sentence):
                errors.append(sentence)
    return errors
