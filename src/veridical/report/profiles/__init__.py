"""The profile: what several suites found of models, question by question, on one page."""

from veridical.report.profiles.differences import ModelDifference, QuestionDifference, holm_differences
from veridical.report.profiles.export import profile_text
from veridical.report.profiles.fresh import with_fresh
from veridical.report.profiles.page import content_policy, write_profile
from veridical.report.profiles.profile import ModelProfile, Profile, ProfileLine
from veridical.report.profiles.profile_file import StoredModel, StoredProfile, StoredQuestion, StoredRun, read_profile
from veridical.report.profiles.titles import model_titles

__all__ = [
    "ModelDifference",
    "ModelProfile",
    "Profile",
    "ProfileLine",
    "QuestionDifference",
    "StoredModel",
    "StoredProfile",
    "StoredQuestion",
    "StoredRun",
    "content_policy",
    "holm_differences",
    "model_titles",
    "profile_text",
    "read_profile",
    "with_fresh",
    "write_profile",
]
