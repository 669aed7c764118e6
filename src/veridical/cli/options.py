"""The options of a run as words on the command line, shared by the verbs that take them."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypedDict, get_type_hints

import typer

from veridical.cli.common import levels, pairs
from veridical.errors import InputError

if TYPE_CHECKING:
    from veridical.verbs.run_options import Options

_SECONDS = {"s": 1.0, "m": 60.0, "h": 3600.0}


class RunWords(TypedDict, total=False):
    """What `run` and `plan` take; see `veridical.verbs.run_options.Options` for what each is."""

    limit: Annotated[int | None, typer.Option(help="So many whole units, evenly over the cases.")]
    settings: Annotated[
        list[str] | None,
        typer.Option("--setting", "-S", metavar="NAME=LEVEL,…", help="Levels to cross: instruction=none,weigh …"),
    ]
    prompts: Annotated[Path | None, typer.Option(help="Folder with other wordings for the suite's own.")]
    repeats: Annotated[int | None, typer.Option(help="How often each trial is asked. Default: once.")]
    preset: Annotated[str | None, typer.Option(help="A published way of sampling: paper.")]
    temperature: Annotated[float | None, typer.Option(help="Sampling temperature. Default: the model's own.")]
    max_tokens: Annotated[int | None, typer.Option(help="Limit of a reply's length.")]
    top_p: Annotated[float | None, typer.Option(help="Nucleus sampling, above 0 up to 1.")]
    seed: Annotated[int | None, typer.Option(help="Sampling seed of the first repeat, where the provider takes one.")]
    reasoning_effort: Annotated[str | None, typer.Option(help="How hard a thinking model thinks: none to max.")]
    reasoning_tokens: Annotated[int | None, typer.Option(help="The most that a thinking model thinks.")]
    model_args: Annotated[list[str] | None, typer.Option("-M", metavar="KEY=VALUE", help="For the provider.")]
    base_url: Annotated[str | None, typer.Option(help="An OpenAI-compatible server, such as vLLM's.")]
    served: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=VALUE", help="How the model is served: engine=vllm, quantization=awq, gpu=…"),
    ]
    max_connections: Annotated[int | None, typer.Option(help="Pictures asked about at the same time. Default: 8.")]
    max_requests: Annotated[int | None, typer.Option(help="Requests for one attempt, retries included. Default: 5.")]
    attempt_timeout: Annotated[float | None, typer.Option(help="Seconds that one request may take. Default: 120.")]
    budget_tokens: Annotated[int | None, typer.Option(help="Stop at so many tokens over all starts, in and out.")]
    budget_usd: Annotated[
        float | None, typer.Option(help="Stop at so many US dollars over all starts; needs --prices.")
    ]
    prices: Annotated[Path | None, typer.Option(help="Dollars for a million tokens, by model: TOML or CSV.")]
    time_limit: Annotated[str | None, typer.Option(metavar="TIME", help="Stop this start after 90, 90s, 45m or 2h.")]
    cache: Annotated[Path | None, typer.Option(help="Folder of replies that runs share.")]
    retry: Annotated[str | None, typer.Option(help="Ask these again: unparsed,truncated,refused. Errors always are.")]
    skip_unsupported: Annotated[bool, typer.Option("--skip-unsupported", help="Leave out what cannot be asked.")]


def takes_run_words(verb: Callable[..., None]) -> Callable[..., None]:
    """The verb with its `**words` spelled out for Typer as the options of `RunWords`."""
    own = inspect.signature(verb).parameters.values()
    hints = {name: hint for name, hint in get_type_hints(verb, include_extras=True).items() if name != "words"}
    spelled = get_type_hints(RunWords, include_extras=True)
    parameters = [each.replace(annotation=hints[each.name]) for each in own if each.kind is not each.VAR_KEYWORD]
    parameters += [
        inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=False if name == "skip_unsupported" else None, annotation=hint
        )
        for name, hint in spelled.items()
    ]
    spelled_out: Any = verb
    spelled_out.__signature__ = inspect.Signature(parameters)
    spelled_out.__annotations__ = hints | spelled
    return verb


def options_of(words: RunWords) -> Options:
    """The words as the keywords that Python takes; raises `InputError` for one that cannot be read."""
    read: dict[str, Any] = dict(words)
    read["settings"] = levels(words.get("settings") or [])
    read["model_args"] = pairs(words.get("model_args") or [])
    read["served"] = _served(words.get("served") or [])
    read["time_limit"] = _seconds(words.get("time_limit"))
    options: Options = {**read}  # type: ignore[typeddict-item]
    return options


def _served(texts: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not key.strip() or not equals or not value.strip():
            raise InputError(f"--served '{text}': KEY=VALUE is allowed, such as engine=vllm")
        if key.strip() in found:
            raise InputError(f"--served {key.strip()} is given twice: once is allowed")
        found[key.strip()] = value.strip()
    return found


def _seconds(text: str | None) -> float | None:
    """A time in words as seconds.

    >>> _seconds("90"), _seconds("1.5h"), _seconds("45m")
    (90.0, 5400.0, 2700.0)
    """
    if text is None:
        return None
    number, unit = (text[:-1], text[-1:]) if text[-1:] in _SECONDS else (text, "s")
    try:
        seconds = float(number) * _SECONDS[unit]
    except ValueError:
        seconds = math.nan
    if not (math.isfinite(seconds) and seconds > 0):
        raise InputError(f"--time-limit '{text}': a time above 0 is allowed, such as 90, 90s, 45m or 2h")
    return seconds
