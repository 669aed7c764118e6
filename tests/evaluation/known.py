"""Profiles of models whose mechanism is known, from simulated replies of two suites, without a picture drawn."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from tests.suites.hocabench import test_presentation as hocabench
from tests.suites.viprobe import test_tables as viprobe
from veridical.report.profiles import ModelProfile, Profile, ProfileLine
from veridical.suite import registry
from veridical.suite.evaluation import ABILITIES

MODELS = {
    "perceiver": {"viprobe": "veridical", "hocabench": hocabench.BOTH},
    "recaller": {"viprobe": "memory_override", "hocabench": ("ontological",)},
    "guesser": {"viprobe": "blind", "hocabench": ()},
}
FOUND = {
    "perceiver": "Sees what is there, sees past memory, reasons from what it sees.",
    "recaller": "Gives the usual answer, reasons in part from what it sees, sees what is there.",
    "guesser": "Does not see what is there, does not reason from what it sees.",
}


def answered(suite, result):
    """The lines of a suite on a result."""
    record = registry.get(suite)
    part = record.evaluation
    answers = part.answers(result)
    for question in part.questions:
        answer = answers.get(question.name)
        if answer is None and question.optional:
            continue
        yield ProfileLine(
            suite=record, part=part, question=question, answer=answer, missing="" if answer else "has no judge"
        )


def results(model):
    mechanism = MODELS[model]
    yield "viprobe", viprobe.result(model, mechanism["viprobe"])
    yield "hocabench", hocabench.result(model, mechanism["hocabench"])


@cache
def profile():
    """The profile of the three, with a link to one suite's report and a hash for each set."""
    models = []
    for model in MODELS:
        lines = [line for suite, result in results(model) for line in answered(suite, result)]
        lines.sort(key=lambda line: [*ABILITIES].index(line.question.ability))
        models.append(ModelProfile(name=model, lines=tuple(lines)))
    sets = {suite: {"set": "0" * 64} for suite in ("viprobe", "hocabench")}
    return Profile(models=tuple(models), version="0", sets=sets, links={"viprobe": "viprobe/report.html"})


def changed(model, **fields):
    """A profile's model with other fields; a function of lines gives its lines."""
    change = fields.pop("lines", None)
    lines = model.lines if change is None else tuple(map(change, model.lines))
    return replace(model, lines=lines, **fields)


def unasked(line, why="no judge"):
    """The line, had nothing been asked."""
    return replace(line, answer=None, missing=why)


def unbounded(line):
    """The line, had its effect no lower bound."""
    if line.answer is None or line.answer.effect is None:
        return line
    return replace(line, answer=line.answer._replace(effect=replace(line.answer.effect, low=None)))


def unanswered(line):
    """The line, had most answers been missing: its effect has a reason and no value."""
    if line.answer is None or line.answer.effect is None:
        return line
    reason = "100 % of the 216 answers on PC (strong changes) are missing (215 truncated, 1 error); at most 5 % may be"
    effect = replace(line.answer.effect, value=None, low=None, high=None, reason=reason)
    return replace(line, answer=line.answer._replace(effect=effect))
