"""The measures of MagiC."""

from __future__ import annotations

from veridical.records import POINTS, PROPORTION, Z
from veridical.suite.parts import measure
from veridical.suite.rates import KAPPA
from veridical.suites.magic.analysis.healing import COUNT

_PAPER = "the paper, section"


_READINGS = (
    "Mean over questions (macro), or from the counts of all questions (micro). A reply that mentions no box scores 0; "
    "the other reading leaves it out (silent undefined). A box counts once, however often it is mentioned."
)
_SOURCE = f"{_PAPER} 4.1"

MEASURES = {
    "magiscore f1": measure(
        "MagiScore",
        f"F1 of the boxes that a rationale mentions, against the relevant ones. {_READINGS}",
        PROPORTION,
        _SOURCE,
        "higher",
        "2 TP / (2 TP + FP + FN)",
    ),
    "magiscore precision": measure(
        "MagiScore, precision",
        "Relevant boxes among those that a rationale mentions; averaged and read as F1.",
        PROPORTION,
        _SOURCE,
        "higher",
        "TP / (TP + FP)",
    ),
    "magiscore recall": measure(
        "MagiScore, recall",
        "Relevant boxes that a rationale mentions; averaged and read as F1.",
        PROPORTION,
        _SOURCE,
        "higher",
        "TP / (TP + FN)",
    ),
    **{
        f"chance {part}": measure(
            f"Chance, {part.replace('f1', 'F1')}",
            "What MagiScore comes to by mentioning all boxes, or as many as the reply mentions, drawn at random.",
            PROPORTION,
        )
        for part in ("precision", "recall", "f1")
    },
    "mentions boxes": measure(
        "Mentions boxes", "Replies that mention a box that exists.", PROPORTION, f"{_PAPER} 4.1", "higher"
    ),
    "mentions every box": measure(
        "Mentions every box",
        "Replies that mention all boxes, where some do not matter.",
        PROPORTION,
        f"{_PAPER} 5.3",
        "lower",
    ),
    "boxes beyond": measure(
        "Boxes that do not exist",
        "Replies that mention a box whose number the picture does not have; such a box counts nowhere else.",
        PROPORTION,
        "the paper's prompt",
        "lower",
    ),
    "accuracy": measure(
        "Accuracy",
        "Right answers: by rule on our scenes, by exact match of the short answer otherwise. Not answered is wrong.",
        PROPORTION,
        "",
        "higher",
    ),
    "guessed accuracy": measure(
        "Guessing", "Accuracy expected of a random choice among the answers that a question's form offers.", PROPORTION
    ),
    "short accuracy": measure(
        "Short accuracy",
        "A judge finds the short answer in the reply: synonyms and neighboring colors pass, a contradiction fails.",
        PROPORTION,
        f"{_PAPER} 4.2",
        "higher",
    ),
    "full accuracy": measure(
        "Full accuracy",
        "A judge finds the full answer in the final conclusion: a wrong or missing essential fails.",
        PROPORTION,
        f"{_PAPER} 4.2",
        "higher",
    ),
    "agreement": measure(
        "Agreement on answers",
        "Cohen's kappa of a judge with the reader, which marks by rule or exact match, or with another judge: 1 is "
        "full agreement, 0 that of chance.",
        KAPPA,
    ),
    "accuracy by focus": measure(
        "Accuracy by focus",
        "Right answers among the replies whose F1 of boxes lies in a bin.",
        PROPORTION,
        f"{_PAPER} 5.2, among models",
    ),
    "focus slope": measure(
        "Slope on focus",
        "How much accuracy rises with 10 points of F1 of boxes, within question types. Replies that focus well may "
        "be those to easy questions: only the masked views show a cause.",
        POINTS,
        f"{_PAPER} 5.2, among models",
    ),
    "view effect": measure(
        "Effect of a view",
        "Answers or focus in one view of a question − in another. Relevant boxes: no adversarial ones. Masked: "
        "what a kind of boxes shows is covered, though not where a thing is and how large. Renumbered: the boxes have "
        "other numbers.",
        POINTS,
    ),
    "states": measure(
        "States the correction",
        "Continuations of wrong reasoning that state what is right instead.",
        PROPORTION,
        f"{_PAPER} 4.3",
        "higher",
    ),
    "heals": measure(
        "Self-Heal: names and corrects the mistake",
        "Continuations of wrong reasoning that name the mistake and correct it, which the paper's judge is asked for: "
        "unprompted the model corrects itself, prompted it corrects when asked.",
        PROPORTION,
        f"{_PAPER} 4.3 and its judge's prompt",
        "higher",
    ),
    "over-correction": measure(
        "Over-correction",
        "Continuations of right reasoning that call something that was right a mistake.",
        PROPORTION,
        "",
        "lower",
    ),
    "healing d_prime": measure(
        "d-prime of healing",
        "How well false reasoning is told from right reasoning, whatever the readiness to name mistakes.",
        Z,
        "",
        "higher",
        "z(names a mistake | false) − z(names a mistake | true)",
    ),
    "healing criterion": measure(
        "Criterion of healing",
        "Above 0, mistakes are named seldom; below 0, readily, whether there are any or not.",
        Z,
        "",
        None,
        "−(z(names a mistake | false) + z(names a mistake | true)) / 2",
    ),
    "request effect": measure(
        "Effect of the request",
        "The outcome with a request to correct mistakes − without it, on the same reasoning.",
        POINTS,
        "the paper's second prompt",
    ),
    "wrong stretches": measure(
        "Wrong stretches", "Runs of wrong steps to be healed, each counted once.", COUNT, f"{_PAPER} 4.3"
    ),
    "stepsense": measure(
        "StepSense",
        "Right steps among those that state something which a rule can check against our scene.",
        PROPORTION,
        "the paper, Table 3, by people's labels",
        "higher",
    ),
    "checkable steps": measure(
        "Checkable steps", "Steps that state something which a rule can check against our scene.", PROPORTION
    ),
    "error pattern": measure(
        "Error pattern",
        "Replies with a pattern: all boxes mentioned (exhaustive), a thing put into another's box (place), a wrong "
        "spatial relation, a wrong description of a thing in its box.",
        PROPORTION,
        f"{_PAPER} 5.3",
        "lower",
    ),
    "accuracy difference": measure(
        "Difference in accuracy", "Accuracy of the second run − of the first, on the trials that both have.", POINTS
    ),
    "focus difference": measure(
        "Difference in focus",
        "MagiScore (macro) of the second run − of the first, on the trials that both have.",
        POINTS,
    ),
    "healing difference": measure(
        "Difference in healing",
        "An outcome of Self-Heal in the second run − in the first, on the trials of which both have a verdict.",
        POINTS,
    ),
}
