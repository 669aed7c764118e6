"""Vision-language models of five architectures, of random weights and a few hundred kB, with their own processors."""

from __future__ import annotations

import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from tests.ask.tiny import END, MARKS, TEMPLATE
from veridical.ask.local.loader import LoadedModel

IMAGE = MARKS.index("<image>")
_OTHER = {
    "fake_image_token": "<fake>",
    "global_image_token": "<global>",
    "end_of_utterance_token": "<|end|>",
    "video_token": "<|video|>",
    "start_image_token": "<|frame|>",
    "end_image_token": "<|after|>",
    "context_image_token": "<image>",
    "vision_start_token": "<|frame|>",
    "vision_end_token": "<|after|>",
}
_GRID = [f"<row_{row}_col_{column}>" for row in range(1, 5) for column in range(1, 5)]
WORDS = [*MARKS, "<fake>", "<global>", "<|after|>", *_GRID]
SIGHT = {"hidden_size": 32, "intermediate_size": 48, "num_attention_heads": 2}


def tokenizer() -> Any:
    """A tokenizer of single bytes and the marks of all architectures."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    words = [*WORDS, *sorted(pre_tokenizers.ByteLevel.alphabet())]
    made = Tokenizer(models.BPE(vocab={word: place for place, word in enumerate(words)}, merges=[]))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    made.add_special_tokens(WORDS)
    marks = {"image_token": "<image>", **_OTHER}
    return PreTrainedTokenizerFast(
        tokenizer_object=made, bos_token="<s>", eos_token="<|end|>", pad_token="<pad>", extra_special_tokens=marks
    )


def text(words: Any, **more: Any) -> dict[str, Any]:
    """The settings of a text model with three layers of 64 numbers."""
    sizes = {"hidden_size": 64, "intermediate_size": 96, "num_attention_heads": 4, "num_key_value_heads": 2}
    ids = {"bos_token_id": MARKS.index("<s>"), "eos_token_id": END, "pad_token_id": 0}
    return {"vocab_size": len(words), "num_hidden_layers": 3, "max_position_embeddings": 4096, **sizes, **ids, **more}


def of_pictures(kind: type, seen: Any, words: Any, template: str = TEMPLATE, **own: Any) -> Any:
    """An architecture's own processor without the part that reads clips, which needs another package."""
    from transformers import ProcessorMixin

    class OfPictures(kind):
        def __init__(self, image_processor: Any, tokenizer: Any, chat_template: str) -> None:
            ProcessorMixin.__init__(self, image_processor, tokenizer, chat_template=chat_template)
            for name, mark in {"image_token": "<image>", **_OTHER}.items():
                setattr(self, name, mark)
                setattr(self, f"{name}_id", WORDS.index(mark))
            self.video_processor = SimpleNamespace(num_frames=1, fps=1)
            vars(self).update(own)

    return OfPictures(seen, words, template)


def llava(words: Any, **more: Any) -> tuple[Any, Any]:
    """The center of a picture, 8 × 8 tokens."""
    import transformers as t
    from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil

    sight = t.CLIPVisionConfig(**SIGHT, num_hidden_layers=3, image_size=112, patch_size=14, projection_dim=32)
    ids = {"image_token_id": IMAGE, "image_token_index": IMAGE}
    config = t.LlavaConfig(vision_config=sight, text_config=t.LlamaConfig(**text(words)), **ids, **more)
    seen = CLIPImageProcessorPil(size={"shortest_edge": 112}, crop_size={"height": 112, "width": 112})
    own = {"patch_size": 14, "vision_feature_select_strategy": "default", "num_additional_image_tokens": 1}
    processor = t.LlavaProcessor(image_processor=seen, tokenizer=words, chat_template=TEMPLATE, **own)
    return t.LlavaForConditionalGeneration(config), processor


def _qwen(words: Any, patch: int, kind: type) -> Any:
    from transformers.models.qwen2_vl.image_processing_pil_qwen2_vl import Qwen2VLImageProcessorPil

    size = {"shortest_edge": 56 * 56, "longest_edge": 168 * 168}
    template = TEMPLATE.replace("<|frame|><image>", "<|frame|><image><|after|>")
    return of_pictures(kind, Qwen2VLImageProcessorPil(patch_size=patch, size=size), words, template)


def _qwen_ids() -> dict[str, int]:
    marks = {"image": "<image>", "video": "<|video|>", "vision_start": "<|frame|>", "vision_end": "<|after|>"}
    return {f"{name}_token_id": WORDS.index(mark) for name, mark in marks.items()}


_ROPE = {"rope_type": "default", "mrope_section": [2, 3, 3], "rope_theta": 10_000.0}


def qwen2_5_vl(words: Any) -> tuple[Any, Any]:
    """Pictures of any shape, whose tower attends in windows, 2 × 2 patches a token."""
    import transformers as t

    sight = {"hidden_size": 32, "intermediate_size": 48, "num_heads": 2, "depth": 3, "patch_size": 14}
    sight |= {"window_size": 56, "out_hidden_size": 64, "fullatt_block_indexes": [2]}
    config = t.Qwen2_5_VLConfig(vision_config=sight, text_config=text(words, rope_parameters=_ROPE), **_qwen_ids())
    return t.Qwen2_5_VLForConditionalGeneration(config), _qwen(words, 14, t.Qwen2_5_VLProcessor)


def qwen3_vl(words: Any) -> tuple[Any, Any]:
    """Pictures of any shape; what three layers of the tower see is added in layers of the text model."""
    import transformers as t

    sight = {"hidden_size": 32, "intermediate_size": 48, "num_heads": 2, "depth": 4, "patch_size": 16}
    sight |= {"out_hidden_size": 64, "num_position_embeddings": 64, "deepstack_visual_indexes": [0, 1, 2]}
    words_of = text(words, rope_parameters=_ROPE, num_hidden_layers=4, head_dim=16)
    config = t.Qwen3VLConfig(vision_config=sight, text_config=words_of, **_qwen_ids())
    return t.Qwen3VLForConditionalGeneration(config), _qwen(words, 16, t.Qwen3VLProcessor)


def internvl(words: Any) -> tuple[Any, Any]:
    """Tiles of 2 × 2 tokens and a thumbnail of the whole."""
    import transformers as t
    from transformers.models.got_ocr2.image_processing_pil_got_ocr2 import GotOcr2ImageProcessorPil

    sight = {**SIGHT, "num_hidden_layers": 3, "image_size": [56, 56], "patch_size": [14, 14]}
    config = t.InternVLConfig(
        vision_config=sight,
        text_config=t.Qwen2Config(**text(words)).to_dict(),
        image_token_id=IMAGE,
        downsample_ratio=0.5,
        image_seq_length=4,
    )
    seen = GotOcr2ImageProcessorPil(size={"height": 56, "width": 56}, crop_to_patches=True, max_patches=6)
    pattern = re.compile(r"(?P<image><image>)|(?P<video><\|video\|>)")
    template = TEMPLATE.replace("<|frame|><image>", "<image>")
    processor = of_pictures(t.InternVLProcessor, seen, words, template, image_seq_length=4, multimodal_pattern=pattern)
    return t.InternVLForConditionalGeneration(config), processor


def smolvlm(words: Any) -> tuple[Any, Any]:
    """Tiles of 2 × 2 tokens and the whole."""
    import transformers as t
    from transformers.models.smolvlm.image_processing_pil_smolvlm import SmolVLMImageProcessorPil

    sight = {**SIGHT, "num_hidden_layers": 3, "image_size": 56, "patch_size": 14}
    config = t.SmolVLMConfig(
        vision_config=sight,
        text_config=t.LlamaConfig(**text(words)).to_dict(),
        image_token_id=IMAGE,
        scale_factor=2,
        pad_token_id=0,
    )
    seen = SmolVLMImageProcessorPil(size={"longest_edge": 168}, max_image_size={"longest_edge": 56})
    template = TEMPLATE.replace("<|frame|><image>", "<image>")
    processor = of_pictures(t.SmolVLMProcessor, seen, words, template, image_seq_len=4)
    return t.SmolVLMForConditionalGeneration(config), processor


ARCHITECTURES: dict[str, Callable[..., tuple[Any, Any]]] = {
    made.__name__: made for made in (llava, qwen2_5_vl, qwen3_vl, internvl, smolvlm)
}


def loaded(name: str, seed: int = 0, **more: Any) -> LoadedModel:
    """A model of an architecture as the loader gives it."""
    import torch
    from transformers.utils import logging

    from veridical.ask.local.loader import _greedy

    logging.set_verbosity_error()
    model, processor = ARCHITECTURES[name](tokenizer(), **more)
    processor.tokenizer.padding_side = "left"
    random = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for weights in model.parameters():
            if weights.dim() > 1:
                weights.normal_(0.0, weights[0].numel() ** -0.5, generator=random)
    model.generation_config.pad_token_id, model.generation_config.eos_token_id = 0, END
    model.generation_config = _greedy(model, SimpleNamespace(config=model.config))
    return LoadedModel(name, model.eval(), processor, {"revision": f"seed {seed}"})
