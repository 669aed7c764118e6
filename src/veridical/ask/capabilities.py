"""What a provider can do, known before anything is sent: continue an assistant's turn, show media, take a seed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from veridical.errors import InputError
from veridical.records import Json, Media, Trial

if TYPE_CHECKING:
    from inspect_ai.model import GenerateConfig, Model

    from veridical.ask.clients import Client

EMBEDDED = "veridical/"
CONTINUE: dict[str, Json] = {"add_generation_prompt": False, "continue_final_message": True}
"""What vLLM and SGLang must be told to continue an assistant's turn."""

# By class name, so that no provider's package is imported to know it; read from inspect-ai 0.3.285's providers.
_CONTINUE_THEMSELVES = frozenset({"VLLMAPI", "SGLangAPI", "SagemakerAPI"})
_TAKE_CLIPS = frozenset({"GoogleGenAIAPI"})
# What takes text alone, and what to ask in its place: it raises an error for a picture, or leaves it out in silence.
_OF_TEXT = {
    "HuggingFaceAPI": "veridical-hf/NAME",
    "NNterpAPI": "veridical-hf/NAME",
    "TransformerLensAPI": "veridical-hf/NAME",
    "TogetherRESTAPI": "together/NAME",
    "VLLMCompletionsAPI": "vllm/NAME",
    "OpenAICompatibleCompletionsAPI": "openai-api/SERVICE/NAME",
}
_TAKE_NO_SEED = frozenset(
    {"AnthropicAPI", "GoogleGenAIAPI", "BedrockAPI", "NNterpAPI", "TransformerLensAPI", "TogetherRESTAPI"}
)
_TAKE_NO_SAMPLING = frozenset({"AnthropicAPI"})


class Continuation(NamedTuple):
    """How a model continues an assistant's turn: why it cannot (else `None`), and what its server must be told."""

    problem: str | None
    body: dict[str, Json] | None = None


def opens_reply(trial: Trial) -> bool:
    """Whether a trial ends with the beginning of the assistant's own turn, to be continued by the model."""
    return bool(trial.messages) and trial.messages[-1].role == "assistant"


def continuation(model: Model) -> Continuation:
    """Whether and how a model continues an assistant's turn.

    vLLM, SGLang and SageMaker do; an OpenAI-compatible server is told to by two fields; Anthropic's models do up to
    Claude 4.5 where no thinking is asked for.
    Embedded observers get the whole conversation. A provider of one's own says it by an attribute
    `continues_assistant_turn = True`. Every other answers the turn as if it were whole, or refuses it.
    """
    api = model.api
    names = {base.__name__ for base in type(api).__mro__}
    if str(model).startswith(EMBEDDED) or type(api).__name__ in _CONTINUE_THEMSELVES:
        return Continuation(None)
    if getattr(api, "continues_assistant_turn", False) is True:
        return Continuation(None)
    if "AnthropicAPI" in names:
        return Continuation(_of_claude(api, model.config))
    if type(api).__name__ == "OpenAICompatibleAPI":
        return Continuation(None, dict(CONTINUE))
    return Continuation("its provider does not continue an assistant's turn")


def _of_claude(api: Any, config: GenerateConfig) -> str | None:  # noqa: ANN401 - its class is not importable here
    if getattr(api, "is_claude_frontier", lambda: True)():
        return "Claude 4.6 and later do not continue an assistant's turn"
    if config.reasoning_tokens is not None or config.reasoning_effort not in (None, "none"):
        return "Claude does not continue an assistant's turn while it thinks"
    return None


def require_continuation(trials: Sequence[Trial], client: Client, name: str, *, skip: bool) -> Continuation:
    """How the model continues those of the trials that open its reply.

    Raises `InputError`, naming the settings that need it, where it cannot and these trials are not to be skipped.
    """
    continued = [trial for trial in trials if opens_reply(trial)]
    if not continued:
        return Continuation(None)
    found = client.continuation
    if found.problem is not None and not skip:
        raise InputError(
            f"model '{name}' cannot be asked {_setting(trials, continued)} ({len(continued)} of {len(trials)} trials): "
            f"{found.problem}; choose other levels, or skip what is unsupported"
        )
    return found


def _setting(trials: Sequence[Trial], continued: Sequence[Trial]) -> str:
    """The settings that only trials of this kind have, in words; their stages where no setting tells them apart."""
    elsewhere = {pair for trial in trials if not opens_reply(trial) for pair in trial.settings.items()}
    own = {pair: None for trial in continued for pair in trial.settings.items() if pair not in elsewhere}
    if own and len(continued) < len(trials):
        return "with " + ", ".join(f"{setting}={level}" for setting, level in own)
    return "in stage " + ", ".join({trial.stage: None for trial in continued})


def shows(trial: Trial, kind: str) -> bool:
    """Whether a medium of a kind, `image` or `video`, is among what a trial shows."""
    return any(isinstance(part, Media) and part.kind == kind for message in trial.messages for part in message.parts)


def takes_clips(model: Model) -> bool:
    """Whether a model is shown a clip as it is: Google's models are, and embedded observers.

    A provider of one's own says it by an attribute `takes_clips = True`. inspect-ai's others raise an error for a clip,
    or pass it on to a server that does.
    """
    names = {base.__name__ for base in type(model.api).__mro__}
    own = getattr(model.api, "takes_clips", False) is True
    return own or str(model).startswith(EMBEDDED) or bool(names & _TAKE_CLIPS)


def in_place_of_text(model: Model) -> str | None:
    """What to ask in place of a model whose provider takes text alone; `None` for one that takes pictures."""
    if getattr(model.api, "completion_mode", False) is True:
        return "the same without completion_mode"
    return _OF_TEXT.get(type(model.api).__name__)


def require_media(trials: Sequence[Trial], client: Client, name: str) -> None:
    """Raises `InputError` where trials show clips or pictures, and the model's provider takes none."""
    clips, pictures = (sum(shows(trial, kind) for trial in trials) for kind in ("video", "image"))
    if clips and not client.takes_clips:
        raise InputError(
            f"model '{name}' cannot be shown clips ({clips} of {len(trials)} trials show one): its provider takes "
            "pictures alone; show it frames of the clips, or ask another model"
        )
    if pictures and client.instead_of_text is not None:
        raise InputError(
            f"model '{name}' cannot be shown pictures ({pictures} of {len(trials)} trials show one): its provider "
            f"takes text alone; ask it as {client.instead_of_text}, or ask another model"
        )


def require_sampling(model: Model, name: str) -> None:
    """Raises `InputError` where a seed, or another setting, is given that the provider would leave out in silence."""
    names = {base.__name__ for base in type(model.api).__mro__}
    for setting in ("temperature", "top_p"):
        value = getattr(model.config, setting)
        if value is not None and names & _TAKE_NO_SAMPLING:
            raise InputError(f"{setting} {value}: the provider of model '{name}' takes none; leave it out")
    if model.config.seed is None:
        return
    responses = "OpenAIAPI" in names and getattr(model.api, "responses_api", False) is True
    if names & _TAKE_NO_SEED or responses:
        raise InputError(f"seed {model.config.seed}: the provider of model '{name}' takes none; leave it out")
