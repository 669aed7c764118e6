"""How likely each candidate gives each reply to each kind of question, by the likelihood of the verdicts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from veridical.suites.viprobe.sequential.prior import NODES, SHARP, VERDICTS, CandidateObserver, candidates
from veridical.suites.viprobe.verdicts import names
from veridical.suites.viprobe.verdicts.counts import SAYS
from veridical.suites.viprobe.verdicts.model import SHIFT, Design, Habits, reply_chances, unchanged_probability

Floats = NDArray[np.float64]
Logs = NDArray[np.float32]
Flags = NDArray[np.bool_]
Ints = NDArray[np.int64]

CONTEXTS = ("control", "figure")
NO_HABITS = Habits()
STRANGE = 0.004
"""The share of replies that come from nothing in the model: no single reply rules a candidate out."""

PAIRS, FIRST, SECOND = slice(0, 4), slice(4, 6), slice(6, 8)
"""Replies to both questions about a picture, to that whose yes means "same", and to that whose yes means "changed"."""

_NEAR = (0.8, 1.25)
"""Around the border of sharp and weak vision, both verdicts are right."""
_ALIKE, _UNSEEN, _CONTRADICTORY, _CHANGED, _STRONG = 0.1, 0.15, 0.6, 0.8, 2 / 3


CaseKinds = tuple[tuple[bool, bool], ...]
"""Kinds of cases: whether the illusion has a direction, and whether yes to the forward question means "same"."""

GROUPS = (FIRST, SECOND, PAIRS)
_EVENLY = np.where(np.arange(len(SAYS)) < PAIRS.stop, 0.25, 0.5)
SC, CS = SAYS.index("SC"), SAYS.index("CS")


@dataclass(frozen=True)
class Field:
    """Facts of candidates, along the last axis of every array; `places` are those in the table.

    `verdict` and `accepted`, shape (candidates,) and (verdicts, candidates), say which verdicts are right of each, by
    their places in `VERDICTS`: its own, and any that it can hardly be told from. `prior` sums to 1 over the table,
    `sharp` are those with little noise, `by_unit` those of which base items differ, not cases. `log_shares` has shape
    (nodes, candidates), `chances` (contexts, strengths, 8, candidates): the probabilities of replies about a case like
    any other.
    """

    places: Ints
    verdict: Ints
    accepted: Flags
    prior: Floats
    sharp: Flags
    sight: Ints
    by_unit: Flags
    log_shares: Floats
    chances: Floats

    @cached_property
    def entropies(self) -> Floats:
        """The entropy of the reply of each candidate, shape (contexts, strengths, `GROUPS`, candidates)."""
        return np.stack([entropy(self.chances[:, :, replies], 2) for replies in GROUPS], 2)

    def with_prior(self, prior: Floats) -> Field:
        """The facts with another prior."""
        changed = replace(self, prior=prior)
        changed.__dict__["entropies"] = self.entropies
        return changed

    def beside(self, other: Field) -> Field:
        """The facts of these candidates and of others."""
        pairs = {each.name: (getattr(self, each.name), getattr(other, each.name)) for each in fields(self)}
        joined = replace(self, **{name: np.concatenate(both, -1) for name, both in pairs.items()})
        joined.__dict__["entropies"] = np.concatenate([self.entropies, other.entropies], -1)
        return joined

    def only(self, kept: Flags) -> Field:
        """The facts of some candidates."""
        narrowed = replace(self, **{each.name: getattr(self, each.name)[..., kept] for each in fields(self)})
        narrowed.__dict__["entropies"] = self.entropies[..., kept]
        return narrowed


@dataclass(frozen=True)
class ReplyTable:
    """Log probabilities of replies, shape (kinds of cases, contexts, strengths, replies, nodes, candidates).

    Strengths are `alphas`, 0 the first, and `kinds` of cases say whether the illusion has a direction and yes to the
    forward question means "same"; `field` has the facts of `everyone`, `prior` what one candidate of each verdict has.
    """

    alphas: tuple[float, ...]
    kinds: CaseKinds
    everyone: Sequence[CandidateObserver]
    logs: Logs
    field: Field
    prior: Floats


def entropy(chances: Floats, axis: int) -> Floats:
    """The entropy along an axis, in nats."""
    return np.asarray(-(chances * np.log(np.maximum(chances, 1e-300))).sum(axis))


@lru_cache(maxsize=4)
def reply_table(alphas: tuple[float, ...], kinds: CaseKinds) -> ReplyTable:
    """The table of all candidates for strengths, 0 the first, and kinds of cases: (directed, yes means "same")."""
    everyone = candidates()
    logs = reply_logs(everyone, alphas, kinds)
    verdict = np.array([VERDICTS.index(each.verdict) for each in everyone])
    prior = 1 / (len(VERDICTS) * np.bincount(verdict))
    return ReplyTable(alphas, kinds, everyone, logs, field_of(everyone, logs, alphas, prior[verdict]), prior)


def reply_logs(everyone: Sequence[CandidateObserver], alphas: tuple[float, ...], kinds: CaseKinds) -> Logs:
    """Log probabilities of the replies of these candidates, as in a table.

    Given how a picture looks, replies depend on habits alone, which many candidates share.
    """
    logs = np.empty((len(kinds), 2, len(alphas), len(SAYS), NODES, len(everyone)), np.float32)
    design = _design(alphas, kinds)
    told: dict[tuple[Habits, int], Floats] = {}
    for effect, alike_units in dict.fromkeys((each.effect, each.alike) for each in everyone):
        places = [k for k, each in enumerate(everyone) if (each.effect, each.alike) == (effect, alike_units)]
        alike = [everyone[place] for place in places]
        replies = np.stack([_told(each, place, kinds, told) for each, place in zip(alike, places, strict=True)], -1)
        theta = np.concatenate([each.theta for each in alike])
        for kind, (directed, _) in enumerate(kinds):
            case, moved = np.full(len(theta), kind), theta.copy()
            if alike_units and not directed:
                moved[:, SHIFT] = np.concatenate([each.own[:, SHIFT] for each in alike])
            looks = replace(design, directed=design.directed | alike_units)
            same = unchanged_probability(moved, case, looks, effect, NO_HABITS).astype(np.float32)
            seen = same.reshape(len(alike), NODES, 2, len(alphas)).transpose(2, 3, 1, 0)[:, :, None]
            looks_same, looks_changed = replies[kind].transpose(0, 2, 3, 1, 4)[:, :, None]
            chances = looks_changed + seen * (looks_same - looks_changed)
            logs[kind][..., places] = np.log(chances, out=chances)
    return logs


def _told(
    candidate: CandidateObserver,
    place: int,
    kinds: CaseKinds,
    told: dict[tuple[Habits, int], Floats],
) -> Floats:
    """The replies if a picture looks unchanged, and if it looks changed: (kinds, 2, nodes, contexts, replies)."""
    by_node = candidate.effect == "reply"
    key = candidate.habits, place if by_node else -1
    if key not in told:
        theta = candidate.theta if by_node else candidate.theta[:1]
        rows = 2 * len(theta)
        same = np.tile(np.repeat([1.0, 0.0], len(theta))[:, None], (len(kinds), 2))
        case, every = np.repeat(np.arange(len(kinds)), rows), np.tile(theta, (2 * len(kinds), 1))
        chances = reply_chances(same, every, case, _design((0.0,), kinds), candidate.effect, candidate.habits)
        chances = (1 - STRANGE) * chances + STRANGE * _EVENLY
        shape = len(kinds), 2, len(theta), 2, len(SAYS)
        told[key] = np.broadcast_to(chances.reshape(shape), (*shape[:2], NODES, *shape[3:])).astype(np.float32)
    return told[key]


def field_of(everyone: Sequence[CandidateObserver], logs: Logs, alphas: tuple[float, ...], prior: Floats) -> Field:
    """The facts of these candidates."""
    verdict = np.array([VERDICTS.index(each.verdict) for each in everyone])
    shares = np.stack([each.shares for each in everyone], 1)
    noise = np.array([each.noise for each in everyone])
    chances = np.einsum("csrjn,jn->csrn", np.exp(logs[0]), shares)
    return Field(
        places=np.arange(len(everyone)),
        verdict=verdict,
        accepted=_accepted(verdict, noise, chances, np.abs(alphas)),
        prior=prior,
        sharp=noise < SHARP,
        sight=np.array([each.sight for each in everyone]),
        by_unit=np.array([each.by_unit for each in everyone]),
        log_shares=np.log(shares),
        chances=chances,
    )


def _design(alphas: tuple[float, ...], kinds: CaseKinds) -> Design:
    cells = np.tile(np.tile(alphas, 2), (len(kinds), 1))
    directed, forward_first = (np.array([kind[place] for kind in kinds]) for place in (0, 1))
    figure = np.repeat([False, True], len(alphas))
    return Design(cells, np.ones_like(cells), np.zeros_like(cells), figure, directed, forward_first)


def _accepted(verdict: Ints, noise: Floats, chances: Floats, sizes: Floats) -> Flags:
    """Which verdicts are right of each candidate, shape (verdicts, candidates).

    Nothing is lost on figures where controls are not seen, and a shift that makes all figures look changed is not told
    from noise: then changes are lost on figures.
    """
    accepted, place = np.eye(len(VERDICTS), dtype=bool)[:, verdict], {name: k for k, name in enumerate(VERDICTS)}
    own, sharp = np.array(VERDICTS)[verdict], noise < SHARP
    near = (noise > _NEAR[0] * SHARP) & (noise < _NEAR[1] * SHARP)
    changed = np.stack([chances[:, :, half.start + 1] for half in (FIRST, SECOND)])
    gaps = np.abs((changed[:, 0] - changed[:, 1]).mean(0))
    hardly = np.isin(own, (names.LOSS, names.ILLUSION)) & (gaps[1:].mean(0) < _ALIKE) & (gaps[0] < _ALIKE)
    sees = np.isin(own, (names.VERIDICAL, names.WEAK)) | hardly
    accepted[place[names.VERIDICAL], sees & (sharp | near)] = True
    accepted[place[names.WEAK], sees & (~sharp | near)] = True
    follow = changed[:, :, sizes >= _STRONG * sizes.max()].mean(2) - changed[:, :, 0]
    unseen = (np.abs(follow) < _UNSEEN).all((0, 1))
    accepted[place[names.LOSS], (np.abs(follow[:, 0]) < _UNSEEN).all(0)] = False
    everything_changed = changed[:, 1].mean(0).min(0) > _CHANGED
    accepted[place[names.ILLUSION], everything_changed] = False
    accepted[place[names.LOSS], everything_changed & (own == names.ILLUSION)] = True
    accepted[place[names.BLIND], unseen] = True
    contradictory = chances[:, :, (SC, CS)].sum(2).mean(1).min(0) > _CONTRADICTORY
    accepted[place[names.LANGUAGE]] &= contradictory
    accepted[place[names.LANGUAGE], unseen & contradictory] = True
    return accepted
