"""The rules that turn a scope of fits and rates into a verdict."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from veridical.suites.viprobe.verdicts import model, names
from veridical.suites.viprobe.verdicts.hypotheses import LOSS, SHIFT
from veridical.suites.viprobe.verdicts.names import ObserverVerdict
from veridical.suites.viprobe.verdicts.scope import ALIKE, Scope
from veridical.suites.viprobe.verdicts.weigh import (
    DECISIVE,
    challenge,
    form,
    gain,
    gain_over_shift_of_all,
    profile_range,
)

SURE = 0.95
CONTRADICTORY = 60.0
"""Percent of pairs; random replies contradict themselves in 50 %."""
BLIND, SURELY_BLIND, FLAT_BLIND = 30.0, 15.0, 50.0
"""Largest effect of strong changes on answers, in points: if flat rates fit as well as sight; without that condition;
and if flat rates have the weight of a verdict and the intervals contain 0 (few base items give wide intervals)."""
SHARP = 0.2
"""Standard deviation of the noise in controls, in units of α, that separates sharp from weak vision."""
STRONGEST_SHIFT = 0.95
"""Beyond this, in units of α, no tested figure would look unchanged, and a shift cannot be identified."""
MOST_DEAF = 0.25
"""Above this share of pictures whose reversed question is read as the other one, answers do not report perception."""
NEGLIGIBLE = 0.02
"""A shift within this, in units of α, is less than half of the weakest strength tested by default."""

_FORMS = {
    "picture": "the unchanged figure, picture by picture",
    "reply": "the unchanged figure, reply by reply",
    "blunt": "own noise and criterion",
}
_BY_UNIT = "the unchanged figure, base item by base item"


def decision(scope: Scope) -> ObserverVerdict:
    """The verdict of the first rule that applies, with its evidence."""
    weights = scope.weights
    for rule in (_language, _blind, _unexplained, _inverted, _illusion, _loss, _sees):
        verdict = rule(scope, weights)
        if verdict is not None:
            return verdict
    verdict = _verdict(scope, names.OPEN, weights, _all_evidence(scope, weights), needs=_needs(weights))
    return replace(verdict, controls_seen=scope.controls_seen)


def _verdict(
    scope: Scope,
    name: str,
    weights: Mapping[str, float],
    evidence: Iterable[str],
    parameters: Mapping[str, str] | None = None,
    needs: Iterable[str] = (),
) -> ObserverVerdict:
    return ObserverVerdict(
        where=scope.where,
        name=name,
        evidence=tuple(evidence),
        weights=weights,
        parameters=parameters or {},
        needs=tuple(needs),
    )


def _language(scope: Scope, weights: Mapping[str, float]) -> ObserverVerdict | None:
    both = (scope.rates.contradictory_control, scope.rates.contradictory_figure)
    if not all(each.low is not None and each.low > CONTRADICTORY for each in both):
        return None
    evidence = [
        f"the two answers of a pair contradict each other in {each} % of {kind}"
        for each, kind in zip(both, ("controls", "figures"), strict=True)
    ]
    return _verdict(scope, names.LANGUAGE, weights, evidence)


def _blind(scope: Scope, weights: Mapping[str, float]) -> ObserverVerdict | None:
    follows = {"controls": scope.rates.follow_control, "figures": scope.rates.follow_figure}
    rivals = max(gain(scope.fits, name, "flat") for name in weights if name != "flat")
    bound = BLIND if rivals < _chance(scope) else SURELY_BLIND
    if weights["flat"] >= SURE and all(each.around_zero for each in follows.values()):
        bound = FLAT_BLIND
    if not all(each.inside(bound) for each in follows.values()):
        return None
    evidence = [f"strong changes move answers by {each} points on {kind}" for kind, each in follows.items()]
    bounds = {"controls": scope.rates.sensitivity_control, "figures": scope.rates.sensitivity_figure}
    evidence += [
        f"d' of strong changes at most {most:.1f} on {kind}" for kind, most in bounds.items() if most is not None
    ]
    return _verdict(scope, names.BLIND, weights, evidence)


def _chance(scope: Scope) -> float:
    """The gain of σ and c of each case over two flat rates that chance may produce; both have as many parameters."""
    return DECISIVE * len(scope.problem.case)


def _unexplained(scope: Scope, weights: Mapping[str, float]) -> ObserverVerdict | None:
    if not scope.fails:
        return None
    return _verdict(
        scope, names.NO_MODEL, weights, ["even the best explanation misses the replies by more than chance"]
    )


def _inverted(scope: Scope, weights: Mapping[str, float]) -> ObserverVerdict | None:
    follow = scope.rates.follow_control
    if weights["inverted"] < SURE or not (follow.high is not None and follow.high < 0) or scope.one_sided:
        return None
    return _verdict(scope, names.INVERTED, weights, [_weight(weights, "inverted"), scope.follows])


def _illusion(scope: Scope, weights: Mapping[str, float]) -> ObserverVerdict | None:
    if weights["shift"] < SURE:
        return None
    shift = profile_range(scope.problem, scope.fits[SHIFT], model.SHIFT)
    if shift.low <= 0 <= shift.high or abs(shift.value) <= NEGLIGIBLE:
        return None
    if max(-shift.low, shift.high) >= STRONGEST_SHIFT:
        return None
    if gain_over_shift_of_all(scope.problem, scope.fits) < DECISIVE:
        return None
    parameters = {"shift": f"{shift} α", **_sight(scope)}
    return _verdict(scope, names.ILLUSION, weights, [_weight(weights, "shift"), f"shift {shift} α"], parameters)


def _loss(scope: Scope, weights: Mapping[str, float]) -> ObserverVerdict | None:
    if weights["loss"] < SURE or (scope.rates.gap.low or 0.0) <= 0:
        return None
    if gain(scope.fits, "loss", "nothing") < DECISIVE or (scope.rates.follow_control.low or 0.0) <= 0:
        return None
    best = form(scope.fits)
    share = scope.lost_share
    evidence = [_weight(weights, "loss"), scope.follows]
    parameters = dict(_sight(scope))
    if share is not None:
        parameters["strong changes lost"] = f"{100 * min(max(share, 0.0), 1.0):.0f} %"
    if not scope.loses_all and (scope.by_unit or best is not None):
        parameters["form"] = _BY_UNIT if scope.by_unit or best is None else _FORMS[best.effect]
    bound = scope.bound_to_figures
    recited = scope.recited
    if bound is not None:
        evidence.append(_clutter_words(scope, bound=bound))
    if recited is not None and recited.value is not None:
        evidence.append(f"inducers alone are called the figure in {100 * recited.value:.0f} % of answers")
    if bound is False:
        return _verdict(scope, names.EVERYWHERE, weights, evidence, parameters)
    if scope.recalls:
        return _verdict(scope, names.MEMORY, weights, evidence, parameters)
    return _verdict(scope, names.LOSS, weights, evidence, parameters, _to_show_memory(scope))


def _sees(scope: Scope, weights: Mapping[str, float]) -> ObserverVerdict | None:
    rival = _rival(scope)
    if rival >= DECISIVE or gain(scope.fits, "nothing", "flat") < DECISIVE:
        return None
    if (scope.rates.follow_control.value or 0.0) <= 0 or scope.one_sided:
        return None
    noise = scope.noise
    lost = profile_range(scope.problem, scope.fits[LOSS[0]], model.SHARE)
    evidence = [
        f"no other explanation fits better by more than {max(rival, 0.0):.1f} in 2 Δ ln L",
        f"at most {100 * lost.high:.0f} % of what is seen in controls is lost on figures",
        f"changes noticed in controls − in figures: {scope.rates.gap} points",
        f"noise in controls: σ {noise} α",
    ]
    if noise.low > SHARP:
        return _verdict(scope, names.WEAK, weights, evidence, _sight(scope))
    habits = scope.habits
    kept = habits.heard * (1 - habits.blank)
    if scope.controls_seen and noise.high < SHARP and 100 * kept * lost.high <= ALIKE and habits.deaf < MOST_DEAF:
        return _verdict(scope, names.VERIDICAL, weights, evidence, _sight(scope))
    return None


def _rival(scope: Scope) -> float:
    """The gain of the strongest rival; a shift counts only if it may exceed `NEGLIGIBLE`."""
    rival = challenge(scope.fits)
    if rival < DECISIVE:
        return rival
    shift = profile_range(scope.problem, scope.fits[SHIFT], model.SHIFT)
    if max(-shift.low, shift.high) > NEGLIGIBLE:
        return rival
    return challenge({each: fit for each, fit in scope.fits.items() if each != SHIFT})


def _sight(scope: Scope) -> dict[str, str]:
    """Parameters shared by all explanations: noise in controls, and habits of at least 2 %."""
    habits = scope.habits
    parameters = {"σ": f"{scope.noise} α"}
    shares = {"lapses": habits.lapse, "not looked at": habits.blank, "deaf to polarity": habits.deaf}
    shares["one side neglected"] = max(habits.neglect, habits.neglect_other)
    parameters |= {name: f"{100 * share:.0f} %" for name, share in shares.items() if share >= 0.02}
    if abs(habits.leaning) >= 0.02:
        parameters["yes bias" if habits.leaning > 0 else "no bias"] = f"{100 * abs(habits.leaning):.0f} %"
    return parameters


def _clutter_words(scope: Scope, *, bound: bool) -> str:
    amid, on_figures = scope.lost_amid_clutter, scope.lost_on_figures
    lost = f"of the changes noticed in controls, {amid} points are lost amid clutter and {on_figures} on figures"
    return f"{lost}: " + ("bound to the figure" if bound else "not bound to the figure")


def _to_show_memory(scope: Scope) -> Iterator[str]:
    if not scope.loses_all:
        yield "denser strengths and more base items, to distinguish its forms"
    if scope.amid_clutter is None:
        yield "pictures amid clutter (OS, PS)"
    if scope.recited is None:
        yield "inducers alone (I)"
    yield "comparison questions"


def _needs(weights: Mapping[str, float]) -> Iterator[str]:
    yield "more base items"
    if max(weights.values()) < SURE:
        yield "strengths near the threshold"


def _all_evidence(scope: Scope, weights: Mapping[str, float]) -> Iterator[str]:
    first = sorted(weights.items(), key=lambda each: -each[1])[:2]
    yield "weights: " + ", ".join(f"{name} {weight:.2f}" for name, weight in first)
    yield f"changes noticed in controls − in figures: {scope.rates.gap} points"
    yield scope.follows
    yield f"noise in controls: σ {scope.noise} α"


def _weight(weights: Mapping[str, float], name: str) -> str:
    return f"weight of this explanation {weights[name]:.2f}"
