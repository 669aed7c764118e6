"""How long and how fast networks are taught."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Plan:
    """Steps that several arms share, steps on the arm's own diet, pictures a step, the peak rate and the way up to it.

    The same for every arm and seed.
    """

    first: int = 2500
    then: int = 3000
    batch: int = 128
    rate: float = 2e-3
    warm_up: int = 200

    def rate_at(self, step: int) -> float:
        """The rate of a step: up to its peak, kept while steps are shared, then down to 0 in a straight line.

        >>> plan = Plan(first=100, then=100, rate=1.0, warm_up=10)
        >>> plan.rate_at(0), plan.rate_at(50), plan.rate_at(150)
        (0.1, 1.0, 0.5)
        """
        falling = min(1.0, (self.first + self.then - step) / self.then)
        return self.rate * min(1.0, (step + 1) / self.warm_up) * falling


PLAN = Plan()
