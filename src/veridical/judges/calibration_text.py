"""A calibration for people: its figures and tables as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from veridical.base.format import visible
from veridical.base.markdown import table
from veridical.judges.calibrate_pairs import NamedFigure
from veridical.judges.calibrate_tables import CrossTable
from veridical.judges.calibration import Calibration
from veridical.judges.people import People
from veridical.stats import Statistic

_RATES = ("judged mean", "corrected mean", "mean of labels")
_NOTES = (
    "The reference is the mean label of each reply; only the means of a model are weighted to all replies. Verdicts "
    "that were not read are in no figure, and are counted. Noise is added to the reference, in its standard "
    "deviations. Percentage error: mean |score − reference| / reference; replies of reference 0 have none and are left "
    "out. False positives: scores above 0 on planted impossible answers. Corrected mean: prediction-powered, from the "
    "judge's scores of all replies and people's labels of some."
)


def calibration_markdown(calibration: Calibration, people: People) -> str:
    """The calibration as Markdown: figures by rubric and score, rates, tables of counts, and verdicts by status."""
    count = people.labels["person"].n_unique()
    who = "1 person" if count == 1 else f"{count:,} people"
    parts = [f"{len(people.labels):,} labels of {who}; {people.blank:,} blank"]
    parts += [
        f"Agreement among people on {_cell(score)} (Krippendorff's alpha): {_value(each)}"
        for score, each in people.agreement.items()
    ]
    groups = dict.fromkeys(
        (each.about["rubric"], each.about["score"]) for each in calibration.estimates if "rubric" in each.about
    )
    for rubric, score in groups:
        own = [
            each for each in calibration.estimates if (each.about.get("rubric"), each.about["score"]) == (rubric, score)
        ]
        parts.append(f"## {_cell(rubric)}: {_cell(score)}")
        figures = [each for each in own if each.name not in _RATES]
        if figures:
            parts.append(table(["judge", "figure", "value [95 %]", "replies", "not read"], map(_figure, figures)))
        parts.append(table(["judge", "model", *_RATES], _rates(own)))
        parts += [_cross(each) for each in calibration.tables if (each.rubric, each.score) == (rubric, score)]
    parts.append("## Verdicts by status")
    rows = [[_cell(str(cell)) for cell in row] for row in calibration.verdicts.iter_rows()]
    parts += [table(calibration.verdicts.columns, rows), _NOTES]
    return "\n\n".join(parts)


def _figure(each: NamedFigure) -> Sequence[str]:
    about = each.about
    other = f" and {about['other']}" if "other" in about else ""
    noise = f", noise {about['noise']}" if "noise" in about else ""
    left_out = getattr(each.statistic, "left_out", 0)
    replies = f"{each.statistic.n:,}" + (f", {left_out:,} of reference 0 left out" if left_out else "")
    judge = _cell(f"{about.get('judge', 'all')}{other}")
    return [judge, f"{each.name}{noise}", _value(each.statistic), replies, f"{each.unread:,}"]


def _rates(own: Sequence[NamedFigure]) -> Iterator[Sequence[str]]:
    by_judge: dict[tuple[str, str], dict[str, Statistic]] = {}
    for each in own:
        if each.name in _RATES:
            by_judge.setdefault((each.about["judge"], each.about["model"]), {})[each.name] = each.statistic
    for (judge, model), by_name in by_judge.items():
        yield [_cell(judge), _cell(model), *(_value(by_name[name]) for name in _RATES)]


def _cross(each: CrossTable) -> str:
    head = ["person", *map(_cell, each.judges), "replies"]
    return table(head, [[str(cell) for cell in row] for row in each.counts.iter_rows()])


def _value(each: Statistic) -> str:
    if each.value is None:
        return f"undefined ({each.reason})"
    if each.low is None and each.high is None:
        return f"{each.value:.3f} [no interval: {each.reason}]"
    low, high = ("?" if bound is None else f"{bound:.3f}" for bound in (each.low, each.high))
    return f"{each.value:.3f} [{low}, {high}]"


def _cell(text: str) -> str:
    """Foreign text as a cell: in one line, and without what would end the cell."""
    return " ".join(visible(text).split()).replace("|", "\\|")
