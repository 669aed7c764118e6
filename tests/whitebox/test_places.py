"""The measured map from picture tokens to pixels: what each architecture's own code cuts a picture into."""

from __future__ import annotations

import io
from itertools import product

import numpy as np
import pytest
from PIL import Image

from tests.ask.tiny import prompt
from tests.whitebox.architectures import ARCHITECTURES, loaded

pytestmark = pytest.mark.local_models
STEP = 4
SIZES = {"wide": (200, 150), "tall": (120, 260)}


@pytest.fixture(scope="module", params=list(ARCHITECTURES))
def inside(request):
    import torch

    from veridical.whitebox.inside import Inside

    torch.set_num_threads(1)
    return Inside(loaded(request.param))


def grid(columns: int, rows: int, width: float, height: float, x: float = 0, y: float = 0) -> np.ndarray:
    """The boxes of a grid over a rectangle, row by row."""
    corners = [(column, row) for row, column in product(range(rows), range(columns))]
    of = [(c / columns, r / rows, (c + 1) / columns, (r + 1) / rows) for c, r in corners]
    return np.array(of) * [width, height, width, height] + [x, y, x, y]


def expected(inside, width: int, height: int) -> np.ndarray:
    """The boxes of tokens that follow from how an architecture's own processor cuts a picture."""
    seen = inside.loaded.processor.image_processor
    name = inside.loaded.name
    if name == "llava":
        side = min(width, height)
        boxes = grid(8, 8, side, side, (width - side) / 2, (height - side) / 2)
    elif name.startswith("qwen"):
        _, rows, columns = seen([Image.new("RGB", (width, height))], return_tensors="np")["image_grid_thw"][0]
        boxes = grid(columns // 2, rows // 2, width, height)
    else:
        if name == "internvl":
            from transformers.models.got_ocr2.image_processing_pil_got_ocr2 import get_optimal_tiled_canvas

            columns, rows = get_optimal_tiled_canvas((height, width), (56, 56), 1, 6)
        else:
            cut = seen([Image.new("RGB", (width, height))], return_row_col_info=True)
            rows, columns = cut["rows"][0][0], cut["cols"][0][0]
        tiles = [grid(2, 2, *box[2:] - box[:2], *box[:2]) for box in grid(columns, rows, width, height)]
        boxes = np.concatenate([*tiles, grid(2, 2, width, height)])
    return np.clip(boxes, 0, [width, height, width, height])


@pytest.mark.parametrize("shape", SIZES)
def test_boxes_are_within_a_step_of_those_that_the_processor_cuts(inside, shape):
    from veridical.whitebox.places import measured_map

    width, height = SIZES[shape]
    found = measured_map(inside, width, height, STEP)
    boxes = expected(inside, width, height)
    assert found.boxes.shape == boxes.shape
    np.testing.assert_allclose(found.boxes, boxes, atol=STEP)
    lost = 1 - min(width, height) / max(width, height) if inside.loaded.name == "llava" else 0.0
    assert found.unseen == pytest.approx(lost, abs=2 * STEP / max(width, height))
    assert found.seen.shape == (height, width)
    values = np.random.default_rng(0).random(len(boxes))
    spread = found.spread(values)
    assert spread.sum() == pytest.approx(values.sum())
    assert not spread[~found.seen].any()


def test_what_changes_in_a_picture_changes_most_in_a_token_that_sees_it(inside):
    """The tower's attention is on here: a second proof, which uses no hook on the tower."""
    from veridical.whitebox.places import measured_map

    width, height = SIZES["wide"]
    boxes = measured_map(inside, width, height, STEP).boxes
    low, high = boxes[:, :2].min(0), boxes[:, 2:].max(0) - 12
    random, hits = np.random.default_rng(1), 0
    still = features(inside, np.full((height, width, 3), 128, np.uint8))
    for x, y in random.uniform(low, high, (10, 2)).astype(int):
        pixels = np.full((height, width, 3), 128, np.uint8)
        pixels[y : y + 12, x : x + 12] = random.choice([0, 255], (12, 12, 1))
        x0, y0, x1, y1 = boxes[np.linalg.norm(features(inside, pixels) - still, axis=1).argmax()]
        hits += bool(x0 < x + 12 and x1 > x and y0 < y + 12 and y1 > y)
    assert hits >= 9


def features(inside, pixels):
    data = io.BytesIO()
    Image.fromarray(pixels).save(data, "PNG")
    return inside.features(inside.inputs(prompt(("user", [data.getvalue(), "?"]))))


def test_the_model_is_left_as_it_was(inside):
    from veridical.whitebox.places import measured_map

    pixels = np.random.default_rng(2).integers(0, 255, (60, 60, 3), np.uint8)
    before = features(inside, pixels)
    measured_map(inside, 60, 60, 30)
    assert np.array_equal(features(inside, pixels), before)


def test_a_model_whose_tokens_see_everything_is_refused():
    """A projector that mixes all tokens, without any attention by which it could be told."""
    import torch

    from veridical.errors import InputError
    from veridical.whitebox.inside import Inside
    from veridical.whitebox.places import measured_map

    model = loaded("llava")
    mixed = Inside(model)
    mix = torch.randn(64, 64, generator=torch.Generator().manual_seed(0))
    model.model.model.multi_modal_projector.register_forward_hook(lambda _, __, output: mix @ output)
    with pytest.raises(InputError, match="sees the whole picture"):
        measured_map(mixed, 112, 112, 28)


def test_values_of_another_number_of_tokens_are_refused():
    from veridical.errors import InputError
    from veridical.internals.token_map import TokenMap

    blind = TokenMap(4, 2, np.array([[0.0, 0, 2, 2], [np.nan] * 4]))
    assert blind.unseen == 0.5
    assert blind.spread([1, 5]).sum() == 1
    with pytest.raises(InputError, match="2 picture tokens need as many values"):
        blind.spread([1, 2, 3])
