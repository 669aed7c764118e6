"""What a lie does to seeing, whether a trick is called one, whether confidence is earned; slices and settings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from veridical.records import Json
from veridical.suite.results import Cell, Result, find, slice_values
from veridical.suite.tables import TRIALS, UNITS, Column, P, RowHead, TableSpec, Where, estimate_rows
from veridical.suites.magicbench.analysis.probes import BASES, BY_WORDS
from veridical.suites.magicbench.analysis.rows import BY, CLAIMED
from veridical.suites.magicbench.analysis.trick_detection import BINS
from veridical.suites.magicbench.asking.cells import FORENSIC, REVEAL, VISION_ONLY
from veridical.suites.magicbench.presentation.marking import ORDER, judges, stance_rows, words
from veridical.suites.magicbench.stimuli import COMPONENTS, HONEST, OWN, TRICK, TYPES

MOMENTS = ("before", "during", "after")
UNDER = (VISION_ONLY, *TYPES, *COMPONENTS, OWN)
"""What is said over the clips of probes, in the order of rows and curves."""
SAID = ("none", *TYPES, *COMPONENTS, OWN)
"""What is said over clips of explanations, in the order of rows and points; none without a transcript."""
CHANCES = ("a random option", "one letter", "one answer", BY_WORDS)
_PARTS: dict[str, dict[str, Json]] = {
    "all": {},
    **{f"{moment} the secret": {"moment": moment} for moment in MOMENTS},
    "of which the lie is false": {"lie": "false"},
    "of which the lie is true": {"lie": "true"},
    "of which the lie says nothing": {"lie": "nothing"},
    "on honest controls": {"variant": HONEST},
}
_ASKS = {"place": "Place", "hand": "Hand", "under": "Under a cup", "view": "In view"}
_BINS = [f"{100 * low:.0f} to {100 * high:.0f}" for low, high in BINS]


def _by_moment(metric: str) -> dict[str, Column]:
    return {moment.capitalize(): (metric, {"moment": moment}) for moment in MOMENTS}


def _under(result: Result) -> Iterator[RowHead]:
    for level in words(result, "probe accuracy", "under", UNDER):
        yield (level,), {"under": level}


def _chances(results: Sequence[Result]) -> Iterator[tuple[Cell, ...]]:
    """Rows that look at nothing, of the items of the first run."""
    for result in results[:1]:
        for name in CHANCES:
            places: list[dict[str, Json]] = [{}, *({"moment": each} for each in MOMENTS)]
            drawn = [find(result, "probe chance", {"chance": name, **where}) for where in places]
            if any(drawn):
                yield f"chance: {name}", None, *drawn


def _words_alone(results: Sequence[Result]) -> Iterator[tuple[Cell, ...]]:
    """By words alone, for each kind of question, of the items of the first run."""
    for result in results[:1]:
        drawn = [find(result, "probe chance", {"chance": BY_WORDS, "asks": asks}) for asks in _ASKS]
        if any(drawn):
            yield f"chance: {BY_WORDS}", *drawn


effects = TableSpec(
    name="magicbench-lie",
    title="What a lie does to seeing",
    note="The same probes of the same tricks, under a lie and without it: right answers, in points, below 0 where the "
    "lie takes from seeing. No model marks anything. p by flipping the signs of whole units, Holm over the rows of "
    "a run. Nothing claimed is about the time before the secret, so that an effect there is not one of being told.",
    about=("Lie against", "Probes"),
    rows=lambda _: (
        ((against, label), {"against": against, **where}) for against in BASES for label, where in _PARTS.items()
    ),
    columns={"Effect": "effect of a lie", "p": P, "Units": UNITS, "Trials": TRIALS},
)
probes = TableSpec(
    name="magicbench-probes",
    title="Probes",
    note="Right answers to multiple choice about the state of a trick: where the thing is, in which hand, under which "
    "cup, whether it is in view. Told apart: of questions whose answer differs between trick and control, right on "
    "both − 1; 0 or less for who does not look. Takes the lie: answers that are the lie's, where it is false. The "
    "last rows look at nothing: a random option, the best letter, the best answer to each kind of question, and by "
    "words alone, the best answer to each kind of question about each family, of one that knows how the tricks go.",
    about=("Words",),
    rows=_under,
    columns={
        "All": "probe accuracy",
        **_by_moment("probe accuracy"),
        "On controls": ("probe accuracy", {"variant": HONEST}),
        "Told apart": "told apart",
        "Takes the lie": "takes the lie",
        "Trials": TRIALS,
    },
    below=_chances,
)
others = TableSpec(
    name="magicbench-words",
    title="Other words",
    note="The same for other words, in points of right answers to the same probes. Silence against vision-only: both "
    "have the frames alone, and an empty transcript is all that differs. Change of told apart: 1 is all of it.",
    about=("Words", "Against"),
    rows=lambda result: (
        ((level, against), {"words": level, "against": against})
        for against in BASES
        for level in words(result, "effect of words", "words", UNDER)
    ),
    columns={
        "Effect": "effect of words",
        "p": P,
        **_by_moment("effect of words"),
        "Change of told apart": "change of told apart",
    },
)
kinds = TableSpec(
    name="magicbench-kinds",
    title="Probes by kind",
    note="Right answers on tricks by the kind of question; the last row knows the tricks and sees nothing.",
    about=("Words",),
    rows=_under,
    columns={head: ("probe accuracy", {"asks": asks}) for asks, head in _ASKS.items()},
    below=_words_alone,
)


def _said(metric: str) -> Callable[[Result], Iterator[RowHead]]:
    """Rows for each stance and all that is said in it, of explanations with a metric."""

    def rows(result: Result) -> Iterator[RowHead]:
        for stance in ORDER:
            for said in words(result, metric, "words", SAID):
                yield (stance, said), {"stance": stance, "words": said}

    return rows


def _noticing(result: Result) -> Iterator[RowHead]:
    """Clips cut before their outcome first, then whole clips."""
    cut: Where = {"stance": VISION_ONLY, "until": REVEAL}
    if find(result, "d_prime", cut):
        yield (VISION_ONLY, "none", "the reveal"), cut
    for (stance, said), where in _said("d_prime")(result):
        yield (stance, said, "the end"), where


noticing = TableSpec(
    name="magicbench-noticing",
    title="Does it say that a trick happened?",
    note="Explanations that say that a trick happened: on tricks hits, on honest controls false alarms. d-prime: how "
    "well the two are told apart, 0 for not at all. Criterion: readiness, below 0 'trick' comes readily, above 0 a "
    "clip is taken for honest. The end of a whole clip shows the outcome, which alone tells a trick; up to the reveal "
    "only the secret move does. A levitation shows its outcome from the move on, and is not cut.",
    about=("Stance", "Words", "Shown up to"),
    rows=_noticing,
    columns={
        "On tricks": ("says trick", {"variant": TRICK}),
        "On controls": ("says trick", {"variant": HONEST}),
        "d-prime": "d_prime",
        "Criterion": "criterion",
    },
)
alarms = TableSpec(
    name="magicbench-alarms",
    title="False alarms on honest controls",
    note="Honest controls called a trick. The control hears the words of its trick: what lies over the trick may be "
    "true over the control, so that alarms are split by it.",
    about=("Stance", "Words"),
    rows=_said("false alarms"),
    columns={each.capitalize(): ("false alarms", {"claimed": each}) for each in CLAIMED},
)
confidence = TableSpec(
    name="magicbench-confidence",
    title="Is its confidence earned?",
    note="An explanation follows from the constraints if its CPA is 7 of 10 or more. Overconfidence: mean confidence − "
    "the share that follows, in points. Follows at: the share that does, by stated confidence.",
    about=("Judge", "Stance"),
    rows=stance_rows,
    columns={
        "Confidence": "confidence",
        "Overconfidence": "overconfidence",
        **{f"Follows at {each}": ("entailed", {"confidence": each}) for each in _BINS},
    },
)


_TITLES = {
    "family": "By family of tricks",
    "difficulty": "By difficulty",
    "tag": "By challenge",
    "tell": "By how much of the tell shows",
    "occluder": "By what stands in front",
    "decoy_speed": "By speed of the decoy",
    "window": "By length of the critical window",
    "taken_from": "By source",
}
assert set(_TITLES) == set(BY)


def _cpa(kind: str) -> Column:
    """CPA by the first judge, in the forensic stance."""

    def cell(result: Result, where: Where) -> Cell:
        judge = next(iter(judges(result)), None)
        return find(result, "cpa", {"stance": FORENSIC, "type": kind, **where, **judge}) if judge else None

    return cell


def _sliced(key: str, title: str) -> TableSpec:
    return TableSpec(
        name=f"magicbench-by-{key.replace('_', '-')}",
        title=title,
        note="Probes: right answers without words and under a lie, what one comes to that knows the tricks and sees "
        "nothing (words alone), and the effect of the lie in points. CPA: by the first judge, in the forensic stance. "
        "False alarms: honest controls called a trick, vision-only.",
        about=(title.removeprefix("By ").capitalize(),),
        rows=lambda result: (((str(level),), {key: level}) for level in slice_values(result, key)),
        columns={
            "Probes": ("probe accuracy", {"under": VISION_ONLY}),
            "Under a lie": ("probe accuracy", {"under": "lie"}),
            "Words alone": ("probe chance", {"chance": BY_WORDS}),
            "Effect of a lie": ("effect of a lie", {"against": VISION_ONLY}),
            "CPA, lie": _cpa("lie"),
            "CPA, silence": _cpa("silence"),
            "False alarms": ("false alarms", {"stance": VISION_ONLY}),
        },
    )


slices = tuple(_sliced(key, title) for key, title in _TITLES.items())
settings = TableSpec(
    name="magicbench-settings",
    title="Effects of settings",
    note="A warning in silence, other frames, a native video, a JSON schema: on the same clips and words, in points.",
    about=("Setting", "Of", "Judge"),
    rows=estimate_rows(
        "setting effect",
        lambda _, at: (f"{at['setting']}: {at['level']} − {at['against']}", str(at["of"]), at.get("judge")),
    ),
    columns={"Effect": "setting effect", "p": P},
)
