"""People as observers: a balanced sample of questions to put to them, and their answers as a run like any other."""

from veridical.people.reading import read
from veridical.people.sampling import sample

__all__ = ["read", "sample"]
