"""Property tests draw the same examples in every run and have no clock."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "veridical", deadline=None, derandomize=True, max_examples=60, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("veridical")
