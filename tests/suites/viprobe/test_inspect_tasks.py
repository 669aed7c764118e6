"""The suites as inspect tasks: the same trials, the same readings, the same numbers; nothing leaves a denominator."""

import json
import os
import subprocess
import sys
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

import veridical
from tests.ask.server import refused, said, serve
from tests.late import inspect_ai, inspect_log, inspect_model, inspect_tasks
from tests.probe_suite import SUITE as PROBE
from veridical.errors import InputError
from veridical.records import STATUSES, Counts
from veridical.stimulus_set import StimulusSet
from veridical.suite import registry
from veridical.suites.viprobe.analysis.estimates import estimates as estimates_of
from veridical.suites.viprobe.observers.question import pixel_reply
from veridical.verbs.runs import stage_trials

pytestmark = pytest.mark.usefixtures("no_figures", "no_verdicts")

PROJECT = Path(__file__).parents[3] / "pyproject.toml"
VARYING = ["latency", "ended"]


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    drawn = {"cases": ["muller_lyer", "zollner"], "variants": ["O", "P", "OC", "PC", "I"]}
    return veridical.make("viprobe", out=tmp_path_factory.mktemp("tasks") / "set", **drawn, units=2, levels=2, size=128)


def logged(small, model, folder, arguments=None, **options):
    (log,) = inspect_ai.eval(
        "veridical/viprobe",
        task_args={"set": str(small.folder), **(arguments or {})},
        model=model,
        **({"model_args": {"suite": "viprobe"}} if model == "veridical/pixel" else {}),
        log_dir=str(folder / "logs"),
        display="none",
        log_realtime=False,
        **options,
    )
    assert log.status == "success"
    return log


@pytest.fixture(scope="module")
def looked(small, tmp_path_factory):
    """The log of an eval of one unit."""
    return logged(small, "veridical/pixel", tmp_path_factory.mktemp("looked"), {"limit": 1})


@pytest.mark.parametrize("name", ["pixel", "prior"])
def test_an_eval_gives_the_numbers_of_a_run(small, tmp_path, name):
    log = logged(small, f"veridical/{name}", tmp_path)
    run = veridical.run(small, f"veridical/{name}", out=tmp_path / "run", show="quiet", analyze=False)
    for found in (
        inspect_tasks.outcomes_of(log),
        inspect_tasks.outcomes_of(log.location),
        inspect_tasks.outcomes_of(Path(log.location)),
    ):
        assert found.drop(VARYING).equals(run.outcomes().drop(VARYING))
    assert estimates_of(inspect_tasks.outcomes_of(log)) == run.estimates()
    assert means(log) == pytest.approx(expected(run.outcomes()))


def means(log):
    """The figures that inspect-ai shows, by name, each once."""
    found = [(score.name, score.metrics["mean"].value) for score in log.results.scores]
    assert len(dict(found)) == len(found)
    return dict(found)


def expected(outcomes):
    """The share of each status, and what is right of all and of what was answered, where anything can be right."""
    scored = outcomes.filter(outcomes["gold"].is_not_null())
    right = (scored["answer"] == scored["gold"]).fill_null(value=False)
    rates = {status: (outcomes["status"] == status).mean() for status in STATUSES}
    return {**rates, "of_all": right.mean(), "of_answered": right.filter(scored["status"] == "answered").mean()}


@pytest.fixture
def installed(tmp_path):
    """Variables with which a process finds the library installed, as editable, with the project's entry points."""
    project = tomllib.loads(PROJECT.read_text())["project"]
    place = tmp_path / "site" / f"veridical-{project['version']}.dist-info"
    place.mkdir(parents=True)
    (place / "METADATA").write_text(f"Metadata-Version: 2.1\nName: veridical\nVersion: {project['version']}\n")
    editable = {"url": PROJECT.parent.as_uri(), "dir_info": {"editable": True}}
    (place / "direct_url.json").write_text(json.dumps(editable))
    points = project["entry-points"]
    told = [f"[{group}]\n" + "".join(f"{k} = {v}\n" for k, v in points[group].items()) for group in points]
    (place / "entry_points.txt").write_text("\n".join(told))
    path = os.pathsep.join([str(place.parent), str(PROJECT.parent / "src")])
    return {**os.environ, "NO_COLOR": "1", "PYTHONPATH": path}


def test_the_command_line_of_inspect_finds_the_suite_and_gives_the_numbers_of_a_run(small, tmp_path, installed):
    settings = {"polarity": ["forward"], "instruction": ["none", "weigh"]}
    words = ["--model", "veridical/prior", "-T", f"set={small.folder}", "-T", "limit=3"]
    words += ["-T", f"settings={json.dumps(settings)}", "--log-dir", "logs", "--display", "plain"]
    ended = subprocess.run(
        [sys.executable, "-m", "inspect_ai", "eval", "veridical/viprobe", *words],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        env=installed,
    )
    assert ended.returncode == 0, ended.stderr
    (log,) = (tmp_path / "logs").iterdir()
    run = veridical.run(
        small, "veridical/prior", out=tmp_path / "run", limit=3, settings=settings, show="quiet", analyze=False
    )
    found = inspect_tasks.outcomes_of(log)
    assert found.drop(VARYING).equals(run.outcomes().drop(VARYING))
    assert estimates_of(found) == run.estimates()


def test_failures_are_of_the_same_kinds_as_in_a_run_and_stay_in_every_denominator(small, tmp_path):
    def behaviour(request):
        last = sum(request.text[-30:].encode()) % 5
        answer = pixel_reply(request.pictures[0], request.text)
        return (refused(400), said(""), said("Let me", finish="length"), said(answer), said(answer))[last]

    with serve(behaviour) as server:
        model = inspect_model.get_model(
            "openai-api/veridical/some-vlm", base_url=server.url, api_key="none", memoize=False
        )
        log = logged(small, model, tmp_path)
        assert len(server.requests) == len(log.samples)
        run = veridical.run(small, "some-vlm", base_url=server.url, out=tmp_path / "run", show="quiet", analyze=False)
    found, varying = inspect_tasks.outcomes_of(log), [*VARYING, "model"]
    assert found.drop(varying).equals(run.outcomes().drop(varying))
    assert {"answered", "error"} < set(found["status"])
    assert means(log) == pytest.approx(expected(found))
    assert means(log)["of_all"] < means(log)["of_answered"]
    scored = [score for sample in log.samples for score in sample.scores.values()]
    assert len(scored) == len(found)
    assert sorted(score.metadata["status"] for score in scored) == sorted(found["status"])
    assert {sample.id for sample in log.samples if sample.error} == set(
        found.filter(found["error"].is_not_null())["trial"]
    )


def test_each_epoch_is_a_repeat(small, tmp_path):
    found = inspect_tasks.outcomes_of(logged(small, "veridical/pixel", tmp_path, {"limit": 1}, epochs=2))
    trials = inspect_tasks.plan_trials(registry.get("viprobe"), small, 1)
    rows = [(trial.id, repeat) for trial in trials for repeat in (1, 2)]
    assert list(found.select("trial", "repeat").iter_rows()) == rows
    assert Counts.of(found).asked == len(rows)


def test_a_replay_knows_its_trials_and_no_other_observer_does(small, looked, tmp_path):
    trials = inspect_tasks.plan_trials(registry.get("viprobe"), small, 1)
    said_of = {trial.id: f"<answer>{number % 2}</answer>" for number, trial in enumerate(trials)}
    (tmp_path / "a.jsonl").write_text("\n".join(json.dumps({"id": key, "text": text}) for key, text in said_of.items()))
    log = logged(small, "veridical/replay", tmp_path, {"limit": 1}, model_args={"answers": str(tmp_path / "a.jsonl")})
    assert dict(inspect_tasks.outcomes_of(log).select("trial", "text").iter_rows()) == said_of
    for sample in looked.samples:
        calls = [event for event in sample.events if event.event == "model"]
        assert len(calls) == 1
        assert [message.metadata for message in calls[0].input] == [None] * len(calls[0].input)


@pytest.mark.parametrize("limit", [None, 1, 2, 3, 4, 9])
def test_the_trials_are_those_of_a_run(small, limit):
    suite = registry.get("viprobe")
    for settings in (None, {"task": "comparison"}, {"instruction": ["measure", "none"], "placement": "user"}):
        assert inspect_tasks.plan_trials(suite, small, limit, settings) == stage_trials.trials_of(
            suite, small, suite.asked(settings), limit
        )


def test_a_sample_that_is_not_in_the_log_is_told_or_not_asked(small, looked):
    trials = inspect_tasks.plan_trials(registry.get("viprobe"), small, 1)
    stopped = looked.model_copy(update={"samples": looked.samples[:3]})
    with pytest.raises(InputError, match=f"holds 3 of {len(trials)} samples"):
        inspect_tasks.outcomes_of(stopped)
    counts = Counts.of(inspect_tasks.outcomes_of(stopped, trials))
    assert (counts.planned, counts.asked) == (len(trials), 3)


def test_a_picture_that_is_gone_is_an_error_of_its_trials(tmp_path):
    made = veridical.make("viprobe", out=tmp_path / "set", cases=["zollner"], units=1, levels=2, size=128)
    gone = made.stimuli[0]
    (made.folder / gone.media[0].file).unlink()
    found = inspect_tasks.outcomes_of(logged(made, "veridical/pixel", tmp_path))
    assert set(found.filter(found["stimulus"] == gone.id)["status"]) == {"error"}
    assert set(found.filter(found["stimulus"] != gone.id)["error"]) == {None}


VIPROBE = registry.get("viprobe")
ASKED_FOR = []


def few_chunks(options):
    ASKED_FOR.append(options)
    return VIPROBE.design.chunks(options)[:1]


def as_toy(options, chunk):
    for stimulus, media in VIPROBE.design.make(options, chunk):
        yield replace(stimulus, suite="toy"), media


TOY_DESIGN = replace(VIPROBE.design, chunks=few_chunks, make=as_toy)
TOY = replace(VIPROBE, name="toy", parts={**VIPROBE.parts, "design": f"{__name__}:TOY_DESIGN"})


@pytest.fixture
def registered(monkeypatch):
    monkeypatch.setattr(registry, "_REGISTERED", dict(registry._REGISTERED))
    return registry.register


def places(task):
    return [part.image for sample in task.dataset for part in sample.input[-1].content if part.type == "image"]


def test_without_a_set_a_quick_one_is_drawn_once(registered):
    ASKED_FOR.clear()
    registered(TOY)
    made = [inspect_tasks.task_of("toy")() for _ in range(2)]
    (options,) = ASKED_FOR
    quick = VIPROBE.recipes["quick"].values
    assert (options.recipe, options.units, options.variants) == ("quick", quick["units"], quick["variants"])
    assert len(options.alphas) == quick["levels"]
    assert len(places(made[0])) == len(made[0].dataset) == len(made[1].dataset) > 0
    assert all(Path(place).is_file() for place in places(made[0]))


def test_the_suites_own_options_are_arguments_of_its_task():
    words = {"cases": "zollner", "units": 1, "levels": 2, "size": 96, "variants": ["O", "P"]}
    made = inspect_tasks.task_of("viprobe")(**words, settings={"polarity": "forward"})
    drawn = veridical.make("viprobe", **{**words, "cases": ["zollner"]})
    assert [sample.id for sample in made.dataset] == [f"{stimulus.id}?forward" for stimulus in drawn.stimuli]
    assert made.metadata["set"] == drawn.digest
    assert inspect_tasks.task_of("viprobe")(**words, limit=1).metadata["set"] == drawn.digest


def test_pictures_clips_and_text_alone_go_through_a_task_as_through_a_run(registered, tmp_path):
    registered(PROBE)
    made = veridical.make("probe", out=tmp_path / "set", units=1)
    kinds = {medium.kind for stimulus in made.stimuli for medium in stimulus.media}
    assert kinds == {"image", "video"}
    assert any(not stimulus.media for stimulus in made.stimuli)
    (log,) = inspect_ai.eval(
        inspect_tasks.task_of("probe")(set=str(made.folder)),
        model="veridical/eye",
        log_dir=str(tmp_path / "logs"),
        display="none",
        log_realtime=False,
    )
    assert log.status == "success"
    run = veridical.run(made, "veridical/eye", out=tmp_path / "run", show="quiet", analyze=False)
    found = inspect_tasks.outcomes_of(log)
    assert found.drop(VARYING).equals(run.outcomes().drop(VARYING))
    assert set(found["status"]) == {"answered"}
    right = found["correct"].mean()
    nothing = dict.fromkeys(STATUSES, 0.0)
    assert means(log) == pytest.approx({**nothing, "answered": 1.0, "of_all": right, "of_answered": right})


def test_a_clip_for_a_model_that_takes_none_is_an_error_of_its_samples_alone(registered, tmp_path):
    registered(PROBE)
    made = veridical.make("probe", out=tmp_path / "set", units=1)
    with serve(lambda _: said("<answer>left</answer>")) as server:
        model = inspect_model.get_model(
            "openai-api/veridical/some-vlm", base_url=server.url, api_key="none", memoize=False
        )
        (log,) = inspect_ai.eval(
            inspect_tasks.task_of("probe")(set=str(made.folder)),
            model=model,
            log_dir=str(tmp_path / "logs"),
            display="none",
            log_realtime=False,
        )
        found = inspect_tasks.outcomes_of(log)
        assert set(found.filter(found["family"] == "clip")["status"]) == {"error"}
        assert "error" not in set(found.filter(found["family"] != "clip")["status"])
        assert len(server.requests) == len(found.filter(found["family"] != "clip"))
        told = next(sample.error.message for sample in log.samples if sample.error)
        assert "cannot be shown clips" in told
        held = str([request.body for request in server.requests])
    assert not any(trial.id in held or str(trial.expects) in held for trial in inspect_tasks.plan_trials(PROBE, made))


def test_registering_the_tasks_loads_no_suite_and_nothing_of_local_models_and_a_broken_one_breaks_no_other(tmp_path):
    place = tmp_path / "broken-0.dist-info"
    place.mkdir()
    (place / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 0\n")
    (place / "entry_points.txt").write_text("[veridical.suites]\nbroken = no_such_module:SUITE\n")
    code = (
        "import sys; from veridical.verbs import inspect_tasks;"
        "heavy = ('veridical.suites.viprobe.', 'torch', 'transformers');"
        "print([name for name in sys.modules if name.startswith(heavy)]);"
        "from inspect_ai._util.registry import registry_find, registry_info;"
        "print(sorted(registry_info(each).name for each in registry_find(lambda i: i.type == 'task')));"
        "import inspect_ai._util.error as e\n"
        "try: inspect_tasks.task_of('broken')()\n"
        "except e.PrerequisiteError as error: print(str(error.message).count(chr(10)), error.message)\n"
        "inspect_tasks.task_of('viprobe')(cases='zollner', units=1, levels=2, size=96)\n"
    )
    path = os.pathsep.join([str(tmp_path), str(PROJECT.parent / "src")])
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": path}
    )
    assert done.returncode == 0, done.stderr
    loaded, names, told = done.stdout.splitlines()
    assert loaded == "[]"
    assert "broken" in names
    assert "viprobe" in names
    assert told.startswith("0 ")
    assert "the suite 'broken' cannot be loaded" in told


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"set": "/nowhere/[set]"}, "/nowhere/[set] holds no stimulus set"),
        ({"limit": 0}, "limit 0: 1 or more is allowed"),
        ({"settings": {"polarity": "sideways"}}, "unknown level of polarity 'sideways': known: forward, reversed"),
        ({"units": 3}, "set beside units: a set that is there, or options of one, are allowed"),
        ({"set": None, "size": 8}, "size 8: the longer side may be 64 to 4096 px"),
        ({"set": None, "unit": 3}, "unknown option 'unit': did you mean 'units'?"),
        ({"set": None, "out": "x"}, "unknown option 'out':"),
        ({"set": None, "recipe": "papr"}, "unknown recipe 'papr': did you mean 'paper'?"),
    ],
)
def test_bad_input_is_one_line_of_inspects_own_kind(small, arguments, problem):
    from inspect_ai._util.error import PrerequisiteError
    from rich.text import Text

    with pytest.raises(PrerequisiteError) as caught:
        inspect_tasks.task_of("viprobe")(**{"set": str(small.folder), **arguments})
    assert Text.from_markup(str(caught.value.message)).plain.startswith(problem)


def test_a_log_of_another_task_is_refused(small, looked):
    foreign = inspect_log.read_eval_log(looked.location)
    foreign.eval.metadata = None
    with pytest.raises(InputError, match="is not one of a suite's task"):
        inspect_tasks.outcomes_of(foreign)
    assert StimulusSet.open(small.folder).digest == looked.eval.metadata["set"]
