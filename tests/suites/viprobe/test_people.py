"""People are one more observer: sampled evenly, counted openly, and analysed like any run."""

import csv
import json
import re
from collections import Counter
from functools import partial

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import veridical
from tests.calling import call
from veridical.errors import InputError
from veridical.suites.viprobe.analysis.dose import detection_threshold, from_which_on, levels
from veridical.suites.viprobe.asking.trials import stratum
from veridical.suites.viprobe.presentation.dose_figures import human_thresholds
from veridical.suites.viprobe.presentation.figures import figures
from veridical.suites.viprobe.presentation.terms import CASE_TITLES
from veridical.verbs.runs.preparation import prepare

pytestmark = pytest.mark.usefixtures("no_figures", "no_verdicts")

CASES = ["muller_lyer", "hering"]
GRID = {"variants": ["O", "P", "OC", "PC"], "units": 4, "levels": 4, "size": 256}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return veridical.make("viprobe", out=tmp_path_factory.mktemp("people") / "set", cases=CASES, **GRID)


@pytest.fixture(scope="module")
def trials(made):
    return prepare(made, "people/any").trials


def write(path, rows, columns=("participant", "trial", "answer", "seconds")):
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([columns, *rows])
    return path


def all_right(trials, people):
    return [(f"p{person}", trial.id, trial.gold, 1.5) for person in range(people) for trial in trials]


def sampled(made, path, **numbers):
    """The rows of a sample, with the trials' own ids in the place of the opaque ones."""
    veridical.people.sample(made, path, **numbers)
    own = {
        made.opaque(each.id): each.id for each in prepare(made, "people/any", settings=numbers.get("settings")).trials
    }
    with path.open(newline="") as file:
        return [{**row, "trial": own[row["trial"]]} for row in csv.DictReader(file)]


def test_people_who_are_always_right_have_the_figures_of_an_ideal_observer(made, trials, tmp_path):
    answers = write(tmp_path / "lab.csv", all_right(trials, 3))
    run = veridical.people.read(made, answers, tmp_path / "run")
    assert run.counts.answered == run.counts.planned == 3 * len(trials)
    pixel = veridical.run(made, "veridical/pixel", repeats=3, out=tmp_path / "pixel", show="quiet", analyze=False)
    mine, ideal = ({(e.metric, *map(str, e.slice.items())): e.value for e in r.estimates()} for r in (run, pixel))
    assert mine == ideal
    assert {e.value for e in veridical.compare(pixel, run) if e.metric == "PFA difference"} == {0.0}
    assert veridical.write_report([run]).stat().st_size
    assert run.outcomes()["latency"].unique().to_list() == [1.5]


def test_the_numbers_of_people_and_pictures_stand_in_every_row(made, trials, tmp_path):
    few = [row for row in all_right(trials, 2) if row[1].startswith("hering/0001/O")]
    run = veridical.people.read(made, write(tmp_path / "lab.csv", few), tmp_path / "run", name="pilot.1")
    pictures = len({row[1].partition("?")[0] for row in few})
    assert run.model == f"people/pilot.1 (2 people, {pictures} pictures)"
    assert run.run.identity["people"] == {"participants": 2, "pictures": pictures, "answers": len(few)}
    assert all(run.model in table.read_text() for table in (run.folder / "tables").glob("consistency*.csv"))
    assert run.model in veridical.write_report([run]).read_text()


def test_names_of_participants_stay_in_the_table(made, trials, tmp_path):
    rows = [("Ada Lovelace", trials[0].id, "1", ""), ("Blaise Pascal", trials[0].id, "0", "")]
    run = veridical.people.read(made, write(tmp_path / "lab.csv", rows), tmp_path / "run")
    veridical.write_report([run])
    for path in run.folder.rglob("*"):
        assert path.is_dir() or not any(name in path.read_bytes() for name in (b"Lovelace", b"Pascal"))


def test_every_answer_keeps_its_status_and_what_was_not_shown_is_not_asked(made, trials, tmp_path):
    said = {"1": "answered", "no": "answered", "Yes": "answered", "": "unparsed", "perhaps": "unparsed"}
    rows = [("p1", trial.id, text, "") for trial, text in zip(trials, said, strict=False)]
    run = veridical.people.read(made, write(tmp_path / "lab.csv", rows), tmp_path / "run")
    status = dict(run.outcomes().select("trial", "status").iter_rows())
    assert [status[row[1]] for row in rows] == list(said.values())
    assert run.counts.asked == len(said)
    assert run.counts.planned == len(trials)
    assert run.counts.error == run.counts.refused == 0


def test_answers_of_each_participant_are_paired_with_their_own(made, tmp_path):
    """One person sees the forward and another the reversed question: there is no pair in that."""
    rows = [("p1", "hering/0000/O?forward", "1", ""), ("p2", "hering/0000/O?reversed", "0", "")]
    run = veridical.people.read(made, write(tmp_path / "lab.csv", rows), tmp_path / "run")
    found = {e.metric: e.value for e in run.estimates() if e.slice == {"case": "hering", "variant": "O"}}
    assert found["no_pair"] == 1.0


def test_reading_the_same_table_again_changes_nothing(made, trials, tmp_path):
    answers = write(tmp_path / "lab.csv", all_right(trials[:5], 2))
    first = veridical.people.read(made, answers, tmp_path / "run")
    stored = (first.folder / "responses.jsonl").read_bytes()
    veridical.people.read(made, answers, tmp_path / "run")
    assert (first.folder / "responses.jsonl").read_bytes() == stored
    write(answers, all_right(trials[:6], 2))
    with pytest.raises(InputError, match="holds another run"):
        veridical.people.read(made, answers, tmp_path / "run")


GOOD = ("p1", "hering/0000/O?forward", "1", "2")


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([GOOD, ("p1", "hering/0000/O?sideways", "1", "")], r"row 2: the set has no trial 'hering/0000/O\?sideways'"),
        ([GOOD, ("p2", *GOOD[1:]), GOOD], "row 3: 'p1' answered .* in row 1 already"),
        ([("", *GOOD[1:])], "row 1: participant is empty"),
        ([("p1", "", "1", "")], "row 1: trial is empty"),
        ([(*GOOD[:3], "-1")], "seconds -1: 0 or more"),
        ([(*GOOD[:3], "soon")], "seconds 'soon' is no number"),
        ([], "holds no row"),
        ([(f"p{n}", *GOOD[1:]) for n in range(1001)], "1,001 participants: at most 1000"),
    ],
)
def test_a_bad_table_is_told_in_one_line_and_leaves_no_run(made, tmp_path, rows, said):
    with pytest.raises(InputError, match=said) as error:
        veridical.people.read(made, write(tmp_path / "lab.csv", rows), tmp_path / "run")
    assert "\n" not in str(error.value)
    assert not (tmp_path / "run").exists()


def test_a_missing_column_and_a_bad_name_are_told(made, tmp_path):
    path = write(tmp_path / "lab.csv", [GOOD], ("participant", "trail", "answer", "seconds"))
    with pytest.raises(InputError, match=r"column 'trial' is missing \(is it 'trail'\?\)"):
        veridical.people.read(made, path, tmp_path / "run")
    with pytest.raises(InputError, match="name 'a/b'"):
        veridical.people.read(made, write(path, [GOOD]), tmp_path / "run", name="a/b")


@given(st.integers(1, 80), st.integers(1, 7), st.integers(0, 3))
def test_a_sample_is_balanced_for_each_person_and_over_all(made, tmp_path_factory, per_person, people, seed):
    path = tmp_path_factory.mktemp("sample") / "items.csv"
    rows = sampled(made, path, per_person=per_person, people=people, seed=seed)
    pictures = {stimulus.id: stimulus for stimulus in made.stimuli}
    strata = {stratum(stimulus) for stimulus in pictures.values()}
    seen = {}
    for row in rows:
        seen.setdefault(row["participant"], set()).add(row["trial"].partition("?")[0])
    assert len(seen) == people
    assert {len(each) for each in seen.values()} == {per_person}
    largest = Counter(stratum(stimulus) for stimulus in pictures.values())
    for each in seen.values():
        counts = Counter(stratum(pictures[name]) for name in each)
        # A stratum that a person has seen all of is passed over.
        open_ones = [counts[s] for s in strata if counts[s] < largest[s]]
        assert not open_ones or max(open_ones) - min(open_ones) <= 1
    shown = Counter(stratum(pictures[name]) for each in seen.values() for name in each)
    if per_person <= len(strata):
        assert max(shown.values()) - min(shown[s] for s in strata) <= 1


def test_a_sample_asks_every_question_of_a_picture_in_an_order_of_each_persons_own(made, trials, tmp_path):
    rows = sampled(made, tmp_path / "items.csv", per_person=len(made), people=3, seed=5)
    orders = {}
    for row in rows:
        orders.setdefault(row["participant"], []).append((int(row["position"]), row["trial"]))
    for order in orders.values():
        assert [position for position, _ in order] == list(range(1, len(trials) + 1))
        assert {trial for _, trial in order} == {trial.id for trial in trials}
    assert len({tuple(trial for _, trial in order) for order in orders.values()}) == 3


def test_a_sample_is_the_same_for_the_same_seed_alone(made, tmp_path):
    draw = partial(sampled, made, tmp_path / "items.csv", per_person=9, people=2)
    assert draw(seed=1) == draw(seed=1) != draw(seed=2)


def test_a_sample_holds_questions_and_no_true_answer(made, trials, tmp_path):
    gold = {trial.id: trial.gold for trial in trials}
    questions = {s.id: (s.question, s.truth["question_reversed"]) for s in made.stimuli}
    files = {stimulus.id: stimulus.media[0].file for stimulus in made.stimuli}
    rows = sampled(made, tmp_path / "items.csv", per_person=20, people=1)
    assert set(rows[0]) == {"participant", "position", "trial", "picture", "question", "answer", "seconds"}
    for row in rows:
        picture, _, form = row["trial"].partition("?")
        assert row["question"] == questions[picture][form == "reversed"]
        assert (tmp_path / row["picture"]).read_bytes() == made.read(files[picture])
        assert row["answer"] == row["seconds"] == ""
        assert gold[row["trial"]] in ("0", "1")


def test_people_are_asked_which_target_has_more_without_words_for_models(made, tmp_path):
    comparisons = {s.id: s.truth["comparison"] for s in made.stimuli if s.truth["comparison"]}
    rows = sampled(made, tmp_path / "items.csv", per_person=12, people=1, settings={"task": "comparison"})
    assert len(rows) == 12
    for row in rows:
        picture, _, form = row["trial"].partition("?")
        assert (form, row["question"]) == ("comparison", comparisons[picture]["question"])


def test_a_sample_that_is_filled_in_can_be_read(made, trials, tmp_path):
    gold = {trial.id: trial.gold for trial in trials}
    rows = sampled(made, tmp_path / "items.csv", per_person=12, people=4)
    filled = [
        {**row, "trial": made.opaque(row["trial"]), "answer": gold[row["trial"]], "seconds": "2.5"} for row in rows
    ]
    pl.DataFrame(filled).write_csv(tmp_path / "items.csv")
    run = veridical.people.read(made, tmp_path / "items.csv", tmp_path / "run")
    assert run.counts.answered == len(rows)


@pytest.mark.parametrize("numbers", [{"per_person": 0}, {"per_person": 10_000}, {"per_person": 5, "people": 0}])
def test_a_sample_that_cannot_be_drawn_is_refused(made, tmp_path, numbers):
    with pytest.raises(InputError, match="are allowed"):
        veridical.people.sample(made, tmp_path / "items.csv", **numbers)
    assert not (tmp_path / "items.csv").exists()


def seen_from(strength):
    """People who see a change from that strength on, and no smaller one."""

    def answer(trial):
        if trial.variant not in ("P", "PC") or abs(trial.factors["alpha"]) >= strength:
            return trial.gold
        return str(1 - int(trial.gold))

    return answer


@pytest.mark.parametrize("strength", [0.5, 1.0])
def test_the_threshold_of_people_with_a_sharp_one_is_found(made, trials, tmp_path, strength):
    answer = seen_from(strength)
    rows = [(f"p{n}", trial.id, answer(trial), "") for n in range(100) for trial in trials if trial.variant == "P"]
    run = veridical.people.read(made, write(tmp_path / "lab.csv", rows), tmp_path / "run")
    found = {e.slice["case"]: e for e in detection_threshold(run.outcomes())}
    assert sorted(found) == sorted(CASES)
    for estimate in found.values():
        assert estimate.value == estimate.high == strength
        assert estimate.low == (None if strength == 0.5 else strength)
        assert estimate.n_units == 100
        assert "100 people" in estimate.method


@pytest.fixture(scope="module")
def both(made, trials, tmp_path_factory):
    """A run of a model, and one of people who see the changes of each case from another strength on."""
    folder = tmp_path_factory.mktemp("both")
    see = {"muller_lyer": seen_from(0.5), "hering": seen_from(1.0)}
    rows = [(f"p{n}", trial.id, see[trial.family](trial), "1") for n in range(20) for trial in trials]
    theirs = veridical.people.read(made, write(folder / "adults.csv", rows), folder / "adults")
    return veridical.run(made, "veridical/pixel", out=folder / "pixel", show="quiet", analyze=False), theirs


def test_the_threshold_of_people_in_each_case_is_marked_in_the_dose_figure(both):
    pixel, theirs = both
    results = [each.result() for each in (theirs, pixel)]
    figure = next(each for each in figures(results) if each.name == "dose_response")
    assert human_thresholds(results) == {"muller_lyer": 0.5, "hering": 1.0}
    assert {f'id="human-{panel}-{case}"' in figure.svg for panel in (0, 1) for case in CASES} == {True}
    assert all(f"{CASE_TITLES[case]} {alpha:g}" in figure.note for case, alpha in human_thresholds(results).items())
    alone = next(each for each in figures([pixel.result()]) if each.name == "dose_response")
    assert "human" not in alone.svg
    assert "people" not in alone.note


def test_a_report_says_what_people_come_to_beside_the_best_model_and_lists_them_last(both):
    pixel, theirs = both
    page = veridical.write_report([theirs, pixel]).read_text(encoding="utf-8")
    whole = {e.metric: e for e in theirs.estimates() if not e.slice}
    ideal = {e.metric: e for e in pixel.estimates() if not e.slice}
    shown = [f"{100 * each['PFA'].value:.1f}" for each in (whole, ideal)]
    line = rf"{re.escape(theirs.model)}: PFA[^;]* {shown[0]} % \[[^;]*, best model veridical/pixel {shown[1]} %"
    assert re.search(line, page)
    rows = re.findall(r'<span class="run-name">([^<]*)</span>', page)
    assert rows == ["veridical/pixel", theirs.model]


def test_a_profile_has_people_as_its_last_row_and_compares_them_with_no_model(made, both, tmp_path):
    pixel, theirs = both
    other = veridical.run(made, "veridical/prior", out=tmp_path / "other", show="quiet", analyze=False)
    found = veridical.profile([theirs, pixel, other])
    assert [each.name for each in found.models] == ["veridical/pixel", "veridical/prior", "people"]
    assert [(each.first, each.second) for each in found.differences] == [("veridical/pixel", "veridical/prior")]
    lines = {each.question.name: each.conclusion.name for each in found.models[-1].lines}
    assert any(name != "not asked" for name in lines.values())
    assert veridical.profile([theirs, pixel]).differences == ()
    text = "\n".join(found.text())
    assert "\npeople\n" in text


def test_two_groups_of_people_on_one_suite_are_two_rows_of_a_profile(made, trials, both, tmp_path):
    _, theirs = both
    children = veridical.people.read(made, write(tmp_path / "children.csv", all_right(trials, 2)), tmp_path / "run")
    names = [each.name for each in veridical.profile([theirs, children]).models]
    assert names == ["people/adults", "people/children"]


def test_few_people_are_never_sure_of_a_threshold(made, trials, tmp_path):
    run = veridical.people.read(made, write(tmp_path / "lab.csv", all_right(trials, 5)), tmp_path / "run")
    for estimate in detection_threshold(run.outcomes()):
        assert (estimate.value, estimate.low, estimate.high) == (0.5, None, None)
        assert "5 people are too few" in estimate.reason


def test_a_missed_answer_is_no_detection(made, trials, tmp_path):
    rows = [(f"p{n}", t.id, t.gold if n else "", "") for n in range(10) for t in trials if t.variant == "P"]
    run = veridical.people.read(made, write(tmp_path / "lab.csv", rows), tmp_path / "run")
    for estimate in detection_threshold(run.outcomes()):
        assert estimate.value is None
        assert "90.0% are detected" in estimate.reason


def test_a_run_without_perturbed_pictures_has_no_threshold(made, trials, tmp_path):
    rows = [("p1", trial.id, "1", "") for trial in trials if trial.variant == "O"]
    run = veridical.people.read(made, write(tmp_path / "lab.csv", rows), tmp_path / "run")
    assert all(e.value is None and "no reply" in e.reason for e in detection_threshold(run.outcomes()))
    only = run.outcomes().filter(pl.col("variant") == "O")
    assert detection_threshold(only) == []


def test_a_model_has_a_threshold_over_units(made):
    run = veridical.run(made, "veridical/pixel", show="quiet", analyze=False)
    for estimate in detection_threshold(run.outcomes()):
        assert (estimate.value, estimate.n_units) == (0.5, GRID["units"])


@given(st.lists(st.booleans(), max_size=12))
def test_from_which_on_is_where_the_unbroken_end_begins(holds):
    scale = list(np.linspace(0.1, 1, len(holds)))
    ends = [k for k in range(len(holds)) if all(holds[k:])]
    assert from_which_on(scale, holds) == (scale[ends[0]] if ends else None)


def test_the_interval_of_a_threshold_covers_the_true_one():
    """People who differ, on a scale whose rates are known: where 95 % begin lies inside, 19 times of 20."""
    strengths, rates = np.array([0.2, 0.4, 0.6, 0.8, 1.0]), np.array([0.55, 0.75, 0.9, 0.97, 0.999])
    rng, covered, runs = np.random.default_rng(0), 0, 200
    for _ in range(runs):
        own = rng.beta(rates * 20, (1 - rates) * 20, (24, len(strengths)))
        hits = rng.random((24, len(strengths), 8)) < own[..., None]
        person, level, trial = np.indices(hits.shape).reshape(3, -1)
        replies = pl.DataFrame(
            {
                "alpha": strengths[level] * np.where(trial % 2, 1, -1),
                "repeat": person,
                "status": "answered",
                "correct": hits.ravel(),
            }
        )
        found = levels(replies, "repeat")
        assert [each.alpha for each in found] == strengths.tolist()
        low = from_which_on(strengths, [each.bounds.high >= 0.95 for each in found])
        high = from_which_on(strengths, [each.bounds.low >= 0.95 for each in found])
        covered += low <= 0.8 and (high is None or high >= 0.8)
    assert covered >= 0.95 * runs


def test_the_command_line_goes_from_sample_to_threshold(made, trials, tmp_path, monkeypatch, capsys):
    items, out = tmp_path / "items.csv", tmp_path / "run"
    words = ("people", "sample", made.folder, "--out", items, "--per-person", 6, "--people", 2, "--json")
    code, said, _ = call(monkeypatch, capsys, *words)
    assert (code, json.loads(said)["questions"]) == (0, 2 * 6 * 2)
    answers = write(tmp_path / "lab.csv", all_right(trials, 2))
    code, said, _ = call(monkeypatch, capsys, "people", "read", made.folder, answers, "--out", out)
    assert code == 0
    assert said.startswith(f"people/lab (2 people, {len(made)} pictures): {2 * len(trials):,} answers")
    code, said, _ = call(monkeypatch, capsys, "viprobe", "threshold", out)
    assert (code, said.count("|α| 0.50 [–, –]"), said.count("2 people, 16 pictures")) == (0, 2, 2)
    code, said, _ = call(monkeypatch, capsys, "viprobe", "threshold", out, "--json")
    assert [each["value"] for each in json.loads(said)] == [0.5, 0.5]
    write(answers, [("p1", "nothing", "1", "")])
    code, _, err = call(monkeypatch, capsys, "people", "read", made.folder, answers, "--out", tmp_path / "other")
    assert (code, err.count("\n")) == (2, 1)
    assert "has no trial 'nothing'" in err
