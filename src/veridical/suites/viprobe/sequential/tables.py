"""How likely each candidate gives each reply to each kind of question, by the likelihood of the verdicts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from veridical.suites.viprobe.sequential.prior import NODES, SHARP, Candidate, candidates
from veridical.suites.viprobe.verdicts import names
from veridical.suites.viprobe.verdicts.counts import SAYS
from veridical.suites.viprobe.verdicts.model import Design, reply_chances, unchanged_probability

Floats = NDArray[np.float64]
Logs = NDArray[np.float32]
Flags = NDArray[np.bool_]

CONTEXTS = ("control", "figure")
STRANGE = 0.004
"""The share of replies that come from nothing in the model: no single reply rules a candidate out."""

PAIRS, FIRST, SECOND = slice(0, 4), slice(4, 6), slice(6, 8)
"""Replies to both questions about a picture, to that whose yes means "same", and to that whose yes means "changed"."""

_NEAR = (0.8, 1.25)
"""Around the border of sharp and weak vision, both verdicts are right."""
_ALIKE, _UNSEEN, _CONTRADICTORY, _STRONG = 0.1, 0.15, 0.6, 2 / 3


GROUPS = (FIRST, SECOND, PAIRS)
SC, CS = SAYS.index("SC"), SAYS.index("CS")


@dataclass(frozen=True)
class ReplyTable:
    """Log probabilities of replies, and which verdicts are right of a candidate.

    `logs` has shape (kinds of cases, contexts, strengths, replies, candidates x nodes), `log_shares` (candidates,
    nodes), `verdict` and `accepted`, shape (candidates,) and (candidates, verdicts), the places of verdicts in
    `verdicts`; `prior` sums to 1. Strengths are `alphas`, 0 the first.
    """

    alphas: tuple[float, ...]
    kinds: tuple[tuple[bool, bool], ...]
    verdicts: tuple[str, ...]
    logs: Logs
    log_shares: Floats
    verdict: NDArray[np.int64]
    accepted: Flags
    prior: Floats

    @cached_property
    def entropies(self) -> Floats:
        """The entropy of the reply of each candidate, shape (contexts, strengths, `GROUPS`, candidates)."""
        return np.stack([entropy(self.chances[:, :, replies], 2) for replies in GROUPS], 2)

    @cached_property
    def chances(self) -> Floats:
        """Probabilities of replies about a case that is like any other, shape (contexts, strengths, 8, candidates)."""
        shares = np.exp(self.log_shares)
        by_node = np.exp(self.logs[0]).reshape(*self.logs.shape[1:4], *shares.shape)
        return np.asarray(np.einsum("...nj,nj->...n", by_node, shares))


def entropy(chances: Floats, axis: int) -> Floats:
    """The entropy along an axis, in nats."""
    return np.asarray(-(chances * np.log(np.maximum(chances, 1e-300))).sum(axis))


@lru_cache(maxsize=4)
def reply_table(alphas: tuple[float, ...], kinds: tuple[tuple[bool, bool], ...]) -> ReplyTable:
    """The table of all candidates for strengths, 0 the first, and kinds of cases: (directed, yes means "same")."""
    by_verdict = candidates()
    verdicts = tuple(by_verdict)
    everyone = [(place, each) for place, name in enumerate(verdicts) for each in by_verdict[name]]
    logs = np.empty((len(kinds), 2, len(alphas), len(SAYS), len(everyone), NODES), np.float32)
    design = _design(alphas, kinds)
    for row, (_, candidate) in enumerate(everyone):
        logs[..., row, :] = _logs(candidate, design, len(kinds), len(alphas))
    verdict = np.array([place for place, _ in everyone])
    shares = np.log(np.stack([each.shares for _, each in everyone]))
    prior = 1 / (len(verdicts) * np.bincount(verdict)[verdict])
    flat = logs.reshape(*logs.shape[:4], -1)
    own = np.eye(len(verdicts), dtype=bool)[verdict]
    table = ReplyTable(alphas, kinds, verdicts, flat, shares, verdict, own, prior)
    return replace(table, accepted=_accepted(table, np.array([each.noise for _, each in everyone])))


def _design(alphas: tuple[float, ...], kinds: tuple[tuple[bool, bool], ...]) -> Design:
    cells = np.tile(np.tile(alphas, 2), (len(kinds), 1))
    directed, forward_first = (np.array([kind[place] for kind in kinds]) for place in (0, 1))
    figure = np.repeat([False, True], len(alphas))
    return Design(cells, np.ones_like(cells), np.zeros_like(cells), figure, directed, forward_first)


def _logs(candidate: Candidate, design: Design, kinds: int, strengths: int) -> Floats:
    """Log probabilities of the replies of a candidate, shape (kinds, contexts, strengths, replies, nodes)."""
    theta, case = np.tile(candidate.theta, (kinds, 1)), np.repeat(np.arange(kinds), NODES)
    effect = candidate.effect
    same = unchanged_probability(theta, case, design, effect, candidate.habits)
    chances = reply_chances(same, theta, case, design, effect, candidate.habits)
    chances[..., PAIRS] = (1 - STRANGE) * chances[..., PAIRS] + STRANGE / 4
    chances[..., 4:] = (1 - STRANGE) * chances[..., 4:] + STRANGE / 2
    logs = np.log(chances).reshape(kinds, NODES, 2, strengths, len(SAYS))
    return np.asarray(np.moveaxis(logs, 1, -1))


def _accepted(table: ReplyTable, noise: Floats) -> Flags:
    """Which verdicts are right of each candidate: its own, and others where it can hardly be told from theirs."""
    accepted, place = table.accepted.copy(), {name: k for k, name in enumerate(table.verdicts)}
    own = np.array(table.verdicts)[table.verdict]
    sharp = noise < SHARP
    seeing = np.isin(own, (names.VERIDICAL, names.WEAK))
    near = (noise > _NEAR[0] * SHARP) & (noise < _NEAR[1] * SHARP)
    accepted[seeing & near] |= np.isin(table.verdicts, (names.VERIDICAL, names.WEAK))
    changed = _changed(table)
    alphas = np.abs(table.alphas)
    strong = alphas >= _STRONG * alphas.max()
    follow = changed[:, :, strong].mean(2) - changed[:, :, 0]
    lost = np.abs((changed[:, 0] - changed[:, 1]).mean(0)).max(0)
    hardly = (own == names.LOSS) & (lost < _ALIKE)
    accepted[hardly & sharp, place[names.VERIDICAL]] = True
    accepted[hardly & ~sharp, place[names.WEAK]] = True
    unseen = (np.abs(follow) < _UNSEEN).all((0, 1))
    accepted[unseen, place[names.BLIND]] = True
    contradictory = table.chances[:, :, (SC, CS)].sum(2).min((0, 1)) > _CONTRADICTORY
    accepted[unseen & contradictory, place[names.LANGUAGE]] = True
    return accepted


def _changed(table: ReplyTable) -> Floats:
    """The share of answers "changed" to either question, shape (questions, contexts, strengths, candidates)."""
    return np.stack([table.chances[:, :, half.start + 1] for half in (FIRST, SECOND)])
