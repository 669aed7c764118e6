"""Steps and failures of MagiC that replayed people label come back as figures and records with the known numbers."""

from __future__ import annotations

import json

import pytest
from sklearn.metrics import cohen_kappa_score
from typer.testing import CliRunner

import veridical
from tests.calling import call
from tests.people.raters import begun, hidden_of, read_back, replay
from tests.suites.magic.healed_runs import reasoned_runs
from veridical.errors import InputError
from veridical.people.study_sheets import tables_of
from veridical.suites.magic.commands import app
from veridical.suites.magic.people.labels import error_patterns, read_errors, read_steps, stepsense
from veridical.suites.magic.people.practice import PRACTICE
from veridical.suites.magic.people.step_fields import RIGHT, SILENT, WRONG


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    return reasoned_runs(tmp_path_factory.mktemp("magic"))


def labels_of(hidden, shift):
    """The labels of an item's steps, some of which differ by the rater's shift."""
    texts = hidden["key"]["steps"]
    return [(RIGHT, WRONG, SILENT)[(len(text) + number * shift) % 3] for number, text in enumerate(texts)]


def labeling(shift):
    def rater(screen, hidden):
        if screen["kind"] == "practice":
            steps = [field["name"] for field in screen["fields"] if field["kind"] == "choice"]
            return dict.fromkeys(steps, WRONG) | {name.replace("step", "correction"): "x" for name in steps}
        answer = {}
        for number, label in enumerate(labels_of(hidden, shift), start=1):
            answer |= {f"step_{number}": label}
            answer |= {f"correction_{number}": f"Corrected by {shift}: {number}."} if label == WRONG else {}
        return answer

    return rater


@pytest.fixture(scope="module")
def labeled(runs, tmp_path_factory):
    """A study of steps that two people labeled."""
    study = begun(tmp_path_factory.mktemp("steps") / "study", "steps", *runs, people=2)
    return replay(study, labeling(0), labeling(1))


def test_stepsense_and_kappa_are_those_of_the_labels(labeled):
    items = [each for each in hidden_of(labeled).values() if "steps" in each["key"]]
    pairs = [pair for each in items for pair in zip(labels_of(each, 0), labels_of(each, 1), strict=True)]
    figures = stepsense(read_steps(tables_of([labeled.folder], "steps")))
    by_person = {each.slice["person"]: each.value for each in figures if set(each.slice) == {"person"}}
    for place, person in enumerate(("p01", "p02")):
        own = [pair[place] for pair in pairs if pair[place] != SILENT]
        assert by_person[person] == pytest.approx(own.count(RIGHT) / len(own))
    (kappa,) = (each.value for each in figures if each.metric == "agreement")
    both = [pair for pair in pairs if SILENT not in pair]
    assert kappa == pytest.approx(cohen_kappa_score(*zip(*both, strict=True)))


def test_the_command_takes_the_study(labeled):
    ended = CliRunner().invoke(app, ["stepsense", str(labeled.folder), "--json"])
    assert ended.exit_code == 0, ended.output
    assert {row["metric"] for row in json.loads(ended.output)} == {"stepsense", "agreement"}


def test_labels_and_corrections_become_records_that_can_be_imported(labeled, tmp_path):
    read = read_back(labeled, tmp_path / "records")
    made = veridical.import_release("magic", read.place, tmp_path / "set")
    items = [each for each in hidden_of(labeled).values() if "steps" in each["key"]]
    assert len(made) == len(items) == 2 * 7
    chains = {(each["by"], tuple(step["text"] for step in each["steps"])): each for each in chains_of(made)}
    for item in items:
        model, texts = item["key"]["model"], item["key"]["steps"]
        for number, (step, one, two) in enumerate(
            zip(chains[model, tuple(texts)]["steps"], labels_of(item, 0), labels_of(item, 1), strict=True), start=1
        ):
            correct = {RIGHT: True, WRONG: False, SILENT: None}[one] if one == two else None
            assert step["correct"] is correct
            assert (step["correction"] == f"Corrected by 0: {number}.") == (correct is False)
    portions = {each.unit: set() for each in made.stimuli}
    for each in made.stimuli:
        portions[each.unit].add(each.factors["portion"])
    assert all(len(each) == 1 for each in portions.values()), "a picture is in one portion"
    assert {"dev", "test"} == set.union(*portions.values())
    assert portions == {each.unit: {each.factors["portion"]} for each in made.stimuli}


def chains_of(made):
    return [chain for each in made.stimuli for chain in each.truth["chains"]]


def test_nothing_that_is_shown_names_the_model_or_what_is_right(labeled):
    from veridical.people.store import ITEMS

    with labeled.store.reading() as connection:
        shown = json.dumps([row.shown for row in connection.execute(ITEMS.select())])
    assert "simulated" not in shown
    assert "mechanism" not in shown
    assert "room/" not in shown


def test_practice_comes_first_and_counts_nowhere(labeled):
    assert len(PRACTICE) == 3
    assert not {vote.item for vote in labeled.votes()} & {each.id for each in PRACTICE}
    assert all(each.right and {WRONG, RIGHT} <= set(each.right.values()) for each in PRACTICE)


def coding(*codes):
    def rater(_, hidden):
        return {"codes": [code for k, code in enumerate(codes) if (place(hidden) + k) % 2] or ["other"]}

    return rater


def place(hidden):
    return sum(map(ord, hidden["id"]))


def test_failures_are_coded_in_the_app_as_in_a_table(runs, tmp_path):
    study = replay(
        begun(tmp_path / "study", "codes", *runs, people=2), coding("place", "relation"), coding("place", "exhaustive")
    )
    figures = error_patterns(read_errors(tables_of([study.folder], "codes")))
    items = list(hidden_of(study).values())
    assert len(items) == 7, "one observer alone is wrong"
    share = sum(place(each) % 2 for each in items) / 7
    for person in ("p01", "p02"):
        values = {
            e.slice["pattern"]: e.value for e in figures if e.metric == "error pattern" and e.slice["person"] == person
        }
        assert values["place"] == pytest.approx(share)
    kappas = {each.slice["pattern"]: each.value for each in figures if each.metric == "agreement"}
    assert kappas["place"] == 1
    read = read_back(study, tmp_path / "out")
    assert read.facts["codings"] == 14
    assert {each.name for each in read.place.iterdir()} == {"codes.csv", "codes-key.csv", "figures.csv"}
    ended = CliRunner().invoke(app, ["error-counts", str(study.folder), "--json"])
    assert ended.exit_code == 0, ended.output


def test_what_cannot_be_asked_or_read_is_refused_in_one_line(runs, tmp_path):
    with pytest.raises(InputError, match="no answer is wrong"):
        begun(tmp_path / "none", "codes", runs[1])
    study = begun(tmp_path / "study", "steps", runs[0], items=2)
    cases = {
        "nobody has answered yet": lambda: tables_of([study.folder], "steps"),
        "a study of the task 'steps'": lambda: tables_of([study.folder], "codes"),
        "nobody has answered": lambda: read_back(study, tmp_path / "out"),
        "--out FOLDER is needed": lambda: read_back(study, None),
        "did you mean 'steps'": lambda: begun(tmp_path / "other", "step", runs[0]),
    }
    for message, act in cases.items():
        with pytest.raises(InputError, match=message) as raised:
            act()
        assert "\n" not in str(raised.value)


def test_an_unknown_task_is_refused_with_those_that_there_are(runs, tmp_path, monkeypatch, capsys):
    code, _, err = call(monkeypatch, capsys, "people", "serve", runs[0], "--task", "stpes", "--out", tmp_path / "study")
    assert (code, err.count("\n")) == (2, 1)
    assert "unknown task of magic 'stpes': did you mean 'steps'? known: answer, codes, grade, steps" in err
    assert not (tmp_path / "study").exists()
