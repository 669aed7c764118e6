"""A condition holds exactly where the number says so, and for every number that is not there."""

import operator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.errors import InputError
from veridical.records import PROPORTION, Counts, Estimate
from veridical.verbs.results.conditions import conditions, failures, require_known

SIGNS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
numbers = st.floats(-1e6, 1e6) | st.integers(-3, 3).map(float)
COUNTS = Counts(planned=1, asked=1, answered=1, unparsed=0, refused=0, truncated=0, error=0)


def holds(text, estimates, by_repeat=dict):
    """The line of the one condition in a text that holds, or nothing."""
    return next(iter(failures(conditions([text]), estimates, by_repeat)), None)


def estimate(metric, value, where=None, reason=None, low=None, high=None):
    return Estimate(
        suite="toy",
        metric=metric,
        slice=where or {},
        value=value,
        low=low,
        high=high,
        unit=PROPORTION,
        n_units=1,
        counts=COUNTS,
        method="",
        reason=reason,
    )


@given(st.sampled_from(list(SIGNS)), numbers, numbers, st.sampled_from(["{}{}{!r}", " {} {}  {!r} "]))
def test_it_holds_exactly_where_the_comparison_does(sign, value, bound, form):
    told = holds(form.format("PFA", sign, bound), [estimate("PFA", value), estimate("PFC", bound)])
    assert (told is not None) == SIGNS[sign](value, bound)
    if told:
        assert f"{value:.10g}" in told


@given(st.text() | st.text("PFA[]<>=.,-0123456789 e"))
def test_any_text_is_conditions_or_a_line_that_says_what_is_allowed(text):
    found, problem = [], ""
    try:
        found = conditions([text])
    except InputError as error:
        problem = str(error)
    assert bool(found) != ("'PFA[variant=P]<0.8'" in problem)
    assert all(each.metric for each in found)
    assert len(failures(found, [], lambda: {1: []})) == len(found)


@pytest.mark.parametrize(
    "text",
    [
        "PFA",
        "PFA=0.8",
        "PFA==0.8",
        "<0.8",
        "PFA<",
        "PFA<high",
        "PFA<nan",
        "PFA<inf",
        "PFA<80%",
        "PFA<0.8<1",
        "PFA<0.8,PFC<0.8",
        "PFA[]<0.8",
        "PFA[variant]<0.8",
        "PFA[variant=]<0.8",
        "PFA[=P]<0.8",
        "PFA[variant=P,variant=O]<0.8",
        "PFA[variant=P<0.8",
        "PFA,<0.8",
        "lo(PFA)<0.8",
        "low(PFA<0.8",
        "low PFA)<0.8",
        "low()<0.8",
        "low(PFA,PFC)<0.8",
        "low(high(PFA))<0.8",
        "PFA[variant=P])<0.8",
        ",PFA<0.8",
        "PFA[variant=P]PFC<0.8",
        "",
    ],
)
def test_what_is_no_condition_is_refused(text):
    with pytest.raises(InputError) as caught:
        conditions([text])
    assert str(caught.value).startswith(f"--fail-if '{text}': NAME<NUMBER is allowed")


@pytest.mark.parametrize(
    ("where", "text"),
    [
        ({"variant": "P"}, "variant=P"),
        ({"case": "zollner", "variant": "P", "alpha": 0.4}, " variant = P, alpha=0.40 ,case=zollner"),
        ({"variant": "P", "congruent": False}, "congruent=false,variant=P"),
        ({"variant": "P", "congruent": None}, "congruent=none,variant=P"),
    ],
)
def test_a_slice_is_that_one_alone(where, text):
    others = [{}, {"variant": "O"}, {"variant": "P", "case": "zollner"}, {"variant": "P", "congruent": True}]
    there = [estimate("S@0.5", 0.9, other) for other in others]
    text = f"S@0.5[{text}]<0.5"
    assert holds(text, [*there, estimate("S@0.5", 0.4, where)]) is not None
    assert holds(text, [*there, estimate("S@0.5", 0.6, where)]) is None
    assert "there is no such slice" in holds(text, there)


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("form", ["{}", "low({})", "high({})", "every({})"])
def test_what_is_not_there_never_passes(sign, form):
    text = f"{form.format('R[case=zollner]')}{sign}1"
    here = {"case": "zollner"}

    def told(*estimates):
        return holds(text, estimates, lambda: {1: estimates})

    assert told(estimate("R", None, here, "the controls do not move")).endswith(
        "R is undefined: the controls do not move"
    )
    assert "R is undefined" in told(estimate("R", float("nan"), here))
    assert "there are R[case=ebbinghaus]" in told(estimate("R", 1.0, {"case": "ebbinghaus"}))
    assert "there is no figure R" in told(estimate("PFA", 1.0, here))


@given(st.sampled_from(list(SIGNS)), *[numbers] * 4)
def test_the_bounds_of_the_interval_are_asked_in_place_of_the_value(sign, value, low, high, bound):
    there = [estimate("PFA", value, low=low, high=high)]
    for name, number in (("low", low), ("high", high)):
        assert (holds(f"{name}(PFA){sign}{bound!r}", there) is not None) == SIGNS[sign](number, bound)
    assert "unbounded" in holds(f"low(PFA){sign}{bound!r}", [estimate("PFA", value, high=high)])


@given(st.sampled_from(list(SIGNS)), numbers, st.lists(numbers | st.none(), min_size=1, max_size=4), numbers)
def test_every_repeat_has_to_pass_whatever_all_of_them_together_come_to(sign, pooled, values, bound):
    repeats = {k: [estimate("PFA", value)] for k, value in enumerate(values, start=1)}
    fails = [value is None or SIGNS[sign](value, bound) for value in values]
    told = holds(f"every(PFA){sign}{bound!r}", [estimate("PFA", pooled)], lambda: repeats)
    assert (told is not None) == any(fails)
    if told:
        assert f": in repeat {fails.index(True) + 1}, PFA is " in told


THERE = [
    estimate("PFA", 0.4),
    estimate("PFA", 0.5, {"variant": "P", "case": "zollner"}),
    estimate("PFC", 0.6, {"variant": "P"}),
]


@pytest.mark.parametrize(
    ("text", "nearest"),
    [
        ("PFAA<1", "unknown metric 'PFAA': did you mean 'PFA'? known: PFA, PFC, R"),
        ("low(PFX)<1", "did you mean 'PF"),
        ("PFA[varient=P,case=zollner]<1", "there is no such slice; there are PFA[variant=P,case=zollner]"),
        ("PFA[variant=P,case=zolner]<1", "there is no such slice; there are PFA[variant=P,case=zollner]"),
        ("PFC[variant=O]<1", "there is no such slice; there are PFC[variant=P]"),
        ("PFC<1", "there is no such slice; there are "),
    ],
)
def test_a_name_that_does_not_exist_is_wrong_input_with_the_nearest_ones(text, nearest):
    with pytest.raises(InputError) as caught:
        require_known(conditions([text]), THERE, ["R"])
    assert str(caught.value).startswith("--fail-if '")
    assert nearest in str(caught.value)


def test_a_figure_that_a_run_does_not_have_yet_is_no_wrong_name():
    require_known(conditions(["R<1", "every(PFA)<1", "high(PFC[variant=P])<1"]), THERE, ["R"])
    assert holds("R<1", THERE) == "R<1: there is no figure R"


def test_several_names_are_as_many_conditions():
    found = conditions(["PFA , low(PFA[case=zollner,variant=P]),PFC[variant=P]>=.5"])
    there = [estimate("PFA", 0.4), estimate("PFA", 0.6, {"variant": "P", "case": "zollner"}, low=0.5), THERE[2]]
    assert [bool(failures([each], there, dict)) for each in found] == [False, True, True]
