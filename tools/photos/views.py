"""Views and lights for photos of a table, and the picture that a phone takes."""

from __future__ import annotations

import io
import math
from random import Random

from msgspec import Struct
from PIL import Image, ImageChops, ImageDraw, ImageFilter

from companion.printing.codes import aruco_mark
from tools.photos.camera import FIELD, Camera, aimed, photograph
from tools.photos.scene import Scene, from_above, place

PIXELS_PER_MM = {12: 9.0, 3: 5.0, 2: 4.2}
"""Pixels per millimetre of the flat table, by megapixels."""
SIZES = {12: (4000, 3000), 3: (2000, 1500), 2: (1632, 1224)}
"""A picture's width and height in pixels, by megapixels."""


class View(Struct, frozen=True, kw_only=True):
    """How a photo is taken. `tilt`, `azimuth`, `roll` as in `Camera`; `gain` darkens; `noise` is
    its grey levels; `blur` the radius of the lens's and `shake` the length of the hand's blur, in
    pixels of a 12 MP picture.
    """

    tilt: float = 4.0
    azimuth: float = 0.0
    roll: float = 0.0
    gain: float = 1.0
    noise: float = 5.0
    blur: float = 1.2
    shake: int = 0
    shadow: float = 1.0
    glare: float = 0.0
    quality: int = 88
    orientation: int = 1
    """The EXIF orientation with which the phone stores it."""


VIEWS = {
    "overhead": View(),
    "30": View(tilt=30, roll=3),
    "45": View(tilt=45, azimuth=8),
    "60": View(tilt=60, azimuth=-6),
    "shadow": View(tilt=20, shadow=0.35, orientation=6),
    "glare": View(tilt=25, glare=130, azimuth=-10),
    "dim": View(tilt=15, gain=0.22, noise=11, quality=80),
    "blur": View(tilt=12, blur=3.2, shake=8),
    "jpeg": View(tilt=18, quality=60, orientation=8, roll=-5),
}


def seen(scene: Scene, view: View, megapixels: int = 12) -> Image.Image:
    """Return the table through the camera, before lens, light and sensor: the costly part."""
    camera, picture = bare(scene, view, megapixels)
    people(picture, camera, scene)
    return picture


def bare(scene: Scene, view: View, megapixels: int) -> tuple[Camera, Image.Image]:
    """Return the camera, and its picture of everything that lies flat on the table."""
    west, north = (270 if scene.card == side else FIELD for side in ("west", "north"))
    camera = aimed(SIZES[megapixels], (view.tilt, view.azimuth, view.roll), west, north)
    flats = [(PIXELS_PER_MM[megapixels], from_above(scene, PIXELS_PER_MM[megapixels]))]
    for _ in range(2):
        flats.append((flats[-1][0] / 2, flats[-1][1].reduce(2)))
    return camera, photograph(camera, flats)


def people(picture: Image.Image, camera: Camera, scene: Scene) -> None:
    """Draw the things that stand on the table or are held over it."""
    for token in scene.marked_tokens:
        marked_disc(picture, camera, token, scene.pitch, TOKEN)
    for pawn in sorted(scene.pawns, key=lambda each: camera.sees(*place(each[0], scene.pitch))[1]):
        stand(picture, camera, pawn, scene.pitch)
    for cell, right, down, _ in scene.caps:
        stand(picture, camera, (cell, right, down), scene.pitch)
    # Nothing of that height hides a cap.
    for cap in scene.caps:
        marked_disc(picture, camera, cap, scene.pitch, CAP)
    for thing in scene.things:
        place_thing(picture, camera, *thing)
    if scene.hand is not None:
        reach(picture, camera, scene.hand)


class Disc(Struct, frozen=True):
    """A printed disc with a mark in its middle: its radius, the side of a module, and how high it
    lies, in mm.
    """

    radius: float
    module: float
    height: float


CAP, TOKEN = Disc(13, 1.5, 30), Disc(9.5, 8 / 6, 1)


def marked_disc(
    picture: Image.Image,
    camera: Camera,
    placed: tuple[str, float, float, int],
    pitch: float,
    disc: Disc,
) -> None:
    """Draw a pawn's cap or a token, its mark in a random turn."""
    cell, *off, mark = placed
    x, y = (centre + each for centre, each in zip(place(cell, pitch), off, strict=True))
    radius, module = disc.radius, disc.module
    turn = math.radians(37 * mark)
    cos, sin = math.cos(turn), math.sin(turn)

    def at(right: float, down: float) -> tuple[float, float]:
        return camera.sees(x + cos * right - sin * down, y + sin * right + cos * down, disc.height)

    def box(left: float, top: float, side: float) -> list[tuple[float, float]]:
        return [
            at(left, top),
            at(left + side, top),
            at(left + side, top + side),
            at(left, top + side),
        ]

    pen = ImageDraw.Draw(picture)
    rim = [
        at(radius * math.cos(angle), radius * math.sin(angle))
        for angle in (math.tau * step / 32 for step in range(32))
    ]
    pen.polygon(rim, fill=(125, 190, 235, 225)[(mark - 38) // 4], outline=35)
    pen.polygon(box(-4 * module, -4 * module, 8 * module), fill=245)
    for row, modules in enumerate(aruco_mark(mark)):
        for column, dark in enumerate(modules):
            if dark:
                pen.polygon(box((column - 3) * module, (row - 3) * module, module), fill=35)


def reach(picture: Image.Image, camera: Camera, fingers: tuple[float, float]) -> None:
    """Draw a hand and its arm, 60 mm over the table."""
    x, y = fingers
    outline = [
        (x - 45, 330),
        (x - 40, y + 60),
        (x - 48, y + 20),
        (x - 20, y),
        (x + 22, y),
        (x + 46, y + 25),
        (x + 40, 330),
    ]
    ImageDraw.Draw(picture).polygon(
        [camera.sees(east, south, 60) for east, south in outline], fill=165, outline=120
    )


THINGS = {"die": (11.0, 16.0, 4, 230), "cup": (40.0, 95.0, 32, 190)}
"""Radius and height in mm, corners, and grey level of what is put on a table."""


def place_thing(picture: Image.Image, camera: Camera, name: str, x: float, y: float) -> None:
    """Draw a die, a cup, or a sleeve that lies 40 mm over the table from east to west."""
    pen = ImageDraw.Draw(picture)
    if name == "sleeve":
        outline = [(330, y - 45), (x, y - 35), (x, y + 35), (330, y + 45)]
        pen.polygon([camera.sees(east, south, 40) for east, south in outline], fill=120, outline=80)
        return
    radius, height, corners, shade = THINGS[name]
    low, high = (
        [
            camera.sees(x + radius * math.cos(angle), y + radius * math.sin(angle), z)
            for angle in (math.tau * step / corners for step in range(corners))
        ]
        for z in (0.0, height)
    )
    pen.polygon(hull(low + high), fill=shade // 2)
    pen.polygon(high, fill=shade, outline=shade // 2)


def stand(
    picture: Image.Image, camera: Camera, pawn: tuple[str, float, float], pitch: float
) -> None:
    """Draw a pawn: a cylinder of 20 mm with a narrower head, 30 mm high."""
    x, y = (centre + off for centre, off in zip(place(pawn[0], pitch), pawn[1:], strict=True))
    pen = ImageDraw.Draw(picture)
    for low, high, radius, shade in ((0, 12, 10, 60), (12, 30, 7, 85), (30, 30, 7, 110)):
        rim = [
            camera.sees(x + radius * math.cos(angle), y + radius * math.sin(angle), z)
            for z in (low, high)
            for angle in (math.tau * step / 24 for step in range(24))
        ]
        pen.polygon(hull(rim), fill=shade)


def hull(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the convex hull of points, in order."""
    ordered = sorted(set(points))

    def half(path: list[tuple[float, float]]) -> list[tuple[float, float]]:
        kept: list[tuple[float, float]] = []
        for x, y in path:
            while len(kept) > 1:
                (ax, ay), (bx, by) = kept[-2:]
                if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0:
                    break
                kept.pop()
            kept.append((x, y))
        return kept[:-1]

    return half(ordered) + half(ordered[::-1])


def lit(picture: Image.Image, view: View) -> Image.Image:
    """Return the picture with its light: a shadow with an edge, a lamp's glare, a dim room."""
    small = (200, 150)
    light = Image.new("L", small, 200)
    pen = ImageDraw.Draw(light)
    if view.shadow < 1:
        pen.polygon([(0, 40), (125, 150), (0, 150)], fill=round(200 * view.shadow))
        light = light.filter(ImageFilter.GaussianBlur(1.2))
    falling = (
        Image.radial_gradient("L").resize(small).point([255 - value // 4 for value in range(256)])
    )
    light = ImageChops.multiply(light, falling)
    # 200 stands for full light, so that nothing is clipped before the glare.
    picture = ImageChops.multiply(picture, light.resize(picture.size, Image.Resampling.BILINEAR))
    picture = picture.point(
        [min(255, round(value * view.gain * 255 / 200)) for value in range(256)]
    )
    if view.glare:
        spot = Image.new("L", small, 0)
        ImageDraw.Draw(spot).ellipse([95, 35, 145, 75], fill=round(view.glare))
        ImageDraw.Draw(spot).ellipse([40, 85, 70, 100], fill=round(view.glare * 0.7))
        spot = spot.filter(ImageFilter.GaussianBlur(9))
        picture = ImageChops.add(picture, spot.resize(picture.size, Image.Resampling.BICUBIC))
    return picture


def through_lens(picture: Image.Image, view: View) -> Image.Image:
    """Return the picture as the lens and the hand blur it."""
    share = max(picture.size) / SIZES[12][0]
    picture = picture.filter(ImageFilter.GaussianBlur(view.blur * share))
    if view.shake:
        steps = [
            ImageChops.offset(picture, round(step * share), round(step * share * 0.4))
            for step in range(view.shake)
        ]
        while len(steps) > 1:
            steps = [Image.blend(a, b, 0.5) for a, b in zip(steps[::2], steps[1::2], strict=True)]
        picture = steps[0]
    return picture


def noisy(picture: Image.Image, sigma: float, seed: int) -> Image.Image:
    """Return the picture with a sensor's noise of `sigma` grey levels."""
    rng = Random(seed)
    fine_noise, coarse_noise = (
        Image.frombytes("L", picture.size, rng.randbytes(picture.width * picture.height))
        for _ in range(2)
    )
    # The mean of two uniform values has a deviation of 52 levels.
    grain = ImageChops.add(fine_noise, coarse_noise, 2).point(
        [round(128 + (value - 128) * sigma / 52) for value in range(256)]
    )
    return ImageChops.add(picture, grain, 1, -128)


def taken(picture: Image.Image, view: View, megapixels: int, seed: int = 0) -> bytes:
    """Return the JPEG that the phone stores of a picture."""
    picture = through_lens(lit(picture, view), view)
    if picture.size != SIZES[megapixels]:
        picture = picture.resize(SIZES[megapixels], Image.Resampling.BOX, reducing_gap=2.0)
    picture = noisy(picture, view.noise, seed)
    tinted = Image.merge(
        "RGB", [picture.point([round(v * tint) for v in range(256)]) for tint in (1.0, 0.96, 0.88)]
    )
    return jpeg(tinted, view.quality, view.orientation)


STORED = {
    1: None,
    3: Image.Transpose.ROTATE_180,
    6: Image.Transpose.ROTATE_90,
    8: Image.Transpose.ROTATE_270,
}
"""How pixels are stored so that turning them by the EXIF orientation gives the picture."""


def jpeg(picture: Image.Image, quality: int = 88, orientation: int = 1) -> bytes:
    """Return a picture as a JPEG, stored turned and with the orientation tag."""
    if (turned := STORED[orientation]) is not None:
        picture = picture.transpose(turned)
    exif = Image.Exif()
    exif[0x0112] = orientation
    buffer = io.BytesIO()
    picture.save(buffer, "JPEG", quality=quality, exif=exif)
    return buffer.getvalue()


def photo(scene: Scene, view: View, megapixels: int = 3, seed: int = 0) -> bytes:
    """Return a photo of a table."""
    return taken(seen(scene, view, megapixels), view, megapixels, seed)


__all__ = ["SIZES", "VIEWS", "Camera", "View", "jpeg", "photo", "seen", "taken"]
