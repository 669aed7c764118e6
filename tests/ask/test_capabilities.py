"""What a model cannot do is known before anything is sent: continuing an assistant's turn, pictures, taking a seed."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

from tests.ask.plans import QUICK, READERS, begun, picture, plan, put, replayed
from tests.ask.server import Server
from veridical.ask import Run, Sampling, ask, open_model, progress
from veridical.ask.capabilities import continuation
from veridical.ask.clients.inspect_client import _OF_TEXT
from veridical.base.run_options import EFFORTS
from veridical.errors import InputError
from veridical.records import Counts, Message


def trials():
    """Four trials, the second and the fourth of which begin the reply."""
    first, second, third, fourth = plan(2, 2)
    return [first, begun(second, prefix="false"), third, begun(fourth, prefix="false")]


def provider(name: str, **attributes: object) -> str:
    from inspect_ai.model import ModelAPI, ModelOutput, modelapi

    class Toy(ModelAPI):
        async def generate(self, input, tools, tool_choice, config):  # noqa: A002 - inspect-ai's name
            return ModelOutput.from_content("toy", f"{input[-1].role} {input[-1].text}")

    for attribute, value in attributes.items():
        setattr(Toy, attribute, value)
    modelapi(name=name)(Toy)
    return f"{name}/any"


def put_to(model: str, folder: Path, **options: bool):
    opened = open_model(model, base_url=None, model_args={}, sampling=Sampling(), policy=QUICK)
    run = Run.start(folder, {"model": model}, {}, trials(), factors={})
    shown = progress(4, "quiet")
    return ask(run, trials(), opened, media=picture, policy=QUICK, progress=shown, **options)


def test_a_server_of_ones_own_is_told_to_continue_the_turn_and_only_then(tmp_path: Path, server: Server):
    put(tmp_path, server.url, trials())
    asked = [request for request in server.requests if not request.counts]
    assert len(asked) == 4
    for request in asked:
        last = request.body["messages"][-1]
        told = request.body.get("continue_final_message"), request.body.get("add_generation_prompt")
        assert told == ((True, False) if last["role"] == "assistant" else (None, None))
        if last["role"] == "assistant":
            assert last["content"] == "The lines"


def test_a_model_that_cannot_continue_refuses_the_run_before_anything_is_sent_and_names_the_setting(tmp_path: Path):
    model = provider("toystops")
    with pytest.raises(InputError) as caught:
        put_to(model, tmp_path)
    told = str(caught.value)
    assert told.startswith("model 'toystops/any' cannot be asked with prefix=false (2 of 4 trials): ")
    assert "choose other levels, or skip unsupported trials" in told
    run = Run.open(tmp_path)
    assert run.responses() == {}
    assert run.outcomes(READERS)["reason"].null_count() == 2
    assert run.missing() == 2


def test_trials_that_cannot_be_asked_are_counted_as_planned_and_not_asked_with_the_reason(tmp_path: Path):
    tally = put_to(provider("toyskips"), tmp_path, skip_unsupported=True)
    assert (tally.planned, tally.asked, tally.unsupported, tally.missing) == (4, 2, 2, 0)
    assert tally.reason == "its provider does not continue an assistant turn"
    outcomes = Run.open(tmp_path).outcomes(READERS)
    reasons = [None, f"not asked: {tally.reason}"] * 2
    assert outcomes["reason"].to_list() == reasons
    assert outcomes["status"].to_list() == ["answered", None] * 2
    counts = Counts.of(outcomes)
    assert (counts.planned, counts.asked) == (4, 2)
    assert Run.open(tmp_path).executions[-1]["ended"]["unsupported"] == 2


def test_a_provider_of_ones_own_says_that_it_continues(tmp_path: Path):
    tally = put_to(provider("toycontinues", continues_assistant_turn=True), tmp_path)
    assert (tally.asked, tally.unsupported) == (4, 0)
    assert Run.open(tmp_path).responses()["p000/q1", 1].text == "assistant The lines"


def test_embedded_observers_get_the_whole_conversation(tmp_path: Path):
    run = Run.start(tmp_path / "run", {"model": "veridical/replay"}, {}, trials(), factors={})
    model, shown = replayed(tmp_path / "answers.jsonl", trials()), progress(4, "quiet")
    tally = ask(run, trials(), model, media=picture, policy=QUICK, progress=shown, tells_trial=True)
    assert (tally.asked, tally.unsupported) == (4, 0)


def test_where_every_trial_begins_the_reply_the_stage_is_named(tmp_path: Path):
    opened = open_model(provider("toystage"), base_url=None, model_args={}, sampling=Sampling(), policy=QUICK)
    asked = [begun(trial, prefix="false") for trial in plan(1, 2)]
    run = Run.start(tmp_path, {"model": "toystage/any"}, {}, asked, factors={})
    with pytest.raises(InputError, match=r"cannot be asked in stage main \(2 of 2 trials\)"):
        ask(run, asked, opened, media=picture, policy=QUICK, progress=progress(2, "quiet"))


class Opened:
    """As much of an opened model as tells what its provider can do."""

    def __init__(self, api: object, **config: str | None) -> None:
        from inspect_ai.model import GenerateConfig

        self.api, self.config = api, GenerateConfig(**config)

    def __str__(self) -> str:
        return "provider/any"


@pytest.mark.parametrize(
    ("module", "name", "continues"),
    [
        ("vllm", "VLLMAPI", True),
        ("sglang", "SGLangAPI", True),
        ("openai", "OpenAIAPI", False),
        ("openrouter", "OpenRouterAPI", False),
        ("together", "TogetherAIAPI", False),
        ("ollama", "OllamaAPI", False),
    ],
)
def test_inspect_ais_providers_are_known_by_what_they_do(module: str, name: str, continues: bool):
    module_of = import_module(f"inspect_ai.model._providers.{module}")
    api = object.__new__(getattr(module_of, name))
    found = continuation(Opened(api))
    assert ((found.problem is None), found.body) == (continues, None)


@pytest.mark.parametrize(
    ("frontier", "effort", "continues"),
    [(False, None, True), (False, "none", True), (False, "high", False), (True, None, False)],
)
def test_claude_continues_up_to_4_5_where_it_does_not_think(frontier: bool, effort: str | None, continues: bool):
    class AnthropicAPI:
        def is_claude_frontier(self) -> bool:
            return frontier

    found = continuation(Opened(AnthropicAPI(), reasoning_effort=effort))
    assert (found.problem is None) == continues


def test_the_provider_of_claude_still_tells_its_generations_apart_by_this_name():
    import inspect_ai

    source = Path(inspect_ai.__file__).parent / "model" / "_providers" / "anthropic.py"
    assert "class AnthropicAPI(" in source.read_text()
    assert "    def is_claude_frontier(self) -> bool:" in source.read_text()


def test_a_seed_that_a_provider_would_leave_out_in_silence_is_refused():
    from inspect_ai.model import ModelAPI, ModelOutput, modelapi

    class BedrockAPI(ModelAPI):
        async def generate(self, input, tools, tool_choice, config):  # noqa: A002 - inspect-ai's name
            return ModelOutput.from_content("toy", "Yes")

    modelapi(name="toybedrock")(BedrockAPI)
    told = r"^seed 3: the provider of model 'toybedrock/any' does not support it; leave it out$"
    with pytest.raises(InputError, match=told):
        open_model("toybedrock/any", base_url=None, model_args={}, sampling=Sampling(seed=3), policy=QUICK)
    open_model("toybedrock/any", base_url=None, model_args={}, sampling=Sampling(), policy=QUICK)


def test_a_top_k_that_a_provider_would_leave_out_in_silence_is_refused():
    with pytest.raises(InputError, match=r"^top_k 20: the provider of model 'mockllm/model' does not support it"):
        open_model("mockllm/model", base_url=None, model_args={}, sampling=Sampling(top_k=20), policy=QUICK)
    open_model("m", base_url="http://127.0.0.1:9/v1", model_args={}, sampling=Sampling(top_k=20), policy=QUICK)


def test_a_provider_that_takes_text_alone_is_refused_where_trials_show_pictures_and_only_there(tmp_path: Path):
    from inspect_ai.model import ModelAPI, ModelOutput, modelapi

    asked: list[str] = []

    class HuggingFaceAPI(ModelAPI):
        async def generate(self, input, tools, tool_choice, config):  # noqa: A002 - inspect-ai's name
            asked.append(input[-1].text)
            return ModelOutput.from_content("toy", "Yes")

    modelapi(name="toytext")(HuggingFaceAPI)
    opened = open_model("toytext/any", base_url=None, model_args={}, sampling=Sampling(), policy=QUICK)
    shown = plan(1, 2)
    bare = [replace(t, messages=tuple(Message(m.role, (m.parts[-1],)) for m in t.messages)) for t in plan(1, 1)]
    told = (
        r"^model 'toytext/any' cannot be shown pictures \(2 of 2 trials show one\): its provider accepts only text; "
        r"use veridical-hf/NAME, or another model$"
    )
    for trials, folder in ((shown, "shown"), (bare, "bare")):
        run = Run.start(tmp_path / folder, {"model": "toytext/any"}, {}, trials, factors={})
        how = {"media": picture, "policy": QUICK, "progress": progress(len(trials), "quiet")}
        if trials is shown:
            with pytest.raises(InputError, match=told):
                ask(run, trials, opened, **how)
            assert not asked
        else:
            assert ask(run, trials, opened, **how).asked == 1


def test_the_providers_that_take_text_alone_still_have_these_names_and_read_no_picture():
    import inspect_ai

    folder = Path(inspect_ai.__file__).parent / "model" / "_providers"
    sources = {path.name: path.read_text() for path in folder.glob("*.py")}
    for name in _OF_TEXT:
        assert [file for file, source in sources.items() if f"class {name}(" in source]
    for file, says in (
        ("hf.py", "HuggingFace provider does not support multimodal content"),
        ("nnterp.py", "NNterp provider does not support multimodal content"),
        ("transformer_lens.py", "TransformerLens provider does not support multimodal content"),
        ("openai_compatible_completions.py", "prompt = input[0].text"),
        ("vllm_completions.py", "prompt = resolve_completions_prompt("),
        ("together.py", 'json["messages"] = chat_api_input('),
    ):
        assert says in sources[file]


def test_the_efforts_are_those_that_the_model_layer_knows():
    from inspect_ai.model import GenerateConfigArgs

    literal, _ = get_args(get_type_hints(GenerateConfigArgs)["reasoning_effort"])
    assert get_args(literal) == EFFORTS
