"""The options of a run, each declared once: the keyword that Python takes, its flag on the command line, and its help.

Only what declares is loaded here. What is allowed is checked where the options are used, with one message for a
keyword, a flag, and a table of the file of models.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple, TypedDict, get_args, get_type_hints


class RunFlag(NamedTuple):
    """An option of a run as a flag: its help, the word for its value, and its names if not the option's own.

    One that is `shared` holds for every role, any other for the model under test or for the run as a whole.
    """

    help: str
    metavar: str | None = None
    names: tuple[str, ...] = ()
    shared: bool = False


class RunOptions(TypedDict, total=False):
    """Keywords of `run`, `dry_run`, `plan` and `judge`; what is left out, or `None`, is left to the suite or the model.

    What is asked, how replies are sampled, and who answers make a run what it is, from `limit` to `rests_on`. The rest
    may change from start to start.
    """

    limit: Annotated[int | None, RunFlag("Maximum number of base items, spread evenly across families.", shared=True)]
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
    repeats: Annotated[int | None, RunFlag("Times that each trial is asked. Default: the suite's own.", shared=True)]
    preset: Annotated[str | None, RunFlag("Published sampling settings, and the judge that they name.")]
    temperature: Annotated[float | None, RunFlag("Sampling temperature. Default: the model's own.")]
    max_tokens: Annotated[int | None, RunFlag("Maximum tokens of a reply.")]
    top_p: Annotated[float | None, RunFlag("Nucleus sampling, above 0 up to 1.")]
    top_k: Annotated[int | None, RunFlag("Number of likeliest tokens that are drawn from.")]
    seed: Annotated[
        int | None, RunFlag("Sampling seed of the first repeat, one more for each other, if the provider takes one.")
    ]
    reasoning_effort: Annotated[str | None, RunFlag("Reasoning effort of a thinking model: none to max.")]
    reasoning_tokens: Annotated[int | None, RunFlag("Maximum tokens of a thinking model's reasoning.")]
    model_args: Annotated[
        Mapping[str, Any] | None,
        RunFlag("Argument for the model's provider; as KEY.STAGE=VALUE, in one stage.", "KEY=VALUE", ("-M",)),
    ]
    base_url: Annotated[str | None, RunFlag("OpenAI-compatible server, such as vLLM's.")]
    served: Annotated[
        Mapping[str, str] | None,
        RunFlag("How the model is served: engine=vllm, quantization=awq, gpu=…", "KEY=VALUE"),
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
        int | None, RunFlag("Number of stimuli in flight at the same time. Default: 8.", shared=True)
    ]
    max_requests: Annotated[
        int | None, RunFlag("Maximum requests per attempt, retries included. Default: 5.", shared=True)
    ]
    attempt_timeout: Annotated[
        float | None, RunFlag("Time limit of one request, in seconds. Default: 120.", shared=True)
    ]
    stop_after: Annotated[
        Mapping[str, int] | None,
        RunFlag(
            "Stop after N failures in a row: auth=3, connection=20, server=20, any other kind; 0 means never.",
            "KIND=N",
        ),
    ]
    budget_tokens: Annotated[
        int | None,
        RunFlag("Stop at this number of tokens, input and output, over all starts and roles.", shared=True),
    ]
    budget_usd: Annotated[
        float | None,
        RunFlag("Stop at this cost in US dollars, over all starts and roles; needs --prices.", shared=True),
    ]
    prices: Annotated[Path | str | None, RunFlag("US dollars per million tokens, by model: TOML or CSV.", shared=True)]
    time_limit: Annotated[
        float | None, RunFlag("Stop this start after a time: 90, 90s, 45m or 2h.", "TIME", shared=True)
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


FLAGS: Mapping[str, RunFlag] = {
    name: get_args(hint)[1] for name, hint in get_type_hints(RunOptions, include_extras=True).items()
}
"""How each option stands on the command line, by name."""

KINDS: Mapping[str, Any] = get_type_hints(RunOptions)
"""What the value of each option is, by name."""

RunOptions.__doc__ = "\n".join(
    [f"{RunOptions.__doc__}".rstrip(), "", *(f"    - `{name}`: {flag.help}" for name, flag in FLAGS.items())]
)
