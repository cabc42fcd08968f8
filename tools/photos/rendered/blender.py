"""Render scenes with Blender's path tracer Cycles: `python blender.py SCENES.json FOLDER`, run by a
Python with the package `bpy`.

SCENES.json: a list of scenes as `scene.py` describes them, lengths in mm, angles in degrees, x to
the east, y to the south of the field's middle. FOLDER has the printed pieces in `printed/`, and
receives for each scene NAME.png and NAME.json. The latter says of each tile's code and each cap's
mark, with the white around it: `seen`, the share that the camera sees; `lit`, for each lamp the
share that no shadow of it reaches; `mirrors`, the share that mirrors a lamp if it is glossy.
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Any

import bpy
from mathutils import Vector

MM = 0.001
CARD_STEPS = 8
"""Faces along a side of a tile, so that it can bend."""
CARD_THICKNESS = 0.3
SAMPLES = 4
"""Light paths a pixel. Twelve take three times as long; the noise of four is that of a small
sensor, and is seen in soft shadows alone.
"""
CODE_REACH, MARK_REACH, TOKEN_REACH = 16.5, 5.8, 5.2
"""Mm from the middle of a code, a cap's mark and a token's to the edge of the white around it."""
POINTS = 9
"""Points across a code or mark that are looked at."""
GLARE_DEGREES = 10.0
"""How far a film's glare reaches beside the mirrored lamp."""
PAWN_HEIGHT = 30.0
CAP_RADIUS, TOKEN_RADIUS = 13.0, 9.5
TOKEN_HEIGHT = 2.0
"""Of a printed token on a tile, glued to card; no tile rises higher where one lies."""
TABLE_SIDE = 2000.0
LIGHTS: dict[str, list[tuple[tuple[int, int, int], int, float, tuple[float, ...]]]] = {
    # Place (x, y, z), side and power (W) of a lamp, and its colour: warm about 2,700 K.
    "warm": [((250, 150, 1300), 250, 14, (1.0, 0.68, 0.36))],
    "day": [((-1800, 600, 1000), 1000, 45, (0.78, 0.88, 1.0))],
    "mixed": [
        ((250, 150, 1300), 250, 10, (1.0, 0.68, 0.36)),
        ((-1800, 600, 1000), 1000, 25, (0.75, 0.87, 1.0)),
    ],
    "spot": [((-420, -380, 620), 30, 7, (1.0, 0.8, 0.55))],
    "dim": [((600, -900, 1500), 150, 2.5, (1.0, 0.68, 0.36))],
}
AMBIENT = {"warm": 0.05, "day": 0.25, "mixed": 0.1, "spot": 0.04, "dim": 0.01}
EXPOSURE = {"warm": 0.9, "day": 0.6, "mixed": 0.7, "spot": 1.2, "dim": 2.6}


def main() -> None:
    """Render all scenes that have no picture yet."""
    scenes, folder = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")), Path(sys.argv[2])
    for scene in scenes:
        picture, truth = (folder / f"{scene['name']}.{ending}" for ending in ("png", "json"))
        if picture.exists() and truth.exists():
            continue
        build(scene, folder / "printed")
        truth.write_text(json.dumps(truth_of(scene)))
        if not picture.exists():
            render(picture)


def build(scene: dict[str, Any], printed: Path) -> None:
    """Build a scene."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene_object = bpy.context.scene
    configure(scene_object, scene)
    table(scene["table"])
    for tile in scene["tiles"]:
        card(tile, printed, scene["lamination"])
    for pawn in scene["pawns"]:
        stand_pawn(pawn, printed)
    for token in scene["tokens"]:
        disc(token, printed, TOKEN_RADIUS, TOKEN_HEIGHT)
    for thing in scene["things"]:
        SHAPES[thing["kind"]](thing)
    light(scene_object, scene["light"])
    camera(scene_object, scene["camera"])


def render(picture: Path) -> None:
    """Render the built scene to a file."""
    unfinished = picture.with_suffix(".part.png")
    bpy.context.scene.render.filepath = str(unfinished)
    bpy.ops.render.render(write_still=True)
    unfinished.rename(picture)


def truth_of(scene: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return how far the camera sees each code and mark, and how the lamps light it."""
    bpy.context.view_layer.update()
    graph = bpy.context.evaluated_depsgraph_get()
    eye = bpy.context.scene.camera.location
    lamps = LIGHTS[scene["light"]]
    flat = [(tile, CODE_REACH, CARD_THICKNESS) for tile in scene["tiles"]]
    high = [(pawn, MARK_REACH, PAWN_HEIGHT) for pawn in scene["pawns"]]
    truth = {}
    low = [(token, TOKEN_REACH, TOKEN_HEIGHT) for token in scene["tokens"]]
    for thing, reach, height in flat + high + low:
        places = [point(thing, *at, height) for at in grid(reach)]
        visible = sum(first_hit(graph, eye, place) == thing["name"] for place in places)
        lit = [sum(is_lit(graph, place, lamp[0]) for place in places) for lamp in lamps]
        mirrors = sum(any(is_mirrored(eye, place, lamp) for lamp in lamps) for place in places)
        truth[thing["name"]] = {
            "seen": visible / len(places),
            "lit": [count / len(places) for count in lit],
            "mirrors": mirrors / len(places),
        }
    return truth


def grid(reach: float) -> list[tuple[float, float]]:
    """Return points over a square around a middle, in mm."""
    steps = [reach * (2 * step / (POINTS - 1) - 1) for step in range(POINTS)]
    return [(right, down) for down in steps for right in steps]


def point(thing: dict[str, Any], right: float, down: float, height: float) -> Any:
    """Return a point of a turned piece in the scene's metres."""
    angle = math.radians(thing["turn"])
    east = thing["x"] + right * math.cos(angle) - down * math.sin(angle)
    south = thing["y"] + right * math.sin(angle) + down * math.cos(angle)
    return Vector((east * MM, -south * MM, height * MM))


def first_hit(graph: Any, eye: Any, place: Any) -> str | None:
    """Return the name of the first object in the direction of a place."""
    is_hit, _, _, _, thing, _ = bpy.context.scene.ray_cast(graph, eye, place - eye)
    return thing.name if is_hit else None


def is_lit(graph: Any, place: Any, lamp: tuple[int, int, int]) -> bool:
    """Return whether nothing stands between a place and a lamp's middle."""
    to_lamp = Vector((lamp[0] * MM, -lamp[1] * MM, lamp[2] * MM)) - place
    # From above the corners that curl up.
    start = place + Vector((0, 0, 4 * MM))
    return not bpy.context.scene.ray_cast(graph, start, to_lamp, distance=to_lamp.length)[0]


def is_mirrored(eye: Any, place: Any, lamp: Any) -> bool:
    """Return whether a flat mirror at a place would show the camera a lamp, or nearly."""
    (x, y, z), side, _, _ = lamp
    ray = place - eye
    mirrored = Vector((ray.x, ray.y, -ray.z))
    to_lamp = Vector((x * MM, -y * MM, z * MM)) - place
    reach = math.atan(side * MM / 2 / to_lamp.length) + math.radians(GLARE_DEGREES)
    return bool(mirrored.angle(to_lamp) < reach)


def configure(scene_object: Any, scene: dict[str, Any]) -> None:
    """Choose Cycles on the processor, the picture's size and how light becomes grey levels."""
    scene_object.render.engine = "CYCLES"
    scene_object.cycles.device = "CPU"
    scene_object.cycles.samples = SAMPLES
    scene_object.cycles.use_adaptive_sampling = False
    scene_object.cycles.use_denoising = False
    scene_object.cycles.max_bounces = 1
    # A tree that chooses among one or two lamps makes a picture 12 % slower.
    scene_object.cycles.use_light_tree = False
    scene_object.cycles.seed = scene["seed"]
    scene_object.render.resolution_x, scene_object.render.resolution_y = scene["camera"]["size"]
    scene_object.render.image_settings.file_format = "PNG"
    scene_object.render.image_settings.compression = 15
    scene_object.view_settings.view_transform = "AgX"
    scene_object.view_settings.exposure = EXPOSURE[scene["light"]] + scene["exposure"]


def material(name: str, rough: float, colour: tuple[float, ...] = (0.5, 0.5, 0.5)) -> Any:
    """Return a new material and its principled shader."""
    new_material = bpy.data.materials.new(name)
    new_material.use_nodes = True
    shader = new_material.node_tree.nodes["Principled BSDF"]
    shader.inputs["Roughness"].default_value = rough
    shader.inputs["Base Color"].default_value = (*colour, 1)
    return new_material, shader


def paper(path: Path, coat: float) -> Any:
    """Return printed paper; `coat` is the share of a glossy film over it."""
    new_material, shader = material(path.name, 0.55)
    nodes, links = new_material.node_tree.nodes, new_material.node_tree.links
    image = nodes.new("ShaderNodeTexImage")
    image.image = bpy.data.images.load(str(path), check_existing=True)
    image.interpolation = "Cubic"
    links.new(image.outputs["Color"], shader.inputs["Base Color"])
    shader.inputs["Coat Weight"].default_value = coat
    shader.inputs["Coat Roughness"].default_value = 0.08
    return new_material


def place(thing: Any, x: float, y: float, z: float = 0.0, turn: float = 0.0) -> None:
    """Set an object down, turned clockwise as seen from above."""
    thing.location = (x * MM, -y * MM, z * MM)
    thing.rotation_euler = (0, 0, -math.radians(turn))


def card(tile: dict[str, Any], printed: Path, coat: float) -> None:
    """Lay a tile; its corners stand up by `curl` mm, `bend` mm is the height of its middle."""
    side, step = tile["side"], CARD_STEPS
    points, corners, faces = [], [], []
    for row in range(step + 1):
        for column in range(step + 1):
            u, v = column / step, row / step
            out = max(abs(u - 0.5), abs(v - 0.5)) * 2
            lift = tile["curl"] * out**3 * abs(2 * u - 1) * abs(2 * v - 1)
            lift += tile["bend"] * (1 - (2 * u - 1) ** 2)
            points.append(((u - 0.5) * side * MM, (v - 0.5) * side * MM, lift * MM))
            corners.append((u, v))
    for row in range(step):
        for column in range(step):
            first = row * (step + 1) + column
            faces.append((first, first + 1, first + step + 2, first + step + 1))
    mesh = bpy.data.meshes.new("card")
    mesh.from_pydata(points, [], faces)
    layer = mesh.uv_layers.new()
    for polygon in mesh.polygons:
        polygon.use_smooth = True
        for loop in polygon.loop_indices:
            layer.data[loop].uv = corners[mesh.loops[loop].vertex_index]
    laid = bpy.data.objects.new(tile["name"], mesh)
    bpy.context.scene.collection.objects.link(laid)
    mesh.materials.append(paper(printed / f"{tile['print']}.png", coat))
    solid = laid.modifiers.new("thickness", "SOLIDIFY")
    solid.thickness, solid.offset = CARD_THICKNESS * MM, -1
    place(laid, tile["x"], tile["y"], CARD_THICKNESS, tile["turn"])


def cylinder(radius: float, low: float, high: float, x: float, y: float, look: Any) -> Any:
    """Add an upright cylinder; return it."""
    bpy.ops.mesh.primitive_cylinder_add(
        radius=radius * MM, depth=(high - low) * MM, vertices=48, end_fill_type="NGON"
    )
    body = bpy.context.object
    place(body, x, y, (low + high) / 2)
    body.data.materials.append(look)
    return body


def stand_pawn(pawn: dict[str, Any], printed: Path) -> None:
    """Set down a pawn of wood with its printed cap."""
    wood, _ = material("pawn", 0.4, tuple(pawn["colour"]))
    x, y = pawn["x"], pawn["y"]
    cylinder(10, 0, 12, x, y, wood)
    cylinder(7, 12, PAWN_HEIGHT - 0.3, x, y, wood)
    disc(pawn, printed, CAP_RADIUS, PAWN_HEIGHT)


def disc(thing: dict[str, Any], printed: Path, radius: float, height: float) -> None:
    """Lay a printed disc."""
    bpy.ops.mesh.primitive_circle_add(radius=radius * MM, vertices=48, fill_type="NGON")
    body = bpy.context.object
    body.name = thing["name"]
    layer = body.data.uv_layers.new()
    for loop in body.data.loops:
        at = body.data.vertices[loop.vertex_index].co
        scale = 2 * radius * MM
        layer.data[loop.index].uv = (at.x / scale + 0.5, at.y / scale + 0.5)
    body.data.materials.append(paper(printed / f"{thing['print']}.png", 0.0))
    place(body, thing["x"], thing["y"], height, thing["turn"])


def table(kind: str) -> None:
    """Lay a table's top: polished wood, a tablecloth or a dark mat."""
    bpy.ops.mesh.primitive_plane_add(size=TABLE_SIDE * MM)
    surface, shader = material(kind, {"wood": 0.25, "cloth": 0.9, "mat": 0.7}[kind])
    bpy.context.object.data.materials.append(surface)
    nodes, links = surface.node_tree.nodes, surface.node_tree.links
    pattern = nodes.new("ShaderNodeTexWave" if kind == "wood" else "ShaderNodeTexChecker")
    pattern.inputs["Scale"].default_value = 6 if kind == "wood" else 24
    colours = {
        "wood": ((0.16, 0.07, 0.03), (0.34, 0.17, 0.08)),
        "cloth": ((0.7, 0.68, 0.62), (0.42, 0.1, 0.09)),
        "mat": ((0.03, 0.05, 0.04), (0.035, 0.055, 0.045)),
    }[kind]
    ramp = nodes.new("ShaderNodeValToRGB")
    for element, colour in zip(ramp.color_ramp.elements, colours, strict=True):
        element.color = (*colour, 1)
    coordinates = nodes.new("ShaderNodeTexCoord")
    links.new(coordinates.outputs["Object"], pattern.inputs["Vector"])
    if kind == "wood":
        pattern.inputs["Distortion"].default_value = 9
        pattern.inputs["Detail"].default_value = 4
    links.new(pattern.outputs[-1], ramp.inputs["Fac"])
    links.new(ramp.outputs["Color"], shader.inputs["Base Color"])


def limb(points: list[tuple[float, ...]], look: Any) -> None:
    """Add a rounded tube through points (x, y, z and radius, in mm)."""
    curve = bpy.data.curves.new("limb", "CURVE")
    curve.dimensions, curve.bevel_depth, curve.use_fill_caps = "3D", 1.0, True
    curve.bevel_resolution = 4
    spline = curve.splines.new("POLY")
    spline.points.add(len(points) - 1)
    for point, (x, y, z, radius) in zip(spline.points, points, strict=True):
        point.co, point.radius = (x * MM, -y * MM, z * MM, 1), radius * MM
    curve.materials.append(look)
    body = bpy.data.objects.new("limb", curve)
    bpy.context.scene.collection.objects.link(body)
    for x, y, z, radius in (points[0], points[-1]):
        bpy.ops.mesh.primitive_uv_sphere_add(radius=radius * MM, segments=16, ring_count=8)
        place(bpy.context.object, x, y, z)
        bpy.context.object.data.materials.append(look)


def hand(thing: dict[str, Any]) -> None:
    """Reach over the table with a hand: an arm, a palm and four fingers, rolled by `roll`."""
    skin, shader = material("skin", 0.5, tuple(thing["colour"]))
    shader.inputs["Subsurface Weight"].default_value = 0.1
    sleeve, _ = material("sleeve", 0.9, (0.05, 0.07, 0.16))
    x, y, height = thing["x"], thing["y"], thing["z"]
    angle, roll = math.radians(thing["turn"]), math.radians(thing["roll"])

    def at(along: float, aside: float, up: float, radius: float) -> tuple[float, ...]:
        aside, up = aside * math.cos(roll), up + aside * math.sin(roll)
        return (
            x + along * math.sin(angle) + aside * math.cos(angle),
            y + along * math.cos(angle) - aside * math.sin(angle),
            max(radius, height + up),
            radius,
        )

    for aside, length in ((-27, 60), (-9, 74), (9, 70), (27, 52)):
        limb([at(70 - length, aside, -12, 7), at(62, aside * 0.9, 6, 9)], skin)
    limb([at(80, -40, 0, 9), at(45, -58, -8, 8)], skin)
    for aside in (-24, -8, 8, 24):
        limb([at(62, aside, 6, 12), at(130, aside * 0.6, 12, 15)], skin)
    limb([at(120, 0, 12, 28), at(170, 0, 20, 28)], skin)
    limb([at(165, 0, 20, 38), at(700, 0, 90, 48)], sleeve)


def arm(thing: dict[str, Any]) -> None:
    """Lay a sleeve over a part of the table."""
    cloth, _ = material("sleeve", 0.95, tuple(thing["colour"]))
    angle = math.radians(thing["turn"])
    far = (thing["x"] + 700 * math.sin(angle), thing["y"] + 700 * math.cos(angle))
    limb([(thing["x"], thing["y"], 45, 38), (*far, 90, 55)], cloth)


def die(thing: dict[str, Any]) -> None:
    """Put down a die of 16 mm."""
    bpy.ops.mesh.primitive_cube_add(size=16 * MM)
    body = bpy.context.object
    body.data.materials.append(material("die", 0.3, (0.9, 0.9, 0.88))[0])
    place(body, thing["x"], thing["y"], 8, thing["turn"])


def cup(thing: dict[str, Any]) -> None:
    """Put down a cup of 80 mm."""
    look, _ = material("cup", 0.15, tuple(thing["colour"]))
    cylinder(40, 0, 95, thing["x"], thing["y"], look)


def sheet(thing: dict[str, Any]) -> None:
    """Lay a sheet of paper over a part of the field."""
    bpy.ops.mesh.primitive_plane_add(size=110 * MM)
    body = bpy.context.object
    body.data.materials.append(material("sheet", 0.6, (0.85, 0.85, 0.83))[0])
    place(body, thing["x"], thing["y"], 2, thing["turn"])


SHAPES = {"hand": hand, "sleeve": arm, "die": die, "cup": cup, "sheet": sheet}


def light(scene_object: Any, kind: str) -> None:
    """Light the room."""
    for (x, y, z), side, power, colour in LIGHTS[kind]:
        lamp = bpy.data.lights.new("lamp", "AREA")
        lamp.energy, lamp.size, lamp.color = power, side * MM, colour
        held = bpy.data.objects.new("lamp", lamp)
        scene_object.collection.objects.link(held)
        held.location = Vector((x * MM, -y * MM, z * MM))
        held.rotation_euler = (-held.location).to_track_quat("-Z", "Y").to_euler()
    world = bpy.data.worlds.new("room")
    scene_object.world = world
    world.use_nodes = True
    level = AMBIENT[kind]
    world.node_tree.nodes["Background"].inputs[0].default_value = (level, level, level, 1)


def camera(scene_object: Any, held: dict[str, Any]) -> None:
    """Hold the camera: the lens of a phone, with its true aperture."""
    lens = bpy.data.cameras.new("camera")
    lens.sensor_width, lens.lens = held["sensor"], held["focal"]
    lens.dof.use_dof, lens.dof.aperture_fstop = True, held["fstop"]
    eye = bpy.data.objects.new("camera", lens)
    scene_object.collection.objects.link(eye)
    scene_object.camera = eye
    tilt, azimuth = math.radians(held["tilt"]), math.radians(held["azimuth"])
    target = Vector((held["x"] * MM, -held["y"] * MM, 0))
    distance = held["distance"] * MM
    eye.location = target + distance * Vector(
        (
            -math.sin(tilt) * math.sin(azimuth),
            -math.sin(tilt) * math.cos(azimuth),
            math.cos(tilt),
        )
    )
    look = target - eye.location
    # Straight down there is no up in the view's direction: take the table's north.
    eye.rotation_euler = (math.radians(held["tilt"]), 0, -azimuth)
    eye.rotation_euler.rotate_axis("Z", math.radians(held["roll"]))
    lens.dof.focus_distance = look.length * held["focus"]


if __name__ == "__main__":
    main()
