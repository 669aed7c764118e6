"""Clutter: the inducers of a figure, all there and as near, and no figure left, nor anything that favours a target."""

import math
from functools import lru_cache

import numpy as np
import pytest
from scipy import ndimage

from veridical.base.options import parse_options
from veridical.media.draw import Curve, Disc, Line, Polygon, Ring, Scene, area_resize, rasterise
from veridical.records import Chunk
from veridical.suites.viprobe.illusions import CASES, selection
from veridical.suites.viprobe.illusions.drawing import CHANGED, VARIANTS, variants
from veridical.suites.viprobe.illusions.make import make
from veridical.suites.viprobe.illusions.scatter import (
    ScatterField,
    body,
    gap,
    pieces,
    random_cells,
    random_halves,
    transform,
    turns,
)
from veridical.suites.viprobe.options import RECIPES, VIProbeOptions

ALPHAS = (-1.0, 0.0, 1.0)
CLUTTERED = [case for case in CASES.values() if case.shows("clutter")]
SEED = 22
every_case = pytest.mark.parametrize("case", CLUTTERED, ids=lambda case: case.name, scope="module")
"""One case after the other, with all tests of it: they look at the same pictures."""
WHOLE = {"muller_lyer", "circle_muller_lyer", "ebbinghaus", "ebbinghaus_rectangular", "oppel_kundt", "zollner",
         "zollner_vertical", "spiral_pills"}  # fmt: skip
"""Cases whose elements are strewn whole; elsewhere they are broken."""
IN_ONE_PICTURE = {"chubb", "cornsweet", "munker_white", "ponzo_trapezoid", "simultaneous_contrast", "twisted_cord",
                  "twisted_cord_light"}  # fmt: skip
"""Cases whose inducers are areas."""


def options_of(**values):
    return parse_options(VIProbeOptions, values)


@lru_cache(maxsize=4)
def layers(case, size, seed, index):
    """How far the pixels of the inducers, and of the clutter, are from the ground, shape (height, width)."""
    figure = case.geometry(case.base(size, seed, index), 0.0)
    drawn = (figure.inducers, figure.clutter())
    if figure.clutter_targets is not None and case.name != "chubb":
        drawn = (figure.inducers + figure.targets, figure.clutter() + figure.clutter_targets())
    ground = np.array(figure.ground, np.int16)
    pictures = [rasterise(Scene(figure.width, figure.height, figure.ground, items)) for items in drawn]
    return [sum(np.abs(picture[..., k] - ground[k]) for k in range(3)) for picture in pictures]


def covered(case, base, alpha):
    """Where targets cover most of a pixel."""
    figure = case.geometry(base, alpha)
    dark, light = (rasterise(Scene(figure.width, figure.height, (g,) * 3, figure.targets)) for g in (0, 255))
    shows = light - dark
    return np.maximum(np.maximum(shows[..., 0], shows[..., 1]), shows[..., 2]) < 100


def test_most_cases_have_clutter_and_the_others_say_why():
    assert sum(case.shows("clutter") for case in selection(None)) >= 20
    for case in CASES.values():
        figure = case.geometry(case.base(512, 0, 0), 0.0)
        assert (figure.clutter is None) == bool(case.no_clutter)
        if case.no_clutter:
            assert case.no_clutter.endswith(".")
            assert {s.variant for s, _ in make(options_of(alphas=(0.5,)), Chunk(case.name, 0))}.isdisjoint({"OS", "PS"})
            with pytest.raises(ValueError, match="no clutter"):
                figure.scene("clutter")


def test_recipes_hold_clutter_where_all_picture_types_are_asked_for():
    assert {"OS", "PS"} <= set(variants(options_of()))
    for recipe in ("paper", "quick"):
        assert {"OS", "PS"}.isdisjoint(RECIPES[recipe].values["variants"])
    assert "variants" not in RECIPES["balanced"].values
    assert "PS" in CHANGED
    assert list(VARIANTS)[:6] == ["O", "P", "OC", "PC", "OS", "PS"]


@every_case
@pytest.mark.parametrize("size", [128, 256, 512, 768])
def test_the_truth_is_read_back_from_clutter(case, size):
    size = max(size, case.smallest_size)
    for index in range(3):
        base = case.base(size, 21, index)
        for alpha in ALPHAS:
            pixels = rasterise(case.geometry(base, alpha).scene("clutter"))
            value = case.value(base, alpha)
            for side in (size, 448):
                if side > size:
                    continue
                measured = case.measure(area_resize(pixels, side) if side < size else pixels)
                assert measured is not None
                assert case.is_same(measured) == (alpha == 0)
                scaled = value * side / size if case.factor.grows else value
                assert abs(measured.value - scaled) < max(case.factor.tolerance, case.factor.least / 4)


@every_case
@pytest.mark.parametrize("size", [256, 512])
def test_clutter_has_the_ink_of_the_figure(case, size):
    for index in range(4):
        there, strewn = layers(case, size, SEED, index)
        assert strewn.sum() == pytest.approx(there.sum(), rel=0.05)


@every_case
def test_clutter_has_the_elements_of_the_figure(case):
    """The same strokes, sizes and shades; where lines are broken, the same length of each stroke."""
    if case.name in IN_ONE_PICTURE:
        return
    for index in range(4):
        figure = case.geometry(case.base(512, 23, index), 0.0)
        there, strewn = (sorted(map(kind, items)) for items in (figure.inducers, figure.clutter()))
        if case.name in WHOLE:
            assert strewn == pytest.approx(there, rel=1e-6)
        assert {item.colour for item in figure.inducers} == {item.colour for item in figure.clutter()}


def kind(item):
    """The sizes of an element, whatever its turn and place."""
    if isinstance(item, Disc):
        return item.radius
    if isinstance(item, Ring):
        return item.radius + 1000 * item.width
    if isinstance(item, Line):
        return math.dist(item.start, item.end) + 1000 * item.width
    if isinstance(item, Polygon):
        return sum(math.dist(a, b) for a, b in zip(item.points, (*item.points[1:], item.points[0]), strict=True))
    return item.width if isinstance(item, Curve) else 0.0


@every_case
def test_clutter_is_as_near_to_the_targets_as_inducers_are(case):
    """Either target has an element as near as the nearest of the figure is, within 15 % and 1 % of size."""
    for index in range(4):
        base = case.base(512, SEED, index)
        labels, count = ndimage.label(covered(case, base, 0.0), np.ones((3, 3)))
        off = [ndimage.distance_transform_edt(layer < 40) for layer in layers(case, 512, SEED, index)]
        near, strewn = (ndimage.minimum(each, labels, range(1, count + 1)) for each in off)
        assert np.abs(strewn - near.min()).max() <= 0.15 * near.min() + 0.01 * 512


@every_case
def test_clutter_keeps_clear_of_targets_where_inducers_do(case):
    for index in range(3):
        base = case.base(512, SEED, index)
        there, strewn = (layer > 40 for layer in layers(case, 512, SEED, index))
        masks = [covered(case, base, alpha) for alpha in ALPHAS]
        if not any((there & mask).any() for mask in masks):
            assert not any((strewn & mask).any() for mask in masks)


@every_case
def test_clutter_is_the_same_at_every_strength_and_another_in_every_unit(case):
    first, again, other = (case.geometry(case.base(256, 26, index), alpha) for index, alpha in ((0, 0), (0, 1), (1, 0)))
    if case.name == "chubb":
        assert np.array_equal(first.clutter()[0].array, again.clutter()[0].array)
        return
    assert first.clutter() == again.clutter()
    if case.category == "orientation" and first.clutter_targets:
        assert len(first.clutter_targets()) > 4
    else:
        assert first.clutter() != other.clutter()


@every_case
def test_clutter_favours_neither_target(case):
    """What is near the target that looks like more in the figure is as much, on average, as what is near the other."""
    if case.category == "orientation" and not case.name.startswith("poggendorff"):
        return
    figures, strewn = [], []
    for index in range(48):
        base = case.base(256, 27, index)
        favours = np.sign(case.value(base, 1.0))
        for found, layer in zip((figures, strewn), layers(case, 256, 27, index), strict=True):
            found.append(favours * first_less_second(case, base, layer))
    assert abs(np.mean(strewn)) < 3.5 * standard_error(strewn) + 0.001
    if case.name in {"ebbinghaus", "ebbinghaus_rectangular", "ponzo", "circle_ponzo", "chubb"}:
        assert abs(np.mean(figures)) > 10 * standard_error(figures)


def standard_error(values):
    return float(np.std(values)) / math.sqrt(len(values))


def first_less_second(case, base, layer):
    """The ink within a fifth of the picture's height of the first target, as a share, less that about the second."""
    first, second = (layer[zone].mean() / 765 for zone in zones(case, base))
    return first - second


@lru_cache(maxsize=1)
def zones(case, base):
    """The pixels within a fifth of the picture's height of the first target, and those about the second."""
    labels, count = ndimage.label(covered(case, base, 0.0), np.ones((3, 3)))
    places = np.array(ndimage.center_of_mass(labels > 0, labels, range(1, count + 1)))
    axis = int(np.ptp(places, axis=0).argmax())
    side = places[:, axis] > places[:, axis].mean()
    off = [ndimage.distance_transform_edt(~np.isin(labels, 1 + np.flatnonzero(part))) for part in (~side, side)]
    return [(each > 0) & (each < 0.2 * labels.shape[0]) for each in off]


@pytest.mark.parametrize("name", ["cornsweet", "simultaneous_contrast", "munker_white"])
def test_either_grey_lies_on_the_same_light_amid_clutter(name):
    """The mean light close about the grey that looks lighter in the figure, less that about the other."""
    case, found = CASES[name], {"figure": [], "clutter": []}
    for index in range(48):
        base = case.base(256, 33, index)
        for context, values in found.items():
            light = rasterise(case.geometry(base, 0.0).scene(context)).astype(float).sum(2) / 765
            lighter = first_less_second(case, base, 765 * light)
            values.append(lighter if base.dark == "left" else -lighter)
    assert abs(np.mean(found["clutter"])) < 3.5 * standard_error(found["clutter"])
    assert name == "munker_white" or np.mean(found["figure"]) < -0.2


def direction(line):
    """Degrees counter-clockwise from level, from 0 up to 180."""
    (x0, y0), (x1, y1) = line.start, line.end
    return math.degrees(math.atan2(y0 - y1, x1 - x0)) % 180


def lean(lines):
    """How far the lines lean one way, in [-1, 1]: 0 where as many lean either way."""
    return float(np.mean([math.sin(math.radians(2 * direction(line))) for line in lines]))


def middle(line):
    return (line.start[0] + line.end[0]) / 2, (line.start[1] + line.end[1]) / 2


@pytest.mark.parametrize("name", ["zollner", "zollner_vertical"])
def test_strewn_hatches_lean_as_often_either_way_on_every_line(name):
    case = CASES[name]
    for index in range(4):
        base = case.base(512, 28, index)
        figure = case.geometry(base, 0.0)
        leans = {0: [], 1: []}
        for strewn, lines in ((0, figure.inducers), (1, figure.clutter())):
            for line in range(base.lines):
                at = base.first + line * base.spacing
                near = [x for x in lines if abs(middle(x)[0 if "vertical" in name else 1] - at) < base.spacing / 2]
                leans[strewn].append(lean(near))
        assert min(map(abs, leans[0])) > 0.5
        assert abs(np.mean([lean * (-1) ** k for k, lean in enumerate(leans[1])])) < 0.15
        assert abs(lean(figure.clutter())) < 0.02


@pytest.mark.parametrize("name", ["hering", "hering_vertical", "ehrenstein"])
def test_strewn_rays_point_at_no_centre(name):
    """The mean over pieces of the cosine of twice the angle to the centre is 1 in a fan, and 0 in none."""
    case, towards = CASES[name], []
    for index in range(24):
        base = case.base(512, 29, index)
        figure = case.geometry(base, 0.0)
        for found, lines in ((None, figure.inducers), (towards, figure.clutter())):
            turned = []
            for line in lines:
                (x, y), angle = middle(line), math.radians(direction(line))
                centre = (base.y, base.x) if "vertical" in name else (base.x, base.y)
                turned.append(math.cos(2 * (angle - math.atan2(centre[1] - y, x - centre[0]))))
            if found is None:
                assert min(turned) > 0.99
            else:
                found.append(np.mean(turned))
    assert abs(np.mean(towards)) < 0.1


def test_strewn_fins_open_as_often_inward_as_outward():
    opening = []
    for index in range(60):
        case = CASES["muller_lyer"]
        base = case.base(512, 30, index)
        for line in case.geometry(base, 0.0).clutter():
            x, y = middle(line)
            up = 1 if min((base.top, base.bottom), key=lambda at: abs(at - y)) > y else -1
            shaft = "top" if abs(y - base.top) < abs(y - base.bottom) else "bottom"
            centre = base.top_x if shaft == "top" else base.bottom_x
            outward = (1 if x > centre else -1) * up * math.sin(math.radians(2 * direction(line)))
            opening.append(outward * (1 if shaft == base.outward else -1))
    assert len(opening) == 480
    assert abs(np.mean(opening)) < 3.5 * standard_error(opening)


def test_half_of_all_surrounds_of_either_size_are_about_either_disc():
    larger = []
    for index in range(40):
        base = CASES["ebbinghaus"].base(512, 31, index)
        discs = CASES["ebbinghaus"].geometry(base, 0.0).clutter()
        for size, count in ((base.few, base.large), (base.many, base.small)):
            own = [disc for disc in discs if disc.radius == pytest.approx(count * base.radius)]
            left = sum(disc.centre[0] < base.width / 2 for disc in own)
            assert len(own) == size
            assert abs(2 * left - size) <= 1
            larger.append((2 * left - size) * (1 if base.larger == "left" else -1))
    assert abs(np.mean(larger)) < 3.5 * standard_error(larger)


@pytest.mark.parametrize("name", ["twisted_cord", "twisted_cord_light"])
def test_of_mixed_stripes_half_rise_on_either_pole(name):
    """A pole's pixels mirrored left to right resemble it as much as they differ from it in the figure."""
    case = CASES[name]
    for index in range(4):
        base = case.base(512, 32, index)
        for context, bounds in (("figure", (0.3, 1.1)), ("clutter", (0.0, 0.25))):
            pixels = rasterise(case.geometry(base, 0.0).scene(context)).astype(float).sum(2)
            found = []
            for x in (base.left, base.right):
                edge, end = base.pole / 2 - 2, base.half - 4
                crop = pixels[round(base.y - end) : round(base.y + end), round(x - edge) : round(x + edge)]
                down, across = np.gradient(crop)
                found.append(abs((down * across).sum()) / (down**2 + across**2).sum())
            assert bounds[0] < min(found)
            assert max(found) < bounds[1]


def test_elements_are_strewn_apart_and_clear_of_what_is_kept():
    rng = np.random.default_rng(0)
    target = Disc((100.0, 100.0), 20.0, (0, 0, 0))
    field = ScatterField(rng, (200, 200), [(target, 5.0)], apart=2.0)
    field.strew_around(
        target, [Disc((0.0, 0.0), 6.0, (0, 0, 0))] * 8, 7.0, 20.0, lambda place: (target.centre, 45.0 * place)
    )
    off = [gap(body(item), body(target)) for item in field.items]
    assert off[0] == pytest.approx(7.0, abs=0.1)
    assert min(off) >= 5.0
    between = [gap(body(a), body(b)) for i, a in enumerate(field.items) for b in field.items[:i]]
    assert min(between) >= 2.0


def test_what_is_dealt_turned_broken_and_swapped_is_all_there():
    rng = np.random.default_rng(1)
    for count in (6, 7):
        left, right = random_halves(rng, range(count))
        assert sorted(left + right) == list(range(count))
        assert abs(len(left) - len(right)) <= 1
    assert np.diff(sorted(turns(rng, 12))) == pytest.approx([15.0] * 11)
    line = Line((0.0, 0.0), (30.0, 40.0), 2.0, (0, 0, 0))
    assert sum(math.dist(piece.start, piece.end) for piece in pieces(line, 4)) == pytest.approx(50)
    assert gap(body(transform(line, 70.0, (9.0, 9.0))), body(line)) == pytest.approx(-2.0)
    assert (random_cells(rng, 8, 6).reshape(4, 2, 3, 2).sum((1, 3)) == 2).all()
