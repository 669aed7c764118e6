"""What is checked of Figures 4 to 6: claims, computations, causes."""

from veridical.published.replicate import Check
from veridical.published.viprobe.layout import LEVELS, ORIGINALS, PAPER, SIZE_ORIGINALS

_FOUR = f"{ORIGINALS} originals, {ORIGINALS * LEVELS} perturbed pictures, and as many controls"

COHERENT = Check(
    paper=PAPER,
    place="Table 2, Figure 4",
    claim="PFC in Figure 4 and PFC in Table 2 can be of the same replies, as the accuracies beside them are.",
    computation="PFC of Figure 4 (or 100 − TFI) is a plain mean over O, P, OC and PC, as its accuracies are. A type's "
    f"PFC lies between its accuracy in Table 2 and 100; from these, all values of the mean pooled over {_FOUR}.",
    consequence=2,
    cause="They come from different pictures or replies. The text says that Table 2's PFC is over four types and "
    "names hinted pictures as a fifth for the figure; the figure's accuracies, though, are those of the four.",
    doubt="PFC of the figure over five types would be no contradiction. But PFC = PFA + CbW is printed, and PFA is "
    "exactly the mean of the four types in Table 2.",
    instead="PFC, PFA, CbW and TFI are given per picture type and as the plain mean over types, and tables say which.",
)
SUM = Check(
    paper=PAPER,
    place="Section 4.2.1",
    claim="PFC is PFA plus CbW.",
    computation="The sum of the two figures quoted.",
    consequence=4,
    cause="A figure typed apart from its parts.",
    instead="The parts add up to 1 by construction, and a test says so.",
)
FOUR_TYPES = Check(
    paper=PAPER,
    place="Section 4.2.1, Figure 4",
    claim="PFA in Figure 4 (PFC less CbW where it is not quoted) follows from the accuracies in Table 2.",
    computation="Mean of O, P, OC and PC, plain over the four types, and pooled over pictures.",
    consequence=3,
    cause="Other pictures or replies than in Table 2.",
    instead="Both averages are given, and named.",
)
FIVE_TYPES = Check(
    paper=PAPER,
    place="Section 4.2.1",
    claim="Figure 4 covers five types: original, perturbed, both controls, and perturbed with hint.",
    computation="The mean over five types, the four of Table 2 and hinted pictures, whose accuracy on size cases is in "
    f"Table 9 ({SIZE_ORIGINALS} of {ORIGINALS} units) and between 0 and 100 elsewhere.",
    consequence=3,
    cause="The hinted pictures were left out: the mean over four types gives every figure exactly.",
    instead="A table names the picture types that it averages.",
)
COLLAPSE = Check(
    paper=PAPER,
    place="Section 4.2.3",
    claim="OpenAI's flagships have 45 to 55 % on perturbed illusions at strengths of −0.5 and +0.5.",
    computation="The least average over the ten strengths that two of them at 45 % allow, with 0 elsewhere, against "
    "Table 2's accuracy on perturbed illusions.",
    consequence=2,
    cause="The figures were read off the panel for controls, or for other models. They also contradict the flat 0 to "
    "5 % that the same section calls complete memory override.",
    doubt="The strengths and the models are read from one sentence about a heat map; were its first two numbers "
    "meant of the controls, the statement would be about something else.",
    instead="Accuracy at each signed strength is a table with intervals, case by case.",
)
RISES = Check(
    paper=PAPER,
    place="Section 4.2.3",
    claim="Claude-Opus-4.1 comes to 40 % on illusions at one end of its curve, and has 18 % at strengths of −1 and +1.",
    computation="The least mean of the two ends, one of them at 40 % and the other at 0, against 18 %.",
    consequence=2,
    cause="One of the two was read off another model's row or the wrong panel. Dose-dependence on illusions, the mark "
    "of competition, rests on the first of them.",
    doubt="That the second end of the curve is the strength of +1, or of −1, is our reading of the arrow.",
    instead="Accuracy at each signed strength is a table with intervals, case by case.",
)
CONSTANT = Check(
    paper=PAPER,
    place="Section 4.2.3",
    claim="The gap between control and illusion is constant for GPT-5, and 30 to 50 points for Claude-Opus-4.1.",
    computation="Control less illusion at either end of the curves that the same paragraph describes.",
    consequence=1,
    cause="The gap was read at one strength. From the quoted ends it shrinks as the change "
    "grows, and for Claude it turns.",
    doubt="The ends of curves are read off a figure by the authors; only their agreement with the gap is compared.",
    instead="The gap, and the rise of accuracy with the strength, are estimated with intervals, overall and per case.",
)
MEAN_GAP = Check(
    paper=PAPER,
    place="Section 4.2.3, Table 2",
    claim="The quoted gap between control and illusion holds at all strengths.",
    computation="PC − P from Table 2, the mean over all strengths, which a gap that holds at each must equal.",
    consequence=2,
    cause="The gap was read at one strength.",
    instead="The gap, and the rise of accuracy with the strength, are estimated with intervals, overall and per case.",
)
COMPLETE = Check(
    paper=PAPER,
    place="Section 4.2.3",
    claim="Ranks reverse completely between control and illusion at strength +1.",
    computation="A complete reversal takes rank r of 15 to rank 16 − r.",
    consequence=3,
    cause="A strong negative relation was called a complete one.",
    doubt="Complete is taken at its word; a reader may hear it as strongly.",
    instead="veridical.stats.kendall_tau gives the agreement of two orders.",
)
REVERSED = Check(
    paper=PAPER,
    place="Section 4.2.3, Table 2",
    claim="The order of models on perturbed controls is the reverse of that on perturbed illusions.",
    computation="Kendall's τ between the two columns of Table 2, over all strengths; −1 is a reversal.",
    consequence=2,
    cause="The sentence has one strength and a few models in mind.",
    doubt="The paper says it of one strength, whose column is not printed; the mean over strengths may be ordered "
    "otherwise.",
    instead="veridical.stats.kendall_tau gives the agreement of two orders.",
)
OVERALL = Check(
    paper=PAPER,
    place="Section 4.2.4, Figure 6",
    claim="A family's overall gap is the mean of its gaps for length, colour and orientation.",
    computation="Mean of the three, plain, and by the numbers of cases (11, 7, 9).",
    consequence=4,
    cause="A figure typed apart from its parts.",
    instead="Gaps are given per case, per category and overall, each with its interval.",
)
LENGTH = Check(
    paper=PAPER,
    place="Section 4.2.4, Figure 6",
    claim="A family's gap for length is that of Tables 10 and 11.",
    computation="Perturbed control less perturbed illusion without prompt, mean over the family's models.",
    consequence=3,
    cause="Other pictures or replies than in the tables.",
    instead="Tables and figures are made from one set of estimates.",
)
FAMILY = Check(
    paper=PAPER,
    place="Figure 6, Table 2",
    claim="A family's gaps by category and its gap over all pictures in Table 2 describe the same replies.",
    computation=f"Size cases are {SIZE_ORIGINALS} of {ORIGINALS} units; the rest has a gap between those for colour "
    "and for orientation. From these, all values of the gap over all pictures, PC − P in Table 2.",
    consequence=2,
    cause="Other pictures or models in the figure than in the table, or a sign lost in one of its gaps.",
    instead="Tables and figures are made from one set of estimates.",
)
