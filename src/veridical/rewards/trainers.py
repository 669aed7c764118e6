"""Rewards with the signatures of trainers: each reads the column `solution` of an export, or what stands for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from veridical.records import Json
from veridical.rewards.scores import accuracy, form

FORM_WEIGHT = 0.1
"""The share of a reward that the form of a right reply earns, unless a trainer is given another one."""
_PROMPT_ENDS = (400, 100, 40)
"""How many of a prompt's last characters tell where it ends in a query: the most that have no picture in them."""


def reward(reply: str, solution: str, *, form_weight: float = FORM_WEIGHT) -> float:
    """The reward of a reply, from 0 to 1: its accuracy, of which the share `form_weight` needs the form asked for.

    Raises ValueError for a share outside [0, 1], and `InputError` as `accuracy` does.

    >>> solution = '{"suite":"viprobe","questions":[{"reader":"yes-no","gold":"1","expects":{}}]}'
    >>> reward("<answer>1</answer>", solution), reward("Yes.", solution), reward("Yes.", solution, form_weight=0)
    (1.0, 0.9, 1.0)
    """
    if not 0 <= form_weight <= 1:
        raise ValueError(f"form_weight {form_weight}: a share from 0 to 1 is allowed")
    return (1 - form_weight) * accuracy(reply, solution) + form_weight * form(reply, solution)


def accuracy_reward(completions: Sequence[Json], solution: Sequence[str], **kwargs: Any) -> list[float]:  # noqa: ANN401, ARG001
    """The accuracy of each completion, for TRL: a text, or messages of which the last of the assistant counts."""
    return [accuracy(reply_text(reply), each) for reply, each in zip(completions, solution, strict=True)]


def form_reward(completions: Sequence[Json], solution: Sequence[str], **kwargs: Any) -> list[float]:  # noqa: ANN401, ARG001
    """The form of each completion, for TRL, which weighs it beside `accuracy_reward` by `reward_weights`."""
    return [form(reply_text(reply), each) for reply, each in zip(completions, solution, strict=True)]


def compute_score(
    data_source: str,  # noqa: ARG001 (the signature that verl calls)
    solution_str: str,
    ground_truth: str,
    extra_info: Mapping[str, Json] | None = None,  # noqa: ARG001
    form_weight: float = FORM_WEIGHT,
    **kwargs: Any,  # noqa: ANN401, ARG001 (what a reward model beside it needs)
) -> float:
    """The reward of one reply, for verl's `custom_reward_function`; `ground_truth` is the solution."""
    return reward(solution_str, ground_truth, form_weight=form_weight)


def reward_func(queries: Sequence[str], prompts: Sequence[str], labels: Sequence[str], **kwargs: Any) -> dict[str, Any]:  # noqa: ANN401, ARG001
    """The rewards of replies as tensors, for OpenRLHF's `--reward.remote_url`; a query is its prompt and the reply.

    In a query the placeholder of a picture may be repeated, or the prompt's beginning be cut off. Raises ValueError
    where a query does not have the end of its prompt, so that no prompt is ever read as a reply.
    """
    import torch

    replies = [_after_prompt(query, prompt) for query, prompt in zip(queries, prompts, strict=True)]
    rewards = torch.tensor([reward(reply, label) for reply, label in zip(replies, labels, strict=True)])
    return {"rewards": rewards, "scores": rewards, "extra_logs": {"accuracy": (rewards > 0).float()}}


def _after_prompt(query: str, prompt: str) -> str:
    if query.startswith(prompt):
        return query[len(prompt) :]
    ends = [prompt[-length:] for length in _PROMPT_ENDS if len(prompt) > length]
    for end in ends:
        if end in query:
            return query.partition(end)[2]
    raise ValueError(f"the query does not have the end of its prompt, '{prompt[-40:]}'")


def reply_text(completion: Json) -> str:
    """What a completion says: the text itself, or that of the last message of the assistant; thinking apart is not.

    >>> reply_text([{"role": "assistant", "content": [{"type": "text", "text": "Yes."}]}]), reply_text("No.")
    ('Yes.', 'No.')
    """
    if isinstance(completion, str):
        return completion
    said = [message for message in completion if message.get("role") == "assistant"]
    content = said[-1].get("content") if said else ""
    if isinstance(content, str):
        return content
    return "".join(str(part.get("text") or "") for part in content or () if part.get("type") == "text")
