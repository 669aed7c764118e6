"""What a user did wrong is told before anything heavy is loaded, and nothing is written."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bench.refusals import refusals
from tests.suites.magicbench.stimuli import clip, make_stimulus
from veridical import make, run
from veridical.ask.store import Run
from veridical.base.workers import Workers
from veridical.errors import InputError
from veridical.records import Chunk
from veridical.stimulus_set.write import write_set
from veridical.suites.magicbench.options import MagicBenchOptions
from veridical.suites.magicbench.stimuli import FACTORS

HEAVY = ("torch", "transformers", "inspect_ai", "openai", "matplotlib", "av", "scipy.special", "scipy.stats", "sklearn")
ALL_IN_ONE_PROCESS = """
import json, sys
from veridical.cli import main
lines = []
for words in json.load(sys.stdin):
    sys.argv = ["veridical", *words]
    try:
        main()
    except SystemExit as ended:
        lines.append([ended.code, [name for name in HEAVY if name in sys.modules]])
print(json.dumps(lines))
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory, one_process):
    place = tmp_path_factory.mktemp("refused")
    stimuli = make("viprobe", out=place / "set", recipe="quick", units=1)
    run(stimuli, "veridical/prior", out=place / "run", show="quiet", analyze=False, limit=4)
    return place


def test_every_refusal_comes_before_anything_heavy_is_loaded_and_writes_nothing(folder):
    commands = list(refusals(folder))
    environment = {key: value for key, value in os.environ.items() if not key.endswith("_API_KEY")}
    ended = subprocess.run(
        [sys.executable, "-c", f"HEAVY = {HEAVY!r}\n{ALL_IN_ONE_PROCESS}"],
        input=json.dumps(commands),
        env=environment,
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    told = json.loads(ended.stdout)
    assert [
        (words, code, heavy) for words, (code, heavy) in zip(commands, told, strict=True) if (code, heavy) != (2, [])
    ] == []
    assert len(ended.stderr.splitlines()) == len(commands), ended.stderr
    assert sorted(path.name for path in folder.iterdir()) == ["run", "set"]


def test_a_run_that_a_folder_has_no_room_for_is_refused_with_the_difference(folder):
    stored = Run.open(folder / "run")
    Run.require_room(folder / "run", stored.identity)
    Run.require_room(folder / "nothing", stored.identity)
    with pytest.raises(InputError, match=r"holds another run \(limit: 4 stored, 5 requested\): choose another folder"):
        Run.require_room(folder / "run", {**stored.identity, "limit": 5})
    with pytest.raises(InputError, match="holds something else"):
        Run.require_room(folder / "set", stored.identity)


def test_a_set_is_not_drawn_for_a_run_that_is_refused(cli, tmp_path):
    code, _, errors = cli("run", "viprobe", "--out", tmp_path / "run", "--model", "veridical/pixel", "--judge", "rule")
    assert (code, errors) == (2, "veridical: unknown role of viprobe 'judge': known: model\n")
    assert not Path(tmp_path / "run").exists()


@pytest.fixture(scope="module")
def tricks(tmp_path_factory):
    def drawn(options, chunk):
        yield make_stimulus("trick", chunk.index), (clip(100),)

    place = tmp_path_factory.mktemp("tricks") / "set"
    return write_set(
        place, "magicbench", MagicBenchOptions(), [Chunk("coin", 0)], drawn, factors=FACTORS, workers=Workers(1)
    )


SERVED = ("--model", "m", "--base-url", "http://127.0.0.1:9/v1")
ALLOWED = "openai/, anthropic/, google/, mistral/, grok/, groq/, openrouter/, together/, fireworks/, vllm/, sglang/, "
ALLOWED += "ollama/, openai-api/, veridical/replay, or a server's own NAME with a base URL"


@pytest.mark.parametrize(
    ("words", "line"),
    [
        *(
            (
                ("--model", model, "-S", "reply=free,schema"),
                f"reply=schema: model '{model}' cannot be held to a JSON schema; allowed: {ALLOWED}",
            )
            for model in ("hf/x", "veridical-hf/org/x", "veridical/simulated", "mockllm/x")
        ),
        (
            (*SERVED, "-S", "task=probe", "-S", "reply=schema"),
            "reply=schema: no question that would be asked has a schema for its reply; leave it out, or ask others",
        ),
        ((*SERVED, "-S", "reply=json"), "unknown level of reply 'json': known: free, schema"),
        (
            (*SERVED, "-M", "structured=true"),
            (
                "model argument structured of 'm': it is for judges and other roles; the model under test is held to "
                "a JSON schema by -S reply=schema"
            ),
        ),
    ],
)
def test_a_reply_that_cannot_be_held_to_a_schema_is_refused_before_anything_is_sent(
    cli, tricks, tmp_path, monkeypatch, words, line
):
    monkeypatch.setenv("HF_TOKEN", "made-up")
    code, _, errors = cli("run", "magicbench", "--set", tricks.folder, "--out", tmp_path / "run", *words)
    assert (code, errors) == (2, f"veridical: {line}\n")
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(("model", "value"), [("hf/x", "true"), ("openai/gpt-4o", '"yes"')])
def test_so_is_a_judge(cli, tricks, tmp_path, model, value):
    place = tmp_path / "models.toml"
    place.write_text(f'[careful]\nmodel = "{model}"\nargs = {{structured = {value}}}\n')
    words = ("--judge", "careful", "--models", place)
    code, _, errors = cli("run", "magicbench", "--set", tricks.folder, "--out", tmp_path / "run", *SERVED, *words)
    told = {
        "hf/x": f"structured=true: model 'hf/x' cannot be held to a JSON schema; allowed: {ALLOWED}",
        "openai/gpt-4o": "model argument structured of 'openai/gpt-4o': true or false is allowed",
    }
    assert (code, errors) == (2, f"veridical: {told[model]}\n")
    assert not (tmp_path / "run").exists()


LOCAL = ("--model", "veridical-hf/org/x")
CLUSTERS = "auto (the cluster of this machine), local (a new one on this machine) or ray://HOST:PORT"


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (
            (*LOCAL, "--gpus-per-model", "1"),
            f"gpus_per_model 1 without a cluster: name one, {CLUSTERS}",
        ),
        ((*LOCAL, "--cluster", "auto", "--gpus-per-model", "-1"), "gpus_per_model -1: 0 to 64 is allowed"),
        ((*LOCAL, "--cluster", "auto", "--workers", "2"), "workers 2 beside cluster 'auto': name one of the two"),
        (
            (*SERVED, "--cluster", "auto", "--gpus-per-model", "1"),
            "gpus_per_model 1 beside m: only veridical-hf/NAME is loaded on GPUs of a cluster",
        ),
        (
            (*LOCAL, "--cluster", "ray://me:secret@h:1"),
            f"the cluster's address has user info: {CLUSTERS} is allowed",
        ),
    ],
)
def test_gpus_of_a_cluster_are_refused_for_what_takes_none(cli, tricks, tmp_path, words, line):
    code, _, errors = cli("run", "magicbench", "--set", tricks.folder, "--out", tmp_path / "run", *words)
    assert (code, errors) == (2, f"veridical: {line}\n")
    assert not (tmp_path / "run").exists()
