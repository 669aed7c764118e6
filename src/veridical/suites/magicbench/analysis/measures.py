"""The measures of MagicBench."""

from __future__ import annotations

from veridical.judges import blind
from veridical.records import POINTS, PROPORTION, SHARE, Z
from veridical.suite.parts import measure
from veridical.suites.magicbench.analysis.marks import SCORE

_TABLE = "the paper, Table"
_SOURCE = "the paper, section 5.3 and Figure 3"

_PROBES = {
    "probe accuracy": measure(
        "Accuracy of probes",
        "Right answers to questions about the state of a trick at a time, by what is said over it; one without an "
        "answer is wrong. Honest controls are counted apart.",
        PROPORTION,
        "",
        "higher",
    ),
    "probe chance": measure(
        "Chance of probes",
        "Expected accuracy of a random option; the accuracy of always giving the best letter, and of always giving the "
        "best answer to each kind of question at each moment, or also of each family (words alone). One that knows how "
        "the tricks go comes to the last without looking, and it stands beside each accuracy: whether anything is seen "
        "of these clips is decided by 'told apart'.",
        PROPORTION,
    ),
    "effect of a lie": measure(
        "Effect of a lie on seeing",
        "Accuracy of probes under a lie − under no words (vision-only) or silence, on the same probes of the same "
        "tricks. Nothing is marked by a model. Also by moment, and by whether the lie is true of what is asked.",
        POINTS,
        "",
        "higher",
        "right under the lie − right without it",
    ),
    "effect of words": measure(
        "Effect of other words on seeing",
        "The same for words of other kinds. Silence against vision-only is visual agency loss with nothing marked.",
        POINTS,
    ),
    "told apart": measure(
        "Told apart",
        "How often probes are right on a trick, plus how often on its honest control, minus 1, of the questions whose "
        "answers differ between the two. 1 for one that sees the secret; 0 or less for any that does not look.",
        SHARE,
        "",
        "higher",
        "P(right | trick) + P(right | control) − 1",
    ),
    "change of told apart": measure(
        "Change of told apart", "Told apart under some words − without them, in the same units.", SHARE
    ),
    "takes the lie": measure(
        "Takes the lie",
        "Answers that are what the lie says, of the probes about which it is false, from the secret on; under other "
        "words the same probes, where nobody said it.",
        PROPORTION,
        "",
        "lower",
    ),
    "pull of the lie": measure(
        "Pull of the lie", "Takes the lie, under the lie − without it, on the same probes.", POINTS, "", "lower"
    ),
    "pull beyond guessing": measure(
        "Pull beyond guessing",
        "The pull of the lie, less what it would be if each wrong answer were a guess among the wrong options: about 0 "
        "for one that a lie makes blind, and most of the pull of one that believes it.",
        POINTS,
        "",
        "lower",
    ),
}
_MARKED = {
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
    "about the effect": measure(
        "CFR is about the effect",
        "Verdicts whose CFR is about the apparent effect, because nothing false is claimed.",
        PROPORTION,
    ),
}
_AIDED = {
    "aided marks": measure(
        "Marks with an aid",
        "Marks of clips that were chosen as failures, asked again with a ring at the critical place, at a placebo "
        "place, with the critical place magnified, or with more frames; and with no aid.",
        SCORE,
        _SOURCE,
    ),
    "effect of an aid": measure(
        "Effect of an aid",
        "Marks with an aid − asked again without one, on the same clips: regression to the mean is in both, and drops "
        "out. A ring is also compared with its placebo.",
        POINTS,
        _SOURCE,
        "higher",
    ),
    "regression to the mean": measure(
        "Regression to the mean",
        "Marks of the chosen clips, asked again without an aid − when they were chosen.",
        POINTS,
    ),
    "recovery with regression": measure(
        "Recovery, regression included",
        "Marks with an aid − when the clips were chosen, as is often published: regression to the mean counts as "
        "recovery.",
        POINTS,
        _SOURCE,
    ),
}
_NOTICED = {
    "says trick": measure(
        "Says that a trick happened",
        "Explanations that say so, of answered; on honest controls false alarms.",
        PROPORTION,
    ),
    "false alarms": measure(
        "False alarms",
        "Honest controls that are called a trick, of answered, by whether what is claimed over them is true there.",
        PROPORTION,
        "",
        "lower",
    ),
    "d_prime": measure(
        "d-prime of a trick",
        "How well tricks are told from honest controls, whatever the readiness to say that a trick happened.",
        Z,
        "",
        "higher",
        "z(says trick | trick) − z(says trick | control)",
    ),
    "criterion": measure(
        "Criterion",
        "Above 0, a clip is taken for honest readily; below 0, for a trick.",
        Z,
        "",
        None,
        "−(z(says trick | trick) + z(says trick | control)) / 2",
    ),
    "confidence": measure("Confidence", "The mean confidence that is stated.", PROPORTION),
    "overconfidence": measure(
        "Overconfidence",
        "Mean confidence − the share of explanations that follow from the constraints (CPA of 7 or more).",
        POINTS,
        "",
        "lower",
    ),
    "entailed": measure(
        "Follows, by confidence", "Explanations with a CPA of 7 or more, by the confidence that they state.", PROPORTION
    ),
}
_JUDGED = {
    "judge correlation": measure(
        "Correlation of judges",
        "Pearson's correlation of two ways of marking the same explanations.",
        SHARE,
        f"{_TABLE} 6",
        "higher",
    ),
    "judge difference": measure(
        "Difference of judges", "The mean mark of the first − of the other, on the same explanations.", POINTS
    ),
    "accepts the impossible": measure(
        "Accepts the impossible",
        "Explanations that the marking of reference vetoes, and that this one gives a CPA above 0.",
        PROPORTION,
        f"{_TABLE} 2",
        "lower",
    ),
    "cpa of the impossible": measure(
        "CPA of the impossible",
        "The mean CPA of explanations that the marking of reference vetoes.",
        SCORE,
        f"{_TABLE} 2",
    ),
}
_RUNS = {
    "setting effect": measure(
        "Effect of a setting",
        "What another level of a setting changes on the same clips under the same words: accuracy of probes, or CPA.",
        POINTS,
    ),
    "probe difference": measure(
        "Difference in probes",
        "Accuracy of probes in the second run − in the first, on the trials that both have.",
        POINTS,
    ),
    "mark difference": measure(
        "Difference in marks", "Marks in the second run − in the first, on the replies of which both have one.", POINTS
    ),
}
MEASURES = {**_PROBES, **_MARKED, **_NOTICED, **_AIDED, **_JUDGED, **_RUNS}
