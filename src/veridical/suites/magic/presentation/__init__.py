"""How MagiC shows what came out."""

from veridical.suite.parts import PresentationPart, gallery_at
from veridical.suites.magic.analysis.verdict import NAMED_FROM
from veridical.suites.magic.analysis.verdict import TERMS as VERDICTS
from veridical.suites.magic.presentation.demonstration import demonstration
from veridical.suites.magic.presentation.facts import SCORES, answer, facts, mentioned_boxes, passages, regions
from veridical.suites.magic.presentation.figures import figures
from veridical.suites.magic.presentation.opening import opening
from veridical.suites.magic.presentation.paper_tables import published_tables
from veridical.suites.magic.presentation.tables import tables

PRESENTATION = PresentationPart(
    variants={"drawn": "our scene", "photo": "picture of others"},
    names={
        "room": "room",
        "table": "table top",
        "photo": "photo",
        "category": "question type",
        "template": "form of the question",
        "offered": "answers offered",
        "box_count": "boxes",
        "relevant_count": "relevant boxes",
        "chain_by": "chain by",
        "portion": "portion of the release",
        "taken_from": "taken from",
        "shots": "examples",
        "prefix": "kind of prefix",
        "injection": "prefix stands in",
        "correcting": "request to correct",
        "right_steps": "right steps",
        "checkable": "checkable steps",
        "f1": "F1",
        "beyond": "boxes beyond",
        "states": "states what is right",
        "heals": "names and corrects it",
        "denies": "calls what is right wrong",
    },
    named_from=NAMED_FROM,
    terms={
        "relevant": "Of a box: it shows what the answer rests on.",
        "adversarial": "Of a box: it shows another thing, in most cases one that another question is about.",
        "macro": "A mean over questions, each at the same weight.",
        "micro": "From the counts of all questions, summed.",
        "rationale": "The steps of reasoning before a final answer.",
        "prefix": "The beginning of a reasoning that is put into the model's mouth, to be continued.",
        "wrong stretch": "Wrong steps of a chain that follow each other; a prefix ends with one.",
        "prefill": "The prefix stands at the beginning of the model's own turn; quoted: in the user's.",
        "listing": "A prefix that goes through every box, and states nothing false.",
        "silent": "Of a reply: it mentions no box.",
        **VERDICTS,
    },
    opening=opening,
    tables=tables,
    figures=figures,
    facts=facts,
    regions=regions,
    mentioned=mentioned_boxes,
    passages=passages,
    answer=answer,
    scores=SCORES,
    published=published_tables,
    gallery=gallery_at("veridical.suites.magic.presentation.gallery.gallery:write_gallery"),
    demonstration=demonstration,
)
