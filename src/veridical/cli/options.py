"""The options of a run as words on the command line, shared by the verbs that take them."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypedDict

import typer

from veridical.cli.common import Limit, Prompts, a_file, levels, pairs
from veridical.errors import InputError

if TYPE_CHECKING:
    from veridical.verbs.runs.options import RunOptions

_SECONDS = {"s": 1.0, "m": 60.0, "h": 3600.0}

Judge = Annotated[
    str | None, typer.Option(metavar="M", help="Model that judges: PROVIDER/NAME, one of --models, or rule.")
]
Roles = Annotated[
    list[str] | None, typer.Option("--role", metavar="ROLE=M", help="Model for another role of the suite's stages.")
]
ModelsFile = Annotated[
    Path | None,
    typer.Option(
        help="TOML file with models: endpoint, sampling, price, facts. Default: models.toml.", callback=a_file
    ),
]
RestsOn = Annotated[
    str | None, typer.Option(metavar="M", help="Judge whose verdicts later stages use, if there are several.")
]
AcceptErrors = Annotated[
    bool, typer.Option("--accept-errors", help="Start later stages even if requests ended in errors.")
]

SelfJudge = Annotated[bool, typer.Option("--self-judge", help="Allow the model under test as its own judge.")]


class RunWords(TypedDict, total=False):
    """What `run` and `plan` take; see `veridical.verbs.runs.options.RunOptions` for what each is."""

    limit: Limit
    settings: Annotated[
        list[str] | None,
        typer.Option("--setting", "-S", metavar="NAME=LEVEL,…", help="Levels of a setting; several are crossed."),
    ]
    prompts: Prompts
    repeats: Annotated[int | None, typer.Option(help="Times that each trial is asked. Default: the suite's own.")]
    preset: Annotated[str | None, typer.Option(help="Published sampling settings, and the judge that they name.")]
    temperature: Annotated[float | None, typer.Option(help="Sampling temperature. Default: the model's own.")]
    max_tokens: Annotated[int | None, typer.Option(help="Maximum tokens of a reply.")]
    top_p: Annotated[float | None, typer.Option(help="Nucleus sampling, above 0 up to 1.")]
    top_k: Annotated[int | None, typer.Option(help="Number of likeliest tokens that are drawn from.")]
    seed: Annotated[int | None, typer.Option(help="Sampling seed of the first repeat, if the provider takes one.")]
    reasoning_effort: Annotated[str | None, typer.Option(help="Reasoning effort of a thinking model: none to max.")]
    reasoning_tokens: Annotated[int | None, typer.Option(help="Maximum tokens of a thinking model's reasoning.")]
    model_args: Annotated[
        list[str] | None, typer.Option("-M", metavar="KEY=VALUE", help="Argument for the model's provider.")
    ]
    base_url: Annotated[str | None, typer.Option(help="OpenAI-compatible server, such as vLLM's.")]
    served: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=VALUE", help="How the model is served: engine=vllm, quantization=awq, gpu=…"),
    ]
    judge: Judge
    roles: Roles
    models: ModelsFile
    rests_on: RestsOn
    accept_errors: AcceptErrors
    self_judge: SelfJudge
    max_connections: Annotated[
        int | None, typer.Option(help="Number of stimuli in flight at the same time. Default: 8.")
    ]
    max_requests: Annotated[
        int | None, typer.Option(help="Maximum requests per attempt, retries included. Default: 5.")
    ]
    attempt_timeout: Annotated[float | None, typer.Option(help="Time limit of one request, in seconds. Default: 120.")]
    stop_after: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KIND=N",
            help="Stop after N failures in a row: auth=3, connection=20, server=20, any other kind; 0 means never.",
        ),
    ]
    budget_tokens: Annotated[
        int | None, typer.Option(help="Stop at this number of tokens, input and output, over all starts.")
    ]
    budget_usd: Annotated[
        float | None, typer.Option(help="Stop at this cost in US dollars, over all starts; needs --prices.")
    ]
    prices: Annotated[
        Path | None, typer.Option(help="US dollars per million tokens, by model: TOML or CSV.", callback=a_file)
    ]
    time_limit: Annotated[
        str | None, typer.Option(metavar="TIME", help="Stop this start after a time: 90, 90s, 45m or 2h.")
    ]
    cache: Annotated[Path | None, typer.Option(help="Folder of replies that runs share.")]
    retry: Annotated[
        str | None,
        typer.Option(
            metavar="STATUS,…",
            help="Also resend trials with these statuses: unparsed, truncated, refused. Errors always are.",
        ),
    ]
    skip_unsupported: Annotated[
        bool, typer.Option("--skip-unsupported", help="Skip trials that the model does not support.")
    ]


def options_of(words: RunWords) -> RunOptions:
    """The words as the keywords that Python takes; raises `InputError` for one that cannot be read."""
    read: dict[str, Any] = dict(words)
    read["settings"] = levels(words.get("settings") or [])
    read["model_args"] = pairs(words.get("model_args") or [])
    read["served"] = _served(words.get("served") or [])
    read["roles"] = roles(words.get("roles") or [])
    read["stop_after"] = _numbers(words.get("stop_after") or [])
    read["time_limit"] = seconds(words.get("time_limit"))
    options: RunOptions = {**read}  # type: ignore[typeddict-item]
    return options


def roles(texts: list[str]) -> dict[str, str]:
    """ROLE=M words as a model for each role; raises `InputError` for one that is given twice."""
    models: dict[str, str] = {}
    for text in texts:
        role, equals, model = (part.strip() for part in text.partition("="))
        if not role or not equals or not model:
            raise InputError(f"--role '{text}': ROLE=M is allowed, such as captioner=openai/some-model")
        if role in models:
            raise InputError(f"--role {role} is given twice: once is allowed")
        models[role] = model
    return models


def _numbers(texts: list[str]) -> dict[str, int]:
    numbers: dict[str, int] = {}
    for text in texts:
        kind, equals, number = (part.strip() for part in text.partition("="))
        if not kind or not equals or not number.isdecimal() or len(number) > 9:
            raise InputError(f"--stop-after '{text}': KIND=N is allowed, such as server=50")
        if kind in numbers:
            raise InputError(f"--stop-after {kind} is given twice: once is allowed")
        numbers[kind] = int(number)
    return numbers


def _served(texts: list[str]) -> dict[str, str]:
    models: dict[str, str] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not key.strip() or not equals or not value.strip():
            raise InputError(f"--served '{text}': KEY=VALUE is allowed, such as engine=vllm")
        if key.strip() in models:
            raise InputError(f"--served {key.strip()} is given twice: once is allowed")
        models[key.strip()] = value.strip()
    return models


def seconds(text: str | None) -> float | None:
    """A time in words as seconds.

    >>> seconds("90"), seconds("1.5h"), seconds("45m")
    (90.0, 5400.0, 2700.0)
    """
    if text is None:
        return None
    number, unit = (text[:-1], text[-1:]) if text[-1:] in _SECONDS else (text, "s")
    try:
        duration = float(number) * _SECONDS[unit]
    except ValueError:
        duration = math.nan
    if not (math.isfinite(duration) and duration > 0):
        raise InputError(f"--time-limit '{text}': a time above 0 is allowed, such as 90, 90s, 45m or 2h")
    return duration
