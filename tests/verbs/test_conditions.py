"""A condition holds exactly where the number says so, and for every number that is not there."""

import operator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.errors import InputError
from veridical.records import PROPORTION, Counts, Estimate
from veridical.verbs.results.conditions import conditions, holds

SIGNS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
numbers = st.floats(-1e6, 1e6) | st.integers(-3, 3).map(float)
COUNTS = Counts(planned=1, asked=1, answered=1, unparsed=0, refused=0, truncated=0, error=0)


def estimate(metric, value, where=None, reason=None):
    return Estimate(
        suite="toy",
        metric=metric,
        slice=where or {},
        value=value,
        low=None,
        high=None,
        unit=PROPORTION,
        n_units=1,
        counts=COUNTS,
        method="",
        reason=reason,
    )


@given(st.sampled_from(list(SIGNS)), numbers, numbers, st.sampled_from(["{}{}{!r}", " {} {}  {!r} "]))
def test_it_holds_exactly_where_the_comparison_does(sign, value, bound, form):
    (condition,) = conditions(form.format("PFA", sign, bound))
    told = holds(condition, [estimate("PFA", value), estimate("PFC", bound)])
    assert (told is not None) == SIGNS[sign](value, bound)
    if told:
        assert f"{value:.10g}" in told


@given(st.text() | st.text("PFA[]<>=.,-0123456789 e"))
def test_any_text_is_conditions_or_a_line_that_says_what_is_allowed(text):
    found, problem = [], ""
    try:
        found = conditions(text)
    except InputError as error:
        problem = str(error)
    assert bool(found) != ("'PFA[variant=P]<0.8'" in problem)
    assert all(each.metric and holds(each, []) for each in found)


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
        ",PFA<0.8",
        "PFA[variant=P]PFC<0.8",
        "",
    ],
)
def test_what_is_no_condition_is_refused(text):
    with pytest.raises(InputError) as caught:
        conditions(text)
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
    (condition,) = conditions(f"S@0.5[{text}]<0.5")
    assert holds(condition, [*there, estimate("S@0.5", 0.4, where)]) is not None
    assert holds(condition, [*there, estimate("S@0.5", 0.6, where)]) is None
    assert "there is no such slice" in holds(condition, there)


@pytest.mark.parametrize("sign", SIGNS)
def test_what_is_not_there_never_passes(sign):
    (condition,) = conditions(f"R[case=zollner]{sign}1")
    here = {"case": "zollner"}
    assert holds(condition, [estimate("R", None, here, "the controls do not move")]).endswith(
        "R is undefined: the controls do not move"
    )
    assert "R is undefined" in holds(condition, [estimate("R", float("nan"), here)])
    assert "there are R[case=ebbinghaus]" in holds(condition, [estimate("R", 1.0, {"case": "ebbinghaus"})])
    assert "unknown metric 'R': known: PFA" in holds(condition, [estimate("PFA", 1.0, here)])


def test_several_names_are_as_many_conditions():
    found = conditions("PFA , PFA[case=zollner,variant=P],PFC[variant=P]>=.5")
    there = [
        estimate("PFA", 0.4),
        estimate("PFA", 0.5, {"variant": "P", "case": "zollner"}),
        estimate("PFC", 0.6, {"variant": "P"}),
    ]
    assert [holds(each, there) is not None for each in found] == [False, True, True]
