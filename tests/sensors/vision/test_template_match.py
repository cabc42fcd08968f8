"""Tiles identified by template matching, and photos distinguished from their mirror images."""

from __future__ import annotations

from itertools import combinations, product
from random import Random

import pyqrcode
import pytest
from PIL import Image, ImageOps

from companion.sensors.vision import codes, template_match
from companion.sensors.vision.zxing_reader import EC_LEVELS, FORMAT, format_bits
from tests.helpers.repetitions import soak
from tools.photos.printed import code


def modules_of(text: str) -> list[list[int]]:
    modules: list[list[int]] = pyqrcode.create(text, error="H", mode="alphanumeric", version=1).code
    return modules


def code_image(text: str, turn: int = 0) -> Image.Image:
    """Return the image of a code, cut 0.42 tiles around it."""
    side = template_match.CODE_SIDE * template_match.MODULE_PIXELS
    cut = Image.new("L", (round(side * 1.68), round(side * 1.68)), 250)
    card = code(text, side).rotate(-turn)
    cut.paste(card, ((cut.width - side) // 2, (cut.height - side) // 2))
    return cut


@pytest.mark.slow
def test_the_kept_codes_are_the_printed_ones() -> None:
    """The file of codes has the printed ones: the corner card first, then the tiles in order."""
    texts = [
        codes.CARD_TEXT,
        *(codes.tile_text(number) for number in range(1, codes.TILE_COUNT + 1)),
    ]
    words = [int("".join(str(bit) for row in modules_of(text) for bit in row), 2) for text in texts]
    expected = [f"{text} {word:0111x}" for text, word in zip(texts, words, strict=True)]

    assert expected == template_match.CODES_FILE.read_text(encoding="ascii").splitlines()


def test_no_two_codes_are_alike() -> None:
    """Any two codes in any turns differ in at least 58 data modules, nearly four times the lead
    that a match needs.
    """
    pairs = [
        (a, b)
        for a, b in combinations(template_match.all_codes(), 2)
        if a.number != b.number and a.turn == b.turn
    ]

    assert 58 == min(((a.modules ^ b.modules) & a.data).bit_count() // 8 for a, b in pairs)


@pytest.mark.parametrize(
    "share",
    [
        0.2,
        0.4,
        *soak(0.1, 0.3),
    ],
)
@pytest.mark.slow
def test_misread_modules_make_no_other_code(share: float) -> None:
    """A code of which a share of the modules is misread is identified as itself or not at all; with
    a fifth it is always identified.
    """
    rng = Random(f"modules {share}")
    side = template_match.MODULE_PIXELS
    for number in range(codes.TILE_COUNT + 1):
        picture = code_image(codes.CARD_TEXT if number == 0 else codes.tile_text(number))
        margin = (picture.width - template_match.CODE_SIDE * side) // 2
        for column, row in product(range(template_match.CODE_SIDE), repeat=2):
            if rng.random() < share:
                left, top = margin + column * side, margin + row * side
                box = (left, top, left + side, top + side)
                picture.paste(ImageOps.invert(picture.crop(box)), box)
        match = template_match.identify(picture)

        assert (match and match.number) in (number, *([None] if share > 0.2 else []))


@pytest.mark.parametrize(("number", "turn"), [(1, 0), (7, 90), (20, 180), (38, 270)])
def test_a_code_is_identified_with_its_turn(number: int, turn: int) -> None:
    """A code is identified by its number and its clockwise turn, and its corners start at its own
    top left.
    """
    picture = code_image(codes.tile_text(number), turn)
    match = template_match.identify(picture)

    assert match is not None
    assert (number, turn // 90) == (match.number, match.turn)
    (x, y), (right, down), *_ = template_match.match_corners(match, picture.width)
    assert {0: right > x, 90: down > y, 180: right < x, 270: down < y}[turn]


@pytest.mark.parametrize("number", range(39, 100, 7))
def test_a_code_that_is_not_ours_is_never_identified(number: int) -> None:
    """Codes of numbers that were never printed match none of ours, however similar."""
    assert None is template_match.identify(code_image(codes.tile_text(number)))
    assert template_match.match_code(code_image(codes.tile_text(number))).is_code


def test_no_code_is_no_code() -> None:
    """A blank card, and noise, are no code."""
    noise = Image.effect_noise((212, 212), 90)

    assert (None, None) == (
        template_match.identify(Image.new("L", (212, 212), 200)),
        template_match.identify(noise),
    )
    assert not template_match.match_code(noise).is_code


NAMES = {
    "VRT01": 1,
    "VRT38": 38,
    "VRT39": None,
    "VRT00": None,
    "vrt01": None,
    "VRT001": None,
    "VRC00": None,
}


@pytest.mark.parametrize(("text", "number"), NAMES.items())
def test_payloads(text: str, number: int | None) -> None:
    """A tile's code is VRT and its number, 01 to 38; nothing else is a tile."""
    assert number == codes.tile_number(text)
    assert number is None or text == codes.tile_text(number)


@pytest.mark.parametrize("number", [1, 2, 5, 17])
def test_format_information_is_where_the_standard_has_it(number: int) -> None:
    """The 15 bits around the first finder are those of level H and one of the eight masks."""
    modules = modules_of(codes.tile_text(number))
    bits = [bool(modules[row][column]) for column, row in FORMAT]

    assert bits in [format_bits(EC_LEVELS["H"], mask) for mask in range(8)]
    assert bits[::-1] not in [format_bits(EC_LEVELS["H"], mask) for mask in range(8)]
