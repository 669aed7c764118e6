"""The counts of one start of a run."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field

from veridical.ask.limits import Spent
from veridical.records import Json, Response


@dataclass(kw_only=True)
class Tally:
    """The counts of a start; a trial with K repeats counts K times.

    `planned` counts all, `kept` those that already had a reply and were not asked again, `unsupported` those that the
    model cannot be asked (`reason`), and `missing` the others without a reply: never asked, or ended in an error.
    `asked` attempts ended in this start; of these, `again` were repeated attempts, `cached` came from the cache without
    a request, and `errors` have no reply. `requests` and the tokens are those of this start. `spent` counts every start
    of the run, and `cost` is its cost in US dollars if a price is known. `limit` names the limit that was reached, if
    any.
    """

    planned: int
    kept: int
    missing: int
    unsupported: int = 0
    reason: str | None = None
    asked: int = 0
    again: int = 0
    cached: int = 0
    errors: int = 0
    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    cache_write_tokens: int = 0
    spent: Spent = field(default_factory=Spent)
    cost: float | None = None
    limit: str | None = None
    interrupted: bool = False
    cache_problem: str | None = None

    def add(self, response: Response, *, had_reply: bool) -> None:
        """Counts one attempt that ended; `had_reply` says whether the trial had a reply before."""
        self.asked += 1
        self.again += response.attempt > 1
        self.cached += response.cached
        self.errors += response.error is not None
        self.missing -= (response.error is None) - had_reply
        self.requests += response.requests
        self.input_tokens += response.input_tokens or 0
        self.output_tokens += response.output_tokens or 0
        self.cached_tokens += response.cached_tokens or 0
        self.cache_write_tokens += response.cache_write_tokens or 0

    def facts(self) -> dict[str, Json]:
        """All counts as a JSON value."""
        return asdict(self)
