"""A stage as the physics engine's own document: to be simulated, or to be drawn in any state of a log."""

from __future__ import annotations

import math
from collections.abc import Iterable
from xml.etree.ElementTree import Element, SubElement, tostring

from veridical.media.draw import encode_png
from veridical.suites.hocabench.physics.rendering.grains import grain_pixels
from veridical.suites.hocabench.physics.rendering.stage import BodyPart, Material, SceneStage, SolidBody

STEP = 0.001
"""How long a step of the simulation is, in seconds."""
_STIFFNESS = 400.0
"""How stiff contacts are, as their own frequency in rad/s: a body that comes at 1 m/s goes in by 2.5 mm."""
WATER = "water"


def stage_xml(stage: SceneStage, *, passes: int | None = None) -> tuple[str, dict[str, bytes]]:
    """The document and its pictures by name: to be drawn in pictures of so many passes, or (default) to be simulated.

    Where it is drawn, nothing moves by itself: each moving body is put where a state says. A lens is not part of it.
    """
    root, drawn = Element("mujoco", model="stage"), passes is not None
    option = SubElement(root, "option", timestep=str(STEP), integrator="implicitfast", cone="elliptic", impratio="5")
    SubElement(option, "flag", energy="enable")
    if passes is not None:
        _visual(root, passes)
    assets: dict[str, bytes] = {}
    names = _materials(root, stage, assets) if drawn else {}
    world = SubElement(root, "worldbody")
    elements: dict[str, Element] = {}
    for body in stage.bodies:
        above = world if drawn or body.hinge is None else elements[body.hinge.parent]
        elements[body.name] = _body(above, body, names, drawn=drawn)
    if drawn:
        _surroundings(world, stage, names)
    else:
        _locks(root, stage)
    return tostring(root, encoding="unicode"), assets


def _numbers(values: Iterable[float]) -> str:
    return " ".join(f"{value:.9g}" for value in values)


def _body(above: Element, body: SolidBody, names: dict[Material, str], *, drawn: bool) -> Element:
    own = SubElement(above, "body", name=body.name, pos=_numbers(body.at), quat=_numbers(body.turn))
    if body.driven or (drawn and not body.fixed):
        own.set("mocap", "true")
    elif body.hinge is not None:
        hinge = body.hinge
        joint = SubElement(own, "joint", name=body.name, type="hinge", armature="0.0003", axis=_numbers(hinge.axis))
        joint.set("damping", str(hinge.damping))
    elif not body.fixed:
        SubElement(own, "freejoint", name=body.name)
    for part in body.parts:
        _geom(own, body, part, names)
    return own


def _geom(own: Element, body: SolidBody, part: BodyPart, names: dict[Material, str]) -> None:
    damping = -math.log(max(body.bounce, 0.01))
    share = damping / math.hypot(math.pi, damping)
    geom = SubElement(own, "geom", type=part.shape, size=_numbers(part.size), pos=_numbers(part.at))
    geom.set("quat", _numbers(part.turn))
    geom.set("density", str(body.density if part.solid else 0.0))
    geom.set("friction", _numbers((body.friction, 0.001, 0.0001)))
    geom.set("solref", _numbers((-(_STIFFNESS**2), -2 * share * _STIFFNESS)))
    geom.set("priority", "0" if body.fixed else "1")
    geom.set("solimp", "0.98 0.99 0.001")
    if not part.solid:
        geom.set("contype", "0")
        geom.set("conaffinity", "0")
    if names:
        geom.set("material", names[part.material])


def _locks(root: Element, stage: SceneStage) -> None:
    """Locks the joints of rods, whose pieces do not push what they are joined to."""
    locks, contact = SubElement(root, "equality"), SubElement(root, "contact")
    for body in stage.bodies:
        if body.hinge is not None:
            name = body.name
            SubElement(locks, "joint", name=name, joint1=name, solref="0.003 1", solimp="0.98 0.999 0.001")
            SubElement(contact, "exclude", body1=body.hinge.parent, body2=name)


def _visual(root: Element, passes: int) -> None:
    """How finely it is drawn: the mean of several passes smooths edges and shadows, and each of them costs less."""
    shadows, samples = (1024, 0) if passes > 1 else (2048, 4)
    visual = SubElement(root, "visual")
    SubElement(visual, "global", offwidth="2048", offheight="1152")
    quality = SubElement(visual, "quality", shadowsize=str(shadows), offsamples=str(samples))
    quality.set("numslices", "64")
    quality.set("numstacks", "48")
    SubElement(visual, "map", znear="0.02", zfar="30", shadowclip="1.2")
    SubElement(visual, "headlight", active="0")
    SubElement(root, "statistic", extent="1.5", center="0 0 0.2")


def _materials(root: Element, stage: SceneStage, assets: dict[str, bytes]) -> dict[Material, str]:
    asset = SubElement(root, "asset")
    every = [part.material for body in stage.bodies for part in body.parts]
    names: dict[Material, str] = {}
    for material in dict.fromkeys([*every, *([WATER_LOOK] if stage.water else [])]):
        name = names[material] = f"material{len(names)}"
        assets[f"{name}.png"] = encode_png(grain_pixels(material, stage.seed))
        kind = "2d" if material.flat else "cube"
        SubElement(asset, "texture", name=name, type=kind, file=f"{name}.png")
        look = SubElement(asset, "material", name=name, texture=name, shininess=f"{0.2 + 0.7 * material.gloss:.3g}")
        look.set("specular", f"{0.8 * material.gloss:.3g}")
        look.set("rgba", f"1 1 1 {material.opacity:.3g}")
        if material.flat:
            look.set("texrepeat", _numbers(material.repeat))
    return names


WATER_LOOK = Material("plain", (126, 180, 212), gloss=0.9, opacity=0.3)


def _surroundings(world: Element, stage: SceneStage, names: dict[Material, str]) -> None:
    """The lamps and, where there is water, its body."""
    for index, light in enumerate(stage.lights):
        level = _numbers([light.brightness] * 3)
        lamp = SubElement(world, "light", directional="true", castshadow="false" if index else "true")
        lamp.set("pos", _numbers(light.source))
        lamp.set("dir", _numbers([-each for each in light.source]))
        lamp.set("diffuse", level)
        lamp.set("specular", _numbers([0.4 * light.brightness] * 3))
        lamp.set("ambient", "0.36 0.36 0.37" if not index else "0 0 0")
    if (water := stage.water) is not None:
        (x0, y0), (x1, y1) = water.low, water.high
        half = (x1 - x0) / 2, (y1 - y0) / 2, (water.level - water.bottom) / 2
        own = SubElement(world, "body", name=WATER, mocap="true")
        own.set("pos", _numbers(((x0 + x1) / 2, (y0 + y1) / 2, water.bottom + half[2])))
        SubElement(
            own, "geom", type="box", size=_numbers(half), material=names[WATER_LOOK], contype="0", conaffinity="0"
        )
