"""The merged runs of shards equal the run that was never split, to the byte; what is no whole run is refused."""

import json
import shutil
from pathlib import Path

import pytest

import veridical
from tests.calling import as_nobody
from tests.probe_suite import SUITE as PROBE
from tests.verbs.schedulers import array
from veridical.ask.responses import response_line
from veridical.ask.run_folder import RESPONSES, TRIALS
from veridical.base.path_checks import RUN
from veridical.errors import InputError
from veridical.suite import registry
from veridical.verbs.runs import merge as merging
from veridical.verbs.runs.merge import left_out

pytestmark = pytest.mark.usefixtures("no_figures", "one_process")
CLIPS = {"units": 1, "height": 180, "rate": 10}
SETS = {
    "hocabench": {**CLIPS, "units": 2, "panels": 0, "sequences": 0, "sub_types": ["gravity"]},
    "magic": {"units": 3, "scenes": ["table"]},
    "magicbench": {**CLIPS, "units": 2, "tricks": ["coin"]},
    "viabench": {"units": 3, "size": 256, "puzzles": ["general"]},
    "viprobe": {"units": 2, "levels": 2, "size": 128, "cases": ["zollner", "ponzo"]},
}
ASKED = {
    "magic": {"settings": {"view": ["all-boxes"], "prefix": ["region", "own"]}},
    "magicbench": {
        "settings": {"frames": ["uniform-4"], "until": ["end"], "stance": ["neutral"], "failures_again": ["every"]}
    },
    "viabench": {"repeats": 2},
}
OBSERVERS = {"viprobe": "veridical/pixel"}
TIMES = ["latency", "ended"]
QUIET = {"show": "quiet", "analyze": False, "max_connections": 1}
STAGED = {
    "model_args": {"blind": True},
    "judge": "veridical/judge",
    "roles": {"captioner": "veridical/captioner"},
    **QUIET,
}


def outcomes_of(result):
    return {stage: result.outcomes(stage=stage).drop(TIMES) for stage in result.evidence().stages}


def tables_in(folder):
    return {path.name: path.read_bytes() for path in (folder / "tables").iterdir()}


def replies_in(folder):
    """The responses in a run folder in order, stage by stage, without times."""
    every = {}
    for path in sorted(folder.rglob(RESPONSES)):
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        every[path.relative_to(folder)] = [{k: v for k, v in line.items() if k not in TIMES} for line in lines]
    return every


def require_equal(merged, whole):
    assert merged.run.identity == whole.run.identity
    assert outcomes_of(merged).keys() == outcomes_of(whole).keys()
    for stage, table in outcomes_of(whole).items():
        assert table.equals(outcomes_of(merged)[stage]), stage
    assert tables_in(merged.folder) == tables_in(whole.folder)
    assert list(merged.estimates()) == list(whole.estimates())
    ours, theirs = replies_in(merged.folder), replies_in(whole.folder)
    if whole.run.repeats > 1:  # the first request, which goes alone, puts the repeats of its stimulus elsewhere
        ours, theirs = (
            {place: sorted(map(str, replies)) for place, replies in each.items()} for each in (ours, theirs)
        )
    assert ours == theirs
    for path in whole.folder.rglob(TRIALS):
        assert path.read_bytes() == (merged.folder / path.relative_to(whole.folder)).read_bytes()


@pytest.mark.parametrize("name", [name for name in SETS if name in registry.names()])
def test_the_merge_of_shards_equals_a_run_of_all(name, tmp_path):
    made = veridical.make(name, out=tmp_path / "set", **SETS[name])
    roles = {"judge": "rule"} if "judge" in registry.get(name).asking.roles else {}
    asked = {**ASKED.get(name, {}), **roles, **QUIET}
    observer = OBSERVERS.get(name, "veridical/simulated")
    whole = veridical.run(made, observer, out=tmp_path / "whole", **{**asked, "analyze": True})
    shards = [veridical.run(made, observer, out=tmp_path / "run", shard=f"{k}/3", **asked) for k in (3, 2, 1)]
    assert [shard.folder.name for shard in shards] == ["run-3-of-3", "run-2-of-3", "run-1-of-3"]
    assert sum(len(shard.outcomes()) > 0 for shard in shards) > 1
    merged = veridical.merge(shards, out=tmp_path / "merged")
    assert left_out(merged) == []
    require_equal(merged, whole)


@pytest.fixture(scope="module")
def probe():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "_REGISTERED", {**registry._REGISTERED, PROBE.name: PROBE})
        yield


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("shards")


@pytest.fixture(scope="module")
def made(probe, folder, one_process):
    return veridical.make("probe", out=folder / "set", units=2)


@pytest.fixture(scope="module")
def whole(made, folder, no_figures):
    return veridical.run(made, "veridical/eye", out=folder / "whole", **{**STAGED, "analyze": True})


@pytest.fixture(scope="module")
def parts(made, folder):
    """Shards with all stages asked; the last one has no base item."""
    every = [veridical.run(made, "veridical/eye", out=folder / "part", shard=f"{k}/5", **STAGED) for k in range(1, 6)]
    assert [len(each.outcomes()) > 0 for each in every] == [True, True, True, True, False]
    assert all(each.complete for each in every)
    return [each.folder for each in every]


@pytest.fixture(scope="module")
def pair(made, folder):
    """Two shards whose later stages are not asked."""
    return [
        veridical.run(made, "veridical/eye", out=folder / "pair", shard=f"{k}/2", **QUIET, model_args={"blind": True})
        for k in (1, 2)
    ]


def test_units_stay_whole_and_shards_have_every_trial_once(whole, parts):
    tables = [veridical.open_run(part).outcomes() for part in parts]
    assert sorted(trial for table in tables for trial in table["trial"]) == sorted(whole.outcomes()["trial"])
    units = [set(table["unit"]) for table in tables]
    assert sum(map(len, units)) == len(set().union(*units)) == whole.outcomes()["unit"].n_unique()


def test_all_stages_are_merged_and_nothing_is_left_to_ask(made, whole, parts, folder, tmp_path):
    merged = veridical.merge(parts[::-1], out=tmp_path / "merged")
    assert left_out(merged) == []
    require_equal(merged, whole)
    starts = merged.run.executions
    assert [each["shard"] for each in starts[-1]["merged"]] == [f"{k}/5" for k in range(1, 6)]
    assert len(starts) == 6
    before = replies_in(merged.folder)
    again = veridical.run(made, "veridical/eye", out=merged.folder, **STAGED)
    assert replies_in(again.folder) == before
    assert again.complete


def test_stages_that_not_every_shard_has_are_left_out_and_asked_after_the_merge(made, whole, pair, tmp_path):
    judged = tmp_path / "judged"
    shutil.copytree(pair[0].folder, judged)
    veridical.judge(judged, judge="veridical/judge", **QUIET)
    merged = veridical.merge([judged, pair[1]], out=tmp_path / "merged")
    (line, *_) = left_out(merged)
    assert line == "stage mark, veridical/judge, is left out: shard 2/2 was not asked"
    for stage in ("again", "remark"):
        assert not (merged.folder / "stages" / stage).exists()
    veridical.run(made, "veridical/eye", out=merged.folder, **{**STAGED, "analyze": True})
    require_equal(veridical.open_run(merged.folder), whole)


def test_a_shard_is_resumed_and_judged_as_itself(made, pair, tmp_path):
    copy = tmp_path / "pair-2-of-2"
    shutil.copytree(pair[1].folder, copy)
    judged = veridical.judge(copy, judge="veridical/judge", **QUIET)
    assert set(judged.outcomes(stage="mark")["unit"]) <= set(pair[1].outcomes()["unit"])
    copy.rename(tmp_path / "run-1-of-2")
    with pytest.raises(InputError, match=r"holds another run \(shard\.number: 2 stored, 1 requested"):
        veridical.run(made, "veridical/eye", out=tmp_path / "run", shard="1/2", model_args={"blind": True}, **QUIET)


def test_every_attempt_is_copied_with_its_number(pair, tmp_path):
    copy = tmp_path / "pair-1-of-2"
    shutil.copytree(pair[0].folder, copy)
    first = next(iter(pair[0].run.attempts()))
    with (copy / RESPONSES).open("ab") as file:
        file.write(response_line(veridical.Response(trial=first.trial, attempt=2, text="once more")))
        file.write(b'{"trial": "cut o')
    merged = veridical.merge([copy, pair[1]], out=tmp_path / "merged")
    attempts = [each for each in merged.run.attempts() if each.trial == first.trial]
    assert [(each.attempt, each.text) for each in attempts] == [(1, first.text), (2, "once more")]


def test_a_plan_and_a_rehearsal_are_of_the_shard_alone(made, pair):
    plan = veridical.plan(made, "veridical/eye", shard="2/2")
    assert (plan.trials, plan.units) == (len(pair[1].outcomes()), pair[1].outcomes()["unit"].n_unique())
    with pytest.raises(InputError, match="only a set says which units it has"):
        veridical.plan(veridical.design("probe", units=1), shard="2/2")


def test_an_observer_whose_replies_depend_on_other_units_has_no_shards(made, tmp_path):
    with pytest.raises(InputError, match="replies by all units of its run"):
        veridical.run(made, "veridical/text", out=tmp_path / "run", shard="1/2", **QUIET)
    assert not list(tmp_path.iterdir())


def changed(run, place, **identity):
    """A copy of a run with another identity."""
    shutil.copytree(run.folder, place)
    content = json.loads((place / RUN).read_text(encoding="utf-8"))
    content["identity"] |= identity
    (place / RUN).write_text(json.dumps(content), encoding="utf-8")
    return place


def test_shards_that_do_not_make_up_one_run_are_refused(whole, parts, pair, cli, tmp_path):
    first, second = (str(each.folder) for each in pair)
    other = changed(pair[1], tmp_path / "other", sampling={"temperature": 1.0})
    set_apart = changed(pair[1], tmp_path / "set", set="0" * 64)
    twin = changed(pair[0], tmp_path / "twin")
    cases = {
        "shard 2/2 is missing, and": [first],
        "shards 2/5, 4/5, 5/5 are missing": [parts[0], parts[2]],
        "are both shard 1/2": [first, twin, second],
        "is named twice": [first, first],
        'sampling.temperature: "unstated" in the first, 1.0 in the second': [first, other],
        "are shards of different stimulus sets": [first, set_apart],
        "the numbers of shards differ": [first, parts[1]],
        "is no shard: its run was made without --shard": [first, whole.folder],
        "holds no run": [first, tmp_path],
    }
    for told, runs in cases.items():
        code, out, err = cli("merge", *runs, "--out", tmp_path / "merged")
        assert (code, out) == (2, "")
        assert told in err, told
        assert err.count("\n") == 1
    assert not (tmp_path / "merged").exists()


def test_a_missing_shard_is_looked_for_beside_those_that_are_named(pair, cli, tmp_path):
    for each in pair:
        shutil.copytree(each.folder, tmp_path / each.folder.name)
    first, second = (tmp_path / each.folder.name for each in pair)
    assert cli("merge", first, "--out", tmp_path / "merged")[2].endswith(f"and {second} is not named\n")
    second.rename(tmp_path / "elsewhere")
    told = f"{second} is not there; run it, or copy it here if it is on a disk that is not shared\n"
    assert cli("merge", first, "--out", tmp_path / "merged")[2].endswith(told)
    assert "name them all" in cli("merge", tmp_path / "elsewhere", "--out", tmp_path / "merged")[2]


def test_a_shard_that_cannot_be_read_is_told_in_a_line(pair, tmp_path):
    with as_nobody(), pytest.raises(InputError, match=r"pair-1-of-2 (cannot be read: Permission denied|holds no run)"):
        veridical.merge([each.folder for each in pair], out=tmp_path / "merged")


def test_a_folder_that_holds_anything_is_left_as_it_is(pair, cli, tmp_path):
    (tmp_path / "note.txt").write_text("mine")
    code, _, err = cli("merge", *(each.folder for each in pair), "--out", tmp_path)
    assert code == 2
    assert "is not empty: choose a new or empty folder" in err
    assert [path.name for path in tmp_path.iterdir()] == ["note.txt"]


def test_a_merge_that_ends_midway_leaves_nothing_that_looks_whole(pair, tmp_path, monkeypatch):
    class KilledError(BaseException):
        pass

    def killed(*_):
        raise KilledError

    out = tmp_path / "merged"
    left = tmp_path / ".merged.tmp"
    (left / "stages").mkdir(parents=True)
    (left / RUN).write_text("{")
    with monkeypatch.context() as patch:
        patch.setattr(merging._Merge, "_copy_derived", killed)
        with pytest.raises(KilledError):
            veridical.merge(pair, out=out)
    assert not list(tmp_path.iterdir())
    assert veridical.merge(pair, out=out).folder == out
    assert [path.name for path in tmp_path.iterdir()] == ["merged"]


def test_the_command_line_runs_shards_by_the_scheduler_and_merges_them(made, pair, environment, cli, tmp_path):
    for task in (3, 5):
        environment(**array(3, 5, 2, task))
        words = ("--model", "veridical/eye", "-M", "blind=true", "--set", made.folder, "--out", tmp_path / "run")
        code, out, _ = cli("run", "probe", *words, "--shard", "auto")
        assert code == 0
    folders = sorted(path for path in Path(tmp_path).iterdir())
    assert [path.name for path in folders] == ["run-1-of-2", "run-2-of-2"]
    code, out, _ = cli("merge", *folders, "--out", tmp_path / "merged")
    assert code == 0
    assert "veridical/eye on probe, stage look (model), complete" in out
    merged = veridical.open_run(tmp_path / "merged")
    assert sorted(merged.outcomes()["trial"]) == sorted(trial for each in pair for trial in each.outcomes()["trial"])
