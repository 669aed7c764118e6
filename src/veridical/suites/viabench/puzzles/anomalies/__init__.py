"""Visual anomalies: what breaks a common-sense prior, each beside its normal version."""
