"""Loading a local model and its processor, and refusing what takes no pictures before anything is asked."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

from veridical.ask.local.place import Arguments, Located, located, quiet, told_in_one_line
from veridical.errors import InputError
from veridical.records import Json


@dataclass(frozen=True, eq=False)
class Loaded:
    """A model with its processor, ready to be asked, and the `facts` about it that a run stores.

    `served` is its name with its revision.
    """

    name: str
    model: Any
    processor: Any
    facts: Mapping[str, Json]

    @property
    def served(self) -> str:
        return f"{self.name}@{self.facts['revision']}"


def loaded(name: str, given: Mapping[str, Json], token: str | None = None) -> Loaded:
    """The model of that name, a folder or an id of the Hub, on its device.

    Raises `InputError`, in one line, for an argument that is wrong, a model that is not there or not whole, one that
    takes no pictures, and one without a chat template. Weights are read as safetensors alone.
    """
    args = Arguments.of(given)
    found = located(name, args, token)
    _require_image_text_to_text(found)
    device = _device(args.device)
    lacking = "" if find_spec("torchvision") else " (torchvision is not installed, and it may need it)"
    with told_in_one_line(f"the processor of local model '{name}'{lacking}"), quiet(name):
        processor = _processor(found)
    with told_in_one_line(f"the weights of local model '{name}'"), quiet(name):
        model = _model(found).to(device).eval()
    return Loaded(name, model, processor, _facts(found, model, processor))


def _require_image_text_to_text(found: Located) -> None:
    from transformers.models.auto.modeling_auto import MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING

    own = getattr(found.config, "auto_map", None) or {}
    if type(found.config) in MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING:
        return
    if found.args.trust_remote_code and "AutoModelForImageTextToText" in own:
        return
    raise _takes_no_pictures(found.name, f"its architecture '{found.config.model_type}' is no vision-language model")


def _takes_no_pictures(name: str, why: str) -> InputError:
    return InputError(
        f"local model '{name}' takes no pictures: {why}; a model of the kind image-text-to-text is needed"
    )


def _device(name: str | None) -> Any:  # noqa: ANN401 - of torch, which may not be installed
    import torch

    usual = "cuda" if torch.cuda.is_available() else "cpu"
    try:
        device = torch.device(name or usual)
    except RuntimeError:
        raise InputError(f"argument device={name}: PyTorch knows none of that name; cpu or cuda is usual") from None
    if device.type == "cuda" and not torch.cuda.is_available():
        raise InputError(f"argument device={name}: PyTorch finds no CUDA device here; leave it out to use the CPU")
    return device


def _processor(found: Located) -> Any:  # noqa: ANN401 - of transformers
    from transformers import AutoProcessor

    processor = AutoProcessor.from_pretrained(found.place, **found.options())
    if getattr(processor, "image_processor", None) is None:
        raise _takes_no_pictures(found.name, "its processor has no image processor")
    if not getattr(processor, "chat_template", None):
        raise InputError(f"local model '{found.name}' has no chat template: one that was tuned for chats is needed")
    tokenizer = processor.tokenizer
    tokenizer.padding_side = "left"
    if tokenizer.pad_token_id is None:
        tokenizer.pad_token = tokenizer.eos_token
    return processor


def _model(found: Located) -> Any:  # noqa: ANN401 - of transformers
    from transformers import AutoModelForImageTextToText

    model, said = AutoModelForImageTextToText.from_pretrained(
        found.place,
        config=found.config,
        dtype=found.args.dtype,
        use_safetensors=True,
        output_loading_info=True,
        **found.options(),
    )
    if missing := sorted(said["missing_keys"]):
        raise InputError(f"local model '{found.name}' is not whole: {len(missing)} weights are missing ({missing[0]})")
    model.generation_config = _greedy(model, found)
    return model


def _greedy(model: Any, found: Located) -> Any:  # noqa: ANN401 - of transformers
    """The model's own settings without those of sampling, which the request states, and with an end of replies."""
    settings = copy.deepcopy(model.generation_config)
    settings.update(do_sample=False, temperature=None, top_p=None, top_k=None, num_beams=1, max_length=None)
    if settings.eos_token_id is None:
        settings.eos_token_id = found.config.get_text_config().eos_token_id
    return settings


def _facts(found: Located, model: Any, processor: Any) -> dict[str, Json]:  # noqa: ANN401 - of transformers
    return {
        "revision": found.revision,
        "architecture": type(model).__name__,
        "processor": type(processor).__name__,
        "image_processor": type(processor.image_processor).__name__,
        "dtype": str(model.dtype).removeprefix("torch."),
        "device": str(model.device),
        "versions": {name: version(name) for name in ("transformers", "torch")},
    }
