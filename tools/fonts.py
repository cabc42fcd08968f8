"""Make the fonts of pages and kits from npm's Fontsource: `python -m tools.fonts NODE_MODULES`.

NODE_MODULES is a folder in which `npm install` has put version 5.3.0 of
@fontsource-variable/fraunces, @fontsource-variable/grenze-gotisch,
@fontsource-variable/atkinson-hyperlegible-next and @fontsource/shippori-mincho, and 5.2.8 of
@fontsource/m-plus-1. All five are under the SIL Open Font License without a reserved name. The
Latin ones have Latin-1 and some signs. Of the Japanese ones, the pages' has the letters of the
Japanese catalogues, the kits' what the Latin ones lack. Run this again when a text has another
letter: tests/web/test_fonts.py and tests/printing/test_kits.py name it.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from fontTools.merge import Merger
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

ROOT = Path(__file__).resolve().parents[1]
PAGES = ROOT / "web" / "core" / "fonts"
KITS = ROOT / "companion" / "printing" / "fonts"
LATIN = {chr(code) for code in (*range(0x20, 0x7F), *range(0xA0, 0x100))} | set("Œœı")
SIGNS = set("–—‘’“”„…→←↑↓−×·°")
TITLES = {chr(code) for code in range(0x20, 0x7F)} | set("’éëïöó")
VARIABLE = "@fontsource-variable"
FILES = {
    "text": (f"{VARIABLE}/atkinson-hyperlegible-next", LATIN | SIGNS, (400, 700), 400),
    "display": (f"{VARIABLE}/fraunces", LATIN | SIGNS, 650, 650),
    "title": (f"{VARIABLE}/grenze-gotisch", TITLES, 650, 650),
}
"""Name: the package, the letters, and the weight on pages, a range or the only one, and in kits."""
JAPANESE_PAGES = "@fontsource/shippori-mincho"
JAPANESE_KITS = "@fontsource/m-plus-1"
JAPANESE_WEIGHTS = {"text": 400, "display": 700}
"""The weight in kits that goes with a Latin font; titles take that of "display"."""
FIRST_CJK = 0x2E80
KIT_EXTRA = {chr(code) for code in (*range(0x100, 0x180), *range(0x3000, 0x3100))}
KIT_SIGNS = set("•▲■●♥★✓") | {chr(code) for code in range(0xFF01, 0xFF60)}
DIGITS = "0123456789"


def main(packages: Path) -> None:
    """Write all fonts and their licences."""
    for name, (package, letters, page_weight, kit_weight) in FILES.items():
        (source,) = (packages / package).glob("files/*-latin-wght-normal.woff2")
        for folder, weight in ((PAGES, page_weight), (KITS, kit_weight)):
            font = instantiateVariableFont(TTFont(source), {"wght": weight})
            keep(font, letters)
            align_digits(font)
            write(font, folder, name)
            copy_licence(packages / package, folder, name)
    write(merged(packages / JAPANESE_PAGES, 700, japanese()), PAGES, "japanese")
    copy_licence(packages / JAPANESE_PAGES, PAGES, "japanese")
    for name, weight in JAPANESE_WEIGHTS.items():
        letters = (catalogues("*") | KIT_EXTRA | KIT_SIGNS | SIGNS) - drawn(name)
        write(merged(packages / JAPANESE_KITS, weight, letters), KITS, f"japanese-{name}")
    copy_licence(packages / JAPANESE_KITS, KITS, "japanese")


def catalogues(language: str) -> set[str]:
    """Return the letters of the catalogues in a language, "*" for all."""
    return {
        letter
        for catalogue in ROOT.glob(f"web/**/i18n/**/{language}.json")
        for letter in catalogue.read_text(encoding="utf-8")
    }


def japanese() -> set[str]:
    """Return the Japanese letters of the Japanese catalogues."""
    return {letter for letter in catalogues("ja") if ord(letter) >= FIRST_CJK}


def drawn(name: str) -> set[str]:
    """Return the letters of a kit's Latin font."""
    return {chr(code) for code in TTFont(KITS / f"{name}.ttf").getBestCmap()}


def merged(package: Path, weight: int, letters: set[str]) -> TTFont:
    """Return a font of letters that a package has in many small files."""
    left = set(letters)
    with TemporaryDirectory() as folder:
        parts: list[str] = []
        for source in sorted(package.glob(f"files/*-{weight}-normal.woff2")):
            font = TTFont(source)
            if letters_here := left & {chr(code) for code in font.getBestCmap()}:
                left -= letters_here
                keep(font, letters_here)
                font.flavor = None
                parts.append(f"{folder}/{len(parts)}.ttf")
                font.save(parts[-1])
        return Merger().merge(parts)


def keep(font: TTFont, letters: set[str]) -> None:
    """Remove every other letter, hints, and what no layout uses."""
    options = Options(layout_features=["kern", "mark", "mkmk", "ccmp", "tnum"], hinting=False)
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
    subsetter = Subsetter(options)
    subsetter.populate(text="".join(sorted(letters)))
    subsetter.subset(font)


def align_digits(font: TTFont) -> None:
    """Give all digits the widest one's width, centred, where the font has no tabular ones."""
    if "fvar" in font or "glyf" not in font:
        return
    names = [font.getBestCmap()[ord(digit)] for digit in DIGITS]
    widest = max(font["hmtx"][name][0] for name in names)
    for name in names:
        width, left = font["hmtx"][name]
        shift = (widest - width) // 2
        font["glyf"][name].coordinates.translate((shift, 0))
        font["glyf"][name].recalcBounds(font["glyf"])
        font["hmtx"][name] = (widest, left + shift)


def write(font: TTFont, folder: Path, name: str) -> None:
    """Write a font, the same bytes at each run: WOFF2 for pages, TrueType for kits."""
    font["head"].created = font["head"].modified = 0
    font.recalcTimestamp = False
    is_for_pages = folder == PAGES
    if not is_for_pages:
        # A PDF places each letter by itself.
        for table in ("GPOS", "GSUB", "GDEF", "BASE", "STAT", "vhea", "vmtx"):
            if table in font:
                del font[table]
    font.flavor = "woff2" if is_for_pages else None
    path = folder / f"{name}.{'woff2' if is_for_pages else 'ttf'}"
    font.save(path)
    print(path.relative_to(ROOT), path.stat().st_size, "bytes,", len(font.getBestCmap()), "letters")


def copy_licence(package: Path, folder: Path, name: str) -> None:
    """Put a package's licence beside its fonts."""
    (folder / f"{name}-LICENSE.txt").write_bytes((package / "LICENSE").read_bytes())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
