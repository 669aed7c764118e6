"""The main figures of runs as LaTeX, for a paper: a row for each figure, a column for each run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from veridical.base.format import format_interval, format_value, visible
from veridical.records import Counts, Estimate
from veridical.report.main_figures import figure_title, main_figures
from veridical.report.runs import labels
from veridical.report.view import note_letter
from veridical.suite.record import Suite
from veridical.suite.results import Result
from veridical.suite.unanswered_replies import unanswered_by_reason

_SPECIAL = {
    **{character: f"\\{character}" for character in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "`": r"\textasciigrave{}",
    '"': "''",
    # A row that begins with one of these would give it to the end of the row before as an option.
    "[": "{[}",
    "*": "{*}",
    "−": "$-$",
    "≥": r"$\geq$",
    "≤": r"$\leq$",
    "×": r"$\times$",
    "\N{PRIME}": "$'$",
    "κ": r"$\kappa$",
    "°": r"\textdegree{}",
    "…": r"\ldots{}",
    "–": "--",
    "—": "---",
    "“": "``",
    "”": "''",
}
_LIGATURES = "-',"
"""Characters two of which are drawn as a dash or a quotation mark."""
PACKAGE = r"% \usepackage{booktabs}"
"""What a table needs, as a comment before it."""


def latex_text(runs: Sequence[tuple[Suite, Result]]) -> str:
    """One `tabular` for each suite, with the rules of booktabs: the main figures with their intervals in brackets.

    The best value of several runs is in bold where a figure says which direction is better, and so is every value that
    is shown alike. Below stand why figures are undefined, and which runs lack answers.
    """
    suites = {suite.name: suite for suite, _ in runs}
    parts = [_table(suite, [result for own, result in runs if own.name == name]) for name, suite in suites.items()]
    return "\n".join([PACKAGE, *parts])


def escape_latex(text: str) -> str:
    r"""A text as LaTeX shows it, in one line; no character of it is a command, and no two are drawn as another one.

    >>> print(escape_latex("50 % of a_b & c--d"))
    50 \% of a\_b \& c-{}-d
    """
    plain = " ".join(visible(text).split())
    parts = []
    for before, character in zip(f" {plain}", plain, strict=False):
        parts += ["{}"] if character == before and character in _LIGATURES else []
        parts.append(_SPECIAL.get(character, character))
    return "".join(parts)


def _table(suite: Suite, results: Sequence[Result]) -> str:
    figures = [{(e.metric, *e.slice.values()): e for e in main_figures(suite, result)} for result in results]
    letters: dict[str, str] = {}
    names = [escape_latex(name) for name in labels(results)]
    rows = [
        [escape_latex(figure_title(suite, own[0])), *_cells(suite, [of.get(key) for of in figures], letters)]
        for key in dict.fromkeys(key for of in figures for key in of)
        if (own := [of[key] for of in figures if key in of])
    ]
    lines = booktabs(["Figure", *names], rows, list(_counts(results)))
    notes = [rf"\textsuperscript{{{letter}}} {escape_latex(reason)}" for reason, letter in letters.items()]
    for name, result in zip(names, results, strict=True):
        trouble = unanswered_by_reason(result.outcomes)
        notes += [f"{name}: {escape_latex(trouble.line())}"] if trouble.count else []
    return "\n".join([*lines, *(rf"\par{{\footnotesize {note}\par}}" for note in notes), ""])


def booktabs(head: Sequence[str], *groups: Sequence[Sequence[str]]) -> list[str]:
    """The lines of a `tabular` whose cells are LaTeX, with a rule of booktabs before each group of rows."""
    lines = [rf"\begin{{tabular}}{{l{'r' * (len(head) - 1)}}}", r"\toprule", _row(head)]
    for rows in groups:
        lines += [r"\midrule", *map(_row, rows)]
    return [*lines, r"\bottomrule", r"\end{tabular}"]


def _row(cells: Sequence[str]) -> str:
    return f"{' & '.join(cells)} \\\\"


def _cells(suite: Suite, estimates: Sequence[Estimate | None], letters: dict[str, str]) -> Iterator[str]:
    """A figure of each run; a reason stands in `letters`, under which it is explained below the table."""
    best = _best(suite, [each for each in estimates if each])
    for each in estimates:
        if each is None:
            yield "--"
            continue
        shown = _value(each)
        value = rf"\textbf{{{shown}}}" if shown in best else shown
        if each.reason:
            value += rf"\textsuperscript{{{letters.setdefault(each.reason, note_letter(len(letters)))}}}"
        bounds = format_interval(each)[1:-1]
        yield f"{value} [{escape_latex(bounds)}]" if bounds else value


def _value(estimate: Estimate) -> str:
    return "--" if estimate.value is None else escape_latex(format_value(estimate.value, estimate.unit))


def _best(suite: Suite, estimates: Sequence[Estimate]) -> set[str]:
    """The best value as it is shown; none of a single run, nor where no direction is better."""
    measure = suite.analysis.measures.get(estimates[0].metric)
    valued = [each for each in estimates if each.value is not None]
    if measure is None or measure.better is None or len(valued) < 2:
        return set()
    best = (max if measure.better == "higher" else min)(valued, key=lambda each: each.value or 0.0)
    return {_value(best)}


def _counts(results: Sequence[Result]) -> Iterator[list[str]]:
    """The number of base items of each run, and how many of its trials have no answer."""
    yield ["Base items", *(f"{result.outcomes['unit'].n_unique():,}" for result in results)]
    counts = [Counts.of(result.outcomes) for result in results]
    yield ["Unanswered", *(f"{each.asked - each.answered:,} of {each.asked:,}" for each in counts)]
