"""Names of layers, domains and sub-types as releases and models write them."""

from __future__ import annotations

import re

from veridical.suites.hocabench.taxonomy import DOMAINS, SUB_TYPES, Layer

_LAYERS: dict[str, Layer] = {
    "ontological": "ontological",
    "existence": "ontological",
    "being": "ontological",
    "causal": "causal",
    "essence": "causal",
}
_FILLING = re.compile(r"(?: (?:anomaly|anomalies|violations?))+$")
_OTHER_DOMAINS = {
    "mechanical": "mechanics",
    "physical material": "material",
    "material": "material",
    "rigidity": "material",
    "mass and volume consistency": "mass_volume",
    "mass consistency": "mass_volume",
    "thermodynamic": "thermodynamics",
    "thermal": "thermodynamics",
    "chemical": "chemistry",
    "optical": "optics",
    "bio behaviour": "bio_behavior",
}
_NO_INTERACTION = re.compile(r"\b(?:spontaneous\w*|no interaction|not an? interaction|without (?:an? )?interaction)\b")


def _bare(text: str) -> str:
    words = re.sub(r"[\W_]+", " ", text.casefold().replace("&", " and ")).strip()
    return _FILLING.sub("", words)


_SUB_TYPES = {_bare(name): each.name for each in SUB_TYPES.values() for name in (each.name, each.title, *each.aliases)}
_DOMAINS = {_bare(name): each.name for each in DOMAINS.values() for name in (each.name, each.title)} | _OTHER_DOMAINS


def sub_type_named(text: str) -> str | None:
    """The sub-type that a text names, in any case and with or without "anomaly"; `None` for another text.

    >>> sub_type_named("Visual Material Anomaly"), sub_type_named("GRAVITY"), sub_type_named("magic")
    ('material_appearance', 'gravity', None)
    """
    return _SUB_TYPES.get(_bare(text))


def domain_named(text: str) -> str | None:
    """The domain that a text names; `None` for another text.

    >>> domain_named("Mass & Volume Consistency Anomaly"), domain_named("Mechanical Anomaly"), domain_named("art")
    ('mass_volume', 'mechanics', None)
    """
    return _DOMAINS.get(_bare(text))


def layer_named(text: str) -> Layer | None:
    """The layer that a text names; `None` for another text.

    >>> layer_named("Causal Anomaly"), layer_named("Ontological"), layer_named("odd")
    ('causal', 'ontological', None)
    """
    return _LAYERS.get(_bare(text))


def interaction_named(text: str) -> bool | None:
    """Whether a text says that things interact; `None` where it says neither.

    >>> interaction_named("This is an interaction process."), interaction_named("This is a spontaneous process.")
    (True, False)
    >>> interaction_named("It is a fine day.") is None
    True
    """
    words = " ".join(text.casefold().split())
    if _NO_INTERACTION.search(words) or words.strip(" .") in ("no", "false"):
        return False
    return True if "interaction" in words or words.strip(" .") in ("yes", "true") else None
