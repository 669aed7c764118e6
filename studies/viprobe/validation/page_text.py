"""The text of the page, with blanks for the numbers of a validation."""

PAGE = """\
# Validation: are the instruments right?

Simulated observers answer by a mechanism that was chosen and is therefore known. This page compares what the library
reports about them with the truth. The same command always writes the same page:

    {command}

{kept} of {promises} promises are kept{missed}

{totals}

Each share has a 95 % interval and its sample size n. "Kept" and "missed" refer to the share itself; if its interval
crosses the bound, more runs could change the result. The observers, the right verdicts on them, and the bounds were
fixed before any run.

## Whether verdicts are right

Observers: {catalogued}, listed in [the catalogue](#the-catalogue). Runs of each: {observers}, with parameters drawn
anew from their ranges for each run. A run has {cases} cases with {units} units each, in both polarities, at
{strengths}.
Picture types and tasks: {designs}.

A verdict is right; acceptable, if it is not right but makes no false claim; otherwise confidently wrong.
Promised: confidently wrong in at most {most_wrong} for every observer; right in at least {least_right} overall, and in
at least {least_by_case} of cases, for observers that the catalogue calls clear. For the others, the share right is in
parentheses. All cases of a run have the same observer, so intervals are over runs (mid-P overall). A case has {units}
units, so verdicts on it are less certain.

{per_observer}

### Which verdicts are given

Percent of the verdicts on each group of observers, by the verdicts that are right overall; empty cells are 0. Overall:

{confusion}

By case, where other verdicts may be right for some cases:

{confusion_by_case}

Goodness of fit is tested with {draws} bootstrap draws, in {tested} of {observers} runs of each observer and not in the
others. The verdict "no model fits" is given in {unfitted}.

### BIC compared with left-out base items

Weights come from BIC. Here the same hypotheses are fitted with a part of the base items of each case left out, in
{folds} folds, and evaluated on the replies to these items. The two agree if the hypothesis preferred by BIC predicts
these replies as well as the best one, within {close} in log-likelihood. Richer hypotheses with almost no effect predict
as well as simple ones.

{left_out}

### Weak vision, case by case

What {units} units of a case can show, with the information that each case borrows from the others:

{weak}

## Whether 95 % intervals cover the truth in 95 % of runs

Promised: 93 to 97 %, over all observers; each observer's own share is listed beside it. An interval without a bound on
one side, and an estimate without a value, cover every truth there; `open` counts them.

### Rates and differences

Runs on {setting}.
Replies to one unit are correlated: its inducers are recognized or not, and each unit has its own offset. The truth is
computed in closed form from the parameters. R is counted if both of its differences are at least 10 points.

{settings_of_observers}

Over all cases, {all_units} units:

{all_cases}

Within one case, {case_units} units:

{one_case}

### Few units, and rates near 0 and 1

{grid_runs} runs in each cell. Units: {grid_units}. True rate of P: {truths}. Correlation of replies within a unit:
{correlations}, by beta-distributed rates of units or by that share of units answering all pictures alike, independently
for each picture type or the same for all types. P and PC have 10 pictures per unit; O and OC have one, with a rate of
.95; for R, PC is at .5. With unlike cases, the rates of every other case lie 80 % of the way to 0 or 1, and those of
the others as far on the other side.

Promised: at least 90 % in every cell, minus {allowed} points for simulation error, and with alike cases 93 to 99 % on
average for rates, gap, I and R. Counts are discrete, so some cells above 97 % are expected. Mean widths of the
intervals are listed for {grid_units} units, those of R where it is bounded; `open` is the share without an upper bound.

{near}

{means}

### Psychometric functions

{runs} runs of each observer at 11 strengths, with two replies per picture, correlated within units; mu and sigma in
units of α.

{fitted_observers}

{fits}

## Whether tests keep their type-I error rate

The same observers without memory and without illusion: two runs of one observer do not differ, figures are as hard as
controls, and both directions of a change are seen equally well. The sign-flip test at 5 % should reject in 5 %: within
the binomial interval of n if signs are drawn at random (all cases), and at most 5 % if all sign patterns are enumerated
(one case, or one pair per unit, which is McNemar's exact test). One case has {case_units} units; with {few}, no sign
pattern is rarer than 1 in {patterns}, so `compare` cannot detect anything.

{tests}

## Whether plans have the power that they promise

The minimum detectable effect below {base} that `plan` states for a design, simulated anew in {runs} runs and tested as
in `compare`. Promised: a power of 80 %, within 5 points, since `plan` itself simulates 400 designs.

{powers}

## The catalogue

The right verdicts on each observer, and why. "Undetermined" and "no model fits" are acceptable for all; parameters are
in units of α, or shares. Verdicts on one case are listed only if they differ from those on all cases.

{catalogue}
"""
