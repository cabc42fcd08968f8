"""Malicious pictures: bombs, broken files and files of other kinds, and unusual but harmless
ones.
"""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Callable
from random import Random

from PIL import Image

PNG = b"\x89PNG\r\n\x1a\n"


def chunk(kind: bytes, content: bytes) -> bytes:
    return (
        struct.pack(">I", len(content))
        + kind
        + content
        + struct.pack(">I", zlib.crc32(kind + content))
    )


def bomb(width: int, height: int, *more: bytes) -> bytes:
    """Return a large PNG of light grey pixels, a small file."""
    compressor = zlib.compressobj(9)
    row = b"\0" + b"\xff" * width
    content = b"".join(compressor.compress(row) for _ in range(height)) + compressor.flush()
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return (
        PNG
        + chunk(b"IHDR", header)
        + b"".join(more)
        + chunk(b"IDAT", content)
        + chunk(b"IEND", b"")
    )


def claiming(width: int, height: int) -> bytes:
    """Return a PNG with only a header of this size."""
    header = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    return (
        PNG
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(b"\0" * 100))
        + chunk(b"IEND", b"")
    )


def encode_picture(picture: Image.Image, kind: str, **options: object) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, kind, **options)
    return buffer.getvalue()


def noise(size: tuple[int, int], mode: str = "RGB", seed: int = 0) -> Image.Image:
    small = Image.frombytes("L", (64, 48), Random(seed).randbytes(64 * 48))
    return small.resize(size, Image.Resampling.BICUBIC).convert(mode)


def flipped(photo: bytes, seed: int) -> bytes:
    """Return a photo with some of its bytes changed."""
    rng = Random(seed)
    broken = bytearray(photo)
    for _ in range(1 + seed % 40):
        broken[rng.randrange(len(broken) if seed % 2 else min(900, len(broken)))] = rng.randrange(
            256
        )
    return bytes(broken)


def _small() -> Image.Image:
    return noise((80, 60))


def _text_bomb() -> bytes:
    return bomb(64, 64, chunk(b"zTXt", b"x\0\0" + zlib.compress(b"a" * 80_000_000, 9)))


REFUSED: dict[str, tuple[Callable[[], bytes], str]] = {
    "bomb of 13000²": (lambda: bomb(13_000, 13_000), "scan.too_many_pixels"),
    "bomb of 9400²": (lambda: claiming(9_400, 9_400), "scan.too_many_pixels"),
    "claims 100,000 pixels a side": (lambda: claiming(10**5, 10**5), "scan.too_many_pixels"),
    "one row of 25 million": (lambda: claiming(25_000_000, 1), "scan.too_many_pixels"),
    "a side longer than codes are read on": (
        lambda: encode_picture(noise((31_000, 10)), "PNG"),
        "scan.too_long_side",
    ),
    "text that unpacks to 80 MB": (_text_bomb, "scan.broken_picture"),
    "more than 32 MB": (
        lambda: encode_picture(_small(), "JPEG") + b"\0" * (32 * 1024 * 1024),
        "scan.too_many_bytes",
    ),
    "nothing": (lambda: b"", "scan.no_picture"),
    "text": (lambda: b"<html><script>alert(1)</script></html>", "scan.no_picture"),
    "GIF": (lambda: encode_picture(_small(), "GIF"), "scan.no_picture"),
    "BMP": (lambda: encode_picture(_small(), "BMP"), "scan.no_picture"),
    "TIFF": (lambda: encode_picture(_small(), "TIFF"), "scan.no_picture"),
    "WebP": (lambda: encode_picture(_small(), "WEBP"), "scan.no_picture"),
    "PostScript": (
        lambda: b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\nshowpage\n",
        "scan.no_picture",
    ),
    "SVG": (lambda: b'<svg xmlns="http://www.w3.org/2000/svg"/>', "scan.no_picture"),
    "a GIF that goes on as a JPEG": (
        lambda: b"GIF89a" + encode_picture(_small(), "JPEG"),
        "scan.no_picture",
    ),
    "half a JPEG": (
        lambda: encode_picture(noise((800, 600)), "JPEG")[:9000],
        "scan.broken_picture",
    ),
    "half a PNG": (lambda: encode_picture(noise((800, 600)), "PNG")[:9000], "scan.broken_picture"),
    "a tenth of a JPEG is missing": (
        lambda: (lambda whole: whole[: -len(whole) // 10])(
            encode_picture(noise((800, 600)), "JPEG")
        ),
        "scan.broken_picture",
    ),
    "a JPEG's first bytes": (lambda: b"\xff\xd8\xff\xe0\0\x10JFIF", "scan.broken_picture"),
    "no pixels at all": (lambda: claiming(0, 0), "scan.no_picture"),
}
"""Makers of pictures that must be refused, each with the reason, by name."""


def _grey() -> Image.Image:
    return noise((400, 300))


def _unknown_orientation() -> bytes:
    exif = Image.Exif()
    exif[0x0112] = 99
    exif[0x010F] = "x" * 60_000
    return encode_picture(_grey(), "JPEG", exif=exif)


def _animated() -> bytes:
    frames = [_grey().rotate(90), _grey().rotate(180)]
    return encode_picture(_grey(), "PNG", save_all=True, append_images=frames)


HARMLESS: dict[str, Callable[[], bytes]] = {
    "CMYK": lambda: encode_picture(_grey().convert("CMYK"), "JPEG"),
    "grey": lambda: encode_picture(_grey().convert("L"), "JPEG"),
    "progressive": lambda: encode_picture(_grey(), "JPEG", progressive=True),
    "16 bits": lambda: encode_picture(_grey().convert("I;16"), "PNG"),
    "black or white": lambda: encode_picture(_grey().convert("1"), "PNG"),
    "palette, see-through": lambda: encode_picture(_grey().convert("P"), "PNG", transparency=3),
    "see-through": lambda: encode_picture(_grey().convert("RGBA"), "PNG"),
    "grey, see-through": lambda: encode_picture(_grey().convert("LA"), "PNG"),
    "animated": _animated,
    "several pictures in one": lambda: encode_picture(
        _grey(), "MPO", save_all=True, append_images=[_grey().rotate(180)]
    ),
    "an orientation that there is not": _unknown_orientation,
    "a JPEG that is also a ZIP and a page": lambda: (
        encode_picture(_grey(), "JPEG") + b"PK\x03\x04<script>alert(1)</script>"
    ),
    "a strip": lambda: encode_picture(noise((12_000, 2)), "PNG"),
    "one pixel": lambda: encode_picture(noise((1, 1)), "PNG"),
}
"""Makers of unusual pictures that can be opened; none shows a tile."""
