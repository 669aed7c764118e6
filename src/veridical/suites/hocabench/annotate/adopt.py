"""What annotation comes to: labeled stimuli of HOCA-Bench, and the clips that were set aside with the reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from math import ceil

from veridical.answers import parse_answer
from veridical.records import Json, Stimulus
from veridical.stimulus_set.imported import LeftOut
from veridical.suite.evidence import Evidence
from veridical.suites.hocabench.annotate.checking import most
from veridical.suites.hocabench.annotate.distracting import options_of
from veridical.suites.hocabench.annotate.progress import DESCRIPTION, Rows, index_of, is_realistic, rows_by_clip
from veridical.suites.hocabench.labels import Labels
from veridical.suites.hocabench.stimuli import Annotated, violating

ANNOTATED = "annotation"
"""The level of `taken_from` for clips that were labeled by the pipeline."""
FEWEST = 3
"""How many people at least must agree; of more than five people, three in five."""
UNREAL, NO_FILTER = "not realistic", "no answer of the filter"
NO_CAPTIONS, NO_SUMMARY = "no caption", "no summary"
NO_LABELS, NO_VOTES, TOO_FEW = "labels that do not validate", "no votes", "fewer than three of five votes"
NOT_ALONE = "options of which people do not find the true one alone right"
STAGES = ("filter", "captions", "aggregate", "attribute", "distract", "vote", "check")


def agreed(yes: int, votes: int) -> bool:
    """Whether enough people agree: at least 3, and at least three in five of those who voted.

    >>> agreed(3, 5), agreed(2, 2), agreed(4, 7), agreed(5, 7)
    (True, False, False, True)
    """
    return yes >= max(FEWEST, ceil(3 * votes / 5))


def adopted(stimuli: Sequence[Stimulus], evidence: Evidence) -> Iterator[Stimulus | LeftOut]:
    """A labeled stimulus for each clip on whose labels enough people agree; each other clip with the reason."""
    rows = {stage: rows_by_clip(evidence, stage) for stage in STAGES}
    for stimulus in stimuli:
        yield _outcome(stimulus, rows)


def _outcome(stimulus: Stimulus, rows: dict[str, Rows]) -> Stimulus | LeftOut:
    def left_out(reason: str, detail: str) -> LeftOut:
        return LeftOut(stimulus.id, reason, f"{stimulus.id}: {detail}")

    mine = {stage: rows[stage].get(stimulus.id, ()) for stage in STAGES}
    early = _before_labels(stimulus, mine)
    if early is not None:
        return left_out(*early)
    votes = [vote for vote in mine["vote"] if vote["status"] == "answered"]
    about = {vote["about_trial"] for vote in votes}
    row = next((row for row in mine["attribute"] if row["status"] == "answered" and _is(row, about)), None)
    if row is None:
        return left_out(NO_LABELS, _why(mine["attribute"]))
    given = [vote["answer"] for vote in votes if vote["about_trial"] == row["trial"]]
    if not given:
        return left_out(NO_VOTES, "nobody voted on its labels")
    if not agreed(given.count("yes"), len(given)):
        return left_out(TOO_FEW, f"{given.count('yes')} of {len(given)} people agree with its labels")
    false = next((each for each in mine["distract"] if _answers(each, row)), None)
    checks = [each for each in mine["check"] if false is not None and _answers(each, false)]
    alone = [bool(each["correct"]) for each in checks]
    if checks and not most(alone):
        return left_out(NOT_ALONE, _split(checks))
    people = {"votes": {"yes": given.count("yes"), "of": len(given)}}
    people |= {"checked": {"alone": alone.count(True), "of": len(alone)}} if alone else {}
    return _labeled(stimulus, row, false, people)


def _before_labels(stimulus: Stimulus, mine: Rows) -> tuple[str, str] | None:
    """The reason and its detail where a clip did not come as far as its labels."""
    realistic = is_realistic(mine["filter"])
    if realistic is None:
        return NO_FILTER, _why(mine["filter"])
    if not realistic:
        return UNREAL, "the filter calls it animation, or without color"
    if not stimulus.truth.get(DESCRIPTION):
        for stage, reason in (("captions", NO_CAPTIONS), ("aggregate", NO_SUMMARY)):
            if not any(row["status"] == "answered" for row in mine[stage]):
                return reason, _why(mine[stage])
    return None


def _split(checks: Sequence[Mapping[str, Json]]) -> str:
    """Which options people find right, and how many of them."""
    counts = Counter(str(each["answer"]).replace(",", " and ") for each in checks)
    listed = ", ".join(f"{answer} ({count})" for answer, count in counts.most_common())
    return f"{listed}; the true one is {checks[0]['gold']}"


def _answers(row: Mapping[str, Json], other: Mapping[str, Json]) -> bool:
    """Whether a row is an answer about another row."""
    return bool(row["status"] == "answered" and row["about_trial"] == other["trial"])


def _is(row: Mapping[str, Json], about: Set[str]) -> bool:
    """Whether the votes, where there are any, are about these labels rather than those of another classifier."""
    return not about or row["trial"] in about


def _labeled(
    stimulus: Stimulus, row: Mapping[str, Json], false: Mapping[str, Json] | None, people: Mapping[str, Json]
) -> Stimulus:
    """The stimulus of a clip from the rows of its labels and of its false options, and what people say of both."""
    labels = parse_answer(row["answer"], Labels)
    facts: dict[str, Json] = {"imported": ANNOTATED, **people}
    facts |= {"labeled_by": row["model"], "file": stimulus.truth.get("file")}
    facts |= {key: stimulus.truth[key] for key in ("rights", "prompt") if key in stimulus.truth}
    slices = {key: stimulus.truth.get(key) for key in ("source_model", "theme", "scene_type")}
    index = index_of(stimulus)
    clip = Annotated(
        unit=f"clip/{index}", index=index, taken_from=ANNOTATED, factors=slices, facts=facts, media=stimulus.media
    )
    return violating(clip, labels.anomaly, (), None if false is None else options_of(false, labels, index))


def _why(rows: Sequence[Mapping[str, Json]]) -> str:
    """Why a stage has no answer about a clip: the reason of its last reply."""
    if not rows:
        return "it was not asked"
    last = rows[-1]
    status = last["status"] or "not asked"
    tries = f" after {last['attempt']} tries" if (last["attempt"] or 0) > 1 else ""
    return f"{status}{tries}{': ' + str(last['reason'])[:200] if last['reason'] else ''}"
