"""The whole page, from what the parts of a validation found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from veridical.records import Json
from veridical.suites.viprobe import illusions
from veridical.suites.viprobe.validation import tables_in_words as page
from veridical.suites.viprobe.validation.coverage import CASES, FEW, UNITS
from veridical.suites.viprobe.validation.interval_grid import MEAN, Near, means, nears
from veridical.suites.viprobe.validation.mechanisms import Verdicts, confusion
from veridical.suites.viprobe.validation.planned import BASE, Planned
from veridical.suites.viprobe.validation.promises import Row, Share, coverages, keeps, powers, rejections

_PAGE = """\
# Known observers: are the instruments right?

Simulated observers answer by a mechanism that is known, since it was chosen. What the library then says of them is
held here against what is true of them. `veridical viprobe validate --seeds {seeds}` writes this page, the same each
time.

{kept} of {promises} promises are kept{missed}

Each share has Wilson's 95 % interval and the number n that it is of. Kept or missed is said of the share itself;
where its interval reaches across the bound, more runs could say otherwise. Boxes, observers and bounds were fixed
before anything was counted. A first validation, from other draws, found observers in competition, or of weak sight,
called veridical, and intervals of differences too narrow over few units: the rules and the intervals were mended, the
boxes and bounds not, and what follows is from fresh draws.

## Which mechanism

Each observer's parameters are drawn evenly from the box of its mechanism; a parameter without a range keeps its
default. The boxes hold the clear cases. Differences are in units of α.

{boxes}

Each observer answers a whole run: {cases} cases, {units} units each, O, P, OC and PC, {levels} strengths, both
polarities. Promised: right in at least 95 %, otherwise undetermined; wrong in at most 1 %. Empty cells are 0.

### Overall

{overall}

### Case by case

The same runs; n counts cases of observers, and intervals are by observer. A case has {units} units, so that less can
be told of it. Cases whose impression has no direction are left out for the illusory percept, which does not act on
them.

{by_case}

## Whether 95 % intervals hold the truth in 95 %

Promised: 93 to 97 %, over all observers; each observer's own share stands beside it. An interval with a side without
bound, or an estimate without a value, holds every truth there; `open` counts them.

### Rates and differences

Runs on {setting}.
The replies of one unit are alike: its inducers are recognised or not, and each unit has an offset of its own. The truth
is computed in closed form from the parameters. R is counted where both of its differences are at least 10 points.

{observers}

Over all cases, {all_units} units:

{all_cases}

Within one case, {case_units} units:

{one_case}

### Few units, and rates near 0 and 1

{grid_runs} runs in each cell: {grid_units} units; the rate of P in question {truths}; replies of a unit correlated by
{correlations}; units whose rates are beta-distributed, or of which that share answers all pictures alike; by picture
type apart, or the same for all types. P and PC have 10 pictures a unit, O and OC one, with a rate of .95; R has PC at
.5. Where cases are unlike, the rates of every other case lie 80 % of the way to 0 or 1, and of the others as far on the
other side. Promised: at least 90 % in every cell, less {allowed} points for the error of simulation, and for cases
alike 93 to 99 % on average of rates, gap, I and R. Counts are discrete, so that cells above 97 % are to be expected;
how wide the intervals are stands beside them, for {grid_units} units, R where it is bounded; `open` is the share that
has no upper bound.

{near}

{means}

### Psychometric functions

{runs} runs of each observer at 11 strengths, two replies a picture, alike within units; mu and sigma in units of α.

{fitted_observers}

{fits}

## How often tests reject what is true

The same observers without memory and without illusion: two runs of one observer do not differ, figures are as hard as
controls, and both directions of a change are seen alike. The sign-flip test at 5 % should reject in 5 %: inside the
binomial interval of n where signs are drawn at random (all cases), and at most 5 % where all patterns of signs are
counted (one case, or one pair a unit, which is McNemar's exact test). One case has {case_units} units; with {few} no
pattern of signs is rarer than 1 in {patterns}, so that `compare` cannot find anything.

{tests}

## Whether a plan finds what it promises

The smallest difference below {base} that `plan` states for a design, simulated anew in {runs} runs and tested as
`compare` tests. Promised: found in 80 %, within 5 points, since `plan` itself simulates 400 designs.

{powers}
"""


@dataclass(frozen=True, kw_only=True)
class Validation:
    """What a validation with so many seeds found; `page` is the document about it."""

    seeds: int
    units: int
    levels: int
    overall: Sequence[Verdicts]
    by_case: Sequence[Verdicts]
    all_cases: Sequence[Share]
    one_case: Sequence[Share]
    fits: Sequence[Share]
    tests: Sequence[Share]
    near: Sequence[Near]
    powers: Sequence[Share]

    @property
    def promises(self) -> dict[str, bool]:
        """Each promise in words, and whether it is kept."""
        found = {f"verdict overall: {each.box}": keeps(each) for each in self.overall}
        found |= {f"verdict case by case: {each.box}": keeps(each) for each in self.by_case}
        parts = (("all cases", self.all_cases), ("one case", self.one_case), ("fits", self.fits))
        for scope, shares in parts:
            found |= {f"coverage, {scope}: {page.figure(each.name)}": each.kept for each in shares}
        tests = {f"test of {page.figure(each.name[:1])}, {each.name[1]}": each.kept for each in self.tests}
        cells = {f"coverage in every cell: {page.of_grid(each)}": each.kept for each in self.near}
        low, high = MEAN
        averages = {f"mean coverage: {name}": low <= mean <= high for name, mean in means(self.near).items()}
        powers = {f"power of a plan: {each.name[0]}, correlation {each.name[1]}": each.kept for each in self.powers}
        return found | tests | cells | averages | powers

    @property
    def missed(self) -> list[str]:
        """The promises that are not kept, in words."""
        return [name for name, kept in self.promises.items() if not kept]

    @property
    def page(self) -> str:
        """The document, in Markdown."""
        return _PAGE.format(
            seeds=self.seeds,
            kept=len(self.promises) - len(self.missed),
            promises=len(self.promises),
            missed=("; missed:\n\n" + "\n".join(f"- {name}" for name in self.missed)) if self.missed else ".",
            boxes=page.boxes(),
            cases=len(illusions.chosen(None)),
            units=self.units,
            levels=self.levels,
            overall=page.confusion(self.overall),
            by_case=page.confusion(self.by_case),
            setting=page.setting(),
            observers=page.observers(),
            all_units=len(CASES) * UNITS,
            case_units=UNITS,
            all_cases=page.coverage(self.all_cases),
            one_case=page.coverage(self.one_case),
            runs=2 * self.seeds,
            fitted_observers=page.fitted_observers(),
            fits=page.coverage(self.fits),
            tests=page.rejections(self.tests),
            few=FEW,
            patterns=2 ** (FEW - 1),
            base=f"{100 * BASE:g} %",
            powers=page.powers(self.powers),
            **page.grid(self.near),
        )


def assembled(seeds: int, job: Mapping[str, Json], found: Mapping[str, Sequence[Json]]) -> Validation:
    """The validation from the results of the handlers of `validate`, under their names."""
    held = [row for run in found["covered"] for row in run]
    scopes = {
        scope: coverages(
            Row(observer, (metric, *([variant] if variant else [])), 1, int(holds), int(open_))
            for observer, place, metric, variant, holds, open_ in held
            if place == scope
        )
        for scope in ("all cases", "one case")
    }
    fits = coverages(
        Row(str(place + 1), (name,), runs, hits, open_)
        for part in found["fitted"]
        for place, name, runs, hits, open_ in part
    )
    return Validation(
        seeds=seeds,
        units=job["units"],
        levels=job["levels"],
        overall=confusion(found["judged"], by_case=False),
        by_case=confusion(found["judged"], by_case=True),
        all_cases=scopes["all cases"],
        one_case=scopes["one case"],
        fits=fits,
        tests=rejections((test, scope, hit) for run in found["rejected"] for test, scope, hit in run),
        near=nears(found["gridded"]),
        powers=powers(Planned(*row) for row in found["powered"]),
    )
