"""What a stimulus set holds, counted: factors, answers and their balance, texts, media; and its data set card."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from veridical.base.files import write_whole
from veridical.base.markdown import plain
from veridical.records import FactorTypes, Json, Stimulus
from veridical.stimulus_set.read import StimulusSet
from veridical.stimulus_set.stimulus_table import loaded_columns

_GENERAL = ("category", "family", "variant")

_MOST = 12
"""Families with more different answers than this, and no options, have open answers."""


@dataclass(frozen=True, kw_only=True)
class PublishedCounts:
    """How many stimuli a paper has, by factor and level, as printed at the place `source`.

    >>> PublishedCounts(source="Table 1", counts={"variant": {"O": 870}}).counts["variant"]["O"]
    870
    """

    source: str
    counts: Mapping[str, Mapping[str, int]]


def describe(whole: StimulusSet, published: PublishedCounts | None = None) -> dict[str, Json]:
    """The description of a set, as plain JSON.

    `factors` counts stimuli by level, of general columns and of the factors that the suite declares; `labels` counts
    the true answers, and `balance` has their chance and majority rates; `words` (of questions), `label_words`,
    `seconds` (of clips) and `bytes` (of each stimulus's media) have smallest, median and largest; `media` counts media
    by kind and size; `published`, if there are such counts, has them by factor and level beside those of the set.
    """
    stimuli = whole.stimuli
    levels = {name: [_level(getattr(s, name)) for s in stimuli] for name in _GENERAL}
    levels |= {name: [_level(s.factors.get(name)) for s in stimuli] for name in whole.factors}
    sizes = [sum((whole.folder / medium.file).stat().st_size for medium in s.media) for s in stimuli]
    media = [f"{medium.kind} {medium.width}x{medium.height}" for s in stimuli for medium in s.media]
    return {
        "stimuli": len(stimuli),
        "units": len({s.unit for s in stimuli}),
        "factors": {name: level_counts(values) for name, values in levels.items()},
        "labels": level_counts([_level(s.label) for s in stimuli]),
        "balance": balance(stimuli),
        "words": spread([len(s.question.split()) for s in stimuli]),
        "label_words": spread([len(s.label.split()) for s in stimuli if s.label is not None]),
        "media": level_counts(media),
        "without_media": sum(not s.media for s in stimuli),
        "seconds": spread([clip.frames / clip.rate for s in stimuli for clip in s.media if clip.frames and clip.rate]),
        "bytes": spread(sizes),
        "published": None if published is None else published_comparison(published, stimuli),
    }


def published_comparison(published: PublishedCounts, stimuli: Sequence[Stimulus]) -> dict[str, Json]:
    """Published counts by factor and level, each beside that of these stimuli: `source`, and `counts`."""
    counts = {}
    for name, each in published.counts.items():
        own = level_counts([_level(getattr(s, name) if name in _GENERAL else s.factors.get(name)) for s in stimuli])
        counts[name] = {level: {"published": number, "here": own.get(level, 0)} for level, number in each.items()}
    return {"source": published.source, "counts": counts}


def write_card(whole: StimulusSet, lines: Sequence[str], title: str) -> None:
    """Writes the data set card of a set anew, with the lines of its description."""
    write_whole(whole.folder / "README.md", card(whole.manifest, title, lines, factors=whole.factors).encode())


def lines(facts: Mapping[str, Json]) -> list[str]:
    """A description as Markdown lines, for a terminal and for the card."""
    text = [f"{facts['stimuli']:,} stimuli from {facts['units']:,} base items.", ""]
    for name, counts in facts["factors"].items():
        text.append(f"- {name}: " + ", ".join(f"{level} {count:,}" for level, count in counts.items()))
    if len(facts["labels"]) <= _FEW:
        text.append("- labels: " + ", ".join(f"{level} {count:,}" for level, count in facts["labels"].items()))
    else:
        text.append(f"- labels: {len(facts['labels']):,} different ones")
    text += balance_line(facts["balance"])
    if facts["words"]:
        text.append(f"- words, question: {spread_words(facts['words'])}")
    if facts["label_words"] and facts["label_words"][2] > 1:
        text.append(f"- words, label: {spread_words(facts['label_words'])}")
    if facts["media"]:
        text.append("- media: " + ", ".join(f"{size} {count:,}" for size, count in facts["media"].items()))
    if facts["seconds"]:
        low, middle, high = facts["seconds"]
        text.append(f"- seconds, clips: {low:,.1f} to {high:,.1f}, median {middle:,.1f}")
    if facts["without_media"]:
        text.append(f"- without media: {facts['without_media']:,}")
    text.append(f"- bytes: {spread_words(facts['bytes'])}")
    return [*text, *_published_lines(facts["published"])]


def _published_lines(published: Mapping[str, Json] | None) -> Iterator[str]:
    if published is None:
        return
    for name, levels in published["counts"].items():
        counts = ", ".join(f"{level} {each['published']:,} (here {each['here']:,})" for level, each in levels.items())
        yield f"- published ({published['source']}), {name}: {counts}"


_FEW = 12


def _level(value: Any) -> str:  # noqa: ANN401
    if isinstance(value, float):
        return f"{value:+g}" if value else "0"
    # 1 equals True, and is a number.
    return ("yes" if value else "no") if isinstance(value, bool) else "none" if value is None else str(value)


def level_counts(levels: Sequence[str]) -> dict[str, int]:
    """How often each level occurs: numbers in their order, with "none" last, other levels as they come."""
    counts = dict(Counter(levels))
    try:
        return dict(sorted(counts.items(), key=lambda item: math.inf if item[0] == "none" else float(item[0])))
    except ValueError:
        return counts


def spread(values: Sequence[float]) -> list[float] | None:
    """Smallest, median and largest; `None` of nothing."""
    return [min(values), float(np.median(values)), max(values)] if values else None


def spread_words(spread: Sequence[float]) -> str:
    """A spread in words.

    >>> spread_words([1, 2.0, 1000])
    '1 to 1,000, median 2'
    """
    return f"{spread[0]:,.0f} to {spread[2]:,.0f}, median {spread[1]:,.0f}"


def balance(stimuli: Sequence[Stimulus]) -> dict[str, Json]:
    """The balance of the true answers: how many are `labeled`, and the rates `chance` and `majority`, in [0, 1].

    Stimuli whose truth has the same `options` (a list of answers) are a group, and so are those of one family without
    any. Chance is an even guess among the options, or the answers that occur in the family, at least two; majority is
    always giving the commonest answer of the group. Both are means over labeled stimuli of such groups. Families with
    more than 12 different answers have open answers: these are counted in `open`, and in no rate. Without a rate, it is
    `None`.
    """
    groups: dict[tuple[str, ...], list[str]] = {}
    choices: dict[tuple[str, ...], int] = {}
    for each in stimuli:
        if each.label is not None:
            options = each.truth.get("options")
            listed = sorted(map(str, options)) if isinstance(options, list | tuple) and options else None
            key = ("options", *listed) if listed else ("family", each.family)
            groups.setdefault(key, []).append(each.label)
            choices[key] = len(listed) if listed else 0
    labeled = sum(map(len, groups.values()))
    chance = majority = 0.0
    closed = 0
    for key, labels in groups.items():
        counts = Counter(labels)
        if not choices[key] and len(counts) > _MOST:
            continue
        closed += len(labels)
        chance += len(labels) / (choices[key] or max(len(counts), 2))
        majority += max(counts.values())
    rates = (chance / closed, majority / closed) if closed else (None, None)
    return {"labeled": labeled, "open": labeled - closed, "chance": rates[0], "majority": rates[1]}


def balance_line(balance: Mapping[str, Json]) -> Iterator[str]:
    """The balance in a Markdown line, if anything is labeled.

    >>> list(balance_line({"labeled": 10, "open": 2, "chance": 0.5, "majority": 0.75}))
    ['- answers: chance 50.0%, majority 75.0%; 2 of 10 open']
    """
    parts = []
    if balance["chance"] is not None:
        parts.append(f"chance {balance['chance']:.1%}, majority {balance['majority']:.1%}")
    if balance["open"]:
        parts.append(f"{balance['open']:,} of {balance['labeled']:,} open")
    if parts:
        yield f"- answers: {'; '.join(parts)}"


_NAMES = {"image": "image", "video": "video", "none": "text"}
"""What a set's tables are called as configurations, by the kind of the first medium."""

_PICTURES = "media/**/*.[jpw]*[gp]"
"""PNG, JPEG and WebP files, and no clip: by these files a loader is chosen that shows pictures."""
_MEDIA_FILES: Mapping[str, tuple[str, ...]] = {"image": (_PICTURES,), "video": ("media/**",), "none": ()}


def card(manifest: Mapping[str, Json], title: str, facts: Sequence[str] = (), *, factors: FactorTypes) -> str:
    """The card as Markdown with its front matter; `facts` are further lines, such as a description's.

    `factors` are those that the suite declares. The front matter has a configuration for each table.
    """
    imported = "import" in manifest
    name = title or manifest["arguments"]["suite"]
    counts = [f"| {name} | {count:,} |" for name, count in manifest["counts"].items()]
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
        *(facts or ["| family/variant | stimuli |", "|---|---:|", *counts]),
        "",
        *_loading(manifest["tables"]),
        "`factors`, `truth` and `measured` are JSON. `veridical check` verifies the whole.",
    ]
    return "\n".join(lines) + "\n"


def _configs(tables: Mapping[str, str], factors: FactorTypes) -> list[str]:
    """The configurations of a set, one for each table, in JSON, which is YAML as well.

    One loader reads them all: that of the first one's files. Where it is the one for pictures, clips have their columns
    spelled out, so that it hands over their paths and does not decode them.
    """
    configs: list[dict[str, Json]] = []
    for kind in (kind for kind in _NAMES if kind in tables):
        config: dict[str, Json] = {"config_name": _NAMES[kind], "data_files": [tables[kind]]}
        if len(tables) > 1 or kind != "none":  # a table alone is read by a loader that has no such option
            config["metadata_filenames"] = [tables[kind]]
        if not configs:
            config |= {"default": True, "data_files": [tables[kind], *_MEDIA_FILES[kind]]}
        elif kind == "video":
            undecoded = {"name": "video", "dtype": {"image": {"decode": False}}}
            config["features"] = [undecoded, *loaded_columns(factors)]
        else:
            config["features"] = loaded_columns(factors)
        configs.append(config)
    return ["configs:", *(f"- {json.dumps(config)}" for config in configs)]


def _loading(tables: Mapping[str, str]) -> list[str]:
    kinds = [kind for kind in _NAMES if kind in tables]
    calls = [f', "{_NAMES[kind]}"' if number else "" for number, kind in enumerate(kinds)]
    lines = ["One row per stimulus, by the kind of its first medium. Hugging Face's `datasets` loads the folder:"]
    lines += [f"- `load_dataset(FOLDER{call})`: `{tables[kind]}`" for call, kind in zip(calls, kinds, strict=True)]
    if "video" in tables:
        lines.append(_clips(alone="image" not in tables, table=tables["video"]))
    return [*lines, ""]


def _clips(*, alone: bool, table: str) -> str:
    """How clips are loaded, which need a further package to be decoded."""
    if alone:
        paths = '`.cast_column("video", Video(decode=False))`'
        return f"- clips are decoded by `torchcodec`, which needs FFmpeg; {paths} gives their paths without it"
    call = f'load_dataset("videofolder", data_dir=FOLDER, metadata_filenames=["{table}"])'
    return f"- clips come as paths; `{call}` decodes them by `torchcodec`, which needs FFmpeg"


def _drawn(manifest: Mapping[str, Json]) -> list[str]:
    made_with, seed = manifest.get("versions") or {}, manifest["arguments"].get("seed")
    if "suite_file" in manifest["arguments"]:
        file = manifest["arguments"]["suite_file"]
        return [
            f"Made by veridical {made_with.get('veridical')} from the file {file}, seed {seed}.",
            "Pictures and true answers are those of that file.",
        ]
    return [
        f"Drawn by veridical {made_with.get('veridical')}, Matplotlib {made_with.get('matplotlib')}, seed {seed}.",
        "The truth of each stimulus is exact; `veridical check` reads it back from the media.",
    ]


def _imported(manifest: Mapping[str, Json]) -> list[str]:
    facts = manifest["import"]
    source, terms, attribution = (plain(str(manifest[key])) for key in ("source", "license", "attribution"))
    return [
        f"Imported: {source}. License: {terms}. Attribution: {attribution}.",
        f"Labels are those of the source. Stimuli that could be measured: {facts['measured']:,}; those whose media say",
        f"another answer than the label: {len(facts['contradicted']):,}. `manifest.json` names them.",
        "Files are kept byte for byte as they came.",
    ]
