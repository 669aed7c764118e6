"""People check that the true option alone is right; adopted and imported sets go as far as a report."""

from __future__ import annotations

import csv
import json
import shutil
from collections import Counter

import polars as pl
import pytest

import veridical
from tests.probe.staged import answering
from tests.suites.hocabench.pipeline import fill_votes, options_for, raw_clips, replies
from tests.suites.hocabench.release_data import GRAVITY, MUTATION, RIGIDITY, as_json, items, labels
from veridical.errors import InputError
from veridical.records import Text
from veridical.suites.hocabench.annotate.distractors import read_right
from veridical.verbs.exchange.planned_stages import planned_stage

CLIPS, PEOPLE = 6, 3
KINDS = (GRAVITY, MUTATION, RIGIDITY)
VERDICTS = {
    1: ("alone", "alone", "two"),
    2: ("two", "two", "alone"),
    3: ("none", "none", "none"),
    4: ("other", "other", "alone"),
    5: ("alone", "unclear", "unclear"),
}
"""What each of three people finds of the options, by the number of the clip; nobody is shown those of the others."""


def answers(trial, verdict):
    """What somebody answers whose verdict on the options that is."""
    true, other = trial.gold, next(letter for letter in "ABCD" if letter != trial.gold)
    by_verdict = {"alone": true, "two": f"{other} and {true}", "other": other, "none": "none", "unclear": "the red one"}
    return by_verdict[verdict]


def distracted(request):
    """A reply with three false options."""
    kinds = ("Collision", "optics", "shape")
    each = [{"sub_category": kind, "thing": "lamp", "description": f"The lamp shows {kind}."} for kind in kinds]
    return json.dumps({"thing": "square", "distractors": each})


def planned(run):
    """The questions about options that a run has for people."""
    return planned_stage(run, "check").trials


@pytest.fixture(scope="module")
def checked(tmp_path_factory):
    """A run whose labels people agree with, and of whose options they find what `VERDICTS` say."""
    folder = tmp_path_factory.mktemp("checked")
    whole = veridical.import_release("videos", raw_clips(folder / "clips", CLIPS, described=CLIPS), folder / "set")
    kinds = iter(KINDS * CLIPS)
    behave = replies(attribute=lambda _: json.dumps(labels(next(kinds), "The square rises.")), distract=distracted)
    with answering(behave) as server:
        options = options_for(server, folder)
        options["roles"]["distractor"] = "org/distractor"
        run = veridical.run(whole, out=folder / "run", **options)
    # Six people vote, and each clip is shown to five of them.
    veridical.people.sample(run, folder / "votes.csv", per_person=CLIPS - 1, people=6, stage="vote")
    fill_votes(folder / "votes.csv", run, {stimulus.id: 6 for stimulus in whole.stimuli})
    run = veridical.people.read(run, folder / "votes.csv", stage="vote")
    rows = [("participant", "trial", "answer")]
    for trial in planned(run):
        verdicts = VERDICTS.get(int(trial.stimulus.split("/")[1]), ())
        rows += [(f"p{person}", trial.id, answers(trial, verdict)) for person, verdict in enumerate(verdicts, start=1)]
    with (folder / "checks.csv").open("w", newline="") as file:
        csv.writer(file).writerows(rows)
    return veridical.people.read(run, folder / "checks.csv", stage="check")


@pytest.fixture(scope="module")
def adopted(checked, tmp_path_factory):
    return veridical.adopt(checked, tmp_path_factory.mktemp("adopted") / "set")


def test_a_clip_that_was_changed_since_is_not_adopted(checked, tmp_path):
    stored = planned_stage(checked, "check").stimuli
    whole = veridical.open_set(shutil.copytree(stored.folder, tmp_path / "set"))
    for stimulus in whole.stimuli:
        with (whole.folder / stimulus.media[0].file).open("ab") as file:
            file.write(b"\0")
    with pytest.raises(InputError, match="restore it, or make the set again"):
        veridical.adopt(checked, tmp_path / "adopted", stimuli=whole)
    assert not (tmp_path / "adopted").exists()


def test_people_see_the_clip_and_the_options_that_the_adopted_set_has(checked, adopted):
    shown = {trial.stimulus: trial for trial in planned(checked)}
    assert len(shown) == CLIPS
    for stimulus in adopted.stimuli:
        trial, options = shown[f"videos/{stimulus.id.split('/')[1]}/raw"], stimulus.truth["options"]
        text = trial.messages[0].parts[-1].text
        assert trial.messages[0].parts[0].kind == "video"
        assert trial.expects["options"] == options
        assert options["ABCD".index(trial.gold)] == stimulus.truth["option"]
        assert all(f"{letter}. {option}" in text for letter, option in zip("ABCD", options, strict=True))


def test_the_figures_say_of_how_many_clips_people_find_one_option_right_and_that_it_is_the_true_one(checked):
    found = {each.metric: each for each in checked.estimates()}
    one, true = found["one right"], found["true alone"]
    # Clips 1, 4 and 5 have one right option by most readable answers; in clips 1 and 5 it is the true one.
    assert (one.value, true.value) == (pytest.approx(3 / 5), pytest.approx(2 / 5))
    for each in (one, true):
        assert each.n_units == len(VERDICTS)
        assert 0 <= each.low < each.value < each.high <= 1
        assert (each.counts.asked, each.counts.unparsed) == (len(VERDICTS) * PEOPLE, 2)
    assert (found["approved"].value, found["approved"].counts.planned) == (1, 5 * CLIPS)


def test_a_clip_is_left_out_unless_most_people_find_the_true_option_alone_right(checked, adopted):
    facts = adopted.manifest["import"]["left_out"]
    assert facts["reasons"] == {"options of which people do not find the true one alone right": 3}
    true = {trial.stimulus: trial.gold for trial in planned(checked)}
    details = {each["place"]: each["detail"] for each in facts["each"]}
    assert sorted(details) == [f"videos/{number:05}/raw" for number in (2, 3, 4)]
    assert details["videos/00003/raw"] == f"videos/00003/raw: none (3); the true one is {true['videos/00003/raw']}"
    stored = {stimulus.truth["file"]: stimulus.truth.get("checked") for stimulus in adopted.stimuli}
    assert stored == {
        "clip-00.mp4": {"alone": 2, "of": 3},
        "clip-04.mp4": {"alone": 1, "of": 1},
        "clip-05.mp4": None,
    }


def test_a_sample_of_clips_is_the_same_for_all_people_and_balanced_over_sub_types(checked, tmp_path, said):
    words = ("people", "sample", checked.folder, "--stage", "check", "--out", tmp_path / "s.csv", "--people", 3)
    code, out, err = said(*words, "--pictures", 3, "--per-person", 3, "--seed", 4)
    assert (code, err) == (0, "")
    assert out.startswith("9 questions")
    rows = list(csv.DictReader((tmp_path / "s.csv").open(newline="")))
    seen = Counter(row["trial"] for row in rows)
    opaque = planned_stage(checked, "check").stimuli.opaque
    kinds = {opaque(trial.id): trial.expects["sub_type"] for trial in planned(checked)}
    assert set(seen.values()) == {3}
    assert {kinds[trial] for trial in seen} == {"gravity", "mutation", "rigidity"}
    first = (tmp_path / "s.csv").read_bytes()
    said(*words, "--pictures", 3, "--per-person", 3, "--seed", 4)
    assert (tmp_path / "s.csv").read_bytes() == first
    for wrong, reason in (({"pictures": 7}, "1 to 6"), ({"pictures": 2, "per_person": 3}, "1 to 2 pictures")):
        with pytest.raises(InputError, match=reason):
            veridical.people.sample(checked, tmp_path / "t.csv", stage="check", **{"per_person": 1, **wrong})


def test_which_questions_people_are_to_answer_must_be_named_where_there_are_two_kinds(checked, tmp_path, said):
    code, _, err = said("people", "sample", checked.folder, "--out", tmp_path / "s.csv", "--per-person", 1)
    assert (code, err.count("\n")) == (2, 1)
    assert "has the stages vote and check of people: say which" in err


@pytest.mark.parametrize("text", ["E", "A, A", "CAB", "the first", "A or B", "", "?", "none, A", "ß"])
def test_an_answer_that_names_no_options_is_not_read(text):
    read = read_right(text, {"options": ["a", "b", "c", "d"]})
    assert read.answer is None
    assert read.reason


WAYS = ("run", "judge", "report")


def gone_through(said, folder, whole, *words):
    """What `run`, `judge --judge rule` and `report` print of a set: exit code, output, errors."""
    run, page = folder / "run", folder / "page.html"
    asked = ("--set", whole.folder, "--out", run, "--model", "veridical/simulated", "-M", "mechanism=perfect")
    steps = ("hocabench", *asked, *words), (run, "--judge", "rule"), (run, "--out", page)
    printed = {way: said(way, *step) for way, step in zip(WAYS, steps, strict=True)}
    return veridical.open_run(run), page.read_text(), printed


def require_loud(run, printed):
    """The rule judge cannot tell without words: all its verdicts are unparsed, which `judge` and `report` warn of."""
    assert [code for code, _, _ in printed.values()] == [0, 0, 0]
    verdicts = run.outcomes(stage="grade")
    assert set(verdicts["status"]) == {"unparsed"}
    assert verdicts["score_total"].null_count() == len(verdicts)
    for way in ("judge", "report"):
        err = " ".join(printed[way][2].split())
        assert "warning: veridical/rule, stage grade: 100 % undecided: 'cannot tell" in err
        assert "the item has no words by which a rule could tell" in err


def test_an_adopted_set_goes_through_run_and_judge_to_a_report_and_its_options_are_asked_without_the_clip(
    adopted, tmp_path, said
):
    blind = ("-S", "task=description", "-S", "task=explanation", "-S", "sight=shown", "-S", "sight=blind")
    run, page, printed = gone_through(said, tmp_path, adopted, *blind)
    require_loud(run, printed)
    rates = {
        each.slice["sight"]: each
        for each in run.estimates()
        if each.metric == "accuracy" and each.slice.get("task") == "description" and "sight" in each.slice
    }
    rows = run.outcomes().filter(pl.col("settings").str.contains('"sight":"blind"', literal=True))
    described = rows.filter(pl.col("gold").is_not_null())
    assert rates["shown"].value == 1
    assert rates["blind"].value == pytest.approx(described["correct"].mean())
    assert rates["blind"].n_units == len(described) == len(adopted)
    blind_trials = [trial for trial in run.run.trials() if trial.settings["sight"] == "blind"]
    assert {part.__class__ for trial in blind_trials for part in trial.messages[0].parts} == {Text}
    assert all(stimulus.id in page for stimulus in adopted.stimuli)


def test_a_release_goes_through_run_and_judge_to_a_report(tmp_path, said):
    whole = veridical.import_release("hocabench", as_json(tmp_path / "release", items()), tmp_path / "set")
    run, page, printed = gone_through(said, tmp_path, whole)
    require_loud(run, printed)
    rows = run.outcomes()
    assert set(rows["stimulus"]) == {stimulus.id for stimulus in whole.stimuli}
    assert rows.filter(rows["gold"].is_not_null())["correct"].all()
    assert all(stimulus.id in page for stimulus in whole.stimuli)
