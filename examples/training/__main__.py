"""`python -m examples.training --out trained`: a tiny model learns from an export, and is asked before and after.

It is trained by TRL on a few cases of `viprobe/figures`, first on replies, then by rewards, on one CPU core; then it is
asked by `veridical` about new units of these cases and about cases that no training picture shows.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

import veridical
from examples.training import model, trainers
from examples.training.chart import chart, table
from veridical import rewards
from veridical.rewards.export import recipe_sources
from veridical.rewards.parts import units_in_turn
from veridical.stats.rates import Rates

TYPES = ("O", "P", "OC", "PC")
STRENGTHS = (-0.4, 0.4)


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What is trained on how much, and what is asked: `near` are held-out cases of the same kind, `far` others."""

    trained: tuple[str, ...] = ("hering", "hering_vertical", "zollner_vertical")
    near: tuple[str, ...] = ("zollner",)
    far: tuple[str, ...] = ("muller_lyer",)
    replies: int = 2400
    prompts: int = 720
    imitation_steps: int = 280
    reward_steps: int = 45
    units: int = 8

    @property
    def groups(self) -> Mapping[str, tuple[str, ...]]:
        """The cases that are asked about, by group."""
        return {"new units": self.trained, "held-out near": self.near, "held-out far": self.far}


LONG = Plan()
QUICK = replace(
    LONG,
    trained=("hering_vertical",),
    near=("hering",),
    far=(),
    replies=160,
    prompts=80,
    imitation_steps=36,
    reward_steps=15,
    units=1,
)


def export(plan: Plan, out: Path) -> tuple[Path, Path]:
    """The exports of replies and of prompts with rewards, from different seeds; all other cases are held out."""
    (source,) = recipe_sources(["viprobe"], "figures", 0)
    known = {family for family, _ in units_in_turn(source, 1, (), None)}
    chosen = {"recipe": "figures", "trainer": "trl"}
    chosen["hold_out"] = [f"viprobe/{family}" for family in sorted(known - set(plan.trained))]
    replies, prompts = out / "replies", out / "prompts"
    veridical.export_training("viprobe", replies, examples=plan.replies, objective="replies", seed=1, **chosen)
    veridical.export_training("viprobe", prompts, examples=plan.prompts, objective="rewards", seed=2, **chosen)
    return replies, prompts


def train(
    plan: Plan,
    exports: tuple[Path, Path],
    out: Path,
    seed: int,
    reward: Callable[..., list[float]] = rewards.accuracy_reward,
) -> tuple[dict[str, Path], dict[str, trainers.Log]]:
    """The model before training, after that on replies, and after that by rewards; and the logs of the trainers."""
    replies, prompts = (trainers.loaded(folder, model.SIDE) for folder in exports)
    words = [[turns[0]["content"][-1]["text"] for turns in replies[name]] for name in ("prompt", "completion")]
    folders = {name: out / name for name in ("untrained", "sft", "grpo")}
    model.build(folders["untrained"], *words, seed)
    logs = {
        "sft": trainers.imitate(folders["untrained"], replies, folders["sft"], steps=plan.imitation_steps, seed=seed),
        "grpo": trainers.reinforce(
            folders["sft"], prompts, folders["grpo"], steps=plan.reward_steps, seed=seed, reward=reward
        ),
    }
    return folders, logs


def asked(plan: Plan, stimuli: veridical.StimulusSet, folder: Path, out: Path) -> dict[str, Any]:
    """How often a model is right about each group of cases: the mean of the picture types, of which half are changed.

    Who always says the same is right half of the time. Replies that cannot be read count as wrong.
    """
    options: dict[str, Any] = {"max_tokens": 24, "temperature": 0.0, "max_connections": 32, "analyze": False}
    outcomes = veridical.run(stimuli, f"veridical-hf/{folder}", out=out, show="quiet", **options).outcomes()
    rates = {}
    for name, families in plan.groups.items():
        rows = [row for row in outcomes.iter_rows(named=True) if row["family"] in families]
        if rows:
            rates[name] = _rate(rows)
    return rates


def _rate(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    units = sorted({row["unit"] for row in rows})
    sums, counts = np.zeros((2, len(units), len(TYPES)))
    for row in rows:
        place = units.index(row["unit"]), TYPES.index(row["variant"])
        sums[place] += row["correct"] is True
        counts[place] += 1
    strata = [unit.partition("/")[0] for unit in units]
    value, low, high = map(float, Rates(sums, counts, strata).mean(np.full(len(TYPES), 1 / len(TYPES))))
    read = sum(row["status"] == "answered" for row in rows)
    return {"rate": value, "low": low, "high": high, "units": len(units), "questions": len(rows), "read": read}


def main() -> None:
    """Trains and asks one model for each seed, and writes results.json, a table and a chart."""
    options = argparse.ArgumentParser(prog="python -m examples.training")
    options.add_argument("--out", type=Path, required=True, help="folder of all that is made")
    options.add_argument("--seeds", default="0", help="seeds of weights and training, such as 0,1,2")
    options.add_argument("--quick", action="store_true", help="the smallest form, which is too short to learn to see")
    chosen = options.parse_args()

    import torch

    torch.set_num_threads(1)
    plan, out = QUICK if chosen.quick else LONG, chosen.out
    exports = export(plan, out)
    cases = [family for families in plan.groups.values() for family in families]
    drawn = {"cases": cases, "units": plan.units, "alphas": STRENGTHS, "variants": TYPES}
    stimuli = veridical.make("viprobe", out=out / "set", **drawn)
    for seed in map(int, chosen.seeds.split(",")):
        home = out / f"seed-{seed}"
        if (home / "results.json").exists():
            continue
        folders, logs = train(plan, exports, home, seed)
        rates = {name: asked(plan, stimuli, folder, home / f"run-{name}") for name, folder in folders.items()}
        (home / "results.json").write_text(json.dumps({"seed": seed, "rates": rates, "logs": logs}, indent=1))
    results = [json.loads(path.read_text()) for path in sorted(out.glob("seed-*/results.json"))]
    (out / "chart.svg").write_text(chart(results))
    (out / "table.md").write_text(table(results))
    print((out / "table.md").read_text())  # noqa: T201


if __name__ == "__main__":
    main()
