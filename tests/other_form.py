"""A suite in another form: one of its parts changed."""

from dataclasses import replace


def with_part(suite, part, **changes):
    """The suite with these fields of a part in place of its own."""
    return replace(suite, parts={**suite.parts, part: replace(getattr(suite, part), **changes)})
