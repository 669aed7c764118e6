"""The profile: what several suites found of models, question by question, on one page."""

from veridical.report.profiles.differences import ModelDifference, QuestionDifference, corrected
from veridical.report.profiles.page import write_profile
from veridical.report.profiles.profile import ModelProfile, Profile, ProfileLine

__all__ = [
    "ModelDifference",
    "ModelProfile",
    "Profile",
    "ProfileLine",
    "QuestionDifference",
    "corrected",
    "write_profile",
]
