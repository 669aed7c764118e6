"""The text of the page on the learned observers."""

TEMPLATE = """\
# Learned observers: what training does to perception, and whether the instruments see it

Small networks, trained on our own pictures, answer the suite's questions from pixels and text. All have the same
architecture, number of steps and procedure of drawing pictures; they differ in the pictures that they were shown. Their
failures are learned, not programmed. Written by `python -m studies.viprobe study`, with {seeds} of each
network.{missing}

## Summary

Means over seeds, with the minimum and maximum in parentheses; details follow.

{in_short}

## Method

{arms}

All steps use {batch} pictures: {first} initial steps, which networks of a seed with the same initial diet share, then
{then} on each network's own diet. In counterfactual training, half of the figures are changed. A network sees lightness
and colorfulness on a grid of {width} x {height}, in patches of {stem} x {stem}; the question acts on the features of
the picture, not on how it is seen. The features are the mean of two glances: the picture itself, and the picture moved
by {glance}. No network is shown a figure of a novel case.

[shipped-observers.md](shipped-observers.md) has the results of the four shipped networks on pictures as they are drawn
now, with clutter, which none was trained on. There, textbook recites nearly as often as on figures: it treats anything
around the targets as the figure. Counterfactual, of seed 0, sees most changes amid clutter as well.

{held}

The exam is a reproducible set with seed {seed}: {units} units per case, O, P, OC and PC, {levels} strengths, both
polarities. Training uses base items from seeds that no set can have. A few choices (how often a case is drawn, the two
glances) were made by looking at results on sets of this seed; therefore the networks of the first seed were also
[tested on another set](#on-a-set-that-was-used-for-no-choice).

A seed gives the same pictures in the same order everywhere, but not the same weights on another processor or with
another version of PyTorch. Retrained elsewhere, textbook of seed 0 was correct on 11.4 % [10.2, 12.6] of the changed
figures of that other set (n 5,400): a rate of at most 10 % is not certain.

Rates are PFA (correct in both polarities) in percent, with the same intervals as for any run; declined questions count
as incorrect. The exam has no clutter and no inducers alone, so it can show that a network that recites the figure loses
changes on figures, but not that it remembers them: the expected verdict is loss on figures. Planned replies: {replies}.

Cells that pool seeds hold the mean, with the minimum and maximum in parentheses. Each seed's own figure, with its
interval and n, is in [learned-observers.csv](learned-observers.csv).

## Expected results

{kept} of {promises} were met.

{promised}

## Results of each network

![Textbook and counterfactual: accuracy against the strength of the change](learned-observers.svg)

{main}

Number of cases with each verdict, over the 27 classic cases and all seeds:

{verdicts}

By case; held-out cases are in bold. The worst of all is the lowest rate over O, P, OC, PC and seeds.

{by_case}

## On a set that was used for no choice

The same with seed {fresh_seed}, after all choices were made, for the networks of the first seed: rates, verdicts
by case, and expected results. The shipped networks were taught with seed 0, too, but on
another machine, and are not these.

{fresh}

{fresh_verdicts}

{fresh_promised}

## Transfer to other cases

Accuracy on figures of held-out and novel cases, by the training on them: means over the cases.

{transfer}

## Dose of changed figures

Textbook training, with a share of changed figures among the figures of each case.

{doses}

## Illusions of the network that never saw an inducer

The network is forced to answer where it would decline. The size of an illusion is the PSE on controls − the PSE on
figures, in units of α, from comparisons, with its interval; a positive size is a shift in the direction of people's. If
replies change from one side to the other between two strengths, the size has bounds but no value; if they hardly depend
on the change, it has neither. Only the sign says anything about likeness to people.

{directions}

{sizes}

## Is the difference encoded but not reported?

Task: which target has more, on changed figures of the classic cases that no network was trained on. The probe is a
ridge regression on the network's features, fitted per case to {taught} labeled figures and tested on {tested} others.
It uses labels that the network never had, and shows what its features encode, not what it perceives. The features of an
untrained network are the baseline.

{probed}

## On degraded pictures

{few_units} units per case, {few_levels} strengths. A picture is 512 px on its longer side as drawn, and blur is in its
pixels. A network declines pictures outside the range that it was trained on.

{spoilt}
"""
