"""The options of a run, each declared once: the keyword that Python takes, its flag on the command line, and its help.

Only what declares is loaded here. The allowed range stands here too, so that a keyword, a flag with its help, and a
table of the file of models cannot drift apart: all are checked by `require_allowed`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple, TypedDict, get_args, get_type_hints

from veridical.errors import InputError

MOST_CONNECTIONS = 1000
MOST_REPEATS = 1000
MOST_WORKERS = 1000
MOST_GPUS = 64
MOST_TOPS = 20
EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")


class NumberRange(NamedTuple):
    """The numbers that an option may be: from `least` to `most`, `least` itself only if it is not `above`.

    >>> str(NumberRange(1, 1000)), str(NumberRange(0)), str(NumberRange(0, 1, above=True))
    ('1 to 1000', '0 or more', 'more than 0, up to 1')
    >>> 0 in NumberRange(0), 0 in NumberRange(0, above=True), float("inf") in NumberRange(0)
    (True, False, False)
    """

    least: float
    most: float | None = None
    above: bool = False

    def __contains__(self, value: object) -> bool:
        if not isinstance(value, int | float) or not math.isfinite(value):
            return False
        most = math.inf if self.most is None else self.most
        return self.least <= value <= most and not (self.above and value == self.least)

    def __str__(self) -> str:
        if self.above:
            return f"more than {self.least:g}" + (f", up to {self.most:g}" if self.most is not None else "")
        return f"{self.least:g} or more" if self.most is None else f"{self.least:.15g} to {self.most:.15g}"


class RunFlag(NamedTuple):
    """An option of a run as a flag: its help, the word for its value, its names if not the option's own, its values.

    One that is `shared` holds for every role, any other for the model under test or for the run as a whole. `allowed`
    is a range of numbers, or a choice of words; `None` if only the kind of the value matters.
    """

    help: str
    metavar: str | None = None
    names: tuple[str, ...] = ()
    shared: bool = False
    allowed: NumberRange | tuple[str, ...] | None = None

    @property
    def allowed_words(self) -> str:
        """What is allowed, in words; empty if only the kind of the value matters."""
        return str(self.allowed or "") if isinstance(self.allowed, NumberRange | None) else ", ".join(self.allowed)


class RunOptions(TypedDict, total=False):
    """Keywords of `run`, `dry_run`, `plan` and `judge`; what is left out, or `None`, is left to the suite or the model.

    What is asked, how replies are sampled, and who answers make a run what it is, from `limit` to `rests_on`. The rest
    may change from start to start.
    """

    limit: Annotated[
        int | None,
        RunFlag("Maximum number of base items, spread evenly over families.", shared=True, allowed=NumberRange(1)),
    ]
    shard: Annotated[
        str | None,
        RunFlag(
            "Ask shard K of N base items, for `merge`; auto: by Slurm's array, or RANK and WORLD_SIZE.",
            "K/N",
            shared=True,
        ),
    ]
    stop_at: Annotated[
        str | None,
        RunFlag(
            "Ask in rounds until this is known: verdict, or width=5, the half width of the main figure in points.",
            "GOAL",
        ),
    ]
    max_questions: Annotated[
        int | None,
        RunFlag("Most questions with --stop-at. Default: the suite's own.", "N", allowed=NumberRange(1)),
    ]
    settings: Annotated[
        Mapping[str, str | Sequence[str]] | None,
        RunFlag(
            "Levels of a setting, as `veridical suites` lists them; several are crossed.",
            "NAME=LEVEL,…",
            ("--setting", "-S"),
            shared=True,
        ),
    ]
    prompts: Annotated[Path | str | None, RunFlag("Folder of prompts that replace the suite's own.", shared=True)]
    repeats: Annotated[
        int | None,
        RunFlag(
            "Times each trial is asked. Default: the suite's own.", shared=True, allowed=NumberRange(1, MOST_REPEATS)
        ),
    ]
    preset: Annotated[str | None, RunFlag("Published sampling settings, and the judge that they name.")]
    temperature: Annotated[
        float | None, RunFlag("Sampling temperature. Default: the model's own.", allowed=NumberRange(0))
    ]
    max_tokens: Annotated[int | None, RunFlag("Maximum tokens of a reply.", allowed=NumberRange(1))]
    top_p: Annotated[
        float | None,
        RunFlag(
            "Nucleus sampling: probability of the tokens that are drawn from.", allowed=NumberRange(0, 1, above=True)
        ),
    ]
    top_k: Annotated[int | None, RunFlag("Number of likeliest tokens that are drawn from.", allowed=NumberRange(1))]
    seed: Annotated[
        int | None,
        RunFlag(
            "Sampling seed of the first repeat, one more for each other, if the provider takes one.",
            allowed=NumberRange(0, 2**31 - 1),
        ),
    ]
    reasoning_effort: Annotated[str | None, RunFlag("Reasoning effort of a thinking model.", allowed=EFFORTS)]
    reasoning_tokens: Annotated[int | None, RunFlag("Maximum tokens of a model's reasoning.", allowed=NumberRange(0))]
    logprobs: Annotated[
        bool, RunFlag("Store the log probabilities of the likeliest tokens where a reply states its answer.")
    ]
    top_logprobs: Annotated[
        int | None,
        RunFlag("How many likeliest tokens to ask for. Default: 20.", allowed=NumberRange(2, MOST_TOPS)),
    ]
    forced_answer: Annotated[
        bool,
        RunFlag("With --logprobs: after a reply with reasons, a second request for its answer without them."),
    ]
    model_args: Annotated[
        Mapping[str, Any] | None,
        RunFlag("Argument for the model's provider; as KEY.STAGE=VALUE, in one stage.", "KEY=VALUE", ("-M",)),
    ]
    base_url: Annotated[
        str | Sequence[str] | None,
        RunFlag("OpenAI-compatible server, such as vLLM's; several of one model, each with its --base-url.", "URL"),
    ]
    served: Annotated[
        Mapping[str, str] | None, RunFlag("How the model is served: engine=vllm, quantization=awq, gpu=…", "KEY=VALUE")
    ]
    judge: Annotated[str | None, RunFlag("Model that judges: PROVIDER/NAME, one of --models, or rule.", "M")]
    roles: Annotated[
        Mapping[str, str] | None, RunFlag("Model for another role of the suite's stages.", "ROLE=M", ("--role",))
    ]
    models: Annotated[
        Path | str | None, RunFlag("TOML file with models: endpoint, sampling, price, facts. Default: models.toml.")
    ]
    rests_on: Annotated[str | None, RunFlag("Judge whose verdicts later stages use, if there are several.", "M")]
    accept_errors: Annotated[bool, RunFlag("Start later stages even if requests ended in errors.")]
    self_judge: Annotated[bool, RunFlag("Allow the model under test as its own judge.")]
    max_connections: Annotated[
        int | None,
        RunFlag(
            "Number of stimuli in flight at a time. Default: 8, then 16, 32 and 64 while questions per second rise.",
            shared=True,
            allowed=NumberRange(1, MOST_CONNECTIONS),
        ),
    ]
    max_requests: Annotated[
        int | None,
        RunFlag(
            "Maximum requests per attempt, retries included. Default: 5.", shared=True, allowed=NumberRange(1, 100)
        ),
    ]
    attempt_timeout: Annotated[
        float | None,
        RunFlag(
            "Time limit of a request, in seconds. Default: 120.",
            shared=True,
            allowed=NumberRange(0, 86_400, above=True),
        ),
    ]
    stop_after: Annotated[
        Mapping[str, int] | None,
        RunFlag(
            "Stop after N failures in a row: auth=3, connection=20, server=20, any other kind; 0 means never.", "KIND=N"
        ),
    ]
    budget_tokens: Annotated[
        int | None,
        RunFlag(
            "Stop at this number of tokens, in and out, over all starts and roles.", shared=True, allowed=NumberRange(1)
        ),
    ]
    budget_usd: Annotated[
        float | None,
        RunFlag(
            "Stop at this cost in US dollars, over all starts and roles; needs --prices.",
            shared=True,
            allowed=NumberRange(0, above=True),
        ),
    ]
    prices: Annotated[Path | str | None, RunFlag("US dollars per million tokens, by model: TOML or CSV.", shared=True)]
    time_limit: Annotated[
        float | None,
        RunFlag(
            "Stop this start after a time: 90, 90s, 45m or 2h.", "TIME", shared=True, allowed=NumberRange(0, above=True)
        ),
    ]
    cache: Annotated[Path | str | None, RunFlag("Folder of replies that runs share.", shared=True)]
    retry: Annotated[
        str | Sequence[str] | None,
        RunFlag(
            "Also resend trials with these statuses: unparsed, truncated, refused. Errors always are.",
            "STATUS,…",
            shared=True,
        ),
    ]
    skip_unsupported: Annotated[bool, RunFlag("Skip trials that the model does not support.", shared=True)]
    workers: Annotated[
        int | None,
        RunFlag(
            "Number of worker processes. Default: one per core; embedded observers are asked in this process. "
            "With --gpus-per-model, of copies of the model.",
            "N",
            shared=True,
            allowed=NumberRange(1, MOST_WORKERS),
        ),
    ]
    cluster: Annotated[
        str | None,
        RunFlag("Ray cluster instead of processes: auto, local or ray://HOST:PORT.", "ADDRESS", shared=True),
    ]
    gpus_per_model: Annotated[
        int | None,
        RunFlag(
            "GPUs of the cluster for each copy of a local model, 0 for CPUs. Default: 1, in as many copies as fit.",
            "G",
            shared=True,
            allowed=NumberRange(0, MOST_GPUS),
        ),
    ]


FLAGS: Mapping[str, RunFlag] = {
    name: get_args(hint)[1] for name, hint in get_type_hints(RunOptions, include_extras=True).items()
}
"""How each option stands on the command line, by name."""

KINDS: Mapping[str, Any] = get_type_hints(RunOptions)
"""What the value of each option is, by name."""


def require_allowed(options: Mapping[str, object]) -> None:
    """Raises `InputError` for a value outside the range, or the choice, of its option; `None` is not stated.

    >>> require_allowed({"top_p": 1.0, "seed": None})
    >>> require_allowed({"top_p": 1.5})
    Traceback (most recent call last):
    veridical.errors.InputError: top_p 1.5: more than 0, up to 1 is allowed
    """
    for name, value in options.items():
        flag = FLAGS.get(name)
        if flag is not None and flag.allowed is not None and value is not None and value not in flag.allowed:
            shown = f"'{value}'" if isinstance(value, str) else value
            are = "is" if isinstance(flag.allowed, NumberRange) else "are"
            raise InputError(f"{name} {shown}: {flag.allowed_words} {are} allowed")


RunOptions.__doc__ = "\n".join(
    [f"{RunOptions.__doc__}".rstrip(), "", *(f"    - `{name}`: {flag.help}" for name, flag in FLAGS.items())]
)
