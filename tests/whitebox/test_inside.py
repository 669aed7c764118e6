"""What hooks read from a model: what transformers gives by its own means, over five architectures."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from tests.ask.tiny import picture, prompt
from tests.whitebox.architectures import ARCHITECTURES, loaded

pytestmark = pytest.mark.local_models
NAMES = list(ARCHITECTURES)
CLOSE = 1e-5


@pytest.fixture(scope="module", params=NAMES)
def inside(request):
    import torch

    from veridical.whitebox.inside import Inside

    torch.set_num_threads(1)
    return Inside(loaded(request.param))


@pytest.fixture(scope="module")
def inputs(inside):
    """The inputs of two prompts with one question, about two pictures."""
    return [inside.inputs(prompt(("user", [picture(seed, 120, 90), "Same?"]))) for seed in (1, 2)]


def test_logits_are_those_of_generate(inside, inputs):
    options = {"max_new_tokens": 1, "output_logits": True, "return_dict_in_generate": True}
    for each in inputs:
        expected = inside.model.generate(**each, **options).logits[0][0]
        assert np.array_equal(inside.logits(each), expected.float().numpy())
    assert np.abs(inside.logits(inputs[0]) - inside.logits(inputs[1])).max() > 100 * CLOSE


def test_picture_tokens_are_those_whose_embeddings_are_no_words(inside, inputs):
    kept = {}
    with inside.with_features(lambda embeds: kept.update(embeds=embeds)):
        inside.logits(inputs[0])
    words = inside.model.get_input_embeddings()(inputs[0]["input_ids"])
    differs = (kept["embeds"] != words).any(-1)[0].numpy()
    assert np.array_equal(inside.picture_tokens(inputs[0]), differs)
    assert np.array_equal(inside.features(inputs[0]), kept["embeds"][0, differs].numpy())


def test_states_are_the_hidden_states_of_transformers_the_last_after_the_final_norm(inside, inputs):
    (found,) = inside.states(inputs[0])
    own = inside.model(**inputs[0], output_hidden_states=True).hidden_states
    mask = inside.picture_tokens(inputs[0])
    assert np.array_equal(found.logits, inside.logits(inputs[0]))
    assert len(own) == len(inside.parts.layers) + 1
    for layer, state in enumerate(own[1:]):
        picture_state, answer = found.states[f"language.{layer}.picture"], found.states[f"language.{layer}.answer"]
        np.testing.assert_allclose(picture_state, state[0].numpy()[mask].mean(0), atol=CLOSE)
        np.testing.assert_allclose(answer, state[0, -1].numpy(), atol=CLOSE)
    np.testing.assert_allclose(found.states["projector"], own[0][0].numpy()[mask].mean(0), atol=CLOSE)
    towers = [name for name in found.states if name.startswith("tower.")]
    assert len(towers) == len(inside.parts.blocks)
    assert all(each.dtype == np.float32 and each.ndim == 1 for each in found.states.values())


def test_states_of_the_tower_are_those_that_it_gives_by_itself(inside, inputs):
    own = inside.model.get_image_features(
        **{name: value for name, value in inputs[0].items() if name.startswith(("pixel", "image"))},
        output_hidden_states=True,
    ).hidden_states
    found = inside.states(inputs[0])[0].states
    for layer in range(len(inside.parts.blocks)):
        expected = own[layer + 1].reshape(-1, own[0].shape[-1]).mean(0).numpy()
        np.testing.assert_allclose(found[f"tower.{layer}"], expected, atol=CLOSE)


def test_attention_is_that_of_transformers_and_leaves_the_model_as_it_was(inside, inputs):
    before, logits = inside.model.config.get_text_config()._attn_implementation, inside.logits(inputs[0])
    found = inside.attention(inputs[0])
    assert inside.model.config.get_text_config()._attn_implementation == before != "eager"
    assert np.array_equal(inside.logits(inputs[0]), logits)
    inside.model.set_attn_implementation("eager")
    own = inside.model(**inputs[0], output_attentions=True).attentions
    inside.model.set_attn_implementation(before)
    mask = inside.picture_tokens(inputs[0])
    rows = np.stack([each[0, :, -1].numpy() for each in own])
    np.testing.assert_allclose(rows.sum(-1), 1, atol=CLOSE)
    np.testing.assert_allclose(found, rows[..., mask], atol=CLOSE)


def test_gradients_are_those_of_finite_differences(inside, inputs):
    def number(scores):
        return scores[7] - scores[9]

    found = inside.gradients(inputs[0], number)
    assert found.value == pytest.approx(float(number(inside.logits(inputs[0]))), abs=1e-4)
    np.testing.assert_allclose(found.features, inside.features(inputs[0]), atol=CLOSE)
    np.testing.assert_allclose(found.attention, inside.attention(inputs[0]), atol=CLOSE)
    assert found.attention_gradient.shape == found.attention.shape
    assert np.abs(found.attention_gradient).max() > 0
    way = np.sign(found.feature_gradient) * 1e-3
    mask = inside.picture_tokens(inputs[0])

    def moved(by):
        import torch

        def change(embeds):
            embeds = embeds.clone()
            embeds[0, mask] += torch.as_tensor(way * by)
            return embeds

        with inside.with_features(change):
            return float(number(inside.logits(inputs[0])))

    assert (moved(1) - moved(-1)) / 2 == pytest.approx(float((found.feature_gradient * way).sum()), rel=0.05)


def test_patching_gives_the_donor_at_the_projector_and_nothing_after_the_last_layer(inside, inputs):
    from veridical.whitebox.patches import patched_runs

    clean, donor = inputs
    runs = patched_runs(inside, clean, donor)
    assert list(runs.depths) == ["projector", *(f"language.{layer}" for layer in range(len(inside.parts.layers)))]
    assert np.array_equal(runs.clean, inside.logits(clean))
    assert np.array_equal(runs.donor, inside.logits(donor))
    *before, last = runs.depths.values()
    np.testing.assert_allclose(before[0], runs.donor, atol=CLOSE)
    np.testing.assert_allclose(last, runs.clean, atol=CLOSE)
    far = np.abs(runs.donor - runs.clean).max()
    assert all(np.abs(each - runs.clean).max() > far / 100 for each in before)
    same = patched_runs(inside, clean, clean)
    assert all(np.allclose(each, same.clean, atol=CLOSE) for each in same.depths.values())


def test_prompts_of_other_texts_or_sizes_are_not_patched(inside, inputs):
    from veridical.errors import InputError
    from veridical.whitebox.patches import patched_runs

    other = inside.inputs(prompt(("user", [picture(1, 120, 90), "Other?"])))
    with pytest.raises(InputError, match="differ in their text"):
        patched_runs(inside, inputs[0], other)


def test_a_prompt_without_a_picture_or_beyond_the_context_is_refused(inside):
    from veridical.errors import InputError

    with pytest.raises(InputError, match="shows no picture"):
        inside.inputs(prompt(("user", ["Same?"])))
    with pytest.raises(InputError, match="exceed the model's context"):
        inside.inputs(prompt(("user", [picture(1), "Same? " * 4096])))


def refusal(model, name: str = "m") -> str:
    from veridical.ask.local.loader import LoadedModel
    from veridical.ask.local.parts import parts_of
    from veridical.errors import InputError

    with pytest.raises(InputError) as raised:
        parts_of(LoadedModel(name, model, SimpleNamespace(), {}))
    assert "\n" not in str(raised.value)
    return str(raised.value)


def test_a_model_of_another_structure_is_refused_with_what_is_missing():
    import transformers as t

    text = {"vocab_size": 99, "hidden_size": 32, "intermediate_size": 32, "num_hidden_layers": 2}
    text |= {"num_attention_heads": 2, "num_key_value_heads": 2}
    sight = {"hidden_size": 32, "intermediate_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2}
    gathering = {"resampler_depth": 1, "resampler_n_heads": 2, "resampler_head_dim": 16, "num_key_value_heads": 2}
    config = t.Idefics2Config(
        vision_config={**sight, "image_size": 28, "patch_size": 14},
        text_config={"model_type": "mistral", **text},
        perceiver_config={"hidden_size": 32, "resampler_n_latents": 4, **gathering},
    )
    assert "perceiver_resampler" in refusal(t.Idefics2ForConditionalGeneration(config))
    assert "it has no tower" in refusal(t.LlamaForCausalLM(t.LlamaConfig(**text)))
    joint = loaded("llava").model
    joint.model.multi_modal_projector.gather = t.models.clip.modeling_clip.CLIPAttention(config.vision_config)
    assert "multi_modal_projector.gather attends" in refusal(joint)
    quantized = loaded("llava").model
    quantized.config.quantization_config = {"load_in_4bit": True}
    assert "its weights are quantized" in refusal(quantized)
    nameless = loaded("llava").model
    nameless.config = SimpleNamespace()
    assert "names no token for pictures" in refusal(nameless)
    small = {"d_model": 32, "encoder_layers": 1, "decoder_layers": 1, "encoder_attention_heads": 2}
    bart = t.BartConfig(vocab_size=99, decoder_attention_heads=2, encoder_ffn_dim=32, decoder_ffn_dim=32, **small)
    assert "attends to an encoder" in refusal(t.BartForConditionalGeneration(bart))
