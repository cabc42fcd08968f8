"""The page with the figures keeps what was not measured again, and compares what was."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.bench import page
from tools.bench.figure import at_most, beside
from tools.bench.page import Page, change, measured_on

ORDER = {"components": None, "latency": None}


@pytest.fixture(autouse=True)
def file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Let the page be a new file, and nothing be released."""
    monkeypatch.setattr(page, "PAGE", tmp_path / "benchmarks.md")
    monkeypatch.setattr(page, "last_release", lambda: None)
    monkeypatch.setattr(page, "released_page", lambda: "")
    return tmp_path / "benchmarks.md"


@pytest.mark.parametrize(
    ("measured", "before", "shown"),
    [
        ("5 ms", None, "–"),
        ("5 ms", "4 ms", "4 ms (+25 %)"),
        ("1,500 actions/s", "2,000 actions/s", "2,000 actions/s (-25 %)"),
        ("p50 3.00 p99 9.00 ms", "p50 2.00 p99 1.00 ms", "p50 2.00 p99 1.00 ms (+50 %)"),
        ("5 ms", "0 ms", "0 ms"),
        ("5 ms", "not measured", "not measured"),
    ],
)
def test_change(measured: str, before: str | None, shown: str) -> None:
    """A figure is compared by its first number, of percentiles the median's; without an earlier
    number there is no per cent.
    """
    assert shown == change(measured, before)


def test_a_figure_is_found_again(file: Path) -> None:
    """What a page says is read from it by the figure's name, also where the name is indented."""
    Page().write("latency", [at_most("a", 5, 4, "ms"), beside("  b", 7, "MB")], ORDER)

    measured = measured_on(file.read_text("utf-8"))

    assert ("5 ms", "7 MB") == (measured["a"], measured["b"])


def test_only_what_is_over_is_marked(file: Path) -> None:
    """A figure over its budget is marked, another is not."""
    Page().write("latency", [at_most("a", 5, 4, "ms"), at_most("b", 3, 4, "ms")], ORDER)
    rows = [line for line in file.read_text("utf-8").splitlines() if line.startswith("|")][2:]

    assert [
        "| **over** | a | 5 ms | <= 4 ms | – | – | – |",
        "|  | b | 3 ms | <= 4 ms | – | – | – |",
    ] == rows


def test_the_other_tables_stay(file: Path) -> None:
    """A part's table is replaced, with the change since the earlier one; the others stay, all in
    the order of the parts.
    """
    Page().write("latency", [at_most("a", 4, 9, "ms")], ORDER)
    latency = file.read_text("utf-8").partition("## latency")[2]
    Page().write("components", [at_most("b", 1, 9, "ms")], ORDER)
    Page().write("components", [at_most("b", 2, 9, "ms")], ORDER)
    _, components, kept = file.read_text("utf-8").split("## ")

    assert "| b | 2 ms | <= 9 ms | – | 1 ms (+100 %) | – |" in components
    assert "latency" + latency == kept
