"""The page of the study: what was written down of each model beforehand, and what was read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from studies.inside.reading import (
    ENCODED,
    FOLLOWED,
    NOT_ENCODED,
    NOT_FOLLOWED,
    curve_of,
    last_of,
    promises,
    readout,
)
from studies.inside.study import CASE, Results
from studies.inside.twins import CONTROLS, FIGURES, GROUPS, TWINS, Twin
from veridical.base.markdown import table

MINUTES = 6
_GROUPS = {FIGURES: "figures", CONTROLS: "controls"}
_TEXT = """\
# Validation: read-outs from inside

Models whose insides are known are read as any other local model: does the library tell what is seen and not told from
what is not seen? This command teaches four models of 0.3 million parameters for each seed, reads them, and writes this
page, in about {minutes} minutes of a CPU core for each seed:

    python -m studies.inside --seeds {seeds}

They are LLaVAs, each a CLIP tower, a projector and a Llama of three layers, on pictures of one case (`{case}`).

| model | what it is | by construction |
| --- | --- | --- |
| reader | sees and tells | its tower learned the change and was frozen; its text model learned true answers |
| override | sees, and recites on figures | the same tower; on figures, its text model learned the textbook's answers |
| reciter | sees, and recites always | the same tower; its text model learned the textbook's answers to all pictures |
| cropped | cannot see, and recites always | its processor cuts out the middle of a picture, where no target is |

Reciter and cropped give the same replies. Only a look inside can tell them apart.

## What was promised

The promises were written down before any model was read. A change is **encoded** if R² of `label` (changed or not, unit
means removed) in the tower's last layer has its whole interval above {encoded} and is above that of random weights. It
is not encoded if the interval is below {not_encoded}, or if no state differs. A change is **followed** if at least
{followed:.0%} of the pairs of an unchanged and a changed picture have different answers, and not if at most
{not_followed:.0%} have.

{promised}

In parentheses: seeds.

## What was read

{readouts}

Each cell is R² [95 % interval] on base items that were left out, from {trials} trials of {units} base items for
figures, and as many for controls. "–": no state differs within a base item. "Beyond random weights" is the tower's R²
minus that of the same architecture with random weights. `{last}` is the state at the prompt's last token.

{patched}

The effect is how much the changed picture moves the log odds of the two answers, in nats; "changed" counts pairs whose
likeliest answer changes. The other columns are the share of the effect that goes through the picture tokens from a
depth on. The shares of an effect near 0 say nothing.

{replies}

"Right" is the share of right answers to each type of picture. Flagged answers are not what the model replies. The last
column is how much of the targets that change is in any token, by the measured map.

## What this shows, and what not

- **The probe tells the reciter from the cropped model**, whose replies are the same.
- **Patched runs tell the override from the reader**: the same tower moves no answer on figures.
- **A read-out from the text model is no proof of use.**
  {leak}
- **The map tells the crop.** The verdict on the cropped model is one about what it was shown.
- These models are small and were taught one case. That the instruments are right about them says nothing about other
  models.
"""


def page(results: Results, seeds: str) -> str:
    """The page."""
    rows = [
        (seed, twin, results[seed, twin.name]) for seed in dict.fromkeys(seed for seed, _ in results) for twin in TWINS
    ]
    first = readout(rows[0][2], FIGURES, last_of(rows[0][2], "tower."))
    return _TEXT.format(
        seeds=seeds,
        case=CASE,
        encoded=ENCODED,
        not_encoded=NOT_ENCODED,
        followed=FOLLOWED,
        not_followed=NOT_FOLLOWED,
        promised=_promised(rows),
        readouts=_readouts(rows),
        trials=f"{first['n']:,}",
        units=first["units"],
        patched=_patched(rows),
        replies=_replies(rows),
        leak=_leak(rows),
        last=last_of(rows[0][2], "language."),
        minutes=MINUTES,
    )


_Row = tuple[int, Twin, Mapping[str, Any]]


def _promised(rows: list[_Row]) -> str:
    names = list(dict.fromkeys(twin.name for _, twin, _ in rows))
    kept: dict[str, dict[str, list[bool]]] = {name: {} for name in names}
    for _, twin, found in rows:
        for promise, is_kept in promises(twin, found).items():
            kept[twin.name].setdefault(promise, []).append(is_kept)
    cells = [[name, *(_cell(*each) for each in promised.items())] for name, promised in kept.items()]
    return table(["model", "encoded, figures", "controls", "followed, figures", "controls", "verdict"], cells)


def _cell(promise: str, kept: list[bool]) -> str:
    word = promise.partition(": ")[2]
    return f"{word}: {'kept' if all(kept) else f'**missed** in {len(kept) - sum(kept)}'} ({len(kept)})"


def _readouts(rows: list[_Row]) -> str:
    head = ["seed", "model", "pictures", "tower", "beyond random weights", "projector", "language.2.answer"]
    return table(head, (_states(*row, group) for row in rows for group in GROUPS))


def _states(seed: int, twin: Twin, found: Mapping[str, Any], group: str) -> list[str]:
    tower = last_of(found, "tower.")
    places = (
        (tower, "model"),
        (tower, "model − random weights"),
        ("projector", "model"),
        (last_of(found, "language."), "model"),
    )
    return [str(seed), twin.name, _GROUPS[group], *(_bounds(readout(found, group, *each), "r2") for each in places)]


def _bounds(row: Mapping[str, Any], name: str) -> str:
    if row[name] is None:
        return "–"
    low, high = ("low", "high") if name == "r2" else (f"{name}_low", f"{name}_high")
    return f"{row[name] + 0:.2f} [{row[low]:.2f}, {row[high]:.2f}]".replace("-0.00", "0.00")


def _patched(rows: list[_Row]) -> str:
    depths = [row["depth"] for row in curve_of(rows[0][2], FIGURES)]
    return table(
        ["seed", "model", "pictures", "effect", "changed", *depths],
        (_curve(*row, group) for row in rows for group in GROUPS),
    )


def _curve(seed: int, twin: Twin, found: Mapping[str, Any], group: str) -> list[str]:
    curve = curve_of(found, group)
    shares = [_bounds(row, "share") for row in curve]
    changed = f"{curve[0]['changed']} of {curve[0]['pairs']}"
    return [str(seed), twin.name, _GROUPS[group], _bounds(curve[0], "effect"), changed, *shares]


def _replies(rows: list[_Row]) -> str:
    head = [
        "seed",
        "model",
        "verdict",
        *(f"right, {name}" for name in ("O", "P", "OC", "PC")),
        "flagged answers",
        "targets in tokens",
    ]
    return table(head, ([*_reply(*row)] for row in rows))


def _reply(seed: int, twin: Twin, found: Mapping[str, Any]) -> Iterator[str]:
    yield from (str(seed), twin.name, found["verdict"])
    yield from (f"{found['right'][name]:.2f}" for name in ("O", "P", "OC", "PC"))
    yield f"{found['answers']['flagged']} of {found['answers']['trials']}"
    yield f"{found['seen']['targets']:.0%}"


def _leak(rows: list[_Row]) -> str:
    """The best read-out of a change, from the last state, in a group whose answers do not follow it."""
    places = [
        (readout(found, group, last_of(found, "language.")), twin.name, _GROUPS[group])
        for _, twin, found in rows
        for group in GROUPS
        if group not in twin.followed and group in twin.encoded
    ]
    row, name, group = max(places, key=lambda place: place[0]["r2"] or 0.0)
    most = f"{_bounds(row, 'r2')} ({name}, {group})"
    return f"Where answers do not follow the change, R² in the last state is up to {most}."
