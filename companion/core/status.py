"""Define the words for a game's public state, for listeners outside the table."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct


class StatusWords(Struct, frozen=True):
    """The words for a game's public state.

    has_nights: whether people call a secret turn a night, and it is announced
    places: for each parameter that names a place the part of the public view with the places' names
    """

    has_nights: bool = True
    places: Mapping[str, str] = {}
