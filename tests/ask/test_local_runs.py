"""Local models asked by the loop, the command line and inspect's runner; and refused in one line when opened."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.ask import tiny
from tests.ask.plans import begun, picture, plan
from veridical.ask import Policy, Run, Sampling, Tally, ask, open_model, progress
from veridical.ask.answer_logprobs import FORCED_TOKENS, begun_answer
from veridical.ask.clients import TrialAttempt, turns_of
from veridical.ask.pending_trials import data_url
from veridical.errors import InputError
from veridical.records import Media, Message, Text, Trial

POLICY = Policy(max_connections=3, max_requests=1)

pytestmark = pytest.mark.local_models


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models")
    tiny.llava(folder / "plain")
    tiny.llava(folder / "sliding", window=20)
    return folder


def opened(folder: Path, sampling: Sampling | None = None, policy: Policy = POLICY, **args: object):
    name, how = f"veridical-hf/{folder}", sampling or Sampling(max_tokens=10)
    return open_model(name, base_url=None, model_args=args, sampling=how, policy=policy)


def put(folder: Path, model, trials: list[Trial], **options: object) -> tuple[Tally, Run]:
    run = Run.start(folder, {"model": model.name}, {}, trials, factors={})
    shown = progress(len(trials), "quiet")
    tally = ask(run, trials, model, media=picture, policy=POLICY, progress=shown, **options)
    return tally, Run.open(folder)


def place(medium: Media) -> str:
    return data_url(medium, picture(medium.file))


def prompt(trial: Trial) -> tiny.LocalPrompt:
    return tiny.LocalPrompt.of(turns_of(trial, place))


def weights(client):
    """What is loaded behind a client."""
    return client.engine.loaded


def expected(model, trial: Trial, most: int = 10) -> tuple[int, ...]:
    """The tokens that transformers writes after a trial."""
    return tiny.oracle(weights(model), prompt(trial), most)


@pytest.mark.parametrize("kind", ["plain", "sliding"])
def test_a_run_has_the_replies_of_transformers_with_every_token_counted(home: Path, tmp_path: Path, kind: str):
    model = opened(home / kind)
    first, second, *others = plan(4, 2)
    trials = [first, second, *others[:-1], begun(others[-1], "The upper")]
    tally, run = put(tmp_path / "run", model, trials)
    assert (tally.asked, tally.errors, tally.unsupported) == (8, 0, 0)
    tokenizer = weights(model).processor.tokenizer
    responses = {trial.id: run.responses()[trial.id, 1] for trial in trials}
    for trial in trials:
        reply, tokens = responses[trial.id], expected(model, trial)
        assert reply.text == tokenizer.decode(tokens, skip_special_tokens=True)
        written = tiny.written_out(prompt(trial)).replace("<image>", "<image>" * 16)
        assert reply.input_tokens == len(tokenizer(written, add_special_tokens=False)["input_ids"])
        assert reply.output_tokens == len(tokens)
        assert reply.stop_reason == ("max_tokens" if len(tokens) == 10 else "stop")
    shared = [reply.cached_tokens or 0 for reply in responses.values()]
    assert sum(count > 16 for count in shared) == (4 if kind == "plain" else 0)


def test_a_reply_names_the_model_with_its_revision(home: Path):
    model = opened(home / "plain")
    question = TrialAttempt(trial=plan(1, 1)[0], repeat=1, attempt=1, place=place)
    reply = asyncio.run(model.send(question))
    name, _, revision = reply.served_model.rpartition("@")
    assert (name, revision) == (str(home / "plain"), weights(model).facts["revision"])
    assert revision.startswith("sha256:")


def test_other_weights_or_another_template_are_another_revision(home: Path, tmp_path: Path):
    from veridical.ask.local import identity_of

    copies = [tiny.llava(tmp_path / "same"), tiny.llava(tmp_path / "other", seed=1)]
    copies.append(tiny.llava(tmp_path / "template", template=tiny.NO_SYSTEM))
    (copies[0] / "README.md").write_text("not loaded")
    named = [identity_of(f"veridical-hf/{folder}", {})["revision"] for folder in (home / "plain", *copies)]
    assert named[0] == named[1]
    assert len(set(named)) == 3


def test_the_order_and_number_of_pictures_and_texts_is_that_of_the_trial(home: Path, tmp_path: Path):
    one, other = (trial for trial in plan(2, 1))
    system, asked = one.messages
    shown = (other.messages[1].parts[0], Text("first, then "), *asked.parts, Text("or?"))
    trials = [replace(one, messages=(system, Message("user", parts))) for parts in (shown, shown[::-1])]
    trials = [replace(trial, id=f"{place}") for place, trial in enumerate(trials)]
    model = opened(home / "plain")
    _, run = put(tmp_path / "run", model, trials)
    decode = weights(model).processor.tokenizer.decode
    replies = [run.responses()[trial.id, 1].text for trial in trials]
    assert replies == [decode(expected(model, trial), skip_special_tokens=True) for trial in trials]
    assert replies[0] != replies[1]


def test_sampling_reaches_the_model_and_a_seed_gives_the_same_replies_again(home: Path, tmp_path: Path):
    trials, texts = plan(3, 1), []
    for number, seed in enumerate((7, 7, 8)):
        sampling = Sampling(temperature=1.5, top_p=0.9, seed=seed, max_tokens=6)
        _, run = put(tmp_path / str(number), opened(home / "plain", sampling), trials)
        texts.append([run.responses()[trial.id, 1].text for trial in trials])
        assert all((reply.output_tokens or 0) <= 6 for reply in run.responses().values())
    assert texts[0] == texts[1]
    assert texts[0] != texts[2]


def test_a_reply_cache_tells_weights_of_one_name_apart(tmp_path: Path):
    for number, seed in enumerate((0, 0, 1)):
        model = opened(tiny.llava(tmp_path / "model", seed=seed))
        tally, _ = put(tmp_path / str(number), model, plan(2, 1), cache=tmp_path / "cache")
        assert tally.cached == (2 if number == 1 else 0)


def test_a_prompt_beyond_the_context_is_an_error_of_its_trial_alone(home: Path, tmp_path: Path):
    first, second = plan(2, 1)
    long = replace(second, messages=(*second.messages, Message("user", (Text("long" * 128),))))
    tally, run = put(tmp_path / "run", opened(home / "plain"), [first, long])
    assert tally.errors == 1
    assert [run.responses()[trial.id, 1].error for trial in (first, long)] == [None, "context_overflow"]


def test_a_template_that_refuses_every_trial_ends_the_run_in_one_line(home: Path, tmp_path: Path):
    model = opened(tiny.llava(tmp_path / "model", template=tiny.NO_SYSTEM))
    with pytest.raises(InputError, match=r"refuses the first trial .*no system turn") as caught:
        put(tmp_path / "run", model, plan(2, 1))
    assert "\n" not in str(caught.value)


def wrong_folders(home: Path) -> dict[str, Path]:
    from transformers import LlavaForConditionalGeneration

    text = tiny.language_model(home / "text")
    lacking = tiny.llava(home / "lacking")
    model = LlavaForConditionalGeneration.from_pretrained(lacking)
    kept = {name: weights for name, weights in model.state_dict().items() if "lm_head" not in name}
    model.save_pretrained(lacking, state_dict=kept)
    pickled = tiny.llava(home / "pickled")
    (pickled / "model.safetensors").rename(pickled / "pytorch_model.bin")
    blind = tiny.llava(home / "blind")
    for file in ("processor_config.json", "tokenizer_config.json"):
        (blind / file).unlink()
    (home / "empty").mkdir()
    return {"text": text, "lacking": lacking, "pickled": pickled, "blind": blind, "empty": home / "empty"}


def test_what_cannot_be_asked_about_pictures_is_refused_in_one_line_when_opened(tmp_path: Path):
    folders = wrong_folders(tmp_path)
    folders |= {"bare": tiny.llava(tmp_path / "bare", template=None), "none": tmp_path / "none"}
    for name, told in {
        "text": r"accepts no pictures: its architecture 'llama' is not a vision-language model",
        "lacking": r"is incomplete: 1 weights are missing \(lm_head.weight\)",
        "pickled": r"cannot open the weights of local model",
        "blind": r"cannot open the processor of|accepts no pictures: its processor has no image processor",
        "empty": r"cannot open local model",
        "bare": r"has no chat template",
        "none": r"there is no such folder",
    }.items():
        with pytest.raises(InputError, match=told) as caught:
            opened(folders[name])
        assert "\n" not in str(caught.value)


def test_arguments_that_are_wrong_are_refused_in_one_line(home: Path):
    for args, told in (
        ({"dtyp": "auto"}, "unknown argument of a local model 'dtyp': did you mean 'dtype'"),
        ({"dtype": "int4"}, "dtype=int4: auto, float32, bfloat16, float16 are allowed"),
        ({"device": "abacus"}, "device=abacus: PyTorch has no such device"),
        ({"revision": "main"}, "revision=main: .* is a folder"),
        ({"trust_remote_code": "yes"}, "trust_remote_code=yes: true or false is needed"),
    ):
        with pytest.raises(InputError, match=told):
            opened(home / "plain", **args)
    for sampling, told in ((Sampling(reasoning_effort="high"), "reasoning_effort"),):
        with pytest.raises(InputError, match=f"does not support {told}; leave it out"):
            opened(home / "plain", sampling)
    with pytest.raises(InputError, match="has no endpoint: leave out the base URL"):
        open_model(
            "veridical-hf/x", base_url="http://127.0.0.1:9/v1", model_args={}, sampling=Sampling(), policy=POLICY
        )


def test_a_name_that_the_hub_does_not_give_is_told_in_one_line(monkeypatch: pytest.MonkeyPatch):
    import huggingface_hub

    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    with pytest.raises(
        InputError, match=r"^cannot open local model 'org/none', which is not a local folder: "
    ) as caught:
        opened(Path("org/none"))
    assert "\n" not in str(caught.value)


def test_without_the_extra_it_is_said_which_one_to_install(home: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(InputError, match=r"^local models need PyTorch and transformers: install veridical\[local\]$"):
        opened(home / "plain")


@pytest.mark.parametrize("kind", ["plain", "sliding"])
def test_a_forced_answer_has_the_probabilities_that_follow_its_beginning(home: Path, kind: str):
    import torch

    model = opened(home / kind, policy=replace(POLICY, logprobs=True, top_logprobs=5, forced_answer=True))
    trial = begun_answer(plan(1, 1)[0], "The upper")
    question = TrialAttempt(trial=trial, repeat=1, attempt=1, place=place)
    short, whole = (asyncio.run(model.send(replace(question, most_tokens=most))) for most in (FORCED_TOKENS, None))
    assert (short.output_tokens, len(short.logprobs)) == (FORCED_TOKENS, FORCED_TOKENS)
    assert whole.text.startswith(short.text)
    scores = weights(model).model(**generator_inputs(model, trial)).logits[0, -1]
    values = torch.topk(torch.log_softmax(scores.float(), -1), 5).values.tolist()
    assert [each["logprob"] for each in short.logprobs[0]["top_logprobs"]] == pytest.approx(values, abs=1e-4)


def generator_inputs(client, trial: Trial):
    """The inputs of transformers for a trial whose last turn is continued."""
    return client.engine._generator.inputs([prompt(trial)])
