"""The machine's own screen as a picture."""

from __future__ import annotations

from pathlib import Path

from PIL import Image

BARE = 0.9
"""Of a console, of a window without a page and of the page that waits, more than this share of the
pixels has one colour.
"""


def shows_page(picture: Path) -> bool:
    """Return whether a picture of the screen is one of the table's pages."""
    with Image.open(picture) as opened:
        pixels = opened.width * opened.height
        colours = opened.convert("RGB").getcolors(pixels) or []
    return max(count for count, _ in colours) <= BARE * pixels
