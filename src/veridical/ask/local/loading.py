"""Loading a local model and its processor; models that accept no pictures are refused before anything is asked."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

from veridical.ask.local.place import Arguments, Located, locate_model, one_line_errors, quiet
from veridical.errors import InputError
from veridical.records import Json


@dataclass(frozen=True, eq=False)
class Loaded:
    """A model with its processor, ready to be asked, and the `facts` that a run stores.

    `served` is its name with its revision.
    """

    name: str
    model: Any
    processor: Any
    facts: Mapping[str, Json]

    @property
    def served(self) -> str:
        return f"{self.name}@{self.facts['revision']}"


def load_model(name: str, stated: Mapping[str, Json], token: str | None = None) -> Loaded:
    """The model of this name, which is a folder or an id of the Hub, on its device.

    Raises a one-line `InputError` for a wrong argument, and for a model that is missing, is incomplete, accepts no
    pictures, or has no chat template. Weights are only read as safetensors.
    """
    args = Arguments.of(stated)
    source = locate_model(name, args, token)
    _require_image_text_to_text(source)
    device = _device(args.device)
    lacking = "" if find_spec("torchvision") else " (torchvision is not installed, and it may need it)"
    with one_line_errors(f"the processor of local model '{name}'{lacking}"), quiet(name):
        processor = _processor(source)
    with one_line_errors(f"the weights of local model '{name}'"), quiet(name):
        model = _model(source).to(device).eval()
    return Loaded(name, model, processor, _facts(source, model, processor))


def _require_image_text_to_text(source: Located) -> None:
    from transformers.models.auto.modeling_auto import MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING

    own = getattr(source.config, "auto_map", None) or {}
    if type(source.config) in MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING:
        return
    if source.args.trust_remote_code and "AutoModelForImageTextToText" in own:
        return
    kind = source.config.model_type
    raise _takes_no_pictures(source.name, f"its architecture '{kind}' is not a vision-language model")


def _takes_no_pictures(name: str, why: str) -> InputError:
    return InputError(f"local model '{name}' accepts no pictures: {why}; an image-text-to-text model is needed")


def _device(name: str | None) -> Any:  # noqa: ANN401 - of torch, which may not be installed
    import torch

    usual = "cuda" if torch.cuda.is_available() else "cpu"
    try:
        device = torch.device(name or usual)
    except RuntimeError:
        raise InputError(f"argument device={name}: PyTorch has no such device; usual are cpu and cuda") from None
    if device.type == "cuda" and not torch.cuda.is_available():
        raise InputError(f"argument device={name}: PyTorch finds no CUDA device here; leave it out to use the CPU")
    return device


def _processor(source: Located) -> Any:  # noqa: ANN401 - of transformers
    from transformers import AutoProcessor

    processor = AutoProcessor.from_pretrained(source.place, **source.options())
    if getattr(processor, "image_processor", None) is None:
        raise _takes_no_pictures(source.name, "its processor has no image processor")
    if not getattr(processor, "chat_template", None):
        raise InputError(f"local model '{source.name}' has no chat template: a chat-tuned model is needed")
    tokenizer = processor.tokenizer
    tokenizer.padding_side = "left"
    if tokenizer.pad_token_id is None:
        tokenizer.pad_token = tokenizer.eos_token
    return processor


def _model(source: Located) -> Any:  # noqa: ANN401 - of transformers
    from transformers import AutoModelForImageTextToText

    model, info = AutoModelForImageTextToText.from_pretrained(
        source.place,
        config=source.config,
        dtype=source.args.dtype,
        use_safetensors=True,
        output_loading_info=True,
        **source.options(),
    )
    if missing := sorted(info["missing_keys"]):
        count = len(missing)
        raise InputError(f"local model '{source.name}' is incomplete: {count} weights are missing ({missing[0]})")
    model.generation_config = _greedy(model, source)
    return model


def _greedy(model: Any, source: Located) -> Any:  # noqa: ANN401 - of transformers
    """The model's own settings without sampling, which the request states, and with an end token."""
    settings = copy.deepcopy(model.generation_config)
    settings.update(do_sample=False, temperature=None, top_p=None, top_k=None, num_beams=1, max_length=None)
    if settings.eos_token_id is None:
        settings.eos_token_id = source.config.get_text_config().eos_token_id
    return settings


def _facts(source: Located, model: Any, processor: Any) -> dict[str, Json]:  # noqa: ANN401 - of transformers
    return {
        "revision": source.revision,
        "architecture": type(model).__name__,
        "processor": type(processor).__name__,
        "image_processor": type(processor.image_processor).__name__,
        "dtype": str(model.dtype).removeprefix("torch."),
        "device": str(model.device),
        "versions": {name: version(name) for name in ("transformers", "torch")},
    }
