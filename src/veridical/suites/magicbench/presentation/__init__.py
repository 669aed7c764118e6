"""How MagicBench shows what it draws."""

from veridical.suite.parts import PresentationPart
from veridical.suites.magicbench.presentation.gallery.gallery import write_gallery

PRESENTATION = PresentationPart(
    variants={
        "trick": "a trick",
        "honest": "its honest control",
        "real": "a real clip",
    },
    names={
        "linguistic_type": "type of its own words",
        "window_length": "critical window in seconds",
        "peek": "how much of the tell shows",
        "decoy": "speed of the decoy",
        "phrasing": "wording",
        "taken_from": "taken from",
        "hush": "silence",
        "video": "clip shown as",
        "double_lift": "double lift",
        "band": "jumping rubber band",
        "cups": "cups and balls",
        "coin": "false transfer of a coin",
        "rope": "cut and restored rope",
    },
    terms={
        "patter": "What a magician says over a trick.",
        "tell": "What can be seen of a trick's secret.",
        "critical window": "The time of the secret move, together with the frames in which the tell shows.",
        "honest control": "The same performance, the same pixels until the secret move, and nothing secret.",
    },
    gallery=write_gallery,
)
