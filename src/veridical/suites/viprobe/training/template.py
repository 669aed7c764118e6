"""The words of the page about the learned observers."""

TEMPLATE = """\
# Learned observers: what training does to perception, and whether the instruments see it

Small networks, taught by us on our own pictures, answer the suite's questions from pixels and text. All have one
architecture, the same number of steps, and the same way of drawing pictures; they differ in what they were shown.
Nobody told them how to fail. `veridical viprobe study` wrote this page, with {seeds} of each network.{missing}

## In short

Means over seeds, and in brackets the lowest and the highest; what stands behind each follows.

{in_short}

## What was done

{arms}

All steps are on {batch} pictures: {first} steps that the networks of a seed share which begin alike, then {then} on
what each is taught. Half of the figures that counterfactual training shows are changed. A network sees lightness and
colourfulness on a grid of {width} x {height}, in patches of {stem} x {stem}; the question acts on what it has seen,
not on how it looks. What it has seen is the mean of two glances: the picture as it is, and moved by
{glance}. No network is ever shown a figure of a novel case.

What the four that ship make of pictures as they are drawn now stands in [shipped-observers.md](shipped-observers.md),
clutter among them, which none was ever taught. There textbook recites nearly as on the figures: to it, anything about
the targets is the figure. Counterfactual, of seed 0, sees most changes amid clutter as well.

{held}

The exam is a set that anyone can draw, with seed {seed}: {units} units a case, O, P, OC and PC, {levels} strengths,
both polarities. Networks are taught on base items from seeds that no set can have. What was settled by looking at how
networks did (how often a case is drawn, the two glances) was settled on sets of this seed; so the networks of the
first seed were [asked about another](#on-a-set-on-which-nothing-was-settled).

A seed gives the same pictures in the same order anywhere, but on another processor, or with another PyTorch, not the
same weights. Taught once more elsewhere, textbook of seed 0 was right on 11.4 % [10.2, 12.6] of the changed figures of
that other set (n 5,400): to stay at 10 % or below is not certain.

Rates are PFA (right in both polarities) in percent, with the intervals that any run gets; what a network declines is
not correct. The exam has no clutter and no inducers alone, so that a network that recites the figure is shown to lose
changes on figures, not to remember them: the verdict expected is loss on figures. Replies asked for:
{replies}.

Where seeds share a cell, it holds their mean and, in brackets, the lowest and the highest; each seed's own figure, with
its interval and n, is in [learned-observers.csv](learned-observers.csv).

## What was expected

{kept} of {promises} came out.

{promised}

## What each network does

![Textbook and counterfactual: accuracy against the strength of the change](learned-observers.svg)

{main}

Verdicts case by case, over the 27 classic cases and all seeds:

{verdicts}

Case by case; cases in bold are those held out. The worst of all is the lowest rate over O, P, OC, PC and seeds.

{by_case}

## On a set on which nothing was settled

The same with seed {fresh_seed}, after all was settled, of the networks of the first seed (those that ship are of seed
0): rates, verdicts case by case, and what was expected.

{fresh}

{fresh_verdicts}

{fresh_promised}

## Does it transfer?

What a network makes of figures of a case, by what it was taught of that case: means over the cases.

{transfer}

## How much is enough

Textbook training, with a share of changed figures among the figures of each case.

{doses}

## What the network does that never saw an inducer

Asked to answer all the same, also where it would decline. The size of an illusion is the PSE on controls less that on
figures, in units of α, from comparisons, with its interval: above 0 the shift is in the direction of people's. Where
replies go from one side to the other between two strengths, the size has bounds and no one value; where they hardly
depend on the change, it has neither. It says nothing about likeness to people beyond its sign.

{directions}

{sizes}

## Is the difference there, and not read out?

On changed figures of the classic cases that no network was taught on: which target has more. The read-out is a ridge
regression on the network's features, for each case on {taught} labelled figures, tested on {tested} others. It needs
labels that the network never had, and tells what its features hold, not what it perceives. Features of a network that
was never taught show how much of it is in any.

{probed}

## On spoilt pictures

{few_units} units a case, {few_levels} strengths; a drawn picture is 512 px on its longer side, and blur is in its
pixels. What is outside the range of pictures that a network was taught on, it declines.

{spoilt}
"""
