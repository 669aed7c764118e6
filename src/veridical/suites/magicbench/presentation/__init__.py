"""How MagicBench shows what it draws, and what came out."""

from veridical.suite.parts import PresentationPart, gallery_at
from veridical.suites.magicbench.analysis.verdict import NAMED_FROM, TERMS
from veridical.suites.magicbench.presentation.demonstration import demonstration
from veridical.suites.magicbench.presentation.facts import SCORES, answer, facts, passages
from veridical.suites.magicbench.presentation.figures import figures
from veridical.suites.magicbench.presentation.opening import opening
from veridical.suites.magicbench.presentation.paper_tables import published_tables
from veridical.suites.magicbench.presentation.tables import tables

PRESENTATION = PresentationPart(
    variants={"trick": "a trick", "honest": "its honest control", "real": "a real clip"},
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
        "claims_trick": "says trick",
        "claims_compared": "claims compared",
        "claims_denied": "claims denied",
        "cpa_written": "CPA as written",
        "hard_failure_triggered": "veto",
        "veto_prop": "veto: prop",
        "veto_state": "veto: state",
        "veto_magic": "veto: magic",
        **{name: name.upper() for name in ("vtg", "cpa", "cfr")},
    },
    named_from=NAMED_FROM,
    terms={
        "patter": "What a magician says over a trick.",
        "tell": "What can be seen of a trick's secret.",
        "critical window": "The time of the secret move, together with the frames in which the tell shows.",
        "honest control": "The same performance, the same pixels until the secret move, and nothing secret.",
        "probe": "Multiple choice about the state of a clip at a time: where the thing is, in which hand, whether it "
        "is in view. The answer is in the log that the clip was drawn from.",
        "constraint": "A sentence about what really happens in a clip; a judge sees these in place of the clip.",
        "stance": "How a model is told to look: vision-only, neutral, skeptic, forensic, image-of-thought, text-only.",
        "vision-only": "Frames alone, with no transcript and no mention of one.",
        "forensic": "Frames and words, with instructions as strict as those of vision-only.",
        "neutral": "Frames and words, with the task alone and no advice on how to look.",
        "skeptic": "Frames and words, with the advice to mistrust the words.",
        "image-of-thought": "Frames and words; first an inventory of the frames, then each claim compared with it.",
        "text-only": "Words alone, with no frame: what can be explained without looking.",
        "PCS": "The physical constraint set: all constraints of a clip.",
        "lie": "Type A: words that say the opposite of at least one constraint.",
        "misdirection": "Type B: words that draw attention to where nothing happens, and claim nothing.",
        "filler": "Type C: words about something else, as long as the lie.",
        "silence": "Type D: an empty transcript, where the prompt is as under a lie.",
        "veto": "A failure that sets CPA to 0, in code: a prop that is not there, a thing where it is not, or the "
        "illusion taken for what happened.",
        **TERMS,
    },
    opening=opening,
    tables=tables,
    figures=figures,
    facts=facts,
    passages=passages,
    answer=answer,
    scores=SCORES,
    published=published_tables,
    gallery=gallery_at("veridical.suites.magicbench.presentation.gallery.gallery:write_gallery"),
    demonstration=demonstration,
)
