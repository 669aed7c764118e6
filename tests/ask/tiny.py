"""Vision-language models of a few hundred kB with random weights, made here and saved as folders."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PIL import Image

from veridical.ask.local.requests import LocalPrompt
from veridical.records import ChatTurn

MARKS = ["<pad>", "<s>", "<|end|>", "<|system|>", "<|user|>", "<|assistant|>", "<image>", "<|frame|>", "<|video|>"]
TEMPLATE = (
    "{{ bos_token }}{% for turn in messages %}<|{{ turn['role'] }}|>{% for part in turn['content'] %}"
    "{% if part['type'] == 'image' %}<|frame|><image>{% else %}{{ part['text'] }}{% endif %}{% endfor %}<|end|>"
    "{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)
NO_SYSTEM = "{% if messages[0]['role'] == 'system' %}{{ raise_exception('no system turn') }}{% endif %}" + TEMPLATE
END = MARKS.index("<|end|>")
_TEXT = {
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 512,
    "bos_token_id": MARKS.index("<s>"),
    "eos_token_id": END,
    "pad_token_id": 0,
}


def picture(seed: int, width: int = 28, height: int = 28) -> bytes:
    """A PNG of that size whose pixels are random."""
    import numpy as np

    pixels = np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)
    data = io.BytesIO()
    Image.fromarray(pixels).save(data, "PNG")
    return data.getvalue()


def prompt(*turns: tuple[str, Sequence[str | bytes]]) -> LocalPrompt:
    """A prompt of turns."""
    return LocalPrompt.of([ChatTurn(role, tuple(parts)) for role, parts in turns])


def written_out(asked: LocalPrompt) -> str:
    """The same prompt as the template writes it, written here."""
    turns = [
        f"<|{turn.role}|>{''.join('<|frame|><image>' if isinstance(each, bytes) else each for each in turn.parts)}"
        for turn in asked.turns
    ]
    return "<s>" + "<|end|>".join(turns) + ("" if asked.continues else "<|end|><|assistant|>")


def oracle(loaded: Any, asked: LocalPrompt, most: int = 12) -> tuple[int, ...]:
    """The tokens that transformers' own `generate` writes, greedily, after the prompt as it is written out here."""
    shown = [part["image"] for turn in asked.conversation() for part in turn["content"] if part["type"] == "image"]
    text = [written_out(asked)]
    inputs = loaded.processor(text=text, images=shown or None, return_tensors="pt", add_special_tokens=False)
    output = loaded.model.generate(**inputs, do_sample=False, max_new_tokens=most)
    return tuple(output[0, inputs["input_ids"].shape[1] :].tolist())


def tokenizer() -> Any:
    """A tokenizer of single bytes and the marks."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    words = [*MARKS, *sorted(pre_tokenizers.ByteLevel.alphabet())]
    made = Tokenizer(models.BPE(vocab={word: place for place, word in enumerate(words)}, merges=[]))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    made.add_special_tokens(MARKS)
    return PreTrainedTokenizerFast(
        tokenizer_object=made,
        bos_token="<s>",
        eos_token="<|end|>",
        pad_token="<pad>",
        extra_special_tokens={"image_token": "<image>"},
    )


def llava(
    folder: Path, *, window: int | None = None, template: str | None = TEMPLATE, seed: int = 0, longest: int = 512
) -> Path:
    """A LLaVA with pictures of 16 tokens; with a `window` its text model attends to so many tokens alone.

    A prompt has at most `longest` tokens, which are its bytes and marks.
    """
    import torch
    from transformers import (
        CLIPVisionConfig,
        LlamaConfig,
        LlavaConfig,
        LlavaForConditionalGeneration,
        LlavaProcessor,
        MistralConfig,
    )
    from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil

    torch.manual_seed(seed)
    words = tokenizer()
    own: Any = LlamaConfig if window is None else MistralConfig
    sizes = {**_TEXT, "max_position_embeddings": longest}
    text = own(vocab_size=len(words), **sizes, **({} if window is None else {"sliding_window": window}))
    sight = CLIPVisionConfig(
        hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=2, image_size=28, patch_size=7
    )
    image = MARKS.index("<image>")
    config = LlavaConfig(vision_config=sight, text_config=text, image_token_id=image, image_token_index=image)
    size = {"height": 28, "width": 28}
    seen = CLIPImageProcessorPil(size=size, crop_size=size, resample=2)
    processor = LlavaProcessor(
        image_processor=seen,
        tokenizer=words,
        patch_size=7,
        vision_feature_select_strategy="default",
        num_additional_image_tokens=1,
        chat_template=template,
    )
    return saved(folder, _random(LlavaForConditionalGeneration(config), seed), processor)


def qwen() -> tuple[Any, Any]:
    """A Qwen2-VL, whose pictures have as many tokens as their size asks for and places in a plane, and a processor.

    The processor is the model's own without the part that reads clips, which needs another package.
    """
    from transformers import ProcessorMixin, Qwen2VLConfig, Qwen2VLForConditionalGeneration, Qwen2VLProcessor
    from transformers.models.qwen2_vl.image_processing_pil_qwen2_vl import Qwen2VLImageProcessorPil

    class OfPictures(Qwen2VLProcessor):
        def __init__(self, image_processor: Any, tokenizer: Any, chat_template: str) -> None:
            self.image_token, self.image_token_id = "<image>", MARKS.index("<image>")
            self.video_token, self.video_token_id = "<|video|>", MARKS.index("<|video|>")
            ProcessorMixin.__init__(self, image_processor, tokenizer, chat_template=chat_template)

    words = tokenizer()
    rope = {"rope_type": "default", "rope_theta": 10_000.0, "mrope_section": [1, 1, 2]}
    sight = {"depth": 2, "embed_dim": 32, "hidden_size": 32, "num_heads": 2, "mlp_ratio": 2, "patch_size": 4}
    marks = {f"{name}_token_id": MARKS.index(mark) for name, mark in (("image", "<image>"), ("video", "<|video|>"))}
    config = Qwen2VLConfig(
        text_config={"vocab_size": len(words), **_TEXT, "rope_parameters": rope},
        vision_config={**sight, "spatial_merge_size": 2, "temporal_patch_size": 2},
        **marks,
        vision_start_token_id=MARKS.index("<|frame|>"),
        vision_end_token_id=MARKS.index("<|frame|>"),
    )
    seen = Qwen2VLImageProcessorPil(patch_size=4, merge_size=2, temporal_patch_size=2, min_pixels=64, max_pixels=4096)
    processor = OfPictures(seen, words, TEMPLATE)
    processor.tokenizer.padding_side = "left"
    return _random(Qwen2VLForConditionalGeneration(config), 0).eval(), processor


def language_model(folder: Path) -> Path:
    """A model of text alone."""
    from transformers import LlamaConfig, LlamaForCausalLM

    words = tokenizer()
    return saved(folder, LlamaForCausalLM(LlamaConfig(vocab_size=len(words), **_TEXT)), words)


def saved(folder: Path, model: Any, processor: Any) -> Path:
    """The folder, with both in it."""
    from veridical.ask.local.loader import quiet

    folder.mkdir(parents=True, exist_ok=True)
    with quiet(str(folder)):
        model.save_pretrained(folder)
        processor.save_pretrained(folder)
    return folder


def _random(model: Any, seed: int) -> Any:
    """The model with weights so large that each token and picture tells, and replies that end now and then."""
    import torch

    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for weights in model.parameters():
            if weights.dim() > 1:
                weights.normal_(0.0, 0.5, generator=generator)
    model.generation_config.eos_token_id = [END, *range(40, 52)]
    model.generation_config.pad_token_id = 0
    return model
