"""How many requests are in flight: a stated number, or one that a ramp chooses by questions per second."""

from __future__ import annotations

from veridical.ask.failures import Kind

STEPS = (8, 16, 32, 64)
"""The numbers of connections that a ramp tries, in order."""

_MOST = 512
"""The largest number that a ramp tries: an open file each, of which systems usually allow a process 1,024."""

_RISE = 1.1
"""By how much questions per second must rise for a still larger number to be tried."""

_KNEE = 1.15
"""By how much the best rate may exceed that of a smaller number which is kept; a run's first rate is a little low."""

_ROUNDS = 2
"""How many requests per connection are measured at each number, after one per connection that is not."""

_OVERLOAD: frozenset[Kind] = frozenset({"rate_limit", "timeout", "connection", "server"})


def steps_of(servers: int) -> tuple[int, ...]:
    """The numbers of connections that a ramp tries with so many servers, in order.

    >>> steps_of(1), steps_of(4), steps_of(20)
    ((8, 16, 32, 64), (32, 64, 128, 256), (160, 320, 512))
    """
    return tuple(dict.fromkeys(min(step * servers, _MOST) for step in STEPS))


class ConnectionRamp:
    """The number of `connections` that may be in use, by what requests took: 8, 16, 32, 64 while that pays.

    At each number the first request of each connection is not measured, since the server's queue is not yet what it
    will be; of the next two per connection, questions per second are the connections over the mean time of a question.
    (With that many always in use this is the throughput, and unlike a count in a time it is exact where replies come
    in bursts.) Where the rate is not at least 10 % above that of the number before, the ramp goes back to the smallest
    number whose rate was within 15 % of the best, and is `settled`. A failure that may be an overload ends it too, one
    number lower; a refusal for too many requests lowers the number later on as well, never below 8, and not again
    before two requests per connection have ended well.

    With several servers all numbers are as many times that (`steps_of`), over all of them together. A ramp begins at
    the largest number up to `start`. With `stated`, the number is that and stays.

    >>> ramp = ConnectionRamp()
    >>> for _ in range(3 * 8): ramp.ended(8, seconds=0.2)
    >>> ramp.connections, ramp.settled
    (16, False)
    >>> for _ in range(3 * 16): ramp.ended(16, seconds=0.4)
    >>> ramp.connections, ramp.settled
    (8, True)
    """

    def __init__(self, start: int = STEPS[0], *, stated: int | None = None, servers: int = 1) -> None:
        self._steps = steps_of(servers) if stated is None else (stated,)
        self._step = max([place for place, number in enumerate(self._steps) if number <= start], default=0)
        self.settled = stated is not None
        self._rates: dict[int, float] = {}
        self._times: list[float] = []
        self._well = 0

    @property
    def connections(self) -> int:
        """How many may be in use now."""
        return self._steps[self._step]

    @property
    def most(self) -> int:
        """How many may come to be in use."""
        return self._steps[-1]

    def ended(self, begun_at: int, *, seconds: float) -> None:
        """Counts a question that was answered in this time; `begun_at` is the number of connections at its beginning.

        Call it only while more work waits than connections are in use: the rate is that of all of them together.
        """
        self._well += 1
        if self.settled or begun_at != self.connections:
            return
        self._times.append(seconds)
        if len(self._times) == (1 + _ROUNDS) * self.connections:
            self._decide(
                self.connections * _ROUNDS * self.connections / max(sum(self._times[self.connections :]), 1e-9)
            )

    def failed(self, kind: Kind) -> None:
        """Counts a request that failed, whether it is sent again or not."""
        if not self.settled and kind in _OVERLOAD:
            self.settled = True
        elif kind != "rate_limit" or self._well < _ROUNDS * self.connections:
            return
        self._step, self._well = max(0, self._step - 1), 0

    def _decide(self, rate: float) -> None:
        self._times = []
        before = self._rates.get(self._step - 1)
        self._rates[self._step] = rate
        if before is not None and rate <= _RISE * before:
            best = max(self._rates.values())
            self._step, self.settled = min(step for step, each in self._rates.items() if _KNEE * each >= best), True
        elif self.connections == self.most:
            self.settled = True
        else:
            self._step += 1
