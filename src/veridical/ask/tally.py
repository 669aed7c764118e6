"""What a start of a run came to, in numbers."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field

from veridical.ask.limits import Spent
from veridical.records import Json, Response


@dataclass(kw_only=True)
class Tally:
    """What asking came to; a trial with K repeats counts K times.

    `planned` is all there is, `kept` had a reply before and were not to be asked again, `unsupported` the model cannot
    be asked at all (`reason`), and `missing`, besides these, have no reply yet: never asked, or ended in an error.
    `asked` attempts ended in this start; `again` of them had ended before, `cached` came from the cache with no
    request, `errors` have no reply. `requests` and the tokens are this start's; `spent` counts every start of the run,
    and `cost` is that in US dollars, where a price is known. `limit` names what was reached, if anything was.
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
        """Counts one attempt that ended, at a trial that had a reply before or not."""
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
        """All of it as a JSON value."""
        return asdict(self)
