"""Make the print kit's two fonts from M+ 1: only the needed letters, as TrueType outlines.

pip install fonttools
python hardware/tiles/make_fonts.py FOLDER_WITH_Mplus1-Regular.otf_AND_Mplus1-Bold.otf

M+ (SIL Open Font License 1.1, no reserved name) is Debian's package fonts-mplus. The subset is
Latin-1, kana, some signs and every letter of the language catalogues. Run this again when a text
needs another letter; tests/printing/test_kits.py names it.
"""

from __future__ import annotations

import sys
from pathlib import Path

from fontTools.pens.cu2quPen import Cu2QuPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont, newTable

ROOT = Path(__file__).resolve().parents[2]
FONTS = ROOT / "companion" / "printing" / "fonts"
RANGES = ((0x20, 0x7F), (0xA0, 0x180), (0x3000, 0x3100), (0xFF01, 0xFF60))
SIGNS = "–—‘’“”„…•→←↑↓▲■●♥★✓×°"
EXACT = 0.5
"""Font units by which a quadratic curve may leave the cubic one."""


def main(folder: Path) -> None:
    """Write both fonts."""
    letters = {chr(code) for start, end in RANGES for code in range(start, end)} | set(SIGNS)
    for catalogue in ROOT.glob("web/**/i18n/**/*.json"):
        letters |= set(catalogue.read_text(encoding="utf-8"))
    for source, name in (
        ("Mplus1-Regular.otf", "kit-plain.ttf"),
        ("Mplus1-Bold.otf", "kit-bold.ttf"),
    ):
        font = TTFont(folder / source)
        options = Options(
            layout_features=[], hinting=False, name_IDs=[0, 1, 2, 4, 6, 13, 14], notdef_outline=True
        )
        subsetter = Subsetter(options)
        subsetter.populate(text="".join(sorted(letters)))
        subsetter.subset(font)
        to_truetype(font)
        for table in ("VORG", "CFF ", "GPOS", "GSUB", "GDEF", "BASE", "DSIG", "vhea", "vmtx"):
            if table in font:
                del font[table]
        font["head"].created = font["head"].modified = 0
        font.recalcTimestamp = False
        font.save(FONTS / name)
        print(name, (FONTS / name).stat().st_size, "bytes,", len(font.getBestCmap()), "letters")


def to_truetype(font: TTFont) -> None:
    """Replace the cubic outlines by quadratic ones."""
    order, outlines = font.getGlyphOrder(), font.getGlyphSet()
    glyphs = {}
    for name in order:
        pen = TTGlyphPen(outlines)
        outlines[name].draw(Cu2QuPen(pen, EXACT, reverse_direction=True))
        glyphs[name] = pen.glyph()
    font["loca"], font["glyf"] = newTable("loca"), newTable("glyf")
    font["glyf"].glyphOrder, font["glyf"].glyphs = order, glyphs
    font["maxp"].tableVersion = 0x00010000
    for field in (
        "maxZones", "maxTwilightPoints", "maxStorage", "maxFunctionDefs", "maxInstructionDefs",
        "maxStackElements", "maxSizeOfInstructions", "maxComponentElements", "maxPoints",
        "maxContours", "maxCompositePoints", "maxCompositeContours", "maxComponentDepth",
    ):  # fmt: skip
        setattr(font["maxp"], field, 1 if field == "maxZones" else 0)
    font["post"].formatType = 3.0
    font.sfntVersion = "\x00\x01\x00\x00"


if __name__ == "__main__":
    main(Path(sys.argv[1]))
