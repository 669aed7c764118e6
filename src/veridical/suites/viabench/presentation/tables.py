"""VIA-Bench's tables: the paper's main table, what accuracies are set against, settings, leanings, repeats, traces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars as pl

from veridical.ask import UNSTATED
from veridical.judges import join_verdicts, judge_tables
from veridical.records import Json
from veridical.suite.findings import valued_estimate
from veridical.suite.results import Cell, Result, Table, find, slice_values
from veridical.suite.tables import TRIALS, UNITS, Column, CompanionColumn, P, TableSpec, order_tables, table
from veridical.suites.viabench.analysis.measures import MEASURES
from veridical.suites.viabench.analysis.reasoning import LONGER
from veridical.suites.viabench.analysis.replies import plain_replies, replies
from veridical.suites.viabench.asking.marking import BY_FORM, GRADE
from veridical.suites.viabench.asking.readers import CHOICE, OPEN
from veridical.suites.viabench.options import CATEGORIES, CODES
from veridical.suites.viabench.presentation.recall_tables import ITEMS, leanings, names, priors, tokens, whole_units
from veridical.suites.viabench.puzzles import PUZZLES
from veridical.suites.viabench.releases.rows import TITLES
from veridical.suites.viabench.traces.rules import RULES
from veridical.suites.viabench.traces.trace import FEWEST_WORDS

_KINDS = {
    "gold": "True",
    "usual": "Usual, wrong",
    "opposite": "Opposite",
    "near": "Beside the truth",
    "other": "Other",
    "unsure": "Not Sure",
}
_MARKS = {**{rule.name: rule.title for rule in RULES if not rule.needs_answer}, LONGER: "Longer than the median"}
_MOST, _WIDTH = 40, 90
_ACCURACIES: dict[str, Column] = {code: ("accuracy", {"category": category}) for category, code in CODES.items()}


def _judges(result: Result) -> list[Json]:
    return [judge for judge in slice_values(result, "judge") if judge != "not judged"]


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


baselines = TableSpec(
    name="viabench-baselines",
    title="What accuracies are set against",
    note="Chance: a random choice among the options that can be right. Blind: the same items without pictures.",
    about=("Items",),
    rows=lambda _: ITEMS,
    columns={
        "Accuracy": "accuracy",
        "Chance": "chance",
        "Best constant": "best constant",
        "Gain over blind": "gain over blind",
    },
)
settings = TableSpec(
    name="viabench-cot",
    title="Does asking for reasoning help?",
    note="Effect: accuracy with the system turn − without, on the same items; p by a sign-flip test, Holm over them.",
    about=("System turn", "Items"),
    rows=lambda result: (
        ((str(turn), *label), {"cot": turn, **where}) for turn in slice_values(result, "cot") for label, where in ITEMS
    ),
    columns={"Accuracy": "accuracy", "Effect": "cot effect", "p": P},
)
capabilities = TableSpec(
    name="viabench-slices",
    title="By capability, difficulty and polarity",
    note="Accuracy by what a question asks for, by grade of difficulty (3 is the hardest), and by how a yes-no "
    "question is turned (none: it is not one).",
    about=("Slice", "Level"),
    rows=lambda result: (
        ((key, str(value)), {key: value})
        for key in ("capability", "difficulty", "polarity")
        for value in slice_values(result, key)
    ),
    columns={"Accuracy": "accuracy", "Trials": TRIALS},
)


@table(
    "viabench-repeats",
    "Repeats",
    ("Repeat", "All", *CODES.values()),
    "Accuracy of each repeat; consistency: pairs of repeats that choose one option.",
)
def repeats(result: Result) -> Iterator[tuple[Cell, ...]]:
    """Each repeat on its own, and how alike they are."""
    rows = [(str(repeat), "accuracy", {"repeat": repeat}) for repeat in slice_values(result, "repeat")]
    for label, metric, where in (*rows, ("Consistency", "consistency", {})):
        if whole := find(result, metric, where):
            yield label, whole, *(find(result, metric, {"category": category, **where}) for category in CATEGORIES)


def temperatures(results: Sequence[Result]) -> Table:
    """Accuracy and consistency by temperature, where the runs of a report have several."""
    stated = {_temperature(result) for result in results}
    return _temperatures(results if len(stated) > 1 else ())


def _temperature(result: Result) -> str:
    return str(result.sampling.get("temperature", UNSTATED))


_temperatures = TableSpec(
    name="viabench-temperatures",
    title="By temperature",
    note="Runs of one model at several temperatures; `veridical compare` tests two of them on the same trials.",
    about=("Temperature",),
    rows=lambda result: (((_temperature(result),), {}),),
    columns={"Accuracy": "accuracy", "Consistency": "consistency", **_ACCURACIES},
)
puzzles = TableSpec(
    name="viabench-puzzles",
    title="By puzzle",
    note="Unusual and ordinary pictures together.",
    about=("Puzzle",),
    rows=lambda result: (
        ((PUZZLES[family].title if family in PUZZLES else TITLES.get(str(family), str(family)),), {"family": family})
        for family in slice_values(result, "family")
    ),
    columns={"Accuracy": "accuracy", "Recall rate": "recall rate", "Trials": TRIALS},
)
traces = TableSpec(
    name="viabench-traces",
    title="Reasoning traces",
    note=f"Of replies that show reasoning: at least {FEWEST_WORDS} words of thinking, or before the final answer. "
    "Rules of words and sentences, in English and partly in Chinese, miss what is worded otherwise: rates are lower "
    "bounds. " + " ".join(f"{rule.title}: {rule.finds}" for rule in RULES),
    about=("Items",),
    rows=lambda result: (row for row in ITEMS if find(result, "trace words", row[1])),
    columns={
        "Replies with reasoning": "visible reasoning",
        "Words": "trace words",
        **{rule.title: ("trace rate", {"mark": rule.name}) for rule in RULES},
        "Traces": CompanionColumn("counts", 1),
    },
)
trace_effects = TableSpec(
    name="viabench-trace-effects",
    title="Is marked reasoning right less often?",
    note="Accuracy of replies whose reasoning has the mark − of those without, on items that have both: repeats of one "
    "trial or, where each is asked once, the pictures of a unit. A correlation, not a cause. p by a sign-flip test "
    "by unit, Holm over the marks.",
    about=("Mark", "Items"),
    rows=lambda result: (
        ((title, *label), {"mark": name, **where})
        for name, title in _MARKS.items()
        for label, where in ITEMS
        if valued_estimate(result, "trace effect", {"mark": name, **where})
    ),
    columns={"With − without": "trace effect", "Units": UNITS, "p": CompanionColumn("p", 0)},
)


def choices(results: Sequence[Result]) -> Table:
    """How often each kind of option is chosen, on unusual and on ordinary pictures."""
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        chosen = plain_replies(replies(result.outcomes))[0]
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
        each = join_verdicts(result.evidence, GRADE, "correct").filter(pl.col("rubric") == BY_FORM[CHOICE].name)
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


def _judge_tables(results: Sequence[Result]) -> list[Table]:
    return judge_tables(results, GRADE, "correct", "judged accuracy", MEASURES["judged accuracy"])


tables = order_tables(
    *(
        _main,
        ranking,
        baselines,
        settings,
        leanings,
        names,
        priors,
        whole_units,
        capabilities,
        repeats,
        puzzles,
        choices,
    ),
    *(temperatures, tokens, traces, trace_effects, _judge_tables, disagreements),
)
