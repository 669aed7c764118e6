"""The truth of a trial as somebody who knows it states it in the form for people."""

from __future__ import annotations

from veridical.answers import intervals


def stated_gold(suite, stimulus, trial):
    """The right answer by field; `None` where nothing is right or wrong."""
    form = suite.asking.answer_form(stimulus, trial)
    if trial.gold is None:
        return None
    if suite.name == "magic":
        return {**_boxes(form, trial), "answer": _accepted(form, trial)}
    (field,) = form
    if field.kind == "intervals":
        return {"answer": [[start, end] for start, end in intervals(trial.gold)]}
    if field.kind == "codes":
        names = trial.expects["names"]
        return {"answer": [chr(ord("A") + names.index(name)) for name in trial.gold.split(",")]}
    if not field.options:
        return {"answer": trial.gold}
    return {"answer": _chosen(trial, field)}


def _chosen(trial, field):
    values = [option.value for option in field.options]
    if "names" in trial.expects:
        return values[trial.expects["names"].index(trial.gold)]
    if trial.gold in values:
        return trial.gold
    if set(values) == {"yes", "no"}:
        return "yes" if trial.gold == "1" else "no"
    return values[int(trial.gold)]


def _boxes(form, trial):
    if len(form) == 1:
        return {}
    return {"boxes": [f"R{number}" for number in trial.expects["relevant"]]}


def _accepted(form, trial):
    accepted = [str(each) for each in trial.expects["rule"]["accepted"]]
    values = [option.value for option in form[-1].options]
    return next((value for value in values if value in accepted), accepted[0])
