"""How each game is told afterwards: what is known of its moments beside the view, what is said,
what it came to.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from companion.core.game import Event, Said
from companion.core.moment import Moment
from companion.games.shisogari import replay as shisogari_replay
from companion.games.vampire_empire import replay as vampire_empire_replay
from companion.games.vampireradar.hints import odds
from companion.games.vampireradar.model import TurnEnded, V
from companion.games.vampireradar.replay import hunt
from companion.games.vampireradar.statistics import figures
from companion.games.vwars import replay as vwars_replay
from companion.replay.messages import hunt_sentences, open_sentences

Asides = list[dict[str, Any] | None]

SILENT = ("turn_ended", "game_set_up")
"""What is no moment of its own unless it ends a night: the next moment shows it."""


class Telling(NamedTuple):
    """`asides` answers for each moment what is known of it afterwards, None for what is no moment
    of its own; `figures` what the game came to; `secret_said` what is said of an event that was
    secret.
    """

    asides: Callable[[Sequence[Moment]], Asides]
    figures: Callable[[Sequence[Moment]], list[Said]]
    secret_said: Callable[[Event], Said]


def name_of(event: Event) -> str:
    """Return the name of an event as records have it."""
    return str(event.__struct_config__.tag)


def _own_values(event: Event) -> Said:
    values: dict[str, Any] = msgspec.to_builtins(event)
    code = f"secret.{values.pop('event')}"
    return Said(code, {key: value for key, value in values.items() if isinstance(value, str | int)})


def _hunt_asides(moments: Sequence[Moment]) -> Asides:
    """Return the vampire's cell ("truth") and what the humans could know of it ("odds", cell to
    thousandths).
    """
    return [
        {"truth": look.cell, "odds": odds(look.weights)}
        if number == 0 or _tells(look.event)
        else None
        for number, look in enumerate(hunt(moments))
    ]


def _tells(event: Event) -> bool:
    return name_of(event) not in SILENT or event == TurnEnded(V)


def _open_asides(moments: Sequence[Moment]) -> Asides:
    return [
        {} if number == 0 or _tells(moment.event) else None for number, moment in enumerate(moments)
    ]


def _open_figures(moments: Sequence[Moment]) -> list[Said]:
    events = [moment.event for moment in moments]
    return open_sentences(events, sum(name_of(event) == "turn_started" for event in events))


TELLINGS: Mapping[str, Telling] = {
    "vampireradar": Telling(
        _hunt_asides, lambda moments: hunt_sentences(figures(hunt(moments))), _own_values
    ),
    "nosferatu": Telling(_open_asides, _open_figures, _own_values),
    "vampire_empire": Telling(
        vampire_empire_replay.court_asides, vampire_empire_replay.court_figures, _own_values
    ),
    "shisogari": Telling(
        shisogari_replay.asides, shisogari_replay.hand_figures, shisogari_replay.secret_said
    ),
    "vwars": Telling(vwars_replay.asides, vwars_replay.war_figures, vwars_replay.secret_said),
}
"""The games whose moments a page can show."""
