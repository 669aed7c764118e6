"""What the replies say of the candidates: their weights, those of verdicts, and those of each case on its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from veridical.suites.viprobe.sequential.prior import LOST_NODES, VERDICTS, CandidateObserver, descendants
from veridical.suites.viprobe.sequential.tables import Field, Logs, ReplyTable, field_of, reply_logs
from veridical.suites.viprobe.verdicts import names

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Ints = NDArray[np.int64]
Reply = tuple[int, int, int]
"""Context, strength and what is said, by their places in the table."""


_FORGOTTEN = 16.0
"""Candidates whose log weight is so far below the best's are left out, unless controls alone would keep them."""
_FORGOTTEN_BY_CONTROLS = 8.0
_WORTH_IT = 0.8

_FEW_SIGHTS, _CHILDREN, _MOST_REFINED = 8.0, 40, 12
"""With fewer sights left, so many new ones are drawn, at most so often."""
_TEMPER, _SOME, _SEED = 0.5, 0.01, 47


class _Part(NamedTuple):
    """Candidates that were drawn together, the log probabilities of their replies, and the places of those kept."""

    everyone: Sequence[CandidateObserver]
    logs: Logs
    places: Ints


class Posterior:
    """The candidates given the replies, with the parameters of each case integrated out.

    `weights`, shape (candidates,), sum to 1. `kinds` are the places of the cases' kinds in the table. Where only a few
    sights are left, new ones are drawn near them, which share what these had beforehand.
    """

    def __init__(self, table: ReplyTable, kinds: Sequence[int]) -> None:
        self.alphas, self.field = table.alphas, table.field
        self._table, self._kinds = table, tuple(kinds)
        self._parts = [_Part(table.everyone, table.logs, self.field.places)]
        self._logs = self._fresh(self.field)
        self._of_controls = self._logs.copy()
        self._heights = np.zeros((len(kinds), len(self.field.prior)))
        self._heights_of_controls = self._heights.copy()
        self.weights = self.field.prior.copy()
        self._learned: list[tuple[int, Sequence[Reply]]] = []
        self._refined = 0

    def _fresh(self, field: Field) -> Logs:
        shape = len(self._kinds), *field.log_shares.shape
        return np.broadcast_to(field.log_shares, shape).astype(np.float32)

    def learn(self, case: int, replies: Sequence[Reply]) -> None:
        """Takes in the replies about one base item; `refresh` makes the weights of them."""
        self._learned.append((case, replies))
        for logs, contexts in ((self._logs, (0, 1)), (self._of_controls, (0,))):
            rows = [(self._kinds[case], *each) for each in replies if each[0] in contexts]
            if rows:
                items = [_item(part, rows) for part in self._parts]
                logs[case] += _as_units(np.concatenate(items, 1), self.field)

    def refresh(self, cases: Sequence[int]) -> None:
        """The weights anew, after replies about these cases."""
        self._weigh(cases)
        if self._refined < _MOST_REFINED and self.sights < _FEW_SIGHTS:
            self._refine()
            self._weigh(range(len(self._kinds)))

    def _weigh(self, cases: Iterable[int]) -> None:
        for case in cases:
            self._heights[case] = log_sum(self._logs[case])
            self._heights_of_controls[case] = log_sum(self._of_controls[case])
        heights = np.log(self.field.prior) + self._heights.sum(0)
        self.weights = scipy.special.softmax(heights)
        of_controls = self.of_controls
        best = np.array([of_controls[self.field.verdict == k].max(initial=-np.inf) for k in range(len(VERDICTS))])
        kept = heights > heights.max() - _FORGOTTEN
        kept |= of_controls > best[self.field.verdict] - _FORGOTTEN_BY_CONTROLS
        if kept.mean() < _WORTH_IT:
            self._keep(kept)

    def _keep(self, kept: Flags) -> None:
        ends = np.cumsum([len(part.places) for part in self._parts])
        pieces = zip(self._parts, np.split(kept, ends[:-1]), strict=True)
        self._parts = [part._replace(places=part.places[piece]) for part, piece in pieces]
        self.field = self.field.only(kept)
        self._logs, self._of_controls = self._logs[..., kept], self._of_controls[..., kept]
        self._heights, self._heights_of_controls = self._heights[..., kept], self._heights_of_controls[..., kept]
        self.weights = self.weights[kept] / self.weights[kept].sum()

    @property
    def sights(self) -> float:
        """How many sights share the weight: the inverse of the sum of their squared weights."""
        _, sight = np.unique(self.field.sight, return_inverse=True)
        return float(1 / (np.bincount(sight, self.weights) ** 2).sum())

    def _refine(self) -> None:
        """Draws new sights near those left; each and its children share the prior that it had."""
        self._refined += 1
        rng = np.random.default_rng([_SEED, self._refined])
        everyone = [part.everyone[place] for part in self._parts for place in part.places]
        seeing = self.field.verdict != VERDICTS.index(names.BLIND)
        if not (self.weights * seeing).sum() > _SOME:
            return
        tempered = np.where(seeing, self.weights, 0.0) ** _TEMPER
        parents = rng.choice(len(everyone), _CHILDREN, p=tempered / tempered.sum())
        latest = max(self.field.sight)
        born = [descendants(everyone[place], latest + k, rng) for k, place in enumerate(parents, 1)]
        share = self._shared(self.field.sight[parents])
        children = [each for litter in born for each in litter]
        shares = np.repeat([share[self.field.sight[place]] for place in parents], [len(litter) for litter in born])
        prior = self._table.prior[[VERDICTS.index(each.verdict) for each in children]] * shares
        logs = reply_logs(children, self.alphas, self._table.kinds)
        self._add(_Part(children, logs, np.arange(len(children))), field_of(children, logs, self.alphas, prior))

    def _shared(self, parents: Ints) -> dict[int, float]:
        """What of its prior each sight with children, and each of these, now has; that of the sights is set to it."""
        share, prior = {}, self.field.prior.copy()
        for sight, many in zip(*np.unique(parents, return_counts=True), strict=True):
            own = self.field.sight == sight
            place = int(np.flatnonzero(own)[0])
            left = float(self.field.prior[place] / self._table.prior[self.field.verdict[place]])
            share[int(sight)] = left / (many + 1)
            prior[own] = self._table.prior[self.field.verdict[own]] * share[int(sight)]
        self.field = self.field.with_prior(prior)
        return share

    def _add(self, part: _Part, field: Field) -> None:
        logs = self._fresh(field)
        of_controls = logs.copy()
        for case, replies in self._learned:
            for whole, contexts in ((logs, (0, 1)), (of_controls, (0,))):
                rows = [(self._kinds[case], *each) for each in replies if each[0] in contexts]
                if rows:
                    whole[case] += _as_units(_item(part, rows), field)
        self._parts.append(part)
        self.field = self.field.beside(field)
        self._logs = np.concatenate([self._logs, logs], -1)
        self._of_controls = np.concatenate([self._of_controls, of_controls], -1)
        more = np.zeros((len(self._kinds), len(field.prior)))
        self._heights = np.concatenate([self._heights, more], -1)
        self._heights_of_controls = np.concatenate([self._heights_of_controls, more], -1)

    @property
    def of_controls(self) -> Floats:
        """The log weight of each candidate by the replies about controls alone, without its constant."""
        return np.asarray(np.log(self.field.prior) + self._heights_of_controls.sum(0))

    @property
    def support(self) -> Floats:
        """The weight of the candidates of which each verdict is right, shape (verdicts,); these overlap.

        Mixed observers count with those that lose none of the cases, or all, as far as that is so of these cases.
        """
        support = self.field.accepted @ self.weights
        mixed = self.field.verdict == VERDICTS.index(names.MIXED)
        none, every = self._of_one_kind(mixed) * self.weights[mixed]
        sharp = self.field.sharp[mixed]
        for name, share in ((names.VERIDICAL, none[sharp]), (names.WEAK, none[~sharp]), (names.LOSS, every)):
            support[VERDICTS.index(name)] += share.sum()
        return np.asarray(support)

    def _of_one_kind(self, mixed: Flags) -> Floats:
        """The probability that a mixed observer lost none of the cases, and all; shape (2, mixed candidates)."""
        shares = np.exp(self._logs[..., mixed] - self._heights[:, None, mixed])
        return np.stack([np.prod(shares[:, places].sum(1), 0) for places in (~LOST_NODES, LOST_NODES)])

    @property
    def by_verdict(self) -> Floats:
        """The weight of each verdict's own candidates; they sum to 1."""
        return np.asarray(np.bincount(self.field.verdict, self.weights, len(VERDICTS)), np.float64)

    def by_state(self, chosen: Flags, nodes: Flags) -> Floats:
        """The log-likelihood of each case with the parameters of some nodes alone, shape (cases, chosen candidates)."""
        shares = self.field.log_shares[nodes][:, chosen]
        return np.asarray(log_sum(self._logs[:, nodes][..., chosen], 1) - log_sum(shares))


def _item(part: _Part, rows: Sequence[tuple[int, ...]]) -> Logs:
    """The log-likelihood of the replies about a base item by node, shape (nodes, candidates kept)."""
    item = np.asarray(np.sum([part.logs[row] for row in rows], 0))
    return item if item.shape[1] == len(part.places) else item[:, part.places]


def _as_units(item: Logs, field: Field) -> Logs:
    """The same at all nodes where nodes are base items, not cases."""
    units = field.by_unit
    item[:, units] = log_sum(item[:, units] + field.log_shares[:, units])
    return item


def log_sum(logs: NDArray[np.floating[Any]], axis: int = 0) -> Floats:
    """The log of a sum of exponentials along an axis."""
    top = logs.max(axis, keepdims=True)
    return np.asarray(top.squeeze(axis) + np.log(np.exp(logs - top).sum(axis)), np.float64)
