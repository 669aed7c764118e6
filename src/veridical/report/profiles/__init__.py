"""The profile: what several suites found of models, question by question, on one page."""

from veridical.report.profiles.export import profile_text
from veridical.report.profiles.fresh import with_fresh
from veridical.report.profiles.page import write_profile
from veridical.report.profiles.profile import ModelProfile, Profile, ProfileLine

__all__ = ["ModelProfile", "Profile", "ProfileLine", "profile_text", "with_fresh", "write_profile"]
