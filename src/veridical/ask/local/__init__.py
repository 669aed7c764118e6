"""Local vision-language models: `veridical-hf/NAME`, where NAME is a folder or a model of the Hugging Face Hub.

They run in this process with PyTorch and transformers, which the extra `local` installs; nothing else imports them.
"""

from __future__ import annotations

from collections.abc import Mapping

from veridical.records import Json

API = "veridical-hf"
PREFIX = f"{API}/"
LOADED = "loaded"
"""The key of the facts about the loaded weights."""


def is_local(model: str) -> bool:
    """Whether a model is loaded into this process from a folder or the Hub.

    >>> is_local("veridical-hf/org/some-vlm"), is_local("veridical/pixel"), is_local("hf/org/some-llm")
    (True, False, False)
    """
    return model.startswith(PREFIX)


def require_local(model: str, args: Mapping[str, Json]) -> None:
    """Raises `InputError` for what is wrong with a local model's arguments or folder; nothing is loaded."""
    if is_local(model):
        from veridical.ask.local.loader import Arguments, folder_of

        folder_of(model.removeprefix(PREFIX), Arguments.of(args))


def identity_of(model: str, args: Mapping[str, Json]) -> dict[str, Json]:
    """The revision of a local model's weights, as `{"revision": ...}`; `{}` for any other model.

    It does not load the weights. Raises `InputError` as opening the model does.
    """
    if not is_local(model):
        return {}
    from veridical.ask.local.loader import Arguments, locate_model

    return {"revision": locate_model(model.removeprefix(PREFIX), Arguments.of(args)).revision}
