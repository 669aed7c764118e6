"""MagicBench's own commands: how symmetric the instructions of two stances are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from veridical.suites.magicbench.asking.symmetry import Pair

app = typer.Typer(
    help="Commands of MagicBench alone: how symmetric the instructions of its stances are.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)
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
    from veridical.base.format import visible

    if pair.overlap is None:
        typer.echo("A prompt states no constraint, so an overlap is not defined.")
        return
    own = pair.overlap
    lists = (("both", own.both), (pair.first, own.first_alone), (pair.second, own.second_alone))
    for title, constraints in lists:
        typer.echo(f"\n{title}:")
        for text in constraints or ("none",):
            typer.echo(f"  {visible(text)}")
