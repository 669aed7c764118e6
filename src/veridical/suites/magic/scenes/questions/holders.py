"""Furniture and what stands on it, for the questions about that."""

from __future__ import annotations

from veridical.suites.magic.scenes.draft import Draft
from veridical.suites.magic.scenes.layout import CrowdedError


def busy_holders(draft: Draft) -> list[int]:
    """The furniture that a thing with a noun of its own stands on."""
    return [place for place in range(len(draft.spots)) if unique_on(draft, place)]


def unique_on(draft: Draft, holder: int) -> list[int]:
    """The things on a piece of furniture that have a noun of their own, from left to right."""
    return [place for place in draft.layout.on(holder) if place not in draft.twins]


def alone(draft: Draft) -> tuple[int, int]:
    """A piece of furniture with a single thing on it, and that thing."""
    holder, (thing,) = _laden(draft, 1)
    return holder, thing


def two_together(draft: Draft) -> tuple[int, int, int]:
    """A piece of furniture with two things on it, the left one, and the right one."""
    holder, (left, right) = _laden(draft, 2)
    return holder, left, right


def _laden(draft: Draft, count: int) -> tuple[int, list[int]]:
    # The first two pieces of furniture are laid for one thing and for two; the third may hold any number.
    place = count - 1
    held = draft.layout.on(place)
    if len(held) != count:
        raise CrowdedError
    draft.used(place, *held)
    return place, held
