"""From fits and rates to a name: the rules of a verdict, for one case or for all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from veridical.suites.viprobe.verdicts import model, names
from veridical.suites.viprobe.verdicts.hypotheses import LOSS, SHIFT
from veridical.suites.viprobe.verdicts.names import Verdict
from veridical.suites.viprobe.verdicts.scope import ALIKE, Scope
from veridical.suites.viprobe.verdicts.weigh import (
    DECISIVE,
    challenge,
    form,
    gain,
    profiled,
)

SURE = 0.95
CONTRADICTORY = 60.0
"""Percent of pairs; a coin contradicts itself in 50."""
BLIND, SURELY_BLIND = 30.0, 15.0
SHARP = 0.2
"""The standard deviation of the noise in controls, in units of α, that parts sharp from weak vision."""
STRONGEST_SHIFT = 0.95
"""Beyond that, in units of α, no tested figure would look unchanged, and a shift would be like anything else."""
TOTAL = 0.9

_FORMS = {
    "picture": "the unchanged figure, picture by picture",
    "reply": "the unchanged figure, reply by reply",
    "blunt": "noise and criterion of their own",
}
_BY_UNIT = "the unchanged figure, base item by base item"


def decided(scope: Scope) -> Verdict:
    """The verdict: the first name all of whose needs are met, and what it rests on."""
    told = scope.weights
    for rule in (_language, _blind, _unexplained, _inverted, _illusion, _loss, _sees):
        found = rule(scope, told)
        if found is not None:
            return found
    return _verdict(scope, names.OPEN, told, _all_evidence(scope, told), needs=_needs(told))


def _verdict(
    scope: Scope,
    name: str,
    told: Mapping[str, float],
    evidence: Iterable[str],
    parameters: Mapping[str, str] | None = None,
    needs: Iterable[str] = (),
) -> Verdict:
    return Verdict(
        where=scope.where,
        name=name,
        evidence=tuple(evidence),
        weights=told,
        parameters=parameters or {},
        needs=tuple(needs),
    )


def _language(scope: Scope, told: Mapping[str, float]) -> Verdict | None:
    both = (scope.rates.contradictory_control, scope.rates.contradictory_figure)
    if not all(each.low is not None and each.low > CONTRADICTORY for each in both):
        return None
    evidence = [
        f"the two answers contradict each other in {each} % of {kind}"
        for each, kind in zip(both, ("controls", "figures"), strict=True)
    ]
    return _verdict(scope, names.LANGUAGE, told, evidence)


def _blind(scope: Scope, told: Mapping[str, float]) -> Verdict | None:
    follows = {"controls": scope.rates.follow_control, "figures": scope.rates.follow_figure}
    rivals = max(gain(scope.fits, name, "flat") for name in told if name != "flat")
    bound = BLIND if rivals < _chance(scope) else SURELY_BLIND
    if not all(each.inside(bound) for each in follows.values()):
        return None
    evidence = [f"strong changes move answers by {each} points on {kind}" for kind, each in follows.items()]
    return _verdict(scope, names.BLIND, told, evidence)


def _chance(scope: Scope) -> float:
    """What σ and c of each case may gain over two flat rates by chance: as many parameters, but at other places."""
    return DECISIVE * len(scope.problem.case)


def _unexplained(scope: Scope, told: Mapping[str, float]) -> Verdict | None:
    if not scope.fails:
        return None
    return _verdict(scope, names.NO_MODEL, told, ["the replies lie further from the best model than chance allows"])


def _inverted(scope: Scope, told: Mapping[str, float]) -> Verdict | None:
    if told["inverted"] < SURE:
        return None
    return _verdict(scope, names.INVERTED, told, [_weight(told, "inverted"), scope.follows])


def _illusion(scope: Scope, told: Mapping[str, float]) -> Verdict | None:
    if told["shift"] < SURE:
        return None
    shift = profiled(scope.problem, scope.fits[SHIFT], model.SHIFT)
    if shift.low <= 0 <= shift.high or max(-shift.low, shift.high) >= STRONGEST_SHIFT:
        return None
    parameters = {"shift": f"{shift.said()} α", **_sight(scope)}
    return _verdict(scope, names.ILLUSION, told, [_weight(told, "shift"), f"shift {shift.said()} α"], parameters)


def _loss(scope: Scope, told: Mapping[str, float]) -> Verdict | None:
    gap = scope.rates.gap.value
    if told["loss"] < SURE or gap is None or gap <= 0:
        return None
    best = form(scope.fits)
    share = scope.lost_share
    total = share is not None and share >= TOTAL
    evidence = [_weight(told, "loss"), scope.follows]
    parameters = dict(_sight(scope))
    if share is not None:
        parameters["strong changes lost"] = f"{100 * min(max(share, 0.0), 1.0):.0f} %"
    if not total and (scope.by_unit or best is not None):
        parameters["form"] = _BY_UNIT if scope.by_unit or best is None else _FORMS[best.effect]
    bound = scope.bound_to_figures
    recited = scope.recited
    if bound is not None:
        evidence.append(_clutter_words(scope, bound=bound))
    if recited is not None and recited.value is not None:
        evidence.append(f"inducers alone are called the figure in {100 * recited.value:.0f} %")
    if bound is False:
        return _verdict(scope, names.EVERYWHERE, told, evidence, parameters)
    if total and scope.recites and (bound is True or scope.amid_clutter is None):
        return _verdict(scope, names.MEMORY, told, evidence, parameters)
    return _verdict(scope, names.LOSS, told, evidence, parameters, _to_show_memory(scope, total=total))


def _sees(scope: Scope, told: Mapping[str, float]) -> Verdict | None:
    rival = challenge(scope.fits)
    if rival >= DECISIVE or gain(scope.fits, "nothing", "flat") < DECISIVE:
        return None
    noise = scope.noise
    lost = profiled(scope.problem, scope.fits[LOSS[0]], model.SHARE)
    evidence = [
        f"no rival gains more than {max(rival, 0.0):.1f} in 2 Δ ln L",
        f"at most {100 * lost.high:.0f} % of what is seen in controls is lost on figures",
        f"controls less figures {scope.rates.gap} points",
        f"σ in controls {noise.said()} α",
    ]
    if noise.low > SHARP:
        return _verdict(scope, names.WEAK, told, evidence, _sight(scope))
    habits = scope.habits
    kept = habits.heard * (1 - habits.blank)
    if noise.high < SHARP and 100 * kept * lost.high <= ALIKE:
        return _verdict(scope, names.VERIDICAL, told, evidence, _sight(scope))
    return None


def _sight(scope: Scope) -> dict[str, str]:
    """What is shared by all explanations: noise in controls, and habits that are more than a trace."""
    habits = scope.habits
    told = {"σ": f"{scope.noise.said()} α"}
    shares = {"lapses": habits.lapse, "not looked at": habits.blank, "deaf to polarity": habits.deaf}
    shares["one side neglected"] = max(habits.neglect, habits.neglect_other)
    told |= {name: f"{100 * share:.0f} %" for name, share in shares.items() if share >= 0.02}
    if abs(habits.leaning) >= 0.02:
        told["yes bias" if habits.leaning > 0 else "no bias"] = f"{100 * abs(habits.leaning):.0f} %"
    return told


def _clutter_words(scope: Scope, *, bound: bool) -> str:
    lost = scope.amid_clutter.lost if scope.amid_clutter else None
    return f"amid clutter {lost} points are lost: " + ("bound to the figure" if bound else "not bound to the figure")


def _to_show_memory(scope: Scope, *, total: bool) -> Iterator[str]:
    if not total:
        yield "denser strengths and more base items, to tell its forms apart"
    if scope.amid_clutter is None:
        yield "pictures amid clutter (OS, PS)"
    if scope.recited is None:
        yield "inducers alone (I)"
    yield "comparison questions"


def _needs(told: Mapping[str, float]) -> Iterator[str]:
    yield "more base items"
    if max(told.values()) < SURE:
        yield "strengths near the point where answers turn"


def _all_evidence(scope: Scope, told: Mapping[str, float]) -> Iterator[str]:
    first = sorted(told.items(), key=lambda each: -each[1])[:2]
    yield "weights: " + ", ".join(f"{name} {weight:.2f}" for name, weight in first)
    yield f"controls less figures {scope.rates.gap} points"
    yield scope.follows
    yield f"σ in controls {scope.noise.said()} α"


def _weight(told: Mapping[str, float], name: str) -> str:
    return f"weight {told[name]:.2f}"
