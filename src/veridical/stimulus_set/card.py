"""The data set card: what stands in a set, for people and for data set hubs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from veridical.records import FactorTypes, Json
from veridical.stimulus_set.stimulus_table import loaded_columns

_NAMES = {"image": "image", "video": "video", "none": "text"}
"""What a mixed set's tables are called as configurations, by the kind of the first medium."""

_PICTURES = "media/**/*.[jpw]*[gp]"
"""PNG, JPEG and WebP files, and no clip: by these files a loader is chosen that shows pictures."""


def card(manifest: Mapping[str, Json], title: str, facts: Sequence[str] = (), *, factors: FactorTypes) -> str:
    """The card as Markdown with its front matter; `facts` are further lines, such as a description's.

    `factors` are those that the suite declares. The front matter of a mixed set has a configuration for each table.
    """
    imported = "import" in manifest
    name = title or manifest["arguments"]["suite"]
    lines = [
        "---",
        f"pretty_name: {json.dumps(name)}",
        "task_categories: [visual-question-answering]",
        *([] if imported else ["tags: [synthetic, veridical]"]),
        *_configs(manifest["tables"], factors),
        "---",
        f"# {name}: {manifest['stimuli']:,} stimuli",
        "",
        *(_imported(manifest) if imported else _drawn(manifest)),
        "",
        *(facts or _counts(manifest["counts"])),
        "",
        *_loading(manifest["tables"]),
        "`factors`, `truth` and `measured` are JSON. `veridical check` verifies the whole.",
    ]
    return "\n".join(lines) + "\n"


def _configs(tables: Mapping[str, str], factors: FactorTypes) -> list[str]:
    """The configurations of a mixed set, in JSON, which is YAML as well; a set of one kind needs none.

    One loader reads them all. Where it is the one for pictures, clips have their columns spelled out, so that it hands
    over their paths and does not decode them.
    """
    if len(tables) < 2:
        return []
    configs: list[dict[str, Json]] = []
    for kind in (kind for kind in _NAMES if kind in tables):
        config: dict[str, Json] = {"config_name": _NAMES[kind], "metadata_filenames": [tables[kind]]}
        config["data_files"] = [tables[kind]]
        if not configs:
            config |= {"default": True, "data_files": [tables[kind], _PICTURES if kind == "image" else "media/**"]}
        elif kind == "video":
            undecoded = {"name": "video", "dtype": {"image": {"decode": False}}}
            config["features"] = [undecoded, *loaded_columns(factors)]
        else:
            config["features"] = loaded_columns(factors)
        configs.append(config)
    return ["configs:", *(f"- {json.dumps(config)}" for config in configs)]


def _loading(tables: Mapping[str, str]) -> list[str]:
    """How the folder is loaded as it is."""
    if len(tables) < 2:
        loader = {"image": '"imagefolder", data_dir=...', "video": '"videofolder", data_dir=...'}
        call = loader.get(next(iter(tables)), '"parquet", data_files="metadata.parquet"')
        return [
            "`metadata.parquet` has one row per stimulus; the folder loads as it is with",
            f"`load_dataset({call})`.",
        ]
    lines = [f'- `load_dataset(FOLDER, "{_NAMES[kind]}")`: `{tables[kind]}`' for kind in _NAMES if kind in tables]
    if "image" in tables and "video" in tables:
        decoded = f'load_dataset("videofolder", data_dir=FOLDER, metadata_filenames=["{tables["video"]}"])'
        lines.append(f"- clips come as paths, with `{decoded}` as clips")
    return [
        "Each table has one row per stimulus, by the kind of its first medium. The folder loads as it is:",
        *lines,
        "",
    ]


def _drawn(manifest: Mapping[str, Json]) -> list[str]:
    made_with, seed = manifest.get("versions") or {}, manifest["arguments"].get("seed")
    return [
        f"Drawn by veridical {made_with.get('veridical')}, Matplotlib {made_with.get('matplotlib')}, seed {seed}.",
        "The truth of each stimulus is exact; `veridical check` reads it back from the media.",
    ]


def _imported(manifest: Mapping[str, Json]) -> list[str]:
    facts = manifest["import"]
    return [
        f"Imported: {manifest['source']}. License: {manifest['license']}. Attribution: {manifest['attribution']}.",
        f"Labels are those of the source. Stimuli that could be measured: {facts['measured']:,}; those whose media say",
        f"another answer than the label: {len(facts['contradicted']):,}. `manifest.json` names them.",
        "Files are kept byte for byte as they came.",
    ]


def _counts(counts: Mapping[str, int]) -> list[str]:
    return ["| family/variant | stimuli |", "|---|---:|", *(f"| {name} | {n:,} |" for name, n in counts.items())]
