"""The counts of a start of a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field

from veridical.ask.limits import Gate, TokenUse
from veridical.ask.pending_trials import PendingTrial
from veridical.records import TOKENS, Json, Response


@dataclass(kw_only=True)
class Tally:
    """The counts of a start; a trial with K repeats counts K times.

    `planned` counts all, `kept` those that already had a reply and were not asked again, `unsupported` those that the
    model cannot be asked (`reason`), and `missing` the others without a reply: never asked, or ended in an error.
    `connections` is the number of stimuli that were asked about at a time in the end.
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
    spent: TokenUse = field(default_factory=TokenUse)
    cost: float | None = None
    connections: int | None = None
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
        for name in TOKENS:
            setattr(self, name, getattr(self, name) + (getattr(response, name) or 0))

    def facts(self) -> dict[str, Json]:
        """All counts as a JSON value."""
        return asdict(self)


def tally_before(planned: int, able: int, todo: Sequence[PendingTrial], gate: Gate, problem: str | None) -> Tally:
    """The tally before anything is asked; `able` of the `planned` items can be asked."""
    return Tally(
        planned=planned,
        kept=able - len(todo),
        missing=sum(not item.had_reply for item in todo),
        unsupported=planned - able,
        reason=problem if able < planned else None,
        spent=gate.spent,
    )
