"""All five suites asked of a real engine: what it receives is what was planned, byte for byte and in order."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import veridical
from tests.ask import tiny
from tests.ask.server import Server
from tests.wire.engine import logged, planned, received, table, transformers_serve
from veridical.errors import InputError

pytestmark = [pytest.mark.local_models, pytest.mark.usefixtures("no_figures", "one_process")]

HASH = 64
NEW_TURN = r"refuses the fields that continue an assistant turn \(HTTP 422\), and begins a new turn without them"
SAMPLING = {"temperature": 0.0, "max_tokens": 4}
SETS = {
    "viprobe": {"cases": ["zollner"], "units": 2, "levels": 2, "size": 128, "variants": ["O", "P"]},
    "viabench": {"puzzles": ["hands"], "units": 2, "size": 256},
    "magic": {"scenes": ["room"], "units": 2, "width": 480},
    "magicbench": {"tricks": ["coin"], "units": 2, "height": 180, "rate": 12},
    "hocabench": {
        "sub_types": ["gravity", "permanence"],
        "units": 1,
        "height": 180,
        "rate": 12,
        "panels": 0,
        "sequences": 0,
    },
}
SETTINGS = {
    "viprobe": {"polarity": "forward"},
    "viabench": {},
    "magic": {"view": "all-boxes", "shots": "none", "prefix": "region", "correcting": "unprompted"},
    "magicbench": {"task": "explain", "stance": "neutral", "patter": "lie", "frames": "uniform-4", "until": "end"},
    "hocabench": {"task": "plausibility", "frames": "uniform-4"},
}


@pytest.fixture(scope="module")
def engine():
    for package in ("accelerate", "fastapi", "uvicorn"):
        pytest.importorskip(package)
    with transformers_serve() as url, logged(url) as server:
        yield server


@pytest.fixture(scope="module")
def vlm(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tiny.llava(tmp_path_factory.mktemp("models") / "plain", longest=32_768))


def asked(engine: Server, model: str, suite: str, folder: Path, **settings: str):
    how = {
        "base_url": engine.url,
        "limit": 2,
        "repeats": 1,
        "max_connections": 1,
        "max_requests": 1,
        "show": "quiet",
        "analyze": False,
    }
    stated = {**SETTINGS[suite], **settings}
    return veridical.run(folder / "set", model=model, out=folder / "run", settings=stated, **SAMPLING, **how)


@pytest.fixture(scope="module")
def rows():
    """Suites with what was planned, received, and equal; a table of them is written at the end."""
    counts: list[tuple[str, int, int, int]] = []
    yield counts
    sys.stdout.write(f"\n{table(counts)}\n")


@pytest.mark.parametrize("suite", SETS)
def test_the_engine_receives_what_was_planned(suite: str, engine: Server, vlm: str, tmp_path: Path, rows):
    veridical.make(suite, out=tmp_path / "set", **SETS[suite])
    before = len(engine.requests)
    if suite == "magic":
        with pytest.raises(InputError, match=f"in stage heal .*{NEW_TURN}; choose injection=quoted, or skip"):
            asked(engine, vlm, suite, tmp_path)
        run = asked(engine, vlm, suite, tmp_path, injection="quoted")
        assert run.stages.counted["heal"][-1].identity["settings"]["injection"] == ["quoted"]
    else:
        run = asked(engine, vlm, suite, tmp_path)
    asked_stages = [runs[-1] for runs in run.stages.counted.values() if runs]
    expected = [each for of_stage in asked_stages for each in planned(of_stage, tmp_path / "set", SAMPLING)]
    arrived = [received(request) for request in engine.requests[before:] if not request.counts]
    rows.append((suite, len(expected), len(arrived), sum(map(lambda one, other: one == other, arrived, expected))))
    assert arrived == expected
    assert any(len(part) == HASH for sent in arrived for _, parts in sent.messages for part in parts)
    for of_stage in asked_stages:
        assert all(response.error is None for response in of_stage.responses().values())
