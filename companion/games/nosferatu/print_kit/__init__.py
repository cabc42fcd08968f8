"""The print kit, drawn on request."""

from __future__ import annotations

from companion.core.capabilities import PrintCatalogues, PrintKit


class NosferatuPrintKit(PrintKit):
    """The board and pieces to print and cut out."""

    def draw(
        self,
        paper: str,
        language: str,
        catalogues: PrintCatalogues,
        address: str | None,
        is_tactile: bool,
    ) -> bytes:
        # The PDF library takes a fifth of a second to load and 11 MB to keep, and most games
        # do without a print.
        from companion.games.nosferatu.print_kit.pages import print_kit

        return print_kit(paper, language, catalogues, is_tactile)
