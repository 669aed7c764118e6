"""The taxonomy of physical anomalies: two layers, nine domains, eighteen sub-types.

The paper's captions speak of fifteen sub-types; its definitions (section 3.2 and B.7.3) list eighteen, which are these.
Names, definitions and laws are one text for models, people and judges.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from veridical.errors import unknown

Layer = Literal["ontological", "causal"]
LAYERS: dict[Layer, str] = {
    "ontological": "a thing breaks with what it is: its own properties, its persistence, or what a living body can do",
    "causal": "things interact, and the outcome breaks a law of nature",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Domain:
    """One of the nine domains: its name, title, layer and definition."""

    name: str
    title: str
    layer: Layer
    definition: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SubType:
    """A kind of anomaly. `law` is what it breaks, `law_names` are common names of it, any of which names it.

    `aliases` are names of the sub-type in releases, in lower case.
    """

    name: str
    title: str
    domain: str
    definition: str
    law: str
    law_names: tuple[str, ...]
    aliases: tuple[str, ...] = ()

    @property
    def layer(self) -> Layer:
        """The layer of its domain."""
        return DOMAINS[self.domain].layer


def _domains(*domains: Domain) -> dict[str, Domain]:
    return {domain.name: domain for domain in domains}


DOMAINS: dict[str, Domain] = _domains(
    Domain(
        name="property",
        title="Property",
        layer="ontological",
        definition="A thing has a shape, a size or a surface that such a thing cannot have.",
    ),
    Domain(
        name="state",
        title="State",
        layer="ontological",
        definition="A thing appears, vanishes, or changes its form or looks, and nothing acts on it.",
    ),
    Domain(
        name="bio_behavior",
        title="Bio-behavior",
        layer="ontological",
        definition="A living being does what its body or its kind cannot do.",
    ),
    Domain(
        name="mechanics",
        title="Mechanics",
        layer="causal",
        definition="Motion, weight, contact or resistance do not follow the laws of forces.",
    ),
    Domain(
        name="material",
        title="Material and rigidity",
        layer="causal",
        definition="A solid or a liquid gives way, holds or flows as its material does not.",
    ),
    Domain(
        name="mass_volume",
        title="Mass and volume",
        layer="causal",
        definition="Matter grows or shrinks in amount while it is moved, cut or poured.",
    ),
    Domain(
        name="thermodynamics",
        title="Thermodynamics",
        layer="causal",
        definition="Heat or cold does not change a thing as it must, or a thing changes without them.",
    ),
    Domain(
        name="chemistry",
        title="Chemistry",
        layer="causal",
        definition="Burning or another reaction does not take place, or leaves what it cannot leave.",
    ),
    Domain(
        name="optics",
        title="Optics",
        layer="causal",
        definition="Light, shadows, reflections or images in lenses do not agree with their sources.",
    ),
)
SHORT_DOMAINS: dict[str, str] = {
    "mechanics": "Mechanics",
    "rigidity": "Rigidity",
    "mass_consistency": "Mass Consistency",
    "bio_behavior": "Bio-Behavior",
    "optics": "Optics",
    "thermodynamics": "Thermodynamics",
    "chemistry": "Chemistry",
    "shape_size": "Shape/Size",
    "object_permanence": "Object Permanence",
}
"""The paper's other list of nine (B.6), without definitions."""


def _sub_types(*sub_types: SubType) -> dict[str, SubType]:
    return {sub_type.name: sub_type for sub_type in sub_types}


SUB_TYPES: dict[str, SubType] = _sub_types(
    SubType(
        name="shape",
        title="Shape",
        domain="property",
        definition="A thing has a form that no solid thing can have.",
        law="a solid body has one consistent form",
        law_names=("geometry", "geometric", "solid form", "impossible shape", "impossible object", "three-dimensional"),
        aliases=("shape anomaly",),
    ),
    SubType(
        name="size",
        title="Size",
        domain="property",
        definition="A thing has a size that such a thing cannot have.",
        law="a thing keeps the scale of its kind",
        law_names=("scale", "size", "proportion", "dimensions"),
        aliases=("size anomaly",),
    ),
    SubType(
        name="material_appearance",
        title="Material appearance",
        domain="property",
        definition="A surface looks as its material cannot look.",
        law="a material looks as it is made",
        law_names=("opaque", "opacity", "transparen", "material", "surface"),
        aliases=("visual material anomaly", "material appearance", "material appearance anomaly"),
    ),
    SubType(
        name="permanence",
        title="Object permanence",
        domain="state",
        definition="A whole thing comes into being or ceases to be, and nothing does it.",
        law="things persist",
        law_names=(
            "permanence",
            "persist",
            "constancy",
            "conservation of matter",
            "keep existing",
            "continue to exist",
        ),
        aliases=("object permanence anomaly", "object permanence"),
    ),
    SubType(
        name="morphing",
        title="Spontaneous morphing",
        domain="state",
        definition="A thing takes on another form, and nothing acts on it.",
        law="a solid keeps its form unless something acts on it",
        law_names=("identity", "keep its form", "keep its shape", "shape constancy", "stable shape", "constancy"),
        aliases=("spontaneous morphing anomaly", "morphing", "morphing anomaly"),
    ),
    SubType(
        name="mutation",
        title="Attribute mutation",
        domain="state",
        definition="A color, a pattern or a mark of a thing changes, and nothing acts on it.",
        law="a thing keeps its color and marks unless something changes them",
        law_names=("color constancy", "constancy", "keep its color", "consistent", "consistency", "attribute"),
        aliases=("attribute mutation anomaly", "attribute mutation"),
    ),
    SubType(
        name="bio_behavior",
        title="Bio-behavior",
        domain="bio_behavior",
        definition="A living being does what its body or its kind cannot do.",
        law="joints and muscles have limits",
        law_names=("anatomy", "anatomical", "biolog", "joint", "muscle", "bone", "strength"),
        aliases=("bio-behavior anomaly", "bio behavior anomaly", "bio-behaviour anomaly", "bio-behavior"),
    ),
    SubType(
        name="gravity",
        title="Gravity",
        domain="mechanics",
        definition="A thing that nothing holds does not fall, or falls another way than down.",
        law="what is not held falls down",
        law_names=("gravity", "gravitation", "weight", "free fall"),
        aliases=("gravity anomaly",),
    ),
    SubType(
        name="buoyancy",
        title="Buoyancy",
        domain="mechanics",
        definition="What is denser than the liquid floats, or what is lighter sinks.",
        law="a body floats only if it is less dense than the liquid (Archimedes' principle)",
        law_names=("buoyan", "archimedes", "densit", "denser", "float"),
        aliases=("buoyancy anomaly",),
    ),
    SubType(
        name="friction",
        title="Friction",
        domain="mechanics",
        definition="A surface resists sliding too little or too much.",
        law="a surface resists sliding, by its roughness and the slope",
        law_names=("friction", "traction", "resistance", "grip"),
        aliases=("friction anomaly",),
    ),
    SubType(
        name="collision",
        title="Collision",
        domain="mechanics",
        definition="Solids pass through each other, or a push is not passed on.",
        law="solids cannot pass through each other, and momentum is passed on",
        law_names=("collision", "momentum", "impenetrab", "solid", "contact", "pass through"),
        aliases=("collision anomaly",),
    ),
    SubType(
        name="inertia",
        title="Inertia",
        domain="mechanics",
        definition="A motion starts, stops or turns without a force.",
        law="a motion goes on unless a force changes it (Newton's first law)",
        law_names=("inertia", "newton's first", "first law of motion", "without a force", "no force", "momentum"),
        aliases=("inertia anomaly",),
    ),
    SubType(
        name="rigidity",
        title="Rigidity",
        domain="material",
        definition="A solid bends or stretches as it cannot, or a soft thing does not give way.",
        law="a rigid solid keeps its form under load",
        law_names=("rigid", "stiff", "elastic", "strength", "deform"),
        aliases=("rigidity anomaly", "rigidity/strength anomaly", "rigidity/strength"),
    ),
    SubType(
        name="fluidity",
        title="Fluidity",
        domain="material",
        definition="A liquid does not flow, spread or level out.",
        law="a liquid flows and finds its level",
        law_names=("fluid", "flow", "level", "viscosity", "surface tension", "liquid"),
        aliases=("fluidity anomaly",),
    ),
    SubType(
        name="mass_volume",
        title="Mass and volume",
        domain="mass_volume",
        definition="The amount of matter changes while it is moved, cut or poured.",
        law="the amount of matter is conserved",
        law_names=(
            "conservation of mass",
            "mass conservation",
            "conservation of volume",
            "volume",
            "conserv",
            "amount",
        ),
        aliases=(
            "mass & volume consistency anomaly",
            "mass and volume consistency anomaly",
            "mass & volume consistency",
            "mass & volume",
        ),
    ),
    SubType(
        name="thermodynamics",
        title="Thermodynamics",
        domain="thermodynamics",
        definition="Heat or cold does not melt, boil, freeze or warm as it must, or a thing does so without them.",
        law="heat flows from hot to cold and changes the state of matter",
        law_names=("thermodynamic", "heat", "temperature", "melt", "phase change", "boil"),
        aliases=("thermodynamic anomaly", "thermodynamics anomaly", "thermodynamics"),
    ),
    SubType(
        name="chemistry",
        title="Chemistry",
        domain="chemistry",
        definition="A reaction such as burning does not take place, or leaves what it cannot leave.",
        law="what burns is used up and leaves ash",
        law_names=("combust", "burn", "chemi", "oxid", "reaction", "ash"),
        aliases=("chemical anomaly", "chemistry anomaly", "chemistry"),
    ),
    SubType(
        name="optics",
        title="Optics",
        domain="optics",
        definition="A shadow, a reflection or a refracted image does not agree with the thing and the light.",
        law="light travels straight and is reflected at equal angles",
        law_names=("optic", "reflect", "mirror", "shadow", "light", "refract"),
        aliases=("optical anomaly", "optics anomaly", "optics"),
    ),
)


def sub_type(name: str) -> SubType:
    """The sub-type of that name; raises `InputError` for an unknown one."""
    if name not in SUB_TYPES:
        raise unknown("sub-type", name, SUB_TYPES)
    return SUB_TYPES[name]


def domain_sub_types(name: str) -> tuple[str, ...]:
    """The names of a domain's sub-types, in the order of the taxonomy.

    >>> domain_sub_types("material")
    ('rigidity', 'fluidity')
    """
    return tuple(each.name for each in SUB_TYPES.values() if each.domain == name)
