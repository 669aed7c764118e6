"""Embedded observers give what their definitions imply, and the report says so."""

from __future__ import annotations

from dataclasses import replace

import polars as pl
import pytest

import veridical
from tests.calling import call
from veridical.errors import InputError
from veridical.suite.evidence import Evidence
from veridical.suites.viabench.analysis import ANALYSIS
from veridical.suites.viabench.presentation.findings import verdict
from veridical.suites.viabench.presentation.tables import tables
from veridical.suites.viabench.puzzles import PUZZLES
from veridical.suites.viabench.puzzles.puzzle import NOT_SURE


def value(run, metric, **where):
    return next(each.value for each in run.estimates() if each.metric == metric and dict(each.slice) == where)


def test_the_measuring_observer_is_right_wherever_pixels_carry_the_answer(observed):
    rows = observed("pixel").outcomes()
    readable = {name for name, puzzle in PUZZLES.items() if puzzle.read}
    for row in rows.iter_rows(named=True):
        assert (row["status"], row["correct"]) == (
            ("answered", True) if row["family"] in readable else ("refused", False)
        )


def test_an_observer_that_sees_is_right_and_is_called_so(observed):
    run = observed("simulated", mechanism="sees")
    assert value(run, "accuracy") == 1
    assert value(run, "pull of the usual") == 0
    assert verdict(run.result()).name == "sees"


def test_an_observer_that_recalls_gives_the_usual_answer_and_is_called_so(observed):
    run = observed("simulated", mechanism="recalls")
    assert value(run, "recall rate") == 1
    assert value(run, "pull of the usual") == 100
    assert verdict(run.result()).name == "recalls the usual"


def test_the_pull_is_the_share_that_is_recalled_whatever_is_seen(observed):
    run = observed("simulated", mechanism="recalls", sees=0.6)
    (pull,) = [each for each in run.estimates() if each.metric == "pull of the usual" and not each.slice]
    assert pull.low <= 40 <= pull.high
    assert verdict(run.result()).name == "recalls the usual"


def test_an_observer_that_guesses_is_at_chance_and_is_called_so(observed):
    run = observed("simulated", mechanism="guesses")
    (rate,) = [each for each in run.estimates() if each.metric == "accuracy" and not each.slice]
    assert rate.low <= value(run, "chance") <= rate.high
    assert verdict(run.result()).name == "at chance"


def test_a_clear_eye_that_sometimes_guesses_is_not_accused(observed):
    run = observed("simulated", mechanism="guesses", sees=0.7)
    assert verdict(run.result()).name in ("sees", "undetermined")


def test_an_observer_that_leaves_open_what_it_does_not_see_is_not_overconfident(observed):
    run = observed("simulated", mechanism="guesses", sees=0.5, unsure=1.0)
    assert value(run, "overconfidence") == 0
    (unsure,) = [each for each in run.estimates() if each.metric == "not sure" and not each.slice]
    assert unsure.low <= 0.5 <= unsure.high


def test_a_model_that_always_says_not_sure_is_never_right(items, tmp_path):
    run = veridical.run(
        items,
        "veridical/simulated",
        model_args={"mechanism": "guesses", "unsure": 1.0},
        out=tmp_path / "run",
        repeats=1,
        show="quiet",
        analyze=False,
    )
    assert set(run.outcomes()["correct"]) == {False}
    assert value(run, "not sure") == 1
    assert NOT_SURE in run.outcomes()["expects"][0]


def lacking(run, share, kind="unusual"):
    """The result of a run of which a share of the answers to one kind of picture is missing."""
    outcomes = run.outcomes()
    ids = outcomes.filter(pl.col("variant") == kind)["trial"].unique(maintain_order=True)
    gone = pl.col("trial").is_in(ids.gather_every(round(1 / share)).implode())
    cut = outcomes.with_columns(
        pl.when(gone).then(pl.lit("refused")).otherwise("status").alias("status"),
        pl.when(gone).then(None).otherwise("answer").alias("answer"),
        pl.when(gone).then(False).otherwise("correct").alias("correct"),
    )
    evidence = Evidence.of({"ask": cut, "grade": run.result().evidence.outcomes("grade").clear()})
    return replace(run.result(), outcomes=cut, evidence=evidence, estimates=ANALYSIS.estimates(evidence))


def test_missing_answers_close_a_verdict_where_what_they_were_matters(observed):
    sees, recalls = (observed("simulated", mechanism=name) for name in ("sees", "recalls"))
    few = verdict(lacking(sees, 1 / 14))
    assert few.name == "sees"
    assert "replies (unusual) have no answer; up to" in few.sure
    assert few.sure.endswith("whatever they had been, the verdict is the same.")
    assert verdict(lacking(recalls, 1 / 14)).name == "recalls the usual"
    many = verdict(lacking(sees, 1 / 8))
    assert (many.name, many.tone) == ("undetermined: answers missing", "open")
    assert "have no answer" not in verdict(lacking(sees, 1 / 30)).sure


def test_a_verdict_that_hangs_on_the_missing_answers_is_not_given(observed):
    """Of one in twelve, what is missing decides: right, it sees; the usual answer, it does not see the unusual well."""
    sees = observed("simulated", mechanism="sees")
    assert verdict(sees.result()).name == "sees"
    assert verdict(lacking(sees, 1 / 12)).name == "undetermined: answers missing"


def test_the_report_says_what_the_observers_are(observed, tmp_path):
    runs = [observed("simulated", mechanism=name) for name in ("sees", "recalls", "guesses")]
    page = veridical.write_report(runs, tmp_path / "report.html").read_text(encoding="utf-8")
    for words in ("sees", "recalls the usual", "at chance", "Does it see what is there, or give the usual answer?"):
        assert words in page


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"mechanism": "dreams"}, "unknown mechanism 'dreams'"),
        ({"sees": 2}, "sees 2: a share from 0 to 1"),
        ({"looks": 1}, "unknown model argument 'looks'"),
        ({"seed": -1}, "seed -1"),
    ],
)
def test_wrong_arguments_end_in_one_line(items, tmp_path, arguments, words):
    with pytest.raises(InputError, match=words):
        veridical.run(items, "veridical/simulated", model_args=arguments, out=tmp_path / "run", show="quiet")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("--puzzles", "unicorns"), "unknown puzzle 'unicorns'"),
        (("--size", "10"), "size 10"),
        (("--units", "0"), "units 0"),
    ],
)
def test_wrong_options_end_in_one_line(monkeypatch, capsys, tmp_path, words, expected):
    code, out, err = call(monkeypatch, capsys, "make", "viabench", "--out", tmp_path / "set", *words)
    assert (code, out) == (2, "")
    assert expected in err
    assert err.count("\n") == 1


def test_a_comparison_has_the_counts_of_both_runs_and_whole_names_of_slices(cli, tmp_path):
    items = veridical.make("viabench", out=tmp_path / "set", puzzles=["feet", "poles"], units=3, size=256)
    first = veridical.run(items, "veridical/text", out=tmp_path / "text", show="quiet", limit=6)
    assert first.outcomes()["repeat"].unique().to_list() == [1]
    second = veridical.run(items, "veridical/simulated", out=tmp_path / "seen", show="quiet", limit=6, repeats=1)
    for each in veridical.compare(first, second):
        assert each.counts_first is not None
        assert each.counts_first.planned == each.counts.planned == each.counts.answered
    options = {"limit": 4, "repeats": 1, "show": "quiet"}
    fewer = [
        veridical.run(items, f"veridical/{name}", out=tmp_path / f"{name} of four", **options)
        for name in ("text", "simulated")
    ]
    assert [*veridical.compare(first, fewer[1])] == [*veridical.compare(*fewer)]
    assert veridical.compare(*fewer)[0].counts.planned < veridical.compare(first, second)[0].counts.planned
    code, out, _ = cli("compare", tmp_path / "text", tmp_path / "seen", columns=80)
    assert code == 0
    assert {"all", "unusual", "ordinary", "anomalies"} <= {line.split()[0] for line in out.splitlines() if line.strip()}


def test_runs_at_several_temperatures_stand_in_a_table_of_their_own(items, tmp_path):
    options = {"repeats": 2, "show": "quiet", "analyze": False, "limit": 6}
    model = {"model_args": {"mechanism": "guesses"}, **options}
    runs = {
        degree: veridical.run(items, "veridical/simulated", out=tmp_path / str(degree), temperature=degree, **model)
        for degree in (0.1, 1.5)
    }
    results = [run.result() for run in runs.values()]
    (table,) = [each for each in tables(results) if each.name == "viabench-temperatures"]
    assert [row[1] for row in table.rows] == ["0.1", "1.5"]
    assert [row[2].value for row in table.rows] == [value(run, "accuracy") for run in runs.values()]
    assert all(row[3].value < 1 for row in table.rows)
    assert not [each for each in tables(results[:1]) if each.name == "viabench-temperatures"]


def test_differences_by_category_and_by_variant_have_p_by_holm(observed):
    runs = [observed("simulated", mechanism="guesses", sees=sees) for sees in (0.55, 0.7)]
    shown = {tuple(each.slice.items()): each for each in veridical.compare(*runs)}
    plain = ANALYSIS.differences(*(run.result().evidence for run in runs))
    for keys in ((), ("category",), ("variant",)):
        raw = sorted((each.p, tuple(each.slice.items())) for each in plain if tuple(each.slice) == keys)
        least = 0.0
        for place, (p, where) in enumerate(raw):
            least = max(least, min(1.0, (len(raw) - place) * p))
            assert shown[where].p == pytest.approx(least)
            assert ("Holm" in shown[where].method) == bool(keys)
