"""MagicBench's own commands: symmetry of instructions, frames in critical windows, density of saliency maps."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from veridical.base.format import visible
from veridical.suites.magicbench.releases.commands import register

if TYPE_CHECKING:
    from veridical.suites.magicbench.asking.symmetry import Pair
    from veridical.suites.magicbench.audit import Audit

app = typer.Typer(
    help="Commands of MagicBench alone: instructions, critical windows, saliency, real clips, published results.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)
register(app)
JsonFlag = Annotated[bool, typer.Option("--json", help="Print JSON for machines.")]


@app.command()
def symmetry(
    stances: Annotated[
        list[str] | None, typer.Argument(metavar="STANCE STANCE", help="Two stances. Default: each two of all.")
    ] = None,
    prompts: Annotated[Path | None, typer.Option(help="Folder of prompts that replace the suite's own.")] = None,
    bertscore: Annotated[
        bool, typer.Option("--bertscore", help="Also BERTScore F1 of the texts: `pip install 'veridical[bertscore]'`.")
    ] = False,
    bert_model: Annotated[str, typer.Option(help="Model of BERTScore.")] = "roberta-large",
    as_json: JsonFlag = False,
) -> None:
    """Measure how alike the instructions of two stances are.

    Instruction overlap is the F1 of the sets of constraints in the front matter of the two prompts, 0 to 1.
    """
    from veridical.suites.magicbench.asking.symmetry import pairs

    made = pairs(stances or (), prompts, bert_model if bertscore else None)
    if as_json:
        typer.echo(json.dumps([_facts(pair) for pair in made], indent=2, ensure_ascii=False))
        return
    _print_table(made)
    if stances:
        _print_constraints(made[0])


@app.command()
def audit(
    stimuli: Annotated[Path, typer.Argument(metavar="SET", help="Stimulus set with critical windows.")],
    frames: Annotated[
        list[str] | None,
        typer.Option(metavar="RULE", help="Rule of sampling, such as 4fps; repeatable. Default: those of the setting."),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Count clips with a sampled frame inside the critical window.

    Tricks and real clips count, honest controls do not. The interval is Wilson's, at 95 %.
    """
    from veridical.suites.magicbench.asking.cells import SETTINGS
    from veridical.suites.magicbench.audit import audit as audit_of

    made, without = audit_of(stimuli, frames or SETTINGS["frames"])
    if as_json:
        rows = [{**each._asdict(), "share": each.share, "interval": list(each.interval)} for each in made]
        typer.echo(json.dumps({"rules": rows, "without_window": without}, indent=2))
        return
    _print_audit(made, without)


def _print_audit(made: list[Audit], without: int) -> None:
    width = max(len(each.rule) for each in made)
    typer.echo(f"{'rule':{width}}  clips   with a frame inside           two or more  frames")
    for each in made:
        interval = f"[{each.interval[0]:.3f}, {each.interval[1]:.3f}]"
        own = f"{each.hit:,} = {each.share:.3f} {interval}"
        typer.echo(f"{each.rule:{width}}{each.clips:7,}   {own:29}{each.twice:11,}{each.frames:8.2f}")
    if without:
        typer.echo(f"clips without a critical window: {without:,}")


@app.command()
def density(
    stimuli: Annotated[Path, typer.Argument(metavar="SET", help="Stimulus set whose clips have boxes.")],
    maps: Annotated[
        list[Path],
        typer.Argument(
            metavar="FOLDER...",
            help="Saliency maps: STIMULUS.npz, times and saliency. Several are compared with the first.",
        ),
    ],
    kind: Annotated[str, typer.Option(help="Kind of map, such as attention or gradient; it is in the name.")],
    as_json: JsonFlag = False,
) -> None:
    """Measure how dense saliency maps are in critical boxes.

    Relative spatial density is (mass in box / its area) / (mass outside / area outside), of what the model sees. 1 is
    indifferent. Folders of maps, such as with words and without, are compared clip by clip, at 95 % over units.
    """
    from veridical.errors import InputError
    from veridical.stimulus_set import StimulusSet
    from veridical.suites.magicbench.saliency import densities
    from veridical.suites.magicbench.saliency_changes import compare_presentations, names_of
    from veridical.suites.magicbench.saliency_lines import clip_lines, presentation_lines

    if not kind.strip():
        raise InputError("--kind is empty: name the kind of map")
    whole = StimulusSet.open(stimuli).stimuli
    made = {name: list(densities(whole, folder)) for name, folder in names_of(maps).items()}
    rows = compare_presentations(whole, made)
    name = f"relative spatial density ({kind.strip()})"
    if as_json:
        clips = {each: [clip.stated() for clip in found] for each, found in made.items()}
        facts = {"clips": next(iter(clips.values()))} if len(made) == 1 else {"clips": clips}
        several = {} if len(made) == 1 else {"presentations": [row.stated() for row in rows]}
        typer.echo(json.dumps({"name": name, **facts, **several}, indent=2, ensure_ascii=False))
        return
    lines = clip_lines(made[rows[0].name]) if len(made) == 1 else presentation_lines(rows)
    typer.echo("\n".join([visible(name), *map(visible, lines)]))


def _facts(pair: Pair) -> dict[str, object]:
    facts = {**pair._asdict(), "overlap": pair.overlap and pair.overlap._asdict()}
    return facts if pair.bertscore is not None else {name: facts[name] for name in ("first", "second", "overlap")}


def _print_table(made: list[Pair]) -> None:
    names = [f"{pair.first}, {pair.second}" for pair in made]
    width = max(map(len, names))
    scored = made[0].bertscore is not None
    typer.echo(f"{'':{width}}  precision  recall     F1{'  BERTScore' if scored else ''}")
    for name, pair in zip(names, made, strict=True):
        own = pair.overlap
        cells = "           –       –      –" if own is None else f"{own.precision:11.3f}{own.recall:8.3f}{own.f1:7.3f}"
        typer.echo(f"{name:{width}}{cells}" + (f"{pair.bertscore:11.3f}" if pair.bertscore is not None else ""))


def _print_constraints(pair: Pair) -> None:
    if pair.overlap is None:
        typer.echo("A prompt states no constraint, so an overlap is not defined.")
        return
    own = pair.overlap
    lists = (("both", own.both), (pair.first, own.first_alone), (pair.second, own.second_alone))
    for title, constraints in lists:
        typer.echo(f"\n{title}:")
        for text in constraints or ("none",):
            typer.echo(f"  {visible(text)}")
