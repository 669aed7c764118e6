"""How MagiC shows what came out."""

from veridical.suite.parts import PresentationPart
from veridical.suites.magic.presentation.demonstration import demonstration
from veridical.suites.magic.presentation.facts import SCORES, answer, facts, mentioned, passages, regions
from veridical.suites.magic.presentation.figures import figures
from veridical.suites.magic.presentation.gallery.gallery import write_gallery
from veridical.suites.magic.presentation.names import NAMES, TERMS
from veridical.suites.magic.presentation.opening import opening
from veridical.suites.magic.presentation.published import beside
from veridical.suites.magic.presentation.tables import tables

PRESENTATION = PresentationPart(
    variants={"drawn": "our scene", "photo": "picture of others"},
    names=NAMES,
    terms=TERMS,
    opening=opening,
    tables=tables,
    figures=figures,
    facts=facts,
    regions=regions,
    mentioned=mentioned,
    passages=passages,
    answer=answer,
    scores=SCORES,
    published=beside,
    gallery=write_gallery,
    demonstration=demonstration,
)
