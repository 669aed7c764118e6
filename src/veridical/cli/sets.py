"""Verbs on stimulus sets: make, check, describe, share, and trials for other runners."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from veridical.cli.common import JsonFlag, SetFolder, a_run_or_set, app, bar, tell
from veridical.cli.options import options_of, takes
from veridical.cli.set_words import SetWords
from veridical.cli.suite_verbs import takes_suite
from veridical.errors import InputError


@takes_suite(recipe=lambda suite: next(iter(suite.recipes)))
@takes("workers", "cluster")
def make(
    suite: str,
    chosen: SetWords,
    out: Annotated[Path, typer.Option(help="Folder for the stimulus set, new or empty.")],
    as_json: JsonFlag = False,
    **words: Any,  # noqa: ANN401
) -> None:
    """Draw a stimulus set. The same command resumes a stopped one."""
    from veridical.verbs import sets
    from veridical.verbs.standard import standard_comparison

    with bar("drawing units") as progress:
        made = sets.make(suite, out=out, progress=progress, **words, **chosen)
    facts = {"set": str(made.folder), "stimuli": len(made), "counts": made.manifest["counts"]}
    lines = [f"{len(made):,} stimuli in {made.folder}"]
    if compared := standard_comparison(made):
        facts |= compared.facts()
        lines.append(compared.words)
    tell(facts, lines, as_json=as_json)


@app.command()
@takes("workers", "cluster")
def check(stimuli: SetFolder, as_json: JsonFlag = False, **words: Any) -> None:  # noqa: ANN401
    """Measure and hash every medium of a set again. Exit code 2 if anything is wrong."""
    from veridical.verbs import sets

    with bar("measuring stimuli") as progress:
        report = sets.check(stimuli, progress=progress, workers=words["workers"], cluster=words["cluster"])
    lines = [f"{failure['id']}: {failure['problem']}" for failure in report.failed]
    unsound = report.stimuli - report.verified
    lines += [f"{report.stimuli:,} stimuli, {report.verified:,} verified, {unsound:,} failed"]
    if others := len(report.failed) - unsound:
        lines += [f"{others:,} more found in the table as a whole, or among files that no row names"]
    lines += [f"{count:,} not measurable from the media: {reason}" for reason, count in report.not_measurable.items()]
    tell(asdict(report), lines, as_json=as_json)
    if report.failed:
        raise typer.Exit(2)


@app.command()
def describe(stimuli: SetFolder, as_json: JsonFlag = False) -> None:
    """Count what a set holds, and write it into its data set card."""
    from veridical.verbs import sets

    facts = sets.describe(stimuli)
    tell(facts, facts.lines, as_json=as_json)


@app.command()
def share(
    stimuli: SetFolder,
    out: Annotated[Path, typer.Option(help="Archive that ends in .zip, new or overwritten, or a new or empty folder.")],
    as_json: JsonFlag = False,
) -> None:
    """Pack a set for others.

    Media that may not be passed on are left out: their ids, hashes and how to obtain them take their place.
    """
    from veridical.verbs.share import share as packed

    with bar("packing stimuli") as progress:
        made = packed(stimuli, out, progress=progress)
    lines = [f"{made.stimuli:,} stimuli with their media in {made.out}"]
    if not made.with_media:
        lines = [
            f"ids and hashes of {made.stimuli:,} stimuli in {made.out}, without their media, questions and answers:",
            "others made them, and nobody stated that they may be passed on (`veridical import --passed-on` does)",
        ]
    tell({**asdict(made), "out": str(made.out)}, lines, as_json=as_json)


@app.command()
@takes("settings", "prompts", "limit", "rests_on", "accept_errors", "logprobs", "top_logprobs")
def trials(
    place: Annotated[
        Path,
        typer.Argument(metavar="PLACE", help="A stimulus set; for a later stage, a run folder.", callback=a_run_or_set),
    ],
    out: Annotated[Path, typer.Option(help="JSON Lines file, new or overwritten.")],
    stage: Annotated[str | None, typer.Option(help="Stage of the suite. Default: the first.")] = None,
    batch: Annotated[
        bool,
        typer.Option(
            "--batch", help="Write the input of an OpenAI batch, with media inside; several files if one is too large."
        ),
    ] = False,
    model: Annotated[str | None, typer.Option(help="Name of the model in a batch.")] = None,
    temperature: Annotated[float | None, typer.Option(help="Sampling temperature of a batch.")] = None,
    max_tokens: Annotated[int | None, typer.Option(help="Maximum tokens of a reply in a batch.")] = None,
    gold: Annotated[bool, typer.Option("--gold", help="Add the true answers.")] = False,
    as_json: JsonFlag = False,
    **words: Any,  # noqa: ANN401
) -> None:
    """Write the trials that a run would ask. `veridical/replay` with `-M answers.STAGE=FILE` reads the replies."""
    sampled: dict[str, str | float | None] = {"model": model, "temperature": temperature, "max_tokens": max_tokens}
    asked = {"logprobs": words["logprobs"] or None, "top_logprobs": words["top_logprobs"]}
    _require_fitting({**sampled, **asked}, batch=batch, gold=gold)
    from veridical import verbs

    options: dict[str, Any] = {**options_of(words), **sampled}
    written = verbs.write_trials(place, out, stage=stage, gold=gold, batch=batch, **options)
    sizes = {str(file): file.stat().st_size for file in written.files}
    facts = {"file": str(out), "trials": written.lines, "bytes": sum(sizes.values())}
    lines = [f"{written.lines:,} trials in {out} ({sum(sizes.values()) / 1e6:.1f} MB)"]
    if len(sizes) > 1:
        facts["files"] = [{"file": file, "bytes": size} for file, size in sizes.items()]
        lines = [
            f"{written.lines:,} trials in {len(sizes):,} files, because one would exceed the size limit of a batch:"
        ]
        lines += [f"  {file} ({size / 1e6:.1f} MB)" for file, size in sizes.items()]
    tell(facts, lines, as_json=as_json)


def _require_fitting(sampled: Mapping[str, str | float | None], *, batch: bool, gold: bool) -> None:
    """Raises `InputError` for flags that do not go together, before anything is loaded."""
    named = [f"--{name.replace('_', '-')}" for name, value in sampled.items() if value is not None]
    if batch and not sampled["model"]:
        raise InputError("--batch needs --model NAME: a batch file names the model that is to answer")
    if batch and gold:
        raise InputError("--gold beside --batch: a batch file is sent to the model, so it holds no true answers")
    if named and not batch:
        raise InputError(f"{', '.join(named)} without --batch: only a batch file names the model and its sampling")
