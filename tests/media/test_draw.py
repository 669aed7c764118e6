"""Geometry read back from pixels, against the numbers that were drawn and an independent distance-field oracle."""

import io
import os
import re
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from PIL import Image

from veridical.media.draw import (
    Curve,
    Disc,
    Gradient,
    Line,
    PaintedBase,
    Patch,
    Polygon,
    Rectangle,
    Ring,
    Scene,
    TextLine,
    decode_png,
    encode_png,
    pixel_hash,
    rasterise,
    to_svg,
)

WHITE, BLACK = (255, 255, 255), (0, 0, 0)
fraction = st.floats(0, 1)


def ink(*items, width=128, height=64):
    """Coverage in [0, 1] of black items on white."""
    return 1 - rasterise(Scene(width, height, WHITE, items))[..., 0] / 255


@given(x=fraction, y=fraction, length=st.floats(5, 90), width=st.integers(1, 6))
def test_a_line_is_exactly_as_long_as_it_was_said_to_be(x, y, length, width):
    cover = ink(Line((10 + x, 30 + y), (10 + x + length, 30 + y), width, BLACK))
    assert cover.sum() == pytest.approx(length * width, abs=0.02 * (length + width))
    columns = cover.sum(0) / width
    assert columns.sum() == pytest.approx(length, abs=0.02 + 0.005 * length)
    rows = np.arange(64) + 0.5
    assert (cover.sum(1) * rows).sum() / cover.sum() == pytest.approx(30 + y, abs=0.02)


@given(x=fraction, y=fraction, radius=st.floats(3, 28))
def test_a_disc_agrees_with_a_distance_field(x, y, radius):
    centre = 60 + x, 31 + y
    cover = ink(Disc(centre, radius, BLACK))
    grid_y, grid_x = np.mgrid[0:64, 0:128] + 0.5
    oracle = np.clip(radius + 0.5 - np.hypot(grid_x - centre[0], grid_y - centre[1]), 0, 1)
    assert np.abs(cover - oracle).max() < 0.15
    assert np.sqrt(cover.sum() / np.pi) == pytest.approx(radius, abs=0.03)


@given(radius=st.floats(8, 25), width=st.floats(1, 5))
def test_a_ring_has_the_area_of_a_ring_and_an_empty_middle(radius, width):
    cover = ink(Ring((64.3, 32.1), radius, width, BLACK))
    assert cover.sum() == pytest.approx(2 * np.pi * radius * width, abs=0.015 * 4 * np.pi * radius)
    assert cover[32, 64] == 0


@given(sagitta=st.floats(-12, 12))
def test_a_curve_bows_by_its_sagitta(sagitta):
    x = np.linspace(10, 110, 101)
    points = tuple(zip(x, 32 + sagitta * (1 - ((x - 60) / 50) ** 2), strict=True))
    cover = ink(Curve(points, 3, BLACK))
    rows = np.arange(64)[:, None] + 0.5
    columns = np.arange(20, 100)
    centre = (cover * rows).sum(0)[columns] / cover.sum(0)[columns]
    bow = np.polyfit((columns + 0.5 - 60) / 50, centre, 2)[0]
    assert -bow == pytest.approx(sagitta, abs=0.1)


@given(x0=st.floats(1, 20), y0=st.floats(1, 20), w=st.floats(1, 60), h=st.floats(1, 30))
def test_a_rectangle_and_the_same_polygon_cover_the_same_area(x0, y0, w, h):
    rectangle = ink(Rectangle(x0, y0, x0 + w, y0 + h, BLACK))
    corners = ((x0, y0), (x0 + w, y0), (x0 + w, y0 + h), (x0, y0 + h))
    assert np.array_equal(rectangle, ink(Polygon(corners, BLACK)))
    assert rectangle.sum() == pytest.approx(w * h, abs=0.01 * (w + h) + 0.05)


def test_every_flat_grey_comes_back_exactly():
    for level in range(256):
        colour = (level, 255 - level, level // 2)
        picture = rasterise(Scene(6, 6, WHITE, (Rectangle(0, 0, 6, 6, colour),)))
        assert (picture == colour).all()


@given(arrays(np.uint8, (5, 7, 3)), st.integers(0, 3), st.integers(0, 2))
def test_a_patch_keeps_every_pixel_and_its_place(array, x, y):
    picture = rasterise(Scene(10, 7, (9, 9, 9), (Patch(x, y, array),)))
    assert np.array_equal(picture[y : y + 5, x : x + 7], array)
    picture[y : y + 5, x : x + 7] = 9
    assert (picture == 9).all()


@pytest.mark.parametrize("count", range(5))
def test_a_picture_goes_on_from_a_scene_as_if_drawn_at_once(count):
    """Overlapping shapes of one kind and color are one path, so that crossings do not blend twice."""
    lines = tuple(Line((3.3, 2.2 * k), (16.6, 19.9 - 2.2 * k), 1.7, BLACK) for k in range(3))
    scene = Scene(20, 20, (9, 80, 200), (Rectangle(2.5, 2.5, 9.5, 15.5, WHITE), *lines))
    start = PaintedBase.of(replace(scene, items=scene.items[:count]))
    for _ in range(2):
        assert np.array_equal(start.with_items(scene.items[count:]), rasterise(scene))


def test_a_patch_over_the_edge_is_refused():
    with pytest.raises(ValueError, match="inside the canvas"):
        rasterise(Scene(4, 4, WHITE, (Patch(1, 0, np.zeros((2, 4, 3), np.uint8)),)))


@pytest.mark.parametrize("along", ["x", "y"])
def test_a_gradient_runs_evenly_from_one_colour_to_the_other(along):
    picture = rasterise(Scene(100, 100, WHITE, (Gradient(0, 0, 100, 100, (10, 0, 200), (210, 100, 0), along),)))
    line = (picture[50] if along == "x" else picture[:, 50]).astype(int)
    assert np.abs(line - np.linspace((11, 0.5, 199), (209, 99.5, 1), 100)).max() <= 1


def test_text_is_drawn_upright_and_centred():
    cover = ink(TextLine((64, 32), "L", 40, BLACK))
    ys, xs = np.nonzero(cover > 0.5)
    assert abs((ys.min() + ys.max() + 1) / 2 - 32) < 1
    assert abs((xs.min() + xs.max() + 1) / 2 - 64) < 1
    assert cover[ys.max()].sum() > 2 * cover[ys.min()].sum()


@given(arrays(np.uint8, st.tuples(st.integers(1, 40), st.integers(1, 40), st.just(3))))
def test_a_png_gives_back_every_pixel(pixels):
    data = encode_png(pixels)
    assert np.array_equal(np.asarray(Image.open(io.BytesIO(data))), pixels)
    assert np.array_equal(decode_png(data), pixels)


@pytest.mark.parametrize("data", [b"", b"not a picture", encode_png(np.zeros((9, 9, 3), np.uint8))[:-30]])
def test_bytes_that_are_no_whole_png_are_refused(data):
    with pytest.raises(ValueError, match="PNG"):
        decode_png(data)


@given(arrays(np.uint8, (4, 4, 3)), st.integers(0, 47))
def test_one_changed_shade_changes_the_pixel_hash(pixels, place):
    changed = pixels.copy()
    changed.flat[place] ^= 1
    assert pixel_hash(changed) != pixel_hash(pixels)
    assert pixel_hash(pixels.reshape(2, 8, 3)) != pixel_hash(pixels)


SCENE = Scene(
    60, 40, WHITE, (Ring((20, 20), 9, 2, BLACK), TextLine((45, 20), "A", 14, BLACK), Gradient(0, 0, 9, 4, BLACK, WHITE))
)


def test_svg_has_the_size_of_the_scene_in_px_and_every_item():
    text = to_svg(SCENE)
    assert 'width="60px"' in text
    assert 'height="40px"' in text
    assert 'viewBox="0 0 60 40"' in text
    assert len(re.findall("<path", text)) == 3
    assert text.count("<image") == 1


def test_pixels_and_svg_are_the_same_in_processes_with_different_hash_seeds():
    code = (
        "from tests.media.test_draw import SCENE, rasterise, to_svg, pixel_hash;"
        "import hashlib; print(pixel_hash(rasterise(SCENE)), hashlib.sha256(to_svg(SCENE).encode()).hexdigest())"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(said) == 1
