"""Self-Heal: reasoning that is given its beginning and goes on, and the judges of what becomes of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from pathlib import Path

from veridical.answers import Readers
from veridical.judges import Marking, readers
from veridical.judges.quotes import quote_block
from veridical.records import Json, Message, Source, Stimulus, Text, Trial
from veridical.suite.evidence import Evidence
from veridical.suite.prompts import Prompt, digest_of, load_all, names_beside
from veridical.suite.stages import AskingOptions, Levels, Stage, StageBounds
from veridical.suites.magic.asking.heal_rubrics import RUBRICS, heal_marking
from veridical.suites.magic.asking.heal_rubrics import SETTING as HEALING
from veridical.suites.magic.asking.step_checks import SETTING as CHECKING
from veridical.suites.magic.asking.step_checks import STEPS_RUBRIC, step_check, steps_of, stretch_of
from veridical.suites.magic.healing.continuation import CONTINUATION, CONTINUATIONS
from veridical.suites.magic.healing.prefixes import TRUE, Prefix, prefixes_of
from veridical.suites.magic.regions.rule import boxes_of_view, drawing_rule, relevant_of
from veridical.suites.magic.steps import check_steps
from veridical.suites.magic.stimuli import CHAIN_KINDS, StepClaim

FOLDER = Path(__file__).parent.parent / "prompts"
VIEW = "all-boxes"
OWN = "own"
PREFILL, QUOTED = "prefill", "quoted"
CORRECTING = UNPROMPTED, PROMPTED = ("unprompted", "prompted")
SETTINGS: Levels = {"prefix": (*CHAIN_KINDS, OWN), "injection": (PREFILL, QUOTED), "correcting": CORRECTING}
"""Which beginning is given (of our chains by kind, of an annotated one, the model's own); as the beginning of the
model's turn or quoted in the user's; and whether the model is asked to correct itself."""
DEFAULTS: Levels = {"prefix": CHAIN_KINDS, "injection": (PREFILL,)}
JUDGING: Levels = {HEALING: tuple(rubric.name for rubric in RUBRICS), CHECKING: (STEPS_RUBRIC.name,)}
"""The settings of the judges' stages."""
PROMPTS = {
    "heal": ("question", "boxes", "request"),
    "heal_quoted": ("question", "boxes", "request", "reasoning"),
    "heal_request": (),
}
"""The prompts of these stages, with their fields."""
_TOKENS = 500


def heal_prompts(replacing: Path | None) -> dict[str, Prompt]:
    """The prompts of these stages, with the user's own from a folder in their places."""
    return load_all(FOLDER, replacing, PROMPTS, names_beside((), FOLDER, FOLDER.parent / "rubrics"))


def _arms(levels: Levels) -> list[tuple[str, str]]:
    usual = {**SETTINGS, **DEFAULTS, **levels}
    return list(product(usual["injection"], usual["correcting"]))


def prefixes(stimulus: Stimulus, levels: Levels) -> Iterator[tuple[int, Prefix]]:
    """The prefixes of a stimulus's chains of the chosen kinds, each with the place of its chain."""
    kinds = levels.get("prefix", DEFAULTS["prefix"])
    for place, chain in enumerate(stimulus.truth["chains"]):
        if chain["kind"] in kinds:
            for prefix in prefixes_of(chain, stimulus.truth["relevant"], len(stimulus.truth["boxes"])):
                yield place, prefix


def _trials(stimuli: Sequence[Stimulus], asking: AskingOptions, evidence: Evidence) -> Iterator[Trial]:  # noqa: ARG001
    """A trial for each wrong stretch of each chain, injection, and request to correct or none."""
    prompts = heal_prompts(asking.prompts)
    for stimulus in stimuli:
        for place, prefix in prefixes(stimulus, asking.levels):
            for arm in _arms(asking.levels):
                form = f"heal,{place},{prefix.kind},{prefix.last},{','.join(arm)}"
                yield _trial(stimulus, asking, prompts, prefix, arm, form=form, stage="heal")


def begun_words(
    prompts: Mapping[str, Prompt], stimulus: Stimulus, begun: Sequence[str], arm: tuple[str, str]
) -> tuple[str, str]:
    """The words that ask for reasoning to go on, with the steps where they are quoted, and the digest of the prompts.

    `arm` has the levels of `injection` and `correcting`.
    """
    injection, correcting = arm
    prompt = prompts["heal_quoted" if injection == QUOTED else "heal"]
    fields = {"question": stimulus.question, "boxes": str(len(boxes_of_view(stimulus, VIEW))), "request": ""}
    digests = [prompt.digest]
    if correcting == PROMPTED:
        fields["request"] = f" {prompts['heal_request'].text}"
        digests.append(prompts["heal_request"].digest)
    if injection == QUOTED:
        fields["reasoning"] = quote_block("reasoning", " ".join(begun))
    return prompt.fill(**fields), digest_of(*digests)


def _trial(
    stimulus: Stimulus,
    asking: AskingOptions,
    prompts: Mapping[str, Prompt],
    prefix: Prefix,
    arm: tuple[str, str],
    *,
    form: str,
    stage: str,
    sources: tuple[Source, ...] = (),
) -> Trial:
    words, digest = begun_words(prompts, stimulus, prefix.steps, arm)
    shown = Message("user", (*asking.derived(stimulus, drawing_rule(VIEW)), Text(words)))
    injection, correcting = arm
    turn = () if injection == QUOTED else (Message("assistant", (Text(" ".join(prefix.steps)),)),)
    expects = prefix.expects(
        boxes=len(boxes_of_view(stimulus, VIEW)), relevant=relevant_of(stimulus, VIEW), graph=stimulus.truth["graph"]
    )
    kind = OWN if stage == "heal-own" else prefix.kind
    return Trial.about(
        stimulus,
        form,
        stage=stage,
        messages=(shown, *turn),
        gold=None,
        reader=CONTINUATION,
        prompt=digest,
        settings={"prefix": kind, "injection": injection, "correcting": correcting},
        expects=expects,
        sources=sources,
    )


def _own_trials(stimuli: Sequence[Stimulus], asking: AskingOptions, evidence: Evidence) -> Iterator[Trial]:
    """A trial for each reply in which a judge, the first of several, finds a wrong step."""
    if OWN not in asking.levels.get("prefix", DEFAULTS["prefix"]):
        return
    prompts = heal_prompts(asking.prompts)
    by_id = {stimulus.id: stimulus for stimulus in stimuli}
    replies = {(row["trial"], row["repeat"]): row for row in evidence.outcomes("reason").iter_rows(named=True)}
    judged: set[tuple[str, int]] = set()
    for verdict in evidence.outcomes("steps").iter_rows(named=True):
        about = (verdict["about_trial"], verdict["about_repeat"])
        reply = replies.get(about)
        if verdict["status"] != "answered" or reply is None or about in judged:
            continue
        judged.add(about)
        prefix = _own_prefix(reply, verdict, by_id[reply["stimulus"]])
        sources = (Source.of(reply), Source.of(verdict, read=True))
        for arm in _arms(asking.levels) if prefix is not None else ():
            form = f"heal-own,{about[0]},{about[1]},{','.join(arm)}"
            stimulus = by_id[reply["stimulus"]]
            assert prefix is not None
            yield _trial(stimulus, asking, prompts, prefix, arm, form=form, stage="heal-own", sources=sources)


def _own_prefix(reply: Mapping[str, Json], verdict: Mapping[str, Json], stimulus: Stimulus) -> Prefix | None:
    """The model's own steps up to the end of the stretch that a judge found; `None` where it found none."""
    steps = steps_of(reply["answer"])
    first, last, correction = stretch_of(verdict["answer"], len(steps))
    if first == 0:
        return None
    every = check_steps(steps, stimulus.truth["graph"], relevant_of(stimulus, VIEW))[first - 1 : last]
    claims: tuple[StepClaim, ...] = tuple(claim for each in every for claim in each.claims)
    given, wrong = tuple(steps[:last]), tuple(steps[first - 1 : last])
    return Prefix(OWN, reply["model"], given, first, last, 1, wrong, (correction,) if correction else (), claims)


def _at_most(own: bool, rubric: str | None, stimuli: Sequence[Stimulus], asking: AskingOptions) -> int:
    """How many continuations there are at most: of all kinds, or of those that one rubric marks."""
    arms = len(_arms(asking.levels))
    if own and rubric == "steady":
        return 0
    if own:
        return arms * len(stimuli) if OWN in asking.levels.get("prefix", DEFAULTS["prefix"]) else 0
    kinds = (prefix.kind == TRUE for stimulus in stimuli for _, prefix in prefixes(stimulus, asking.levels))
    return arms * sum(1 for steady in kinds if rubric is None or steady == (rubric == "steady"))


def _own_at_most(stimuli: Sequence[Stimulus], asking: AskingOptions) -> StageBounds:
    trials = _at_most(True, None, stimuli, asking)
    return StageBounds(trials=trials, input_tokens=_TOKENS * trials, assumed="a step of every reply is found wrong")


def _graded(name: str, about: str, *, own: bool) -> Marking:
    return heal_marking(name, about, {rubric: partial(_at_most, own, rubric) for rubric in ("heal", "steady")})


HEAL = Stage(name="heal", settings=tuple(SETTINGS), trials=_trials)
HEAL_GRADE = _graded("heal-grade", "heal", own=False)
STEPS = step_check(VIEW, OWN, DEFAULTS["prefix"])
HEAL_OWN = Stage(
    name="heal-own", needs=("reason", "steps"), settings=tuple(SETTINGS), trials=_own_trials, at_most=_own_at_most
)
HEAL_OWN_GRADE = _graded("heal-own-grade", "heal-own", own=True)
STAGES = (HEAL, HEAL_GRADE, STEPS, HEAL_OWN, HEAL_OWN_GRADE)
READERS: Readers = {**CONTINUATIONS, **readers((*RUBRICS, STEPS_RUBRIC))}
"""The readers of continuations and of the verdicts on them."""
