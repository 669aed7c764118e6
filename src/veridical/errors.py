"""The two ways in which a command ends badly (the input was wrong, or the work is not complete), and a warning."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class InputError(Exception):
    """Something a user can put right: one line that names the thing, the value, and what is allowed (exit code 2)."""


class IncompleteError(Exception):
    """A run that ended with trials unasked or in error: one line with the counts (exit code 1)."""


class UnansweredWarning(UserWarning):
    """A run of which more than 5 % of the replies have no answer: share, reasons, and samples."""


def unknown(kind: str, name: str, accepted: Iterable[str], listing: str | None = None) -> InputError:
    """The error for a name that is not in a registry, with the nearest one that is; each accepted name stands once.

    Where a command lists the names, their number and the `listing` command stand in their place.

    >>> str(unknown("case", "zolner", ["zollner", "muller_lyer", "zollner"]))
    "unknown case 'zolner': did you mean 'zollner'? known: muller_lyer, zollner"
    >>> str(unknown("metric", "PFAA", ["PFA", "TFI"]))
    "unknown metric 'PFAA': did you mean 'PFA'? known: PFA, TFI"
    >>> str(unknown("case", "zolner", ["zollner", "muller_lyer"], listing="veridical suites"))
    "unknown case 'zolner': did you mean 'zollner'? 2 are known: `veridical suites` lists them"
    """
    names = sorted(set(accepted))
    written = {each.lower(): each for each in names}
    near = get_close_matches(name.lower(), written, n=1)
    hint = f": did you mean '{written[near[0]]}'?" if near else ":"
    if listing is not None:
        return InputError(f"unknown {kind} '{name}'{hint} {len(names):,} are known: `{listing}` lists them")
    apart = "; " if any("," in each for each in names) else ", "
    return InputError(f"unknown {kind} '{name}'{hint} known: {apart.join(names) or 'none'}")
