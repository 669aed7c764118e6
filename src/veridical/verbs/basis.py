"""What a later stage's trials are made from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from veridical.suite.evidence import Evidence

PLANNED_ON = "planned_on"
"""The key of a start under which stands the digest of what its trials were made from."""


@dataclass(frozen=True)
class Basis:
    """The outcomes of the stages that one needs, the folders that they stand in, and the digest of their replies."""

    evidence: Evidence = Evidence({})  # noqa: RUF009 - frozen
    folders: Mapping[str, str] = field(default_factory=dict)
    digest: str | None = None
