"""HOCA-Bench's own commands: real clips for anomalies, and prompts for video generators."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from veridical.suites.hocabench.annotate.match import Compare

app = typer.Typer(
    help="Commands of HOCA-Bench alone: prompts for video generators, and real clips beside anomalies.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)
JsonFlag = Annotated[bool, typer.Option("--json", help="Print JSON for machines.")]


@app.command()
def prompts(
    out: Annotated[Path, typer.Option(help="CSV or JSON Lines file, new or overwritten.")],
    sub_types: Annotated[
        list[str] | None, typer.Argument(metavar="SUB_TYPE", help="Sub-types or domains. Default: all eighteen.")
    ] = None,
    count: Annotated[int, typer.Option(help="Number of prompts per sub-type and way.", min=1)] = 10,
    way: Annotated[
        list[str] | None,
        typer.Option(metavar="WAY", help="hard: ordinary events; odd: impossible ones. Default: both."),
    ] = None,
    seed: Annotated[int, typer.Option(help="The same seed gives the same prompts.", min=0)] = 0,
    as_json: JsonFlag = False,
) -> None:
    """Write everyday prompts for a video generator.

    They lead it to physical anomalies: per sub-type, ordinary events that generators get wrong, and impossible ones.
    """
    from veridical.suites.hocabench.annotate.generator_prompts import write_prompts

    number = write_prompts(out, sub_types, count=count, ways=way, seed=seed)
    if as_json:
        typer.echo(json.dumps({"file": str(out), "prompts": number}))
        return
    typer.echo(f"{number:,} prompts in {out}")


@app.command()
def scenes(
    clips: Annotated[Path, typer.Argument(metavar="FOLDER", help="Folder of clips, with tables or without.")],
    out: Annotated[Path, typer.Option(help="Folder for the scenes, new or empty.")],
    shortest: Annotated[float, typer.Option(help="Shortest scene, in seconds.", min=0.0, max=600.0)] = 2.0,
    as_json: JsonFlag = False,
) -> None:
    """Cut clips of several scenes into clips of one scene.

    Needs PySceneDetect: `pip install 'veridical[scenes]'`.
    """
    from veridical.suites.hocabench.annotate.videos import split

    made = split(clips, out, shortest=shortest)
    if as_json:
        left_out = [each._asdict() for each in made.left_out]
        typer.echo(json.dumps({"clips": made.clips, "scenes": made.scenes, "left_out": left_out}, ensure_ascii=False))
        return
    typer.echo(f"{made.scenes:,} scenes of {made.clips:,} clips in {out}")
    for reason, number in made.reasons.items():
        typer.echo(f"left out, {reason}: {number:,}")


@app.command()
def match(
    anomalies: Annotated[Path, typer.Argument(metavar="SET", help="Stimulus set with anomalies.")],
    clips: Annotated[
        Path, typer.Argument(metavar="CLIPS", help="Imported videos with descriptions, or a hoca-annotate run on them.")
    ],
    out: Annotated[Path, typer.Option(help="Folder for the set of both, new or empty.")],
    embeddings: Annotated[
        str | None, typer.Option(metavar="M", help="Text-embedding model. Default: similarity by words (TF-IDF).")
    ] = None,
    base_url: Annotated[str | None, typer.Option(help="OpenAI-compatible endpoint of that model.")] = None,
    models: Annotated[Path | None, typer.Option(help="TOML file with models. Default: models.toml.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Add to each anomaly the real clip nearest to it.

    The clips whose descriptions are most similar in sum are chosen, each at most once.
    """
    from veridical.suites.hocabench.annotate.match import match_clips

    compare, by = _similarity(embeddings, base_url, models)
    made = match_clips(anomalies, clips, out, compare, by=by)
    facts = made.manifest["import"]
    if as_json:
        typer.echo(json.dumps({"set": str(made.folder), "stimuli": len(made), **facts}, ensure_ascii=False))
        return
    typer.echo(f"{len(made):,} stimuli in {made.folder}")
    typer.echo(f"{facts['real_clips']:,} real clips for {facts['anomalies']:,} anomalies, nearest by {by}")
    for reason, number in facts["left_out"]["reasons"].items():
        typer.echo(f"left out, {reason}: {number:,}")


def _similarity(embeddings: str | None, base_url: str | None, models: Path | None) -> tuple[Compare, str]:
    """How texts are compared, and its name."""
    from veridical.errors import InputError
    from veridical.suites.hocabench.annotate.similarity import cosines, lexical

    if embeddings is None:
        if base_url is not None or models is not None:
            raise InputError(f"--{'base-url' if base_url else 'models'} goes with --embeddings M")
        return lexical, "TF-IDF"

    from veridical.suites.hocabench.annotate.similarity import embeddings_of

    def compare(first: list[str], second: list[str]) -> object:
        vectors = embeddings_of([*first, *second], str(embeddings), base_url=base_url, models=models)
        return cosines(vectors[: len(first)], vectors[len(first) :])

    return compare, embeddings  # type: ignore[return-value]
