"""The picture types of a set, and how a picture's strength is written."""

from __future__ import annotations

from veridical.errors import unknown
from veridical.suites.viprobe.illusions.case import Context
from veridical.suites.viprobe.options import VIProbeOptions

VARIANTS: dict[str, Context] = {
    "O": "figure",
    "P": "figure",
    "OC": "control",
    "PC": "control",
    "OS": "clutter",
    "PS": "clutter",
    "OH": "hint",
    "PH": "hint",
    "I": "inducers",
}
"""Original and perturbed; the controls of both, with the same targets and no inducers; both amid clutter, with the
inducers scattered; both with a hint; inducers."""

CHANGED = ("P", "PC", "PS", "PH")


def variants(options: VIProbeOptions) -> tuple[str, ...]:
    """The variants asked for, in the fixed order."""
    for name in options.variants or ():
        if name not in VARIANTS:
            raise unknown("variant", name, VARIANTS)
    return tuple(name for name in VARIANTS if name in (options.variants or VARIANTS))


def strength_text(alpha: float) -> str:
    """A strength as it stands in an id: signed, two decimals, more only where they are needed.

    >>> strength_text(0.4), strength_text(-0.3333)
    ('+0.40', '-0.3333')
    """
    return f"{alpha:+.2f}" if round(alpha, 2) == alpha else f"{alpha:+.4f}".rstrip("0")
