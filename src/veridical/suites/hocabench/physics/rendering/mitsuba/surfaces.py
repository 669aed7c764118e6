"""Materials as surfaces that scatter light: wood and rubber, brushed metal, glass and water."""

from __future__ import annotations

from typing import Any

from veridical.media.draw.colour import to_linear
from veridical.suites.hocabench.physics.rendering.grains import grain_pixels
from veridical.suites.hocabench.physics.rendering.mitsuba.library import mitsuba_package
from veridical.suites.hocabench.physics.rendering.mjcf import WATER_LOOK
from veridical.suites.hocabench.physics.rendering.stage import Material

_CLEAR = 0.5
"""Below which opacity a material is clear, as glass is; above it, it is a tinted solid."""
_GLASS, _WATER, _TINT = 1.5, 1.33, 0.75
"""The indices of refraction of glass and water, and how much of a tint light takes on where it goes in or out."""
WATER_TOP = Material("plain", (255, 255, 255), opacity=0.0)
"""The surface of water in the air, which reflects; its sides, behind glass, do not."""


def is_clear(material: Material) -> bool:
    """Whether one sees through a material as through glass."""
    return material.opacity < _CLEAR


def surface(material: Material, seed: int) -> dict[str, Any]:
    """How a material scatters light, as a description for Mitsuba.

    What is clear reflects as a thin pane does, and tints light that goes straight on: what is behind it is seen where
    it is, so boxes and masks hold for it. Water is cloudy, else an empty tank would look like a full one.
    """
    if is_clear(material) and material != WATER_LOOK:
        through = [float(1 - _TINT * material.opacity * (1 - light)) for light in to_linear(material.color)]
        tint = {"type": "rgb", "value": through}
        index = _WATER if material == WATER_TOP else _GLASS
        return {"type": "thindielectric", "int_ior": index, "ext_ior": 1.0, "specular_transmittance": tint}
    solid = _solid(material, seed)
    return solid if material.opacity >= 1 else {"type": "mask", "opacity": material.opacity, "solid": solid}


def _solid(material: Material, seed: int) -> dict[str, Any]:
    metal = material.grain == "metal"
    grain = mitsuba_package().Bitmap(grain_pixels(material, seed))
    return {
        "type": "twosided",
        "own": {
            "type": "principled",
            "base_color": {"type": "bitmap", "bitmap": grain, "wrap_mode": "repeat"},
            "roughness": 0.35 if metal else 0.85 - 0.6 * material.gloss,
            "metallic": 0.4 if metal else 0.0,
            "specular": 0.5,
        },
    }
