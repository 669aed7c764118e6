"""Expected values of VI-Probe's figures for a simulated observer, in closed form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from veridical.suites.viprobe.observers.simulation import ViprobeMechanism

Floats = NDArray[np.float64]
SIGMA_PER_JND = 1 / float(ndtri(0.75))


def right_of_both(mechanism: ViprobeMechanism, alpha: Sequence[float] | Floats, *, figure: bool) -> Floats:
    """Probability that both questions about a picture of strength `alpha` are answered correctly, per strength.

    Averaged over base items of cases whose illusion has a direction: recognized or not, with their offsets, the noise
    of the picture, and lapses in either reply. Raises ValueError for a mechanism with infinite `jnd`, a `yes_bias` or
    `insensitivity`, whose replies do not follow the picture.

    >>> right_of_both(ViprobeMechanism(jnd=0.05, lapse=0.1), [0.0, 1.0], figure=False).round(3).tolist()
    [0.743, 0.902]
    """
    if mechanism.yes_bias or mechanism.insensitivity or not np.isfinite(mechanism.jnd):
        raise ValueError(f"{mechanism}: only replies that follow the picture have a closed form")
    strength = np.asarray(alpha, float)
    spread = float(np.hypot(mechanism.spread, mechanism.jnd * SIGMA_PER_JND))
    same = np.zeros_like(strength)
    for share, recalled in ((mechanism.recognition, mechanism.memory), (1 - mechanism.recognition, 0.0)):
        seen = strength * (1 - recalled) + mechanism.illusion if figure else strength
        within = ndtr((mechanism.criterion - seen) / spread) - ndtr((-mechanism.criterion - seen) / spread)
        same += share * within
    right = np.where(strength == 0, same, 1 - same)
    kept = 1 - mechanism.lapse / 2
    return np.asarray(right * kept**2 + (1 - right) * (1 - kept) ** 2)


def truths(mechanism: ViprobeMechanism, alphas: Sequence[float]) -> dict[tuple[str, str | None], float]:
    """The figures by metric and picture type (`None`: over all), for a design with these strengths.

    PFA is a proportion; R comes from accuracies in percent, as defined, only if both of its differences are at least 10
    points; all others are in points. `alphas` are symmetric around 0; with one |α| there is no rise.
    """
    strengths = np.asarray(alphas, float)
    perturbed = {name: right_of_both(mechanism, strengths, figure=name == "P") for name in ("P", "PC")}
    rate = {name: float(right_of_both(mechanism, [0.0], figure=name == "O")[0]) for name in ("O", "OC")}
    rate |= {name: float(each.mean()) for name, each in perturbed.items()}
    o, p, oc, pc = (100 * rate[name] for name in ("O", "P", "OC", "PC"))
    values: dict[tuple[str, str | None], float] = {("PFA", name): value for name, value in rate.items()}
    values |= {
        ("PFA", None): sum(rate.values()) / 4,
        ("delta_original", None): o - oc,
        ("delta_perturbed", None): p - pc,
        ("delta_average", None): (oc + pc - o - p) / 2,
        ("I", None): (o - p) - (oc - pc),
        ("asymmetry", None): 100 * float(perturbed["P"][strengths > 0].mean() - perturbed["P"][strengths < 0].mean()),
    }
    magnitude = np.abs(strengths)
    strong = magnitude > (magnitude.min() + magnitude.max()) / 2
    if strong.any():
        values["rise", None] = 100 * float(perturbed["P"][strong].mean() - perturbed["P"][~strong].mean())
    if min(abs(o - p), abs(oc - pc)) >= 10:
        values["R", None] = abs(o - p) / (abs(oc - pc) + 0.001)
    return values


def differences_of(first: Mapping[Any, float], second: Mapping[Any, float]) -> dict[tuple[str, str | None], float]:
    """PFA difference, second − first observer, in points, from the `truths` of both."""
    return {
        ("PFA difference", variant): 100 * (second["PFA", variant] - first["PFA", variant])
        for variant in (None, "O", "P", "OC", "PC")
    }
