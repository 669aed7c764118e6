"""How VI-Probe shows what came out."""

from veridical.suite.parts import PresentationPart, gallery_at
from veridical.suites.viprobe.presentation.demonstration import demonstration
from veridical.suites.viprobe.presentation.figures import figures
from veridical.suites.viprobe.presentation.opening import opening
from veridical.suites.viprobe.presentation.paper_tables import published_tables
from veridical.suites.viprobe.presentation.tables import tables
from veridical.suites.viprobe.presentation.terms import ANSWERS, NAMES, TERMS, facts
from veridical.suites.viprobe.verdicts.names import NAMED_FROM

PRESENTATION = PresentationPart(
    variants={
        "O": "original",
        "P": "perturbed",
        "OC": "original, control",
        "PC": "perturbed, control",
        "OS": "original, clutter",
        "PS": "perturbed, clutter",
        "OH": "original, hint",
        "PH": "perturbed, hint",
        "I": "inducers alone",
    },
    names=NAMES,
    answers=ANSWERS,
    named_from=NAMED_FROM,
    terms=TERMS,
    opening=opening,
    tables=tables,
    figures=figures,
    facts=facts,
    gallery=gallery_at("veridical.suites.viprobe.presentation.gallery.gallery:write_gallery"),
    published=published_tables,
    demonstration=demonstration,
)
