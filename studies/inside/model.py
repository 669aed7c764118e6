"""A vision-language model of 0.3 million parameters that sees all of a picture, or its middle alone."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from examples.training.model import END, IMAGE, PAD, SPREAD, TEMPLATE, word_tokenizer
from veridical.ask.local.loader import quiet

SIDE, PATCH, WIDTH = 64, 16, 64
ENLARGED = 160
"""The shorter side of a picture before its middle is cut out: two fifths of the height, a fifth of the width."""
SIZES = {"hidden_size": WIDTH, "intermediate_size": 2 * WIDTH, "num_hidden_layers": 3, "num_attention_heads": 4}


def build(folder: Path, prompts: Iterable[str], replies: Iterable[str], seed: int, *, cropped: bool = False) -> Path:
    """The folder with a new model, whose weights the seed draws, and its processor."""
    import torch
    from transformers import (
        CLIPVisionConfig,
        LlamaConfig,
        LlavaConfig,
        LlavaForConditionalGeneration,
        LlavaProcessor,
    )
    from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil

    tokenizer = word_tokenizer(sorted(set(prompts)), sorted(set(replies)))
    ids = {"bos_token_id": None, "eos_token_id": END, "pad_token_id": PAD}
    text = LlamaConfig(vocab_size=len(tokenizer), max_position_embeddings=256, initializer_range=SPREAD, **SIZES, **ids)
    tower = CLIPVisionConfig(image_size=SIDE, patch_size=PATCH, projection_dim=WIDTH, **SIZES)
    config = LlavaConfig(
        vision_config=tower,
        text_config=text,
        image_token_id=IMAGE,
        vision_feature_layer=-1,
        initializer_range=SPREAD,
    )
    torch.manual_seed(seed)
    model = LlavaForConditionalGeneration(config)
    for weights in model.model.vision_tower.parameters():
        if weights.dim() > 1:
            # The usual ones are for wide towers, and learn too slowly in a narrow one.
            torch.nn.init.normal_(weights, 0.0, weights[0].numel() ** -0.5)
    model.generation_config.eos_token_id, model.generation_config.pad_token_id = END, PAD
    square = {"height": SIDE, "width": SIDE}
    size = {"shortest_edge": ENLARGED} if cropped else square
    processor = LlavaProcessor(
        image_processor=CLIPImageProcessorPil(size=size, crop_size=square, do_center_crop=cropped, resample=2),
        tokenizer=tokenizer,
        patch_size=PATCH,
        vision_feature_select_strategy="default",
        num_additional_image_tokens=1,
        chat_template=TEMPLATE,
    )
    return saved(folder, model, processor)


def saved(folder: Path, model: Any, processor: Any) -> Path:  # noqa: ANN401 - of transformers
    """The folder, with both in it."""
    with quiet(folder.name):
        model.save_pretrained(folder)
        processor.save_pretrained(folder)
    return folder
