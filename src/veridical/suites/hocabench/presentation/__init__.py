"""How HOCA-Bench shows what came out."""

from veridical.suite.parts import PresentationPart, gallery_at
from veridical.suites.hocabench.analysis.verdict import NAMED_FROM, TERMS
from veridical.suites.hocabench.presentation.demonstration import demonstration
from veridical.suites.hocabench.presentation.facts import facts
from veridical.suites.hocabench.presentation.figures import figures
from veridical.suites.hocabench.presentation.opening import opening
from veridical.suites.hocabench.presentation.paper_tables import published_tables
from veridical.suites.hocabench.presentation.tables import tables
from veridical.suites.hocabench.taxonomy import DOMAINS, LAYERS, SUB_TYPES

PRESENTATION = PresentationPart(
    variants={
        "violating": "something cannot be",
        "plausible": "its control",
        "explained": "its control, odd with a cause",
        "panels": "several at a time",
        "sequence": "one after the other",
    },
    names={
        **{domain.name: domain.title.lower() for domain in DOMAINS.values()},
        **{each.name: each.title.lower() for each in SUB_TYPES.values()},
        "category": "domain",
        "sub_type": "sub-type",
        "event": "event at second",
        "anomalies": "number of anomalies",
        "taken_from": "taken from",
        "source_model": "source model",
        "scene_type": "type of scene",
        "drawing": "style",
        "attribution_rule": "rule of attribution",
        "sight": "clip",
        "video": "clip shown as",
        "until": "shown up to",
        "set": "set of sub-types",
        "grounding": "intervals asked of",
    },
    answers={each.name: each.title for each in DOMAINS.values()},
    named_from=NAMED_FROM,
    terms={
        "ontological": f"A layer of anomalies: {LAYERS['ontological']}.",
        "causal": f"A layer of anomalies: {LAYERS['causal']}.",
        "domain": "One of nine kinds of anomalies, three ontological and six causal; Task II asks for it.",
        "sub-type": "One of the eighteen kinds of anomalies that the domains are made of.",
        "violating": "A clip in which something happens that cannot be.",
        "plausible": "A clip in which nothing does: of ours, the same simulation as a violating one up to the event.",
        "explained": "A clip with the odd event, and with a cause that is seen: it is plausible.",
        "IoU": "Intersection over union: the seconds that two answers share, divided by those that either has.",
        "prefix": "A clip that is shown up to some moment: before its event, up to it, or somewhat after it.",
        "instruct, thinking": "The mode of a model, as models.toml states it: it replies at once, or thinks first.",
        **TERMS,
    },
    opening=opening,
    tables=tables,
    figures=figures,
    facts=facts,
    published=published_tables,
    gallery=gallery_at("veridical.suites.hocabench.presentation.gallery.gallery:write_gallery"),
    demonstration=demonstration,
)
