"""The servers of one model: a stimulus goes to the one with the fewest requests in flight, and stays there.

A server that keeps failing is passed over and tried again after growing pauses, one request at a time; what it was
asked is asked elsewhere. Only when none is left is asking stopped.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Set
from dataclasses import dataclass
from time import monotonic
from typing import Literal

from veridical.ask.clients import Client, ReplyOrFailure
from veridical.ask.clients.server_group import ClientGroup
from veridical.ask.failures import Failure, Kind
from veridical.ask.policy import Policy, pause
from veridical.ask.redact import Redact, clean_endpoint
from veridical.ask.stop import STOP_AFTER, Breaker, failure_text
from veridical.records import Trial

_AWAY: frozenset[Kind] = frozenset({"timeout", "connection", "server"})
"""Failures by which a server may show that it is away or out of order, whatever it is asked."""

_WRONG: Mapping[Kind, str] = {"auth": "it refuses the key", "not_found": "the model is not there"}
"""Failures that last, by what they mean."""

_SHORTEST_WAIT = 0.01

NOT_SENT = Failure(kind="connection", detail="no server was left to ask")

State = Literal["used", "passed over", "left out"]


@dataclass(eq=False)
class Server:
    """One server: what is in flight there, whether it is used, and since when it may be asked again.

    `last` is its latest failure in words, `probes` counts those in a row since it is passed over, `refusals` those for
    too many requests. `number` is its place in the list of servers; `None` where there is no list.
    """

    client: Client
    breaker: Breaker
    number: int | None
    state: State = "used"
    in_flight: int = 0
    sent: int = 0
    answered: bool = False
    probes: int = 0
    refusals: int = 0
    free_at: float = 0.0
    last: str = ""

    @property
    def address(self) -> str:
        """The address without secrets."""
        return clean_endpoint(self.client.endpoint) if self.client.endpoint else self.client.name

    @property
    def title(self) -> str:
        """What it is called in a line of its own."""
        return f"the server {self.address}" if self.client.endpoint else self.address

    def usable(self, now: float) -> bool:
        """Whether any request may be sent there now."""
        return self.state == "used" and self.free_at <= now

    def due(self, now: float) -> bool:
        """Whether it is passed over, and one request may be sent to see whether it answers again."""
        return self.state == "passed over" and self.free_at <= now and not self.in_flight


class ServerPool:
    """The servers of a model while it is asked; a model with one server, or none of its own, is a pool of one.

    `wait` returns after its seconds whether asking goes on, `stop` ends asking for a reason, and `tell` shows a line.
    """

    def __init__(
        self,
        model: Client,
        policy: Policy,
        redact: Redact,
        wait: Callable[[float], Awaitable[bool]],
        *,
        stop: Callable[[str], None],
        tell: Callable[[str], None],
    ) -> None:
        clients = model.clients if isinstance(model, ClientGroup) else (model,)
        limits: dict[str, int] = {kind: policy.stop_after.get(kind) or number for kind, number in STOP_AFTER.items()}
        limits["timeout"] = policy.stop_after.get("timeout") or limits["server"]
        if isinstance(model, ClientGroup):
            limits = {**limits, **model.lost_after}
        self.several = len(clients) > 1
        self._servers = [
            Server(client, Breaker(limits, redact), number if self.several else None)
            for number, client in enumerate(clients)
        ]
        self._policy, self._redact, self._wait, self._stop, self._tell = policy, redact, wait, stop, tell
        self._by_stimulus: dict[str, Server] = {}

    async def take(self, stimulus: str, failed: Set[Server]) -> Server | None:
        """The server for the next request on a stimulus, counted as in flight until `ended`.

        One that is not among those that `failed` this attempt comes first. It waits while none can be asked, and is
        `None` if asking stopped meanwhile.
        """
        while True:
            server = self._choice(stimulus, failed) or self._choice(stimulus, frozenset())
            if server is not None:
                self._by_stimulus[stimulus] = server
                server.in_flight += 1
                server.sent += 1
                return server
            left = min((each.free_at for each in self._left()), default=0.0) - monotonic()
            if not await self._wait(max(_SHORTEST_WAIT, min(left, self._policy.backoff))):
                return None

    def ended(self, server: Server, result: ReplyOrFailure, trial: Trial) -> None:
        """Counts the end of a request: the server may be passed over, left out, or used again from now on."""
        server.in_flight -= 1
        if not self.several:
            return
        failure = result if isinstance(result, Failure) else None
        full = server.breaker.add(failure, trial)
        if failure is None:
            server.answered, server.refusals = True, 0
            self._use_again(server)
            return
        server.last = failure_text(failure, trial, self._redact)
        if failure.kind in _AWAY:
            self._failed(server, full)
        elif failure.kind == "rate_limit":
            self._use_again(server)
            server.refusals += 1
            server.free_at = monotonic() + pause(server.refusals, self._policy.backoff, failure.retry_after)
        elif failure.kind in _WRONG and (full or not server.answered):
            self._leave_out(server, failure.kind)
        if all(each.state != "used" and each.probes >= self._policy.max_requests - 1 for each in self._left()):
            self._stop(f"no server is left: {self.failures()}")

    def elsewhere(self, server: Server, failure: Failure, failed: set[Server]) -> bool:
        """Whether a request that failed at a server, which joins `failed`, is to be sent to another one at once."""
        failed.add(server)
        if not self.several:
            return False
        if server.state == "left out":
            return True
        now = monotonic()
        return failure.again and any(each.usable(now) for each in self._servers if each not in failed)

    def failures(self) -> str:
        """The latest failure of each server, in words."""
        return "; ".join(f"{each.address}: {each.last or 'not asked'}" for each in self._servers)

    def retry_after(self, failure: Failure) -> float:
        """How many seconds the next request must wait; that to other servers need not."""
        return 0.0 if self.several else failure.retry_after

    def _left(self) -> list[Server]:
        return [each for each in self._servers if each.state != "left out"]

    def _choice(self, stimulus: str, failed: Set[Server]) -> Server | None:
        if not self.several:
            return self._servers[0]
        now = monotonic()
        usable = [each for each in self._servers if each not in failed and each.usable(now)]
        home = self._by_stimulus.get(stimulus)
        if home in usable:
            return home
        # What has a server already, whose cache may know the stimulus, is not used to see whether another is back.
        if home is None or not usable:
            due = next((each for each in self._servers if each not in failed and each.due(now)), None)
            if due is not None:
                return due
        return min(usable, key=lambda each: (each.in_flight, each.sent), default=None)

    def _use_again(self, server: Server) -> None:
        if server.state == "passed over":
            server.state, server.probes, server.free_at = "used", 0, 0.0
            self._tell(f"{server.title} answers again")

    def _failed(self, server: Server, full: str | None) -> None:
        now = monotonic()
        if server.state == "used" and full:
            server.state, server.probes = "passed over", 0
            server.free_at = now + pause(1, self._policy.backoff, 0.0)
            self._tell(f"{server.title} is passed over, and tried again later: {full}")
        elif server.state == "passed over" and server.free_at <= now:
            server.probes += 1
            server.free_at = now + pause(server.probes + 1, self._policy.backoff, 0.0)

    def _leave_out(self, server: Server, kind: Kind) -> None:
        """Leaves a server out for good, unless it is the last; the first request or the breaker then ends the run."""
        if server.state != "left out" and len(self._left()) > 1:
            server.state = "left out"
            self._tell(f"{server.title} is left out: {_WRONG[kind]} ({server.last})")
