"""The data set card of an export: what it holds, how it was drawn, and how it is loaded."""

from __future__ import annotations

import json
from collections.abc import Mapping

from veridical.records import Json
from veridical.rewards.forms import form_of


def training_card(manifest: Mapping[str, Json]) -> str:
    """The card as Markdown with its front matter, from the manifest of an export."""
    arguments, examples = manifest["arguments"], manifest["examples"]
    form = form_of(arguments["trainer"], arguments["objective"])
    names = ", ".join(manifest["recipes"])
    splits = [{"split": split, "path": [name for name in manifest["files"] if split in name]} for split in examples]
    columns = [{"name": name, **declared} for name, declared in manifest["columns"].items()]
    lines = [
        "---",
        f"pretty_name: {json.dumps(f'Training prompts: {names}')}",
        "license: mit",
        "task_categories: [visual-question-answering]",
        "tags: [synthetic, veridical, training]",
        f"configs: {json.dumps([{'config_name': 'default', 'data_files': splits}])}",
        *([f"dataset_info: {json.dumps({'features': columns})}"] if columns else []),
        "---",
        f"# Training prompts: {names}",
        "",
        "Drawn by veridical from the seed space of training: no evaluation or standard set holds a unit of it.",
        f"Objective: {arguments['objective']}. Form: {form.title}.",
        "",
        "| recipe | what it asks | earned without looking | seed |",
        "|---|---|---:|---:|",
        *(
            f"| {name} | {each['note']} | {each['chance']:g} | {each['seed']} |"
            for name, each in manifest["recipes"].items()
        ),
        "",
        *(f"{count:,} examples in the split {split}." for split, count in examples.items()),
        *([f"Held out: {', '.join(arguments['held_out'])}."] if arguments["held_out"] else []),
        *([f"Shard {arguments['shard']}."] if arguments["shard"] else []),
        *_apart(manifest),
        "",
        *(f"- {note}" for note in form.notes.get(arguments["objective"], ())),
        "",
        "`export.json` states arguments, versions and the sha256 of each file.",
    ]
    return "\n".join(lines) + "\n"


def _apart(manifest: Mapping[str, Json]) -> list[str]:
    sets = manifest["arguments"]["apart_from"]
    if not sets and not manifest["left_out"]:
        return []
    named = f"the standard set{''.join(f', {name} ({digest[:12]})' for digest, name in sets.items())}"
    return [f"Apart from {named}: {manifest['left_out']:,} examples were left out, and others drawn."]
