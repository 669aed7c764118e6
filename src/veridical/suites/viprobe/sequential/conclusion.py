"""What stands after a round: a verdict and the rule by which it does, or what keeps it back and what would decide."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from veridical.suite.sequential import SequentialStanding
from veridical.suites.viprobe.sequential.bets import BETS, ERROR, Ledger
from veridical.suites.viprobe.sequential.blocks import KINDS
from veridical.suites.viprobe.sequential.case_standing import (
    LOST,
    SEEN,
    CaseStanding,
    case_standings,
    more_questions,
)
from veridical.suites.viprobe.sequential.choice import worth
from veridical.suites.viprobe.sequential.gates import LEAST, LEAST_CASES, Misfit, ReplyTally, hopeless, unreadable
from veridical.suites.viprobe.sequential.posterior import Posterior
from veridical.suites.viprobe.sequential.prior import VERDICTS
from veridical.suites.viprobe.verdicts import names
from veridical.suites.viprobe.verdicts.sentences import SENTENCES, tone

SURE = 0.99
"""The posterior probability from which a verdict stands by the model."""

LEAST_SIGHTS = 1.5
"""The fewest candidates' sights that a verdict may rest on: with one alone, its weight is that of the draw."""

AGAINST = 0.95
"""The rule without a model says nothing if the model holds another verdict for at least as likely."""

BY_MODEL = f"by the model: its probability is at least {SURE:.2f}"
WITHOUT_MODEL = f"without a model: by bets that are wrong in at most {100 * ERROR:.0f} % of runs"
_WIDEST = 2.0
_TO_SHOW_MEMORY = "for memory override: pictures amid clutter (OS, PS) and inducers alone (I), as in a fixed design"


@dataclass(frozen=True, kw_only=True)
class SequentialConclusion:
    """Everything that the standing of a run is concluded from."""

    cases: tuple[str, ...]
    posterior: Posterior
    ledger: Ledger
    misfit: Misfit
    replies: ReplyTally
    asked_by_case: tuple[int, ...]

    def standing(self) -> SequentialStanding:
        """The standing: the gates come first, then the rules."""
        statuses = self.replies.statuses()
        if why := unreadable(statuses):
            return self._without(names.MISSING, why, rule="nothing can be read")
        missing = self.replies.missing()
        if not missing.open and self.replies.asked >= LEAST:
            lacking = "missing: " + "; ".join(str(row) for row in missing.rows if row.missing)
            if why := hopeless(missing):
                return self._without(names.MISSING, why, rule="too many answers are missing")
            return self._without(names.MISSING, lacking)
        if not missing.open or self.replies.asked < LEAST or self._cases_asked < min(LEAST_CASES, len(self.cases)):
            return self._without(names.OPEN, f"{self.replies.asked} questions of at least {LEAST}")
        return self._decided() or self._without(names.OPEN, *self._why_open())

    @property
    def _cases_asked(self) -> int:
        return sum(asked > 0 for asked in self.asked_by_case)

    def _decided(self) -> SequentialStanding | None:
        support = dict(zip(VERDICTS, self.posterior.support.tolist(), strict=True))
        best = max(support, key=lambda name: (support[name], self._weights[name]))
        won = [name for name in BETS if self.ledger.won(name)]
        contradicted = any(names.kind(name) != names.kind(best) and support[name] < 1 - AGAINST for name in won)
        unfounded = best == names.LOSS and not self.ledger.controls_followed
        alone = self.posterior.sights < LEAST_SIGHTS and best != names.BLIND
        if support[best] >= SURE and not (self.misfit.fails or contradicted or unfounded or alone):
            return self._with(best, BY_MODEL, f"probability {support[best]:.3f}")
        for name in won:
            if all(support[other] < AGAINST or support[name] >= AGAINST for other in support if other != name):
                return self._with(name, WITHOUT_MODEL)
        return None

    def _with(self, name: str, rule: str, *evidence: str) -> SequentialStanding:
        needs = (_TO_SHOW_MEMORY,) if name == names.LOSS else ()
        words = (*evidence, *self._measured(), *self._by_state())
        return self._standing(name, rule, words, needs, self._open_cases())

    def _without(self, name: str, *evidence: str, rule: str | None = None) -> SequentialStanding:
        needs = tuple(self._to_decide()) if name == names.OPEN and self.replies.asked else ()
        families = self._open_cases() if self.replies.asked else {}
        return self._standing(name, rule, (*evidence, *self._measured()), needs, families)

    def _standing(
        self, name: str, rule: str | None, evidence: tuple[str, ...], needs: tuple[str, ...], families: dict[str, str]
    ) -> SequentialStanding:
        return SequentialStanding(
            verdict=name,
            rule=rule,
            sentence=SENTENCES[name],
            tone=tone(name),
            evidence=evidence,
            weights=self._weights,
            needs=needs,
            families=families,
        )

    @cached_property
    def _weights(self) -> dict[str, float]:
        return dict(zip(VERDICTS, self.posterior.by_verdict.tolist(), strict=True))

    def _why_open(self) -> Iterator[str]:
        first, second = sorted(self._weights.items(), key=lambda each: -each[1])[:2]
        yield f"{first[0]} {first[1]:.2f}, {second[0]} {second[1]:.2f}"
        if self.misfit.fails:
            yield f"the model misses the replies in the fixed random order (p {self.misfit.p:.1g}): it decides nothing"

    def _measured(self) -> Iterator[str]:
        """What the base items in the fixed random order show, with intervals that hold at every look.

        Nothing while the interval is wider than from nothing lost to everything, in either direction.
        """
        measured = self.ledger.interval("gap")
        if measured is not None and (measured[1].high or 0.0) - (measured[1].low or 0.0) <= _WIDEST:
            value, (low, high), items = measured
            ends = f"[{100 * (low or 0.0):.0f}, {100 * (high or 0.0):.0f}]"
            words = f"changes lost on figures: {100 * value:.0f} {ends} points, {items} base items"
            yield words.replace("-", "−")

    @cached_property
    def _standings(self) -> list[CaseStanding]:
        return case_standings(self.posterior)

    def _by_state(self) -> Iterator[str]:
        """How many cases are in each state; those that are in a rarer one by name."""
        states: dict[str, list[str]] = {}
        for case, standing in zip(self.cases, self._standings, strict=True):
            if standing.decided:
                states.setdefault(standing.state, []).append(case)
        in_order = sorted(states.items(), key=lambda each: -len(each[1]))
        for place, (state, cases) in enumerate(in_order):
            yield f"{state}: {len(cases)} of {len(self.cases)} cases" + (f" ({', '.join(cases)})" if place else "")

    def _open_cases(self) -> dict[str, str]:
        asked = float(np.mean(self.asked_by_case))
        lines = {}
        for case, standing in zip(self.cases, self._standings, strict=True):
            if not standing.decided:
                more = more_questions(standing, self._standings, asked)
                lines[case] = "nothing can be said of it alone" + (f": about {more} more questions" if more else "")
        return lines

    def _to_decide(self) -> Iterator[str]:
        """The questions that are expected to tell most."""
        told = worth(self.posterior)
        strengths = self.posterior.alphas[1:]
        alpha = max(strengths, key=lambda each: max(told.of(kind, each) for kind in KINDS if kind != "signs"))
        yield f"more base items, above all with changes near {abs(alpha):g} α"


__all__ = ["LOST", "SEEN", "SequentialConclusion"]
