"""What a simple suite concludes and shows: accuracy by group, differences paired by unit, a verdict, a table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import polars as pl

from veridical.base.charts import document
from veridical.base.format import format_number
from veridical.records import POINTS, PROPORTION, Estimate, Measure, Z
from veridical.suite.conclusions import BoundedFigure, RunVerdict, interval_text
from veridical.suite.contrasts import holm_by, paired_difference, rows_of_both, run_difference
from veridical.suite.evidence import Evidence
from veridical.suite.findings import best_first, finding, percent, percent_of, valued_estimate
from veridical.suite.missing_replies import despite_missing, fill_missing, most_missing
from veridical.suite.opening import Finding, Opening, Reasons, Tone
from veridical.suite.parts import AnalysisPart, PresentationPart
from veridical.suite.people_forms import YES_NO
from veridical.suite.points import MOST, categories, legend, model_colors, open_axes, point
from veridical.suite.results import Cell, Figure, Result, Table, find
from veridical.suite.rows import OF_ALL, RIGHT, asked_rows, asked_slices
from veridical.suite.sensitivity import OF_ANSWERED, detections
from veridical.suite.simple_answers import AnswerForm
from veridical.suite.tables import TRIALS, UNITS, Column, P, RowHead, TableSpec, order_tables

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

GROUP = "variant"
MOST_HEADS = 4
"""The largest number of groups whose accuracies stand beside the verdict."""
_OWN_HEADS = {"Accuracy", "Chance"}
_PAIR = ("unit", "repeat")
_LEVEL = 0.05
_MEASURES = {
    "accuracy": Measure(
        title="Accuracy",
        definition="Right replies of all. A reply without an answer counts as wrong.",
        unit=PROPORTION,
        better="higher",
    ),
    "difference": Measure(
        title="Difference from the first group",
        definition="Accuracy in a group − that in the first group, over the units that have both.",
        unit=POINTS,
    ),
    "accuracy difference": Measure(
        title="Difference between runs",
        definition="Accuracy of the second run − that of the first, on the trials that both have.",
        unit=POINTS,
        better="higher",
    ),
}
_OF_OPTIONS = {
    "chance": Measure(title="Chance", definition="Accuracy of an even guess among the options.", unit=PROPORTION)
}
_OF_YES_NO = {
    "d_prime": Measure(
        title="d-prime",
        definition="Sensitivity: how well yes items are told from no items, whatever the bias. 0 is none.",
        unit=Z,
        formula="z(hits) − z(false alarms)",
        better="higher",
    ),
    "criterion": Measure(
        title="Criterion",
        definition="Bias: above 0, no is said too often; below 0, yes.",
        unit=Z,
        formula="−(z(hits) + z(false alarms)) / 2",
    ),
}


@dataclass(frozen=True)
class SimpleResults:
    """The analysis and the presentation of the suite of this name, whose answers have this form."""

    suite: str
    form: AnswerForm

    def analysis(self) -> AnalysisPart:
        """What is measured: accuracy over all and by group, chance, differences between groups and between runs."""
        extra = {**(_OF_OPTIONS if self.form.options else {}), **(_OF_YES_NO if self._yes_no else {})}
        headline = ("accuracy", "difference", *(name for name in extra if name != "chance"))
        return AnalysisPart(
            measures={**_MEASURES, **extra},
            estimates=self.estimates,
            headline=headline,
            slices=(GROUP,),
            differences=self.differences,
        )

    def presentation(self) -> PresentationPart:
        """What a report shows: the opening, one table, and one figure where there are several groups."""
        return PresentationPart(
            names={GROUP: "group"}, opening=self.opening, tables=order_tables(self._tables), figures=self._figures
        )

    @property
    def _yes_no(self) -> bool:
        return self.form.options == YES_NO

    def estimates(self, evidence: Evidence) -> list[Estimate]:
        """All estimates of a run."""
        rows = evidence.outcomes().with_columns(RIGHT.alias("right"))
        groups = _groups(rows)
        keys = [(), (GROUP,)] if len(groups) > 1 else [()]
        found = [piece.rate("accuracy", "right", OF_ALL) for piece in asked_slices(self.suite, rows, keys)]
        tested = [self._difference(rows, group, groups[0]) for group in groups[1:]]
        return [*found, *(holm_by(tested) if len(tested) > 1 else tested), *self._of_options(rows)]

    def _difference(self, rows: pl.DataFrame, group: str, first: str) -> Estimate:
        sides = (pl.col(GROUP) == group, pl.col(GROUP) == first, f"{group} − {first}")
        lacking = f"no unit has both {group} and {first}"
        where = {GROUP: group}
        return paired_difference(
            self.suite, rows, "difference", "right", sides, where, pair_by=_PAIR, fractions=False, lacking=lacking
        )

    def _of_options(self, rows: pl.DataFrame) -> Iterator[Estimate]:
        """Chance; of yes and no, sensitivity and bias as well."""
        for piece in asked_slices(self.suite, rows):
            if self.form.chance is not None:
                yield piece.computed("chance", PROPORTION, "1 / number of options", self.form.chance)
        if self._yes_no:
            said_yes = pl.when(pl.col("answer").is_not_null()).then((pl.col("answer") == "yes").cast(pl.Float64))
            for piece in asked_slices(self.suite, rows.with_columns(said_yes.alias("said_yes"))):
                yield from detections(piece, "said_yes", pl.col("gold") == "yes", f"{OF_ANSWERED} families")

    def differences(self, first: Evidence, second: Evidence) -> list[Estimate]:
        """The accuracy of the second run − that of the first, over all and by group."""
        runs = [evidence.outcomes().with_columns(RIGHT.alias("right")) for evidence in (first, second)]
        both = rows_of_both(runs, "right", (GROUP,))
        groups = _groups(both)
        pieces = [({}, both), *(({GROUP: each}, both.filter(pl.col(GROUP) == each)) for each in groups[1:] and groups)]
        return [
            run_difference(self.suite, rows, "accuracy difference", where, fractions=False) for where, rows in pieces
        ]

    def _tables(self, results: Sequence[Result]) -> Iterable[Table]:
        grouped = len(_all_groups(results)) > 1
        note = "Of all replies; one without an answer counts as wrong. 95 % intervals over units."
        if grouped:
            note += " Differences are from the first group, over units that have both; p by sign-flip tests, Holm."
        more: dict[str, Column] = {"Difference": "difference", "p": P} if grouped else {}
        yield TableSpec(
            name=f"{self.suite}-accuracy",
            title="Accuracy by group" if grouped else "Accuracy",
            note=note,
            about=("Group",) if grouped else (),
            columns={"Accuracy": "accuracy", **more, "Units": UNITS, "Answered": TRIALS},
            rows=_rows,
        )(results)

    def _figures(self, results: Sequence[Result]) -> list[Figure]:
        groups, shown = _all_groups(results), list(results)[:MOST]
        if len(groups) < 2:
            return []
        colors, chance = model_colors(shown), self.form.chance

        def draw(canvas: Canvas) -> None:
            axes = canvas.subplots()
            for k, result in enumerate(shown):
                for x, group in enumerate(groups):
                    if estimate := valued_estimate(result, "accuracy", {GROUP: group}):
                        point(axes, x + 0.5 * ((k + 0.5) / len(shown) - 0.5), estimate, colors[result.model])
            if chance is not None:
                axes.axhline(100 * chance, color="0.6", linewidth=1, zorder=0)
            categories(axes, groups)
            open_axes(axes, "right, %")
            legend(canvas, axes, colors)

        line = " The gray line is an even guess." if chance is not None else ""
        note = f"Accuracy by group, with 95 % intervals.{line}"
        width = min(2.5 + 0.9 * len(groups), 7.2)
        return [Figure(f"{self.suite}-groups", "Accuracy by group", note, document(width, 3.0, draw))]

    def opening(self, results: Sequence[Result]) -> Opening | None:
        """A finding for each model, the most accurate first; nothing without any."""
        if not results:
            return None
        groups = _all_groups(results)
        heads = {"Accuracy": "of all replies"}
        if 1 < len(groups) <= MOST_HEADS and not _OWN_HEADS & set(groups):
            heads |= dict.fromkeys(groups, "of this group")
        heads |= {"Chance": "an even guess"} if self.form.chance is not None else {}
        findings = tuple(self._finding(result, list(heads)) for result in best_first(results, "accuracy", {}))
        title = "How often is it right, and in which group?" if len(groups) > 1 else "How often is it right?"
        return Opening(title, (self._line(groups),), rates=heads, findings=findings)

    def _line(self, groups: Sequence[str]) -> str:
        answers = {
            "yes-no": "Each question is answered yes or no.",
            "choice": f"Each answer is one of {len(self.form.options)} options, in an order drawn from the seed.",
            "number": f"Each answer is a whole number; {self.form.tolerance:g} off is still right.",
        }[self.form.kind]
        paired = f" Groups are compared with {groups[0]}, unit by unit." if len(groups) > 1 else ""
        return f"{answers}{paired} All with 95 % intervals over units."

    def _finding(self, result: Result, heads: Sequence[str]) -> Finding:
        concluded = self.verdict(result)
        rows = result.outcomes
        rates = []
        for head in heads:
            metric, where = (head.casefold(), {}) if head in _OWN_HEADS else ("accuracy", {GROUP: head})
            items = rows.filter(pl.col(GROUP) == head) if where else rows
            rates.append((find(result, metric, where), f"{items['stimulus'].n_unique():,} items"))
        reasons = Reasons(
            about="All items",
            verdict=concluded.name,
            tone=concluded.tone,
            evidence=tuple(_evidence(result)),
            parts=tuple(_compared(result)),
        )
        basis = "{:,} items of {:,} units".format(*rows.select(pl.col("stimulus", "unit").n_unique()).row(0))
        return finding(result, concluded, basis=basis, rates=rates, reasons=[reasons])

    def verdict(self, result: Result) -> RunVerdict:
        """Whether accuracy is above chance by its whole interval; of numbers, which have no chance, no verdict."""
        rows = asked_rows(result.outcomes)
        missing = most_missing(rows, (GROUP,) if len(_groups(rows)) > 1 else ())
        otherwise = (self._concluded(own) for own in self._filled(result))
        return despite_missing(missing, self._concluded(result), otherwise, "answers missing")

    def _filled(self, result: Result) -> Iterator[Result]:
        """The result with every missing reply right, and with every one wrong."""
        stage = next(iter(result.evidence.stages))
        for right in (True, False):
            rows = fill_missing(result.outcomes, correct=pl.lit(right))
            yield replace(result, outcomes=rows, estimates=self.estimates(Evidence.of({stage: rows})))

    def _concluded(self, result: Result) -> RunVerdict:
        """The verdict, whatever is missing."""
        estimate = find(result, "accuracy", {})
        bounds, chance = BoundedFigure.of(estimate), self.form.chance
        if estimate is None or bounds is None:
            return RunVerdict("open", "Accuracy is not known.", "More units are needed.", "open", ("more units",))
        sure = f"Right on {percent_of(estimate)} of all"
        if chance is None:
            return RunVerdict("measured", "A number has no chance level to compare with.", f"{sure}.", "open")
        sure = f"{sure}; an even guess on {percent(chance)}."
        if bounds.low > chance:
            return RunVerdict("above chance", "Is right more often than an even guess.", sure, "good")
        if bounds.high < chance:
            return RunVerdict("below chance", "Is right less often than an even guess.", sure, "bad")
        return RunVerdict("open", "No difference from an even guess is shown.", sure, "open", ("more units",))


def _groups(rows: pl.DataFrame) -> list[str]:
    """The groups of the items, in the order of the set."""
    return rows[GROUP].unique(maintain_order=True).to_list()


def _all_groups(results: Sequence[Result]) -> list[str]:
    return list(dict.fromkeys(group for result in results for group in _groups(result.outcomes)))


def _rows(result: Result) -> Iterator[RowHead]:
    """All items, then each group where there are several."""
    groups = _groups(result.outcomes)
    if len(groups) < 2:
        yield (), {}
        return
    heads: list[tuple[Cell, ...]] = [("all",), *((group,) for group in groups)]
    yield from zip(heads, [{}, *({GROUP: group} for group in groups)], strict=True)


def _evidence(result: Result) -> Iterator[str]:
    """The accuracy in each group in words; of yes and no, how they are told apart."""
    for group in _groups(result.outcomes):
        if rate := valued_estimate(result, "accuracy", {GROUP: group}):
            yield f"{group}: {percent_of(rate)}"
    for metric, words in (("d_prime", "d-prime"), ("criterion", "criterion")):
        each = valued_estimate(result, metric, {})
        if each and each.value is not None and each.low is not None and each.high is not None:
            yield f"{words}: {interval_text(each.value, each.low, each.high, digits=2)}"


def _compared(result: Result) -> Iterator[Reasons]:
    """A verdict on each difference from the first group, by its whole interval and its test."""
    first = _groups(result.outcomes)[0]
    for each in result.estimates:
        if each.metric != "difference":
            continue
        about = f"{each.slice[GROUP]} − {first}"
        bounds = BoundedFigure.of(each)
        if bounds is None:
            yield Reasons(about=about, verdict="open", evidence=(each.reason or "no interval",))
            continue
        verdict, tone = _direction(bounds) if each.p is None or each.p < _LEVEL else _OPEN
        p = "" if each.p is None else f", p {format_number(each.p)}"
        yield Reasons(about=about, verdict=verdict, tone=tone, evidence=(f"{bounds} points{p}",))


_OPEN: tuple[str, Tone] = ("open", "open")


def _direction(bounds: BoundedFigure) -> tuple[str, Tone]:
    if bounds.low > 0:
        return "higher", "good"
    return ("lower", "bad") if bounds.high < 0 else _OPEN
