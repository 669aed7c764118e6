"""Training steps, batch size and learning rate."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Plan:
    """Shared steps, steps on the arm's own diet, batch size, peak learning rate and warm-up; the same for all arms and
    seeds.
    """

    first: int = 2500
    then: int = 3000
    batch: int = 128
    rate: float = 2e-3
    warm_up: int = 200

    def rate_at(self, step: int) -> float:
        """The learning rate of a step: warm-up, constant during the shared steps, then linear decay to 0.

        >>> plan = Plan(first=100, then=100, rate=1.0, warm_up=10)
        >>> plan.rate_at(0), plan.rate_at(50), plan.rate_at(150)
        (0.1, 1.0, 0.5)
        """
        falling = min(1.0, (self.first + self.then - step) / self.then)
        return self.rate * min(1.0, (step + 1) / self.warm_up) * falling


PLAN = Plan()
