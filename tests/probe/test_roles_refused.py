"""What a user gets wrong about stages, roles and the file of models: each is one line, and nothing is asked."""

import json
from dataclasses import replace

import pytest

import veridical
from tests.probe.staged import EMBEDDED, QUIET, drawn, models_file
from tests.probe_suite import SUITE
from tests.probe_suite.asking import ASKING
from veridical.suite import registry

LOOK, MARK = ASKING.stages[:2]
LATER = ASKING.stages[2:]
WRONG = {
    "CIRCLE": ((LOOK, replace(MARK, needs=("look", "again")), *LATER), "stages need each other: mark, again"),
    "NEED": (
        (LOOK, replace(MARK, needs=("lokk",)), *LATER),
        "stage 'mark': unknown stage 'lokk': did you mean 'look'?",
    ),
    "SETTING": (
        (LOOK, replace(MARK, settings=("severety",)), *LATER),
        "stage 'mark': unknown setting 'severety': did you mean 'severity'?",
    ),
    "FIRST": ((replace(LOOK, needs=("caption",)), MARK, *LATER), "the first stage of a suite needs no other"),
    "NAME": ((LOOK, MARK, *LATER, MARK), "stage 'mark': a name of its own"),
}


def __getattr__(name):
    """An asking part of these stages, which is made, and refused, when the suite is loaded."""
    if name not in WRONG:
        raise AttributeError(name)
    return replace(ASKING, stages=WRONG[name][0])


@pytest.fixture(scope="module")
def few(tmp_path_factory):
    return drawn(tmp_path_factory.mktemp("sets") / "few", sums=1, boxes=1)


@pytest.fixture(scope="module")
def looked(few, tmp_path_factory):
    """A run whose first stage alone was asked."""
    return veridical.run(few, "veridical/eye", out=tmp_path_factory.mktemp("runs") / "run", **QUIET)


@pytest.fixture
def other(monkeypatch):
    """The probe under another name, known while a test runs."""
    suite = replace(SUITE, name="other")
    monkeypatch.setitem(registry._REGISTERED, "other", suite)
    return suite


@pytest.fixture
def refused(said):
    """Calls a command that must end in exit code 2 and one line, which it gives."""

    def refused(*words):
        code, out, err = said(*words)
        assert (code, out, err.count("\n")) == (2, "", 1), err
        assert err.startswith("veridical: ")
        return err.removeprefix("veridical: ").rstrip("\n")

    return refused


@pytest.fixture
def ask(few, tmp_path, refused, monkeypatch):
    """Refused runs of the probe in a folder that has these models in its `models.toml`."""

    def ask(*words, **tables):
        monkeypatch.chdir(tmp_path)
        models_file(tmp_path / "models.toml", tables)
        said = refused("run", "probe", "--model", "veridical/eye", "--set", few.folder, "--out", "run", *words)
        assert not (tmp_path / "run" / "responses.jsonl").exists()
        return said

    return ask


@pytest.mark.parametrize("name", WRONG)
def test_a_suite_whose_stages_are_no_graph_is_refused_when_it_is_loaded(name, few, refused, monkeypatch, tmp_path):
    stages, line = WRONG[name]
    with pytest.raises(ValueError, match="stage") as refusal:
        replace(ASKING, stages=stages)
    assert str(refusal.value).startswith(line)
    broken = replace(SUITE, name="broken", parts={**SUITE.parts, "asking": f"{__name__}:{name}"})
    monkeypatch.setitem(registry._REGISTERED, "broken", broken)
    said = refused("run", "broken", "--model", "veridical/eye", "--out", tmp_path / "run")
    assert said.startswith("the suite 'broken' cannot be loaded: its asking")
    assert line in said


def test_a_role_without_a_model_is_named_and_is_no_failure(few, tmp_path, said):
    words = ("run", "probe", "--set", few.folder, "--out", tmp_path / "run", "--model", "veridical/eye")
    code, out, _ = said(*words)
    assert code == 0
    for line in (
        "stage mark waits for a model in the role judge: --judge M",
        "stage again waits for stage mark",
        "stage caption waits for a model in the role captioner: --role captioner=M",
        "stage vote waits for people's answers: `veridical people read` reads them",
    ):
        assert f"{line}\n" in out
    code, out, _ = said("status", tmp_path / "run", "--json")
    assert (code, json.loads(out)["complete"]) == (0, True)
    assert {"stage": "mark", "role": "judge"}.items() <= json.loads(out)["waiting"][0].items()


def test_the_first_stage_without_a_model_can_ask_nothing(few, tmp_path, refused):
    said = refused("run", "probe", "--set", few.folder, "--out", tmp_path / "run", "--judge", "veridical/judge")
    assert said == "nothing can be asked: stage look waits for a model in the role model: --model M"


def test_a_name_that_the_file_of_models_lacks_is_refused_with_the_nearest(ask, tmp_path):
    place = {"base_url": "http://127.0.0.1:9/v1"}
    said = ask("--judge", "strickt", strict=place, lenient=place)
    assert said == (
        "models.toml: unknown model 'strickt': did you mean 'strict'? known: lenient, strict; "
        "PROVIDER/NAME is allowed too"
    )
    assert "'nobody': PROVIDER/NAME is allowed, or a table of models.toml, which has none" in ask("--judge", "nobody")
    assert "no-such.toml cannot be read" in ask("--judge", "x", "--models", tmp_path / "no-such.toml")


@pytest.mark.parametrize(
    ("table", "line"),
    [
        ({"base_ulr": "http://127.0.0.1:9/v1"}, "models.toml: 'j': unknown key 'base_ulr': did you mean 'base_url'?"),
        ({"temperature": "cold"}, "models.toml: temperature of 'j': input should be a valid number"),
        ({"max_connections": 1.5}, "models.toml: max_connections of 'j': input should be a valid integer"),
        ({"temperature": -1}, "models.toml: 'j': temperature -1"),
        ({"key": "NO SUCH"}, "models.toml: key of 'j': "),
        ({"key": "NO_SUCH_KEY"}, "the key of 'j' is missing: set the environment variable NO_SUCH_KEY"),
        ({"price": {"input": 1}}, "models.toml: 'output' is missing for 'j'"),
        ({"price": {"input": 1, "output": -1}}, "models.toml: output of 'j' is not a price"),
    ],
)
def test_a_table_of_the_file_of_models_that_is_not_as_it_should_be_is_refused(ask, table, line):
    assert ask("--judge", "j", j=table).startswith(line)


def test_a_file_of_models_that_is_no_toml_is_refused(ask, tmp_path):
    (tmp_path / "torn.toml").write_text("[judge")
    assert "torn.toml is no list of models" in ask("--judge", "judge", "--models", tmp_path / "torn.toml")


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("--role", "judge=a/b", "--role", "judge=a/c"), "--role judge is given twice: once is allowed"),
        (("--judge", "a/b", "--role", "judge=a/c"), "the role judge is given twice, as a/b and as a/c"),
        (("--role", "model=a/c"), "the model under test is given twice, by --model and by --role model=…"),
        (
            ("--role", "jugde=a/b"),
            "unknown role of probe 'jugde': did you mean 'judge'? known: captioner, judge, model",
        ),
        (("--role", "people=a/b"), "people are not asked by a run: `veridical people read` reads their answers"),
        (("--role", "judge"), "--role 'judge': ROLE=M is allowed"),
        (("--role", "judge="), "--role 'judge=': ROLE=M is allowed"),
        (("--judge", "veridical/jugde"), "unknown embedded model 'veridical/jugde': did you mean 'veridical/judge'?"),
    ],
)
def test_roles_that_are_given_twice_or_that_nobody_can_have_are_refused(ask, words, line):
    assert ask(*words).startswith(line)


def test_judging_needs_somebody_who_is_named_and_a_run(looked, few, tmp_path, refused):
    assert refused("judge", looked.folder) == "nobody is named who is to be asked: give --judge M, or --role ROLE=M"
    judge = ("--judge", "veridical/judge")
    assert refused("judge", tmp_path, *judge) == f"{tmp_path} holds no run: run.json is missing"
    assert refused("judge", few.folder, *judge) == f"{few.folder} holds no run: run.json is missing"
    assert "holds no run" in refused("judge", tmp_path / "nowhere", *judge)
    assert not (tmp_path / "nowhere").exists()


def test_a_stage_whose_needs_are_open_is_refused_with_what_it_waits_for(looked, few, tmp_path, refused):
    def trials(place, stage, *words):
        return refused("trials", place, "--stage", stage, "--out", tmp_path / "trials.jsonl", *words)

    assert trials(looked.folder, "again") == "stage again cannot be planned yet: it waits for stage mark"
    assert trials(looked.folder, "closer") == "stage closer cannot be planned yet: it waits for stage caption"
    assert trials(few.folder, "mark") == "stage mark is made from replies: name the folder of a run, not of a set"
    assert trials(looked.folder, "makr").startswith("unknown stage of probe 'makr': did you mean 'mark'?")
    torn = tmp_path / "torn"
    options = {"judge": "veridical/judge", "roles": {"captioner": "veridical/captioner"}}
    assert options == EMBEDDED
    veridical.run(few, "veridical/eye", out=torn, **EMBEDDED, **QUIET)
    (replies,) = torn.glob("stages/caption/*/responses.jsonl")
    replies.write_bytes(replies.read_bytes().splitlines(keepends=True)[0])
    assert trials(torn, "closer").endswith("it waits for 1 missing reply of stage caption")
    assert not (tmp_path / "trials.jsonl").exists()


def test_a_set_or_a_run_of_another_suite_is_refused(few, looked, other, tmp_path, refused):
    theirs = drawn(tmp_path / "theirs", suite="other", sums=1)
    judge = ("--judge", "veridical/judge")
    assert refused("judge", looked.folder, *judge, "--set", theirs.folder) == (
        f"{theirs.folder} is a set of other, not of probe"
    )
    fewer = drawn(tmp_path / "fewer", sums=1)
    assert refused("judge", looked.folder, *judge, "--set", fewer.folder) == (
        f"{fewer.folder} is another set than the one that {looked.folder} was asked about"
    )
    model = ("--model", "veridical/eye")
    said = refused("run", "other", "--set", theirs.folder, "--out", looked.folder, *model)
    assert said.startswith(f"{looked.folder} holds another run (")
    assert "suite: " in said
    said = refused("run", "other", "--set", few.folder, "--out", tmp_path / "run", *model)
    assert said == f"{few.folder} is a set of probe, not of other"


def test_a_task_of_inspect_refuses_a_run_of_another_suite_or_none_in_one_line(looked, other):
    from inspect_ai._util.error import PrerequisiteError

    from veridical.verbs.inspect_tasks import task_of

    for suite, options, line in (
        ("other", {"run": str(looked.folder)}, f"{looked.folder} is a run of probe, not of other"),
        ("probe", {}, "stage mark is made from replies: -T run=FOLDER, the folder of a run, is needed"),
        ("probe", {"run": str(looked.folder.parent)}, f"{looked.folder.parent} holds no run: run.json is missing"),
    ):
        with pytest.raises(PrerequisiteError) as refusal:
            task_of(suite, "mark")(**options)
        assert str(refusal.value.message) == line
