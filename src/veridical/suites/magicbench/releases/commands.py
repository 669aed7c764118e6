"""Commands for releases: published results scored again, and additions to sets of real clips."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from veridical.base.study_options import StudyDatabase

if TYPE_CHECKING:
    from veridical.suites.magicbench.releases.rescore import MarkLine, MarkTable

JsonFlag = Annotated[bool, typer.Option("--json", help="Print JSON for machines.")]


def rescore(
    results: Annotated[list[Path], typer.Argument(metavar="FILE", help="Files of results, judged, in JSON.")],
    items: Annotated[
        Path | None, typer.Option(help="The release's file of items: an item without a result counts as well.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Score published results again, over all their items.

    A triggered veto makes CPA 0, whatever the judge wrote. Marks over readable verdicts alone stand beside them. All
    are in percent of 10, with bootstrap standard errors.
    """
    from veridical.suites.magicbench.releases.rescore import mark_tables

    tables = mark_tables(results, items)
    if as_json:
        made = [[{**line._asdict(), "marks": line.marks._asdict()} for line in table.lines] for table in tables]
        facts = [{**table._asdict(), "lines": lines} for table, lines in zip(tables, made, strict=True)]
        typer.echo(json.dumps(facts, indent=2, ensure_ascii=False))
        return
    for number, table in enumerate(tables):
        if number:
            typer.echo()
        _print(table)


def add(
    stimuli: Annotated[Path, typer.Argument(metavar="SET", help="Imported set of real clips.")],
    out: Annotated[Path, typer.Option(help="Folder for the set with the additions, new or empty.")],
    windows: Annotated[Path | None, typer.Option(help="CSV with windows and boxes, or a study.")] = None,
    pcs: Annotated[Path | None, typer.Option(help="JSON with constraints by clip, such as a consensus.")] = None,
    words: Annotated[Path | None, typer.Option(help="JSON with transcripts by clip.")] = None,
    types: Annotated[Path | None, typer.Option(help="JSON with types of words by clip, A to D.")] = None,
    database: StudyDatabase = None,
    as_json: JsonFlag = False,
) -> None:
    """Add windows, boxes, constraints and words to real clips.

    The CSV has the columns id, start and end in seconds, and left, top, right and bottom as shares from 0 to 1; a
    placebo box that is not stated is the mirror image.
    """
    from veridical.people.study_sheets import tables_of
    from veridical.stimulus_set import StimulusSet
    from veridical.suites.magicbench.releases.additions import Additions, with_additions

    tables = tables_of([] if windows is None else [windows], "boxes", database)
    made = with_additions(StimulusSet.open(stimuli), Additions(next(iter(tables), None), pcs, words, types), out)
    counts = made.manifest["import"]["added"]
    if as_json:
        typer.echo(json.dumps({"set": str(made.folder), "stimuli": len(made), "added": counts}, ensure_ascii=False))
        return
    listed = ", ".join(f"{name} of {count:,}" for name, count in counts.items())
    typer.echo(f"{len(made):,} clips in {made.folder}: {listed}")


def consensus(
    drafts: Annotated[
        list[Path], typer.Argument(metavar="DRAFT", help="Drafts: JSON files by clip, or a magic-annotate run.")
    ],
    out: Annotated[Path, typer.Option(help="JSON file for the consensus, new or overwritten.")],
    as_json: JsonFlag = False,
) -> None:
    """Write the constraints that most drafts have in common.

    Agreement is, over pairs of drafts, twice the constraints that both have by all that they have. Decide what is open
    in the file; `veridical magicbench add SET --pcs FILE` then takes its atoms.
    """
    from veridical.suites.magicbench.annotate.drafts import consensus_of_drafts, drafts_of, write_consensus

    found = consensus_of_drafts([draft for place in drafts for draft in drafts_of(place)])
    write_consensus(found, out)
    made = [each for each, _ in found.clips.values()]
    counts = {
        "drafts": len(found.names),
        "clips": len(made),
        "atoms": sum(len(each.atoms) for each in made),
        "of_all_drafts": sum(each.whole for each in made),
        "open": sum(len(each.open) for each in made),
        "opposed": sum(len(each.opposed) for each in made),
        "with_one_draft": len(found.alone),
    }
    if as_json:
        typer.echo(json.dumps({"file": str(out), "agreement": found.agreement, **counts}, ensure_ascii=False))
        return
    typer.echo(f"{counts['drafts']} drafts of {counts['clips']:,} clips in {out}: agreement {found.agreement:.3f}")
    typer.echo(f"constraints that most drafts have: {counts['atoms']:,}; that all have: {counts['of_all_drafts']:,}")
    typer.echo(f"open: {counts['open']:,}; pairs that contradict each other: {counts['opposed']:,}")
    if found.alone:
        typer.echo(f"clips with one draft, which are left out: {counts['with_one_draft']:,}")


def transcribe(
    stimuli: Annotated[Path, typer.Argument(metavar="SET", help="Imported set of real clips with sound.")],
    out: Annotated[Path, typer.Option(help="JSON file for the transcripts, new or overwritten.")],
    whisper: Annotated[str, typer.Option(metavar="M", help="Model of faster-whisper: a size or a folder.")] = "small",
    language: Annotated[str | None, typer.Option(help="Language, such as en. Default: the one that is heard.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Write what is said over real clips, by faster-whisper.

    It needs `pip install 'veridical[whisper]'`.

    `veridical magicbench add SET --words FILE` then takes the transcripts.
    """
    from veridical.stimulus_set import StimulusSet
    from veridical.suites.magicbench.annotate import transcribe as by_whisper

    whole = StimulusSet.open(stimuli)
    words = by_whisper.transcripts_of(whole, by_whisper.whisper(whisper, language))
    by_whisper.write_words(words, whisper, out)
    spoken, silent = (sum(bool(each["text"]) == held for each in words.values()) for held in (True, False))
    if as_json:
        typer.echo(json.dumps({"file": str(out), "spoken": spoken, "silent": silent}, ensure_ascii=False))
        return
    typer.echo(f"transcripts in {out}: {spoken:,} clips with words, {silent:,} without")


def register(app: typer.Typer) -> None:
    """Adds the commands to those of the suite."""
    for command in (add, consensus, rescore, transcribe):
        app.command()(command)


def _print(table: MarkTable) -> None:
    from veridical.base.format import visible

    typer.echo(visible(f"{table.model}: {table.setting}"))
    width = max(len(line.kind) for line in table.lines)
    typer.echo(f"{'':{width}}  items  read          VTG          CPA          CFR   of all items: VTG   CPA   CFR")
    for line in table.lines:
        typer.echo(_row(line, width))
    whole = next(line for line in table.lines if line.kind == "all items")
    typer.echo(f"vetoes: {whole.vetoes:,}, of which {whole.disagree:,} with a CPA above 0, which is 0 here")
    typer.echo(f"CPA as it was written: {_number(whole.cpa_written)}")
    typer.echo(f"replies: {_counts(table.replies)}; verdicts: {_counts(table.verdicts)}")
    for reason, count in table.reasons.items():
        typer.echo(f"unreadable, {visible(reason)}: {count:,}")


def _row(line: MarkLine, width: int) -> str:
    own = "".join(
        f"{_number(line.marks.of_read[name]):>7} ± {_number(line.marks.errors[name]):<4}" for name in line.marks.of_read
    )
    of_all = "".join(f"{_number(value):>6}" for value in line.marks.of_all.values())
    return f"{line.kind:{width}}{line.items:7,}{line.read:6,}{own}{'':12}{of_all}"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f}"


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in counts.items())
