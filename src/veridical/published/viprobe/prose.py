"""What is checked of Figures 4 to 6: claims, computations, causes."""

from veridical.published.replicate import Check
from veridical.published.viprobe.layout import LEVELS, ORIGINALS, PAPER, SIZE_ORIGINALS

_FOUR = f"{ORIGINALS} originals, {ORIGINALS * LEVELS} perturbed pictures, and as many controls"

COHERENT = Check(
    paper=PAPER,
    place="Table 2, Figure 4",
    claim="PFC in Table 2 and PFC in Figure 4 describe the same replies.",
    computation="PFC of Figure 4 (or 100 − TFI) is a plain mean over O, P, OC and PC, as its accuracies are. A type's "
    f"PFC lies between its accuracy in Table 2 and 100; from these, all values of the mean pooled over {_FOUR}.",
    consequence=1,
    cause="The two PFC come from different pictures, replies or weights, and neither place says which: the setup of "
    "Figure 4 names hinted pictures, which its accuracies do not contain. PFC is the paper's threshold for whether a "
    "model can be judged at all.",
    instead="PFC, PFA, CbW, TFI and pairs without an answer are given as plain mean over types and pooled, and every "
    "table names which.",
)
SUM = Check(
    paper=PAPER,
    place="Section 4.2.1",
    claim="PFC is PFA plus CbW.",
    computation="The sum of the two figures quoted.",
    consequence=3,
    cause="A figure typed apart from its parts.",
    instead="The parts add up to 1 by construction, and a test says so.",
)
FOUR_TYPES = Check(
    paper=PAPER,
    place="Section 4.2.1, Figure 4",
    claim="PFA in Figure 4 (PFC less CbW where it is not quoted) follows from the accuracies in Table 2.",
    computation="Mean of O, P, OC and PC, plain over the four types, and pooled over pictures.",
    consequence=2,
    cause="Other pictures or replies than in Table 2.",
    instead="Both averages are given, and named.",
)
FIVE_TYPES = Check(
    paper=PAPER,
    place="Section 4.2.1",
    claim="Figure 4 covers five types: original, perturbed, both controls, and perturbed with hint.",
    computation="The mean over five types, the four of Table 2 and hinted pictures, whose accuracy on size cases is in "
    f"Table 9 ({SIZE_ORIGINALS} of {ORIGINALS} units) and between 0 and 100 elsewhere.",
    consequence=2,
    cause="The hinted pictures were left out: the mean over four types gives every figure exactly.",
    instead="A table names the picture types that it averages.",
)
COLLAPSE = Check(
    paper=PAPER,
    place="Section 4.2.3",
    claim="OpenAI's flagships have 45 to 55 % on perturbed illusions at strengths of −0.5 and +0.5.",
    computation="The least average over the ten strengths that two of them at 45 % allow, with 0 elsewhere, against "
    "Table 2's accuracy on perturbed illusions.",
    consequence=1,
    cause="The figures were read off the panel for controls, or for other models. They also contradict the flat 0 to "
    "5 % that the same section calls complete memory override.",
    instead="Accuracy at each signed strength is a table with intervals, from which the figure is drawn.",
)
RISES = Check(
    paper=PAPER,
    place="Section 4.2.3",
    claim="Claude-Opus-4.1 comes to 40 % on illusions at one end of its curve, and has 18 % at strengths of −1 and +1.",
    computation="The least mean of the two ends, one of them at 40 % and the other at 0, against 18 %.",
    consequence=1,
    cause="One of the two was read off another model's row or the wrong panel. Dose-dependence on illusions, the mark "
    "of competition, rests on the first of them.",
    instead="Accuracy at each signed strength is a table with intervals, from which the figure is drawn.",
)
CONSTANT = Check(
    paper=PAPER,
    place="Section 4.2.3",
    claim="The gap between control and illusion is constant for GPT-5, and 30 to 50 points for Claude-Opus-4.1.",
    computation="Control less illusion at either end of the curves that the same paragraph describes.",
    consequence=1,
    cause="The gap was read at one strength. From the quoted ends it shrinks as the change "
    "grows, and for Claude it turns.",
    instead="The gap is estimated at each strength, on paired units, with its interval.",
)
MEAN_GAP = Check(
    paper=PAPER,
    place="Section 4.2.3, Table 2",
    claim="The quoted gap between control and illusion holds at all strengths.",
    computation="PC − P from Table 2, the mean over all strengths, which a gap that holds at each must equal.",
    consequence=1,
    cause="The gap was read at one strength.",
    instead="The gap is estimated at each strength, on paired units, with its interval.",
)
COMPLETE = Check(
    paper=PAPER,
    place="Section 4.2.3",
    claim="Ranks reverse completely between control and illusion at strength +1.",
    computation="A complete reversal takes rank r of 15 to rank 16 − r.",
    consequence=2,
    cause="A strong negative relation was called a complete one.",
    instead="Kendall's τ between the two orders, for each strength.",
)
REVERSED = Check(
    paper=PAPER,
    place="Section 4.2.3, Table 2",
    claim="The order of models on perturbed controls is the reverse of that on perturbed illusions.",
    computation="Kendall's τ between the two columns of Table 2, over all strengths; −1 is a reversal.",
    consequence=1,
    cause="The sentence has one strength and a few models in mind.",
    instead="Kendall's τ between the two orders, for each strength.",
)
OVERALL = Check(
    paper=PAPER,
    place="Section 4.2.4, Figure 6",
    claim="A family's overall gap is the mean of its gaps for length, colour and orientation.",
    computation="Mean of the three, plain, and by the numbers of cases (11, 7, 9).",
    consequence=3,
    cause="A figure typed apart from its parts.",
    instead="Gaps per case and per category, and the weights of any mean over them, are in the table.",
)
LENGTH = Check(
    paper=PAPER,
    place="Section 4.2.4, Figure 6",
    claim="A family's gap for length is that of Tables 10 and 11.",
    computation="Perturbed control less perturbed illusion without prompt, mean over the family's models.",
    consequence=2,
    cause="Other pictures or replies than in the tables.",
    instead="Figures and tables are made from one frame of estimates.",
)
FAMILY = Check(
    paper=PAPER,
    place="Figure 6, Table 2",
    claim="A family's gaps by category and its gap over all pictures in Table 2 describe the same replies.",
    computation=f"Size cases are {SIZE_ORIGINALS} of {ORIGINALS} units; the rest has a gap between those for colour "
    "and for orientation. From these, all values of the gap over all pictures, PC − P in Table 2.",
    consequence=1,
    cause="Other pictures or models in the figure than in the table, or a sign lost in one of its gaps.",
    instead="Figures and tables are made from one frame of estimates.",
)
