"""Training with TRL: replies are imitated by `SFTTrainer`, and earn rewards with `GRPOTrainer`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veridical import rewards

if TYPE_CHECKING:
    from datasets import Dataset
    from transformers import PreTrainedModel, ProcessorMixin, Trainer

Log = list[dict[str, float]]


def loaded(folder: Path, side: int) -> Dataset:
    """The rows of an export, as the package `datasets` reads them, with pictures as small as the model sees."""
    from datasets import load_dataset

    def shrunk(row: dict[str, Any]) -> dict[str, Any]:
        # By the filter of the model's own processor, which asks see the whole pictures through.
        return {"images": [each.convert("RGB").resize((side, side), resample=2) for each in row["images"]]}

    return load_dataset(str(folder), cache_dir=str(folder.parent / "cache"))["train"].map(shrunk)


def imitate(model: Path, rows: Dataset, out: Path, *, steps: int, seed: int, batch: int = 64) -> Log:
    """Trains a model on the replies of one who looks, saves it in `out`, and returns the trainer's log."""
    from trl import SFTConfig, SFTTrainer

    args = SFTConfig(
        **_shared(out, steps, seed), per_device_train_batch_size=batch, learning_rate=2e-3, max_length=None
    )
    opened, processor = _opened(model)
    trainer = SFTTrainer(model=opened, args=args, train_dataset=rows, processing_class=processor)
    return _trained(trainer, out)


def reinforce(
    model: Path,
    rows: Dataset,
    out: Path,
    *,
    steps: int,
    seed: int,
    prompts: int = 16,
    replies: int = 8,
    reward: Callable[..., list[float]] = rewards.accuracy_reward,
) -> Log:
    """Goes on with a model by the rewards that its replies earn, saves it in `out`, and returns the trainer's log."""
    from trl import GRPOConfig, GRPOTrainer

    args = GRPOConfig(
        **_shared(out, steps, seed),
        per_device_train_batch_size=prompts * replies,
        num_generations=replies,
        max_completion_length=24,
        learning_rate=5e-4,
    )
    opened, processor = _opened(model)
    trainer = GRPOTrainer(
        model=opened, reward_funcs=[reward], args=args, train_dataset=rows, processing_class=processor
    )
    return _trained(trainer, out)


def _opened(model: Path) -> tuple[PreTrainedModel, ProcessorMixin]:
    from transformers import AutoModelForImageTextToText, AutoProcessor

    return AutoModelForImageTextToText.from_pretrained(model), AutoProcessor.from_pretrained(model)


def _shared(out: Path, steps: int, seed: int) -> dict[str, Any]:
    return {
        "output_dir": str(out),
        "max_steps": steps,
        "warmup_steps": min(50, steps // 5),
        "seed": seed,
        "logging_steps": max(1, steps // 30),
        "adam_beta2": 0.98,
        "save_strategy": "no",
        "report_to": "none",
        "disable_tqdm": True,
        "use_cpu": True,
        "bf16": False,
        "gradient_checkpointing": False,
    }


def _trained(trainer: Trainer, out: Path) -> Log:
    trainer.train()
    trainer.save_model(str(out))
    return [dict(entry) for entry in trainer.state.log_history]


def curve(log: Sequence[dict[str, float]], name: str) -> list[tuple[float, float]]:
    """The values of a quantity in a trainer's log, with their steps."""
    return [(entry["step"], entry[name]) for entry in log if name in entry]
