"""Faults for a referee: one function of a game's rules with other text."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable
from typing import Any

import pytest


def plant(
    monkeypatch: pytest.MonkeyPatch, function: Callable[..., Any], old: str, new: str
) -> None:
    """Run `function` with `new` in place of `old`, which its text must have exactly once."""
    text = textwrap.dedent(inspect.getsource(function))
    assert 1 == text.count(old), f"{function.__qualname__} has {old!r} {text.count(old)} times"
    code = compile(text.replace(old, new), inspect.getfile(function), "exec", dont_inherit=True)
    names = {**function.__globals__}
    exec(code, names)
    monkeypatch.setattr(function, "__code__", names[function.__name__].__code__)
