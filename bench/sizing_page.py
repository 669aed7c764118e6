"""The page on sizing, made of what `bench.sizing` measured and of the assumptions that stand here."""

from __future__ import annotations

from typing import Any

from veridical.base.markdown import table

TRIALS = (10**6, 10**7, 10**8)
RATE = 10.0
"""Questions with one picture that a server answers per second."""
DAYS = 7.0
REPLY_BYTES, REPLY_TOKENS = 200, 50
PICTURE_TOKENS = 350
INPUT, OUTPUT = 0.5, 1.5
"""US dollars per million tokens."""

_NAMES = {10**6: "10⁶", 10**7: "10⁷", 10**8: "10⁸"}

Sizes = dict[str, float]


def page(measured: dict[str, Any]) -> str:
    """The page in Markdown; `measured` is what `bench.sizing` stores."""
    suites: dict[str, Sizes] = measured["suites"]
    rate, metrics = measured["questions_per_cpu_s"], measured["analyzed"]["metrics"]["MB"] / 1000
    return f"""# Sizing

What 10⁶ to 10⁸ trials take, on paper. `veridical plan` counts the tokens, money and time of a set of yours.
`python -m bench.sizing`, in the source tree, draws quick sets at the usual size, asks an embedded observer, weighs the
files, and writes this page; only the assumptions are stated by hand.

## Assumptions

| symbol | value | what it is |
|---|---:|---|
| q | {RATE:g} | questions that one server answers per second, with one picture in each; with P pictures, q / P |
| D | {DAYS:g} | days in which all are to be answered |
| R | {REPLY_BYTES} bytes, {REPLY_TOKENS} tokens | a reply |
| V | {PICTURE_TOKENS} tokens | a picture of about 512 × 512 px |
| p | {INPUT:g} and {OUTPUT:g} US dollars | a million tokens in and out |

They are examples. Replace q by the rate of a run of yours (its last lines show it), V and p by those of your model.

## A trial

{_trial(suites)}

- **Stimulus**: its own pictures or clips. **Derived**: pictures made of these, such as frames and marked ones.
- **Sent**: all pictures of a request as base64. **Record**: the line in `responses.jsonl` without the reply's text.
  **Trial**: its row in `trials.parquet` of a small run, which takes more for each than a large one.

## Totals

With N trials, T for each stimulus, P pictures and t tokens of text in each request:

- servers: N × max(1, P) / (q × D × 86,400)
- media: N / T × (stimulus + derived), once for all models
- replies: N × (record + R), for each model and repeat; `veridical pack` makes less of it
- sent: N × sent, for each model and repeat
- money: N × ((t + P × V) × p in + R × p out) / 10⁶

{_totals(suites)}

## The machine that asks

- **Rate.** One process asks up to {rate:g} questions with a picture in a second of a core ({rate / RATE:.0f} servers at
  q), by `python -m bench.asking --parts core`, which counts the processor's time. Beyond that, ask in
  [shards](scale.md#shards-slurm-and-others): one process for each, on one machine or many.
- **Memory.** While it asks, it holds the planned trials of its shard. A million of them at once took 7.5 GB where
  `bench.large` plans them, so shards of 100,000 trials should take less than 1 GB each.
- **Resuming.** The same command plans nothing again: it reads which trials lack a reply, and holds these alone. All are
  planned anew where the command asks anything else than the one before, or the library or the suite has changed; with
  `--retry`; where media are derived, such as frames; where trials begin the model's turn; and for embedded observers
  that see more than messages. Later stages are always planned anew, since they follow from replies.
- **Network.** A question sends {_network(suites)}.

## Analysis

A run of a million outcomes of VI-Probe on one core (`python -m bench.large`):

{_analysis(measured["analyzed"])}

Memory grows with the outcomes: by extrapolation, which is not measured, `metrics` takes {10 * metrics:.0f} GB for 10⁷
and {100 * metrics:.0f} GB for 10⁸. Above 10⁷, make several sets with seeds of their own, and a run of each: intervals
are narrow long before that.
"""


def _trial(suites: dict[str, Sizes]) -> str:
    head = ["suite", "trials a stimulus", "stimulus, KB", "derived, KB", "pictures", "sent, KB", "text, tokens"]
    head += ["record, bytes", "trial, bytes"]
    keys = ["trials_per_stimulus", "media_kb_per_stimulus", "derived_kb_per_stimulus", "pictures", "sent_kb"]
    keys += ["text_tokens", "response_bytes", "trial_bytes"]
    return table(head, [[name, *(f"{sizes[key]:,g}" for key in keys)] for name, sizes in suites.items()])


def _totals(suites: dict[str, Sizes]) -> str:
    head = ["trials", "suite", "servers", "media, GB", "replies, GB", "sent, TB", "US dollars"]
    rows = [
        [_NAMES[many], name, *(_rounded(each) for each in totals(sizes, many).values())]
        for many in TRIALS
        for name, sizes in suites.items()
    ]
    return table(head, rows)


def totals(sizes: Sizes, trials: int) -> dict[str, float]:
    """What so many trials of a suite take, by the formulas of the page; GB are of 10⁹ bytes."""
    per_stimulus = sizes["media_kb_per_stimulus"] + sizes["derived_kb_per_stimulus"]
    tokens_in = sizes["text_tokens"] + sizes["pictures"] * PICTURE_TOKENS
    return {
        "servers": trials * max(1.0, sizes["pictures"]) / (RATE * DAYS * 86_400),
        "media_gb": trials / sizes["trials_per_stimulus"] * per_stimulus / 1e6,
        "replies_gb": trials * (sizes["response_bytes"] + REPLY_BYTES) / 1e9,
        "sent_tb": trials * sizes["sent_kb"] / 1e9,
        "usd": trials * (tokens_in * INPUT + REPLY_TOKENS * OUTPUT) / 1e6,
    }


_NAMED = {
    "resumed": "`run` that has all replies",
    "rest": "`run` that lacks 1 % of its replies, until it has them",
    "whole": "the same with its tables",
}


def _analysis(analyzed: dict[str, dict[str, float]]) -> str:
    names = {verb: f"`{verb}`" for verb in analyzed} | _NAMED
    cells = [[names[verb], f"{each['CPU s']:g}", _mb(each)] for verb, each in analyzed.items()]
    return table(["verb", "CPU s", "MB"], cells)


def _mb(each: dict[str, float]) -> str:
    return f"{each['MB']:,.0f}" if "MB" in each else "not measured"


def _network(suites: dict[str, Sizes]) -> str:
    sent = [sizes["sent_kb"] for sizes in suites.values()]
    return f"{min(sent):,g} to {max(sent):,g} KB, by suite"


def _rounded(value: float) -> str:
    """Two digits, as on paper.

    >>> _rounded(0.0417), _rounded(8.27), _rounded(1234)
    ('0.042', '8.3', '1,200')
    """
    return f"{float(f'{value:.2g}'):,g}" if value else "0"
