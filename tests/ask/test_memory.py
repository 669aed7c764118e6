"""Asking takes no more memory the longer it goes on."""

from __future__ import annotations

import gc
import os
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest

from tests.ask.asking import FORKED
from tests.ask.plans import DEFAULTS, plan, put
from tests.ask.server import Reply, Request, said, serve
from veridical.ask import Policy, Progress, Run, ask, open_model
from veridical.records import Response

_PICTURES, _QUESTIONS = 1500, 2
_SIZE = 200_000
_PNG = b"\x89PNG\r\n\x1a\n"
_STATM = Path("/proc/self/statm")


@dataclass
class _Resident(Progress):
    """A progress that notes megabytes of resident memory at every 500 responses."""

    told: int = 0
    megabytes: list[float] = field(default_factory=list)

    def advance(self, response: Response) -> None:
        self.told += 1
        if self.told % 500 == 0:
            self.megabytes.append(int(_STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6)


def _content(file: str) -> bytes:
    return _PNG + Random(file).randbytes(_SIZE)


def _ask(folder: str, url: str, found: str) -> None:
    trials, policy = plan(_PICTURES, _QUESTIONS), Policy(max_connections=16)
    run = Run.start(Path(folder), {"model": "m"}, {}, trials, factors={})
    model = open_model("m", base_url=url, model_args={}, sampling=DEFAULTS, policy=policy)
    resident = _Resident()
    tally = ask(run, trials, model, media=_content, policy=policy, progress=resident)
    Path(found).write_text(" ".join(map(str, [tally.missing, *resident.megabytes])))


@pytest.mark.skipif(not _STATM.exists(), reason="this system does not tell resident memory in /proc")
def test_memory_is_flat_after_the_first_thousand_trials(tmp_path: Path) -> None:
    """All the pictures together take 400 MB as they are sent."""
    found = tmp_path / "found"

    def forgotten(_: Request) -> Reply:
        server.requests.clear()
        return said("Yes")

    with serve(forgotten) as server:
        process = FORKED.Process(target=_ask, args=(str(tmp_path / "run"), server.url, str(found)))
        process.start()
        process.join(300)
        process.kill()
    missing, *megabytes = map(float, found.read_text().split())
    assert missing == 0
    assert len(megabytes) == _PICTURES * _QUESTIONS // 500
    assert max(megabytes[2:]) - megabytes[1] < 50, megabytes


def test_the_garbage_collector_is_left_as_it_was(tmp_path: Path) -> None:
    with serve() as server:
        put(tmp_path / "run", server.url, plan(2, 1))
    assert gc.get_freeze_count() == 0
    assert gc.isenabled()
