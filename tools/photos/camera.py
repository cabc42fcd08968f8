"""A pinhole camera with a little barrel distortion over a table: where a point of the table
appears, and back.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise

from msgspec import Struct
from PIL import Image

from tools.photos.scene import TABLE

FOCAL = 0.75
"""Focal length as a share of the picture's longer side: a phone's main lens."""
BARREL = -0.02
"""How far the lens draws the corners in: share of the radius, at a radius of one focal length,
squared.
"""
FIELD = 205.0
"""Millimetres from the field's centre that are to be in the picture on each side, if nothing lies
beside it.
"""
MESH = 48
"""Pieces across the longer side, inside each of which the picture is warped bilinearly."""

Point = tuple[float, float]


class Camera(Struct, frozen=True):
    """How the phone is held: `tilt` degrees from straight above, `azimuth` degrees clockwise around
    the table from standing at row 6, `roll` degrees of the phone itself; `distance` in mm, `size`
    in pixels, `shift` of the centre.
    """

    size: tuple[int, int]
    tilt: float
    azimuth: float
    roll: float
    distance: float
    shift: Point = (0.0, 0.0)

    @property
    def focal(self) -> float:
        return FOCAL * max(self.size)

    def axes(self) -> tuple[tuple[float, float, float], ...]:
        """Return the picture's right, its down and the view's direction in table coordinates (east,
        south, up).
        """
        tilt, azimuth, roll = (
            math.radians(angle) for angle in (self.tilt, self.azimuth, self.roll)
        )
        right = (math.cos(azimuth), -math.sin(azimuth), 0.0)
        down = (
            math.sin(azimuth) * math.cos(tilt),
            math.cos(azimuth) * math.cos(tilt),
            -math.sin(tilt),
        )
        ahead = (
            -math.sin(azimuth) * math.sin(tilt),
            -math.cos(azimuth) * math.sin(tilt),
            -math.cos(tilt),
        )
        cos, sin = math.cos(roll), math.sin(roll)
        turned_right = tuple(cos * r + sin * d for r, d in zip(right, down, strict=True))
        turned_down = tuple(cos * d - sin * r for r, d in zip(right, down, strict=True))
        return turned_right, turned_down, ahead  # type: ignore[return-value]

    def sees(self, x: float, y: float, z: float = 0.0) -> Point:
        """Return where in the picture a point (mm east, south, up from the field's centre)
        appears.
        """
        right, down, ahead = self.axes()
        eye = tuple(-self.distance * part for part in ahead)
        ray = (x - eye[0], y - eye[1], z - eye[2])
        u, v, depth = (
            sum(a * b for a, b in zip(ray, axis, strict=True)) for axis in (right, down, ahead)
        )
        u, v = u / depth, v / depth
        bent = 1 + BARREL * (u * u + v * v)
        return self._pixel(u * bent, v * bent)

    def lies(self, px: float, py: float) -> Point | None:
        """Return the point of the table at a pixel, None above the horizon."""
        bent_u, bent_v = ((px - self._centre(0)) / self.focal, (py - self._centre(1)) / self.focal)
        u, v = bent_u, bent_v
        for _ in range(4):
            bent = 1 + BARREL * (u * u + v * v)
            u, v = bent_u / bent, bent_v / bent
        right, down, ahead = self.axes()
        ray = tuple(a + u * r + v * d for r, d, a in zip(right, down, ahead, strict=True))
        eye = tuple(-self.distance * part for part in ahead)
        if ray[2] > -0.02:
            return None
        far = -eye[2] / ray[2]
        return eye[0] + far * ray[0], eye[1] + far * ray[1]

    def _centre(self, axis: int) -> float:
        return self.size[axis] / 2 + self.shift[axis]

    def _pixel(self, u: float, v: float) -> Point:
        return self._centre(0) + self.focal * u, self._centre(1) + self.focal * v


def aimed(
    size: tuple[int, int],
    held: tuple[float, float, float],
    west: float = FIELD,
    north: float = FIELD,
) -> Camera:
    """Return a camera `held` at a tilt, azimuth and roll so that the whole field is in the picture,
    about as large as possible, from `west` mm west and `north` mm north of its centre.
    """
    tilt, azimuth, roll = held
    near, far = 200.0, 4000.0
    camera = Camera(size, tilt, azimuth, roll, far)
    for _ in range(24):
        distance = (near + far) / 2
        camera, fits = centred(Camera(size, tilt, azimuth, roll, distance), west, north)
        near, far = (near, distance) if fits else (distance, far)
    return camera


def centred(camera: Camera, west: float, north: float) -> tuple[Camera, bool]:
    """Return the camera with the field in the picture's middle, and whether it fits."""
    corners = [camera.sees(x, y) for x in (-west, FIELD) for y in (-north, FIELD)]
    low = [min(corner[axis] for corner in corners) for axis in (0, 1)]
    high = [max(corner[axis] for corner in corners) for axis in (0, 1)]
    fits = all(high[axis] - low[axis] <= camera.size[axis] for axis in (0, 1))
    shift = tuple(camera.size[axis] / 2 - (low[axis] + high[axis]) / 2 for axis in (0, 1))
    return Camera(
        camera.size, camera.tilt, camera.azimuth, camera.roll, camera.distance, (shift[0], shift[1])
    ), fits


def photograph(camera: Camera, flats: list[tuple[float, Image.Image]]) -> Image.Image:
    """Return the picture of the table; `flats` is the table's top at several scales, finest first,
    of which each part of the picture takes the nearest above its own resolution.
    """
    picture = Image.new("L", camera.size, 75)
    pieces: dict[float, list[tuple[tuple[int, int, int, int], tuple[float, ...]]]] = {
        scale: [] for scale, _ in flats
    }
    for box, quad in mesh(camera):
        width = math.dist(quad[0], quad[3])
        wanted = (box[2] - box[0]) / max(width, 1e-6)
        scale = min((scale for scale, _ in flats if scale >= wanted), default=flats[0][0])
        data = tuple(scale * (part + TABLE / 2) for point in quad for part in point)
        pieces[scale].append((box, data))
    for scale, flat in flats:
        for box, data in pieces[scale]:
            size = box[2] - box[0], box[3] - box[1]
            part = flat.transform(
                size, Image.Transform.QUAD, data, Image.Resampling.BICUBIC, fillcolor=75
            )
            picture.paste(part, box[:2])
    return picture


def mesh(camera: Camera) -> Iterator[tuple[tuple[int, int, int, int], list[Point]]]:
    """Yield the pieces of the picture below the horizon: a box of pixels, and the table's points at
    its corners (NW, SW, SE, NE as Pillow requires).
    """
    width, height = camera.size
    step = max(width, height) / MESH
    columns = [round(step * n) for n in range(math.ceil(width / step))] + [width]
    rows = [round(step * n) for n in range(math.ceil(height / step))] + [height]
    for top, bottom in pairwise(rows):
        for left, right in pairwise(columns):
            corners = [
                camera.lies(*at)
                for at in ((left, top), (left, bottom), (right, bottom), (right, top))
            ]
            projected = [
                corner for corner in corners if corner is not None and max(map(abs, corner)) < TABLE
            ]
            if len(projected) == 4 and right > left and bottom > top:
                yield (left, top, right, bottom), projected
