"""The print kit, drawn on request."""

from __future__ import annotations

from companion.core.capabilities import PrintCatalogues, PrintKit


class VampireRadarPrintKit(PrintKit):
    """The pieces of the game, to print and cut out."""

    def draw(
        self,
        paper: str,
        language: str,
        catalogues: PrintCatalogues,
        address: str | None,
        is_tactile: bool,
    ) -> bytes:
        # The PDF library takes 0.2 s to load and 11 MB of memory, and is rarely needed.
        from companion.games.vampireradar.print_kit.pages import print_kit

        return print_kit(paper, language, catalogues, address, is_tactile)
