"""How VIA-Bench shows what came out."""

from veridical.suite.parts import PresentationPart, gallery_at
from veridical.suites.viabench.options import CATEGORIES, CODES
from veridical.suites.viabench.presentation import findings
from veridical.suites.viabench.presentation.demonstration import demonstration
from veridical.suites.viabench.presentation.facts import facts, passages
from veridical.suites.viabench.presentation.figures import figures
from veridical.suites.viabench.presentation.findings import NAMED_FROM
from veridical.suites.viabench.presentation.opening import opening
from veridical.suites.viabench.presentation.paper_tables import published_tables
from veridical.suites.viabench.presentation.tables import tables
from veridical.suites.viabench.puzzles import PUZZLES
from veridical.suites.viabench.releases.rows import TITLES

PRESENTATION = PresentationPart(
    variants={"unusual": "illusion or anomaly", "ordinary": "ordinary counterpart"},
    names={
        **{name: puzzle.title for name, puzzle in PUZZLES.items()},
        **TITLES,
        **{name: f"{title} ({CODES[name]})" for name, title in CATEGORIES.items()},
        "cot": "system turn",
        "sight": "pictures",
        "answer_form": "form of the answer",
        "zero-shot": "asks for steps",
        "manual": "asks for five named steps",
        "capability": "what is asked for",
        "live_options": "options that can be right",
        "mark": "mark of reasoning",
        "name_written": "name below the picture",
    },
    named_from=NAMED_FROM,
    terms={
        "usual answer": "The answer that common sense or the illusion suggests, whatever the picture shows.",
        "Match": "The option's letter, read from a reply by rules.",
        "Judge": "Another model, or a rule, that sees question, options, true option and reply, and says who is right.",
        "blind": "Asked without the pictures.",
        **findings.TERMS,
    },
    opening=opening,
    tables=tables,
    figures=figures,
    facts=facts,
    published=published_tables,
    gallery=gallery_at("veridical.suites.viabench.presentation.gallery.gallery:write_gallery"),
    demonstration=demonstration,
    passages=passages,
)
