"""Verbs over many evaluations: board, and its export for the Hub."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from veridical.cli.common import JsonFlag, a_file, a_folder_to_be, app, something, tell
from veridical.cli.exports import group
from veridical.errors import InputError

Folders = Annotated[
    list[Path],
    typer.Argument(metavar="FOLDER", help="Folders of evaluations, or others with a profile.json.", callback=something),
]
Facts = Annotated[Path | None, typer.Option(help="TOML file with facts about models.", callback=a_file)]


@app.command()
def board(
    folders: Folders,
    out: Annotated[
        Path | None, typer.Option(help="Folder of the site, for any host of static files.", callback=a_folder_to_be)
    ] = None,
    models: Facts = None,
    verify: Annotated[
        bool, typer.Option("--verify", help="Compute every figure anew from the runs, and say which differ.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Put many evaluations on one page, models by questions.

    It has filters, and a chart of each effect against the models' size. Exit code 1 if --verify finds a figure that
    differs.
    """
    from veridical.verbs.evaluation.board import board as written
    from veridical.verbs.evaluation.board import profile_mismatches

    if out is None and not verify:
        raise InputError("nothing to do: give --out FOLDER, --verify, or both")
    differing = {str(each): profile_mismatches(each) for each in folders} if verify else {}
    page = None if out is None else written(folders, out, models=models)
    lines = [line for folder, own in differing.items() for line in _verified(folder, own)]
    facts = {"page": None if page is None else str(page), "differing": differing}
    tell(facts, [*lines, *([] if page is None else [f"Page: {page}"])], as_json=as_json)
    if any(differing.values()):
        raise typer.Exit(1)


def _verified(folder: str, lines: list[str]) -> list[str]:
    if not lines:
        return [f"{folder}: every figure is what its runs come to"]
    return [f"{folder}:", *(f"  {line}" for line in lines)]


@group.command("hub")
def hub(
    folders: Folders,
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Folder for the files.", callback=a_folder_to_be)],
    dataset: Annotated[str, typer.Option(metavar="OWNER/NAME", help="Name of the data set on the Hub.")],
    revision: Annotated[str | None, typer.Option(help="Revision of the data set that was asked about.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Write evaluations for the Hugging Face Hub.

    They are `eval.yaml` of a data set and `.eval_results/` of its models.
    """
    from veridical.report.boards import write_hub_files
    from veridical.verbs.evaluation.board import open_board

    files = [str(each) for each in write_hub_files(open_board(folders), out, dataset, revision)]
    tell({"files": files}, files, as_json=as_json)
