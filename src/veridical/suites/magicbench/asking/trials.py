"""The trials of the first stage: what really happens in a clip, explained or probed, under words of every kind.

In silence the transcript stays, empty, and the system prompt is the same as under a lie; the user turn does not warn of
lies under any words. With `hush=warned` it does so in silence, as the published code does throughout.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path

from veridical.errors import InputError
from veridical.media.derive import Cut, Rule, frame_times, frames_of
from veridical.records import Json, Media, Message, Stimulus, Text, Trial
from veridical.suite.evidence import Evidence
from veridical.suite.frames import NATIVE, clip_parts, same_frames, seconds
from veridical.suite.prompts import Prompt, digest_of, letter_options, load_all, names_beside
from veridical.suite.reply import REPLY, SCHEMA, form_of
from veridical.suite.stages import AskingOptions
from veridical.suites.magicbench.asking.cells import (
    DEFAULTS,
    EXPLAIN,
    PROBE,
    REVEAL,
    SETTINGS,
    STANCES,
    TEXT_ONLY,
    THOUGHT,
    WARNED,
    Cell,
    cells,
)
from veridical.suites.magicbench.asking.probes import gold_of, probe_expectations
from veridical.suites.magicbench.asking.readers import EXPLANATION, HELD_THOUGHT
from veridical.suites.magicbench.asking.words import transcript
from veridical.suites.magicbench.stimuli import PatterClaim, Probe

FOLDER = Path(__file__).parent.parent / "prompts"
FIELDS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(STANCES, ()),
    "frames": ("count", "duration"),
    "video": ("duration",),
    "unseen": ("duration",),
    "transcript": ("transcript",),
    "warning": (),
    "explain": ("question",),
    "explain-thought": ("question",),
    "probe": ("question", "options"),
}
"""The prompts of this stage with the fields of each: a system prompt for each stance, and parts of the user turn."""
OTHERS = names_beside(FIELDS, FOLDER, FOLDER.parent / "rubrics")
"""File names of the prompts and rubrics of other stages."""
OUTCOME = Cut("outcome")
"""Before the frame from which on trick and control are told apart by their outcome."""
MARKED = "You mark explanations of clips of magic tricks."
"""How the rubrics begin."""
_PICTURES = ("video", "frames", "until")
"""The settings whose levels show pictures of their own; compared levels of all others show the same."""


def trials(stimuli: Sequence[Stimulus], asking: AskingOptions, evidence: Evidence) -> Iterator[Trial]:  # noqa: ARG001
    """The trials of all cells of each clip (see `cells`): one, or one for each probe."""
    prompts = load_prompts(asking)
    levels = {**SETTINGS, **DEFAULTS, **asking.levels}
    for stimulus in stimuli:
        own = [trial for cell in cells(stimulus, levels) for trial in _of_cell(stimulus, cell, asking, prompts)]
        same_frames((trial for trial in own if trial.settings["stance"] != TEXT_ONLY), _PICTURES)
        yield from own


def load_prompts(asking: AskingOptions) -> dict[str, Prompt]:
    """The prompts of the explanations and probes, with the user's own in their places."""
    return load_all(FOLDER, asking.prompts, FIELDS, OTHERS)


def repeat_trial(
    stimulus: Stimulus,
    cell: Cell,
    asking: AskingOptions,
    prompts: Mapping[str, Prompt],
    frames: Rule,
    **changes: object,
) -> Trial:
    """The explanation of a cell asked for once more, with frames by another rule; `changes` replace parts of the trial.

    Prompts, words and the form of the reply are those of the first time.
    """
    (trial,) = _of_cell(stimulus, cell, asking, prompts, frames, **changes)
    return trial


def _of_cell(
    stimulus: Stimulus,
    cell: Cell,
    asking: AskingOptions,
    prompts: Mapping[str, Prompt],
    frames: Rule | None = None,
    **changes: object,
) -> Iterator[Trial]:
    media, before, used = _context(stimulus, cell, asking, prompts, frames)
    system = prompts[cell["stance"]]
    form = form_of(cell)

    def trial(name: str, task: Prompt, text: str, **own: object) -> Trial:
        messages = (
            Message("system", (Text(system.text),)),
            Message("user", (*media, Text("\n\n".join([*before, text])))),
        )
        digest = digest_of(system.digest, *used, task.digest)
        fixed = {"stage": "ask", "messages": messages, "prompt": digest, "settings": dict(cell)}
        return Trial.about(stimulus, str(changes.pop("form", name)), **{**fixed, **own, **changes})

    if cell["task"] == EXPLAIN:
        task = prompts["explain-thought" if cell["stance"] == THOUGHT else "explain"]
        text, expects = task.fill(question=stimulus.question), _expected(stimulus, cell)
        held = cell.get(REPLY) == SCHEMA and cell["stance"] == THOUGHT
        reader = HELD_THOUGHT if held else EXPLANATION
        yield trial(form, task, text, gold=None, reader=reader, expects=expects)
        return
    task = prompts["probe"]
    for place, probe in enumerate(stimulus.truth["probes"], start=1):
        text = task.fill(question=probe["question"], options=letter_options(probe["options"]))
        expects = probe_expectations(probe, place, _claims(stimulus, cell))
        yield trial(f"{form},{place}", task, text, gold=gold_of(probe, stimulus.id), reader=PROBE, expects=expects)


def _context(
    stimulus: Stimulus, cell: Cell, asking: AskingOptions, prompts: Mapping[str, Prompt], frames: Rule | None = None
) -> tuple[tuple[Text | Media, ...], list[str], list[str]]:
    """What comes before a question: pictures, paragraphs about them and about words, and the digests of the latter."""
    duration, shown = duration_of(stimulus), "frames"
    media: tuple[Text | Media, ...] = ()
    if cell["stance"] == TEXT_ONLY:
        shown = "unseen"
    elif cell["video"] == NATIVE:
        shown, media = "video", (Media.of(stimulus.media[0]),)
    else:
        cut = OUTCOME if cell.get("until") == REVEAL else None
        duration = float((cut and cut.time(stimulus)) or duration)
        media = clip_parts(asking, stimulus, frames or frames_of(cell["frames"], cut=cut))
    fields = {"duration": f"{duration:.2f}", "count": f"{len(media) // 2:,}"}
    used, before = [prompts[shown]], [prompts[shown].fill(**fields)]
    if "patter" in cell:
        words = transcript(stimulus.truth["patter"][cell["patter"]], stimulus.id, duration)
        used.append(prompts["transcript"])
        before.append(prompts["transcript"].fill(transcript=words))
    if cell.get("hush") == WARNED:
        used.append(prompts["warning"])
        before.append(prompts["warning"].text)
    return media, before, [prompt.digest for prompt in used]


def duration_of(stimulus: Stimulus) -> float:
    """The duration of a clip in seconds; raises `InputError` for a stimulus without one."""
    medium = next((each for each in stimulus.media if each.kind == "video"), None)
    if medium is None or medium.duration is None:
        raise InputError(f"stimulus {stimulus.id!r} has no clip with a duration: make or import the set again")
    return float(Fraction(medium.duration))


def _claims(stimulus: Stimulus, cell: Cell) -> Sequence[PatterClaim]:
    """What is claimed over a clip; nothing where there is no transcript."""
    claims: Sequence[PatterClaim] = stimulus.truth["patter"][cell["patter"]]["claims"] if "patter" in cell else ()
    return claims


def _expected(stimulus: Stimulus, cell: Cell) -> dict[str, Json]:
    """What the reader of an explanation must know: its form, and for an inventory the times of the frames, if any.

    `claims` says of each claim that is made whether it is true in this clip; `key` is the truth, for simulated
    observers.
    """
    made, truth = _claims(stimulus, cell), stimulus.truth
    key = {
        "principle": truth["principle"],
        "effect": truth["effect"],
        "atoms": [atom["text"] for atom in truth["pcs"]],
        "claims": [{"text": claim["text"], "true": claim["true"]} for claim in made],
    }
    claims: dict[str, Json] = {"claims": [claim["true"] for claim in made], "key": key}
    if cell["stance"] != THOUGHT:
        return {"form": EXPLAIN, **claims}
    if "frames" not in cell:
        return {"form": THOUGHT, **claims}
    ((_, times),) = frame_times(stimulus, {"sampling": cell["frames"]})
    return {"form": THOUGHT, "times": [float(seconds(time)) for time in times], **claims}


def bare_question(stimulus: Stimulus, trial: Trial) -> str:
    """What people are asked: the question, or a probe; of a judge, how its rubric begins."""
    if trial.stage != "ask":
        return MARKED
    if trial.settings["task"] == EXPLAIN:
        return stimulus.question
    probe: Probe = stimulus.truth["probes"][trial.expects["probe"] - 1]
    return probe["question"]


def stratum(stimulus: Stimulus) -> tuple[str, str]:
    """What a sample for people is balanced over: the type of a released clip's words, or the family; the variant."""
    return str(stimulus.factors.get("linguistic_type") or stimulus.family), stimulus.variant
