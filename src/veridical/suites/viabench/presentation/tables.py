"""VIA-Bench's tables: the paper's main table, what accuracies are set against, settings, leanings, repeats, puzzles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import polars as pl

from veridical.ask import UNSTATED
from veridical.judges import judge_tables, judged
from veridical.records import Counts, Estimate, Json
from veridical.suite.results import Cell, Result, Table, find, named
from veridical.suites.viabench.analysis.measures import MEASURES
from veridical.suites.viabench.analysis.replies import plain, replies
from veridical.suites.viabench.asking.marking import BY_FORM, GRADE
from veridical.suites.viabench.asking.readers import CHOICE, OPEN
from veridical.suites.viabench.options import CATEGORIES, CODES
from veridical.suites.viabench.presentation.facts import trace_effects, traces
from veridical.suites.viabench.puzzles import PUZZLES
from veridical.suites.viabench.releases.rows import TITLES

_KINDS = {
    "gold": "True",
    "usual": "Usual, wrong",
    "opposite": "Opposite",
    "near": "Beside the truth",
    "other": "Other",
    "unsure": "Not Sure",
}
_MOST, _WIDTH = 40, 90


def choices(results: Sequence[Result]) -> Table:
    """How often each kind of option is chosen, on unusual and on ordinary pictures."""
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        chosen = plain(replies(result.outcomes))[0]
        for (variant,), within in chosen.group_by("variant", maintain_order=True):
            counts = dict(within["kind"].drop_nulls().value_counts().iter_rows())
            cells = [int(counts.get(kind, 0)) for kind in _KINDS]
            rows.append((result.model, str(variant), *cells, within["kind"].null_count(), len(within)))
    heads = ("Model", "Pictures", *_KINDS.values(), "No answer", "Replies")
    note = "Replies by the kind of option chosen. Usual, wrong: the answer that common sense or the illusion suggests."
    return Table("viabench-choices", "Which option is chosen", note, heads, tuple(rows))


def disagreements(results: Sequence[Result]) -> Table:
    """Replies that the rules read as right and a judge calls wrong, or the other way round, the first forty."""
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        each = judged(result.evidence, GRADE, "correct").filter(pl.col("rubric") == BY_FORM[CHOICE].name)
        right = pl.col("correct").fill_null(value=False).cast(pl.Float64)
        unlike = each.drop_nulls("verdict").filter(right != pl.col("verdict"))
        for row in unlike.iter_rows(named=True):
            by_rules = "right" if row["correct"] else f"wrong ({row['answer'] or row['reason']})"
            verdict = "right" if row["verdict"] else "wrong"
            text = " ".join(str(row["text"]).split())
            shown = text if len(text) <= _WIDTH else f"… {text[-_WIDTH:]}"
            rows.append((result.model, row["trial"], row["repeat"], row["judge"], by_rules, verdict, shown))
    first = f", the first {_MOST}" if len(rows) > _MOST else ""
    note = f"Each is a defect of one of the two. {len(rows):,} in all{first}."
    heads = ("Model", "Trial", "Repeat", "Judge", "Rules", "Judge says", "Reply")
    return Table("viabench-unlike", "Rules and judge disagree", note, heads, tuple(rows[:_MOST]))


_UNGROUPED = "no group stated"
_PLACES = {1: "best", 2: "second"}


def ranking(results: Sequence[Result]) -> Iterator[Table]:
    """The rank by average within each group, and who is best and second in each category; nothing for one model."""
    groups: dict[str, list[Result]] = {}
    for result in results:
        groups.setdefault(result.about.group if result.about and result.about.group else _UNGROUPED, []).append(result)
    rows: list[tuple[Cell, ...]] = []
    for group, members in groups.items():
        ranks = _places(members, None)
        columns = {category: _places(members, category) for category in CATEGORIES}
        for result in sorted(members, key=lambda each: ranks.get(each.model, len(members) + 1)):
            marks = [_PLACES.get(places.get(result.model, 0)) for places in columns.values()]
            rows.append((group, ranks.get(result.model), result.model, find(result, "average", {}), *marks))
    if len(results) > 1:
        note = (
            "By the average over categories under Match, within the group that models.toml states; best and second by "
            "value alone. Equal values share a rank. `veridical compare` tests two models."
        )
        heads = ("Group", "Rank", "Model", "Average", *CODES.values())
        yield Table("viabench-ranks", "Ranks within groups", note, heads, tuple(rows))


def _places(members: Sequence[Result], category: str | None) -> dict[str, int]:
    """The rank of each model by its average, or by its accuracy in a category."""
    metric, where = ("average", {}) if category is None else ("accuracy", {"category": category})
    values = {
        each.model: round(estimate.value, 9)
        for each in members
        if (estimate := find(each, metric, where)) is not None and estimate.value is not None
    }
    return {model: 1 + sum(other > value for other in values.values()) for model, value in values.items()}


_BASELINES = {
    "Accuracy": "accuracy",
    "Chance": "chance",
    "Best constant": "best constant",
    "Gain over blind": "gain over blind",
}
_LEANINGS = {
    "Pull of the usual": "pull of the usual",
    "Recall rate": "recall rate",
    "Beyond guessing": "recall beyond guessing",
    "Cost of the unusual": "cost of the unusual",
    "Not sure": "not sure",
    "Overconfidence": "overconfidence",
    "d-prime": "d_prime",
    "Criterion": "criterion",
    "Yes bias": "polarity bias",
}


def tables(results: Sequence[Result]) -> list[Table]:
    """All tables; one that no run has anything for is left out."""
    every = [_main(results), *ranking(results), _baselines(results), _settings(results), _leanings(results)]
    every += [_capabilities(results), _repeats(results), _puzzles(results), choices(results)]
    every += [_temperatures(results), traces(results), trace_effects(results)]
    every += judge_tables(results, GRADE, "correct", "judged accuracy", MEASURES["judged accuracy"])
    every += [disagreements(results)]
    return [table for table in every if table.rows]


def _judges(result: Result) -> list[Json]:
    return [judge for judge in named(result, "judge") if judge != "not judged"]


def _main(results: Sequence[Result]) -> Table:
    """The paper's main table: a row per model and protocol, with a column per category."""
    heads = ("Model", "Protocol", "Average", *CODES.values(), "Trials")
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        whole = find(result, "accuracy", {})
        columns = [find(result, "accuracy", {"category": category}) for category in CATEGORIES]
        rows.append((result.model, "Match", find(result, "average", {}), *columns, whole.counts if whole else None))
        for judge in _judges(result):
            where = {"judge": judge, "rubric": "multiple-choice"}
            judged = [find(result, "judged accuracy", {**where, "category": category}) for category in CATEGORIES]
            mean, both = (find(result, metric, where) for metric in ("judged average", "average of both"))
            if any(judged):
                whole = find(result, "judged accuracy", where)
                counts = whole.counts if whole else None
                rows += [(result.model, f"Judge: {judge}", mean, *judged, counts)]
                rows += [(result.model, f"mean of Match and {judge}", both, *[None] * len(CATEGORIES), None)]
            rows += _open(result, judge)
    note = (
        "Match: the option's letter, read by rules. Judge: a model or rule that sees question, options, true option "
        "and reply; open: of replies to the questions without options. Average: the plain mean over the categories; "
        "the paper's Avg. is the mean of both protocols' columns. A reply without an answer counts as wrong."
    )
    return Table("viabench-main", "Accuracy by category", note, heads, tuple(rows))


def _open(result: Result, judge: Json) -> list[tuple[Cell, ...]]:
    """The row of open answers by a judge; none where no answers were open."""
    where = {"judge": judge, "rubric": BY_FORM[OPEN].name}
    whole = find(result, "open accuracy", where)
    columns = [find(result, "open accuracy", {**where, "category": category}) for category in CATEGORIES]
    return [(result.model, f"Judge, open: {judge}", None, *columns, whole.counts)] if whole else []


def _baselines(results: Sequence[Result]) -> Table:
    note = "Chance: a random choice among the options that can be right. Blind: the same items without pictures."
    return _by_category(results, "viabench-baselines", "What accuracies are set against", note, _BASELINES)


def _leanings(results: Sequence[Result]) -> Table:
    note = (
        "Pull of the usual: accuracy where the usual answer is right − where it is wrong. Recall rate: that answer "
        "on unusual pictures where it is wrong. Beyond guessing: − any one other wrong option there. d-prime and "
        "criterion: anomalies against their normal versions."
    )
    return _by_category(results, "viabench-leanings", "How errors lean", note, _LEANINGS)


def _by_category(results: Sequence[Result], name: str, title: str, note: str, metrics: Mapping[str, str]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        for label, where in _slices():
            cells = [find(result, metric, where) for metric in metrics.values()]
            if any(cells):
                rows.append((result.model, label, *cells))
    return Table(name, title, note, ("Model", "Items", *metrics), tuple(rows))


def _slices() -> list[tuple[str, dict[str, Json]]]:
    return [("all", {}), *((title, {"category": category}) for category, title in CATEGORIES.items())]


def _settings(results: Sequence[Result]) -> Table:
    """Accuracy under each system turn and without pictures, and the effect of each turn on the same items."""
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        for turn in named(result, "cot"):
            for label, inside in _slices():
                where = {"cot": turn, **inside}
                rate, effect = find(result, "accuracy", where), find(result, "cot effect", where)
                if rate:
                    rows.append((result.model, str(turn), label, rate, effect, effect.p if effect else None))
    note = "Effect: accuracy with the system turn − without, on the same items; p by a sign-flip test, Holm over them."
    heads = ("Model", "System turn", "Items", "Accuracy", "Effect", "p")
    return Table("viabench-cot", "Does asking for reasoning help?", note, heads, tuple(rows))


def _capabilities(results: Sequence[Result]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        for key in ("capability", "difficulty", "polarity"):
            for value in named(result, key):
                rate = find(result, "accuracy", {key: value})
                rows.append((result.model, key, str(value), rate, rate.counts if rate else None))
    note = (
        "Accuracy by what a question asks for, by grade of difficulty (3 is the hardest), and by how a yes-no question "
        "is turned (none: it is not one)."
    )
    return Table("viabench-slices", "By capability, difficulty and polarity", note, _SLICED, tuple(rows))


_SLICED = ("Model", "Slice", "Level", "Accuracy", "Trials")


def _repeats(results: Sequence[Result]) -> Table:
    """Each repeat on its own, and how alike they are."""
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        for repeat in named(result, "repeat"):
            columns = [find(result, "accuracy", {"repeat": repeat, "category": category}) for category in CATEGORIES]
            rows.append((result.model, str(repeat), find(result, "accuracy", {"repeat": repeat}), *columns))
        if whole := find(result, "consistency", {}):
            columns = [find(result, "consistency", {"category": category}) for category in CATEGORIES]
            rows.append((result.model, "Consistency", whole, *columns))
    note = "Accuracy of each repeat; consistency: pairs of repeats that choose one option."
    heads = ("Model", "Repeat", "All", *CODES.values())
    return Table("viabench-repeats", "Repeats", note, heads, tuple(rows))


def _temperatures(results: Sequence[Result]) -> Table:
    """Accuracy and consistency by temperature, where the runs of a report have several."""
    stated = {result.sampling.get("temperature", UNSTATED) for result in results}
    rows: list[tuple[Cell, ...]] = []
    for result in results if len(stated) > 1 else ():
        columns = [find(result, "accuracy", {"category": category}) for category in CATEGORIES]
        temperature = str(result.sampling.get("temperature", UNSTATED))
        whole = [find(result, metric, {}) for metric in ("accuracy", "consistency")]
        rows.append((result.model, temperature, *whole, *columns))
    note = "Runs of one model at several temperatures; `veridical compare` tests two of them on the same trials."
    heads = ("Model", "Temperature", "Accuracy", "Consistency", *CODES.values())
    return Table("viabench-temperatures", "By temperature", note, heads, tuple(rows))


def _puzzles(results: Sequence[Result]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        for family in named(result, "family"):
            where = {"family": family}
            cells = (find(result, "accuracy", where), find(result, "recall rate", where))
            counts: Counts | None = cells[0].counts if isinstance(cells[0], Estimate) else None
            title = PUZZLES[family].title if family in PUZZLES else TITLES.get(str(family), str(family))
            rows.append((result.model, title, *cells, counts))
    heads = ("Model", "Puzzle", "Accuracy", "Recall rate", "Trials")
    return Table("viabench-puzzles", "By puzzle", "Unusual and ordinary pictures together.", heads, tuple(rows))
