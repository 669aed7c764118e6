"""Staged runs beside other things: the plan before them, the tasks of inspect-ai, and another run."""

import json
import re
from dataclasses import replace

import pytest

import veridical
from tests.ask.server import refused
from tests.probe.staged import EMBEDDED, JUDGE, QUIET, answering, drawn, options_for, replies
from tests.probe_suite import SUITE
from tests.probe_suite.analysis import ANALYSIS
from veridical.ask.run_folder import RunFolder
from veridical.suite import registry

LATER = ("mark", "again", "remark", "caption", "closer")
HARSH = {"model_args": {"harsh.mark": True}}


@pytest.fixture(scope="module")
def mixed(tmp_path_factory):
    return drawn(tmp_path_factory.mktemp("sets") / "mixed", dots=1, boxes=1, clip=1, sums=1)


@pytest.fixture(scope="module")
def runs(mixed, tmp_path_factory):
    """Runs of the observer that looks and of the one that guesses."""
    folder, options = tmp_path_factory.mktemp("runs"), {"repeats": 2, **EMBEDDED, **QUIET}
    seeing = veridical.run(mixed, "veridical/eye", out=folder / "seeing", **options)
    blind = veridical.run(mixed, "veridical/eye", out=folder / "blind", model_args={"blind": True}, **options)
    return seeing, blind


def places(table):
    """The outcomes of a stage by the probe's own names of trials, less the hashes of what they were made from."""
    return [(re.sub("#[0-9a-f]{16}", "", trial), repeat) for trial, repeat in table.select("trial", "repeat").rows()]


@pytest.fixture
def paired(runs, monkeypatch):
    """What a comparison of the two runs hands to the suite."""
    handed = []

    def differences(first, second):
        handed.extend((first, second))
        return ANALYSIS.differences(first, second)

    parts = {**SUITE.parts, "analysis": replace(ANALYSIS, differences=differences)}
    monkeypatch.setitem(registry._REGISTERED, "probe", replace(SUITE, parts=parts))
    veridical.compare(*(run.folder for run in runs))
    return handed


def test_later_stages_of_two_runs_are_compared_over_the_sources_that_both_have(runs, paired):
    for stage in LATER:
        wanted = set.intersection(*(set(places(run.outcomes(stage=stage))) for run in runs))
        assert wanted
        for evidence in paired:
            found = places(evidence.outcomes(stage))
            assert len(found) == len(set(found))
            assert set(found) == wanted
    looks = [evidence.outcomes() for evidence in paired]
    assert [len(table) for table in looks] == [len(run.outcomes()) for run in runs]
    both = [len(evidence.outcomes("mark")) for evidence in paired]
    assert both[0] < len(runs[0].outcomes(stage="mark"))


def test_beside_a_comparison_stands_how_many_replies_of_each_stage_are_in_it(runs, paired, said):
    code, out, err = said("compare", *(run.folder for run in runs))
    assert code == 0
    for stage in LATER:
        counts = [len(run.outcomes(stage=stage)) for run in runs]
        line = f"stage {stage} is compared over the {len(paired[0].outcomes(stage))} replies that rest on the same"
        assert f"{line} sources in both, of {counts[0]} and {counts[1]}" in " ".join((out + err).split())


def test_a_repeat_alone_has_what_was_asked_about_it_in_every_stage(runs):
    """Each reply is followed to the replies of the first stage that it rests on, by its own columns."""
    run, _ = runs
    tables = {stage: run.outcomes(stage=stage) for stage in ("look", *LATER)}
    roots = {("look", trial, repeat): {repeat} for trial, repeat in tables["look"].select("trial", "repeat").rows()}
    for stage in LATER:
        for trial, repeat, sources in tables[stage].select("trial", "repeat", "sources").rows():
            stated = [(each["stage"], each["trial"], each["repeat"]) for each in json.loads(sources)]
            roots[stage, trial, repeat] = set().union(*(roots[each] for each in stated)) or {repeat}
    for k in (1, 2):
        alone = run.evidence().of_repeat(k)
        for stage, table in tables.items():
            wanted = [(stage, *row) for row in table.select("trial", "repeat").rows()]
            found = [(stage, *row) for row in alone.outcomes(stage).select("trial", "repeat").rows()]
            assert found == [row for row in wanted if roots[row] == {k}]
            assert found
        assert run.estimates_by_repeat()[k][0].counts.planned == len(tables["look"]) / 2


def test_two_staged_runs_differ_by_the_suites_own_difference(runs):
    (found,) = veridical.compare(*runs)
    assert found.metric == "accuracy difference"
    assert found.value < 0
    assert veridical.compare(runs[0], runs[0])[0].value == 0


def test_a_comparison_of_which_nothing_comes_shows_nothing_and_is_no_failure(runs, monkeypatch, said):
    parts = {**SUITE.parts, "analysis": replace(ANALYSIS, differences=lambda *_: [])}
    monkeypatch.setitem(registry._REGISTERED, "probe", replace(SUITE, parts=parts))
    assert said("compare", *(run.folder for run in runs))[0] == 0


def of_task(stage, model, folder, **options):
    from inspect_ai import eval as inspect_eval

    from veridical.verbs.inspect_tasks import task_of

    quiet = {"log_dir": str(folder), "display": "none", "log_realtime": False}
    (log,) = inspect_eval(task_of("probe", stage)(**options), model=model, **quiet)
    assert log.status == "success"
    return log


@pytest.mark.parametrize(("stage", "model"), [("mark", "veridical/judge"), ("closer", "veridical/eye")])
def test_the_task_of_a_stage_has_the_outcomes_of_the_runs_own(mixed, tmp_path, stage, model):
    from veridical.verbs.inspect_tasks import outcomes_of

    run = veridical.run(mixed, "veridical/eye", out=tmp_path / "run", **EMBEDDED, **QUIET)
    log = of_task(stage, model, tmp_path / "logs", run=str(run.folder))
    assert log.eval.task == f"veridical/probe-{stage}"
    assert outcomes_of(log).drop("latency", "ended").equals(run.outcomes(stage=stage).drop("latency", "ended"))
    assert [each.stage for each in veridical.open_run(run.folder).staged] == ["look", *LATER]


@pytest.fixture(scope="module")
def failing(tmp_path_factory):
    """A judge's stage, as a run and as a task of inspect, in which one request fails, and what each sent."""
    from inspect_ai.model import get_model

    folder = tmp_path_factory.mktemp("failing")
    few = drawn(folder / "set", sums=2)
    looked = veridical.run(few, "veridical/eye", out=folder / "run", **QUIET)
    texts = looked.outcomes()["text"].to_list()
    first = next(RunFolder.open(looked.folder).attempts()).text
    bad = next(text for text in texts if texts.count(text) == 1 and text != first)
    with answering(replies(mark=lambda request: refused(400) if f"«{bad}»" in request.text else None)) as server:
        judge = {"judge": JUDGE, "models": options_for(server, folder)["models"]}
        run = veridical.judge(looked.folder, **judge, **QUIET)
        by_run = [request.body for request in server.requests]
        model = get_model(f"openai-api/veridical/{JUDGE}", base_url=server.url, api_key="none")
        log = of_task("mark", model, folder / "logs", run=str(run.folder))
        by_task = [request.body for request in server.requests[len(by_run) :]]
    return run, log, by_run, by_task


def test_a_request_that_fails_is_told_by_the_task_as_a_failure(failing):
    from veridical.verbs.inspect_tasks import outcomes_of

    run, log, *_ = failing
    scores = {each.name: each for each in log.results.scores}
    means = {name: each.metrics["mean"].value for name, each in scores.items()}
    assert run.outcomes(stage="mark")["status"].value_counts().sort("count").rows() == [("error", 1), ("answered", 3)]
    assert (means["error"], means["answered"]) == (0.25, 0.75)
    assert (scores["of_all"].unscored_samples, scores["of_answered"].unscored_samples) == (0, 1)
    right = run.outcomes(stage="mark")["correct"].sum()
    assert means["of_all"] == pytest.approx(right / 4)
    assert means["of_answered"] == pytest.approx(right / 3)
    (failed,) = [sample for sample in log.samples if sample.error]
    value = failed.scores["reading"].value
    assert (value["error"], value["answered"], value["of_all"]) == (1.0, 0.0, 0.0)
    assert value["of_answered"] != value["of_answered"]
    drop = ("model", "latency", "ended", "served_model")
    assert outcomes_of(log).drop(drop).equals(run.outcomes(stage="mark").drop(drop))


def test_a_task_sends_what_the_run_sends_the_stages_own_sampling_included(failing):
    def key(body):
        return json.dumps({name: value for name, value in body.items() if value is not None}, sort_keys=True)

    _, _, by_run, by_task = failing
    assert sorted(map(key, by_task)) == sorted(map(key, by_run))


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"settings": {"severity": ["strict", "lenient"]}},
        {"limit": 2},
        {"repeats": 3},
        {"settings": {"tone": ["plain", "polite"]}},
    ],
    ids=["plain", "two rubrics", "two units", "three repeats", "two tones"],
)
def test_a_plan_lists_each_later_stage_with_at_least_what_a_run_then_asks(mixed, tmp_path, said, options):
    words = ["plan", "probe", "--set", mixed.folder, "--judge", "veridical/judge", "--json"]
    words += ["--role", "captioner=veridical/captioner"]
    for name, levels in options.get("settings", {}).items():
        words += ["-S", f"{name}={','.join(levels)}"]
    for name in ("limit", "repeats"):
        words += [f"--{name}", options[name]] if name in options else []
    code, out, _ = said(*words)
    assert code == 0
    later = {each["stage"]: each for each in json.loads(out)["later"]}
    assert list(later) == [*LATER, "vote", "weigh"]
    assert later["mark"]["model"] == "veridical/judge"
    assert (later["weigh"]["requests"], later["weigh"]["assumed"]) == (None, "the suite does not say")
    run = veridical.run(mixed, "veridical/eye", out=tmp_path / "run", **options, **HARSH, **EMBEDDED, **QUIET)
    sent = {each.stage: each.spending.requests for each in run.staged if each.stage != "look"}
    assert set(sent) == set(LATER)
    assert {stage: number for stage, number in sent.items() if number > later[stage]["requests"]} == {}


def test_a_plan_of_a_design_counts_the_later_stages_of_the_whole_set(said):
    code, out, _ = said("plan", "probe", "--units", 4, "--json")
    assert code == 0
    later = {each["stage"]: each["requests"] for each in json.loads(out)["later"]}
    assert later == {"mark": 40, "again": 40, "remark": 40, "caption": 16, "closer": 40, "vote": 8, "weigh": None}
