"""Pictures that mean no good: bombs, broken files, files of other kinds, and odd ones that are
harmless.
"""

from __future__ import annotations

import io
import struct
import zlib
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
    """Return a PNG of so many white grey pixels, which is small as a file."""
    squeeze = zlib.compressobj(9)
    row = b"\0" + b"\xff" * width
    content = b"".join(squeeze.compress(row) for _ in range(height)) + squeeze.flush()
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return (
        PNG + chunk(b"IHDR", head) + b"".join(more) + chunk(b"IDAT", content) + chunk(b"IEND", b"")
    )


def claiming(width: int, height: int) -> bytes:
    """Return a PNG that only says that it is so large."""
    head = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    return (
        PNG
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(b"\0" * 100))
        + chunk(b"IEND", b"")
    )


def saved(picture: Image.Image, kind: str, **how: object) -> bytes:
    held = io.BytesIO()
    picture.save(held, kind, **how)
    return held.getvalue()


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


def refused() -> dict[str, tuple[bytes, str]]:
    """Return pictures that must be refused, with the reason."""
    small = noise((80, 60))
    text_bomb = chunk(b"zTXt", b"x\0\0" + zlib.compress(b"a" * 80_000_000, 9))
    return {
        "bomb of 13000²": (bomb(13_000, 13_000), "scan.too_many_pixels"),
        "bomb of 9400²": (claiming(9_400, 9_400), "scan.too_many_pixels"),
        "claims 100,000 pixels a side": (claiming(10**5, 10**5), "scan.too_many_pixels"),
        "one row of 25 million": (claiming(25_000_000, 1), "scan.too_many_pixels"),
        "a side longer than codes are read on": (
            saved(noise((31_000, 10)), "PNG"),
            "scan.too_long_side",
        ),
        "text that unpacks to 80 MB": (bomb(64, 64, text_bomb), "scan.broken_picture"),
        "more than 12 MB": (
            saved(small, "JPEG") + b"\0" * (12 * 1024 * 1024),
            "scan.too_many_bytes",
        ),
        "nothing": (b"", "scan.no_picture"),
        "text": (b"<html><script>alert(1)</script></html>", "scan.no_picture"),
        "GIF": (saved(small, "GIF"), "scan.no_picture"),
        "BMP": (saved(small, "BMP"), "scan.no_picture"),
        "TIFF": (saved(small, "TIFF"), "scan.no_picture"),
        "WebP": (saved(small, "WEBP"), "scan.no_picture"),
        "PostScript": (
            b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\nshowpage\n",
            "scan.no_picture",
        ),
        "SVG": (b'<svg xmlns="http://www.w3.org/2000/svg"/>', "scan.no_picture"),
        "a GIF that goes on as a JPEG": (b"GIF89a" + saved(small, "JPEG"), "scan.no_picture"),
        "half a JPEG": (saved(noise((800, 600)), "JPEG")[:9000], "scan.broken_picture"),
        "half a PNG": (saved(noise((800, 600)), "PNG")[:9000], "scan.broken_picture"),
        "a JPEG's first bytes": (b"\xff\xd8\xff\xe0\0\x10JFIF", "scan.broken_picture"),
        "no pixels at all": (claiming(0, 0), "scan.no_picture"),
    }


def harmless() -> dict[str, bytes]:
    """Return pictures that can be opened though they are odd; none of them shows a tile."""
    grey = noise((400, 300))
    exif = Image.Exif()
    exif[0x0112] = 99
    exif[0x010F] = "x" * 60_000
    return {
        "CMYK": saved(grey.convert("CMYK"), "JPEG"),
        "grey": saved(grey.convert("L"), "JPEG"),
        "progressive": saved(grey, "JPEG", progressive=True),
        "16 bits": saved(grey.convert("I;16"), "PNG"),
        "black or white": saved(grey.convert("1"), "PNG"),
        "palette, see-through": saved(grey.convert("P"), "PNG", transparency=3),
        "see-through": saved(grey.convert("RGBA"), "PNG"),
        "grey, see-through": saved(grey.convert("LA"), "PNG"),
        "animated": saved(
            grey, "PNG", save_all=True, append_images=[grey.rotate(90), grey.rotate(180)]
        ),
        "several pictures in one": saved(
            grey, "MPO", save_all=True, append_images=[grey.rotate(180)]
        ),
        "an orientation that there is not": saved(grey, "JPEG", exif=exif),
        "a JPEG that is a ZIP and a page besides": saved(grey, "JPEG")
        + b"PK\x03\x04<script>alert(1)</script>",
        "a strip": saved(noise((12_000, 2)), "PNG"),
        "one pixel": saved(noise((1, 1)), "PNG"),
    }
