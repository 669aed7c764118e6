"""Reasoning is found in the reply of a local model where inspect-ai finds it."""

from hypothesis import given
from hypothesis import strategies as st

from tests.late import Late
from veridical.ask.local.requests import apart_from_reasoning

inspect_reasoning = Late("inspect_ai.model._reasoning")
PIECES = st.sampled_from(["<think>", "<think a=1>", "</think>", "Yes", " ", "\n", "<answer>", "think", "</", "1 < 2"])


@given(st.lists(PIECES, max_size=12).map("".join))
def test_a_block_is_found_where_inspect_finds_it(text):
    opened = f"<think>{text}" if "</think>" in text and "<think" not in text else text
    reply, thought = inspect_reasoning.parse_content_with_reasoning(opened)
    assert apart_from_reasoning(text) == (reply, None if thought is None else thought.reasoning)
