"""The data set card: what stands in a set, for people and for data set hubs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from veridical.records import Json


def card(manifest: Mapping[str, Json], title: str, facts: Sequence[str] = ()) -> str:
    """The card as Markdown with its front matter; `facts` are further lines, such as a description's."""
    arguments, made_with = manifest["arguments"], manifest["versions"]
    name = title or arguments["suite"]
    lines = [
        "---",
        f"pretty_name: {json.dumps(name)}",
        "task_categories: [visual-question-answering]",
        "tags: [synthetic, veridical]",
        "---",
        f"# {name}: {manifest['stimuli']:,} stimuli",
        "",
        f"Drawn by veridical {made_with['veridical']}, Matplotlib {made_with['matplotlib']}, seed {arguments['seed']}.",
        "The truth of each picture is exact and was read back from its pixels before it was written.",
        "",
        *(facts or _counts(manifest["counts"])),
        "",
        "`metadata.parquet` has one row per picture; the folder loads as it is with",
        '`load_dataset("imagefolder", data_dir=...)`.',
        "`factors`, `truth` and `measured` are JSON. Verify the whole with `veridical check`.",
    ]
    return "\n".join(lines) + "\n"


def _counts(counts: Mapping[str, int]) -> list[str]:
    return ["| family/variant | pictures |", "|---|---:|", *(f"| {name} | {n:,} |" for name, n in counts.items())]
