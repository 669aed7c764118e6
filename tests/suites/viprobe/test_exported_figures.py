"""`report --export`: figures as CSV and JSON, held against `metrics --json`, and a table for a pull request."""

import csv
import io
import json
import re

import pytest

import veridical
from tests.calling import call
from tests.suites.viprobe.test_exchange import SMALL
from veridical.report.export import FIELDS, place
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
        (("--export", "xml"), "veridical: unknown form of --export 'xml': known: csv, json, markdown\n"),
        (("--export", "csv", "--json"), "veridical: --export prints the figures, --json what was written: "),
    ],
)
def test_what_cannot_be_exported_is_one_line(cli, runs, words, line):
    code, out, err = cli("report", runs[0], *words)
    assert (code, out) == (2, "")
    assert err.startswith(line)


def test_a_hostile_name_breaks_no_form(runs, tmp_path):
    run = veridical.open_run(runs[0])
    run.run.identity["model"] = HOSTILE
    assert json.loads(export([run], "json"))[0]["model"] == HOSTILE
    assert next(csv.DictReader(io.StringIO(export([run], "csv"))))["model"].startswith("'=m|")
    row = export([run], "markdown").splitlines()[2]
    assert row.startswith("| =m\\|\\`\\*\\_\\<b\\> ␛\\[31m | ")
