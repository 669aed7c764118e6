"""What the replies say of the candidates: their weights, those of verdicts, and those of each case on its own."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import scipy
from numpy.typing import NDArray

from veridical.suites.viprobe.sequential.prior import NODES
from veridical.suites.viprobe.sequential.tables import ReplyTable

Floats = NDArray[np.float64]


class Posterior:
    """The candidates given the replies, with the parameters of each case integrated out.

    `weights`, shape (candidates,), sum to 1. `kinds` are the places of the cases' kinds in the table.
    """

    def __init__(self, table: ReplyTable, kinds: Sequence[int]) -> None:
        self.table = table
        self._kinds = tuple(kinds)
        shape = len(kinds), table.log_shares.size
        self._logs = np.broadcast_to(table.log_shares.ravel(), shape).copy()
        self._of_controls = self._logs.copy()
        self._heights = np.zeros((len(kinds), len(table.prior)))
        self.weights = table.prior.copy()

    def learn(self, case: int, context: int, strength: int, says: int) -> None:
        """Takes in a reply; `refresh` makes the weights of it."""
        logs = self.table.logs[self._kinds[case], context, strength, says]
        self._logs[case] += logs
        if context == 0:
            self._of_controls[case] += logs

    def refresh(self, cases: Sequence[int]) -> None:
        """The weights anew, after replies about these cases."""
        places = list(cases)
        self._heights[places] = _by_candidate(self._logs[places])
        self.weights = scipy.special.softmax(np.log(self.table.prior) + self._heights.sum(0))

    @property
    def support(self) -> Floats:
        """The weight of the candidates of which each verdict is right, shape (verdicts,); these overlap."""
        return np.asarray(self.weights @ self.table.accepted)

    @property
    def by_verdict(self) -> Floats:
        """The weight of each verdict's own candidates; they sum to 1."""
        return np.asarray(np.bincount(self.table.verdict, self.weights, len(self.table.verdicts)), np.float64)

    def from_controls(self) -> Floats:
        """The weights of candidates by the replies about controls alone."""
        return np.asarray(scipy.special.softmax(np.log(self.table.prior) + _by_candidate(self._of_controls).sum(0)))

    def nodes_of(self, case: int) -> Floats:
        """The log-likelihood of a case's replies with the parameters of each node, shape (candidates, nodes)."""
        return np.asarray(self._logs[case].reshape(-1, NODES) - self.table.log_shares)


def _by_candidate(logs: Floats) -> Floats:
    """The log-likelihood of each case by candidate: the log of the sum over nodes."""
    by_node = logs.reshape(len(logs), -1, NODES)
    top = by_node.max(2)
    return np.asarray(top + np.log(np.exp(by_node - top[..., None]).sum(2)))
