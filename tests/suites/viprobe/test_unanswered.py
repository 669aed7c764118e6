"""A run that was hardly read is no result: the gate on figures of pairs, and what every verb says of it."""

import json
import random
import re

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import veridical
from tests.ask.server import said, serve
from tests.calling import call
from tests.suites.viprobe.test_viprobe import by_observer
from veridical.records import STATUSES
from veridical.suite.evidence import Evidence
from veridical.suites.viprobe.analysis import ANALYSIS
from veridical.suites.viprobe.analysis.differences import differences
from veridical.suites.viprobe.analysis.estimates import estimates
from veridical.suites.viprobe.analysis.measures import MEASURES
from veridical.suites.viprobe.analysis.missing_answers import PAIRED, gate, withhold

pytestmark = pytest.mark.usefixtures("no_figures", "no_verdicts")

SMALL = {"cases": ["zollner", "ponzo"], "variants": ["O", "P", "OC", "PC"], "units": 3, "levels": 2, "size": 128}
SENTENCES = (
    "The two lines look alike to me.",
    "Hard to say; \x1b[31mred\x1b[0m, <script>alert(1)</script>\u202e | and | `so` on.",
    "I would have to measure, as the impression deceives, and this reply is much longer than a line of a terminal is.",
)
SEES = by_observer(lambda p: "0" if p["alpha"] else "1", units=12)


@pytest.fixture
def cli(monkeypatch, capsys):
    return lambda *words: call(monkeypatch, capsys, *words)


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """A run at a server that answers in sentences, less one reply in seven, and one that sees."""
    place, rng = tmp_path_factory.mktemp("unanswered"), random.Random(0)

    def talks(request):
        return said("<answer>1</answer>" if request.number % 7 == 0 else rng.choice(SENTENCES))

    stimuli = veridical.make("viprobe", out=place / "set", **SMALL)
    with serve(talks) as server, pytest.warns(veridical.UnansweredWarning) as issued:
        # One at a time: which trials get the readable replies does not depend on the machine.
        veridical.run(stimuli, "m", out=place / "talks", base_url=server.url, show="quiet", max_connections=1)
    place.with_suffix(".issued").write_text(json.dumps([[str(each.message), each.filename] for each in issued]))
    veridical.run(stimuli, "veridical/pixel", out=place / "sees", show="quiet")
    return place


def without(outcomes, places, status="unparsed"):
    """The outcomes with no answer in some rows."""
    gone = pl.Series(range(len(outcomes))).is_in(list(places))
    changes = {"status": pl.lit(status), "answer": pl.lit(None, pl.String), "correct": pl.lit(value=False)}
    return outcomes.with_columns(pl.when(gone).then(new).otherwise(name).alias(name) for name, new in changes.items())


def lacks(outcomes, variants):
    """By a loop: the largest share of answers that a type and half of the strengths lacks; 0 if at most 5 % or one."""
    counts = {}
    for row in outcomes.iter_rows(named=True):
        if row["variant"] in variants:
            gone, asked = counts.get((row["variant"], row["alpha"] == 0), (0, 0))
            counts[row["variant"], row["alpha"] == 0] = gone + (row["status"] != "answered"), asked + 1
    return max((gone / asked for gone, asked in counts.values() if gone > max(1, 0.05 * asked)), default=0)


@settings(max_examples=40, deadline=None)
@given(st.sets(st.integers(0, len(SEES) - 1), max_size=14), st.sampled_from([s for s in STATUSES if s != "answered"]))
def test_a_figure_of_pairs_has_a_value_where_the_gate_is_open_and_nowhere_else(places, status):
    outcomes = without(SEES, places, status)
    before = estimates(outcomes)
    for counted, shown in zip(before, withhold(before, outcomes), strict=True):
        if set(shown.slice) > {"variant"} or (shown.slice and "variant" not in shown.slice):
            continue
        kinds = [shown.slice["variant"]] if shown.slice else PAIRED.get(shown.metric, ())
        if shown.metric in PAIRED and (share := lacks(outcomes, kinds)):
            assert (shown.value, shown.p) == (None, None)
            if share >= 0.2 or counted.value is not None:
                assert (shown.low is None) == (share >= 0.2)
            assert re.search(rf"% of the \d+ answers on .* are missing \(\d+ {status}\)", shown.reason)
            assert shown.counts == counted.counts
        else:
            assert shown == counted


def test_the_gate_on_figures_is_that_on_verdicts():
    """Halves have 48 trials: two missing are 4 %, three are 6 %."""
    rows = [k for k, (variant, alpha) in enumerate(SEES.select("variant", "alpha").iter_rows()) if variant == "P"]
    for missing, is_open in ((2, True), (3, False)):
        outcomes = without(SEES, rows[:missing])
        found = {e.metric: e for e in ANALYSIS.estimates(Evidence.of({"ask": outcomes})) if e.slice == {"variant": "P"}}
        assert gate(outcomes).open == is_open == (found["PFA"].value is not None)
        assert found["no_pair"].value > 0


def test_one_reply_closes_no_slice_however_small():
    outcomes = without(SEES, [0])
    assert withhold(estimates(outcomes), outcomes) == estimates(outcomes)


def test_every_measure_of_pairs_is_gated_and_no_other():
    apart = {"no_pair", "yes_bias", "response", "d_prime", "criterion", "accuracy", "template_rate", "choice_accuracy"}
    assert not apart & set(PAIRED)
    assert set(PAIRED) - {"PFA difference"} <= set(MEASURES)


def test_a_difference_needs_both_runs():
    bad = without(SEES, range(len(SEES)))
    for first, second, name in ((bad, SEES, "first"), (SEES, bad, "second")):
        shown = withhold(differences(first, second), first, second)
        assert all(each.value is None and each.reason.startswith(f"{name} run: ") for each in shown)
        assert (shown[0].counts_first.answered, shown[0].counts.answered) == (
            (first["status"] == "answered").sum(),
            (second["status"] == "answered").sum(),
        )


def warned(err):
    """The lines of the warning, which quote replies in a way that does a terminal no harm."""
    lines = err[err.index("veridical: warning: ") :].splitlines()[:4]
    assert re.search(r"8\d % unreadable: 'no 1 or 0 is stated' \(\d+\), for example$", lines[0])
    assert all(re.fullmatch(r"  “.{1,100}”", line) and line.isprintable() for line in lines[1:])
    return lines


@pytest.mark.parametrize("verb", ["metrics", "status"])
@pytest.mark.parametrize("form", [(), ("--json",)])
def test_what_is_not_read_is_loud(cli, runs, verb, form):
    code, out, err = cli(verb, runs / "talks", *form)
    assert code == 0
    assert len(warned(err)) == 4
    assert "unreadable" not in cli(verb, runs / "sees", *form)[2]
    if verb == "metrics" and form:
        shown = {e["metric"]: e for e in json.loads(out) if not e["slice"]}
        assert [shown[name]["value"] for name in ("PFA", "CbW", "TFI", "I", "R")] == [None] * 5
        assert shown["no_pair"]["value"] > 0.9
    if verb == "metrics" and not form:
        assert "PFA, CbW, TFI, interaction I, multiplier R: " in " ".join(out.split())
    if verb == "status" and form:
        facts = json.loads(out)["unanswered"]
        assert facts["count"] == sum(each["count"] for each in facts["causes"]) > 0.8 * facts["asked"]
        assert len(facts["samples"]) == 3


def test_a_run_says_so_when_it_ends(cli, runs, tmp_path):
    with serve(lambda _: said(SENTENCES[0])) as server:
        words = ("--set", runs / "set", "--model", "m", "--base-url", server.url, "--yes", "--limit", 2)
        code, out, err = cli("run", "viprobe", "--out", tmp_path / "run", *words)
    assert code == 0
    assert "complete: " in out
    assert "warning: m: 100 % unreadable: 'no 1 or 0 is stated' (24), for example\n  “The two lines look" in err


@pytest.mark.parametrize("condition", ["PFA<0.5", "PFA[variant=P]<0.5", "TFI>0.9", "R>100", "I>50"])
def test_a_condition_on_a_figure_that_lacks_answers_fails_the_job_and_says_why(cli, runs, condition):
    code, _, err = cli("metrics", runs / "talks", "--fail-if", condition)
    assert code == 1
    assert re.search(r"is undefined: \d+ % of the \d+ answers on \w+.* are missing \(\d+ unparsed\)", err)
    warned(err)
    assert cli("metrics", runs / "sees", "--fail-if", "PFA<0.5")[0] == 0


def test_a_comparison_shows_the_counts_of_both(cli, runs):
    code, out, err = cli("compare", runs / "sees", runs / "talks")
    assert code == 0
    assert "A, veridical/pixel: planned 72, asked 72: 72 answered" in out
    assert "B, m: planned 72, asked 72: 10 answered, 62 unparsed" in out
    assert warned(err)[0].startswith("veridical: warning: B, m: ")
    first = json.loads(cli("compare", runs / "sees", runs / "talks", "--json")[1])[0]
    assert (first["counts_first"]["answered"], first["counts"]["answered"], first["value"]) == (72, 10, None)


def test_the_report_opens_with_it_and_runs_nothing_of_it(cli, runs):
    code, _, err = cli("report", runs / "talks", runs / "sees", "--out", runs / "page.html")
    assert code == 0
    assert warned(err)[0].startswith("veridical: warning: m: ")
    page = (runs / "page.html").read_text()
    banner = page[page.index("Many replies have no answer") :]
    assert page.index("Many replies have no answer") < page.index('class="opening"')
    assert "% unreadable: &#39;no 1 or 0 is stated&#39; (62)" in banner
    assert "<script>alert" not in page
    assert "\x1b" not in page
    assert "\u202e" not in page


def test_a_run_from_python_warns_in_the_words_of_the_command_line(runs, cli, recwarn):
    issued = json.loads(runs.with_suffix(".issued").read_text())
    _, _, err = cli("status", runs / "talks")
    assert [(f"veridical: warning: {message}\n", place) for message, place in issued] == [(err, __file__)]
    veridical.open_run(runs / "sees").warnings()
    assert not recwarn.list


def test_a_command_that_asks_warns_once(runs, cli, tmp_path):
    with serve(lambda _: said("They look alike.")) as server:
        asked = ("run", "viprobe", "--set", runs / "set", "--model", "m", "--out", tmp_path / "run", "--limit", "1")
        _, _, err = cli(*asked, "--base-url", server.url, "--yes")
    assert err.count("100 % unreadable") == 1
    assert "UnansweredWarning" not in err
