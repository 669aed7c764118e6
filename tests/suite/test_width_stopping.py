"""A run that stops at a width asks whole units in the order of asking, and its interval is as narrow as was wanted."""

import numpy as np
import pytest

from studies.width.stopped_runs import (
    ANALYSIS,
    CELLS,
    PER_UNIT,
    ObserverCell,
    measured,
    ordered_trials,
    simulated_replies,
    table,
)
from veridical.errors import InputError
from veridical.suite.width_stopping import WidthGoal, WidthQuestioner, half_width


def questioner(rate, goal, seed=0):
    rng = np.random.default_rng(seed)
    replies, trials = simulated_replies(ObserverCell(rate, 0.3), rng), ordered_trials(rng)
    return WidthQuestioner(ANALYSIS, ["ask"], replies.clear(), goal, trials), replies, trials


def asked(rate, goal, seed=0):
    """The rounds of a run, as trial ids, and the questioner at its end."""
    asks, replies, trials = questioner(rate, goal, seed)
    place = {trial.id: number for number, trial in enumerate(trials)}
    rounds = []
    while (questions := asks.next_round()) and asks.standing().rule is None:
        rounds.append([question.trial for question in questions])
        asks.learn(replies[[place[name] for name in rounds[-1]]])
    return rounds, asks, trials


def test_each_round_has_whole_units_in_the_order_of_asking():
    rounds, _, trials = asked(0.9, WidthGoal(5.0))
    order = [trial.id for trial in sorted(trials, key=lambda trial: trial.place)]
    names = [name for each in rounds for name in each]
    assert names == order[: len(names)]
    assert all(len(each) % PER_UNIT == 0 for each in rounds)


@pytest.mark.parametrize("points", [3.0, 5.0, 8.0])
def test_it_stops_at_the_first_look_at_which_the_interval_is_narrow(points):
    _, asks, _ = asked(0.8, WidthGoal(points))
    assert half_width(asks.figure) <= points
    before, replies, trials = questioner(0.8, WidthGoal(points))
    place = {trial.id: number for number, trial in enumerate(trials)}
    while (questions := before.next_round()) and before.asked + len(questions) < asks.asked:
        before.learn(replies[[place[question.trial] for question in questions]])
        assert before.figure is None or half_width(before.figure) > points


def test_near_the_end_of_the_scale_it_takes_far_fewer_questions():
    high, even = (len([name for each in asked(rate, WidthGoal(5.0))[0] for name in each]) for rate in (0.97, 0.5))
    assert high < even / 2


def test_a_figure_that_the_suite_does_not_have_is_refused_with_the_nearest():
    with pytest.raises(InputError, match="unknown figure to stop at 'acuracy': did you mean 'accuracy'"):
        questioner(0.5, WidthGoal(5.0, "acuracy"))


def test_the_study_says_questions_and_coverage_with_an_interval_and_n():
    result = measured(CELLS[6], 5.0, 20)
    assert np.mean(result.held) >= 0.8
    lines = list(table([result], 5.0))
    assert lines[2].startswith("| 90% | 0 |")
    assert lines[2].endswith("| 20 |")
