"""What the machine's own screen shows, as a picture."""

from __future__ import annotations

from pathlib import Path

from PIL import Image

CONSOLE_COLOURS = 64
"""A console, and the line of a page that waits, have fewer colours."""


def shows_page(picture: Path) -> bool:
    """Return whether a picture of the screen is one of the table's pages."""
    with Image.open(picture) as opened:
        colours = opened.convert("RGB").getcolors(opened.width * opened.height) or []
    return len(colours) > CONSOLE_COLOURS
