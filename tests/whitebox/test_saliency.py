"""Where models look: by finite differences and by hand over five architectures, and planted attention through files."""

from __future__ import annotations

import sys
from contextlib import contextmanager

import numpy as np
import pytest

from tests.ask.tiny import picture, prompt
from tests.whitebox.architectures import ARCHITECTURES, loaded

pytestmark = pytest.mark.local_models
CLOSE = 1e-5


@pytest.fixture(scope="module", params=list(ARCHITECTURES))
def inside(request):
    import torch

    from veridical.whitebox.inside import Inside

    torch.set_num_threads(1)
    return Inside(loaded(request.param))


@pytest.fixture(scope="module")
def inputs(inside):
    return inside.inputs(prompt(("user", [picture(1, 120, 90), picture(2, 120, 90), "Same?"])))


@pytest.fixture(scope="module")
def maps(inside, inputs):
    """The last layer of the tower that is read, and the maps of picture tokens and of its own tokens."""
    from veridical.whitebox.places import measured_map
    from veridical.whitebox.token_saliency import tower_saliency

    layer = tower_saliency(inside, inputs, number).layer
    return layer, measured_map(inside, 120, 90), measured_map(inside, 120, 90, layer=layer)


def number(scores):
    return scores[7] - scores[9]


def test_rollout_is_the_product_of_the_layers_of_transformers(inside, inputs):
    from veridical.whitebox.token_saliency import rolled_attention

    found, before = rolled_attention(inside, inputs), inside.model.config.get_text_config()._attn_implementation
    inside.model.set_attn_implementation("eager")
    own = [each[0].numpy().mean(0) for each in inside.model(**inputs, output_attentions=True).attentions]
    inside.model.set_attn_implementation(before)
    row = np.eye(len(own[0]))[-1]
    for weights in reversed(own):
        row = row @ (weights + np.eye(len(weights))) / 2
    assert row.sum() == pytest.approx(1, abs=CLOSE)
    np.testing.assert_allclose(found, row[inside.picture_tokens(inputs)], atol=CLOSE)
    assert 0 < found.sum() < 1


@contextmanager
def more_attention(inside, layer: int, head: int, token: int, by: float):
    """Runs the model with one weight of the answer position that is larger, and all others as they are."""
    modules = inside.parts.layers[layer].modules()
    attention = next(each for each in modules if "attention" in type(each).__name__.lower())
    home = sys.modules[type(attention).__module__]
    usual = home.eager_attention_forward

    def moved(module, query, key, value, *arguments, **named):
        output, weights = usual(module, query, key, value, *arguments, **named)
        if module is attention:
            output = output.clone()
            output[0, -1, head] += by * value[0, head // (query.shape[1] // value.shape[1]), token]
        return output, weights

    home.eager_attention_forward = moved
    try:
        with inside.eager(lambda _: None):
            yield
    finally:
        home.eager_attention_forward = usual


def test_gradients_of_attention_are_those_of_finite_differences_and_what_is_negative_counts_nothing(inside, inputs):
    from veridical.whitebox.token_saliency import weighted_attention

    found = inside.gradients(inputs, number)
    tokens, step = np.flatnonzero(inside.picture_tokens(inputs)), 0.02
    random = np.random.default_rng(0)
    for _ in range(4):
        layer, head, token = (int(random.integers(each)) for each in found.attention.shape)
        values = []
        for by in (step, -step):
            with more_attention(inside, layer, head, int(tokens[token]), by):
                values.append(float(number(inside.logits(inputs))))
        slope = (values[0] - values[1]) / (2 * step)
        assert found.attention_gradient[layer, head, token] == pytest.approx(slope, rel=0.05, abs=2e-4)
    product = found.attention * found.attention_gradient
    assert (product < 0).any()
    np.testing.assert_allclose(weighted_attention(found), np.where(product > 0, product, 0).mean((0, 1)), atol=1e-9)


def test_grad_cam_is_that_of_finite_differences_at_the_last_layer_that_is_read(inside, inputs):
    import torch

    from veridical.whitebox.inside import with_output
    from veridical.whitebox.token_saliency import tower_saliency

    found = tower_saliency(inside, inputs, number)
    blocks = len(inside.parts.blocks)
    assert found.layer == blocks - (2 if inside.loaded.name == "llava" else 1)
    states = inside.tower_states(inputs, found.layer)
    step, weights = 0.01, np.zeros(states.shape[1])

    def value(channel: int, by: float) -> float:
        def move(state):
            with torch.no_grad():
                state[..., channel] += by

        with with_output(inside.parts.blocks[found.layer], move):
            return float(number(inside.logits(inputs)))

    for channel in range(states.shape[1]):
        weights[channel] = (value(channel, step) - value(channel, -step)) / (2 * step * len(states))
    expected = np.maximum(states @ weights, 0)
    assert expected.max() > 0
    np.testing.assert_allclose(found.values, expected, atol=0.03 * expected.max())
    assert not any(each.requires_grad for each in inside.model.parameters())


def test_grad_cam_is_made_of_the_states_and_gradients_that_captum_reads(inside, inputs):
    from captum.attr import LayerActivation, LayerGradientXActivation

    from veridical.whitebox.token_saliency import tower_saliency

    found = tower_saliency(inside, inputs, number)
    block, named = inside.parts.blocks[found.layer], dict(inputs)
    pixels = named.pop("pixel_values").detach().requires_grad_(True)

    def score(pixels):
        return number(inside.model(pixel_values=pixels, **named).logits[0, -1].float()).reshape(1)

    read = LayerActivation(score, block).attribute(pixels)
    product = LayerGradientXActivation(score, block).attribute(pixels)
    states, products = (each.detach().double().numpy().reshape(-1, each.shape[-1]) for each in (read, product))
    gradients = np.divide(products, states, out=np.zeros_like(states), where=np.abs(states) > 1e-6)
    expected = np.maximum(states @ gradients.mean(0), 0)
    assert expected.max() > 0
    np.testing.assert_allclose(found.values, expected, atol=1e-3 * expected.max())


def test_what_changes_in_one_frame_changes_tokens_of_that_frame_alone_where_it_is(inside, maps):
    width, height, frames = 120, 90, 3
    ground = np.full((height, width, 3), 128, np.uint8)

    def seen(changed):
        from veridical.media.draw import encode_png

        return inside.inputs(prompt(("user", [*(encode_png(each) for each in changed), "?"])))

    layer, words, tower = maps
    for boxes, read in (
        (words.boxes, inside.features),
        (tower.boxes, lambda inputs: inside.tower_states(inputs, layer)),
    ):
        still = read(seen([ground] * frames))
        assert len(still) == frames * len(boxes)
        random = np.random.default_rng(1)
        for frame in range(frames):
            square = ground.copy()
            square[40:52, 54:66] = random.choice([0, 255], (12, 12, 1))
            moved = [square if place == frame else ground for place in range(frames)]
            change = np.linalg.norm(read(seen(moved)) - still, axis=1).reshape(frames, -1)
            others = np.delete(change, frame, 0).max()
            assert change[frame].max() > 1e-3
            assert others <= 1e-4 * change[frame].max()
            blind = ~np.isfinite(boxes).all(1)
            x0, y0, x1, y1 = boxes[np.where(blind, 0, change[frame]).argmax()]
            assert x0 < 66
            assert x1 > 54
            assert y0 < 52
            assert y1 > 40


def test_tokens_of_the_tower_without_a_place_have_no_box_and_patches_tile_the_picture(inside, maps):
    inputs = inside.inputs(prompt(("user", [picture(1, 120, 90), "?"])))
    _, words, found = maps
    blind = int((~np.isfinite(found.boxes).all(1)).sum())
    tiles = inputs["pixel_values"].shape[0] if inside.loaded.name in ("llava", "internvl") else 0
    assert blind == tiles
    assert len(found.boxes) - blind == len(words.boxes) * (1 if inside.loaded.name == "llava" else 4)
    assert found.unseen == pytest.approx(words.unseen, abs=0.05)


def test_attention_without_weights_is_refused(monkeypatch):
    from veridical.errors import InputError
    from veridical.whitebox.inside import Inside
    from veridical.whitebox.token_saliency import rolled_attention

    inside = Inside(loaded("llava"))
    monkeypatch.setattr(inside.parts.language, "set_attn_implementation", lambda _: None)
    inputs = inside.inputs(prompt(("user", [picture(1), "?"])))
    for read in (inside.attention, lambda each: rolled_attention(inside, each)):
        with pytest.raises(InputError, match="its attention gives no weights"):
            read(inputs)


def test_a_map_on_a_grid_keeps_mass_and_the_density_of_boxes():
    from veridical.media.pictures import cell_grid
    from veridical.suites.magicbench.saliency import clip_density
    from veridical.whitebox.places import TokenMap

    width, height, side = 640, 360, 40
    corners = [(x, y) for y in range(0, height, side) for x in range(80, width - 80, side)]
    boxes = np.array([[x, y, x + side, y + side] for x, y in corners], float)
    found = TokenMap(width, height, boxes)
    random, grid = np.random.default_rng(0), cell_grid(width, height)
    assert grid == (64, 36)
    np.testing.assert_allclose(found.seen_on(grid), np.kron(found.seen[::40, ::40], np.ones((4, 4))))
    for _ in range(20):
        values = random.gamma(0.5, size=len(boxes))
        small, whole = found.spread(values, grid), found.spread(values)
        assert small.sum() == pytest.approx(values.sum()) == whole.sum()
        x, y = random.integers(100, 400), random.integers(20, 200)
        box = (x, y, x + random.integers(50, 130), y + random.integers(50, 130))
        exact = clip_density([whole], [box], found.seen)
        scaled = [edge / 10 for edge in box]
        assert clip_density([small], [scaled], found.seen_on(grid)) == pytest.approx(exact, rel=0.03)
