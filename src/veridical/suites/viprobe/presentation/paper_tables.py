"""Published results beside the runs of a report: as printed, where a run was asked under the same conditions."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.published.tables import PublishedLayout, add_run_rows
from veridical.suite.findings import valued_estimate
from veridical.suite.results import PublishedTable, Result
from veridical.suite.tables import comparable_runs

_TYPES = {"Original": "O", "Perturbed": "P", "Control original": "OC", "Control perturbed": "PC"}
SHOWN = (
    PublishedLayout(
        title="Isolating the illusion with matched controls",
        note="Accuracy is PFA, both polarities right, pooled over the pictures of a type. PFC of the runs is the plain "
        "mean over the four types; the paper's formula pools over pictures. R = |O − P| / (|OC − PC| + 0.001).",
        source="Sun et al. 2026, arXiv:2601.22150, Table 2",
        paper="viprobe",
        table="2",
        group=None,
        columns={
            "PFC": ("PFC", ("PFC", {})),
            "Original": ("illusion / original", ("PFA", {"variant": "O"})),
            "Perturbed": ("illusion / perturbed", ("PFA", {"variant": "P"})),
            "Control original": ("control / original", ("PFA", {"variant": "OC"})),
            "Control perturbed": ("control / perturbed", ("PFA", {"variant": "PC"})),
            "R": ("R", ("R", {})),
        },
    ),
    PublishedLayout(
        title="Consistency over question polarity",
        note="Plain mean over O, P, OC, PC; the figure's setup names hinted pictures as a fifth. It has no printed "
        "values: these are quoted in its text, with a dash where none is. Its PFC is not that of Table 2.",
        source="Sun et al. 2026, arXiv:2601.22150, Figure 4 as quoted in section 4.2.1",
        paper="viprobe",
        table="text",
        group="Figure 4",
        columns={name: (name, (name, {})) for name in ("PFC", "PFA", "CbW", "TFI")},
    ),
)


def published_tables(results: Sequence[Result], names: Sequence[str]) -> tuple[list[PublishedTable], dict[str, str]]:
    """The published tables with the runs whose conditions match, and why each other run is left out.

    The conditions are those of the published numbers: yes-no questions in both polarities without an instruction, on
    all four picture types. Pictures, prompts and dates are others in any case. Where no run matches there is no table.
    """
    matching, lacking = comparable_runs(results, names, _lacks)
    return [add_run_rows(shown, matching) for shown in SHOWN] if matching else [], lacking


def _lacks(result: Result) -> str | None:
    """What a run lacks for its numbers to stand in the published columns."""
    instruction = result.outcomes["settings"].str.json_path_match("$.instruction").fill_null("none")
    if not (instruction == "none").any():
        return "had an instruction with every question"
    missing = [name for name in _TYPES.values() if not valued_estimate(result, "PFA", {"variant": name})]
    return f"has no pair of questions on pictures {', '.join(missing)}" if missing else None
