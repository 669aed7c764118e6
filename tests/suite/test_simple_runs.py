"""Runs of simple suites against oracles: accuracies recomputed from the outcomes, observers of known accuracy."""

import json

import numpy as np
import polars as pl
import pytest
from scipy.stats import binomtest

import veridical as v
from tests.calling import call
from veridical.suite import registry

pytestmark = pytest.mark.usefixtures("no_figures", "one_process")
UNITS = 120


def bar(length, gray=0):
    pixels = np.full((16, 64, 3), 255, np.uint8)
    pixels[6:10, 4 : 4 + length] = gray
    return pixels


def length_of(pixels):
    return int((pixels[8, :, 0] < 250).sum())


def items(seed):
    """A bar in black and, in the same unit, in a gray that is hard to see."""
    for unit, length in enumerate(np.random.default_rng(seed).integers(5, 50, UNITS)):
        for group, gray in (("black", 0), ("pale", 235)):
            yield {"unit": unit, "group": group, "picture": bar(length, gray)}


def is_long(pixels):
    return length_of(pixels) > 25


def size_of(pixels):
    return ("short", "middle", "long")[min(length_of(pixels) // 17, 2)]


QUESTIONS = {
    "bars-long": {"question": "Is the bar long?", "options": ("yes", "no"), "truth": is_long},
    "bars-size": {"question": "Which size?", "options": ("short", "middle", "long"), "truth": size_of},
    "bars-px": {"question": "How long is it in px?", "options": "number", "tolerance": 2, "truth": length_of},
}
CHANCE = {"bars-long": 1 / 2, "bars-size": 1 / 3, "bars-px": None}


@pytest.fixture(scope="module", autouse=True)
def known():
    before = dict(registry._REGISTERED)
    for name, asked in QUESTIONS.items():
        registry.register(v.simple_suite(name=name, items=items, **asked))
    yield
    registry._REGISTERED.clear()
    registry._REGISTERED.update(before)


@pytest.fixture(scope="module", params=QUESTIONS)
def run(request, known, tmp_path_factory):
    folder = tmp_path_factory.mktemp(request.param)
    whole = v.make(request.param, out=folder / "set", seed=5)
    return v.run(whole, "veridical/simulated", model_args={"accuracy": 0.8}, out=folder / "run", show="quiet")


def value(run, metric, **where):
    (found,) = [each for each in run.estimates() if each.metric == metric and each.slice == where]
    return found


def right(run):
    """Right or not by unit and group, from the texts of the replies and the pixels of the set alone."""
    rows = run.outcomes().select("stimulus", "unit", "variant", "text", "gold", "expects")
    truth = {stimulus.id: stimulus for stimulus in v.open_set(run.folder.parent / "set").stimuli}

    def is_right(row):
        said, stimulus = row["text"].removeprefix("<answer>").removesuffix("</answer>"), truth[row["stimulus"]]
        if "options" in stimulus.truth and stimulus.suite == "bars-size":
            return stimulus.truth["options"]["ABC".index(said)] == stimulus.label
        return abs(int(said) - int(stimulus.label)) <= 2 if stimulus.suite == "bars-px" else said == stimulus.label

    return rows.with_columns(pl.Series("right", [is_right(row) for row in rows.iter_rows(named=True)]))


def test_accuracies_and_differences_are_those_of_the_replies(run):
    rows = right(run)
    assert value(run, "accuracy").value == pytest.approx(rows["right"].mean())
    by_group = {name: group["right"].to_numpy() for (name,), group in rows.sort("unit").group_by("variant")}
    for name, group in by_group.items():
        found = value(run, "accuracy", variant=name)
        assert found.value == pytest.approx(group.mean())
        assert (found.n_units, found.counts.planned, found.counts.answered) == (UNITS, UNITS, UNITS)
    paired = value(run, "difference", variant="pale")
    share = by_group["pale"].astype(float) - by_group["black"]
    assert paired.value == pytest.approx(100 * share.mean())
    # With one pair a unit the sign-flip test is McNemar's exact test.
    fewer, discordant = min((share < 0).sum(), (share > 0).sum()), np.count_nonzero(share)
    assert paired.p == pytest.approx(binomtest(int(fewer), int(discordant)).pvalue, abs=0.02)
    half = 1.96 * 100 * share.std(ddof=1) / UNITS**0.5
    assert paired.high - paired.low == pytest.approx(2 * half, rel=0.15)


def test_an_observer_of_known_accuracy_is_inside_the_interval_and_verdicts_follow(run):
    name = run.suite.name
    found, opening = value(run, "accuracy"), run.opening()
    assert found.low < 0.8 < found.high
    assert found.high - found.low < 0.15
    chance = [each.value for each in run.estimates() if each.metric == "chance"]
    assert chance == ([] if CHANCE[name] is None else [pytest.approx(CHANCE[name])])
    (finding,) = opening.findings
    assert finding.verdict == ("measured" if CHANCE[name] is None else "above chance")
    assert list(opening.rates) == ["Accuracy", "black", "pale", *(["Chance"] if chance else [])]
    (part,) = finding.reasons[0].parts
    assert part.verdict == "open"


def test_one_that_guesses_is_not_told_from_chance_and_one_that_is_always_wrong_is_below(tmp_path):
    whole = v.make("bars-long", seed=1)
    verdicts = {}
    for accuracy in (0.5, 0.0):
        run = v.run(whole, "veridical/simulated", model_args={"accuracy": accuracy}, show="quiet")
        verdicts[accuracy] = run.opening().findings[0].verdict
    assert verdicts == {0.5: "open", 0.0: "below chance"}


def test_yes_and_no_have_sensitivity_and_bias(run):
    metrics = {each.metric for each in run.estimates()}
    assert ({"d_prime", "criterion"} <= metrics) is (run.suite.name == "bars-long")
    if run.suite.name == "bars-long":
        assert value(run, "d_prime").low < 2 * 0.8416 < value(run, "d_prime").high
        assert value(run, "criterion").low < 0 < value(run, "criterion").high


def test_the_function_of_the_truth_answers_as_an_observer(run, tmp_path):
    seen = v.run(run.folder.parent / "set", "veridical/pixel", out=tmp_path / "seen", show="quiet")
    assert value(seen, "accuracy").value == 1.0
    (difference,) = [each for each in v.compare(run, seen) if not each.slice]
    assert difference.value == pytest.approx(100 * (1 - value(run, "accuracy").value))


def test_an_observer_of_words_alone_can_be_asked(run, tmp_path):
    read = v.run(run.folder.parent / "set", "veridical/text", out=tmp_path / "read", show="quiet")
    assert value(read, "accuracy").counts.answered == 2 * UNITS


def test_a_run_that_was_stopped_goes_on_to_the_same_end(tmp_path):
    whole = v.make("bars-size", out=tmp_path / "set")
    asked = {"out": tmp_path / "run", "model_args": {"accuracy": 0.6}, "show": "quiet"}
    first = v.run(whole, "veridical/simulated", **asked)
    before = first.outcomes().drop("latency", "ended").sort("trial"), value(first, "accuracy")
    responses = tmp_path / "run" / "responses.jsonl"
    lines = responses.read_text().splitlines(keepends=True)
    responses.write_text("".join(lines[:70]))
    again = v.run(whole, "veridical/simulated", **asked)
    assert again.outcomes().drop("latency", "ended").sort("trial").equals(before[0])
    assert value(again, "accuracy") == before[1]
    assert len(responses.read_text().splitlines()) == len(lines)


def test_units_without_a_partner_are_in_no_difference(tmp_path):
    alone = [{"picture": bar(9), "truth": "yes", "group": "a"}, {"picture": bar(9), "truth": "yes", "group": "b"}]
    registry.register(v.simple_suite(name="alone", items=alone, question="Is it short?"), replace=True)
    run = v.run(v.make("alone"), "veridical/simulated", show="quiet")
    found = value(run, "difference", variant="b")
    assert (found.value, found.reason) == (None, "no unit has both b and a")
    v.write_report([run], tmp_path / "report.html")


def test_replies_without_an_answer_count_as_wrong_and_stop_the_verdict(tmp_path):
    whole = v.make("bars-long", out=tmp_path / "set")
    ids = [f"{stimulus.id}?ask" for stimulus in whole.stimuli]
    replies = [{"id": each, "text": "Yes." if k % 4 else "I like bars."} for k, each in enumerate(ids)]
    (tmp_path / "replies.jsonl").write_text("".join(json.dumps(each) + "\n" for each in replies))
    with pytest.warns(v.UnansweredWarning):
        run = v.run(whole, "veridical/replay", model_args={"answers": tmp_path / "replies.jsonl"}, show="quiet")
    labels = [stimulus.label for stimulus in whole.stimuli]
    expected = np.mean([k % 4 > 0 and label == "yes" for k, label in enumerate(labels)])
    assert value(run, "accuracy").value == pytest.approx(expected)
    assert run.opening().findings[0].verdict == "answers missing"


def test_a_report_compares_the_groups_and_has_no_column_without_content(run, tmp_path):
    page = v.write_report([run], tmp_path / "report.html").read_text()
    assert "pale − black" in page
    assert "Parameters" not in page


def test_all_verbs_take_the_suite(run, tmp_path, monkeypatch, capsys):
    whole = run.folder.parent / "set"
    for words in (
        ("check", whole),
        ("describe", whole),
        ("plan", run.suite.name, "--set", whole),
        ("status", run.folder),
        ("metrics", run.folder),
        ("report", run.folder),
        ("trials", whole, "--out", tmp_path / "batch.jsonl", "--batch", "--model", "some-model"),
        ("trials", whole, "--out", tmp_path / "trials.jsonl"),
        ("compare", run.folder, run.folder),
        ("share", whole, "--out", tmp_path / "set.zip"),
    ):
        code, _, err = call(monkeypatch, capsys, *words)
        assert (code, err) == (0, ""), words
    page = (run.folder / "report.html").read_text()
    assert "How often is it right, and in which group?" in page
    body = json.loads((tmp_path / "batch.jsonl").read_text().splitlines()[0])["body"]
    assert "truth" not in json.dumps(body)


def test_the_suite_is_a_task_of_inspect(tmp_path):
    from inspect_ai import eval as ask

    from veridical.verbs.inspect_tasks import outcomes_of, task_of

    whole = v.make("bars-size", out=tmp_path / "set", units=3)
    task = task_of("bars-size")(set=str(whole.folder))
    (log,) = ask(
        task, model="veridical/pixel", model_args={"suite": "bars-size"}, log_dir=str(tmp_path), display="none"
    )
    outcomes = outcomes_of(log)
    assert (len(outcomes), outcomes["correct"].all()) == (6, True)
