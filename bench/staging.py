"""Taking up a run of 20,000 trials over three stages, all of them answered: how long it takes to plan it all again.

`python -m bench.staging` draws a set of items of text alone, has an embedded observer answer three stages (a question,
a verdict on each reply, a second look), and then starts the same run once more, which plans every stage anew from the
stored replies and has nothing to ask.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from veridical import verbs
from veridical.answers import LENIENT_CHOICE
from veridical.base.options import Options, Recipe
from veridical.observers import Observer
from veridical.records import Chunk, Message, Source, Stimulus, Text, Trial
from veridical.stimulus_set import NotMeasurable
from veridical.suite import registry
from veridical.suite.evidence import Evidence
from veridical.suite.parts import AnalysisPart, AskingPart, DesignPart
from veridical.suite.record import Suite
from veridical.suite.stages import JUDGE, AskingOptions, Stage
from veridical.verbs import sets

TRIALS, PER_CHUNK = 20_000, 100
WORDS = ("yes", "no")


def _make(options: Options, chunk: Chunk) -> Iterator[tuple[Stimulus, tuple[bytes, ...]]]:
    for index in range(PER_CHUNK):
        unit = f"items/{chunk.index:04}-{index:03}"
        own: dict[str, Any] = {"suite": "staged", "family": "items", "category": "text", "variant": "one"}
        own |= {"question": f"Is {index} even?", "label": WORDS[index % 2], "seed": options.seed}
        yield Stimulus(id=unit, unit=unit, media=(), **own), ()


def _chunks(options: Options) -> Sequence[Chunk]:
    return [Chunk("items", index) for index in range(options.units)]


def _asked(stimulus: Stimulus, stage: str, form: str, text: str, **others: Any) -> Trial:  # noqa: ANN401
    messages = (Message("user", (Text(f"{text} Answer <answer>yes</answer> or <answer>no</answer>."),)),)
    own: dict[str, Any] = {"stage": stage, "reader": "tagged", "prompt": "one", "expects": {"options": list(WORDS)}}
    return Trial.about(stimulus, form, messages=messages, **own, **others)


def _first(stimuli: Iterable[Stimulus], asking: AskingOptions, evidence: Evidence) -> Iterator[Trial]:  # noqa: ARG001
    for stimulus in stimuli:
        yield _asked(stimulus, "ask", "ask", stimulus.question)


def _verdicts(stimuli: Iterable[Stimulus], asking: AskingOptions, evidence: Evidence) -> Iterator[Trial]:  # noqa: ARG001
    known = {stimulus.id: stimulus for stimulus in stimuli}
    for row in evidence.outcomes("ask").iter_rows(named=True):
        text = f"Is «{row['text']}» right?"
        yield _asked(known[row["stimulus"]], "judge", "judge", text, sources=(Source.of(row),))


def _again(stimuli: Iterable[Stimulus], asking: AskingOptions, evidence: Evidence) -> Iterator[Trial]:  # noqa: ARG001
    known = {stimulus.id: stimulus for stimulus in stimuli}
    for row in evidence.outcomes("judge").iter_rows(named=True):
        stimulus = known[row["stimulus"]]
        yield _asked(stimulus, "again", "again", stimulus.question, sources=(Source.of(row, read=True),))


def _says_yes(model_args: Mapping[str, Any], run: Path | None) -> Any:  # noqa: ANN401, ARG001
    return lambda messages, told: "<answer>yes</answer>"  # noqa: ARG005


SUITE = Suite(
    name="staged",
    title="Staged",
    citation="",
    later_stages=("judge", "again"),
    parts={
        "options": Options,
        "recipes": {"all": Recipe()},
        "design": DesignPart(
            families=("items",), factors={}, chunks=_chunks, make=_make, verify=lambda *_: NotMeasurable("text alone")
        ),
        "asking": AskingPart(
            stages=(
                Stage(name="ask", trials=_first),
                Stage(name="judge", role=JUDGE, needs=("ask",), trials=_verdicts),
                Stage(name="again", needs=("judge",), trials=_again),
            ),
            readers={"tagged": (LENIENT_CHOICE,)},
        ),
        "analysis": AnalysisPart(measures={}, estimates=lambda _: [], headline=()),
        "observers": {"yes": Observer(help="says yes", sees="messages", opened=_says_yes)},
    },
)


def main() -> None:
    """Prints the seconds of both starts as JSON."""
    registry.register(SUITE)
    with tempfile.TemporaryDirectory() as scratch:
        units = -(-TRIALS // (3 * PER_CHUNK))
        whole = sets.make("staged", out=Path(scratch, "set"), units=units)
        spent = []
        for _ in range(2):
            began, worked = perf_counter(), process_time()
            run = verbs.run(
                whole, "veridical/yes", judge="veridical/yes", out=Path(scratch, "run"), show="quiet", analyze=False
            )
            spent.append({"s": round(perf_counter() - began, 2), "cpu_s": round(process_time() - worked, 2)})
        asked = sum(each.counts.asked for each in run.staged)
        print(json.dumps({"trials": asked, "first": spent[0], "again": spent[1]}))  # noqa: T201


if __name__ == "__main__":
    main()
