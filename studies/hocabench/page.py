"""The page of the study: what was promised, verdicts and figures of observers, and learners that look coarsely."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import fill
from typing import NamedTuple

from studies.hocabench.looks import MOST_ERRORS, LearnerResult
from studies.hocabench.observers import OBSERVERS, SIGHTLESS
from studies.hocabench.study import DRAWN, HEIGHT, KINDS, RATE, StudyResults
from veridical.base.markdown import table
from veridical.records import Estimate
from veridical.stats import Interval, linear
from veridical.suites.hocabench.analysis.verdict import OPEN
from veridical.suites.hocabench.physics.rendering.view import RENDERED
from veridical.suites.hocabench.stimuli import PLAUSIBLE, VIOLATING

_TEXT = """\
# Validation: drawn and rendered clips

Do verdicts of HOCA-Bench agree between drawn and rendered clips? The same observers are asked about both, on the same
{count} sub-types: {sub_types}.
This command makes both sets, asks, and writes the page. In an empty folder it takes about {minutes} minutes of a CPU
core, most of them to render:

    python -m studies.hocabench --units {units} --seed {seed}

The sets are those of these commands. Each has {pairs:,} pairs of a violating and a plausible clip, of {width} ×
{height} pixels and {rate} pictures a second; a rendered picture has one pass, not 16.
{controls}

    NUMBERS="{options}"
    veridical make hocabench --out rendered --styles rendered --draft $NUMBERS
    veridical make hocabench --out drawn --sub-types {names} $NUMBERS

Intervals are of 95 %, over units. Simulated observers draw other numbers for each kind of clips.

## What was promised

The promises were written down before these sets were asked about. Sets of other seeds were used to make the study, and
to mend scenes: bodies shrink as often as they swell, since learners had told them apart. A learner tells something if
it is right more often than chance by over {errors:g} standard errors, the limit that tests set for pictures of other
suites.

{promises}

## Verdicts

{verdicts}

**Observers that read the truth prove little here**: they look at no pixel, so that they agree unless labels, questions
or the analysis differ between the sets. That of words alone learns from what is asked. Motion, and the learners below,
look at pixels alone.

{figures}

"Violating" and "plausible" are the shares of these clips that are called implausible, "apart" is their difference in
points, "described" the share of right descriptions (chance: 25 %).

## Motion

Its sudden changes tell violating clips from plausible ones by this area under the curve (.5 is chance):

{areas}

## Learners that look coarsely

Each is taught which clips are violating, with those of other units, and guesses the rest; chance is 50 %. A picture is
seen as 15 statistics of the whole or as 16 × 16 fields. The last two columns are the verdicts that guesses come to.

{learners}

The first frame and the size of a file are the same in both clips of a pair, so that they tell nothing.

## What this shows, and what not

{agreement}
{leaks}
- Learners had {pairs:,} pairs. They find what is coarse and common to many scenes, not what a large model could learn
  from thousands of clips.
- Both sets come from simulations of our own. That verdicts agree between them says nothing about filmed clips.
"""

_SECONDS = 8.0
"""Measured: what a pair takes of a CPU core to be rendered, drawn and asked about."""


_LINE = 120


class Promise(NamedTuple):
    """What was promised, what was found, and whether it was kept."""

    promise: str
    found: str
    kept: bool


def page(results: StudyResults, units: int, seed: int) -> str:
    """The page, as Markdown."""
    names = results.sub_types
    drawn = results.kinds[DRAWN]
    return _TEXT.format(
        count=len(names),
        sub_types=", ".join(name.replace("_", " ") for name in names),
        names=",".join(names),
        units=units,
        seed=seed,
        minutes=max(1, round(_SECONDS * drawn.units / 60)),
        pairs=drawn.units,
        width=HEIGHT * 16 // 9,
        height=HEIGHT,
        rate=RATE,
        controls=_controls(results),
        options=f"--units {units} --seed {seed} --height {HEIGHT} --rate {RATE} --panels 0 --sequences 0",
        errors=MOST_ERRORS,
        promises=table(
            ("promise", "found", ""),
            [(name, found, "kept" if kept else "**missed**") for name, found, kept in promises(results)],
        ),
        verdicts=table(("observer", "reads", "right", DRAWN, RENDERED, "agree"), list(_verdicts(results))),
        figures=table(
            ("observer", "clips", "violating, %", "plausible, %", "apart", "described, %", "rendered − drawn, apart"),
            list(_figures(results)),
        ),
        areas=table(("clips", "area", "units"), list(_areas(results))),
        learners=table(
            ("sees", "learner", "drawn, % right", "rendered, % right", "difference", DRAWN, RENDERED),
            list(_learners(results)),
        ),
        agreement=_bullet(_agreement(results)),
        leaks=_bullet(_leaks(results)),
    )


def promises(results: StudyResults) -> Iterator[Promise]:
    """What was promised before the sets of the page were asked about."""
    for kind, found in results.kinds.items():
        pairs, firsts, sizes = found.alike
        words = f"{firsts} and {sizes} of {pairs}"
        yield Promise(f"{kind}: first frames and file sizes of pairs are alike", words, firsts == sizes == pairs)
    for kind, found in results.kinds.items():
        right = [found.verdicts[each.name].name in each.verdicts(explained=results.explained) for each in OBSERVERS]
        yield Promise(
            f"{kind}: every observer has a verdict that is right", f"{sum(right)} of {len(right)}", all(right)
        )
    differ = [agreement(results, each.name) == "no" for each in OBSERVERS]
    yield Promise("no observer has different verdicts", f"{sum(differ)} of {len(differ)} have", not any(differ))
    for kind, found in results.kinds.items():
        most = max(found.learners, key=lambda name, own=found.learners: own[name].told.above)  # type: ignore[misc]
        above = found.learners[most].told.above
        words = f"{above:+.1f} standard errors, {_named(most)}"
        yield Promise(f"{kind}: no learner tells anything", words, above <= MOST_ERRORS)
    for kind, found in results.kinds.items():
        sightless = [each.name in SIGHTLESS for each in found.learner_verdicts.values()]
        words = f"{sum(sightless)} of {len(sightless)}"
        yield Promise(f"{kind}: the verdict on no learner says that it notices", words, all(sightless))
    apart = _areas_apart(results)
    low, high = apart[1]
    assert low is not None
    assert high is not None
    yield Promise("motion: the areas do not differ", f"rendered − drawn {_of_area(apart)}", low <= 0 <= high)


def agreement(results: StudyResults, observer: str) -> str:
    """Whether an observer has the same verdict on both kinds of clips: yes, no, or open where one has none."""
    return agree(*(results.kinds[kind].verdicts[observer].name for kind in KINDS))


def agree(one: str, other: str) -> str:
    """Whether two verdicts agree.

    >>> agree("blind", "blind"), agree("blind", "undetermined"), agree("blind", "sees little")
    ('yes', 'open', 'no')
    """
    if one == other:
        return "yes"
    return "open" if OPEN in (one, other) else "no"


def _controls(results: StudyResults) -> str:
    if results.explained:
        return "Explained controls are counted where both sets have them."
    return "Explained controls, which are drawn only, are left out, so that no verdict can rest on them."


def _verdicts(results: StudyResults) -> Iterator[list[str]]:
    for each in OBSERVERS:
        right = " or ".join(sorted(each.verdicts(explained=results.explained)))
        own = [results.kinds[kind].verdicts[each.name].name for kind in KINDS]
        yield [each.name, each.reads, right, *own, agreement(results, each.name)]


def _figures(results: StudyResults) -> Iterator[list[str]]:
    for each in OBSERVERS:
        apart = {kind: _found(results, kind, each.name, "notices the impossible") for kind in KINDS}
        for kind in KINDS:
            odd = [
                _share(_found(results, kind, each.name, "says implausible", variant=variant))
                for variant in (VIOLATING, PLAUSIBLE)
            ]
            described = _share(_found(results, kind, each.name, "accuracy", task="description"))
            change = "" if kind == DRAWN else _points(_difference(*map(_bounded, (apart[RENDERED], apart[DRAWN]))))
            yield [each.name, kind, *odd, _points(_bounded(apart[kind])), described, change]


def _found(results: StudyResults, kind: str, observer: str, metric: str, **where: str) -> Estimate:
    return results.kinds[kind].figures[observer][metric, frozenset(where.items())]


def _areas(results: StudyResults) -> Iterator[list[str]]:
    for kind in KINDS:
        yield [kind, _of_area(results.kinds[kind].area), str(results.kinds[kind].units)]
    yield ["rendered − drawn", _of_area(_areas_apart(results)), ""]


def _areas_apart(results: StudyResults) -> tuple[float, Interval]:
    return _difference(results.kinds[RENDERED].area, results.kinds[DRAWN].area)


def _learners(results: StudyResults) -> Iterator[list[str]]:
    drawn, rendered = (results.kinds[kind] for kind in KINDS)
    for name in drawn.learners:
        own = [each.learners[name] for each in (drawn, rendered)]
        apart = _difference(*((each.right, each.bounds) for each in reversed(own)))
        verdicts = [each.learner_verdicts[name].name for each in (drawn, rendered)]
        yield [*name, *map(_right, own), _points((100 * apart[0], _scaled(apart[1]))), *verdicts]


def _right(found: LearnerResult) -> str:
    flag = " **over the limit**" if found.told.above > MOST_ERRORS else ""
    return _percent(found.right, found.bounds) + flag


def _agreement(results: StudyResults) -> str:
    looking = [each.name for each in OBSERVERS if each.reads == "pixels"]
    counted = [agreement(results, each.name) for each in OBSERVERS]
    learners = [
        agree(*(results.kinds[kind].learner_verdicts[name].name for kind in KINDS))
        for name in results.kinds[DRAWN].learners
    ]
    text = (
        f"Verdicts agree for {counted.count('yes')} of {len(counted)} observers "
        f"(without one on one kind of clips: {counted.count('open')}). "
        f"Of {len(learners)} learners, {learners.count('yes')} have one verdict on both"
    )
    return f"{text}; {', '.join(looking)}: {', '.join(agreement(results, name) for name in looking)}."


def _leaks(results: StudyResults) -> str:
    over = [
        f"{_named(name)} ({kind}, {_percent(found.right, found.bounds)} %)"
        for kind in KINDS
        for name, found in results.kinds[kind].learners.items()
        if found.told.above > MOST_ERRORS
    ]
    if not over:
        return "No learner that looks coarsely tells violating clips from plausible ones, in neither set."
    return (
        f"Over the limit: {'; '.join(over)}. There, what a coarse look sees gives away a part of the answers: what is "
        "gone or stops dead moves no more, and what changes does so at once. A model that is right on these alone, and "
        "not in its descriptions, need not understand what happens."
    )


def _bullet(text: str) -> str:
    return fill(f"- {text}", _LINE, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def _named(name: tuple[str, str]) -> str:
    return f"{name[0]} ({name[1]})"


def _difference(one: tuple[float, Interval], other: tuple[float, Interval]) -> tuple[float, Interval]:
    """The difference of two figures of independent sets."""
    return one[0] - other[0], linear((1, -1), (one[0], other[0]), (one[1], other[1]))


def _bounded(estimate: Estimate) -> tuple[float, Interval]:
    assert estimate.value is not None
    return estimate.value, Interval(estimate.low, estimate.high)


def _share(estimate: Estimate) -> str:
    return "–" if estimate.value is None else _percent(estimate.value, Interval(estimate.low, estimate.high))


def _percent(value: float, bounds: Interval) -> str:
    low, high = _scaled(bounds)
    return f"{100 * value:.1f} [{low:.1f}, {high:.1f}]"


def _scaled(bounds: Interval) -> Interval:
    """An interval of shares in percent."""
    low, high = bounds
    assert low is not None
    assert high is not None
    return Interval(100 * low, 100 * high)


def _points(found: tuple[float, Interval]) -> str:
    value, (low, high) = found
    return f"{value + 0:+.1f} [{low:.1f}, {high:.1f}]"


def _of_area(found: tuple[float, Interval]) -> str:
    value, (low, high) = found
    return f"{value:.3f} [{low:.3f}, {high:.3f}]"
