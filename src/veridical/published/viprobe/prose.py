"""The checks of Figures 4 to 6: claims, computations, causes."""

from veridical.published.replicate import Check
from veridical.published.viprobe.layout import LEVELS, ORIGINALS, PAPER, SIZE_ORIGINALS

_FOUR = f"{ORIGINALS} originals, {ORIGINALS * LEVELS} perturbed pictures, and as many controls"

COHERENT = Check(
    paper=PAPER,
    place="Table 2, Figure 4",
    claim="PFC in Figure 4 and in Table 2 come from the same replies, as the accuracies beside them do.",
    computation="PFC of Figure 4 (or 100 − TFI) is a plain mean over O, P, OC and PC, as its accuracies are. A type's "
    f"PFC lies between its accuracy in Table 2 and 100; from these, all values of the mean pooled over {_FOUR}.",
    consequence=2,
    cause="They come from different pictures or replies. The text says that Table 2's PFC is over four types and "
    "names hinted pictures as a fifth for the figure, but the figure's accuracies are those of the four.",
    doubt="PFC of the figure over five types would be no contradiction. But PFC = PFA + CbW is printed, and PFA is "
    "exactly the mean of the four types in Table 2.",
    instead="PFC, PFA, CbW and TFI are given per picture type and as the plain mean over types, and tables say which.",
)
SUM = Check(
    paper=PAPER,
    place="Section 4.2.1",
    claim="PFC is PFA plus CbW.",
    computation="The sum of the two quoted figures.",
    consequence=4,
    cause="The figure was typed separately from its parts.",
    instead="The parts add up to 1 by construction, which a test checks.",
)
FOUR_TYPES = Check(
    paper=PAPER,
    place="Section 4.2.1, Figure 4",
    claim="PFA in Figure 4 (PFC − CbW if it is not quoted) follows from the accuracies in Table 2.",
    computation="Mean of O, P, OC and PC, plain over the four types, and pooled over pictures.",
    consequence=3,
    cause="The pictures or replies differ from those of Table 2.",
    instead="Both averages are given and named.",
)
FIVE_TYPES = Check(
    paper=PAPER,
    place="Section 4.2.1",
    claim="Figure 4 covers five types: original, perturbed, both controls, and perturbed with hint.",
    computation="The mean over five types, the four of Table 2 and hinted pictures, whose accuracy on size cases is in "
    f"Table 9 ({SIZE_ORIGINALS} of {ORIGINALS} units) and between 0 and 100 elsewhere.",
    consequence=3,
    cause="The hinted pictures were left out: the mean over four types gives every figure exactly.",
    instead="Each table names the picture types that it averages.",
)
COLLAPSE = Check(
    paper=PAPER,
    place="Section 4.2.3",
    claim="OpenAI's flagships have 45 to 55 % on perturbed illusions at strengths of −0.5 and +0.5.",
    computation="The smallest average over the ten strengths if two of them are at 45 % and the others at 0, compared "
    "with Table 2's accuracy on perturbed illusions.",
    consequence=2,
    cause="The figures were read off the panel of controls or of other models. They also contradict the flat 0 to 5 % "
    "that the same section calls complete memory override.",
    doubt="The strengths and models come from one sentence on a heat map; if its first two numbers refer to controls, "
    "the statement is about something else.",
    instead="A table has accuracy at each signed strength with intervals, by case.",
)
RISES = Check(
    paper=PAPER,
    place="Section 4.2.3",
    claim="Claude-Opus-4.1 reaches 40 % on illusions at one end of its curve, and has 18 % at strengths of −1 and +1.",
    computation="The smallest mean of the two ends, one at 40 % and the other at 0, compared with 18 %.",
    consequence=2,
    cause="One of the two was read off another model's row or the wrong panel. Dose dependence on illusions, the sign "
    "of competition, depends on the first of them.",
    doubt="We read the arrow as pointing to the strength of +1 or −1.",
    instead="A table has accuracy at each signed strength with intervals, by case.",
)
CONSTANT = Check(
    paper=PAPER,
    place="Section 4.2.3",
    claim="The gap between control and illusion is constant for GPT-5, and 30 to 50 points for Claude-Opus-4.1.",
    computation="Control minus illusion at either end of the curves described in the same paragraph.",
    consequence=1,
    cause="The gap was read at one strength. By the quoted ends, it shrinks with growing change and reverses for "
    "Claude.",
    doubt="The authors read the ends of the curves off a figure; only their agreement with the gap is checked.",
    instead="The gap, and the rise of accuracy with the strength, are estimated with intervals, overall and per case.",
)
MEAN_GAP = Check(
    paper=PAPER,
    place="Section 4.2.3, Table 2",
    claim="The quoted gap between control and illusion holds at all strengths.",
    computation="PC − P from Table 2, the mean over all strengths, which must equal a constant gap.",
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
    cause="A strong negative relation was called complete.",
    doubt="Complete is taken literally; it may mean strongly.",
    instead="veridical.stats.kendall_tau gives the agreement of two orders.",
)
REVERSED = Check(
    paper=PAPER,
    place="Section 4.2.3, Table 2",
    claim="The order of models on perturbed controls is the reverse of that on perturbed illusions.",
    computation="Kendall's τ between the two columns of Table 2, over all strengths; −1 is a reversal.",
    consequence=2,
    cause="The sentence refers to one strength and a few models.",
    doubt="The claim is about one strength, whose column is not printed; the mean over strengths may have another "
    "order.",
    instead="veridical.stats.kendall_tau gives the agreement of two orders.",
)
OVERALL = Check(
    paper=PAPER,
    place="Section 4.2.4, Figure 6",
    claim="A family's overall gap is the mean of its gaps for length, color and orientation.",
    computation="Mean of the three, plain, and by the numbers of cases (11, 7, 9).",
    consequence=4,
    cause="The figure was typed separately from its parts.",
    instead="Gaps are given per case, per category and overall, each with its interval.",
)
LENGTH = Check(
    paper=PAPER,
    place="Section 4.2.4, Figure 6",
    claim="A family's gap for length is that of Tables 10 and 11.",
    computation="Perturbed control minus perturbed illusion without prompt, mean over the family's models.",
    consequence=3,
    cause="The pictures or replies differ from those of the tables.",
    instead="Tables and figures are generated from one set of estimates.",
)
FAMILY = Check(
    paper=PAPER,
    place="Figure 6, Table 2",
    claim="A family's gaps by category and its gap over all pictures in Table 2 describe the same replies.",
    computation=f"Size cases are {SIZE_ORIGINALS} of {ORIGINALS} units; the rest has a gap between those for color "
    "and for orientation. From these, all values of the gap over all pictures, PC − P in Table 2.",
    consequence=2,
    cause="The figure has other pictures or models than the table, or one of its gaps lost its sign.",
    instead="Tables and figures are generated from one set of estimates.",
)
