"""The measures of VIA-Bench."""

from __future__ import annotations

from veridical.records import POINTS, PROPORTION, SHARE, Measure, Z
from veridical.suites.viabench.analysis.reasoning import WORDS
from veridical.suites.viabench.traces.rules import RULES
from veridical.suites.viabench.traces.trace import FEWEST_WORDS

_PAPER = "the paper, section 4.2"

MEASURES = {
    "accuracy": Measure(
        title="Accuracy",
        definition="Replies whose option, read by rules, is the true one. A reply without an answer counts as wrong.",
        unit=PROPORTION,
        source=f"{_PAPER}, Match",
        better="higher",
    ),
    "judged accuracy": Measure(
        title="Judged accuracy",
        definition="Replies that a judge, who sees question, options, true option and reply, calls correct.",
        unit=PROPORTION,
        source=f"{_PAPER}, Judge",
        better="higher",
    ),
    "open accuracy": Measure(
        title="Accuracy in own words",
        definition="Short answers, given without options, that a judge calls correct.",
        unit=PROPORTION,
        better="higher",
    ),
    "average": Measure(
        title="Average over categories",
        definition="The plain mean of the accuracy in each category.",
        unit=PROPORTION,
        better="higher",
    ),
    "judged average": Measure(
        title="Average over categories, judged",
        definition="The plain mean of the judged accuracy in each category.",
        unit=PROPORTION,
        better="higher",
    ),
    "average of both": Measure(
        title="Average over both protocols",
        definition="The plain mean over categories of accuracy and judged accuracy: twelve columns if all are there.",
        unit=PROPORTION,
        source=f"{_PAPER}, column Avg.",
        better="higher",
    ),
    "chance": Measure(
        title="Chance",
        definition=(
            "Expected accuracy of a random choice among the options that can be right; 'Not Sure' never is. A release "
            "does not tell which options these are: there, all but 'Not Sure'."
        ),
        unit=PROPORTION,
    ),
    "best constant": Measure(
        title="Best constant answer",
        definition="Accuracy of giving all items of one puzzle, asked one way, the same option, by its text or letter.",
        unit=PROPORTION,
    ),
    "gain over blind": Measure(
        title="Gain over blind",
        definition="Accuracy with the pictures shown − accuracy without them, on the same items.",
        unit=POINTS,
        better="higher",
    ),
    "cot effect": Measure(
        title="Effect of the system turn",
        definition="Accuracy with a system turn that asks for reasoning − accuracy without one, on the same items.",
        unit=POINTS,
        better="higher",
    ),
    "cost of the unusual": Measure(
        title="Cost of the unusual",
        definition="Accuracy on ordinary counterparts − accuracy on illusions and anomalies, on the same units.",
        unit=POINTS,
        better="lower",
    ),
    "cost of the name": Measure(
        title="Cost of the written name",
        definition=(
            "Accuracy on familiar things above a blank strip − accuracy on the same pictures above their name, which "
            "says what is usual and nothing of what is drawn. 0 for a model that sees or guesses."
        ),
        unit=POINTS,
        better="lower",
    ),
    "pull of the usual": Measure(
        title="Pull of the usual answer",
        definition=(
            "Accuracy where the usual answer is right − accuracy where it is wrong, over items that have one. 0 for "
            "a model that sees or guesses, 100 for one that recalls. Above 0 also for one that guesses on unusual "
            "pictures alone: recall beyond guessing tells these apart."
        ),
        unit=POINTS,
        better="lower",
    ),
    "recall rate": Measure(
        title="Recall rate",
        definition=(
            "Of unusual pictures whose true answer is not the usual one, those that get the usual answer. Under "
            "a blind guess that is chance."
        ),
        unit=PROPORTION,
        better="lower",
    ),
    "knows the usual": Measure(
        title="Knows the usual answer",
        definition=(
            "Without a picture, replies that give the usual answer of a unit: how many legs a horse has, what most "
            "people say of a figure that is named. What is not known cannot be recalled: recall rate, pull and recall "
            "beyond guessing are also given over the units whose usual answer the model states (prior: stated)."
        ),
        unit=PROPORTION,
        better="higher",
    ),
    "all right": Measure(
        title="All pictures of a unit right",
        definition="Units of which every picture, unusual and ordinary, is answered right in every repeat.",
        unit=PROPORTION,
        better="higher",
    ),
    "accuracy by tokens": Measure(
        title="Accuracy by length of the reply",
        definition=(
            "Accuracy of replies of so many output tokens, thinking included, as the provider counts them. A "
            "correlation: harder items may make a model think longer."
        ),
        unit=PROPORTION,
    ),
    "recall by tokens": Measure(
        title="Recall by length of the reply",
        definition="The recall rate of replies of so many output tokens, thinking included.",
        unit=PROPORTION,
    ),
    "recall beyond guessing": Measure(
        title="Recall beyond guessing",
        definition=(
            "On unusual pictures, how often the usual answer is chosen where it is wrong − how often any one other "
            "wrong option is. 0 for a model that sees, guesses or leaves open what is unusual; 100 for one that "
            "recalls; below 0 for one that avoids the usual answer."
        ),
        unit=POINTS,
        better="lower",
    ),
    "not sure": Measure(title="Not sure", definition="Replies that choose 'Not Sure'.", unit=PROPORTION),
    "overconfidence": Measure(
        title="Overconfidence",
        definition="Of replies that choose an option and are not right, those that do not choose 'Not Sure'.",
        unit=PROPORTION,
        better="lower",
    ),
    "consistency": Measure(
        title="Consistency",
        definition="Pairs of repeats of one trial that choose the same option; not answered agrees with nothing.",
        unit=PROPORTION,
        better="higher",
    ),
    "d_prime": Measure(
        title="d-prime of anomalies",
        definition="How well anomalies are told from their normal version, whatever the readiness to say the usual.",
        unit=Z,
        formula="z(other than usual | anomaly) − z(other than usual | normal)",
        better="higher",
    ),
    "criterion": Measure(
        title="Criterion of anomalies",
        definition=(
            "Above what a guess gives, the usual answer is preferred whatever is shown; below that, it is avoided. A "
            "guess gives 0 between two options, and −0.43 among three, of which two are not the usual one."
        ),
        unit=Z,
        formula="−(z(other than usual | anomaly) + z(other than usual | normal)) / 2",
    ),
    "polarity bias": Measure(
        title="Yes bias",
        definition="P(Yes | as stated) + P(Yes | turned round) − 1 over yes-no questions: above 0, Yes is preferred.",
        unit=SHARE,
    ),
    "visible reasoning": Measure(
        title="Visible reasoning",
        definition=f"Replies with at least {FEWEST_WORDS} words of thinking, or of text before the final answer.",
        unit=PROPORTION,
    ),
    "trace words": Measure(
        title="Length of reasoning", definition="Words of a visible reasoning trace, in the mean.", unit=WORDS
    ),
    "trace rate": Measure(
        title="Marks of reasoning",
        definition=(
            "Visible reasoning traces in which a rule finds a passage. "
            + " ".join(f"{rule.title}: {rule.finds}" for rule in RULES)
        ),
        unit=PROPORTION,
        source="the paper, section 4.5",
    ),
    "trace effect": Measure(
        title="Accuracy with a mark of reasoning",
        definition=(
            "Accuracy of replies whose reasoning has the mark − of those without it, on items that have both, each at "
            "the same weight. It is a correlation: what makes a model hedge may make it err."
        ),
        unit=POINTS,
    ),
    "accuracy difference": Measure(
        title="Difference in accuracy",
        definition="Accuracy of the second run − that of the first, on the trials that both have.",
        unit=POINTS,
    ),
}
