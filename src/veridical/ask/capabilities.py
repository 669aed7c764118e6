"""Capabilities of providers, checked before anything is sent: continuing an assistant turn, media, seeds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from veridical.ask.clients import Client, Continuation
from veridical.errors import InputError
from veridical.records import Json, Media, Trial

if TYPE_CHECKING:
    from inspect_ai.model import GenerateConfig, Model

EMBEDDED = "veridical/"
CONTINUE: dict[str, Json] = {"add_generation_prompt": False, "continue_final_message": True}
"""The request fields that make vLLM and SGLang continue an assistant turn."""

# By class name, so that no provider's package is imported; from the providers of inspect-ai 0.3.285.
_CONTINUE_THEMSELVES = frozenset({"VLLMAPI", "SGLangAPI", "SagemakerAPI"})
_TAKE_CLIPS = frozenset({"GoogleGenAIAPI"})
_TAKE_NO_SEED = frozenset(
    {"AnthropicAPI", "GoogleGenAIAPI", "BedrockAPI", "NNterpAPI", "TransformerLensAPI", "TogetherRESTAPI"}
)
# By the beginning of a model's name: these pass a JSON schema on, others drop it, some of them in silence. Replayed
# replies were given before.
_TAKE_SCHEMAS = (
    *("openai/", "anthropic/", "google/", "mistral/", "grok/", "groq/", "openrouter/", "together/", "fireworks/"),
    *("vllm/", "sglang/", "ollama/", "openai-api/", "veridical/replay"),
)
_TAKE_NO_SAMPLING = frozenset({"AnthropicAPI"})
_TAKE_TOP_K = frozenset({"GoogleGenAIAPI", "HuggingFaceAPI", "TogetherRESTAPI"})


def opens_reply(trial: Trial) -> bool:
    """Whether a trial ends with the beginning of an assistant turn that the model must continue."""
    return bool(trial.messages) and trial.messages[-1].role == "assistant"


def continuation(model: Model) -> Continuation:
    """Whether and how a model continues an assistant turn.

    vLLM, SGLang and SageMaker do. An OpenAI-compatible server needs two request fields. Anthropic's models do up to
    Claude 4.5, without thinking. A custom provider declares it by the attribute `continues_assistant_turn = True`. All
    others answer the turn as if it were complete, or refuse it.
    """
    api = model.api
    names = {base.__name__ for base in type(api).__mro__}
    declared = getattr(api, "continues_assistant_turn", False) is True
    if declared or type(api).__name__ in _CONTINUE_THEMSELVES:
        return Continuation(None)
    if "AnthropicAPI" in names:
        return Continuation(_of_claude(api, model.config))
    if type(api).__name__ == "OpenAICompatibleAPI":
        return Continuation(None, dict(CONTINUE))
    return Continuation("its provider does not continue an assistant turn")


def _of_claude(api: Any, config: GenerateConfig) -> str | None:  # noqa: ANN401 - its class is not importable here
    if getattr(api, "is_claude_frontier", lambda: True)():
        return "Claude 4.6 and later do not continue an assistant turn"
    if config.reasoning_tokens is not None or config.reasoning_effort not in (None, "none"):
        return "Claude does not continue an assistant turn with thinking enabled"
    return None


def require_continuation(
    trials: Sequence[Trial], client: Client, name: str, *, skip: bool, instead: str | None = None
) -> Continuation:
    """How the model continues the trials that open its reply.

    Raises `InputError`, naming the settings that need it, if the model cannot and these trials may not be skipped.
    `instead` names a level whose trials do not need it.
    """
    if not any(map(opens_reply, trials)):
        return Continuation(None)
    support = client.continuation
    if support.problem is not None and not skip:
        raise no_continuation(trials, name, support.problem, instead)
    return support


def no_continuation(trials: Sequence[Trial], name: str, problem: str, instead: str | None) -> InputError:
    """The error for a model that cannot continue the trials that open its reply."""
    continued = [trial for trial in trials if opens_reply(trial)]
    other = "choose other levels" if instead is None else f"choose {instead}"
    return InputError(
        f"model '{name}' cannot be asked {_setting(trials, continued)} ({len(continued)} of {len(trials)} trials): "
        f"{problem}; {other}, or skip unsupported trials"
    )


def _setting(trials: Sequence[Trial], continued: Sequence[Trial]) -> str:
    """The settings that only trials of this kind have, in words; their stages if no setting distinguishes them."""
    elsewhere = {pair for trial in trials if not opens_reply(trial) for pair in trial.settings.items()}
    own = {pair: None for trial in continued for pair in trial.settings.items() if pair not in elsewhere}
    if own and len(continued) < len(trials):
        return "with " + ", ".join(f"{setting}={level}" for setting, level in own)
    return "in stage " + ", ".join({trial.stage: None for trial in continued})


def shows(trial: Trial, kind: str) -> bool:
    """Whether a trial shows a medium of a kind, `image` or `video`."""
    return any(isinstance(part, Media) and part.kind == kind for message in trial.messages for part in message.parts)


def takes_clips(model: Model) -> bool:
    """Whether a model accepts whole clips: Google's models do.

    A custom provider declares it by the attribute `takes_clips = True`. inspect-ai's other providers raise an error for
    a clip, or pass it on to a server that does.
    """
    names = {base.__name__ for base in type(model.api).__mro__}
    own = getattr(model.api, "takes_clips", False) is True
    return own or bool(names & _TAKE_CLIPS)


def require_media(trials: Sequence[Trial], client: Client, name: str) -> None:
    """Raises `InputError` if trials show clips or pictures that the model's provider does not accept."""
    clips, pictures = (sum(shows(trial, kind) for trial in trials) for kind in ("video", "image"))
    if clips and not client.takes_clips:
        # Nobody knows what a model behind an OpenAI-compatible endpoint accepts.
        served = client.name.startswith("openai-api/")
        raise InputError(
            f"model '{name}' cannot be shown clips ({clips} of {len(trials)} trials show one): its provider accepts "
            "only pictures; show it frames of the clips, or use another model"
            + (", or set the argument clips=true if its server accepts clips" if served else "")
        )
    if pictures and client.instead_of_text is not None:
        raise InputError(
            f"model '{name}' cannot be shown pictures ({pictures} of {len(trials)} trials show one): its provider "
            f"accepts only text; use {client.instead_of_text}, or another model"
        )


def require_schemas(what: str, name: str, base_url: str | None) -> None:
    """Raises `InputError` for a model whose provider would not pass on a JSON schema, before anything is opened."""
    if base_url is None and not name.startswith(_TAKE_SCHEMAS):
        raise InputError(
            f"{what}: model '{name}' cannot be held to a JSON schema; allowed: {', '.join(_TAKE_SCHEMAS)}, or a "
            "server's own NAME with a base URL"
        )


def require_sampling(model: Model, name: str) -> None:
    """Raises `InputError` for a seed or another setting that the provider would silently ignore."""
    names = {base.__name__ for base in type(model.api).__mro__}
    of_inspect = type(model.api).__module__.startswith("inspect_ai.")
    responses = "OpenAIAPI" in names and getattr(model.api, "responses_api", False) is True
    refused = {
        **dict.fromkeys(("temperature", "top_p"), bool(names & _TAKE_NO_SAMPLING)),
        "top_k": of_inspect and not names & _TAKE_TOP_K,
        "seed": bool(names & _TAKE_NO_SEED) or responses,
    }
    for setting, is_refused in refused.items():
        value = getattr(model.config, setting)
        if value is not None and is_refused:
            other = ", or ask an OpenAI-compatible server by its base_url" if setting == "top_k" else ""
            raise InputError(
                f"{setting} {value}: the provider of model '{name}' does not support it; leave it out{other}"
            )
