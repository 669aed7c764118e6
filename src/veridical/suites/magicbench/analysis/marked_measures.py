"""The measures of marks, of what words change in them, and of interventions on the picture."""

from __future__ import annotations

from typing import Literal

from veridical.judges import blind
from veridical.records import POINTS, PROPORTION, Measure, Unit
from veridical.suites.magicbench.analysis.marks import SCORE

_TABLE = "the paper, Table"
_SOURCE = "the paper, section 5.3 and Figure 3"


def measure(
    title: str,
    definition: str,
    unit: Unit,
    source: str = "",
    better: Literal["higher", "lower"] | None = None,
    formula: str = "",
    spelled: str = "",
) -> Measure:
    """A measure, its parts in the order in which these tables state them."""
    return Measure(
        title=title, definition=definition, unit=unit, source=source, better=better, formula=formula, spelled=spelled
    )


MARKED = {
    "vtg": measure(
        "VTG",
        "Where and when: marks of a judge for the place, the action and its time, 0 to 10, shown of 100. An "
        "explanation without an answer has 0.",
        SCORE,
        f"{_TABLE} 7",
        "higher",
        "",
        "Visual-temporal grounding",
    ),
    "cpa": measure(
        "CPA",
        "How it is done: marks of a judge for the mechanism, 0 to 10, shown of 100; 0 after a veto. An explanation "
        "without an answer has 0. Also over readable verdicts alone, as published totals are.",
        SCORE,
        f"{_TABLE} 3",
        "higher",
        "",
        "Causal-physical accuracy",
    ),
    "cfr": measure(
        "CFR",
        "What is resisted: marks of a judge, 0 to 10, shown of 100. Where nothing false is claimed, it is about the "
        "apparent effect.",
        SCORE,
        f"{_TABLE} 7",
        "higher",
        "",
        "Counterfactual resilience",
    ),
    **{
        f"{name} error": measure(
            f"Error of {name.upper()}",
            "The standard error of the mean, from 1,000 bootstrap draws of clips.",
            SCORE,
            f"{_TABLE} 3",
        )
        for name in ("vtg", "cpa", "cfr")
    },
    "spotlight gain": measure(
        "Spotlight gain",
        "Marks under a lie or misdirection − vision-only, on the same clips.",
        POINTS,
        "the paper, section 4.2",
    ),
    "agency loss": measure(
        "Visual agency loss",
        "Marks of vision-only − in silence, with the same frames of the same clips.",
        POINTS,
        "the paper, section 4.2",
        "lower",
        "vision-only − silence",
    ),
    "component effect": measure(
        "Effect of a part",
        "What a cue to look, the nouns alone, irrelevant patter, or the whole lie changes in marks against "
        "vision-only; and one part against another.",
        POINTS,
        f"{_TABLE} 4",
    ),
    "type gap": measure(
        "Gap of types",
        "Marks under words of a type − in silence. Our clips hear all types, so it is on the same clips; a release has "
        "other clips for each type, and the gap is theirs, too (clips: different, without a test).",
        POINTS,
        f"{_TABLE} 3",
    ),
    "iot gain": measure(
        "Gain of image-of-thought",
        "Marks after an inventory of the frames − in the forensic stance, on the same clips.",
        POINTS,
        f"{_TABLE} 5",
        "higher",
    ),
    "iot residual": measure(
        "What image-of-thought leaves",
        "Marks of vision-only − with image-of-thought, on the same clips.",
        POINTS,
        f"{_TABLE} 5",
        "lower",
    ),
    "truth ceiling": measure(
        "Ceiling with the truth",
        "Marks where the true principle stands in place of the patter.",
        SCORE,
        f"{_TABLE} 3, upper bound",
    ),
    "gain over text-only": measure(
        "Gain over text-only", "Marks with the frames − without them, under the same words.", POINTS, "", "higher"
    ),
    blind.METRIC: blind.measure(SCORE),
    "veto": measure(
        "Vetoes", "Verdicts with a failure that sets CPA to 0, in code, whatever the judge wrote.", PROPORTION
    ),
    "veto by failure": measure(
        "Vetoes by failure",
        "A prop that is not there, a thing where it is not, or the illusion taken for what happened.",
        PROPORTION,
    ),
    "veto overridden": measure(
        "Marks set to 0", "Verdicts with a veto to which the judge gave a CPA above 0 all the same.", PROPORTION
    ),
    "about the effect": measure(
        "CFR is about the effect",
        "Verdicts whose CFR is about the apparent effect, because nothing false is claimed.",
        PROPORTION,
    ),
}
AIDED = {
    "aided marks": Measure(
        title="Marks with an aid",
        definition="Marks of clips that were chosen as failures, asked again with a ring at the critical place, at a "
        "placebo place, with the critical place magnified, or with more frames; and with no aid.",
        unit=SCORE,
        source=_SOURCE,
    ),
    "effect of an aid": Measure(
        title="Effect of an aid",
        definition="Marks with an aid − asked again without one, on the same clips: regression to the mean is in both, "
        "and drops out. A ring is also compared with its placebo.",
        unit=POINTS,
        source=_SOURCE,
        better="higher",
    ),
    "regression to the mean": Measure(
        title="Regression to the mean",
        definition="Marks of the chosen clips, asked again without an aid − when they were chosen.",
        unit=POINTS,
    ),
    "recovery with regression": Measure(
        title="Recovery, regression included",
        definition="Marks with an aid − when the clips were chosen, as is often published: regression to the mean "
        "counts as recovery.",
        unit=POINTS,
        source=_SOURCE,
    ),
}
