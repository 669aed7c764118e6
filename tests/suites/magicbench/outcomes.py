"""Runs without a clip drawn: the trials of small stimuli, replies to them, and verdicts on explanations."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
import polars as pl

from tests.suites.magicbench.stimuli import WORDS, make_stimulus
from veridical.ask.outcomes import outcome_table
from veridical.suite.evidence import Evidence
from veridical.suite.stages import AskingOptions, PlannedMedia
from veridical.suites.magicbench.asking import ASKING
from veridical.suites.magicbench.asking.trials import trials
from veridical.suites.magicbench.stimuli import FACTORS, LETTERS

HANDS = ("left hand", "right hand")
TYPES = ("lie", "misdirection", "filler", "silence")
MARKS = ("vtg", "cpa", "cfr")


@lru_cache
def stimuli(units=12, families=("coin", "cups"), released=0):
    """So many tricks of each family with their controls, mirrored and with options in an order of their own."""
    made = []
    for family in families:
        for index in range(units):
            made += [_crossed(family, index, variant) for variant in ("trick", "honest")]
    for index in range(released):
        letter = "ABCD"[index % 4]
        text = "" if letter == "D" else f"The coin melts away, number {index}."
        own = {"text": text, "timeline": [[1.0, 2.0, text]] if text else [], "claims": []}
        unit = f"release/{index:04}"
        named = {"unit": unit, "id": f"{unit}/real", "linguistic_type": letter, "patter": {"own": own}}
        made.append(make_stimulus("real", index, **named, difficulty=("easy", "hard")[index % 2]))
    return tuple(made)


def _crossed(family, index, variant):
    keeps, takes = (HANDS[0], HANDS[1]) if index % 2 else (HANDS[1], HANDS[0])
    end = takes if variant == "honest" else keeps
    rng = np.random.default_rng([index, *family.encode()])

    def probe(asks, moment, time, options, answer):
        order = [str(each) for each in np.random.default_rng(rng.integers(2**31)).permutation(options)]
        question = f"{asks} at {time:.2f} s?"
        return {"asks": asks, "moment": moment, "time": time, "question": question, "options": order, "answer": answer}

    places, hands = [*HANDS, "the table", "the lap"], [*HANDS, "neither hand"]
    probes = [
        probe("place", "before", 1.0, places, keeps),
        probe("hand", "before", 1.0, hands, keeps),
        probe("view", "before", 1.0, ["Yes", "No"], "Yes"),
        probe("place", "after", 4.0, places, end),
        probe("hand", "after", 4.0, hands, end),
        probe("view", "after", 4.0, ["Yes", "No"], "No"),
    ]
    patter = {}
    for name, (text, place, time) in WORDS.items():
        at = {"lie": takes, "truth": keeps}.get(name)
        claims = (
            [{"text": text, "thing": "coin", "place": at, "time": time, "true": at == end, "atom": 3}] if place else []
        )
        patter[name] = {"text": text, "timeline": [[1.5, 4.0, text]] if text else [], "claims": claims}
    unit = f"{family}/{index:04}"
    named = {"id": f"{unit}/{variant}", "unit": unit, "family": family, "probes": probes, "patter": patter}
    return make_stimulus(variant, index, **named)


@lru_cache
def planned(units=12, levels=(), **made):
    """The trials of so many `stimuli` at the levels of settings, pairs of a name and its levels."""
    return tuple(trials(stimuli(units, **made), AskingOptions(dict(levels), None, PlannedMedia()), None))


@lru_cache
def unasked(units=12, levels=(), **made):
    """Those trials with their table before anything was asked."""
    asked = planned(units, levels, **made)
    return asked, outcome_table("m", asked, {}, ASKING.readers, factors=FACTORS)


@dataclass
class Mind:
    """An observer by what it does: all are probabilities, `marks` are mean marks of 10.

    `sees` is how often it knows where the thing is after the secret, by what is said; else it guesses. Under a lie it
    takes the lie's word with probability `believes`, and denies it with `denies`; where it does not know it takes the
    lie's word with `unsure`; with `worse` a guess is wrong.
    `marks` are by stance and words, or words alone.
    """

    sees: dict = field(default_factory=dict)
    usual: float = 0.8
    believes: float = 0.0
    denies: float = 0.0
    marks: dict = field(default_factory=dict)
    mean: float = 5.0
    hit: float = 0.7
    alarm: float = 0.2
    answers: float = 1.0
    silent: float = 1.0
    position: str | None = None
    worse: bool = False
    unsure: float = 0.0
    content: str | None = None


def run(asked, table, mind, seed=0, judges=(("judge", "pcs"),), noise=2.0):
    """Evidence of a run of an observer, with verdicts of each judge by a rubric (a judge marks alike but for noise)."""
    of_whole, of_cut = np.random.default_rng(seed), np.random.default_rng([seed, 1])
    filled, marks = [], []
    for trial in asked:
        rng = of_cut if trial.settings.get("until") == "reveal" else of_whole
        words = trial.settings.get("patter")
        stance = trial.settings["stance"]
        answered = rng.random() < (mind.silent if words == "silence" else mind.answers)
        if trial.settings["task"] == "probe":
            answer = _probe(trial, words, mind, rng) if answered else None
            filled.append((answer, "answered" if answered else "refused", answer == trial.gold, None, None))
            continue
        says = float(rng.random() < (mind.alarm if trial.variant == "honest" else mind.hit))
        key = (stance, words) if (stance, words) in mind.marks else words if words in mind.marks else stance
        mean = mind.marks.get(key, mind.mean)
        own = (says, float(np.clip(mean / 10 + rng.normal(0, 0.1), 0, 1)))
        filled.append(("{}", "answered" if answered else "refused", None, *(own if answered else (None, None))))
        if answered and trial.settings.get("until") != "reveal":
            clip = float(np.random.default_rng([seed, *trial.unit.encode()]).normal(0, 1))
            marks += [_verdict(trial, judge, mean + clip, rng, noise) for judge in judges]
    names = ("answer", "status", "correct", "score_claims_trick", "score_confidence")
    kinds = (pl.String, pl.String, pl.Boolean, pl.Float64, pl.Float64)
    columns = [
        pl.Series(name, values, dtype=kind)
        for name, kind, values in zip(names, kinds, zip(*filled, strict=True), strict=True)
    ]
    ask = table.with_columns(columns)
    return Evidence.of({"ask": ask, "grade": graded(marks)} if judges else {"ask": ask})


def _probe(trial, words, mind, rng):
    options = trial.expects["options"]
    letters = [chr(ord("A") + place) for place in range(len(options))]
    if mind.position is not None:
        return mind.position if mind.position in letters else letters[0]
    if mind.content is not None:
        named = [letter for letter, option in zip(letters, options, strict=True) if option == mind.content]
        return named[0] if named else letters[0]
    about = words == "lie" and trial.expects["claimed"] and trial.expects["moment"] == "after"
    if about and rng.random() < mind.denies:
        return str(rng.choice([letter for letter in letters if letter not in trial.expects["claimed"]]))
    if about and rng.random() < mind.believes:
        return trial.expects["claimed"][0]
    share = mind.sees.get(words, mind.usual)
    if rng.random() < share:
        return str(trial.gold)
    if about and mind.unsure and rng.random() < mind.unsure:
        return trial.expects["claimed"][0]
    return str(rng.choice([letter for letter in letters if letter != trial.gold] if mind.worse else letters))


def _verdict(trial, judge, mean, rng, noise):
    values = {name: float(np.clip(round(mean + rng.normal(0, noise)), 0, 10)) for name in MARKS}
    veto = float(values["cpa"] == 0)
    return {
        "about_trial": trial.id,
        "about_repeat": 1,
        "model": judge[0],
        "reader": judge[1],
        "status": "answered",
        "reason": None,
        **{f"score_{name}": value for name, value in values.items()},
        "score_cpa_written": values["cpa"] + veto,
        "score_hard_failure_triggered": veto,
        "score_veto_state": veto,
        "score_veto_disagrees": veto,
        "score_veto_unnamed": 0.0,
    }


def graded(rows):
    """The outcomes of a marking pass, as far as estimates read them."""
    texts = ("about_trial", "model", "reader", "status", "reason")
    schema = dict.fromkeys(texts, pl.String) | {"about_repeat": pl.Int64}
    names = (*MARKS, "cpa_written", "hard_failure_triggered", "veto_state", "veto_disagrees", "veto_unnamed")
    return pl.DataFrame(rows, schema=schema | {f"score_{name}": pl.Float64 for name in names})


AUTONOMOUS = Mind()
BELIEVER = Mind(believes=0.8, marks={"lie": 2.0})
LED = Mind(
    sees={"silence": 0.25, "filler": 0.35, "lie": 0.85, "misdirection": 0.85, "nouns": 0.85},
    marks={"silence": 2.0, "filler": 3.0, "lie": 6.5, "misdirection": 6.5, "nouns": 6.5, "vision-only": 5.0},
)
FOREIGN = {
    "random": Mind(usual=0.0, mean=1.0, hit=0.5, alarm=0.5),
    "position": Mind(position="A", mean=1.0, hit=0.5, alarm=0.5),
    "content": Mind(content="left hand", mean=1.0, hit=0.5, alarm=0.5),
    "refuses in silence": Mind(silent=0.0),
    "often silent": Mind(answers=0.8),
    "always a trick": Mind(hit=1.0, alarm=1.0),
    "never a trick": Mind(hit=0.0, alarm=0.0),
    "blind, always a trick": Mind(usual=0.0, hit=1.0, alarm=1.0, mean=1.0),
    "blind believer": Mind(usual=0.0, believes=0.8, mean=1.0, hit=0.5, alarm=0.5),
    "contrarian": Mind(denies=0.8),
    "a little led": Mind(sees={"silence": 0.72}, marks={"silence": 4.5}),
    "believes a little": Mind(believes=0.05),
    "explains worse in silence": Mind(marks={"silence": 2.0}),
}
"""Observers that are none of the three; the verdict on each that is right, or none at all."""
RIGHT = {
    "random": ("sees little",),
    "position": ("sees little",),
    "content": ("sees little",),
    "refuses in silence": ("undetermined: answers missing",),
    "often silent": ("undetermined: answers missing",),
    "always a trick": ("calls everything a trick",),
    "never a trick": ("never calls a trick",),
    "blind, always a trick": ("sees little, calls everything a trick", "sees little", "calls everything a trick"),
    "blind believer": ("believes the magician, sees little", "believes the magician", "sees little"),
    "contrarian": ("led by words",),
    "a little led": ("sees for itself",),
    "believes a little": ("sees for itself",),
    "explains worse in silence": ("led by words",),
}
assert set(LETTERS) == set(TYPES)
assert set(RIGHT) == set(FOREIGN)
