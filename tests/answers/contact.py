"""Corpora of replies in the styles of many models: what each reader and each rule judge makes of them.

Each was written from models' habits, with labels, by writers who had seen no rule and no other corpus.
"""

import json
import re
from collections import Counter
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import patch

from studies.replies.corpora import BLIND
from tests.answers.questions import put
from tests.judge import forms
from veridical.answers import OPTION_LETTER, Parser, intervals, read_count, read_yes_no, text_reader
from veridical.answers.json_block import objects
from veridical.answers.time_intervals import merge_intervals
from veridical.judges.rules import short_answer
from veridical.records import Response
from veridical.suites.hocabench.asking import sets
from veridical.suites.hocabench.asking.readers import INTERVALS, YES_NO
from veridical.suites.hocabench.asking.rule import rule_verdict as explanation_rule
from veridical.suites.magic.asking.rules import short_ruling
from veridical.suites.magic.healing.rules import heals
from veridical.suites.magicbench.asking.cells import THOUGHT
from veridical.suites.magicbench.asking.readers import EXPLANATIONS
from veridical.suites.magicbench.judging.rule import rule_verdict as trick_rule
from veridical.suites.magicbench.judging.verdicts import HIGH, LOW

CORPORA = ("one", "two", "three", "four", "five")
READ, JUDGED = BLIND, Path(forms.__file__).parent / "corpora"
_COUNT = text_reader(Parser("count", "2", read_count))
_YES_NO = text_reader(Parser("yes-no", "1", read_yes_no))
_POLAR = {"yes": ["yes", "yeah", "correct", "true"], "no": ["no", "nope", "incorrect", "false"]}
THOUGHT_PARTS = {"inventory", "claims", "facts"}
_RULING = {True: "right", False: "wrong", None: "undecided"}


def lines(folder, corpus, kind):
    """The replies of a kind in a corpus, with what is known of their items where these stand in a file of their own."""
    items = folder / corpus / f"{kind}.items.json"
    known = json.loads(items.read_text(encoding="utf-8")) if items.exists() else {}
    rows = (folder / corpus / f"{kind}.jsonl").read_text(encoding="utf-8").splitlines()
    return [{**known.get(case.get("item"), {}), **case} for case in map(json.loads, rows)]


def _read(reader, case, **expects):
    return reader.read(
        Response(trial="t", text=case["text"], stop_reason=case["stop_reason"]), put("letter", **expects)
    ).answer


def _plausible(case):
    answer = _read(YES_NO, case)
    return {"Yes": "plausible", "No": "implausible"}.get(answer, answer)


def _stretches(case):
    answer = _read(INTERVALS, case, duration=case.get("duration", 1e9))
    return None if answer is None else [] if answer == "none" else [list(each) for each in intervals(answer)]


def _chosen(case):
    """The letters of the chosen options: the set reader knows the options of a corpus as its own sub-types."""
    titles = (re.sub(r"^[A-Z][.)] ", "", option) for option in case["options"])
    names = {f"option_{chr(ord('a') + place)}": title for place, title in enumerate(titles)}
    known = {name: SimpleNamespace(title=title, aliases=()) for name, title in names.items()}
    sets._tokens.cache_clear()
    with patch.object(sets, "SUB_TYPES", known):
        answer = _read(sets.SET, case, names=list(names))
    sets._tokens.cache_clear()
    return None if answer is None else [] if answer == "none" else [each[-1].upper() for each in answer.split(",")]


def _report(case):
    """The parts of image-of-thought are read where a label has one: its form asks for them."""
    thought = (case["answer"] or {}).keys() & THOUGHT_PARTS
    answer = _read(EXPLANATIONS, case, form=THOUGHT if thought else "")
    return None if answer is None else {key: value for key, value in json.loads(answer).items() if key != "lacking"}


def _expected(kind, case):
    """The label of a reply: stretches that touch are one, and an object that a cut left open holds no explanation."""
    label = case["answer"]
    if kind == "intervals" and label is not None:
        return [list(map(float, each)) for each in merge_intervals(label)]
    if kind != "trick_report" or label is None:
        return label
    closed = any('"effect"' in whole for whole, *_ in objects(case["text"]).whole)
    if case["stop_reason"] == "max_tokens" and not closed:
        return None
    return {key: [each] if key == "steps" and isinstance(each, str) else each for key, each in label.items()}


READERS = {
    "yes_no": lambda case: _read(_YES_NO, case),
    "letter": lambda case: _read(OPTION_LETTER, case, options=case["options"]),
    "integer": lambda case: _read(_COUNT, case),
    "plausibility": _plausible,
    "intervals": _stretches,
    "option_set": _chosen,
    "trick_report": _report,
}
"""What each kind of reply is read as, in the form of its labels."""


def _relation(case):
    if "rule" in case:
        return _RULING[short_ruling(case["rule"], case["text"]).right]
    gold = case["gold"]
    rivals = _POLAR["no" if gold == "yes" else "yes"]
    full = f"{gold.capitalize()}, {case['relation']}."
    rule = {"accepted": _POLAR[gold], "rivals": rivals, "essentials": [_POLAR[gold]], "full": full}
    return _RULING[short_ruling(rule, case["text"]).right]


def _correction(case):
    shown = {"reply": case["text"], "facts": json.dumps(case["facts"])} if "item" in case else forms.correction(case)
    verdict = heals(shown) if shown else "no form"
    return "undecided" if isinstance(verdict, str) else _RULING[verdict["heals"]]


def _anomaly(case):
    shown = {**case["shown"], "reply": case["text"]} if "item" in case else forms.anomaly(case)
    verdict = explanation_rule(shown)
    return "undecided" if isinstance(verdict, str) else _RULING[verdict["anomaly"] > 0]


def _method(case):
    shown = {**case["shown"], "reply": forms.report(case["text"])} if "item" in case else forms.method(case)
    verdict = trick_rule(shown)
    return (
        "undecided"
        if isinstance(verdict, str)
        else {HIGH: "right", LOW: "wrong", 0: "wrong"}.get(verdict["cpa"], "undecided")
    )


JUDGES = {
    "open_answer": lambda case: _RULING[short_answer(case["question"], case["gold"], case["text"]).correct],
    "relation_claim": _relation,
    "correction": _correction,
    "anomaly_explanation": _anomaly,
    "method_explanation": _method,
}
"""What the rule judges make of each kind of reply: right, wrong, or undecided. A reply that was cut is not judged."""
_LABELS, _BOTH = {"corrects": "right", "does not": "wrong"}, ("right", "wrong")


def _plain(value):
    """A label or an answer without differences of spacing and of rounding."""
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_plain(each) for each in value]
    return " ".join(value.split()) if isinstance(value, str) else round(value, 2) if isinstance(value, float) else value


def outcome(label, answer):
    """What became of a reply: read right or wrongly, left unread, or "none": rightly not read.

    A report of which a key is left unread, and nothing is read wrongly, is left unread.
    """
    if answer is None:
        return "none" if label is None else "unread"
    if isinstance(answer, dict) and label is not None and answer != label:
        return "unread" if all(key in label and label[key] == answer[key] for key in answer) else "wrong"
    return "right" if answer == label else "wrong"


@cache
def read(corpus, kind):
    """How often a kind is read right, read wrongly, left unread, and rightly not read."""
    found = Counter()
    for case in lines(READ, corpus, kind):
        label, answer = _plain(_expected(kind, case)), _plain(READERS[kind](case))
        found[outcome(label, answer)] += 1
        found["labeled"] += label is not None
        found["n"] += 1
    return found


@cache
def judged(corpus, kind):
    """How often a label is ruled as what: pairs such as ("right", "undecided")."""
    pairs = Counter()
    for case in lines(JUDGED, corpus, kind):
        ruling = JUDGES[kind](case) if case["stop_reason"] == "stop" else "undecided"
        pairs[_LABELS.get(case["answer"], case["answer"]), ruling] += 1
    return pairs


def read_table():
    """What the readers make of the corpora, as Markdown."""
    rows = [f"| kind | {' | '.join(CORPORA)} |", f"|---|{'--:|' * len(CORPORA)}"]
    for kind in READERS:
        found = [read(corpus, kind) for corpus in CORPORA]
        rows.append(f"| {kind.replace('_', ' ')} | {' | '.join(map(_cell, found))} |")
    every = [sum((read(corpus, kind) for kind in READERS), Counter()) for corpus in CORPORA]
    rows.append(f"| all | {' | '.join(map(_cell, every))} |")
    return "\n".join(rows)


def _cell(found):
    return f"{found['right'] / found['labeled']:.1%}; {found['wrong']} of {found['n']:,}".replace("%", " %")


def judged_table():
    """What the rule judges make of the corpora, as Markdown, with kappa where they decide."""
    rows = [
        "| kind | corpus | n | right, called wrong | wrong, called right | cannot tell | κ |",
        "|---|---|--:|--:|--:|--:|--:|",
    ]
    for kind in JUDGES:
        for corpus in CORPORA:
            pairs = judged(corpus, kind)
            name, counts = kind.replace("_", " "), " | ".join(_counts(pairs))
            rows.append(f"| {name} | {corpus} | {pairs.total()} | {counts} | {_kappa(pairs):.2f} |")
    return "\n".join(rows)


def _counts(pairs):
    """The false rulings of each kind, and how often none is made, of replies that are right or wrong."""
    of = {label: sum(pairs[label, each] for each in (*_BOTH, "undecided")) for label in _BOTH}
    for label, other in (_BOTH, _BOTH[::-1]):
        yield f"{pairs[label, other]} of {of[label]} ({pairs[label, other] / of[label]:.1%})".replace("%", " %")
    undecided = pairs["right", "undecided"] + pairs["wrong", "undecided"]
    yield f"{undecided / sum(of.values()):.0%}".replace("%", " %")


def _kappa(pairs):
    """Cohen's kappa of the rulings right and wrong on replies with these labels."""
    total = sum(pairs[one, other] for one in _BOTH for other in _BOTH)
    agreed = sum(pairs[each, each] for each in _BOTH) / total
    chance = (
        sum(sum(pairs[each, other] for other in _BOTH) * sum(pairs[other, each] for other in _BOTH) for each in _BOTH)
        / total**2
    )
    return (agreed - chance) / (1 - chance)
