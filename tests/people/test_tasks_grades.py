"""People's grades in the app calibrate judges as grades in a table do; failures of VIA-Bench are coded alike."""

from __future__ import annotations

import csv
import json
import re

import pytest

import veridical
from tests.calling import call
from tests.judge.conftest import good, playing, verdict
from tests.judge.quiz import SUITE
from tests.people.raters import begun, hidden_of, read_back, replay
from veridical.errors import InputError
from veridical.judges import rubrics_of
from veridical.people.grades import grade_guide
from veridical.people.judging import calibrate_judges, sample_replies
from veridical.people.study_sheets import tables_of
from veridical.people.tasks import tasks_of
from veridical.suite import registry

UNITS = 12
QUIET = {"show": "quiet", "analyze": False}


def box_of(request):
    return int(re.search(r"Box (\d+) is", request.text)[1])


def replying(request):
    return (
        "It is pink." if box_of(request) % 3 == 0 else f"It is {re.search(r'Box [0-9]+ is ([a-z]+)', request.text)[1]}."
    )


def sloppy(request):
    return verdict(correct=True) if box_of(request) % 4 == 0 else good(request)


def grading(request):
    right = '"correct": true' in good(request)
    return json.dumps({"reason": "r", "veto": not right, "grade": 9 if right else 2})


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """A run with two judges that say right or wrong, and one whose judge grades, with a veto."""
    before = dict(registry._REGISTERED)
    registry.register(SUITE)
    folder = tmp_path_factory.mktemp("world")
    boxes = veridical.make("quiz", out=folder / "set", units=UNITS)

    def judged(name, judges, **options):
        place = folder / "models.toml"
        with playing(judges, replying) as server:
            place.write_text("".join(f'[{each}]\nmodel = "{each}"\nbase_url = "{server.url}"\n' for each in judges))
            run = veridical.run(boxes, "sees", out=folder / name, base_url=server.url, **QUIET)
            for each in judges:
                veridical.judge(run, judge=each, models=place, **options, **QUIET)

    judged("run", {"good": good, "sloppy": sloppy})
    judged("graded", {"grading": grading}, settings={"rubric": "graded"})
    yield folder
    registry._REGISTERED.clear()
    registry._REGISTERED.update(before)


def reply_of(screen):
    return next(block["text"] for block in screen["blocks"] if block.get("title") == "Reply")


def knowing(screen, _):
    return {"correct": "0" if "pink" in reply_of(screen) else "1"}


def test_judges_are_calibrated_on_a_study_as_on_a_table(world, tmp_path, monkeypatch, capsys):
    study = begun(tmp_path / "study", "grade", world / "run", settings={"judge": ["good"]}, items=10_000)
    replay(study, knowing)
    sampled = sample_replies(world / "run", tmp_path / "people.csv", judge="good", per_stratum=10_000)
    with sampled.file.open(newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row |= {"person": "p01", "label": "no" if "pink" in row["reply"] else "yes"}
    with sampled.file.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    by_app = calibrate_judges(study.folder, world / "run")
    by_table = calibrate_judges(sampled.file, world / "run")
    assert len(by_app.people.labels) == UNITS
    assert by_app.frame().equals(by_table.frame())
    plain = [row for row in by_app.frame().to_dicts() if row["name"] == "kappa" and row["noise"] is None]
    kappas = {row["judge"]: row["value"] for row in plain if row["other"] is None}
    words = ("judges", "calibrate", "--people", study.folder, "--verdicts", world / "run", "--json")
    code, out, _ = call(monkeypatch, capsys, *words)
    assert (code, json.loads(out)["labels"]) == (0, UNITS)
    assert kappas["good"] == 1 > kappas["sloppy"]


def test_weights_of_a_sample_are_those_of_its_strata(world, tmp_path):
    study = replay(begun(tmp_path / "study", "grade", world / "run", settings={"judge": ["good"]}, items=6), knowing)
    weights = [hidden["key"]["weight"] for hidden in hidden_of(study).values()]
    assert len(weights) == 6
    assert sum(weights) == pytest.approx(UNITS)
    assert calibrate_judges(study.folder, world / "run").key == study.folder / "sheet-key.csv"


def test_a_rubric_is_graded_by_its_scores_and_vetoes_and_names_nobody(world, tmp_path):
    seen = []

    def rater(screen, _):
        seen.append(screen)
        right = "pink" not in reply_of(screen)
        return {"veto": "0" if right else "1", "grade": 9 if right else 3}

    study = replay(begun(tmp_path / "study", "grade", world / "graded", settings={"score": ["grade"]}), rater)
    fields = {field["name"]: field for field in seen[0]["fields"]}
    assert [option["title"] for option in fields["veto"]["options"]] == ["Yes", "No"]
    assert (fields["grade"]["low"], fields["grade"]["high"], fields["grade"]["step"]) == (0, 10, 1)
    assert "veto" in fields["veto"]["title"]
    text = json.dumps(seen)
    assert "sees" not in text
    assert "grading" not in text
    read = read_back(study, tmp_path / "out")
    assert (read.place / "calibration.md").is_file()
    assert read.facts["grades"] == 2 * len(seen)


def test_the_bands_of_a_rubric_are_those_of_its_prompt():
    pcs = rubrics_of(registry.get("magicbench").asking)["pcs"]
    lines = {line.split('"')[1]: line for line in grade_guide(pcs).split("\n\n")}
    assert set(lines) == {"vtg", "cpa", "cfr", "hard_failure_triggered"}
    for name in ("vtg", "cpa", "cfr"):
        assert all(band in lines[name] for band in ("7 to 10", "4 to 6", "0 to 3"))


def test_what_cannot_be_graded_or_read_is_refused_in_one_line(world, tmp_path):
    cases = {
        "unknown judge of these runs 'goood': did you mean 'good'": {"settings": {"judge": ["goood"]}},
        "there are the judges good, sloppy": {},
        "unknown setting of the task 'grade' 'judg'": {"settings": {"judg": ["good"]}},
        "items 1: there are 2 strata": {"settings": {"judge": ["good"]}, "items": 1},
    }
    for message, design in cases.items():
        with pytest.raises(InputError, match=message) as raised:
            begun(tmp_path / "study", "grade", world / "run", **design)
        assert "\n" not in str(raised.value)
    with playing({}, replying) as server:
        alone = veridical.run(world / "set", "sees", out=tmp_path / "alone", base_url=server.url, limit=2, **QUIET)
    with pytest.raises(InputError, match="no judge has given a verdict"):
        begun(tmp_path / "none", "grade", alone.folder)
    study = begun(tmp_path / "empty", "grade", world / "run", settings={"judge": ["good"]})
    with pytest.raises(InputError, match="nobody has answered yet"):
        calibrate_judges(study.folder, world / "run")


@pytest.fixture(scope="module")
def puzzled(tmp_path_factory):
    """A run of an observer that sees no picture, on a few small puzzles."""
    folder = tmp_path_factory.mktemp("puzzled")
    whole = veridical.make("viabench", out=folder / "set", units=1, size=256, puzzles=("hands",))
    return veridical.run(whole, "veridical/text", out=folder / "run", repeats=1, **QUIET).folder


def test_wrong_answers_of_puzzles_are_coded(puzzled, tmp_path):
    def rater(screen, _):
        texts = {block["title"]: block["text"] for block in screen["blocks"] if block["kind"] == "text"}
        return {"codes": ["prior", "misperception"] if len(texts["True answer"]) % 2 else ["misperception"]}

    study = replay(begun(tmp_path / "study", "codes", puzzled, people=2), rater, rater)
    read = read_back(study, tmp_path / "out")
    with (read.place / "codes.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    wrong = veridical.open_run(puzzled).outcomes().filter(status="answered", correct=False)
    assert len(rows) == 2 * len(wrong)
    with (read.place / "figures.csv").open(newline="") as file:
        figures = [row for row in csv.DictReader(file) if row["metric"] == "error pattern" and row["person"] == "p01"]
    values = {row["pattern"]: float(row["value"]) for row in figures}
    assert values["misperception"] == 1
    assert values["prior"] == pytest.approx(sum(row["prior"] == "yes" for row in rows) / len(rows))
    assert [table.name for table in tables_of([study.folder], "codes")] == ["sheet.csv"]


def test_each_task_says_what_it_is_and_does():
    tasks = {suite.name: tasks_of(suite) for suite in registry.all_suites()}
    assert {"steps", "codes"} <= set(tasks["magic"])
    assert "review" in tasks["hoca-annotate"]
    assert all({"answer", "grade"} <= set(each) for each in tasks.values())
    for task in (task for each in tasks.values() for task in each.values()):
        assert task.title
        assert task.help.endswith(".")
        assert task.instructions
