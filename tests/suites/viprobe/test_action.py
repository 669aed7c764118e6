"""The action for continuous integration: its script is run as the runner does, and its summary is read."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

import veridical
from tests.suites.viprobe.test_exchange import SMALL

pytestmark = pytest.mark.usefixtures("no_figures", "no_verdicts", "one_process")
ROOT = Path(__file__).parents[3]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text())
INSTALL, GATE = ACTION["runs"]["steps"]
SHELL = ("bash", "--noprofile", "--norc", "-eo", "pipefail")
"""How a runner starts the shell of a step."""


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """A run that sees, one that recalls, and one with a reply that would be read as Markdown and as a command."""
    folder = tmp_path_factory.mktemp("action runs")
    made = veridical.make("viprobe", out=folder / "set", **SMALL)
    for name in ("pixel", "prior"):
        veridical.run(made, f"veridical/{name}", out=folder / name, show="quiet")
    replies = [{"id": each.id, "text": "```\n## Passed\n::notice::x"} for each in trials(folder / "pixel")]
    (folder / "replies.jsonl").write_text("".join(json.dumps(each) + "\n" for each in replies))
    options = {"model_args": {"answers": folder / "replies.jsonl"}, "show": "quiet"}
    with pytest.warns(veridical.UnansweredWarning):
        veridical.run(made, "veridical/replay", out=folder / "hostile", **options)
    return folder


def trials(folder):
    return veridical.open_run(folder).run.trials()


@pytest.fixture
def gate(runs, tmp_path):
    """Runs the step with some inputs; returns its exit code, output, errors, and the job's summary."""
    command = tmp_path / "bin" / "veridical"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m veridical "$@"\n')
    command.chmod(0o755)
    (tmp_path / "step.sh").write_text(GATE["run"])

    def called(**inputs):
        given = {name: each.get("default", "") for name, each in ACTION["inputs"].items()}
        given |= {name.replace("_", "-"): str(value) for name, value in inputs.items()}
        own = {name: given[text.strip("${} ").removeprefix("inputs.")] for name, text in GATE["env"].items()}
        summary = tmp_path / "summary.md"
        summary.write_text("before\n")
        environment = {**os.environ, **own, "GITHUB_STEP_SUMMARY": str(summary)}
        environment["PATH"] = f"{command.parent}{os.pathsep}{os.environ['PATH']}"
        words = (*SHELL, str(tmp_path / "step.sh"))
        done = subprocess.run(words, env=environment, cwd=runs, capture_output=True, text=True, check=False)
        text = summary.read_text()
        assert text.startswith("before\n")
        return done.returncode, done.stdout, done.stderr, text

    return called


def test_every_input_reaches_the_script_as_a_variable_and_no_other_way():
    assert {text.strip("${} ").removeprefix("inputs.") for text in GATE["env"].values()} == {*ACTION["inputs"]} - {
        "install"
    }
    assert "${{" not in GATE["run"] + INSTALL["run"]


def test_a_gate_that_passes_puts_the_table_into_the_summary(gate, runs):
    code, out, _, summary = gate(run="pixel", fail_if="PFA<0.5\n\n  low(PFA[variant=P]) < 0\r\n")
    assert code == 0
    assert veridical.verbs.export([runs / "pixel"], "markdown") in summary
    assert summary.rstrip().endswith("The gate passed.")
    assert "PFA" in out


def test_a_gate_that_fails_says_why_in_both_places_and_ends_with_one(gate, runs):
    conditions = {"fail_if": "PFA<0.9\nPFA<-1", "fail_if_difference": "high(PFA difference)<1000"}
    code, _, err, summary = gate(run="prior", baseline="pixel", **conditions)
    assert code == 1
    assert veridical.verbs.export([runs / "pixel", runs / "prior"], "markdown") in summary
    _, _, told = summary.partition("**The gate failed**\n\n")
    assert [line.removeprefix("    ") for line in told.splitlines()] == err.splitlines()
    assert [line.split(": ")[1] for line in err.splitlines()] == ["PFA<0.9", "high(PFA difference)<1000"]


@pytest.mark.parametrize(
    ("inputs", "told"),
    [
        ({"run": "pixel", "fail_if": "PFX<0.5"}, "did you mean 'PF"),
        ({"run": "pixel", "fail_if": "PFA"}, "NAME<NUMBER is allowed"),
        ({"run": "nowhere", "fail_if": "PFA<0.5"}, "nowhere holds no run"),
        ({"run": "--help", "fail_if": "PFA<0.5"}, "--help holds no run"),
        ({"run": "$(touch made)", "fail_if": "PFA<0.5"}, "$(touch made) holds no run"),
        ({"run": "pixel", "fail_if": " \n"}, "the gate needs a condition"),
        ({"run": "pixel", "fail_if_difference": "PFA difference<0"}, "fail-if-difference needs a baseline"),
    ],
)
def test_wrong_input_is_one_line_and_exit_code_two(gate, runs, inputs, told):
    code, _, err, summary = gate(**inputs)
    assert code == 2
    (line,) = err.splitlines()
    assert line.startswith("veridical: ")
    assert told in line
    assert "passed" not in summary
    assert not (runs / "made").exists()


def test_a_reply_is_neither_markup_of_the_summary_nor_a_command_to_the_runner(gate):
    code, out, err, summary = gate(run="hostile", fail_if="no_pair>0.05")
    assert code == 1
    assert "Passed" in err
    for line in summary.splitlines():
        assert "Passed" not in line or line.startswith(("    ", "| ", "- "))
        assert "```" not in line or line.startswith("    ")
    assert not [line for line in (out + err).splitlines() if line.lstrip().startswith("::")]
