"""A vision-language model of 0.4 million parameters, made here from its configuration: nothing is downloaded."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from transformers import LlavaProcessor, PreTrainedTokenizerFast

MARKS = ["<pad>", "<|system|>", "<|user|>", "<|assistant|>", "<|end|>", "<image>"]
PAD, END, IMAGE = 0, 4, 5
TEMPLATE = (
    "{% for turn in messages %}<|{{ turn['role'] }}|>{% for part in turn['content'] %}"
    "{% if part['type'] == 'image' %}<image>{% else %}{{ part['text'] }}{% endif %}{% endfor %}<|end|>{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)
SIDE, STRIDE = 64, 16
WIDTH, HIDDEN = 96, 64
SPREAD = 0.1
"""The standard deviation of new weights: those that are usual for wide models learn too slowly in a narrow one."""


def build(folder: Path, prompts: Iterable[str], replies: Iterable[str], seed: int) -> Path:
    """The folder with a new model, whose weights the seed draws, and its processor."""
    import torch
    from transformers import LevitConfig, LlamaConfig, LlavaConfig, LlavaForConditionalGeneration

    processor = _processor(word_tokenizer(sorted(set(prompts)), sorted(set(replies))))
    torch.manual_seed(seed)
    # The convolutions with which LeViT begins learn from few pictures what a plain ViT needs far more for.
    tower = LevitConfig(
        image_size=SIDE,
        hidden_sizes=[WIDTH, 32, 32],
        num_attention_heads=[3, 1, 1],
        depths=[1, 1, 1],
        mlp_ratio=[2, 2, 2],
        drop_path_rate=0,
        hidden_size=WIDTH,
    )
    words = LlamaConfig(
        vocab_size=len(processor.tokenizer),
        hidden_size=HIDDEN,
        intermediate_size=2 * HIDDEN,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=4,
        max_position_embeddings=512,
        bos_token_id=None,
        initializer_range=SPREAD,
        eos_token_id=END,
        pad_token_id=PAD,
    )
    config = LlavaConfig(
        vision_config=tower,
        text_config=words,
        image_token_id=IMAGE,
        vision_feature_layer=-4,
        initializer_range=SPREAD,
        vision_feature_select_strategy="full",
    )
    model = LlavaForConditionalGeneration(config)
    model.generation_config.eos_token_id, model.generation_config.pad_token_id = END, PAD
    model.save_pretrained(folder)
    processor.save_pretrained(folder)
    return folder


def word_tokenizer(prompts: list[str], replies: list[str]) -> PreTrainedTokenizerFast:
    """A tokenizer of the words of these texts, and of bytes for all else; what all texts begin with is one token."""
    from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    beginnings = (_beginning(prompts).rpartition("\n")[0], _beginning(replies).rstrip())
    pieces = "|".join([*map(re.escape, filter(None, beginnings)), r" ?\w+", r"</?\w+>", r"\s+|[^\w]"])
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(pieces), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    made.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=4000, special_tokens=MARKS, initial_alphabet=alphabet, show_progress=False)
    made.train_from_iterator([*prompts, *replies], trainer)
    return PreTrainedTokenizerFast(
        tokenizer_object=made,
        eos_token=MARKS[END],
        pad_token=MARKS[PAD],
        extra_special_tokens={"image_token": MARKS[IMAGE]},
    )


def _beginning(texts: list[str]) -> str:
    """What all of these sorted texts begin with."""
    pairs = enumerate(zip(texts[0], texts[-1], strict=False))
    return texts[0][: next((place for place, (one, other) in pairs if one != other), len(texts[0]))]


def _processor(tokenizer: PreTrainedTokenizerFast) -> LlavaProcessor:
    from transformers import LlavaProcessor
    from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil

    size = {"height": SIDE, "width": SIDE}
    return LlavaProcessor(
        image_processor=CLIPImageProcessorPil(size=size, do_center_crop=False, resample=2),
        tokenizer=tokenizer,
        patch_size=STRIDE,
        vision_feature_select_strategy="full",
        chat_template=TEMPLATE,
    )
