"""Every case of the registry: its truth is exact, readable from its pixels, and the only thing that changes."""

import numpy as np
import pytest
from scipy import ndimage

from veridical.draw import rasterise
from veridical.errors import InputError
from veridical.stimuli.illusions import CASES
from veridical.stimuli.illusions.make import chunks, make, strength_text
from veridical.stimulus_set import Design, checked_alphas, strengths

ALPHAS = (-1.0, -0.6, -0.2, 0.2, 0.6, 1.0)
every_case = pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))
SIZES = (64, 128, 224, 512, 777)


def draw(case, base, alpha, **context):
    return rasterise(case.geometry(base, alpha).scene(**context))


def difference(a, b):
    return np.abs(a.astype(int) - b.astype(int)).max(2)


@pytest.mark.parametrize(
    ("case", "size"), [(case, size) for case in CASES.values() for size in SIZES if size >= case.smallest_size]
)
def test_the_truth_is_read_back_from_the_pixels(case, size):
    for index in range(4):
        base = case.base(size, 5, index)
        for alpha in (0.0, *ALPHAS):
            for inducers in (True, False):
                measured = case.measure(draw(case, base, alpha, inducers=inducers))
                assert measured is not None
                assert measured.value == pytest.approx(case.value(base, alpha), abs=case.factor.visible / 4)
                if abs(case.value(base, alpha)) >= case.factor.visible or alpha == 0:
                    assert case.is_same(measured) == (alpha == 0)


@every_case
def test_no_other_picture_is_taken_for_the_case(case):
    rng = np.random.default_rng(0)
    blank = np.full((256, 512, 3), 255, np.uint8)
    noise = rng.integers(0, 256, (256, 512, 3), np.uint8)
    others = [
        draw(other, other.base(512, 1, index), alpha, inducers=inducers)
        for other in CASES.values()
        if other is not case
        for index in range(3)
        for alpha in (0.0, 1.0)
        for inducers in (True, False)
    ]
    for picture in (blank, 255 - blank, noise, blank[:1, :1], *others):
        assert case.measure(picture) is None


@every_case
def test_original_and_perturbed_agree_outside_the_changed_region(case):
    for index in range(4):
        base = case.base(512, 2, index)
        outside = np.ones((base.height, base.width), bool)
        for x0, y0, x1, y1 in case.regions(base):
            outside[y0:y1, x0:x1] = False
        assert outside.any()
        for inducers in (True, False):
            original = draw(case, base, 0.0, inducers=inducers)
            for alpha in ALPHAS:
                changed = difference(original, draw(case, base, alpha, inducers=inducers)) > 0
                assert changed.any()
                assert not changed[outside].any()


@every_case
def test_the_control_differs_from_the_figure_in_the_inducers_alone(case):
    """Everywhere within the targets, one pixel from their edge, figure and control are the same."""
    for index in range(4):
        base = case.base(512, 2, index)
        for alpha in (0.0, *ALPHAS):
            figure, control = draw(case, base, alpha), draw(case, base, alpha, inducers=False)
            empty = draw(case, base, alpha, inducers=False, targets=False)
            within = ndimage.binary_erosion(difference(control, empty) > 0, np.ones((3, 3)))
            assert within.sum() > 50
            assert difference(figure, control)[~within].any()
            assert not difference(figure, control)[within].any()


@every_case
def test_the_unit_depends_on_seed_case_and_index_alone(case):
    assert case.base(512, 1, 3) == case.base(512, 1, 3)
    assert case.base(512, 1, 3) != case.base(512, 1, 4)
    assert case.base(512, 1, 3) != case.base(512, 2, 3)


@every_case
@pytest.mark.parametrize("units", [1, 2, 3, 7, 10])
def test_the_changed_side_is_balanced_to_within_one(case, units):
    sides = [case.base(512, 9, index).changed for index in range(units)]
    if None in sides:
        assert set(sides) == {None}
    else:
        counts = [sides.count(side) for side in ("top", "bottom", "left", "right") if side in sides]
        assert max(counts) - min(counts) <= 1 or (units == 1 and counts == [1])
        assert len(set(sides)) == min(units, 2)


def test_congruent_strength_exaggerates_what_people_see():
    """Longer where fins flare out; lighter on dark; the first line turned away from its own hatches."""
    for index in range(8):
        base = CASES["muller_lyer"].base(512, 0, index)
        top_grows = CASES["muller_lyer"].value(base, 0.5) > 0
        assert top_grows == (base.outward == "top")
        base = CASES["simultaneous_contrast"].base(512, 0, index)
        left_lighter = CASES["simultaneous_contrast"].value(base, 0.5) > 0
        assert left_lighter == (base.dark == "left")
        base = CASES["zollner"].base(512, 0, index)
        assert np.sign(CASES["zollner"].value(base, 0.5)) == -base.lean


def test_the_controls_ground_has_the_light_of_both_surrounds():
    from veridical.draw.colour import to_linear

    case = CASES["simultaneous_contrast"]
    base = case.base(512, 0, 1)
    surrounds = to_linear(draw(case, base, 0, targets=False)).mean((0, 1))
    assert to_linear(draw(case, base, 0, inducers=False, targets=False)).mean((0, 1)) == pytest.approx(
        surrounds, abs=0.004
    )


def design(**options):
    return Design(**{"suite": "viprobe", "units": 1, "alphas": strengths(10), **options})


@every_case
def test_question_and_reversed_question_are_two_and_name_the_colour_that_is_asked_about(case):
    for index in range(3):
        base = case.base(512, 0, index)
        forward, backward = case.questions(base)
        assert forward != backward
        assert "{" not in forward + backward
        assert ("{ink}" in case.question) <= (base.ink in forward if hasattr(base, "ink") else True)


def test_a_unit_has_the_four_variants_with_every_strength():
    made = [stimulus for stimulus, _ in make(design(), "zollner/0000")]
    assert [s.variant for s in made] == ["O", *["P"] * 10, "OC", *["PC"] * 10]
    assert len({s.id for s in made}) == len({s.sha256 for s in made}) == 22
    assert {s.label for s in made if s.variant in ("O", "OC")} == {"1"}
    assert {s.label for s in made if s.variant in ("P", "PC")} == {"0"}
    assert all(s.congruent == (s.alpha > 0) for s in made if s.alpha)


def test_a_change_too_small_to_see_is_refused_with_what_can_be_seen():
    with pytest.raises(InputError, match=r"muller_lyer.*make it at size \d+ or larger"):
        chunks(design(cases=("muller_lyer",), alphas=(0.01, 1.0)))
    with pytest.raises(InputError, match=r"zollner at strength \+0.10.*use strengths of at least 0.17"):
        chunks(design(cases=("zollner",), alphas=(0.1,)))
    with pytest.raises(InputError, match="needs at least 128 px"):
        chunks(design(cases=("muller_lyer",), size=64))


def test_the_size_that_a_refusal_names_is_accepted():
    with pytest.raises(InputError) as refused:
        chunks(design(cases=("muller_lyer",), size=128, alphas=(0.05,)))
    size = int(str(refused.value).split("size ")[1].split()[0])
    assert chunks(design(cases=("muller_lyer",), size=size, alphas=(0.05,)))
    with pytest.raises(InputError):
        chunks(design(cases=("muller_lyer",), size=size - 8, alphas=(0.05,)))


@pytest.mark.parametrize("alpha", [1.2, -1.01, 0.0, float("nan")])
def test_a_strength_that_is_not_allowed_is_refused(alpha):
    with pytest.raises(InputError, match="-1 to 1 without 0"):
        checked_alphas([0.5, alpha])


@pytest.mark.parametrize("levels", [0, -2, 3, 102])
def test_a_number_of_levels_that_is_not_allowed_is_refused(levels):
    with pytest.raises(InputError, match="even number"):
        strengths(levels)


def test_strengths_are_even_and_their_names_distinct():
    for levels in range(2, 102, 2):
        found = strengths(levels)
        assert len(found) == levels
        assert np.allclose(np.sort(found), -np.sort(-np.array(found))[::-1])
        assert np.allclose(found, -np.array(found)[::-1])
        assert len({strength_text(alpha) for alpha in found}) == levels


def test_an_unknown_case_or_variant_names_the_nearest():
    with pytest.raises(InputError, match="did you mean 'zollner'"):
        chunks(design(cases=("zolner",)))
    with pytest.raises(InputError, match="unknown variant"):
        chunks(design(variants=("X",)))
