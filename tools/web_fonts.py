"""Make the pages' fonts from those of npm's Fontsource: `python -m tools.web_fonts NODE_MODULES`.

NODE_MODULES is a folder in which `npm install` has put version 5.3.0 of
@fontsource-variable/fraunces, @fontsource-variable/grenze-gotisch,
@fontsource-variable/atkinson-hyperlegible-next and @fontsource/shippori-mincho. All four are under
the SIL Open Font License without a reserved name. The Latin ones have Latin-1 and some signs, the
Japanese one the letters of the catalogues alone. Run this again when a text has another letter:
tests/web/test_fonts.py names it.
"""

from __future__ import annotations

import sys
from pathlib import Path

from fontTools.merge import Merger
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

ROOT = Path(__file__).resolve().parents[1]
FONTS = ROOT / "web" / "core" / "fonts"
LATIN = {chr(code) for start, end in ((0x20, 0x7F), (0xA0, 0x100)) for code in range(start, end)}
SIGNS = set("–—‘’“”„…→←↑↓−×·°")
TITLES = {chr(code) for code in range(0x20, 0x7F)} | set("’éëïöó")
VARIABLE = "@fontsource-variable"
FILES = {
    "text": (f"{VARIABLE}/atkinson-hyperlegible-next", LATIN | SIGNS, (400, 700)),
    "display": (f"{VARIABLE}/fraunces", LATIN | SIGNS, 650),
    "title": (f"{VARIABLE}/grenze-gotisch", TITLES, 650),
}
"""Name: the package, the letters, and the weights: a range, or the only one."""
JAPANESE = "@fontsource/shippori-mincho"
FIRST_CJK = 0x2E80
DIGITS = "0123456789"


def main(packages: Path) -> None:
    """Write all fonts and their licences."""
    FONTS.mkdir(exist_ok=True)
    for name, (package, letters, weight) in FILES.items():
        folder = packages / package
        (source,) = folder.glob("files/*-latin-wght-normal.woff2")
        font = instantiateVariableFont(TTFont(source), {"wght": weight})
        keep(font, letters)
        align_digits(font)
        write(font, name, folder)
    folder = packages / JAPANESE
    write(japanese(folder), "japanese", folder)


def japanese(folder: Path) -> TTFont:
    """Return the letters of the Japanese catalogues, which the package has in many small files."""
    left = {
        letter
        for catalogue in ROOT.glob("web/**/i18n/**/ja.json")
        for letter in catalogue.read_text(encoding="utf-8")
        if ord(letter) >= FIRST_CJK
    }
    parts: list[Path] = []
    for source in sorted(folder.glob("files/shippori-mincho-*-700-normal.woff2")):
        font = TTFont(source)
        if letters := left & {chr(code) for code in font.getBestCmap()}:
            left -= letters
            keep(font, letters)
            font.flavor = None
            parts.append(FONTS / f"part-{len(parts)}.ttf")
            font.save(parts[-1])
    merged = Merger().merge([str(part) for part in parts])
    for part in parts:
        part.unlink()
    return merged


def keep(font: TTFont, letters: set[str]) -> None:
    """Remove every other letter, hints, and what no page's layout uses."""
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


def write(font: TTFont, name: str, package: Path) -> None:
    """Write the font, the same bytes at each run, and its licence."""
    font["head"].created = font["head"].modified = 0
    font.recalcTimestamp = False
    font.flavor = "woff2"
    path = FONTS / f"{name}.woff2"
    font.save(path)
    (FONTS / f"{name}-LICENSE.txt").write_bytes((package / "LICENSE").read_bytes())
    print(path.name, path.stat().st_size, "bytes,", len(font.getBestCmap()), "letters")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
