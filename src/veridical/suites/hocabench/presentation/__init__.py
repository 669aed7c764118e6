"""The presentation part of HOCA-Bench."""

from veridical.suite.parts import PresentationPart
from veridical.suites.hocabench.presentation.gallery.gallery import write_gallery

PRESENTATION = PresentationPart(
    variants={
        "violating": "violating",
        "plausible": "plausible",
        "explained": "explained",
        "panels": "several at a time",
        "sequence": "one after the other",
    },
    names={
        "permanence": "object permanence",
        "bio_behavior": "bio-behavior",
        "mass_volume": "mass and volume",
        "material_appearance": "material appearance",
    },
    gallery=write_gallery,
)
