"""The print kit, drawn on request: posters of our own maps, pawns, a pad."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion.core.capabilities import PrintCatalogues, PrintKit
from companion.games.manhunt.map_file import MapFile


class ManhuntPrintKit(PrintKit):
    """Posters of maps over several sheets, the pawns, and the pad of a fugitive on paper."""

    def __init__(self, maps: Callable[[], Sequence[MapFile]]) -> None:
        self._maps = maps

    def draw(
        self,
        paper: str,
        language: str,
        catalogues: PrintCatalogues,
        address: str | None,
        is_tactile: bool,
    ) -> bytes:
        # The PDF library takes 0.2 s to load and 11 MB of memory, and is rarely needed.
        from companion.games.manhunt.print_kit.pages import print_kit

        return print_kit(paper, language, catalogues, self._maps(), is_tactile)
