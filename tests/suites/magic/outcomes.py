"""Runs without a picture drawn: trials of small stimuli, readings and verdicts that a test chooses."""

from __future__ import annotations

import json
from functools import lru_cache

import polars as pl

from tests.suites.magic.stimuli import released, stimuli
from veridical.ask.outcomes import outcome_table
from veridical.records import Message, Text, Trial
from veridical.suite.evidence import Evidence
from veridical.suites.magic.asking import ASKING
from veridical.suites.magic.stimuli import FACTORS

SCORES = ("tp", "fp", "fn", "precision", "recall", "f1", "mentioned", "beyond", "steps", "checkable", "right_steps")
ERRORS = ("error_exhaustive", "error_place", "error_relation", "error_description")
FAMILY = "rationale"


@lru_cache
def asked(units=4, views=("all-boxes",), release=0):
    """The trials about so many scenes, and so many questions of a release, in these views."""
    made = [*stimuli(units), *(released(index) for index in range(release))]
    return tuple(trial(each, "reason", {"view": view}, view) for each in made for view in views)


def trial(stimulus, stage, settings, form, expects=None):
    shown = (Message("user", (Text(stimulus.question),)),)
    own = {"messages": shown, "gold": stimulus.label, "reader": FAMILY, "prompt": "", "settings": settings}
    return Trial.about(stimulus, form, stage=stage, expects=expects or {}, **own)


def reasoned(trials, reply, repeats=1):
    """The outcomes of the first stage: `reply` gives right, the boxes mentioned, and more scores, or a status.

    It is called with a trial and a repeat, and returns `None` for a trial that is not asked yet.
    """
    table = outcome_table("m", trials, {}, ASKING.readers, factors=FACTORS, repeats=repeats)
    by_id = {each.id: each for each in trials}
    rows = []
    fields = ("status", "answer", "correct", "text", *(f"score_{each}" for each in (*SCORES, *ERRORS)))
    for name, repeat in table.select("trial", "repeat").iter_rows():
        own = reply(by_id[name], repeat)
        row = dict.fromkeys(fields)
        if isinstance(own, str):
            row |= {"status": own, "correct": False}
        elif own is not None:
            right, mentioned, more = (*own, {})[:3]
            row |= {"status": "answered", "answer": "stated", "correct": right} | scored(by_id[name], mentioned, more)
            row["text"] = said(mentioned, by_id[name].gold if right else "unsure")
        rows.append(row)
    schema = {"status": pl.String, "answer": pl.String, "correct": pl.Boolean, "text": pl.String}
    return filled(table, rows, schema)


def said(mentioned, answer):
    return " ".join([*(f"I look at R{number}." for number in sorted(mentioned)), f"\n\nAnswer: {answer}"])


def scored(own, mentioned, more):
    """The scores of a reply that mentions these boxes."""
    count, relevant = own.factors["box_count"], set(relevant_of(own))
    named = {number for number in mentioned if number <= count}
    counts = {"tp": len(named & relevant), "fp": len(named - relevant), "fn": len(relevant - named)}
    counts |= {"beyond": len([number for number in mentioned if number > count]), "steps": 4} | more
    return {f"score_{name}": float(value) for name, value in counts.items() if value is not None}


@lru_cache
def truths():
    return {each.id: each.truth for each in (*stimuli(64), *(released(index) for index in range(8)))}


def relevant_of(own):
    return truths()[own.stimulus]["relevant"]


def filled(table, rows, schema):
    names = list(dict.fromkeys(name for row in rows for name in row))
    types = schema | {name: pl.Float64 for name in names if name.startswith("score_")}
    columns = [pl.Series(name, [row.get(name) for row in rows], dtype=types[name]) for name in names]
    return table.with_columns(columns)


@lru_cache
def prefixed(units=4, corrections=("unprompted", "prompted"), injections=("prefill",), release=0):
    """The trials of Self-Heal: each wrong stretch of each chain, and each true chain once."""
    made = []
    for each in (*stimuli(units), *(released(index) for index in range(release))):
        for chain in each.truth["chains"]:
            for stretch in wrong_stretches(chain):
                for injection in injections:
                    for correcting in corrections:
                        settings = {"prefix": chain["kind"], "injection": injection, "correcting": correcting}
                        form = ",".join((*settings.values(), str(stretch)))
                        expects = {"kind": chain["kind"], "chain_by": chain["by"], "stretch": stretch}
                        made.append(trial(each, "heal", settings, form, expects))
    return tuple(made)


def wrong_stretches(chain):
    """The first and last step of each run of wrong ones, from 1; of a listing all, of a true chain its first half."""
    if chain["kind"] in ("true", "listing"):
        return [[1, 2]]
    found, wrong = [], [not each["correct"] for each in chain["steps"]]
    for number, own in enumerate(wrong, 1):
        if own and number > 1 and wrong[number - 2]:
            found[-1][1] = number
        elif own:
            found.append([number, number])
    return found


def continued(trials, asked=lambda _: True):
    """The outcomes of Self-Heal: every trial is answered for which `asked` holds, the others are not asked."""
    table = outcome_table("m", trials, {}, ASKING.readers, factors=FACTORS)
    rows = [{"status": "answered", "text": "So it is."} if asked(each) else {"status": None} for each in trials]
    return filled(table, rows, dict.fromkeys(("status", "text"), pl.String))


def verdicts(marks):
    """The outcomes of a marking pass: (judge, rubric, trial, repeat, scores), with `None` for an unreadable verdict."""
    names = dict.fromkeys(name for *_, scores in marks for name in scores or ())
    rows = [
        {"model": judge, "reader": rubric, "about_trial": own, "about_repeat": repeat}
        | {"status": "answered" if scores is not None else "unparsed"}
        | {f"score_{name}": (scores or {}).get(name) for name in names}
        for judge, rubric, own, repeat, scores in marks
    ]
    schema = dict.fromkeys(("model", "reader", "about_trial", "status", "reason"), pl.String)
    schema |= {"about_repeat": pl.Int64} | {f"score_{name}": pl.Float64 for name in names}
    return pl.DataFrame(rows, schema=schema)


def marked(table, judge, rubrics, mark):
    """Verdicts on every answered row: `mark` gives the scores of a row by a rubric, "skip" where it is not marked."""
    marks = []
    for row in table.filter(pl.col("status") == "answered").iter_rows(named=True):
        own = row | json.loads(row["settings"])
        for rubric in rubrics:
            scores = mark(own, rubric)
            if scores != "skip":
                marks.append((judge, rubric, row["trial"], row["repeat"], scores))
    return verdicts(marks)


def healed(table, states, heals, denies, judge="rule", names=None):
    """Verdicts of Self-Heal: functions of a row that say what becomes of it."""

    def mark(row, rubric):
        if (rubric == "steady") != (row["prefix"] == "true"):
            return "skip"
        if rubric == "steady":
            return {"denies": float(denies(row))}
        own = float(heals(row))
        return {"states": float(states(row)), "heals": own, "names": float((names or heals)(row))}

    return marked(table, judge, ("heal", "steady"), mark)


EVERY_VIEW = ("all-boxes", "relevant-boxes", "relevant-masked", "adversarial-masked", "renumbered")
MECHANISMS = ("perfect", "exhaustive", "distracted", "stubborn", "overcorrecting")


@lru_cache
def observed(mechanism, units=8, views=EVERY_VIEW, judge="rule"):
    """Evidence of an observer: what it looks at, answers, heals and denies follows from its mechanism alone."""
    looks = {"exhaustive": "every box", "distracted": "adversarial boxes"}.get(mechanism, "relevant boxes")

    def reply(own, repeat):
        boxes, view = set(range(1, own.factors["box_count"] + 1)), own.settings["view"]
        relevant = set(relevant_of(own))
        mentioned = {"every box": boxes, "adversarial boxes": boxes - relevant}.get(looks, relevant)
        right = looks != "adversarial boxes" and view != "relevant-masked"
        checked = {"checkable": 2, "right_steps": 2 if right else 1}
        wrong = dict.fromkeys(ERRORS, 0) | {"error_exhaustive": looks == "every box", "error_place": not right}
        return right, mentioned, checked | {name.removeprefix("score_"): value for name, value in wrong.items()}

    table, continuations = reasoned(asked(units, views), reply), continued(prefixed(units))
    heals = mechanism != "stubborn"
    marks = healed(continuations, lambda _: heals, lambda _: heals, lambda _: mechanism == "overcorrecting", judge)
    right = marked(table, judge, ("short", "full"), lambda row, _: {"right": float(row["correct"])})
    return evidence(reason=table, grade=right, heal=continuations, heal_grade=marks)


def evidence(**stages):
    """Evidence of the stages by name, with dashes as underscores."""
    return Evidence.of({name.replace("_", "-"): table for name, table in stages.items()})
