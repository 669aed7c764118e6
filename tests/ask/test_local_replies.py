"""Replies of local models: what transformers' own `generate` gives, alone or together, with and without reuse."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from types import SimpleNamespace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.ask import tiny
from tests.ask.tiny import END, oracle, picture, prompt

WIDE, HIGH, SMALL = picture(1, 40, 24), picture(2, 20, 36), picture(3, 16, 16)
SYSTEM = ("system", ["Answer Yes or No."])
PROMPTS = [
    prompt(SYSTEM, ("user", [WIDE, "Are both equally long?"])),
    prompt(SYSTEM, ("user", [WIDE, "Are both equally tall? Say why."])),
    prompt(("user", [HIGH, "before", SMALL, "after"])),
    prompt(("user", ["What is here: ", SMALL, HIGH])),
    prompt(SYSTEM, ("user", ["No picture at all."])),
    prompt(SYSTEM, ("user", [WIDE, "Are both equally long?"]), ("assistant", ["The upper "])),
    prompt(("user", [WIDE, "One."]), ("assistant", ["Two."]), ("user", [HIGH, "Three?"])),
]

pytestmark = pytest.mark.local_models


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory):
    """The models by their kind of cache, as the loader gives them."""
    from veridical.ask.local.loader import LoadedModel, _greedy, load_model

    home = tmp_path_factory.mktemp("models")
    plain = load_model(str(tiny.llava(home / "plain")), {"device": "cpu"})
    sliding = load_model(str(tiny.llava(home / "sliding", window=20)), {"device": "cpu"})
    model, processor = tiny.qwen()
    model.generation_config = _greedy(model, SimpleNamespace(config=model.config))
    planar = LoadedModel("planar", model, processor, {})
    return {"plain": plain, "sliding": sliding, "planar": planar}


def engine(loaded, kind: str, *, reuse: bool = True):
    from veridical.ask.local.engine import Engine

    return Engine(loaded[kind], reuse=reuse)


def wanted(prompts: Sequence[tiny.LocalPrompt] = PROMPTS, most: int = 12, **drawing: float):
    from veridical.ask.local.requests import ReplyRequest, TokenSampling

    return [ReplyRequest(each, TokenSampling(**drawing), most) for each in prompts]


KINDS = ["plain", "sliding", "planar"]


@pytest.mark.parametrize("kind", KINDS)
def test_replies_are_those_of_transformers_one_by_one_and_together(loaded, kind: str):
    expected = [oracle(loaded[kind], each) for each in PROMPTS]
    assert len(set(expected)) > len(PROMPTS) - 2
    singly, together = engine(loaded, kind), engine(loaded, kind)
    assert [singly.replies([each])[0].tokens for each in wanted()] == expected
    assert [reply.tokens for reply in together.replies(wanted())] == expected
    backwards = list(reversed(wanted()))
    assert [reply.tokens for reply in together.replies(backwards)] == expected[::-1]


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_encoded_once_changes_no_reply(loaded, kind: str):
    asked = [prompt(SYSTEM, ("user", [shown, f"{ask} now?"])) for shown in (WIDE, HIGH) for ask in ("Equal", "Unequal")]
    anew, reusing = engine(loaded, kind, reuse=False), engine(loaded, kind)
    for first, second in ((0, 2), (1, 3), (0, 3)):
        pair = wanted([asked[first], asked[second]])
        without, with_it = anew.replies(pair), reusing.replies(pair)
        assert [reply.tokens for reply in with_it] == [reply.tokens for reply in without]
        assert [reply.prompt for reply in with_it] == [reply.prompt for reply in without]
    if kind == "sliding":
        assert reusing._reuse is None
        assert reusing.encoded == anew.encoded
    else:
        assert anew.encoded["pictures"] == 6
        assert reusing.encoded["pictures"] == 3  # each once, and one more for the proof
        (proof,) = (reply.prompt for reply in anew.replies(wanted(asked[1:2])))
        assert reusing.encoded["tokens"] + reusing.encoded["reused"] == anew.encoded["tokens"]
        assert reusing.encoded["tokens"] - proof < 0.6 * (anew.encoded["tokens"] - proof)


@pytest.mark.filterwarnings("error::FutureWarning")
def test_reuse_names_nothing_that_transformers_warns_of(loaded):
    asked = [prompt(SYSTEM, ("user", [WIDE, text])) for text in ("Equal", "Unequal")]
    reusing = engine(loaded, KINDS[0])
    for each in asked:
        reusing.replies(wanted([each]))
    assert reusing.encoded["reused"]


def test_a_reply_ends_where_the_model_ends_it_or_is_cut_at_the_most_tokens(loaded):
    for reply in engine(loaded, "plain").replies(wanted(most=9)):
        ended = reply.tokens[-1] == END or 40 <= reply.tokens[-1] < 52
        assert (reply.stop_reason, len(reply.tokens) <= 9) == ("stop" if ended else "max_tokens", True)
        assert ended or len(reply.tokens) == 9
    assert {reply.stop_reason for reply in engine(loaded, "plain").replies(wanted(most=9))} == {"stop", "max_tokens"}


def test_each_of_several_replies_has_its_own_most_tokens(loaded):
    whole = engine(loaded, "plain").replies(wanted(most=12))
    mixed = [each for most in (1, 12, 3, 7, 2, 5, 12) for each in wanted(most=most)][:: len(PROMPTS) + 1]
    for reply, each, full in zip(engine(loaded, "plain").replies(mixed), mixed, whole, strict=True):
        assert reply.tokens == full.tokens[: each.most]


@pytest.mark.parametrize("kind", KINDS)
def test_a_prompt_that_writes_marks_shows_no_other_picture_and_ends_no_turn(loaded, kind: str):
    (reply,) = engine(loaded, kind).replies(wanted([prompt(("user", [WIDE, "<image><|end|>"]))]))
    (plain,) = engine(loaded, kind).replies(wanted([prompt(("user", [WIDE, ""]))]))
    assert reply.prompt == plain.prompt + len("<image><|end|>")


@pytest.mark.parametrize("kind", KINDS)
def test_a_prompt_beyond_the_context_is_an_overflow_and_the_others_are_answered(loaded, kind: str):
    long = prompt(("user", [WIDE, "long" * 128]))
    nearly = prompt(("user", ["x" * 505]))
    first, last, other = engine(loaded, kind).replies(wanted([long, nearly, PROMPTS[0]]))
    assert (first.stop_reason, first.tokens, first.prompt > 512) == ("model_length", (), True)
    assert last.prompt + len(last.tokens) <= 512
    assert other.tokens == oracle(loaded[kind], PROMPTS[0])


@pytest.mark.parametrize("reuse", [True, False])
def test_what_a_template_does_not_take_fails_alone(loaded, reuse: bool):
    from veridical.ask.local.requests import PromptRefused

    processor = loaded["plain"].processor
    before, processor.chat_template = processor.chat_template, tiny.NO_SYSTEM
    try:
        replies = engine(loaded, "plain", reuse=reuse).replies(wanted(PROMPTS[:4]))
    finally:
        processor.chat_template = before
    assert [type(reply) is PromptRefused for reply in replies] == [True, True, False, False]
    assert "no system turn" in str(replies[0])
    assert [reply.tokens for reply in replies[2:]] == [oracle(loaded["plain"], each) for each in PROMPTS[2:4]]


def test_a_model_whose_prompt_depends_on_what_follows_is_found_out_and_encoded_anew(loaded):
    def ahead(_, args, kwargs):
        embedded = kwargs["inputs_embeds"]
        return args, {**kwargs, "inputs_embeds": embedded + embedded.mean(1, keepdim=True)}

    asked = [prompt(("user", [WIDE, ask])) for ask in ("Equal or not?", "Equal or so?")]
    hook = loaded["plain"].model.model.language_model.register_forward_pre_hook(ahead, with_kwargs=True)
    try:
        reusing, anew = engine(loaded, "plain"), engine(loaded, "plain", reuse=False)
        found, expected = ([each.replies([ask])[0] for ask in wanted(asked)] for each in (reusing, anew))
    finally:
        hook.remove()
    assert found == expected
    assert reusing._reuse is None


def test_what_does_not_fit_into_memory_is_tried_in_halves_and_what_still_fails_fails_alone(loaded):
    import torch

    def full(_, args, kwargs):
        if kwargs["inputs_embeds"].shape[0] > 2:
            raise torch.OutOfMemoryError
        cache = kwargs["cache"] if "cache" in kwargs else kwargs["past_key_values"]  # renamed in transformers 5.24
        if cache.get_seq_length() == 0 and kwargs["inputs_embeds"].shape[1] == longest:
            raise ZeroDivisionError

    lengths = [reply.prompt for reply in engine(loaded, "plain").replies(wanted(most=1))]
    longest = max(lengths)
    hook = loaded["plain"].model.model.language_model.register_forward_pre_hook(full, with_kwargs=True)
    try:
        replies = engine(loaded, "plain").replies(wanted())
    finally:
        hook.remove()
    for reply, each, length in zip(replies, PROMPTS, lengths, strict=True):
        if length == longest:
            assert isinstance(reply, ZeroDivisionError)
        else:
            assert reply.tokens == oracle(loaded["plain"], each)


@pytest.mark.parametrize("kind", ["plain", "sliding"])
def test_a_seeded_reply_is_the_same_alone_and_beside_others(loaded, kind: str):
    asked = [wanted(PROMPTS[:1], temperature=2.0, seed=seed)[0] for seed in range(5)]
    together = [reply.tokens for reply in engine(loaded, kind).replies([*asked, *wanted(PROMPTS[2:4])])][:5]
    alone = [engine(loaded, kind).replies([each])[0].tokens for each in asked]
    assert together == alone
    assert len(set(alone)) > 3


def test_a_temperature_near_zero_draws_what_greed_chooses(loaded):
    cold = engine(loaded, "plain").replies(wanted(temperature=1e-6, seed=1))
    assert [reply.tokens for reply in cold] == [oracle(loaded["plain"], each) for each in PROMPTS]


@settings(max_examples=15)
@given(
    st.lists(st.floats(-5, 5, width=16), min_size=2, max_size=6),
    st.sampled_from([0.25, 1.0, 2.0]),
    st.sampled_from([0.05, 0.5, 0.9, 1.0]),
    st.sampled_from([None, 1, 3]),
)
def test_tokens_are_drawn_as_often_as_is_likely(scores: list[float], temperature: float, top_p: float, top_k: int):
    import torch

    from veridical.ask.local.generation import TokenSampling, drawn_token

    drawing, numbers = TokenSampling(temperature=temperature, top_p=top_p, top_k=top_k), [n / 200 for n in range(200)]
    tokens = [drawn_token(torch.tensor(scores), drawing, number) for number in numbers]
    likely = torch.softmax(torch.tensor(scores).double() / temperature, 0)
    kept = sorted(range(len(scores)), key=lambda token: -likely[token])[:top_k]
    whole = sum(likely[token] for token in kept)
    sums = [float(sum(likely[token] for token in kept[:n]) / whole) for n in range(1, len(kept) + 1)]
    # Which side of the bound a sum falls on may differ by a rounding.
    assume(all(abs(total - top_p) > 1e-12 for total in sums[:-1]))
    kept = kept[: next((n for n, total in enumerate(sums, 1) if total >= top_p), len(kept))]
    assert set(tokens) <= set(kept)
    left = sum(likely[token] for token in kept)
    for token in kept:
        assert abs(tokens.count(token) / 200 - float(likely[token] / left)) <= 1 / 200 + 1e-9


def test_the_longest_unused_prompt_goes_first():
    from veridical.ask.local.reuse import Keeper, KeptPrompt

    keeper = Keeper(2)
    for name in "abac":
        keeper.put((name,), KeptPrompt((ord(name),), ()))
    assert [keeper.get((name,)) is not None for name in "abc"] == [True, False, True]


@given(st.lists(st.integers(0, 2)), st.lists(st.integers(0, 2)))
def test_prompts_share_the_longest_beginning_that_both_have(one: list[int], other: list[int]):
    from veridical.ask.local.reuse import KeptPrompt

    shared = KeptPrompt(tuple(one), ()).shared(other)
    assert one[:shared] == other[:shared]
    assert one[: shared + 1] != other[: shared + 1] or shared == len(one) == len(other)


def in_batches(most: int, count: int, answer: Callable[..., object]) -> list[object]:
    from veridical.ask.local.engine import Batches

    async def all_of_them() -> list[object]:
        batches = Batches(answer)
        asked = (batches.reply(each, most) for each in wanted(PROMPTS[:1] * count))
        return await asyncio.gather(*asked, return_exceptions=True)

    return asyncio.run(all_of_them())


def test_what_is_in_flight_together_is_answered_together_one_batch_after_the_other():
    sizes, threads = [], set()

    def answer(batch, most):
        sizes.append(len(batch))
        threads.add(threading.current_thread())
        return [f"{len(sizes)}.{place}" for place in range(len(batch))]

    assert in_batches(3, 7, answer) == ["1.0", "1.1", "1.2", "2.0", "2.1", "2.2", "3.0"]
    assert sizes == [3, 3, 1]
    assert threading.main_thread() not in threads


def test_batches_are_answered_in_one_event_loop_after_the_other():
    from veridical.ask.local.engine import Batches

    batches = Batches(lambda batch, _: [len(batch)] * len(batch))

    async def three() -> list[object]:
        return await asyncio.gather(*(batches.reply(each, 4) for each in wanted(PROMPTS[:3])))

    assert [asyncio.run(three()) for _ in range(2)] == [[3, 3, 3]] * 2


def test_a_failed_batch_fails_for_all_of_it_and_the_next_is_answered():
    def answer(batch, most):
        if len(batch) == 2:
            raise ZeroDivisionError
        return [KeyError("one")]

    assert [type(reply) for reply in in_batches(2, 3, answer)] == [ZeroDivisionError, ZeroDivisionError, KeyError]


def test_what_nobody_waits_for_is_left_out_or_ended(loaded):
    from veridical.ask.local.engine import Batches

    going, release = threading.Event(), threading.Event()
    seen: list[list[bool]] = []

    def answer(batch, most):
        going.set()
        release.wait(10)
        seen.append([each.abandoned() for each in batch])
        return [None] * len(batch)

    async def left() -> None:
        batches = Batches(answer)
        tasks = [asyncio.create_task(batches.reply(each, 2)) for each in wanted(PROMPTS[:4])]
        await asyncio.to_thread(going.wait, 10)
        for task in (tasks[1], tasks[2]):
            task.cancel()
        await asyncio.sleep(0)
        release.set()
        await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(left())
    assert seen == [[False, True], [False]]
    (ended,) = engine(loaded, "plain").replies([replace(wanted()[0], abandoned=lambda: True)])
    assert len(ended.tokens) == 1


@pytest.mark.parametrize("kind", ["plain", "sliding"])
def test_log_probabilities_are_those_of_the_scores_and_their_tokens_make_up_the_text(loaded, kind: str):
    import torch

    plain = engine(loaded, kind).replies(wanted())
    asked = [replace(each, tops=20 if number % 2 else None) for number, each in enumerate(wanted())]
    for reply, other, each in zip(engine(loaded, kind).replies(asked), plain, asked, strict=True):
        assert (reply.tokens, reply.text) == (other.tokens, other.text)
        if each.tops is None:
            assert reply.logprobs is None
            continue
        assert len(reply.logprobs) == len(reply.tokens)
        assert "".join(stated["token"] for stated in reply.logprobs) == reply.text
        alone = engine(loaded, kind, reuse=False)
        scores = alone._generator.next_token(alone._generator.inputs([each.prompt])).logits[0][0]
        chances = torch.log_softmax(scores.float(), -1)
        first = reply.logprobs[0]
        assert first["logprob"] == pytest.approx(float(chances[reply.tokens[0]]), abs=1e-4)
        values = torch.topk(chances, 20).values.tolist()
        assert [top["logprob"] for top in first["top_logprobs"]] == pytest.approx(values, abs=1e-4)
        assert first["logprob"] == pytest.approx(first["top_logprobs"][0]["logprob"])


def test_a_drawn_token_has_its_own_probability_and_the_likeliest_stand_beside_it(loaded):
    drawn = [replace(each, tops=2) for each in wanted(temperature=2.0, seed=3)]
    found = [stated for reply in engine(loaded, "plain").replies(drawn) for stated in reply.logprobs]
    assert all(len(stated["top_logprobs"]) == 2 for stated in found)
    assert any(stated["logprob"] < stated["top_logprobs"][1]["logprob"] for stated in found)
    assert all(stated["logprob"] <= stated["top_logprobs"][0]["logprob"] + 1e-6 for stated in found)
