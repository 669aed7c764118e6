"""A network's model card: training data, steps, date, accuracy and limits."""

from __future__ import annotations

from pathlib import Path

from studies.viprobe.training.arms import HELD_OUT
from studies.viprobe.training.results import DECLINED, all_types, interval
from studies.viprobe.training.study import FRESH_SEED, LEVELS, UNITS, examined
from veridical.base.files import write_whole
from veridical.base.markdown import table
from veridical.records import Json
from veridical.suites.viprobe.analysis.pairs import TYPES
from veridical.suites.viprobe.illusions import CASES
from veridical.suites.viprobe.observers import LEARNED
from veridical.suites.viprobe.observers.learned_observers.network import SIZES
from veridical.suites.viprobe.observers.learned_observers.weights import read_weights

_CARD = """\
# veridical/{name}

{title}.

| | |
| --- | --- |
| trained on | {pictures:,} generated pictures, from training seed {seed}: {cases} cases, 256 to 1024 px |
| augmentation | position, scale (0.75 to 1), inversion of lightness, noise (sigma up to 8 of 255), resampling |
| steps | {first:,} on its initial diet ({begins}), then {then:,} on its own, {batch} pictures each |
| date | {date} |
| weights | {numbers:,}, 8 bits each |
{held}
Correct in both polarities (PFA, %), on a reproducible set (seed {exam}, {units} units per case, {levels} strengths; the
27 classic cases), with intervals:

{rates}

It declines this share of question pairs, in %: {declined}. The verdict on it: {verdict}.

It answers the suite's own questions, on pictures that are square or twice as wide as high, {low} to {high} px, with the
sharpness and contrast of its training pictures. It knows no other figures, no text in pictures and no photographs. Its
purpose is to test the instruments; it is no model of people.
"""


def write_card(folder: Path, seed: int, name: str) -> Path:
    """Tests a network of the folder on a set that was used for no choice, and writes its card beside its weights."""
    path = folder / f"seed-{seed}" / f"{name}.npz"
    weights = read_weights(path)
    numbers = sum(array.size for key, array in weights.arrays.items() if "." not in key)
    record = examined(str(folder), ["fresh", seed, name])
    write_whole(path.with_suffix(".md"), card(weights.about, record, numbers).encode())
    return path.with_suffix(".md")


def card(about: Json, record: Json, numbers: int) -> str:
    """The card in Markdown, from the metadata of the weights, the record of the exam, and the number of weights."""
    held = f"| held out | {', '.join(HELD_OUT)} |\n" if about["held"] else ""
    return _CARD.format(
        name=f"{LEARNED}{about['name']}",
        title=about["title"].capitalize(),
        pictures=about["pictures"],
        seed=about["seed"],
        cases=len(CASES),
        begins=about["first"],
        first=about["steps"][0],
        then=about["steps"][1],
        batch=about["batch"],
        date=about["date"],
        numbers=numbers,
        held=held,
        exam=FRESH_SEED,
        units=UNITS,
        levels=LEVELS,
        rates=table(TYPES, [all_types(record)]),
        declined=interval(record[DECLINED]),
        verdict=record["verdicts"][""],
        low=SIZES[0],
        high=SIZES[1],
    )
