"""The virtual table's page: on this computer only, everything by taps, drags and lines."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.cli.board_sim import default_world
from companion.sim.page import PageServer, create_page, listen
from companion.sim.terminal import PseudoTerminal
from companion.sim.virtual_board import VirtualBoard


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[PseudoTerminal]:
    board = VirtualBoard("tags", default_world())
    with PseudoTerminal(board, time.monotonic, tmp_path / "board") as plugged:
        yield plugged


@pytest.fixture
def page(terminal: PseudoTerminal, browser: Browser) -> Iterator[Page]:
    server = PageServer(terminal, listen(0))
    context = browser.new_context(viewport={"width": 1100, "height": 800})
    opened = context.new_page()
    errors: list[str] = []
    opened.on("pageerror", lambda error: errors.append(str(error)))
    opened.goto(server.url)
    yield opened
    context.close()
    server.close()

    assert [] == errors


def test_who_may_show_it(terminal: PseudoTerminal) -> None:
    """No page may frame it, except the demo's own if that is named."""
    alone, framed = (
        create_page(terminal, *by).test_client().get("/favicon.ico")
        for by in ((), ("http://127.0.0.1:8080",))
    )

    assert "frame-ancestors 'none';" in alone.headers["Content-Security-Policy"]
    assert "frame-ancestors http://127.0.0.1:8080;" in framed.headers["Content-Security-Policy"]


def test_state_and_lines(terminal: PseudoTerminal) -> None:
    """The page asks for the state and sends lines of the command language."""
    client = create_page(terminal).test_client()
    answer = client.post("/do", json={"line": "move H1a B2"})
    state = client.get("/state").get_json()

    assert ({"answer": "ok"}, "B2", True) == (
        answer.get_json(),
        state["pawns"]["H1a"],
        state["plugged"],
    )


def test_what_is_printed_on_the_tiles(terminal: PseudoTerminal) -> None:
    """The page gets the walls and radars of each look, none if there is no field."""
    walls = [["A4-A5"], ["C3-D3"]]
    client = create_page(
        terminal, ground=lambda: {"walls": walls.pop(0), "radars": ["B2"]}
    ).test_client()
    grounds = [client.get("/state").get_json()["ground"] for _ in range(2)]

    assert [
        {"walls": ["A4-A5"], "radars": ["B2"]},
        {"walls": ["C3-D3"], "radars": ["B2"]},
    ] == grounds
    assert {"walls": [], "radars": []} == create_page(terminal).test_client().get(
        "/state"
    ).get_json()["ground"]


def test_only_from_here(terminal: PseudoTerminal) -> None:
    """Another site can neither reach the page by another name nor post a form to it."""
    client = create_page(terminal).test_client()

    assert 403 == client.get("/state", headers={"Host": "evil.example"}).status_code
    assert 415 == client.post("/do", data="line=unplug").status_code
    assert 400 == client.post("/do", json={"line": "x" * 201}).status_code
    assert 400 == client.post("/do", json=["unplug"]).status_code
    with client.get("/") as response:
        assert "default-src 'self'" in response.headers["Content-Security-Policy"]


def test_tap_tap(page: Page) -> None:
    """A pawn is moved by tapping it and then a cell, taken off by tapping the hand."""
    page.click("[data-pawn=H1a]")
    page.click("[data-cell=B2]")
    expect(page.locator("[data-cell=B2] [data-pawn=H1a]")).to_be_visible()
    page.click("[data-pawn=H1a]")
    page.click("#hand", position={"x": 200, "y": 30})
    expect(page.locator("#hand [data-pawn=H1a]")).to_be_visible()


def test_tap_onto_another_pawn(page: Page) -> None:
    """A pawn goes to an occupied cell when the pawn that stands there is tapped."""
    page.click("[data-pawn=H1a]")
    page.click("[data-pawn=H1b]")
    expect(page.locator("[data-cell=F1] [data-pawn=H1a]")).to_be_visible()


def test_drag(page: Page) -> None:
    """A pawn is dragged to a cell, which selects nothing."""
    page.drag_and_drop("[data-pawn=H1d]", "[data-cell=D4]")
    expect(page.locator("[data-cell=D4] [data-pawn=H1d]")).to_be_visible()
    expect(page.locator("[data-pawn][aria-pressed=true]")).to_have_count(0)


def test_keyboard(page: Page) -> None:
    """Pawns and cells are reached and pressed by keyboard."""
    page.focus("[data-pawn=H1a]")
    page.keyboard.press("Enter")
    page.focus("[data-cell=C3]")
    page.keyboard.press("Enter")
    expect(page.locator("[data-cell=C3] [data-pawn=H1a]")).to_be_visible()


def test_switches(page: Page) -> None:
    """Tokens, faults and the plug are switched by buttons that show their state."""
    page.click("[data-token=bullet]")
    page.click("[data-cell=D3]")
    expect(page.locator("[data-cell=D3] .token[data-kind=bullet]")).to_be_visible()
    page.click("[data-fault=noise]")
    expect(page.locator("[data-fault=noise]")).to_have_attribute("aria-pressed", "true")
    page.click("[data-cell-fault=stuck]")
    page.click("[data-cell=E5]")
    expect(page.locator("[data-cell=E5].stuck")).to_be_visible()
    page.click("#plug")
    expect(page.locator("#status")).to_have_text("tags board, unplugged")
    page.fill("#line", "replug")
    page.press("#line", "Enter")
    expect(page.locator("#answer")).to_have_text("ok")
    expect(page.locator("#plug")).to_have_text("Unplug")
