"""The print kit, drawn when somebody asks for it."""

from __future__ import annotations

from companion.core.capabilities import PrintCatalogues, PrintKit


class VampireRadarPrintKit(PrintKit):
    """What lies on the table, to print and cut out."""

    def draw(
        self, paper: str, language: str, catalogues: PrintCatalogues, address: str | None
    ) -> bytes:
        # The PDF library takes a fifth of a second to load and 11 MB to keep, and most evenings
        # nobody prints.
        from companion.games.vampireradar.print_kit.pages import print_kit

        return print_kit(paper, language, catalogues, address)
