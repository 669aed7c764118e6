"""Small plans: trials on small pictures, a run folder for them, and the asking of it at an endpoint."""

from __future__ import annotations

import io
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from PIL import Image

from tests.ask.server import Request
from veridical.answers import ParsedAnswer, Reader
from veridical.ask import Client, Policy, Run, Sampling, Tally, ask, open_model, progress
from veridical.ask.display import Mode
from veridical.observers import GENERAL
from veridical.records import Media, Message, Response, Text, Trial
from veridical.verbs.runs.models import open_observer

READER = Reader(
    name="word", version="1", parse=lambda text, _: ParsedAnswer(text or None, None if text else "nothing said")
)
READERS = {"word": (READER,)}
DEFAULTS = Sampling()
QUICK = Policy(max_connections=4, max_requests=3, attempt_timeout=60, backoff=0.01)


@cache
def picture(file: str) -> bytes:
    """A PNG whose colour depends on the number in its name."""
    number = int("".join(filter(str.isdigit, file)))
    data = io.BytesIO()
    Image.new("RGB", (8, 8), (number % 256, number // 256, 77)).save(data, "PNG")
    return data.getvalue()


def plan(pictures: int = 3, questions: int = 2) -> list[Trial]:
    """Trials `p000/q0`, `p000/q1`, ...: a system text, the picture, then a question that names its trial."""
    return [_trial(f"p{number:03d}", f"q{question}") for number in range(pictures) for question in range(questions)]


def answered(run: Run) -> Run:
    """The run with a reply to its first trial, so that no other run may take its folder."""
    with run.writer() as writer:
        writer.append(Response(trial=run.trials()[0].id, text="Yes"))
    return run


def replayed(file: Path, trials: list[Trial]) -> Client:
    """The embedded observer that repeats "Yes" to these trials; the answers stand in `file`."""
    file.write_text("".join(f'{{"id": "{trial.id}", "text": "Yes"}}\n' for trial in trials))
    return open_observer("veridical/replay", GENERAL["replay"], {"answers": str(file)}, None)


def _trial(stimulus: str, question: str) -> Trial:
    asked = Text(f"[{stimulus}/{question}] Are the two lines equally long?")
    messages = (
        Message("system", (Text("Answer Yes or No."),)),
        Message("user", (Media(f"media/{stimulus}.png", "0" * 64), asked)),
    )
    return Trial(
        id=f"{stimulus}/{question}",
        suite="toy",
        stage="main",
        stimulus=stimulus,
        unit=stimulus,
        family="lines",
        category="length",
        variant="original",
        messages=messages,
        gold="Yes",
        reader="word",
        prompt="0" * 64,
    )


def begun(trial: Trial, turn: str = "The lines", **settings: str) -> Trial:
    """A trial whose reply is begun already."""
    messages = (*trial.messages, Message("assistant", (Text(turn),)))
    return replace(trial, messages=messages, settings=settings)


def trial_of(request: Request) -> str:
    """The id of the trial that a request's question names."""
    return request.text[request.text.index("[") + 1 : request.text.index("]")]


def put(
    folder: Path,
    url: str,
    trials: list[Trial],
    policy: Policy = QUICK,
    *,
    name: str = "org/some-model",
    mode: Mode = "quiet",
    repeats: int = 1,
    sampling: Sampling = DEFAULTS,
    **options: Any,
) -> Tally:
    """Starts or takes up the run in a folder and asks what is missing; `options` go to `ask`."""
    identity = {"model": name, "suite": "toy", "sampling": sampling.stated()}
    run = Run.start(folder, identity, {"requests": policy.max_requests}, trials, factors={}, repeats=repeats)
    model = open_model(name, base_url=url, model_args={}, sampling=sampling, policy=policy)
    shown = progress(len(trials) * repeats, mode)
    return ask(run, trials, model, media=picture, policy=policy, progress=shown, **options)
