"""An evaluation: all suites asked of some models in one call, and the profile that joins what they found."""
