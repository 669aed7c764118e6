"""People as observers: a balanced sample of questions to put to them, and their answers as a run like any other."""

from veridical.verbs.people.answers import read_people
from veridical.verbs.people.sample import sample_people

__all__ = ["read_people", "sample_people"]
