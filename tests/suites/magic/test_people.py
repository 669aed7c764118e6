"""People's labels: blinded tables out, labels back in, shares, counts and agreement."""

from __future__ import annotations

import csv
import json

import polars as pl
import pytest
from typer.testing import CliRunner

import veridical
from tests.suites.magic.healed_runs import reasoned_runs
from veridical.errors import InputError
from veridical.suites.magic.commands import app
from veridical.suites.magic.people.labels import (
    error_patterns,
    read_errors,
    read_steps,
    stepsense,
    write_errors,
    write_sheet,
    write_steps,
)
from veridical.suites.magic.steps import PATTERNS, check_steps


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    return reasoned_runs(tmp_path_factory.mktemp("magic"))


def table(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def fill(source, out, person, **cells):
    """A copy of a table, filled in by a person: functions of a row by column."""
    rows = table(source)
    for row in rows:
        row |= {"person": person} | {name: cell(row) for name, cell in cells.items()}
    with out.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return out


def values(estimates, metric, **where):
    return [each for each in estimates if each.metric == metric and where.items() <= each.slice.items()]


def test_every_step_of_a_reply_stands_in_order_and_nothing_tells_whose_it_is(runs, tmp_path):
    replies, steps, key = write_steps(runs, tmp_path / "steps.csv", count=None)
    rows = table(tmp_path / "steps.csv")
    assert (replies, steps) == (2 * 7, len(rows))
    numbers = {
        reply: [int(row["number"]) for row in rows if row["reply"] == reply] for reply in {r["reply"] for r in rows}
    }
    assert all(each == list(range(1, len(each) + 1)) for each in numbers.values())
    text = (tmp_path / "steps.csv").read_text()
    assert "simulated" not in text
    assert "mechanism" not in text
    assert "Answer" not in text
    assert {row["item"] for row in table(key)} == {row["item"] for row in rows}
    assert len({row["model"] for row in table(key)}) == 1


def test_a_sample_is_seeded_and_spread_over_types(runs, tmp_path):
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        write_steps(runs, tmp_path / f"{name}.csv", count=4, seed=seed)
    texts = [(tmp_path / f"{name}.csv").read_text() for name in "abc"]
    assert texts[0] == texts[1] != texts[2]
    kinds = {row["trial"]: row["category"] for row in table(tmp_path / "a-key.csv")}
    assert sorted(kinds.values()) == ["query", "query", "verify", "verify"]


def test_the_share_of_right_steps_is_that_of_the_labels(runs, tmp_path):
    _, _, key = write_steps(runs, tmp_path / "steps.csv", count=None)
    wrong = {row["item"] for row in table(tmp_path / "steps.csv") if "look" in row["step"] and "which" in row["step"]}
    first = fill(
        tmp_path / "steps.csv", tmp_path / "one.csv", "ann", label=lambda row: "no" if row["item"] in wrong else ""
    )
    share = stepsense(read_steps([first], key))[0]
    assert share.value == 0
    some = sorted(wrong)[: len(wrong) // 4]
    second = fill(
        tmp_path / "steps.csv",
        tmp_path / "two.csv",
        "bob",
        label=lambda row: ("Yes" if row["item"] in some else "0") if row["item"] in wrong else "",
    )
    both = stepsense(read_steps([first, second], key))
    (by_bob,) = values(both, "stepsense", person="bob")
    assert by_bob.value == pytest.approx(len(some) / len(wrong))
    assert both[0].value == pytest.approx(by_bob.value / 2), "a step counts as the mean of its labels"
    assert both[0].low <= both[0].value <= both[0].high
    (kappa,) = values(both, "agreement")
    assert kappa.value == 0
    again = fill(second, tmp_path / "three.csv", "cat")
    (same,) = values(stepsense(read_steps([second, again], key)), "agreement")
    assert same.value == 1


def test_labels_that_people_give_as_the_rule_does_come_to_the_stepsense_by_rule(runs, tmp_path):
    _, _, key = write_steps(runs, tmp_path / "steps.csv", count=None)
    outcomes = pl.concat([veridical.open_run(run).evidence().outcomes("reason") for run in runs])
    graphs = {trial: json.loads(expects)["graph"] for trial, expects in outcomes.select("trial", "expects").iter_rows()}
    trials = {row["item"]: row["trial"] for row in table(key)}
    label = {True: "yes", False: "no", None: ""}

    def by_rule(row):
        return label[check_steps([row["step"]], graphs[trials[row["item"]]])[0].right]

    done = fill(tmp_path / "steps.csv", tmp_path / "one.csv", "ann", label=by_rule)
    share = stepsense(read_steps([done], key))[0].value
    right, some = outcomes["score_right_steps"].sum(), outcomes["score_checkable"].sum()
    assert share == pytest.approx(right / some)
    assert 0 < share < 1


def test_failures_are_coded_and_counted_by_pattern(runs, tmp_path):
    shown, wrong, key = write_errors(runs, tmp_path / "errors.csv")
    assert shown == wrong == 7, "the distracted one alone is wrong"
    rows = table(tmp_path / "errors.csv")
    assert all(row["truth"] and row["reasoning"].startswith("1. ") for row in rows)
    few = {row["item"] for row in rows[:2]}
    one = fill(
        tmp_path / "errors.csv",
        tmp_path / "one.csv",
        "ann",
        description=lambda _: "yes",
        place=lambda row: "x" if row["item"] in few else "",
    )
    two = fill(
        tmp_path / "errors.csv",
        tmp_path / "two.csv",
        "bob",
        description=lambda _: "yes",
        place=lambda row: "yes" if row["item"] in few else "no",
    )
    counts = error_patterns(read_errors([one, two], key))
    for person in ("ann", "bob"):
        shares = {each.slice["pattern"]: each.value for each in values(counts, "error pattern", person=person)}
        assert shares == {**dict.fromkeys((*PATTERNS, "other"), 0), "description": 1, "place": pytest.approx(2 / 7)}
    kappas = {each.slice["pattern"]: each for each in values(counts, "agreement")}
    assert kappas["place"].value == 1
    assert kappas["description"].value is None
    assert "one and the same" in kappas["description"].reason


def test_a_run_without_failures_has_nothing_to_code(runs, tmp_path):
    with pytest.raises(InputError, match="no answer is wrong"):
        write_errors(runs[1:], tmp_path / "errors.csv")


@pytest.mark.parametrize("text", ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1"])
def test_no_cell_is_a_formula(tmp_path, text):
    write_sheet(tmp_path / "a.csv", ("item", "step"), [{"item": "1", "step": text}])
    (row,) = table(tmp_path / "a.csv")
    assert row["step"][0] not in "=+-@\t\r"


def test_bad_tables_are_refused_in_one_line(runs, tmp_path):
    out = tmp_path / "steps.csv"
    _, _, key = write_steps(runs, out, count=2)
    with pytest.raises(InputError, match="may hold labels"):
        write_steps(runs, out, count=2)
    cases = {
        "nobody filled in": fill(out, tmp_path / "1.csv", "ann", label=lambda _: ""),
        "person is empty": fill(out, tmp_path / "2.csv", "", label=lambda _: "yes"),
        "yes or no is needed": fill(out, tmp_path / "3.csv", "ann", label=lambda _: "perhaps"),
        "has no item": fill(out, tmp_path / "4.csv", "ann", label=lambda _: "yes", item=lambda _: "r999-1"),
    }
    for message, path in cases.items():
        with pytest.raises(InputError, match=message) as raised:
            read_steps([path], key)
        assert "\n" not in str(raised.value)
    twice = fill(out, tmp_path / "5.csv", "ann", label=lambda _: "yes")
    with pytest.raises(InputError, match="already"):
        read_steps([twice, twice], key)


def test_the_commands_go_from_a_run_to_figures(runs, tmp_path):
    out = tmp_path / "steps.csv"
    ended = CliRunner().invoke(app, ["steps", *map(str, runs), "--out", str(out), "--replies", "3", "--json"])
    assert ended.exit_code == 0, ended.output
    facts = json.loads(ended.output)
    assert facts["replies"] == 3
    done = fill(out, tmp_path / "done.csv", "ann", label=lambda _: "yes")
    ended = CliRunner().invoke(app, ["stepsense", str(done), "--key", facts["key"]])
    assert "stepsense: 100.0 %" in ended.output
    coded = tmp_path / "errors.csv"
    ended = CliRunner().invoke(app, ["errors", str(runs[0]), "--out", str(coded)])
    assert "7 of 7 failed replies" in ended.output
    done = fill(coded, tmp_path / "coded.csv", "ann", relation=lambda _: "yes")
    key = str(tmp_path / "errors-key.csv")
    ended = CliRunner().invoke(app, ["error-counts", str(done), "--key", key, "--json"])
    rows = json.loads(ended.output)
    assert {row["pattern"]: row["value"] for row in rows}["relation"] == 1
