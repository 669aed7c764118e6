"""The data set card: what stands in a set, for people and for data set hubs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from veridical.records import Json


def card(manifest: Mapping[str, Json], title: str, facts: Sequence[str] = ()) -> str:
    """The card as Markdown with its front matter; `facts` are further lines, such as a description's."""
    imported = "import" in manifest
    name = title or manifest["arguments"]["suite"]
    lines = [
        "---",
        f"pretty_name: {json.dumps(name)}",
        "task_categories: [visual-question-answering]",
        *([] if imported else ["tags: [synthetic, veridical]"]),
        "---",
        f"# {name}: {manifest['stimuli']:,} stimuli",
        "",
        *(_imported(manifest) if imported else _drawn(manifest)),
        "",
        *(facts or _counts(manifest["counts"])),
        "",
        "`metadata.parquet` has one row per picture; the folder loads as it is with",
        '`load_dataset("imagefolder", data_dir=...)`.',
        "`factors`, `truth` and `measured` are JSON. Verify the whole with `veridical check`.",
    ]
    return "\n".join(lines) + "\n"


def _drawn(manifest: Mapping[str, Json]) -> list[str]:
    made_with, seed = manifest["versions"], manifest["arguments"]["seed"]
    return [
        f"Drawn by veridical {made_with['veridical']}, Matplotlib {made_with['matplotlib']}, seed {seed}.",
        "The truth of each picture is exact and was read back from its pixels before it was written.",
    ]


def _imported(manifest: Mapping[str, Json]) -> list[str]:
    found = manifest["import"]
    return [
        f"Imported: {manifest['source']}. License: {manifest['license']}. Attribution: {manifest['attribution']}.",
        f"Labels are those of the source. Stimuli that could be measured: {found['measured']:,}; those whose media say",
        f"another answer than the label: {len(found['contradicted']):,}. `manifest.json` names them.",
        "Files are kept byte for byte as they came.",
    ]


def _counts(counts: Mapping[str, int]) -> list[str]:
    return ["| family/variant | pictures |", "|---|---:|", *(f"| {name} | {n:,} |" for name, n in counts.items())]
