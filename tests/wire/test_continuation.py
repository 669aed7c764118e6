"""Servers of OpenAI's format that continue an assistant turn, refuse to, or begin a new one: their counts tell."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pytest

from tests.ask.plans import READERS, begun, plan, put
from tests.ask.server import Reply, Request, Server, refused, said
from veridical.ask import Run
from veridical.errors import InputError

HEADER, END, CALL = 3, 2, 3
"""The tokens before a turn, after it, and those that call for the next one."""
FIELDS = {"add_generation_prompt": False, "continue_final_message": True}


@dataclass(frozen=True)
class Engine:
    """A server as its documentation describes it: what it does with the fields, and with a last assistant turn."""

    fields: Literal["obeys", "ignores", 400, 422]
    turn: Literal["continues", "closes", "refuses", "hides counts", "counts all alike"]
    words: str = "Unexpected fields in the request: {'continue_final_message', 'add_generation_prompt'}"

    def __call__(self, request: Request) -> Reply:
        stated = FIELDS.keys() & request.body.keys()
        messages = request.body["messages"]
        opening = messages[-1]["role"] == "assistant"
        if stated and isinstance(self.fields, int):
            return Reply(self.fields, {"detail": self.words})
        obeyed = bool(stated) and self.fields == "obeys"
        if opening and not obeyed and self.turn == "refuses":
            return refused(400, "the last message must be of the user")
        if self.turn == "hides counts":
            return said("Yes", usage=None)
        if self.turn == "counts all alike":
            return said("Yes")
        whole = sum(HEADER + len(str(message["content"]).split()) + END for message in messages)
        prompt = whole - END if opening and (obeyed or self.turn == "continues") else whole + CALL
        return said("Yes", usage={"prompt_tokens": prompt, "completion_tokens": 1, "total_tokens": prompt + 1})


FORBIDDEN = "body.continue_final_message: Extra inputs are not permitted"
GO_ON = {
    "vLLM obeys the fields": (Engine("obeys", "closes"), FIELDS),
    "it obeys the fields and refuses the turn without them": (Engine("obeys", "refuses"), FIELDS),
    "it accepts the fields and counts nothing": (Engine("obeys", "hides counts"), FIELDS),
    "it accepts the fields and counts all prompts alike": (Engine("obeys", "counts all alike"), FIELDS),
    "it ignores the fields and continues in any case": (Engine("ignores", "continues"), FIELDS),
    "it refuses the fields and continues without them": (Engine(422, "continues"), {}),
    "in other words": (Engine(400, "continues", FORBIDDEN), {}),
}
REFUSES = "its server refuses the fields that continue an assistant turn"
UNTOLD = f"{REFUSES} (HTTP 422), and does not tell whether it continues one without them"
STOP = {
    "it refuses both": (
        Engine(422, "refuses"),
        f"{REFUSES} (HTTP 422), and a last assistant turn without them (HTTP 400)",
    ),
    "it refuses the fields and begins a new turn": (
        Engine(400, "closes", FORBIDDEN),
        f"{REFUSES} (HTTP 400), and begins a new turn without them",
    ),
    "it refuses the fields and does not count": (Engine(422, "hides counts"), UNTOLD),
    "it refuses the fields and counts all prompts alike": (Engine(422, "counts all alike"), UNTOLD),
    "it ignores the fields and begins a new turn": (
        Engine("ignores", "closes"),
        "its server ignores the fields that continue an assistant turn, and begins a new turn",
    ),
}


def trials():
    """Four trials, the first and the third of which begin the reply."""
    return [begun(each, prefix="false") if number % 2 == 0 else each for number, each in enumerate(plan(2, 2))]


def opening(server: Server) -> list[Request]:
    """The requests for trials whose reply is begun."""
    return [each for each in server.requests if each.body["messages"][-1]["role"] == "assistant" and not each.counts]


@pytest.mark.parametrize("name", GO_ON)
def test_a_server_that_continues_is_asked_all_with_the_fields_that_it_takes(tmp_path: Path, server: Server, name: str):
    server.behaviour, fields = GO_ON[name]
    tally = put(tmp_path, server.url, trials())
    assert (tally.asked, tally.errors, tally.unsupported, tally.missing) == (4, 0, 0, 0)
    assert len(opening(server)) == 2
    for request in opening(server):
        assert {name: request.body[name] for name in FIELDS if name in request.body} == fields
    probes = [request for request in server.requests if request.counts]
    assert len(probes) == 3
    assert all(request.body["max_tokens"] == 1 for request in probes)
    assert put(tmp_path, server.url, trials()).asked == 0
    assert len(server.requests) == 4 + 3, "a run that is complete asks nothing"


@pytest.mark.parametrize("name", STOP)
def test_a_server_that_does_not_continue_is_asked_the_rest_and_no_new_turn_becomes_an_answer(
    tmp_path: Path, server: Server, name: str
):
    server.behaviour, problem = STOP[name]
    with pytest.raises(InputError) as caught:
        put(tmp_path, server.url, trials(), instead="prefix=none")
    model = "model 'org/some-model' cannot be asked with prefix=false (2 of 4 trials)"
    assert str(caught.value) == f"{model}: {problem}; choose prefix=none, or skip unsupported trials"
    assert all(request.counts for request in server.requests)
    unasked = [f"not asked: {problem}", None] * 2
    assert Run.open(tmp_path).outcomes(READERS)["reason"].to_list() == unasked
    tally = put(tmp_path, server.url, trials(), skip_unsupported=True)
    assert (tally.planned, tally.asked, tally.unsupported, tally.missing) == (4, 2, 2, 0)
    assert not opening(server)
    run = Run.open(tmp_path)
    outcomes = run.outcomes(READERS)
    assert outcomes["status"].to_list() == [None, "answered"] * 2
    assert outcomes["reason"].to_list() == unasked
    assert run.complete


def test_a_server_that_answers_nothing_yet_is_left_to_the_first_trial(tmp_path: Path, server: Server):
    server.behaviour = lambda _: refused(401, "wrong key")
    with pytest.raises(InputError, match="refuses the key"):
        put(tmp_path, server.url, trials())


NOT_TAKEN = {
    "a model of text": "org/llm is not a multimodal model",
    "clips": "At most 0 video(s) may be provided in one prompt.",
    "the template": "System role not supported",
}


@pytest.mark.parametrize("what", NOT_TAKEN)
def test_a_server_that_does_not_take_what_is_sent_ends_the_run_in_one_line_with_its_words(what: str, tmp_path, server):
    server.behaviour = lambda _: refused(400, NOT_TAKEN[what])
    with pytest.raises(InputError) as caught:
        put(tmp_path, server.url, plan(2, 2))
    line = str(caught.value)
    assert "\n" not in line
    assert f"(HTTP 400, it says: {NOT_TAKEN[what]}): check the model's name 'org/some-model', and that it takes" in line
    assert len(server.requests) == 1


def test_a_server_that_takes_no_pictures_ends_the_run_in_one_line_with_the_remedy(tmp_path: Path, server: Server):
    server.behaviour = lambda _: refused(400, "At most 0 image(s) may be provided in one prompt.")
    with pytest.raises(InputError, match="takes no pictures in one request, the first trial has 1: start it with more"):
        put(tmp_path, server.url, plan(2, 2))
    assert len(server.requests) == 1
