"""Pairs of trials of one unit that differ in a factor."""

from __future__ import annotations

import pytest

from veridical.errors import InputError
from veridical.records import Trial
from veridical.suite.trial_pairs import PairLevels, trial_pairs


def trial(unit: str, variant: str, tone: float | None = None, level: str = "plain", prompt: str = "p") -> Trial:
    name = f"{unit}-{variant}-{tone}-{level}"
    return Trial(
        id=f"{name}?ask",
        suite="s",
        stage="ask",
        stimulus=name,
        unit=unit,
        family="f",
        category="c",
        variant=variant,
        messages=(),
        gold="yes",
        reader="r",
        prompt=prompt,
        settings={"wording": level},
        factors={} if tone is None else {"tone": tone},
    )


def test_a_pair_has_one_unit_one_setting_and_one_prompt():
    units = [trial(unit, variant, level=level) for unit in "ab" for variant in "OPX" for level in ("plain", "long")]
    alone = [trial("c", "P"), trial("d", "O"), trial("d", "P", prompt="q")]
    pairs, unpaired = trial_pairs([*units, *alone], [PairLevels("variant", "O", "P")])
    assert unpaired == 2
    assert len(pairs) == 4
    for first, second, group in pairs:
        assert (first.variant, second.variant, group) == ("O", "P", "O → P")
        assert (first.unit, first.settings, first.prompt) == (second.unit, second.settings, second.prompt)


def test_levels_that_are_stated_twice_count_once():
    trials, levels = [trial(unit, variant) for unit in "ab" for variant in "OP"], PairLevels("variant", "O", "P")
    assert trial_pairs(trials, [levels, levels]) == trial_pairs(trials, [levels])


def test_one_trial_may_be_the_first_of_many_and_a_factor_divides_groups_in_the_order_of_its_levels():
    trials = [trial("a", "O", 0.0), *(trial("a", "P", tone) for tone in (10.0, 9.0, -1.0))]
    pairs, unpaired = trial_pairs(trials, [PairLevels("variant", "O", "P")], "tone")
    assert (unpaired, len({first.id for first, *_ in pairs})) == (0, 1)
    assert [group for *_, group in pairs] == ["O → P, tone -1.0", "O → P, tone 9.0", "O → P, tone 10.0"]


def test_several_partners_are_refused_unless_a_factor_tells_them_apart():
    trials = [trial("a", variant, tone) for variant in "OP" for tone in (1.0, 2.0)]
    with pytest.raises(InputError, match=r"2 trials with variant = O to pair with a-P-1.0-plain\?ask.*--by"):
        trial_pairs(trials, [PairLevels("variant", "O", "P")])
    pairs, _ = trial_pairs(trials, [PairLevels("variant", "O", "P")], "tone")
    assert all(first.factors == second.factors for first, second, _ in pairs)


@pytest.mark.parametrize("text", ["", "variant", "variant=", "=O,P", "variant=O", "variant=O,P,Q", "v=O,O", "v=O,"])
def test_another_form_of_levels_is_refused(text):
    with pytest.raises(InputError, match="FACTOR=FIRST,SECOND"):
        PairLevels.of(text)


@pytest.mark.parametrize(
    ("levels", "by", "said"),
    [
        (PairLevels("varient", "O", "P"), None, "did you mean 'variant'"),
        (PairLevels("variant", "O", "Q"), None, "unknown level of variant 'Q'"),
        (PairLevels("variant", "O", "P"), "tones", "did you mean 'tone'"),
        (PairLevels("tone", "1.0", "2.0"), None, "no unit has trials of one wording with tone at both levels"),
    ],
)
def test_what_no_trial_has_is_refused_by_name(levels, by, said):
    trials = [trial("a", "O", 1.0), trial("a", "P", 1.0), trial("b", "P", 2.0)]
    with pytest.raises(InputError, match=said):
        trial_pairs(trials, [levels], by)
