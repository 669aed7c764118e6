"""How the probe is shown."""

from __future__ import annotations

from collections.abc import Sequence

from tests.probe_suite.design import FAMILIES
from veridical.base.charts import document
from veridical.records import Json, Stimulus
from veridical.suite.opening import Opening
from veridical.suite.parts import PresentationPart
from veridical.suite.results import Figure, Result, Table, find


def tables(results: Sequence[Result]) -> list[Table]:
    rows = tuple(
        (result.model, find(result, "accuracy", {}), find(result, "closeness", {}), len(result.outcomes))
        for result in results
    )
    columns = ("Model", "Accuracy", "Closeness", "Trials")
    return [Table("probe-main", "What the probe found", "Pooled over families.", columns, rows)]


def figures(results: Sequence[Result]) -> list[Figure]:
    def draw(canvas):
        axes = canvas.subplots()
        for place, result in enumerate(results):
            found = [find(result, "accuracy", {"family": family}) for family in FAMILIES]
            heights = [each.value if each else 0 for each in found]
            axes.bar([k + place / 10 for k in range(len(FAMILIES))], heights, width=0.1)

    return [Figure("probe-families", "Accuracy by family", "Of all trials.", document(4, 2, draw))]


def opening(results: Sequence[Result]) -> Opening:
    best = max(results, key=lambda result: find(result, "accuracy", {}).value)
    return Opening("The probe in one line", (f"Most right: {best.model}.",))


def facts(stimulus: Stimulus) -> Sequence[tuple[str, Json, Json]]:
    return (
        [("dots in the picture", stimulus.truth["dots"], stimulus.measured.get("dots"))]
        if "dots" in stimulus.truth
        else []
    )


PRESENTATION = PresentationPart(
    variants={"easy": "Easy item", "hard": "Hard item"}, tables=tables, figures=figures, opening=opening, facts=facts
)
