"""The forms in which trainers read prompts: the row of an example for each of them, and what stands beside the rows."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import polars as pl

from veridical.errors import InputError, unknown
from veridical.records import Json, Message, Text

Objective = Literal["rewards", "replies", "preferences"]
OBJECTIVES: Mapping[Objective, str] = {
    "rewards": "prompts with solutions, for reinforcement learning",
    "replies": "prompts with the reply of one who looks, for fine-tuning",
    "preferences": "prompts with the replies of one who looks and of one who recalls",
}


class ExampleRow(NamedTuple):
    """An example on its way into a file; `images` are bytes with a path, or a path alone where files lie beside."""

    id: str
    suite: str
    recipe: str
    family: str
    messages: tuple[Message, ...]
    images: list[Json]
    solution: str
    chosen: str
    rejected: str


@dataclass(frozen=True)
class TrainerForm:
    """How a trainer reads examples: its name, the row for each objective that it has, and whether rows are Parquet.

    `columns` has the types of columns that are not as in `COLUMNS`. Rows that are not Parquet are JSON lines, with
    pictures in files beside them. `beside` gives further files by name, from the objective and the files of rows by
    split; `notes` say how the trainer is called.
    """

    title: str
    rows: Mapping[str, Callable[[ExampleRow], dict[str, Json]]]
    parquet: bool
    columns: Mapping[str, pl.DataType] = field(default_factory=dict)
    beside: Callable[[str, Mapping[str, Sequence[str]]], Mapping[str, str]] = field(default=lambda *_: {})
    notes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def frame(self, rows: Sequence[Mapping[str, Json]]) -> pl.DataFrame:
        """Rows as a table whose columns have the same types whatever the rows hold."""
        types = {**COLUMNS, **self.columns}
        schema = {name: types.get(name, pl.String()) for name in (rows[0] if rows else ())}
        return pl.DataFrame(rows, schema=schema, orient="row")


_TURNS = pl.List(pl.Struct({"role": pl.String, "content": pl.List(pl.Struct({"type": pl.String, "text": pl.String}))}))
COLUMNS: Mapping[str, pl.DataType] = {
    "prompt": _TURNS,
    "completion": _TURNS,
    "chosen": _TURNS,
    "rejected": _TURNS,
    "images": pl.List(pl.Struct({"bytes": pl.Binary, "path": pl.String})),
}
"""The types of columns in Parquet, in all forms that state no other one; what stands nowhere is text."""


def form_of(trainer: str, objective: str) -> TrainerForm:
    """The form of a trainer; raises `InputError`, with the nearest name, for one that is unknown or lacks this."""
    if trainer not in FORMS:
        raise unknown("trainer", trainer, FORMS)
    if objective not in OBJECTIVES:
        raise unknown("objective", objective, OBJECTIVES)
    form = FORMS[trainer]
    if objective not in form.rows:
        raise InputError(f"--for {trainer} has no {objective}: {', '.join(form.rows)} is allowed")
    return form


def _blocks(messages: Sequence[Message]) -> list[Json]:
    """Messages whose contents are lists of parts; pictures are placeholders, in the order of `images`."""
    return [
        {
            "role": message.role,
            "content": [
                {"type": "text", "text": part.text} if isinstance(part, Text) else {"type": "image", "text": None}
                for part in message.parts
            ],
        }
        for message in messages
    ]


def _said(text: str) -> list[Json]:
    return _blocks([Message("assistant", (Text(text),))])


def _plain_blocks(messages: Sequence[Message]) -> list[Json]:
    """The same for JSON lines, in which a picture has no text."""
    turns = _blocks(messages)
    for turn in turns:
        turn["content"] = [{key: value for key, value in part.items() if value is not None} for part in turn["content"]]
    return turns


def _lines(messages: Sequence[Message]) -> list[Json]:
    """Messages whose contents are texts, with `<image>` for each picture."""
    return [
        {
            "role": message.role,
            "content": "\n".join(part.text if isinstance(part, Text) else "<image>" for part in message.parts),
        }
        for message in messages
    ]


def _facts(row: ExampleRow) -> dict[str, Json]:
    return {"id": row.id, "suite": row.suite, "recipe": row.recipe, "family": row.family}


def _trl(row: ExampleRow) -> dict[str, Json]:
    return {**_facts(row), "prompt": _blocks(row.messages), "images": row.images, "solution": row.solution}


def _trl_replies(row: ExampleRow) -> dict[str, Json]:
    return {**_facts(row), "prompt": _blocks(row.messages), "completion": _said(row.chosen), "images": row.images}


def _trl_preferences(row: ExampleRow) -> dict[str, Json]:
    replies = {"chosen": _said(row.chosen), "rejected": _said(row.rejected)}
    return {**_facts(row), "prompt": _blocks(row.messages), **replies, "images": row.images}


def _plain(row: ExampleRow) -> dict[str, Json]:
    replies = {"chosen": row.chosen, "rejected": row.rejected}
    return {**_trl(row), **replies}


def _verl(row: ExampleRow) -> dict[str, Json]:
    return {
        "data_source": f"veridical/{row.suite}",
        "prompt": _lines(row.messages),
        "images": row.images,
        "ability": "perception",
        "reward_model": {"style": "rule", "ground_truth": row.solution},
        "extra_info": {"index": row.id, "recipe": row.recipe, "family": row.family},
    }


def _swift(row: ExampleRow) -> dict[str, Json]:
    return {"messages": _lines(row.messages), "images": row.images, "solution": row.solution, **_facts(row)}


def _with_reply(row: ExampleRow) -> dict[str, Json]:
    return {"messages": [*_lines(row.messages), _turn(row.chosen)], "images": row.images}


def _swift_preferences(row: ExampleRow) -> dict[str, Json]:
    return {**_with_reply(row), "rejected_response": row.rejected}


def _llama_preferences(row: ExampleRow) -> dict[str, Json]:
    replies = {"chosen": _turn(row.chosen), "rejected": _turn(row.rejected)}
    return {"messages": _lines(row.messages), **replies, "images": row.images}


def _openrlhf(row: ExampleRow) -> dict[str, Json]:
    return {"prompt": _plain_blocks(row.messages), "images": row.images, "label": row.solution, **_facts(row)}


def _turn(text: str) -> dict[str, Json]:
    return {"role": "assistant", "content": text}


_SWIFT_PLUGIN = """from swift.rewards import ORM, orms
from veridical.rewards import reward


class VeridicalReward(ORM):
    def __call__(self, completions, solution, **kwargs):
        return [reward(reply, each) for reply, each in zip(completions, solution)]


orms["veridical"] = VeridicalReward
"""
_OPENRLHF_REWARD = "from veridical.rewards import reward_func\n"


def _swift_files(objective: str, files: Mapping[str, Sequence[str]]) -> Mapping[str, str]:  # noqa: ARG001
    return {"plugin.py": _SWIFT_PLUGIN} if objective == "rewards" else {}


def _verl_files(objective: str, files: Mapping[str, Sequence[str]]) -> Mapping[str, str]:  # noqa: ARG001
    return {"reward.py": "from veridical.rewards import compute_score\n"}


def _openrlhf_files(objective: str, files: Mapping[str, Sequence[str]]) -> Mapping[str, str]:  # noqa: ARG001
    return {"reward.py": _OPENRLHF_REWARD}


class _ListedData(NamedTuple):
    """A data set as LLaMA-Factory's `dataset_info.json` lists it."""

    file_name: str
    columns: Mapping[str, str]
    tags: Mapping[str, str]
    ranking: bool
    formatting: str = "sharegpt"


def _dataset_info(objective: str, files: Mapping[str, Sequence[str]]) -> Mapping[str, str]:
    """LLaMA-Factory's list of data sets: one for each split."""
    prefers = objective == "preferences"
    names = ("messages", "images", *(("chosen", "rejected") if prefers else ()))
    roles = {f"{role}_tag": role for role in ("role", "content", "user", "assistant", "system")}
    listed = {
        f"veridical_{split}": _ListedData(name, {each: each for each in names}, roles, prefers)._asdict()
        for split, files_of_split in files.items()
        for name in files_of_split
    }
    return {"dataset_info.json": json.dumps(listed, indent=2) + "\n"}


_PATHS = "pictures stand by their paths from this folder"

FORMS: Mapping[str, TrainerForm] = {
    "trl": TrainerForm(
        title="TRL",
        rows={"rewards": _trl, "replies": _trl_replies, "preferences": _trl_preferences},
        parquet=True,
        notes={
            "rewards": ("GRPOTrainer(reward_funcs=[veridical.rewards.accuracy_reward], …): reads the column solution",),
            "replies": ("SFTTrainer reads prompt, completion and images",),
            "preferences": ("DPOTrainer reads prompt, chosen, rejected and images",),
        },
    ),
    "verl": TrainerForm(
        title="verl",
        rows={"rewards": _verl},
        parquet=True,
        beside=_verl_files,
        columns={
            "prompt": pl.List(pl.Struct({"role": pl.String, "content": pl.String})),
            "reward_model": pl.Struct({"style": pl.String, "ground_truth": pl.String}),
            "extra_info": pl.Struct({"index": pl.String, "recipe": pl.String, "family": pl.String}),
        },
        notes={
            "rewards": (
                "reward.custom_reward_function.path=reward.py reward.custom_reward_function.name=compute_score",
            )
        },
    ),
    "swift": TrainerForm(
        title="ms-swift",
        rows={"rewards": _swift, "replies": _with_reply, "preferences": _swift_preferences},
        parquet=False,
        beside=_swift_files,
        notes={
            "rewards": ("--external_plugins plugin.py --reward_funcs veridical", f"{_PATHS}: set ROOT_IMAGE_DIR to it"),
            **dict.fromkeys(("replies", "preferences"), (f"{_PATHS}: set ROOT_IMAGE_DIR to it",)),
        },
    ),
    "llama-factory": TrainerForm(
        title="LLaMA-Factory",
        rows={"replies": _with_reply, "preferences": _llama_preferences},
        parquet=False,
        beside=_dataset_info,
        notes=dict.fromkeys(("replies", "preferences"), (f"dataset_dir is this folder: {_PATHS}",)),
    ),
    "openrlhf": TrainerForm(
        title="OpenRLHF",
        rows={"rewards": _openrlhf},
        parquet=False,
        beside=_openrlhf_files,
        notes={
            "rewards": (
                "--data.input_key prompt --data.label_key label --data.image_key images --data.apply_chat_template",
                "--reward.remote_url reward.py --data.max_images_per_prompt N, as many as a prompt shows",
                f"pictures are read from version 0.10 on; {_PATHS}: start the trainer there",
            )
        },
    ),
    "parquet": TrainerForm(
        title="a trainer of your own",
        rows=dict.fromkeys(OBJECTIVES, _plain),
        parquet=True,
        columns={"chosen": pl.String(), "rejected": pl.String()},
        notes={"rewards": ("veridical.rewards.reward(reply, solution) is what a reply earns",)},
    ),
}
"""The trainers for which prompts are exported, by the word that `--for` takes.

Looked up in November 2026: TRL 1.16, dataset formats and vision examples; verl, `docs/preparation/prepare_data.rst`,
`docs/advance/reward_loop.rst` and its `RLHFDataset`; LLaMA-Factory, `data/README.md`; OpenRLHF,
`train_vlm_math_hybrid_engine.sh` and pull request 1217; ms-swift, custom datasets and reward functions.
"""
