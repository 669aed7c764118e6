"""The text of the page, with blanks for what a validation counted."""

PAGE = """\
# Known observers: are the instruments right?

Simulated observers answer by a mechanism that is known, since it was chosen. What the library then says of them is
held here against what is true of them. This page is the same each time that this command writes it:

    {command}

{kept} of {promises} promises are kept{missed}

{totals}

Each share has a 95 % interval and the number n that it is of. Kept or missed is said of the share itself; where its
interval reaches across the bound, more runs could say otherwise. Observers, what is right of them, and bounds were
written down before anything was counted.

## Whether verdicts are right

Observers: {catalogued}, as [the catalogue](#the-catalogue) has them below. Runs of each: {observers}, each of an
observer drawn anew from the ranges of its parameters. It answers {cases} cases, {units} units each, in both polarities,
at {strengths}:
{designs}.

A verdict is right; acceptable, where it is not right but accuses of nothing that is not so; or else confidently wrong.
Promised: confidently wrong in at most {most_wrong}, whoever is observed; right in at least {least_right} overall, and
in at least {least_by_case} of cases, where the catalogue calls the observer clear. Where it does not, the share that is
right stands in parentheses. The cases of a run have one observer, so that intervals are over runs (mid-P overall). A
case has {units} units: less can be told of it.

{per_observer}

### What is said instead

Percent of the verdicts on each group of observers, by what is right of them overall; empty cells are 0. Overall:

{confusion}

By case, where something else may be right of some of the cases:

{confusion_by_case}

The absolute fit is tested with {draws} bootstrap draws, in {tested} of {observers} runs of each observer, not in the
others. That no model fits is said of {unfitted}.

### Weak vision, case by case

What {units} units of a case suffice for, with the strength that each case borrows from the others:

{weak}

## Whether 95 % intervals hold the truth in 95 %

Promised: 93 to 97 %, over all observers; each observer's own share stands beside it. An interval with a side without
bound, or an estimate without a value, holds every truth there; `open` counts them.

### Rates and differences

Runs on {setting}.
The replies of one unit are alike: its inducers are recognised or not, and each unit has an offset of its own. The truth
is computed in closed form from the parameters. R is counted where both of its differences are at least 10 points.

{settings_of_observers}

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

## The catalogue

What may be said of each observer, and why. Undetermined and that no model fits are acceptable of all; parameters are in
units of α, or shares. Of a case, only what differs from all cases is told.

{catalogue}
"""
