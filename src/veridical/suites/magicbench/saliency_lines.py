"""Relative spatial densities as lines of text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from veridical.suites.magicbench.saliency import Density
from veridical.suites.magicbench.saliency_changes import DensityChange, PresentationDensity


def clip_lines(clips: Sequence[Density]) -> Iterator[str]:
    """A line for each clip, and how many have a critical region that is not seen."""
    width = max(len(each.stimulus) for each in clips)
    yield f"{'':{width}}  frames  critical  placebo"
    for each in clips:
        critical, placebo = (_number(value) for value in (each.critical, each.placebo))
        yield f"{each.stimulus:{width}}{each.frames:8}{'not seen' if each.not_seen else critical:>10}{placebo:>9}"
    if unseen := sum(each.not_seen for each in clips):
        yield f"critical region not seen: {_clips(unseen)}"
    if partly := sum(0 < each.unseen < each.frames for each in clips):
        yield f"critical region not seen in some frames, which do not count: {_clips(partly)}"


def presentation_lines(rows: Sequence[PresentationDensity]) -> Iterator[str]:
    """Lines for each presentation, with its changes from the first."""
    yield f"{'':10}density   change from {rows[0].name} [95 %]"
    for each in rows:
        change = each.critical_change
        pairs = (
            f", {change.clips:,} of {change.units:,} unit{'' if change.units == 1 else 's'} in pairs" if change else ""
        )
        yield f"{each.name}: {_clips(each.clips)}{pairs}"
        yield f"  critical{_number(each.critical):>7}   {_bounds(each.critical_change)}".rstrip()
        yield f"  placebo {_number(each.placebo):>7}   {_bounds(each.placebo_change)}".rstrip()
        if each.unseen:
            yield f"  critical region not seen: {_clips(each.unseen)}"
        if each.undefined:
            yield f"  no box at any frame, no mass, or all of it in the box: {_clips(each.undefined)}"


def _clips(count: int) -> str:
    return f"{count:,} clip{'' if count == 1 else 's'}"


def _number(value: float | None) -> str:
    return "none" if value is None else f"{value:.3f}"


def _bounds(change: DensityChange | None) -> str:
    if change is None or change.value is None:
        return "" if change is None else "none"
    bounds = "" if change.low is None else f" [{change.low:+.3f}, {change.high:+.3f}]"
    return f"{change.value:+.3f}{bounds}"
