"""Every case of the registry: its truth is exact, readable from its pixels, and the only thing that changes."""

from functools import lru_cache

import numpy as np
import pytest

from veridical.base.options import parse_options
from veridical.errors import InputError
from veridical.media.decode import Picture
from veridical.media.draw import Scene, area_resize, rasterise
from veridical.media.draw.colour import to_linear
from veridical.records import Chunk
from veridical.suites.viprobe.illusions import CASES, GROUPS, selection
from veridical.suites.viprobe.illusions.drawing import CHANGED, VARIANTS, strength_text
from veridical.suites.viprobe.illusions.legible import alphas_of, min_side
from veridical.suites.viprobe.illusions.make import chunks, make
from veridical.suites.viprobe.illusions.verify import verify
from veridical.suites.viprobe.illusions.view import View
from veridical.suites.viprobe.options import VIProbeOptions, strengths

ALPHAS = (-1.0, -0.2, 0.2, 1.0)
CONTEXTS = ("figure", "control", "clutter", "hint")
SIZES = (64, 128, 224, 512, 577)
SEED = 5
REACHING = {"cornsweet_case1", "mach_band", "mach_band_case2"}
"""Cases whose targets are areas or lines that run to the border by design."""
every_case = pytest.mark.parametrize("case", CASES.values(), ids=list(CASES), scope="module")
"""One case after the other, with all tests of it: they look at the same pictures."""


def options_of(**values):
    return parse_options(VIProbeOptions, values)


@lru_cache(maxsize=128)
def draw(case, size, seed, index, alpha, context="figure"):
    return rasterise(case.geometry(case.base(size, seed, index), alpha).scene(context))


@lru_cache(maxsize=64)
def view(case, index, alpha, context):
    """What is read of a picture at its own size is the same however far it is then reduced."""
    return View(draw(case, 512, SEED, index, alpha, context))


def contexts(case, among=CONTEXTS):
    """Those in which the case has pictures with targets."""
    return [context for context in among if case.shows(context)]


def own_pixels(case):
    """Whether targets have pixels of their own; where inducers fill them, the truth read back is what agrees."""
    return case.geometry(case.base(512, 2, 0), 0.0).control_targets is None


def difference(a, b):
    """The largest difference of a channel at each pixel, in the eight bits that it fits in."""
    apart = np.maximum(a, b) - np.minimum(a, b)
    return np.maximum(np.maximum(apart[..., 0], apart[..., 1]), apart[..., 2])


def scaled(case, value, share):
    return value * share if case.factor.grows else value


def test_the_registry_holds_the_papers_cases_and_three_of_our_own():
    classic = selection(None)
    assert [case.number for case in classic] == list(range(1, 28))
    assert [len(selection([group])) for group in ("size", "color", "orientation", "novel")] == [11, 7, 9, 3]
    assert len(selection(["classic", "novel", "zollner"])) == 30
    assert {case.category for case in selection(["novel"])} == {"size", "color", "orientation"}
    with pytest.raises(InputError, match="did you mean 'orientation'"):
        selection(["orientaton"])
    assert not set(GROUPS) & set(CASES)


@every_case
@pytest.mark.parametrize("size", SIZES)
def test_the_truth_is_read_back_from_the_pixels(case, size):
    if size < case.smallest_size:
        with pytest.raises(InputError, match=f"{case.name} needs at least {case.smallest_size} px"):
            chunks(options_of(cases=(case.name,), size=size, alphas=(1.0,)))
        return
    for index in range(3):
        base = case.base(size, SEED, index)
        for alpha in (0.0, *ALPHAS):
            for context in contexts(case):
                measured = case.measure(draw(case, size, SEED, index, alpha, context))
                assert measured is not None
                assert measured.value == pytest.approx(case.value(base, alpha), abs=case.factor.least / 4)
                if abs(case.value(base, alpha)) >= case.factor.least or alpha == 0:
                    assert case.is_same(measured) == (alpha == 0)


@pytest.mark.parametrize("side", [448, 336, 224])
@every_case
def test_the_truth_survives_reduction(case, side):
    for index in range(3):
        base = case.base(512, SEED, index)
        for alpha in (0.0, *ALPHAS):
            value = case.value(base, alpha)
            if value and (min_side(case, value, 512) or 0) > side:
                continue
            for context in contexts(case):
                picture = draw(case, 512, SEED, index, alpha, context)
                measured = case.measure(area_resize(picture, side))
                quickly = case.read(view(case, index, alpha, context).reduced(side))
                assert measured is not None
                assert quickly is not None
                assert abs(measured.value - quickly.value) < case.factor.tolerance / 4
                assert case.is_same(measured) == (alpha == 0)
                assert abs(measured.value - scaled(case, value, side / 512)) < case.factor.tolerance


@every_case
def test_the_weakest_strength_of_a_design_that_names_none_can_be_read(case):
    weakest = min(alpha for alpha in alphas_of(case, options_of()) if alpha > 0)
    assert weakest in {0.05, 0.1}
    for index in range(50):
        base = case.base(512, 0, index)
        for alpha in (weakest, -weakest):
            assert abs(case.value(base, alpha)) >= case.factor.least
            if index < 3:
                seen = case.measure(draw(case, 512, 0, index, alpha, "figure"))
                assert abs(seen.value) > case.factor.least - case.factor.tolerance


@every_case
def test_no_picture_with_other_targets_is_taken_for_the_case(case):
    """Each picture is drawn once and shown to every other way of measuring."""
    rng = np.random.default_rng(0)
    blank = np.full((256, 512, 3), 255, np.uint8)
    noise = rng.integers(0, 256, (256, 512, 3), np.uint8)
    for picture in (blank, 255 - blank, noise, blank[:1, :1]):
        assert case.measure(picture) is None
    others = {other.read: other for other in CASES.values() if other.read is not case.read}.values()
    for index in range(2):
        for alpha in (0.0, 1.0):
            for context in contexts(case, ("figure", "control", "clutter")):
                seen = View(draw(case, 512, SEED, index, alpha, context))
                assert [other.name for other in others if other.read(seen) is not None] == []


@every_case
def test_inducers_alone_hold_no_targets(case):
    if case.inseparable:
        drawn = {s.variant for s, _ in make(options_of(alphas=(0.5,)), Chunk(case.name, 0))}
        assert drawn == {"O", "P", "OC", "PC", "OH", "PH"} | ({"OS", "PS"} if case.shows("clutter") else set())
        return
    for index in range(3):
        assert case.measure(draw(case, 512, SEED, index, 0.0, "inducers")) is None


@every_case
def test_original_and_perturbed_agree_outside_the_changed_region(case):
    for index in range(3):
        base = case.base(512, SEED, index)
        outside = np.ones((base.height, base.width), bool)
        for x0, y0, x1, y1 in case.regions(base):
            outside[y0:y1, x0:x1] = False
        assert outside.any()
        for context in contexts(case):
            original = draw(case, 512, SEED, index, 0.0, context)
            for alpha in ALPHAS:
                changed = difference(original, draw(case, 512, SEED, index, alpha, context)) > 0
                assert changed.any()
                assert not changed[outside].any()


def targets_on(case, base, alphas, ground):
    """The targets alone, of each of these strengths in one picture."""
    figures = [case.geometry(base, alpha) for alpha in alphas]
    targets = [target for figure in figures for target in figure.targets]
    return rasterise(Scene(base.width, base.height, ground, tuple(targets)))


@lru_cache(maxsize=15)
def covered(case, index, alpha):
    """Where targets cover a pixel whole: there the ground does not show."""
    base = case.base(512, SEED, index)
    return difference(targets_on(case, base, [alpha], (0,) * 3), targets_on(case, base, [alpha], (255,) * 3)) == 0


@every_case
def test_the_control_differs_from_the_figure_in_the_inducers_alone(case):
    """Wherever a target covers a pixel, figure and control are the same."""
    if not own_pixels(case):
        return
    for index in range(3):
        for alpha in (0.0, *ALPHAS):
            figure, control = (draw(case, 512, SEED, index, alpha, context) for context in ("figure", "control"))
            within, apart = covered(case, index, alpha), difference(figure, control)
            assert within.sum() > 20
            assert not apart[within].any()
            assert apart[~within].any()


@every_case
def test_the_hint_is_the_same_in_original_and_perturbed_and_hides_no_target(case):
    for index in range(3):
        base = case.base(512, SEED, index)
        assert case.geometry(base, 0.0).hint == case.geometry(base, 1.0).hint
        for alpha in (0.0, *ALPHAS):
            plain, hinted = (draw(case, 512, SEED, index, alpha, context) for context in ("figure", "hint"))
            assert difference(plain, hinted).any()
            assert not difference(plain, hinted)[covered(case, index, alpha)].any()


@pytest.mark.parametrize("case", [c for c in CASES.values() if c.name not in REACHING], ids=lambda case: case.name)
def test_targets_stay_inside_the_canvas(case):
    """Targets keep clear of the border, at every strength and also where the canvas is as small as it may be."""
    for size in {case.smallest_size, 512}:
        for index in range(20):
            base = case.base(size, 4, index)
            there = difference(*(targets_on(case, base, (-1.0, 1.0), (ground,) * 3) for ground in (0, 255)))
            border = np.ones(there.shape, bool)
            border[1:-1, 1:-1] = False
            assert (there < 255).any()
            assert (there[border] == 255).all()


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
        return
    counts = [sides.count(side) for side in {case.base(512, 9, index).changed for index in range(8)}]
    assert len(counts) == 2
    assert max(counts) - min(counts) <= 1


@every_case
def test_answers_to_the_comparison_are_balanced(case):
    if case.comparison is None:
        return
    size = max(case.smallest_size, 224)
    design = options_of(cases=(case.name,), alphas=strengths(4), size=size, variants=("P",))
    answers = [s.truth["comparison"]["answer"] for index in range(8) for s, _ in make(design, Chunk(case.name, index))]
    assert {answers.count(option) for option in case.comparison[1:]} == {16}


@every_case
def test_the_base_scale_is_graded_evenly_where_it_is_asked_for(case):
    drawn = [tuple(vars(case.base(512, 1, index, 11)).items()) for index in range(11)]
    moving = [
        key
        for key, _ in drawn[0]
        if (steps := np.diff([float(dict(unit)[key]) for unit in drawn if is_number(dict(unit)[key])])).size == 10
        and (np.allclose(steps, steps[0], rtol=1e-6) or case.category == "orientation")
        and steps.any()
    ]
    assert moving


def is_number(value):
    return isinstance(value, int | float) and not isinstance(value, bool)


@every_case
def test_a_record_is_complete_and_its_questions_can_be_filled(case):
    base = case.base(512, 0, 0)
    for text in (case.question, case.question_reversed, case.measurand, *(case.comparison or ())):
        filled = case.fill(base, text)
        assert filled
        assert "{" not in filled
    assert case.question.endswith("?")
    assert case.question_reversed.endswith("?")
    assert case.question != case.question_reversed
    assert case.sees.endswith(".")
    assert case.truth.endswith(".")
    assert case.source
    assert case.departs or case.novel
    assert case.state


@pytest.mark.parametrize("recipe", ["paper", "balanced"])
def test_stimuli_of_a_unit_come_in_an_order_that_tells_nothing(recipe):
    design = options_of(alphas=strengths(2), recipe=recipe, variants=("O", "P"))
    places = [[s.variant for s, _ in make(design, Chunk("zollner", index))].index("O") for index in range(9)]
    assert len(set(places)) == 3


def test_a_picture_that_contradicts_its_record_is_told():
    design = options_of(cases=("zollner",), alphas=(0.4,))
    made = {s.variant: (s, rasterised(s)) for s, _ in make(design, Chunk("zollner", 0))}
    original, perturbed = made["O"], made["P"]
    assert verify(original[0], [Picture(original[1])]) is None
    assert "the label is 1, the pixels say 0" in verify(original[0], [Picture(perturbed[1])])
    assert "can be read from a picture of inducers alone" in verify(made["I"][0], [Picture(original[1])])
    assert "no Zöllner figure can be read" in verify(original[0], [Picture(made["I"][1])])


def rasterised(stimulus):
    case = CASES[stimulus.family]
    context = VARIANTS[stimulus.variant]
    return rasterise(case.geometry(case.base(512, 0, 0), stimulus.factors["alpha"] or 0.0).scene(context))


@pytest.mark.parametrize("alpha", [1.01, -2, 0, float("nan")])
def test_strengths_outside_their_range_are_refused(alpha):
    with pytest.raises(InputError, match="-1 to 1 without 0"):
        options_of(alphas=(0.5, alpha))


@pytest.mark.parametrize("levels", [0, -2, 3, 102])
def test_a_number_of_levels_that_is_not_allowed_is_refused(levels):
    with pytest.raises(InputError, match="even number"):
        options_of(levels=levels)


def test_strengths_are_even_and_their_names_distinct():
    for levels in range(2, 102, 2):
        found = strengths(levels)
        assert len(found) == levels
        assert sum(found) == pytest.approx(0)
        assert len({strength_text(alpha) for alpha in found}) == levels


def design(**options):
    return options_of(**{"units": 1, "alphas": strengths(10), **options})


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


@pytest.mark.parametrize(
    "name", ["cornsweet", "simultaneous_contrast", "munker_white", "irradiation", "irradiation_pentagon"]
)
def test_the_controls_ground_has_the_light_of_both_surrounds(name):
    case = CASES[name]
    for index in range(3):
        figure = case.geometry(case.base(512, 0, index), 0.0)
        ground = to_linear(figure.control_ground)
        assert to_linear(rasterise(figure.scene("inducers"))).mean((0, 1)) == pytest.approx(ground, abs=0.01)


def test_a_unit_has_every_variant_with_every_strength():
    made = [stimulus for stimulus, _ in make(design(), Chunk("zollner", 0))]
    assert sorted(s.variant for s in made) == sorted(["O", "OC", "OS", "OH", "I", *["P", "PC", "PS", "PH"] * 10])
    assert len({s.id for s in made}) == len({s.media[0].sha256 for s in made}) == 45
    labels = {variant: {s.label for s in made if s.variant == variant} for variant in {s.variant for s in made}}
    unchanged, changed = (
        dict.fromkeys(names, label) for names, label in ((("O", "OC", "OS", "OH"), "1"), (CHANGED, "0"))
    )
    assert labels == {variant: {label} for variant, label in {"I": None, **unchanged, **changed}.items()}
    assert all(s.factors["congruent"] == (s.factors["alpha"] > 0) for s in made if s.factors["alpha"])


def test_the_papers_recipe_has_the_papers_counts():
    plan = chunks(design(recipe="paper", units=11, size=512))
    assert len(plan) == 290
    assert len(plan) * 10 == 2900


def test_a_change_too_small_to_see_is_refused_with_what_can_be_seen():
    with pytest.raises(InputError, match=r"muller_lyer.*make it at size \d+ or larger"):
        chunks(design(cases=("muller_lyer",), alphas=(0.005, 1.0)))
    with pytest.raises(InputError, match=r"zollner at strength \+0.05.*use strengths of at least 0.09"):
        chunks(design(cases=("zollner",), alphas=(0.05,)))


def test_the_size_that_a_refusal_names_is_accepted():
    with pytest.raises(InputError) as refused:
        chunks(design(cases=("muller_lyer",), size=96, alphas=(0.05,)))
    size = int(str(refused.value).split("size ")[1].split()[0])
    assert chunks(design(cases=("muller_lyer",), size=size, alphas=(0.05,)))
    with pytest.raises(InputError):
        chunks(design(cases=("muller_lyer",), size=size - 8, alphas=(0.05,)))


@pytest.mark.parametrize("case", [*selection(["size"]), CASES["spiral_pills"]], ids=lambda case: case.name)
def test_the_ends_of_equal_targets_stand_level_only_where_the_case_says_why(case):
    apart = []
    for index in range(12):
        (first, last) = centres(case, index)
        apart.append(min(abs(first[0] - last[0]), abs(first[1] - last[1])))
    assert (max(apart) < 0.5) == bool(case.aligned)


def centres(case, index):
    """The middle of the first and of the last target of an unchanged control, by what is drawn there."""
    figure = case.geometry(case.base(512, 2, index), 0.0)
    pictures = [rasterise(Scene(figure.width, figure.height, (1, 1, 1), (target,))) for target in figure.targets]
    places = [np.argwhere((picture != 1).any(2)) for picture in (pictures[0], pictures[-1])]
    return [place.mean(0) for place in places]
