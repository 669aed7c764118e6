"""Standard units against fresh ones at the size of `quick`: one that memorized standard pictures, five that did not.

The sets are real: all are asked about the same standard set, and in each run about fresh units with a seed of their
own. Who memorized is right about whatever it knows by the hash of its pixels, and guesses the rest: on standard units
it is one that never errs, on fresh ones the guesser, but for the pictures that are the same, which are counted.
Observers draw other numbers in each run, and on fresh units than on standard ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import veridical
from veridical.report.profiles import Profile, with_fresh
from veridical.report.profiles.fresh import NO_GAP, RECALLED, FreshGap
from veridical.stats import wilson
from veridical.suite.conclusions import interval_text
from veridical.suite.evaluation import PROTOTYPES
from veridical.verbs.evaluation.choices import part_of
from veridical.verbs.evaluation.profile import model_profiles


def seeing(share: float) -> dict[str, dict[str, Any]]:
    """The arguments of each suite's simulated observer that sees a share of what there is, and heals as much."""
    return {
        "hocabench": {"ontological": share, "causal": share},
        "magic": {"right": share, "heals": share},
        "magicbench": {"sees": share},
        "viabench": {"sees": share},
        "viprobe": {"lapse": round(1 - share, 2)},
    }


CARELESS = {**seeing(0.8), "hocabench": {"ontological": 0.8, "causal": 0.7}, "magic": {"right": 0.8, "heals": 0.2}}
OWN = {"never errs": seeing(1.0), "sees half": seeing(0.5), "is careless": CARELESS}
MECHANISMS = {
    "has memorized the standard pictures": ("never errs", "guesser"),
    **{name: (name, name) for name in (*PROTOTYPES, "sees half", "is careless")},
}
"""What one is on standard units and what on fresh ones."""


@cache
def drawn(suite: str, number: int | None, out: Path) -> veridical.StimulusSet:
    """The standard units of a suite at the size of `quick`, or the fresh ones of a run."""
    design = part_of(suite)[1].designs["quick"]
    seed = 0 if number is None else 10_000 + number
    return veridical.make(suite, out=out / suite / f"set-{seed}", recipe=design.recipe, seed=seed, **design.values)


def met_before(suite: str, number: int, out: Path) -> tuple[int, int]:
    """Of the pictures of the fresh units of a run, those that are standard ones, and all."""
    known, fresh = ([each.media[0].sha256 for each in drawn(suite, which, out).stimuli] for which in (None, number))
    return len([each for each in fresh if each in set(known)]), len(fresh)


def asked(suite: str, number: int | None, mechanism: str, seed: int, out: Path) -> veridical.RunResult:
    """One that answers by a mechanism, asked what `quick` asks about standard units, or the fresh ones of a run."""
    part = part_of(suite)[1]
    design = part.designs["quick"]
    name, arguments = part.prototypes[mechanism] if mechanism in PROTOTYPES else ("simulated", OWN[mechanism][suite])
    return veridical.run(
        drawn(suite, number, out),
        f"veridical/{name}",
        out=out / suite / "runs" / f"{mechanism}-{seed}",
        model_args={**arguments, "seed": seed},
        settings=dict(design.settings),
        judge=design.judge,
        show="quiet",
        analyze=False,
    )


def compared(name: str, number: int, suites: Sequence[str], out: Path) -> list[FreshGap]:
    """The gap of each question of one run of a mechanism."""
    profiles = [
        next(model_profiles({name: {suite: asked(suite, which, mechanism, seed, out) for suite in suites}}, suites, {}))
        for which, mechanism, seed in zip((None, number), MECHANISMS[name], (2 * number, 2 * number + 1), strict=True)
    ]
    joined = with_fresh(Profile(models=(profiles[0],), version=veridical.__version__), [profiles[1]], "")
    return [] if joined.fresh is None else list(joined.fresh.gaps[name])


def table(found: Mapping[str, Sequence[Sequence[FreshGap]]], shared: Mapping[str, tuple[int, int]]) -> Iterator[str]:
    """The rows of a Markdown table: by mechanism, the runs and the questions in which recall is found."""
    yield "| mechanism | runs | said to recall the standard set, % | questions with a gap |"
    yield "| --- | --- | --- | --- |"
    for name, runs in found.items():
        decided = [[gap for gap in gaps if gap.conclusion is not NO_GAP] for gaps in runs]
        recalling = sum(any(gap.conclusion is RECALLED for gap in gaps) for gaps in decided)
        share = recalling / len(runs)
        low, high = wilson(share, len(runs))
        text = interval_text(100 * share, 100 * (low or 0.0), 100 * (high or 0.0))
        yield f"| {name} | {len(runs)} | {text} | {sum(map(len, decided))} of {sum(map(len, runs))} |"
    yield ""
    for suite, (same, every) in shared.items():
        yield f"{suite}: {same:,} of {every:,} fresh pictures are standard ones"
