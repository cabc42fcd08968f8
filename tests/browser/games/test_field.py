"""Laying the field with printed tiles on a board that reads tags: the sheet on the display ticks
off what lies right.
"""

from __future__ import annotations

from companion.core.placement import Cell, Tile
from companion.games.vampireradar.layout import HOUSE_FIELD
from companion.games.vampireradar.tiles import tiles_of_layout
from tests.browser.conftest import SEVEN_INCH, WIDE, Screens
from tests.browser.looks import broken
from tests.browser.page_objects import Display
from tests.browser.screenshots import save_screenshot, settled, spilled
from tests.browser.server import Json, TableServer, run

TILES = tiles_of_layout(HOUSE_FIELD, {})
WRONG = {**TILES, Cell("E1"): Tile(17, 0)}
"""The same field with a wall at its border."""
LAY = """async (tiles) => {
  const { Channel } = await import("/static/core/channel.js");
  const channel = await Channel.open({ storage: "display-key" });
  await channel.request("lay_tiles", { tiles });
}"""
"""Lay tiles as a photo does: tags do not tell a tile's turn."""


def test_the_field_is_laid_tile_by_tile_and_played_anyway(
    server: TableServer, screens: Screens
) -> None:
    """The display says who is missing. It names the next tile, ticks off what lies right and names
    what does not. What lies there can be played though it breaks a rule, which is written on the
    button and kept in the record.
    """
    display, vampire = screens.display(server), screens.vampire(server)
    display.press("field")
    display.says("h1", "Field")
    display.says("#why", "Somebody must sit at Vampire first")
    display.press("seats")
    vampire.sit("V")
    display.set_up()
    display.hides("#why")
    display.press("scan")
    display.shows("#scan img")
    look(display, "field-scan")
    display.press("scan")
    display.hides("#scan")
    display.press("sheet")
    display.says("#next", "A1, tile 24")
    look(display, "sheet-empty", is_new=False)

    lay(server, {cell: tile for cell, tile in TILES.items() if cell < Cell("E")})
    display.says("#progress", "24 of 36")
    display.says("#next", "E1, tile 17")
    lay(server, {Cell("E1"): TILES[Cell("E1")], Cell("F1"): Tile(9)})
    display.says("#next", "F1: tile 9 lies there")
    look(display, "sheet-wrong")

    host = screens.phone(server)
    host.page.goto(server.phone("/host"))
    host.shows("#kit-A4")
    settled(host.page)
    save_screenshot(host.page, "phone-host-sheet.png", full_page=True)
    assert [] == broken(host.page)

    lay(server, TILES)
    display.says("#next", "All 36 tiles lie right")
    display.page.evaluate(LAY, {cell: [tile.number, tile.turn] for cell, tile in WRONG.items()})
    display.says("#doubts", "E1: the wall E0-E1")
    display.says('[data-action="start"]', "Play anyway")
    look(display, "sheet-doubt", is_new=False)
    display.press("start")
    display.until(lambda snapshot: snapshot["phase"] == "play", "a game")

    overruled: Json = next(
        line["event"]
        for line in server.snapshot["log"]
        if line["event"]["event"] == "rules_overruled"
    )
    assert ["field.wall_outside"] == [message["code"] for message in overruled["warnings"]]
    assert "rules_overruled" in run("export", "--data", server.data, "-")


def lay(server: TableServer, tiles: dict[Cell, Tile]) -> None:
    """Lay tiles on the virtual board; those that lie elsewhere are taken from there."""

    def put(board: object, now: float) -> None:
        world = board.world  # type: ignore[attr-defined]
        numbers = {tile.number for tile in tiles.values()}
        world.tiles = {
            cell: tile for cell, tile in world.tiles.items() if tile.number not in numbers
        } | tiles

    server.board.terminal.do(put)


def look(display: Display, name: str, *, is_new: bool = True) -> None:
    """Keep a picture at both sizes of a display; nothing is spilled, and axe finds nothing on the
    small one.
    """
    for size in (WIDE, SEVEN_INCH):
        display.page.set_viewport_size({"width": size[0], "height": size[1]})
        settled(display.page)
        save_screenshot(display.page, f"table-{name}-{size[0]}x{size[1]}.png")
        assert [0, 0] == spilled(display.page), (name, size)
    assert [] == broken(display.page, is_new=is_new), name
