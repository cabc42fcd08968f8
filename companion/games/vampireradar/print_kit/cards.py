"""Summary cards in every language, the joining card, the vampire's pad and the front page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.games.vampireradar.print_kit.pictures import small_field
from companion.games.vampireradar.print_kit.style import PAWN_STYLES, TILE_COLOURS
from companion.printing.codes import link_code
from companion.printing.layout import GRID_WIDTH, Translate, cut_box, cut_marks, head, origin, ruler
from companion.printing.page import DISPLAY, HAIR, INK, MUTED, TITLE, Sheet, wrap_lines
from companion.printing.symbols import draw

WIDTH, HEIGHT = 90.0, 120.0
NIGHT, GOLD, PALE = "#1B1422", "#FFC020", "#F4EFE6"


def card_page(
    sheet: Sheet, words: Translate, languages: Mapping[str, Translate], address: str | None
) -> None:
    """Draw a summary card for each language and the joining card."""
    x, y = head(sheet, words("kit.cards"), words("kit.cards.note"))
    for index, translate in enumerate(languages.values()):
        _summary(sheet, translate, x + index % 2 * WIDTH, y + index // 2 * HEIGHT)
    _join(sheet, words, address, x + WIDTH, y + HEIGHT)
    for index in range(4):
        cut_box(sheet, x + index % 2 * WIDTH, y + index // 2 * HEIGHT, WIDTH, HEIGHT)
    cut_marks(sheet, x, y, (0, 90, 180), (0, 120, 240))


def _band(sheet: Sheet, x: float, y: float, words: str, font: str) -> None:
    sheet.box(x, y, WIDTH, 15, fill=NIGHT)
    draw(sheet, "bat", x + 10.5, y + 7.8, 13, GOLD)
    sheet.text(x + 19, y + 9.4, words, 4.6, font=font, ink=PALE)


def _summary(sheet: Sheet, translate: Translate, x: float, y: float) -> None:
    _band(sheet, x, y, translate("card.title"), TITLE)
    sheet.text(x + 19, y + 13, translate("card.usual"), 1.7, ink=PALE)
    down = y + 21.6
    down = _heading(sheet, x, down, translate("card.turn"))
    for sign, kind, key in (
        ("triangle", "H1", "walk"),
        ("bullet", "bullet", "shoot"),
        ("bullet", "bullet", "take"),
        ("radar", "radar", "radar"),
    ):
        ink = PAWN_STYLES["H1"].colour if kind == "H1" else TILE_COLOURS[kind].ink
        down = _line(sheet, x, down, sign, ink, translate(f"card.{key}"))
    down = _heading(sheet, x, down + 2.2, translate("card.night"))
    for sign, ink, key in (
        ("moon", "#43424C", "steps"),
        ("bat", TILE_COLOURS["bat"].ink, "attack"),
        ("heart", "#B3122B", "heal"),
    ):
        down = _line(sheet, x, down, sign, ink, translate(f"card.{key}"))
    down = _heading(sheet, x, down + 2.2, translate("card.end"))
    for sign, ink, key in (("square", "#FFC020", "humans"), ("moon", "#43424C", "vampire")):
        down = _line(sheet, x, down, sign, ink, translate(f"card.{key}"))


def _heading(sheet: Sheet, x: float, y: float, words: str) -> float:
    sheet.text(x + 6, y, words, 2.9, font=DISPLAY, ink="#5B2A86")
    sheet.line(x + 6, y + 1.8, x + WIDTH - 6, y + 1.8, ink=HAIR, thick=0.25)
    return y + 6.3


def _line(sheet: Sheet, x: float, y: float, sign: str, ink: str, words: str) -> float:
    draw(sheet, sign, x + 9, y - 0.9, 4.4, ink)
    return sheet.paragraph(x + 14, y, words, 2.15, WIDTH - 19, leading=1.66) + 1.1


def _join(sheet: Sheet, words: Translate, address: str | None, x: float, y: float) -> None:
    _band(sheet, x, y, words("kit.join"), DISPLAY)
    if address:
        side = 46.0
        sheet.cells(x + (WIDTH - side) / 2, y + 24, side, link_code(address))
        sheet.label(x + WIDTH / 2, y + 78, address, 2.6)
    else:
        sheet.box(x + 22, y + 24, 46, 46, line=HAIR, thick=0.3, round=2)
        sheet.label(x + WIDTH / 2, y + 78, "http://", 2.6, MUTED)
        sheet.line(x + 14, y + 80, x + WIDTH - 14, y + 80, ink=HAIR)
    down = y + 87
    for key in ("kit.join.how", "kit.join.wifi"):
        for line in wrap_lines(words(key), 2.3, WIDTH - 16):
            sheet.text(x + WIDTH / 2, down, line, 2.3, align="centre")
            down += 4
    for label, top in (("Wi-Fi", 107), (words("kit.join.password"), 114)):
        sheet.text(x + 8, y + top, label, 2.1, ink=MUTED)
        sheet.line(x + 30, y + top + 0.6, x + WIDTH - 8, y + top + 0.6, ink=HAIR)


def pad_page(sheet: Sheet, words: Translate) -> None:
    """Draw the vampire's pad: twelve nights, each with a small field and lines to write on."""
    x, y = head(sheet, words("pad.title"), words("pad.how"))
    for index in range(12):
        left, top = x + index % 3 * 61, y + index // 3 * 60.5
        _night(sheet, words, left, top)


def _night(sheet: Sheet, words: Translate, x: float, y: float) -> None:
    sheet.box(x, y, 58, 58, line=HAIR, thick=0.3, round=2)
    draw(sheet, "moon", x + 5.4, y + 5.2, 4.2, "#5B2A86")
    sheet.text(x + 9, y + 6.4, words("pad.night"), 2.2, font=DISPLAY)
    sheet.line(x + 9 + 13, y + 6.8, x + 34, y + 6.8, ink=HAIR)
    step, left, top = 5.6, x + 8, y + 13
    for column, name in enumerate("ABCDEF"):
        sheet.text(left + (column + 0.5) * step, top - 1, name, 1.5, ink=MUTED, align="centre")
    for row in range(6):
        down = top + row * step
        sheet.text(left - 2, down + 0.66 * step, str(row + 1), 1.5, ink=MUTED, align="centre")
        for column in range(6):
            centre = 1 <= row <= 4 and 1 <= column <= 4
            fill, right = "#F6F2FA" if centre else "#FFFFFF", left + column * step
            sheet.box(right, down, step, step, fill=fill, line=HAIR, thick=0.2)
    for index, name in enumerate(("bat", "heart", "radar", "bullet")):
        ink = "#B3122B" if name == "heart" else TILE_COLOURS[name].ink
        draw(sheet, name, x + 46.5, y + 16 + index * 8.8, 3.8, ink)
        sheet.line(x + 49.6, y + 17.6 + index * 8.8, x + 56, y + 17.6 + index * 8.8, ink=HAIR)
    sheet.text(x + 4, y + 53.6, words("pad.path"), 1.8, ink=MUTED)
    sheet.line(x + 16, y + 54, x + 55, y + 54, ink=HAIR)


def front_page(
    sheet: Sheet, words: Translate, contents: Sequence[tuple[str, int]], hint: str
) -> None:
    """Draw the front page: the contents, the instructions, a ruler for checking the scale, and a
    `hint` below it.
    """
    x, y = origin(sheet.paper)
    _sky(sheet, words, x, y - 8)
    down = y + 76
    for number in range(1, 7):
        sheet.disc(x + 5, down - 1.3, 4.2, fill=NIGHT)
        sheet.label(x + 5, down + 0.2, str(number), 3, GOLD)
        down = sheet.paragraph(x + 13, down, words(f"kit.step.{number}"), 2.9, 102) + 5
    _contents(sheet, words, contents, x + 128, y + 73)
    small_field(sheet, x + 128, y + 134, 52)
    top = y + 200
    sheet.box(x, top, GRID_WIDTH, 36, fill="#FFF0D2", round=3)
    ruler(sheet, x + 10, top + 16)
    sheet.paragraph(x + 72, top + 11.5, words("kit.ruler"), 2.75, 100)
    sheet.paragraph(x + 10, top + 27.5, hint, 2.3, 160, ink=MUTED)


def _sky(sheet: Sheet, words: Translate, x: float, y: float) -> None:
    sheet.box(x, y, GRID_WIDTH, 68, fill=NIGHT, round=4)
    sheet.disc(x + 146, y + 27, 19, fill="#FFE9B0")
    for right, down, radius in ((139.0, 21.0, 3.2), (153, 33, 4.2), (149, 18, 2), (137, 34, 2.4)):
        sheet.disc(x + right, y + down, radius, fill="#F6D88A")
    for right, down, size, turn in (
        (146.0, 29.0, 25.0, -8.0),
        (116, 17, 10, 12),
        (169, 14, 8, -14),
        (122, 38, 6, 6),
    ):
        draw(sheet, "bat", x + right, y + down, size, NIGHT if size == 25 else "#5A4E6B", turn=turn)
    for right, down, size in (
        (12.0, 10.0, 2.4),
        (40, 7, 1.6),
        (84, 12, 2.2),
        (100, 30, 1.6),
        (64, 8, 1.4),
        (172, 36, 1.8),
    ):
        draw(sheet, "blank", x + right, y + down, size, "#8E7DB0")
    _roofs(sheet, x, y + 68)
    sheet.text(x + 10, y + 30, "Vampire Radar", 11, font=TITLE, ink=PALE)
    sheet.text(x + 10, y + 40, words("kit.title"), 4.2, ink=GOLD)


def _roofs(sheet: Sheet, x: float, y: float) -> None:
    """Draw a town's roofs along the lower edge of the sky."""
    skyline = (
        "M 4 0 L 4 -7 L 10 -13 L 16 -7 L 16 -5 L 24 -5 L 24 -12 L 27 -12 L 27 -19 L 29 -24 L 31 "
        "-19 L 31 -12 L 34 -12 "
        "L 34 -6 L 44 -6 L 50 -11 L 56 -6 L 70 -6 L 70 -10 L 75 -15 L 80 -10 L 80 -4 L 96 -4 L "
        "96 -9 L 102 -14 "
        "L 108 -9 L 108 -6 L 122 -6 L 122 -13 L 124 -13 L 124 -16 L 126 -16 L 126 -13 L 128 -13 "
        "L 128 -16 L 130 -16 L 130 -13 L 132 -13 L 132 -5 L 150 -5 L 156 -10 L 162 -5 L 176 -5 L "
        "176 0 Z"
    )
    with sheet.at(x, y):
        sheet.shape(skyline, fill="#3B2F4D")
    for right, up in ((9, 6), (28.4, 14), (49, 5), (74, 9), (101, 8), (126, 9), (155, 5.4)):
        sheet.box(x + right, y - up, 1.6, 2.2, fill=GOLD)


def _contents(
    sheet: Sheet, words: Translate, contents: Sequence[tuple[str, int]], x: float, y: float
) -> None:
    height = 12 + 7 * len(contents)
    sheet.box(x, y - 4, 52, height, line=HAIR, thick=0.3, round=3)
    sheet.text(x + 5, y + 3, words("kit.contents"), 2.7, font=DISPLAY, ink="#5B2A86")
    for index, (key, page) in enumerate(contents):
        down = y + 10.5 + index * 7
        sheet.text(x + 5, down, words(key), 2.4, ink=INK)
        sheet.text(x + 47, down, str(page), 2.4, font=DISPLAY, ink=MUTED, align="right")
