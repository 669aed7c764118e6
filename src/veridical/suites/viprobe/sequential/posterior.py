"""What the replies say of the candidates: their weights, those of verdicts, and those of each case on its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from veridical.suites.viprobe.sequential.prior import LOST_NODES, VERDICTS
from veridical.suites.viprobe.sequential.tables import Logs, ReplyTable
from veridical.suites.viprobe.verdicts import names

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Reply = tuple[int, int, int]
"""Context, strength and what is said, by their places in the table."""


_FORGOTTEN = 16.0
"""Candidates whose log weight is so far below the best's are left out, unless controls alone would keep them."""
_FORGOTTEN_BY_CONTROLS = 8.0
_WORTH_IT = 0.8


class Posterior:
    """The candidates given the replies, with the parameters of each case integrated out.

    `weights`, shape (candidates,), sum to 1. `kinds` are the places of the cases' kinds in the table.
    """

    def __init__(self, table: ReplyTable, kinds: Sequence[int]) -> None:
        self.alphas, self.field = table.alphas, table.field
        self._table, self._kinds = table, tuple(kinds)
        shape = len(kinds), *self.field.log_shares.shape
        self._logs = np.broadcast_to(self.field.log_shares, shape).astype(np.float32)
        self._heights = np.zeros((len(kinds), shape[-1]))
        self._of_controls, self._heights_of_controls = self._logs.copy(), self._heights.copy()
        self.weights = self.field.prior.copy()

    def learn(self, case: int, replies: Sequence[Reply]) -> None:
        """Takes in the replies about one base item; `refresh` makes the weights of them."""
        for logs, contexts in ((self._logs, (0, 1)), (self._of_controls, (0,))):
            rows = [self._table.logs[(self._kinds[case], *each)] for each in replies if each[0] in contexts]
            if rows:
                item = np.sum(rows, 0)
                logs[case] += self._as_units(item if item.shape[1] == len(self.weights) else item[:, self.field.places])

    def _as_units(self, item: Logs) -> Logs:
        """The log-likelihood of a base item by node; the same at all nodes where nodes are base items."""
        units = self.field.by_unit
        item[:, units] = log_sum(item[:, units] + self.field.log_shares[:, units])
        return item

    def refresh(self, cases: Sequence[int]) -> None:
        """The weights anew, after replies about these cases."""
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
        self.field = self.field.only(kept)
        self._logs, self._of_controls = self._logs[..., kept], self._of_controls[..., kept]
        self._heights, self._heights_of_controls = self._heights[..., kept], self._heights_of_controls[..., kept]
        self.weights = self.weights[kept] / self.weights[kept].sum()

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


def log_sum(logs: NDArray[np.floating[Any]], axis: int = 0) -> Floats:
    """The log of a sum of exponentials along an axis."""
    top = logs.max(axis, keepdims=True)
    return np.asarray(top.squeeze(axis) + np.log(np.exp(logs - top).sum(axis)), np.float64)
