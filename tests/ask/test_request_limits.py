"""What providers and servers take in one request: by their documentation, and by their own words."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.ask.plans import QUICK, READERS, plan, put
from tests.ask.server import Reply, Request, Server, refused, said
from veridical.ask import Run
from veridical.ask.request_limits import MB, MediumSize, RequestLimits, excesses, limits_of
from veridical.ask.size_refusals import size_refusal
from veridical.errors import InputError
from veridical.records import Media, Message, Text, Trial

VLLM, SGLANG = "vLLM: --limit-mm-per-prompt", "SGLang: --limit-mm-data-per-request"

# As servers and people report them, in issues of vLLM, SGLang, Xinference, Dify, opencode and others.
PICTURES = {
    "At most 1 image(s) may be provided in one request.": (1, VLLM),
    "At most 16 image(s) may be provided in one prompt.": (16, VLLM),
    "At most 2 images may be provided in one request.": (2, VLLM),
    "At most 0 image(s) may be provided in one prompt.": (0, VLLM),
    "You set image=2 (or defaulted to 1) in `--limit-mm-per-prompt`, but passed 3 image items in the same prompt.": (
        2,
        VLLM,
    ),
    "Image count 2 exceeds limit 1 per request.": (1, SGLANG),
    "too many images and documents: 120 + 0 > 100": (100, ""),
    "Too much media: 0 document pages + 107 images > 100": (100, ""),
    "Too many images in request. Max is 10.": (10, ""),
    "Too many images in request: 54 > 30": (30, ""),
    "Too many images in request: 11 images provided, but the model supports a maximum of 10 images.": (10, ""),
    "Too many images provided. This model supports up to 5 images": (5, ""),
    "a request may include at most 20 images": (20, ""),
    "request contains 52 images, exceeding the maximum of 50 allowed per request": (50, ""),
    "The number of images in the request exceeds the maximum allowed (3000).": (3000, ""),
    "Too many images: 3,500 > 3,000": (3000, ""),
    "Too many images were provided, we currently limit the number of images per conversation to 60": (60, ""),
}
SIZES = {
    "messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: 5327908 bytes > 5242880 bytes": (
        "takes pictures of at most 5 MB"
    ),
    "Total image size is 50.56MB, which exceeds the allowed limit of 50MB.": "takes pictures of at most 50 MB",
    "image file size exceeds limit 32 MB": "takes pictures of at most 32 MB",
    "messages.19.content.27.image.source.base64.data: At least one of the image dimensions exceed max allowed size for "
    "many-image requests: 2000 pixels": "takes pictures of at most 2000 pixels a side",
    "At least one of the image dimensions exceed max allowed size: 8000 pixels": (
        "takes pictures of at most 8000 pixels a side"
    ),
    "request_too_large Request exceeds the maximum allowed number of bytes.": "takes smaller requests",
    "Request payload size exceeds the limit: 20971520 bytes.": "takes smaller requests",
}
OTHERS = (
    "The number of image tokens (5000) exceeds the limit (4096)",
    "max_tokens is too large: 9000",
    "prompt is too long: 213462 tokens > 200000 maximum",
    "Too many requests",
    "invalid base64 in image 3",
    "At most 5 stop sequences may be provided",
    "",
)


@pytest.mark.parametrize("reason", PICTURES)
def test_the_number_of_pictures_that_a_server_names_and_how_it_is_raised_are_read(reason: str):
    found = size_refusal(400, reason)
    assert found is not None
    assert (found.pictures, found.flag) == PICTURES[reason]


@pytest.mark.parametrize("reason", SIZES)
def test_the_size_that_a_server_names_is_read(reason: str):
    found = size_refusal(400, reason)
    assert found is not None
    assert (found.takes, found.pictures) == (SIZES[reason], None)


@pytest.mark.parametrize("reason", OTHERS)
def test_what_speaks_of_something_else_is_no_limit_of_pictures(reason: str):
    assert size_refusal(400, reason) is None


@given(st.text(max_size=300))
def test_nothing_but_numbers_of_what_a_server_says_is_repeated(noise: str):
    found = size_refusal(400, f"{noise} At most 3 image(s) may be provided in one prompt. {noise}")
    if found is not None:
        assert all(word.replace(",", "").isdigit() or word.isascii() for word in found.takes.split())
        assert len(found.takes) < 80


def shown(trial: Trial, pictures: int) -> Trial:
    """The trial with so many pictures."""
    media = tuple(Media(f"media/p{number:03d}.png", "0" * 64) for number in range(pictures))
    text = next(part for part in trial.messages[-1].parts if isinstance(part, Text))
    return replace(trial, messages=(trial.messages[0], Message("user", (*media, text))))


def at_most(most: int, words: str = "At most {} image(s) may be provided in one prompt."):
    """A server that takes so many pictures in one request."""

    def behave(request: Request) -> Reply:
        return refused(400, words.format(most)) if len(request.pictures) > most else said("Yes")

    return behave


def test_a_limit_that_all_trials_break_ends_the_run_at_the_first_with_the_remedy(tmp_path: Path, server: Server):
    server.behaviour = at_most(4)
    with pytest.raises(InputError) as caught:
        put(tmp_path, server.url, [shown(trial, 16) for trial in plan(5, 1)])
    line = str(caught.value)
    assert "takes at most 4 pictures in one request, the first trial has 16: start it with more " in line
    assert """(vLLM: --limit-mm-per-prompt '{"image": 16}'), or ask with fewer pictures in a trial""" in line
    assert "\n" not in line
    assert len(server.requests) == 1
    assert Run.open(tmp_path).responses() == {}


def test_a_limit_that_some_trials_break_leaves_them_as_errors_and_the_others_are_asked(tmp_path: Path, server: Server):
    server.behaviour = at_most(4)
    trials = [shown(trial, 16 if number % 2 == 0 else 3) for number, trial in enumerate(plan(8, 1))]
    tally = put(tmp_path, server.url, trials, QUICK)
    assert (tally.planned, tally.asked, tally.errors, tally.missing, tally.requests) == (8, 8, 4, 4, 8)
    run = Run.open(tmp_path)
    errors = [each for each in run.responses().values() if each.error]
    assert {(each.error, each.detail) for each in errors} == {
        ("bad_request", "HTTP 400: the server takes at most 4 pictures in one request")
    }
    assert run.outcomes(READERS)["status"].value_counts(sort=True).rows() in (
        [("answered", 4), ("error", 4)],
        [("error", 4), ("answered", 4)],
    )


def test_a_server_that_names_a_larger_number_than_it_was_sent_ends_the_run_at_the_first(tmp_path: Path, server: Server):
    server.behaviour = lambda _: refused(400, "At most 4 image(s) may be provided in one prompt.")
    with pytest.raises(InputError, match="takes at most 4 pictures"):
        put(tmp_path, server.url, plan(5, 1))
    assert len(server.requests) == 1


def test_a_request_that_is_too_large_ends_the_run_at_the_first_with_the_remedy(tmp_path: Path, server: Server):
    server.behaviour = lambda _: refused(413, "Request Entity Too Large")
    with pytest.raises(
        InputError, match="takes smaller requests: send smaller or fewer pictures, or use another model"
    ):
        put(tmp_path, server.url, plan(3, 1))


@given(
    pictures=st.lists(st.integers(1, 40), min_size=1, max_size=6),
    most=st.integers(1, 40),
    size=st.builds(MediumSize, st.integers(1, 3 * MB), st.integers(1, 4000), st.integers(1, 4000)),
    times=st.integers(1, 5),
)
def test_a_trial_is_over_a_limit_if_and_only_if_it_has_more(
    pictures: list[int], most: int, size: MediumSize, times: int
):
    limits = RequestLimits(
        source="here", pictures=most, picture_bytes=2 * MB, request_bytes=20 * MB, side=3000, many=(20, 2000)
    )
    trials = [(shown(trial, number), times) for trial, number in zip(plan(len(pictures), 1), pictures, strict=True)]
    over = {(each.what, each.limit): (each.trials, each.most) for each in excesses(trials, limits, lambda _: size)}
    encoded, side = 4 * -(-size.bytes // 3), max(size.width, size.height)
    many = [number for number in pictures if number > 20]
    few = [number for number in pictures if number <= 20]
    expected = {
        ("pictures a request", most): [number for number in pictures if number > most],
        ("MB a picture", 2 * MB): [encoded for _ in pictures if encoded > 2 * MB],
        ("MB a request", 20 * MB): [encoded * number for number in pictures if encoded * number > 20 * MB],
        ("pixels a side", 3000): [side for _ in few if side > 3000],
        ("pixels a side", 2000): [side for _ in many if side > 2000],
    }
    assert over == {key: (times * len(found), max(found)) for key, found in expected.items() if found}
    unknown = excesses(trials, limits, lambda _: None)
    assert {each.what for each in unknown} <= {"pictures a request"}


@pytest.mark.parametrize(
    ("model", "pictures"),
    [
        ("anthropic/claude-3-5-haiku-latest", 100),
        ("anthropic/claude-opus-4-20250514", 100),
        ("anthropic/claude-haiku-4-5-20251001", 100),
        ("anthropic/claude-sonnet-4-6", 600),
        ("anthropic/claude-opus-5", 600),
        ("anthropic/vertex/claude-sonnet-4-5@20250929", 100),
        ("anthropic/bedrock/us.anthropic.claude-opus-4-7", 600),
        ("google/gemini-2.5-pro", 3600),
        ("google/vertex/gemini-2.5-pro", 3000),
        ("openai/gpt-5", 1500),
        ("openai/azure/gpt-5", None),
        ("anthropic/azure/claude-opus-4-6", None),
        ("groq/meta-llama/llama-4-scout-17b-16e-instruct", 5),
        ("mistral/pixtral-12b", None),
        ("veridical/pixel", None),
        ("openrouter/anthropic/claude-opus-4-6", None),
    ],
)
def test_limits_are_those_of_the_provider_and_of_no_other_place(model: str, pictures: int | None):
    limits = limits_of(model)
    assert (limits and limits.pictures) == pictures
    assert limits is None or limits.source.startswith("https://")
    assert limits_of(model, "http://127.0.0.1:1/v1") is None
