"""inspect-ai model providers: embedded observers as `veridical/NAME`, local models as `veridical-hf/NAME`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from inspect_ai.model import ChatMessage, GenerateConfig, Model, ModelAPI, ModelOutput, modelapi
from inspect_ai.tool import ToolChoice, ToolInfo

from veridical.ask.local import API
from veridical.ask.local.loader import require_packages
from veridical.observers import TrialContext
from veridical.observers.plumbing import bare_message
from veridical.suite import registry
from veridical.verbs.runs.models import PREFIX, RUN, SUITE, find_observer, suite_observer


class EmbeddedModel(ModelAPI):
    """An embedded observer, by name; it is handed what its record says that it sees, and nothing else."""

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),  # noqa: B008 (the base class's own default)
        **model_args: Any,  # noqa: ANN401
    ) -> None:
        suite, run = model_args.pop(SUITE, None), model_args.pop(RUN, None)
        self.observer = (
            find_observer(model_name) if suite is None else suite_observer(model_name, registry.get(str(suite)))
        )
        folder = Path(str(run)) if run is not None and self.observer.sees == "run" else None
        self._reply = self.observer.opened(model_args, folder)
        super().__init__(model_name, base_url, api_key, [], config)

    async def generate(
        self,
        input: list[ChatMessage],  # noqa: A002 (the base class's own name)
        tools: list[ToolInfo],  # noqa: ARG002
        tool_choice: ToolChoice,  # noqa: ARG002
        config: GenerateConfig,  # noqa: ARG002
    ) -> ModelOutput:
        context = _trial_in(input) if self.observer.sees_trial else None
        reply = self._reply([bare_message(message) for message in input], context)
        return ModelOutput.from_content(f"{PREFIX}{self.model_name}", reply) if isinstance(reply, str) else reply


modelapi(name="veridical")(EmbeddedModel)


@modelapi(name=API)
def local() -> type[ModelAPI]:
    """The provider of local models, with PyTorch and transformers; raises `InputError` where these are missing."""
    require_packages()
    from veridical.ask.local.provider import LocalModel

    return LocalModel


def sees_trial(model: Model) -> bool:
    """Whether an opened model is an observer that is told which trial it is asked."""
    return isinstance(model.api, EmbeddedModel) and model.api.observer.sees_trial


def _trial_in(messages: list[ChatMessage]) -> TrialContext | None:
    """What stands beside the last user turn."""
    beside = next((message.metadata for message in reversed(messages) if message.role == "user"), None) or {}
    return TrialContext(str(beside["trial"]), int(beside.get("repeat", 1))) if "trial" in beside else None
