"""The trials of each clip: the tasks that apply to it, at the levels of the settings that apply to the task."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path

from veridical.errors import InputError
from veridical.media.derive import Rule, frames_of
from veridical.records import Media, Message, Stimulus, Text, Trial
from veridical.suite.evidence import Evidence
from veridical.suite.frames import NATIVE, VIDEO, clip_parts, same_frames
from veridical.suite.prompts import Prompt, digest_of, load_all
from veridical.suite.reply import FORMS, FREE, REPLY, form_of
from veridical.suite.stages import AskingOptions, Levels
from veridical.suites.hocabench.asking.attribution import RULES
from veridical.suites.hocabench.asking.cut import END, UNTIL, cut_of, several_frames
from veridical.suites.hocabench.asking.readers import DOMAIN, EXPLAINED, INTERVAL, PLAUSIBILITY, SEVERAL
from veridical.suites.hocabench.asking.tasks import (
    FIELDS,
    NINE,
    SEQUENCES,
    SHORT,
    SINGLE,
    TASKS,
    Arm,
    applies,
    prompt_of,
    task_question,
)

FOLDER = Path(__file__).parent.parent / "prompts"
BY_TASK = "by-task"
"""The level of `frames` that the paper has: 64 frames for the task set, 16 for the others. Trials have the number."""

BLIND = "blind"
SETTINGS: Levels = {
    "task": TASKS,
    "sight": ("shown", BLIND),
    "video": VIDEO,
    "frames": (
        BY_TASK,
        *("uniform-4", "uniform-8", "uniform-16", "uniform-32", "uniform-64", "uniform-16-ends", "uniform-64-ends"),
        *("4fps", "adaptive-20", "adaptive-50", "adaptive"),
    ),
    "resolution": ("full", "768"),
    "until": tuple(UNTIL),
    "domains": (NINE, SHORT),
    "attribution_rule": tuple(RULES),
    "grounding": (SEQUENCES, SINGLE),
    REPLY: FORMS,
}
"""What is asked (`task`); whether and how the clip is shown: as frames or as a video, which frames, scaled so that the
longer side has at most 768 pixels or not, and up to where (plausibility only). The list of domains; the rule of
attribution; whether intervals are asked of sequences or of clips with a single anomaly; whether explanations, intervals
and sets are free or held to a JSON schema."""

DEFAULTS: Levels = {
    "sight": ("shown",),
    "video": (VIDEO[0],),
    "frames": (BY_TASK,),
    "resolution": ("full",),
    "until": (END,),
    "domains": (NINE,),
    "attribution_rule": (next(iter(RULES)),),
    "grounding": (SEQUENCES,),
    REPLY: (FREE,),
}
QUALITY = 90
_OWN: Mapping[str, tuple[str, ...]] = {
    DOMAIN: ("domains",),
    EXPLAINED: ("attribution_rule", REPLY),
    INTERVAL: ("grounding", REPLY),
    SEVERAL: (REPLY,),
}
"""The settings that apply to some tasks alone."""
_SHOWN = ("sight", "video", "frames", "resolution", "until")
"""The settings that are about what is shown: compared levels of all others show the same frames."""
OTHERS = ("counterfactual.md",)
"""Prompts of later stages, which may stand in the user's folder as well."""


def trials(stimuli: Sequence[Stimulus], asking: AskingOptions, evidence: Evidence) -> Iterator[Trial]:  # noqa: ARG001
    """One trial per clip, task that applies to it, and combination of levels that applies to the task.

    A clip without an event, or whose event comes too early, is not asked about up to that cut. Raises `InputError` if
    clips are to be shown as videos alone, and only up to a cut.
    """
    prompts = load_all(FOLDER, asking.prompts, FIELDS, OTHERS)
    levels = {**SETTINGS, **DEFAULTS, **asking.levels}
    if levels["video"] == (NATIVE,) and END not in levels["until"]:
        raise InputError("a clip shown as a video is not cut: use until=end, or video=frames")
    planned = [arm for task in levels["task"] for arm in arms(task, levels)]
    for stimulus in stimuli:
        own = (
            _trial(stimulus, arm, asking, prompts)
            for arm in planned
            if applies(stimulus, arm) and cut_of(stimulus, arm.get("until", END)) is not None
        )
        yield from same_frames(own, _SHOWN)


def arms(task: str, levels: Levels) -> list[dict[str, str]]:
    """The combinations of levels for a task, each with the settings that apply there.

    A clip that is not shown has no frames, and one that is shown as a video is whole. Only plausibility is asked of a
    part of a clip.

    >>> [arm["frames"] for arm in arms("set", {**SETTINGS, **DEFAULTS})]
    ['uniform-64']
    """
    names = ("sight", "video", "frames", "resolution", "until", *_OWN.get(task, ()))
    combined: dict[tuple[str, ...], dict[str, str]] = {}
    for values in product(*(levels[name] for name in names)):
        arm = {"task": task, **dict(zip(names, values, strict=True))}
        if arm["frames"] == BY_TASK:
            arm["frames"] = "uniform-64" if task == SEVERAL else "uniform-16"
        whole = arm["sight"] == BLIND or arm["video"] == NATIVE or task != PLAUSIBILITY
        if whole and arm["until"] != END:
            continue
        for name in _left_out(arm):
            del arm[name]
        combined[tuple(arm.values())] = arm
    return list(combined.values())


def _left_out(arm: Arm) -> tuple[str, ...]:
    """The settings that do not apply to a clip that is not shown, or not as frames."""
    if arm["sight"] == BLIND:
        return "video", "frames", "resolution", "until"
    return ("frames", "resolution") if arm["video"] == NATIVE else ()


def frames_rule(arm: Arm) -> Rule:
    """The rule that derives the frames of an arm that shows frames."""
    longest = None if arm["resolution"] == "full" else int(arm["resolution"])
    if arm["task"] == SEVERAL:
        return several_frames(arm["frames"], longest=longest, quality=QUALITY)
    return frames_of(arm["frames"], longest=longest, quality=QUALITY, cut=UNTIL[arm["until"]])


def _trial(stimulus: Stimulus, arm: Arm, asking: AskingOptions, prompts: Mapping[str, Prompt]) -> Trial:
    task = prompts[prompt_of(arm)]
    parts, shown = _shown(stimulus, arm, asking, prompts)
    own = task_question(stimulus, arm)
    text = Text(f"{shown[0]}\n\n{task.fill(**own.fields)}")
    return Trial.about(
        stimulus,
        form_of(arm),
        stage="ask",
        messages=(Message("user", (*parts, text)),),
        gold=own.gold,
        reader=arm["task"],
        prompt=digest_of(task.digest, shown[1]),
        settings=dict(arm),
        expects=own.expects,
    )


def _shown(
    stimulus: Stimulus, arm: Arm, asking: AskingOptions, prompts: Mapping[str, Prompt]
) -> tuple[tuple[Text | Media, ...], tuple[str, str]]:
    """What is shown of a clip, each frame after its time, and what is said of it, with the digest of this wording."""
    until = arm.get("until", END)
    duration = f"{float(cut_of(stimulus, until) or 0):.2f}"
    if arm["sight"] == BLIND:
        return (), (prompts["blind"].fill(duration=duration), prompts["blind"].digest)
    if arm["video"] == NATIVE:
        clip = (Media.of(stimulus.media[0]),)
        return clip, (prompts["video"].fill(duration=duration), prompts["video"].digest)
    parts = clip_parts(asking, stimulus, frames_rule(arm))
    shown = prompts["frames"].fill(count=f"{len(parts) // 2:,}", duration=duration)
    return parts, (shown, prompts["frames"].digest)


def stratum(stimulus: Stimulus) -> tuple[str, str]:
    """What a sample for people is balanced over: the sub-type, or the kind of clip, and the variant."""
    return str(stimulus.factors.get("sub_type") or stimulus.family), stimulus.variant
