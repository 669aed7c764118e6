"""The H-Index as bars: by family and size of the models, where a user states them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from veridical.base.charts import WIDTH, document, shortened
from veridical.records import Estimate
from veridical.suite.results import Figure, Result
from veridical.suites.hocabench.presentation.figures.colors import COLORS
from veridical.suites.hocabench.presentation.judging import by_judge, index, judge_name, judges, mode

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

_MOST = 40
Bar = tuple[Result, str, Estimate]


def index_bars(results: Sequence[Result]) -> Figure | None:
    """A bar for each model and judge, with its interval; nothing where no explanation is judged."""
    bars: list[Bar] = []
    for result, judge in by_judge(results):
        estimate = index(result, judge, "paper")
        if estimate is not None and estimate.value is not None:
            bars.append((result, _label(result, judge_name(result, judge)), estimate))
    if not bars:
        return None
    note = (
        "H-Index with 95 % intervals: families together, larger models below smaller ones, where models.toml states "
        "them. Striped: thinking mode."
    )
    ordered = sorted(bars, key=_place)[:_MOST]
    return Figure("hocabench-index", "H-Index by family and size", note, _drawn(ordered))


def _label(result: Result, judge: str | None) -> str:
    size = result.about.size if result.about else None
    facts = [f"{size:g} B" if size is not None else "", mode(result) or ""]
    facts += [f"by {judge}"] if len(judges(result)) > 1 and judge else []
    extra = ", ".join(filter(None, facts))
    return shortened(result.model, 46) + (f"\n{shortened(extra, 40)}" if extra else "")


def _family(result: Result) -> str:
    about = result.about
    return (about.family or about.group or "") if about else ""


def _place(bar: Bar) -> tuple[bool, str, float, bool]:
    result = bar[0]
    about = result.about
    size = about.size if about and about.size is not None else 0.0
    return not _family(result), _family(result), size, bool(about and about.thinking)


def _drawn(bars: Sequence[Bar]) -> str:
    families = list(dict.fromkeys(_family(result) for result, _, _ in bars))
    colors = {family: COLORS[k % len(COLORS)] for k, family in enumerate(families)}

    def draw(canvas: Canvas) -> None:
        axes = canvas.subplots()
        for place, (result, _, estimate) in enumerate(bars):
            value = 100 * (estimate.value or 0.0)
            hatch = "///" if result.about and result.about.thinking else None
            axes.barh(place, value, 0.7, color=colors[_family(result)], hatch=hatch, edgecolor="white", linewidth=0)
            if estimate.low is not None and estimate.high is not None:
                axes.plot([100 * estimate.low, 100 * estimate.high], [place, place], color="0.1", linewidth=1)
        axes.spines[["top", "right"]].set_visible(False)
        axes.set_yticks(range(len(bars)), [label for _, label, _ in bars])
        axes.invert_yaxis()
        axes.set_xlim(0, 100)
        axes.set_xlabel("H-Index")
        _legend(canvas, {family: color for family, color in colors.items() if family})

    return document(WIDTH, 1.0 + 0.42 * len(bars), draw)


def _legend(canvas: Canvas, colors: Mapping[str, str]) -> None:
    from matplotlib.patches import Patch

    if len(colors) > 1:
        keys = [Patch(color=color, label=shortened(family, 40)) for family, color in colors.items()]
        canvas.legend(handles=keys, loc="outside lower center", ncols=min(len(keys), 4), frameon=False, fontsize=8)
