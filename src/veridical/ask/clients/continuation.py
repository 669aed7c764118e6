"""Whether a server continues an assistant turn, told by the tokens that it counts in three prompts of one letter each.

A turn that is continued adds its own token to the prompt. A server that closes it and begins a new one also adds the
marks of its end, so the count tells the two apart, whatever the model replies.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence

from veridical.ask.clients import Continuation, ModelReply, ReplyOrFailure
from veridical.ask.failures import Failure
from veridical.records import Json

Turn = dict[str, Json]
OneToken = Callable[[Sequence[Turn], Mapping[str, Json]], Awaitable[ReplyOrFailure]]
"""Sends these turns with these fields and asks for one token."""

_QUESTION: list[Turn] = [{"role": "user", "content": "A"}]
_BEGUN: list[Turn] = [*_QUESTION, {"role": "assistant", "content": "A"}]
_NEW_TURN = "begins a new turn"


async def find_continuation(send: OneToken, fields: Mapping[str, Json]) -> Continuation:
    """Whether and how a server continues an assistant turn: with the `fields`, without them, or not at all.

    A server that refuses the fields continues only if its counts show it. One that accepts them does, unless its counts
    show that it ignores them and begins a new turn. If it does not answer at all, that is left to the first trial.
    """
    told, untold = await send(_BEGUN, fields), await send(_BEGUN, {})
    bare = await send(_QUESTION, {})
    added = _added(untold, bare)
    if isinstance(told, ModelReply):
        ignored = added is not None and added > 1 and told.input_tokens == _count(untold)
        problem = f"its server ignores the fields that continue an assistant turn, and {_NEW_TURN}" if ignored else None
        return Continuation(problem, dict(fields))
    if told.kind not in ("bad_request", "server") or isinstance(bare, Failure):
        return Continuation(None, dict(fields))
    if added == 1:
        return Continuation(None)
    refused = f"its server refuses the fields that continue an assistant turn ({told.detail})"
    if isinstance(untold, Failure):
        return Continuation(f"{refused}, and a last assistant turn without them ({untold.detail})")
    without = f"{_NEW_TURN} without them" if added else "does not tell whether it continues one without them"
    return Continuation(f"{refused}, and {without}")


def _count(reply: ReplyOrFailure) -> int | None:
    return reply.input_tokens if isinstance(reply, ModelReply) else None


def _added(begun: ReplyOrFailure, bare: ReplyOrFailure) -> int | None:
    """How many tokens a begun assistant turn adds to a prompt; `None` if that is not told."""
    more, fewer = _count(begun), _count(bare)
    return more - fewer if more is not None and fewer is not None and more > fewer else None
