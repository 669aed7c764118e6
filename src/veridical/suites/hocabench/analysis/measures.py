"""The measures of HOCA-Bench."""

from __future__ import annotations

from veridical.judges import blind
from veridical.records import POINTS, PROPORTION, Z
from veridical.suite.parts import measure
from veridical.suites.hocabench.analysis.figures import INDEX, SCORE

_PAPER = "the paper, section 4.1"
_TABLE = "the paper, Table"


MEASURES = {
    blind.METRIC: blind.measure(SCORE),
    "h_index": measure(
        "H-Index",
        "The mean of F1 in Task I, accuracy in Tasks II and III, and the score in Task IV. In the paper's table, II "
        "and III are plain means of the two layers, IV is weighted with its 254 ontological and 376 causal clips "
        "(weighting paper); also with all plain, and with all by the run's own clips.",
        INDEX,
        "the paper, Equation 1; the weights are ours, from the digits of its Table 2",
        "higher",
        "(I + II + III + IV) / 4",
    ),
    "index part": measure(
        "Part of the H-Index",
        "What one task gives to the H-Index with the weighting of the paper's table.",
        INDEX,
        f"{_TABLE} 5",
        "higher",
    ),
    "f1": measure(
        "F1 of Task I",
        "F1 of plausible or not. Implausible is the positive class, which is our choice: the paper does not say. An "
        "unanswered reply is a miss, or a false alarm; of answered, it is left out. Explained controls are apart.",
        PROPORTION,
        f"{_PAPER}, Task I",
        "higher",
        "2 TP / (2 TP + FP + FN)",
    ),
    "f1 chance": measure(
        "F1 of always implausible",
        "F1 of calling every clip implausible, with the run's own number of plausible clips: 66.7 % where half are.",
        PROPORTION,
    ),
    "balanced accuracy": measure(
        "Balanced accuracy", "The mean of the accuracy on violating and on plausible clips.", PROPORTION, "", "higher"
    ),
    "accuracy": measure(
        "Accuracy",
        "Right replies; one without an answer counts as wrong. Task I: violating and plausible clips. Task II: the "
        "domain, of nine. Task III: the description, of four.",
        PROPORTION,
        f"{_PAPER}, Tasks II and III",
        "higher",
    ),
    "chance": measure(
        "Chance",
        "Expected accuracy of a random choice: one of nine domains, one of four descriptions. In Task I, the accuracy "
        "of the better constant answer.",
        PROPORTION,
    ),
    "d_prime": measure(
        "d-prime of implausible",
        "How well violating clips are told from plausible ones, whatever the readiness to say implausible.",
        Z,
        "",
        "higher",
        "z(implausible | violating) − z(implausible | plausible)",
    ),
    "criterion": measure(
        "Criterion",
        "Above 0, a clip is called plausible readily; below 0, implausible.",
        Z,
        "",
        None,
        "−(z(implausible | violating) + z(implausible | plausible)) / 2",
    ),
    "says implausible": measure(
        "Says implausible",
        "Answered replies that call the clip implausible: hits where it is violating, false alarms where it is "
        "plausible or its odd event has a visible cause (explained).",
        PROPORTION,
    ),
    "notices the impossible": measure(
        "Notices the impossible",
        "How much more often a violating clip is called implausible than a plausible one: 100 for one that sees, 0 for "
        "any constant answer.",
        POINTS,
        "",
        "higher",
    ),
    "alarm at the explained": measure(
        "Alarm at the explained",
        "How much more often a clip is called implausible whose odd event has a visible cause than the plausible clip "
        "of the same unit. Far above 0 for one that looks for oddness alone.",
        POINTS,
        "",
        "lower",
    ),
    "layer gap": measure(
        "Ontological − causal",
        "Tasks II and III: accuracy, Task IV: score, on clips that break what a thing is − on those that break what "
        "follows from an interaction. In Task II a preference for names of either layer is enough for a gap.",
        POINTS,
        f"{_TABLE} 2",
    ),
    "explanation score": measure(
        "Score of explanations",
        "Marks by a judge: scene 25, anomaly 25, attribution 15 (exact label), reasoning 35; each as a share of its "
        "full marks. A reply without an answer has 0.",
        SCORE,
        "the paper, B.8, Task IV",
        "higher",
    ),
    "mean iou": measure(
        "Mean IoU",
        "Intersection over union of the stated and the true intervals; of several, that of their unions. 0 without an "
        "answer.",
        PROPORTION,
        f"{_TABLE} 3",
        "higher",
    ),
    "recall at iou": measure(
        "Recall at IoU",
        "Replies whose intersection over union is at least so much; R@0.5 is one point of the curve.",
        PROPORTION,
        f"{_TABLE} 3",
        "higher",
    ),
    "mean iou chance": measure(
        "Mean IoU of a fixed interval",
        "The best constant answer: one interval for all clips, in seconds or in shares of the duration, chosen for "
        "each clip by the true intervals of the others.",
        PROPORTION,
    ),
    "recall at iou chance": measure(
        "Recall at IoU of a fixed interval", "The recall curve of the same interval, chosen by mean IoU.", PROPORTION
    ),
    "set f1": measure(
        "F1 of sets",
        "F1 of the sub-types, or their domains, that a clip with several anomalies is said to show: pooled (micro), "
        "averaged over those that occur (macro), or over clips.",
        PROPORTION,
        f"{_TABLE} 4",
        "higher",
    ),
    "exact match": measure(
        "Exact match", "Replies that name the whole set, and nothing else.", PROPORTION, f"{_TABLE} 4", "higher"
    ),
    "setting effect": measure(
        "Effect of a setting",
        "What another level of a setting changes on the same clips: accuracy; of intervals, IoU; of sets, F1; of "
        "explanations, the score.",
        POINTS,
        f"{_TABLE} 5, for 64 frames",
    ),
    "gain over blind": measure(
        "Gain over blind",
        "The same with the clip shown − without it: what words alone do not give.",
        POINTS,
        "",
        "higher",
    ),
    "pair outcome": measure(
        "Pairs",
        "A violating clip and its control: both right, both called implausible, both called plausible, reversed, or "
        "one of them not answered.",
        PROPORTION,
    ),
    "implausible until": measure(
        "Says implausible, by cut",
        "Answered replies that call a clip implausible that ends half a second before its event, at it, or after it.",
        PROPORTION,
    ),
    "change of mind": measure(
        "Change of mind",
        "Says implausible, of the whole clip − of the part before the event, on the same clips. 100 on violating "
        "clips and 0 on plausible ones for one that sees.",
        POINTS,
    ),
    "accuracy difference": measure(
        "Difference in accuracy",
        "Accuracy (of intervals IoU, of sets F1) of the second run − of the first, on the trials that both have.",
        POINTS,
    ),
    "f1 difference": measure(
        "Difference in F1", "F1 of Task I in the second run − in the first, on the trials that both have.", POINTS
    ),
    "score difference": measure(
        "Difference in score",
        "Score of explanations in the second run − in the first, on the replies of which both have a verdict.",
        POINTS,
    ),
}
