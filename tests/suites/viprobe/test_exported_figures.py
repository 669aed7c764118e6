"""`report --export`: figures as CSV and JSON, held against `metrics --json`, and a table for a pull request."""

import csv
import io
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import veridical
from tests.calling import call
from tests.suites.viprobe.test_exchange import SMALL
from veridical.base.format import visible
from veridical.report.export import FIELDS, place
from veridical.report.latex import escape_latex
from veridical.verbs import export

pytestmark = pytest.mark.usefixtures("no_figures", "no_verdicts")
HOSTILE = "=m|`*_<b>\n\x1b[31m"


@pytest.fixture
def cli(monkeypatch, capsys):
    return lambda *words: call(monkeypatch, capsys, *words)


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Two observers, and the second of them once more."""
    folder = tmp_path_factory.mktemp("exported")
    stimuli = veridical.make("viprobe", out=folder / "set", **SMALL)
    for name in ("pixel", "prior"):
        veridical.run(stimuli, f"veridical/{name}", out=folder / name, show="quiet")
    return folder / "pixel", folder / "prior", folder / "prior"


def expected(cli, runs):
    """One row for each model and estimate as `metrics --json` has them."""
    for name, run in zip(("pixel", "prior", "prior (2)"), runs, strict=True):
        for each in json.loads(cli("metrics", run, "--json")[1]):
            counts = each.pop("counts")
            row = each | {"n": each.pop("n_units"), "model": f"veridical/{name}", "group": None}
            row |= {key: counts[key] for key in ("planned", "asked", "answered")}
            yield row | {"unanswered": sum(counts[key] for key in ("unparsed", "refused", "truncated", "error"))}


def test_json_has_every_estimate_of_every_model(cli, runs):
    code, out, _ = cli("report", *runs, "--export", "json")
    assert code == 0
    assert json.loads(out) == list(expected(cli, runs))
    assert all(tuple(row) == FIELDS for row in json.loads(out))


def test_csv_holds_the_same(cli, runs):
    out = cli("report", *runs, "--export", "csv")[1]
    rows = list(csv.DictReader(io.StringIO(out)))
    assert tuple(rows[0]) == FIELDS
    for row, wanted in zip(rows, expected(cli, runs), strict=True):
        for name in FIELDS:
            value = place(wanted[name]) if name == "slice" else wanted[name]
            number = isinstance(value, int | float)
            assert (float(row[name]) if number else row[name]) == ("" if value is None else value)


def test_markdown_is_a_table_of_the_main_figures_as_people_read_them(cli, runs):
    code, out, _ = cli("report", *runs[:2], "--export", "markdown")
    head, _, *rows = [line for line in out.splitlines() if line.startswith("|")]
    assert code == 0
    assert head == "| Model | Figure | Value | 95 % interval | Base items | Unanswered |"
    assert len({len(re.findall(r"(?<!\\)\|", line)) for line in (head, *rows)}) == 1
    shown = {(e["metric"], *e["slice"].values()): e for e in json.loads(cli("metrics", runs[0], "--json")[1])}
    assert f"| PFA, original | {100 * shown['PFA', 'O']['value']:.1f} % |" in rows[1]
    assert f"| PFA, perturbed | {100 * shown['PFA', 'P']['value']:.1f} % |" in rows[2]
    assert sum(row.startswith("| veridical/prior |") for row in rows) == len(rows) / 2
    for letter in re.findall(r"undefined \((\w)\)", out):
        assert f"\n- ({letter}) " in out


def test_a_file_is_written_and_named(cli, runs, tmp_path):
    code, out, _ = cli("report", runs[0], "--export", "csv", "--out", tmp_path / "new" / "f.csv")
    assert (code, out.split()[0]) == (0, str(tmp_path / "new" / "f.csv"))
    text = (tmp_path / "new" / "f.csv").read_text()
    assert text == cli("report", runs[0], "--export", "csv")[1]
    facts = json.loads(cli("report", runs[0], "--export", "csv", "--out", tmp_path / "f.csv", "--json")[1])
    assert facts == {"export": str(tmp_path / "f.csv"), "bytes": (tmp_path / "f.csv").stat().st_size}
    assert not (runs[0] / "report.html").exists()


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("--export", "xml"), "veridical: unknown form of --export 'xml': known: csv, json, latex, markdown\n"),
        (("--export", "csv", "--json"), "veridical: --export prints the figures, --json what was written: "),
    ],
)
def test_what_cannot_be_exported_is_one_line(cli, runs, words, line):
    code, out, err = cli("report", runs[0], *words)
    assert (code, out) == (2, "")
    assert err.startswith(line)


def test_latex_has_a_row_for_each_main_figure_and_a_column_for_each_run_with_the_best_in_bold(cli, runs):
    code, out, _ = cli("report", *runs[:2], "--export", "latex")
    assert code == 0
    assert out.startswith("% \\usepackage{booktabs}\n\\begin{tabular}{lrr}\n\\toprule\n")
    rows = [line.removesuffix(r" \\").split(" & ") for line in out.splitlines() if line.endswith(r" \\")]
    assert rows[0] == ["Figure", "veridical/pixel", "veridical/prior"]
    shown = [
        {(e["metric"], *e["slice"].values()): e for e in json.loads(cli("metrics", run, "--json")[1])} for run in runs
    ]
    measures = veridical.open_run(runs[0]).suite.analysis.measures
    for title, key in (("PFA", ("PFA",)), ("PFA, perturbed", ("PFA", "P")), ("CbW", ("CbW",))):
        (row,) = [row for row in rows if row[0] == title]
        own = [each[key] for each in shown[:2]]
        best = (max if measures[key[0]].better == "higher" else min)(each["value"] for each in own)
        for cell, each in zip(row[1:], own, strict=True):
            value = f"{100 * each['value']:.1f} \\%"
            interval = f"[{100 * each['low']:.1f}, {100 * each['high']:.1f}]"
            bold = rf"\textbf{{{value}}}" if each["value"] == best else value
            assert cell == f"{bold} {interval}"
    assert rows[-2] == ["Base items", "2", "2"]
    for letter in re.findall(r"(?<=--\\textsuperscript{)\w(?=})", out):
        assert rf"{{\footnotesize \textsuperscript{{{letter}}} " in out
    assert "textbf" not in cli("report", runs[0], "--export", "latex")[1]
    assert cli("report", *runs, "--export", "latex")[1].count("& veridical/prior") == 2


LATEX = {
    **{f"\\{each}": each for each in "&%$#_{}"},
    **{rf"\text{name}{{}}": each for name, each in zip(("asciitilde", "asciicircum", "bar"), "~^|", strict=True)},
    **{rf"\text{name}{{}}": each for name, each in zip(("less", "greater", "backslash"), "<>\\", strict=True)},
    r"\textasciigrave{}": "`",
    "{[}": "[",
    "{*}": "*",
    "{}": "",
}
"""What LaTeX shows for the commands that a text may hold."""


def as_latex_shows(text):
    """The characters that LaTeX shows; fails at one that would be a command, a ligature, or an option of a row."""
    shown, at = [], 0
    while at < len(text):
        command = next((each for each in sorted(LATEX, key=len, reverse=True) if text.startswith(each, at)), None)
        assert command or text[at] not in "\\{}$&#^_~%[*", text[at:]
        shown.append(LATEX[command] if command else text[at])
        at += len(command or " ")
    assert not re.search("--|''|,,", text)
    return "".join(shown)


@given(st.text(st.characters(codec="ascii", exclude_characters='"')) | st.text("\\{}-',[*%& _$"))
def test_latex_shows_a_foreign_text_as_it_is(text):
    assert as_latex_shows(escape_latex(text)) == " ".join(visible(text).replace("\t", " ").split())


def test_a_hostile_name_breaks_no_form(runs, tmp_path):
    run = veridical.open_run(runs[0])
    run.run.identity["model"] = HOSTILE
    assert json.loads(export([run], "json"))[0]["model"] == HOSTILE
    assert next(csv.DictReader(io.StringIO(export([run], "csv"))))["model"].startswith("'=m|")
    row = export([run], "markdown").splitlines()[2]
    heads = next(line for line in export([run, runs[1]], "latex").splitlines() if line.startswith("Figure & "))
    assert (
        heads == r"Figure & =m\textbar{}\textasciigrave{}{*}\_\textless{}b\textgreater{} ␛{[}31m & veridical/prior \\"
    )
    assert row.startswith("| =m\\|\\`\\*\\_\\<b\\> ␛\\[31m | ")
