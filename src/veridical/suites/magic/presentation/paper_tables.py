"""The paper's Tables 2 to 4 beside the runs of a report that were asked alike."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.published.tables import Find, PublishedLayout, add_run_rows
from veridical.suite.results import PublishedTable, Result, find
from veridical.suite.tables import Where, comparable_runs, join_tables
from veridical.suites.magic.analysis.magiscore import MICRO, PARTS
from veridical.suites.magic.analysis.rows import ALL_BOXES
from veridical.suites.magic.presentation.markers import judges
from veridical.suites.magic.presentation.tables.healing import self_heal

_OWN = "The paper's questions are about photographs of GQA; its judge is Qwen2.5-72B-Instruct."
_WORDS = {"precision": ("P", "Precision"), "recall": ("R", "Recall"), "f1": ("F1", "F1")}


def published_tables(results: Sequence[Result], names: Sequence[str]) -> tuple[list[PublishedTable], dict[str, str]]:
    """Tables 2 to 4 with the runs that were shown all boxes, and why each other run is left out."""
    alike, lacking = comparable_runs(results, names, _lacks)
    tables = [_main(alike), _steps(alike), _heals(alike)]
    return [table for table in tables if table is not None], lacking


def _lacks(result: Result) -> str | None:
    views = result.outcomes["settings"].str.json_path_match("$.view")
    return None if ALL_BOXES in set(views.drop_nulls()) else f"was not asked with view={ALL_BOXES}"


def _main(runs: Sequence[tuple[str, Result]]) -> PublishedTable | None:
    """Table 2, each run with its first judge."""
    own = [(name, result) for name, result in runs if find(result, "magiscore f1", {})]
    return join_tables([add_run_rows(_shown_main(judges(result)[0]), [(name, result)]) for name, result in own])


def _answers(judge: str | None, rubric: str) -> Find:
    """By the judge; by the reader where nobody judged, which marks short answers."""
    if judge is not None:
        return f"{rubric} accuracy", {"judge": judge, "rubric": rubric}
    return ("accuracy" if rubric == "short" else "full accuracy"), {}


def _shown_main(judge: str | None) -> PublishedLayout:
    columns: dict[str, tuple[str, Find]] = {
        "Full": ("Final Answer / Full", _answers(judge, "full")),
        "Short": ("Final Answer / Short", _answers(judge, "short")),
    }
    for average, where in (("Macro", {}), ("Micro", MICRO)):
        for part in PARTS:
            short, name = _WORDS[part]
            place: Find = (f"magiscore {part}", where)
            columns[f"{short} {average.lower()}"] = (f"MagiScore ({average}) / {name}", place)
    return PublishedLayout(
        title="Answers and focus, as published",
        note=f"Where nobody judged, short answers are marked by the reader. {_OWN}",
        source="MagiC, Table 2",
        paper="magic",
        table="2",
        group=None,
        columns=columns,
    )


def _steps(runs: Sequence[tuple[str, Result]]) -> PublishedTable | None:
    own = [(name, result) for name, result in runs if find(result, "stepsense", {})]
    return join_tables([add_run_rows(_shown_steps(judges(result)[0]), [(name, result)]) for name, result in own])


def _shown_steps(judge: str | None) -> PublishedLayout:
    return PublishedLayout(
        title="Right steps, as published",
        note=f"StepSense of the runs is by rule, of checkable steps; the paper's is by people. {_OWN}",
        source="MagiC, Table 3",
        paper="magic",
        table="3",
        group=None,
        columns={
            "StepSense": ("Accuracy / StepSense", ("stepsense", {})),
            "Answer": ("Accuracy / Answer", _answers(judge, "short")),
        },
    )


def _heals(runs: Sequence[tuple[str, Result]]) -> PublishedTable | None:
    """Table 4: healing of prefilled mistakes by the first judge, with the request to correct where it was made."""
    own = [(name, result, heals) for name, result in runs if (heals := self_heal(result))]
    return join_tables([add_run_rows(_shown_heals(heals.slice), [(name, result)]) for name, result, heals in own])


def _shown_heals(where: Where) -> PublishedLayout:
    return PublishedLayout(
        title="Self-Heal, as published",
        note="Heals: the mistake is named and corrected, as the paper's judge is asked; states: what is right is "
        f"stated, as its text defines. {_OWN}",
        source="MagiC, Table 4",
        paper="magic",
        table="4",
        group=None,
        columns={"Heals": ("Self-Heal", ("heals", where)), "States": ("", ("states", where))},
    )
