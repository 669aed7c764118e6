"""Of each preference the chosen reply is that of one who looks, and the rejected one that of one who recalls."""

import re

import pytest

from studies.rewards.attacks import recipes
from veridical.records import Chunk
from veridical.rewards.parts import units_in_turn, wanted_examples
from veridical.suites.hocabench.observers.simulation import SIMULATION as LAWS
from veridical.suites.magicbench.observers.simulation import SIMULATION as TRICKS
from veridical.suites.magicbench.stimuli import HONEST
from veridical.suites.viabench.observers.simulation import SIMULATION as PUZZLES

_ANSWER = re.compile(r"<answer[12]?>(.*?)</answer|Answer: \[?(\w+)|\A(\w+)\Z")
UNITS = 2


def answers(reply):
    return tuple("".join(groups) for groups in _ANSWER.findall(reply))


def preferences(suite):
    """The trials of each preference of a suite, and the answers of the chosen and the rejected reply to each."""
    for source in recipes():
        if source.suite == suite:
            chunks = [Chunk(*each) for each in units_in_turn(source, UNITS, (), None)]
            drawn = [each for chunk in chunks for each in source.outlined(UNITS, chunk)]
            for example in wanted_examples(drawn, "preferences"):
                trials = example.item.trials
                yield list(zip(trials, answers(example.chosen), answers(example.rejected), strict=True))


def simulated(simulation, mechanism, trial):
    """The answer of a simulated observer to a trial."""
    [answer] = answers(simulation.reply(simulation.mechanisms[mechanism], 0, trial, 0))
    return answer


@pytest.mark.parametrize(
    ("suite", "simulation", "looks", "recalls"),
    [("viabench", PUZZLES, "sees", "recalls"), ("hocabench", LAWS, "perfect", "credulous")],
)
def test_preferences_are_between_simulated_observers_that_look_and_that_recall(suite, simulation, looks, recalls):
    pairs = list(preferences(suite))
    assert len(pairs) > 20
    for trial, chosen, rejected in (each for pair in pairs for each in pair):
        assert chosen == simulated(simulation, looks, trial)
        knows = suite != "viabench" or trial.factors["usual"] is not None
        # What has no usual answer cannot be recalled: it stands in a pair with what has one, and is answered right.
        assert rejected == (simulated(simulation, recalls, trial) if knows else trial.gold)


def test_one_who_recalls_says_of_a_changed_figure_what_is_so_of_the_unchanged_one_and_sees_its_control():
    pairs = list(preferences("viprobe"))
    asked = [each for pair in pairs for each in pair]
    unchanged = {
        (trial.unit, trial.settings["polarity"]): trial.gold for trial in _all_trials() if trial.variant == "O"
    }
    known = 0
    for trial, chosen, rejected in asked:
        assert chosen == trial.gold
        if trial.variant in ("OC", "PC"):
            assert rejected == trial.gold
        elif (trial.unit, trial.settings["polarity"]) in unchanged:
            known += 1
            assert rejected == unchanged[trial.unit, trial.settings["polarity"]]
    assert known > 0.9 * sum(trial.variant in ("O", "P") for trial, *_ in asked) > 0


def _all_trials():
    for source in recipes():
        if source.suite == "viprobe":
            for family, index in units_in_turn(source, UNITS, (), None):
                for example in source.outlined(UNITS, Chunk(family, index)):
                    yield from example.item.trials


def test_one_who_recalls_says_of_a_trick_what_is_so_of_its_honest_control_and_claimed_by_the_lie():
    claims = []
    for pair in preferences("magicbench"):
        for trial, chosen, rejected in pair:
            assert chosen == trial.gold == simulated(TRICKS, "perfect", trial)
            assert (rejected == trial.gold) is (trial.variant == HONEST)
            if trial.settings.get("patter") == "lie" and trial.expects["claimed"]:
                claims.append(simulated(TRICKS, "believer", trial) == rejected)
        assert len({rejected for *_, rejected in pair}) == 1
    assert sum(claims) > 0.8 * len(claims) > 0
