"""A run asks in rounds until it can conclude: what is asked follows from the replies, whenever it is stopped."""

import json
import shutil

import polars as pl
import pytest

import veridical
from tests.probe_suite.design import FAMILIES
from veridical.ask import Run
from veridical.errors import InputError
from veridical.stimulus_set import StimulusSet
from veridical.suite.rounds_taken import NOT_ESTIMATED
from veridical.verbs.runs.live_state import LiveState

EYE = "veridical/eye"
PLAN = {"stop_at": "verdict", "show": "quiet"}


def asked(out, **options):
    return veridical.run(veridical.design("probe", seed=4), EYE, out=out, **{**PLAN, **options})


@pytest.fixture(scope="module")
def counting(tmp_path_factory):
    """A run in rounds of the observer that looks."""
    return asked(tmp_path_factory.mktemp("rounds") / "counting")


def stored(folder):
    return pl.read_parquet(folder / "trials.parquet")["id"].to_list()


def test_asking_stops_when_the_verdict_stands(counting):
    taken = counting.rounds
    assert (taken.standing.verdict, taken.standing.rule) == ("counts", "enough of one kind")
    assert (taken.questions, taken.rounds, taken.most) == (18, 3, 60)
    assert counting.complete
    assert counting.stopped is None
    assert counting.counts.planned == counting.counts.answered == 18


def test_the_questions_follow_from_the_replies(counting):
    variants = [name.rpartition("/")[2].partition("?")[0] for name in stored(counting.folder)]
    assert variants == ["easy"] * 6 + ["hard"] * 12


def test_a_guesser_half_of_whose_replies_cannot_be_read_gets_no_verdict(counting, tmp_path):
    with pytest.warns(veridical.UnansweredWarning):
        guessing = asked(tmp_path / "run", model_args={"blind": True})
    assert (guessing.rounds.standing.verdict, guessing.rounds.standing.rule) == ("open", "answers are missing")
    assert stored(guessing.folder)[:6] == stored(counting.folder)[:6]
    assert set(stored(guessing.folder)[6:]) != set(stored(counting.folder)[6:])


def test_the_set_in_the_run_has_what_was_asked_about_and_is_sound(counting):
    whole = StimulusSet.open(counting.folder / "stimuli")
    assert {stimulus.unit for stimulus in whole.stimuli} == set(counting.outcomes()["unit"])
    assert veridical.check(whole).failed == []
    again = veridical.make("probe", seed=4, units=9, out=counting.folder.parent / "whole")
    same = again.stimuli_by_id([stimulus.id for stimulus in whole.stimuli])
    assert all(same[stimulus.id] == stimulus for stimulus in whole.stimuli)


def test_asked_again_nothing_is_sent(counting):
    before = (counting.folder / "responses.jsonl").read_bytes()
    again = asked(counting.folder)
    assert again.rounds == counting.rounds
    assert (counting.folder / "responses.jsonl").read_bytes() == before


@pytest.mark.parametrize("kept", [0, 1, 5, 6, 7, 11, 12, 17])
def test_a_run_that_was_stopped_anywhere_ends_as_one_that_was_not(counting, tmp_path, kept):
    """Left are so many replies, and the trials of the rounds that these were in or, at the end of one, of the next."""
    cut = tmp_path / "run"
    shutil.copytree(counting.folder, cut, ignore=shutil.ignore_patterns("tables", "outcomes.parquet", "status.json"))
    lines = (cut / "responses.jsonl").read_text().splitlines(keepends=True)
    (cut / "responses.jsonl").write_text("".join(lines[:kept]))
    again = asked(cut)
    assert stored(cut) == stored(counting.folder)
    assert again.rounds == counting.rounds
    columns = ["trial", "repeat", "status", "answer", "correct"]
    assert again.outcomes().select(columns).equals(counting.outcomes().select(columns))


def test_replies_that_changed_since_are_told_from_those_that_were_followed(counting, tmp_path):
    other = tmp_path / "run"
    shutil.copytree(counting.folder, other)
    log = other / "responses.jsonl"
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    for line in lines[:6]:
        line["text"] = "none"
        line.pop("digest", None)
    log.write_text("".join(json.dumps(line) + "\n" for line in lines))
    with pytest.raises(InputError, match="round 2 do not follow from the stored replies"):
        asked(other)


def test_it_stops_at_the_most_questions_and_goes_on_with_more(tmp_path):
    short = asked(tmp_path / "run", max_questions=15)
    assert (short.rounds.standing.verdict, short.rounds.questions) == ("open", 12)
    assert short.rounds.standing.rule == "the most questions were asked"
    longer = asked(tmp_path / "run", max_questions=60)
    assert (longer.rounds.standing.verdict, longer.rounds.questions) == ("counts", 18)


def test_a_set_gives_its_design(counting, made, tmp_path):
    of_set = veridical.run(made, EYE, out=tmp_path / "run", **PLAN)
    assert of_set.rounds.standing.verdict == "counts"
    drawn = StimulusSet.open(of_set.folder / "stimuli")
    held = made.stimuli_by_id([stimulus.id for stimulus in drawn.stimuli])
    assert held
    assert all(stimulus == held.get(stimulus.id, stimulus) for stimulus in drawn.stimuli)


def test_no_figure_of_a_fixed_design_is_estimated(counting):
    estimates = counting.estimates()
    assert estimates
    assert all(each.value is None and each.reason == NOT_ESTIMATED for each in estimates)
    assert counting.figures() == []
    assert counting.opening().findings[0].verdict == "counts"


def test_its_report_says_the_verdict_and_no_figure(counting, tmp_path):
    page = veridical.write_report([counting], tmp_path / "page.html").read_text()
    assert "18 questions in 3 rounds" in page
    assert "It counts." in page
    assert "enough of one kind" in page


def test_a_page_that_follows_it_shows_the_replies_of_all_rounds(counting, tmp_path):
    state = LiveState()
    run = asked(tmp_path / "run", live=state)
    state.close()
    (stage,) = state.facts()["stages"]
    assert run.rounds == counting.rounds
    assert stage["statuses"] == {"answered": counting.rounds.questions}


def test_it_stands_beside_no_run_of_a_fixed_design(counting, seeing):
    for verb in (lambda: veridical.compare(seeing, counting), lambda: veridical.write_report([counting, seeing])):
        with pytest.raises(InputError, match="chose its questions by the replies"):
            verb()


def test_a_round_cut_short_by_the_most_questions_is_gone_on_with(counting, tmp_path):
    """The stored table ends within a round, as a questioner may end that knows how many questions are left."""
    cut = tmp_path / "run"
    shutil.copytree(counting.folder, cut, ignore=shutil.ignore_patterns("tables", "outcomes.parquet", "status.json"))
    run = Run.open(cut)
    with run.writer():
        run.extended(run.trials()[:9], counting.suite.design.factors)
    lines = (cut / "responses.jsonl").read_text().splitlines(keepends=True)
    (cut / "responses.jsonl").write_text("".join(lines[:9]))
    again = asked(cut)
    assert stored(cut) == stored(counting.folder)
    assert again.rounds == counting.rounds


def test_repeats_are_asked_in_each_round(tmp_path):
    twice = asked(tmp_path / "run", repeats=2)
    assert twice.counts.answered == 2 * twice.rounds.questions


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"shard": "1/2"}, "shard beside stop_at"),
        ({"limit": 3}, "limit beside stop_at"),
        ({"retry": "refused"}, "retry beside stop_at"),
        ({"settings": {"tone": "plain"}}, "settings beside stop_at verdict"),
        ({"stop_at": "certainty"}, "stop_at 'certainty': verdict, or width=POINTS, is allowed"),
        ({"stop_at": "width=5"}, "asks the units of a set"),
        ({"stop_at": "width=0"}, "from 0.5 to 50"),
    ],
)
def test_what_rounds_cannot_have_is_one_line_and_leaves_nothing(tmp_path, options, words):
    with pytest.raises(InputError, match=words):
        asked(tmp_path / "run", **options)
    assert not (tmp_path / "run").exists() or not list((tmp_path / "run").iterdir())


def test_a_run_of_another_kind_is_not_gone_on_with(counting, made, tmp_path):
    plain = veridical.run(made, EYE, out=tmp_path / "run", limit=2, show="quiet")
    with pytest.raises(InputError, match="stop_at"):
        veridical.run(made, EYE, out=plain.folder, **PLAN)
    with pytest.raises(InputError, match="another run"):
        veridical.run(made, EYE, out=counting.folder, show="quiet")


def test_a_set_is_asked_unit_by_unit_until_the_figure_is_narrow(tmp_path):
    whole = veridical.make("probe", out=tmp_path / "set", units=40, seed=2)
    run = veridical.run(whole, EYE, out=tmp_path / "run", stop_at="accuracy=6", show="quiet")
    taken, outcomes = run.rounds, run.outcomes()
    assert taken.standing.rule == "the interval is as narrow as was wanted"
    assert len(outcomes) == taken.questions < len(whole)
    (accuracy,) = [each for each in run.estimates() if each.metric == "accuracy" and not each.slice]
    assert (accuracy.high - accuracy.low) * 50 <= 6
    per_unit = outcomes.group_by("unit").len()["len"]
    assert per_unit.min() == per_unit.max()
    assert set(outcomes["family"]) == set(FAMILIES)
    assert Run.open(run.folder).identity["set"] == whole.digest
