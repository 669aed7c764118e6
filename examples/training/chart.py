"""The curve and the table of what was trained, from the results of some seeds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from examples.training.trainers import curve
from veridical.base.charts import WIDTH, document

if TYPE_CHECKING:
    from matplotlib.figure import Figure

STAGES = {"untrained": "before", "sft": "after SFT", "grpo": "after GRPO"}
REWARD = "reward"
COLORS = ("#0b6e8a", "#c2571a", "#6a51a3", "#4d7f2c")


def chart(results: Sequence[Mapping[str, Any]]) -> str:
    """An SVG of three panels: the loss of SFT, the reward of GRPO, and how often the models are right when asked."""

    def draw(canvas: Figure) -> None:
        loss, reward, right = canvas.subplots(1, 3, width_ratios=(1, 1, 1.5))
        for each in results:
            loss.plot(*zip(*curve(each["logs"]["sft"], "loss"), strict=True), color=COLORS[0], linewidth=1)
            reward.plot(*zip(*curve(each["logs"]["grpo"], REWARD), strict=True), color=COLORS[0], linewidth=1)
        loss.set(title="SFT", xlabel="step", ylabel="loss", yscale="log")
        reward.set(title="GRPO", xlabel="step", ylabel="mean reward", ylim=(0, 1.02))
        groups = list(results[0]["rates"]["sft"])
        for place, group in enumerate(groups):
            for index, each in enumerate(results):
                points = [each["rates"][stage][group] for stage in STAGES]
                x = [k + (place - (len(groups) - 1) / 2) * 0.22 + index * 0.05 for k in range(len(STAGES))]
                y = [point["rate"] for point in points]
                ends = [
                    [point["rate"] - point["low"] for point in points],
                    [point["high"] - point["rate"] for point in points],
                ]
                label = group if index == 0 else None
                right.errorbar(x, y, ends, fmt="o", color=COLORS[place], markersize=3, linewidth=1, label=label)
        right.axhline(0.5, color="0.6", linewidth=0.8, linestyle="--")
        right.set_xticks(range(len(STAGES)), list(STAGES.values()))
        right.set(title="asked by veridical", ylabel="share right", ylim=(0, 1.02))
        right.legend(fontsize=7, frameon=False, loc="lower right")
        for axes in (loss, reward, right):
            axes.spines[["top", "right"]].set_visible(False)

    return document(WIDTH * 1.25, 2.8, draw)


def table(results: Sequence[Mapping[str, Any]]) -> str:
    """The rates with their 95 % intervals as a Markdown table, a row for each seed and stage."""
    groups = results[0]["rates"]["sft"]
    counts = [f"{group} ({each['units']} units, {each['questions']} questions)" for group, each in groups.items()]
    lines = [f"| seed | stage | {' | '.join(counts)} |", f"|---:|---|{'---:|' * len(groups)}"]
    for each in results:
        for stage, title in STAGES.items():
            cells = [
                f"{point['rate']:.2f} [{point['low']:.2f}, {point['high']:.2f}]"
                for point in each["rates"][stage].values()
            ]
            lines.append(f"| {each['seed']} | {title} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"
