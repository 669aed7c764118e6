"""People as observers: a balanced sample of questions to put to them, and their answers as a run like any other."""

from veridical.suites.viprobe.detection import detection_threshold
from veridical.verbs.people.answers import read_people
from veridical.verbs.people.sample import sample_people

__all__ = ["detection_threshold", "read_people", "sample_people"]
