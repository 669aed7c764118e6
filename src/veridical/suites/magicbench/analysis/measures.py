"""The measures of MagicBench."""

from __future__ import annotations

from typing import Literal

from veridical.records import POINTS, PROPORTION, SHARE, Measure, Unit, Z
from veridical.suites.magicbench.analysis.aided_measures import AIDED
from veridical.suites.magicbench.analysis.marks import SCORE
from veridical.suites.magicbench.analysis.reliability import COUNT, KAPPA

_TABLE = "the paper, Table"


def _of(
    title: str,
    definition: str,
    unit: Unit,
    source: str = "",
    better: Literal["higher", "lower"] | None = None,
    formula: str = "",
    spelled: str = "",
) -> Measure:
    return Measure(
        title=title, definition=definition, unit=unit, source=source, better=better, formula=formula, spelled=spelled
    )


_PROBES = {
    "probe accuracy": _of(
        "Accuracy of probes",
        "Right answers to questions about the state of a trick at a time, by what is said over it; one without an "
        "answer is wrong. Honest controls are counted apart.",
        PROPORTION,
        "",
        "higher",
    ),
    "probe chance": _of(
        "Chance of probes",
        "Expected accuracy of a random option; the accuracy of always giving the best letter, and of always giving the "
        "best answer to each kind of question at each moment.",
        PROPORTION,
    ),
    "effect of a lie": _of(
        "Effect of a lie on seeing",
        "Accuracy of probes under a lie − under no words (vision-only) or silence, on the same probes of the same "
        "tricks. Nothing is marked by a model. Also by moment, and by whether the lie is true of what is asked.",
        POINTS,
        "",
        "higher",
        "right under the lie − right without it",
    ),
    "effect of words": _of(
        "Effect of other words on seeing",
        "The same for words of other kinds. Silence against vision-only is visual agency loss with nothing marked.",
        POINTS,
    ),
    "told apart": _of(
        "Told apart",
        "How often probes are right on a trick, plus how often on its honest control, minus 1, of the questions whose "
        "answers differ between the two. 1 for one that sees the secret; 0 or less for any that does not look.",
        SHARE,
        "",
        "higher",
        "P(right | trick) + P(right | control) − 1",
    ),
    "change of told apart": _of(
        "Change of told apart", "Told apart under some words − without them, in the same units.", SHARE
    ),
    "takes the lie": _of(
        "Takes the lie",
        "Answers that are what the lie says, of the probes about which it is false, from the secret on; under other "
        "words the same probes, where nobody said it.",
        PROPORTION,
        "",
        "lower",
    ),
    "pull of the lie": _of(
        "Pull of the lie", "Takes the lie, under the lie − without it, on the same probes.", POINTS, "", "lower"
    ),
}
_MARKED = {
    "vtg": _of(
        "VTG",
        "Where and when: marks of a judge for the place, the action and its time, 0 to 10, shown of 100. An "
        "explanation without an answer has 0.",
        SCORE,
        f"{_TABLE} 7",
        "higher",
        "",
        "Visual-temporal grounding",
    ),
    "cpa": _of(
        "CPA",
        "How it is done: marks of a judge for the mechanism, 0 to 10, shown of 100; 0 after a veto. An explanation "
        "without an answer has 0. Also over readable verdicts alone, as published totals are.",
        SCORE,
        f"{_TABLE} 3",
        "higher",
        "",
        "Causal-physical accuracy",
    ),
    "cfr": _of(
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
        f"{name} error": _of(
            f"Error of {name.upper()}",
            "The standard error of the mean, from 1,000 bootstrap draws of clips.",
            SCORE,
            f"{_TABLE} 3",
        )
        for name in ("vtg", "cpa", "cfr")
    },
    "spotlight gain": _of(
        "Spotlight gain",
        "Marks under a lie or misdirection − vision-only, on the same clips.",
        POINTS,
        "the paper, section 4.2",
    ),
    "agency loss": _of(
        "Visual agency loss",
        "Marks of vision-only − in silence, with the same frames of the same clips.",
        POINTS,
        "the paper, section 4.2",
        "lower",
        "vision-only − silence",
    ),
    "component effect": _of(
        "Effect of a part",
        "What a cue to look, the nouns alone, irrelevant patter, or the whole lie changes in marks against "
        "vision-only; and one part against another.",
        POINTS,
        f"{_TABLE} 4",
    ),
    "type gap": _of(
        "Gap of types",
        "Marks under words of a type − in silence. Our clips hear all types, so it is on the same clips; a release has "
        "other clips for each type, and the gap is theirs, too (clips: different, without a test).",
        POINTS,
        f"{_TABLE} 3",
    ),
    "iot gain": _of(
        "Gain of image-of-thought",
        "Marks after an inventory of the frames − in the forensic stance, on the same clips.",
        POINTS,
        f"{_TABLE} 5",
        "higher",
    ),
    "iot residual": _of(
        "What image-of-thought leaves",
        "Marks of vision-only − with image-of-thought, on the same clips.",
        POINTS,
        f"{_TABLE} 5",
        "lower",
    ),
    "truth ceiling": _of(
        "Ceiling with the truth",
        "Marks where the true principle stands in place of the patter.",
        SCORE,
        f"{_TABLE} 3, upper bound",
    ),
    "below the ceiling": _of(
        "Below the ceiling",
        "Marks with the truth − under words of a type, on the same clips.",
        POINTS,
        "",
        "lower",
    ),
    "effect on controls": _of(
        "Effect on honest controls",
        "What words of a type change in the marks of honest controls, against vision-only.",
        POINTS,
    ),
    "gain over text-only": _of(
        "Gain over text-only", "Marks with the frames − without them, under the same words.", POINTS, "", "higher"
    ),
    "constant marks": _of(
        "Marks of a constant reply",
        'What the same explanation of every trick, "sleight of hand", is worth, marked by rule.',
        SCORE,
    ),
    "veto": _of("Vetoes", "Verdicts with a failure that sets CPA to 0, in code, whatever the judge wrote.", PROPORTION),
    "veto by failure": _of(
        "Vetoes by failure",
        "A prop that is not there, a thing where it is not, or the illusion taken for what happened.",
        PROPORTION,
    ),
    "veto overridden": _of(
        "Marks set to 0", "Verdicts with a veto to which the judge gave a CPA above 0 all the same.", PROPORTION
    ),
    "veto unnamed": _of(
        "Vetoes without a kind", "Verdicts with a veto whose reason names none of the three failures.", PROPORTION
    ),
    "about the effect": _of(
        "CFR is about the effect",
        "Verdicts whose CFR is about the apparent effect, because nothing false is claimed.",
        PROPORTION,
    ),
}
_NOTICED = {
    "says trick": _of(
        "Says that a trick happened",
        "Explanations that say so, of answered; on honest controls false alarms.",
        PROPORTION,
    ),
    "false alarms": _of(
        "False alarms",
        "Honest controls that are called a trick, of answered, by whether what is claimed over them is true there.",
        PROPORTION,
        "",
        "lower",
    ),
    "alarm effect": _of(
        "Effect on false alarms", "False alarms under words − without them, on the same controls.", POINTS, "", "lower"
    ),
    "d_prime": _of(
        "d-prime of a trick",
        "How well tricks are told from honest controls, whatever the readiness to say that a trick happened.",
        Z,
        "",
        "higher",
        "z(says trick | trick) − z(says trick | control)",
    ),
    "criterion": _of(
        "Criterion",
        "Above 0, a clip is taken for honest readily; below 0, for a trick.",
        Z,
        "",
        None,
        "−(z(says trick | trick) + z(says trick | control)) / 2",
    ),
    "d_prime change": _of("Change of d-prime", "d-prime under words − without them, in the same units.", Z),
    "criterion change": _of("Change of the criterion", "The criterion under words − without them.", Z),
    "confidence": _of("Confidence", "The mean confidence that is stated.", PROPORTION),
    "overconfidence": _of(
        "Overconfidence",
        "Mean confidence − the share of explanations that follow from the constraints (CPA of 7 or more).",
        POINTS,
        "",
        "lower",
    ),
    "brier score": _of(
        "Brier score",
        "Mean square of the difference of confidence and outcome, 1 for a CPA of 7 or more and 0 otherwise; 0.25 for "
        "one that always says 50.",
        SHARE,
        "",
        "lower",
    ),
    "confidence gap": _of(
        "Gap of confidence", "Mean confidence of explanations that follow − of those that do not.", POINTS, "", "higher"
    ),
    "entailed": _of(
        "Follows, by confidence", "Explanations with a CPA of 7 or more, by the confidence that they state.", PROPORTION
    ),
    "inventory": _of(
        "Inventory", "The share of frames that image-of-thought has an entry of.", PROPORTION, "", "higher"
    ),
    "compares claims": _of("Compares claims", "Image-of-thought replies that compare a claim at all.", PROPORTION),
    "denies claims": _of(
        "Denies claims",
        "Image-of-thought replies in which a claim does not hold, by whether one is false in the clip.",
        PROPORTION,
    ),
}
_JUDGED = {
    "judge correlation": _of(
        "Correlation of judges",
        "Pearson's correlation of two ways of marking the same explanations.",
        SHARE,
        f"{_TABLE} 6",
        "higher",
    ),
    "judge difference": _of(
        "Difference of judges", "The mean mark of the first − of the other, on the same explanations.", POINTS
    ),
    "judge distance": _of(
        "Distance of judges", "The mean absolute difference of two marks of an explanation, of 1.", SHARE, "", "lower"
    ),
    "veto agreement": _of("Agreement on vetoes", "Cohen's kappa of whether a veto is given.", KAPPA, "", "higher"),
    "unjittered atoms": _of(
        "Atoms without noise",
        "Constraints per explanation that have no time or place, so that the jittered reference is the same.",
        COUNT,
    ),
}
_RUNS = {
    "probe difference": _of(
        "Difference in probes",
        "Accuracy of probes in the second run − in the first, on the trials that both have.",
        POINTS,
    ),
    "mark difference": _of(
        "Difference in marks", "Marks in the second run − in the first, on the replies of which both have one.", POINTS
    ),
}
MEASURES = {**_PROBES, **_MARKED, **_NOTICED, **AIDED, **_JUDGED, **_RUNS}
