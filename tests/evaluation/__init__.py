"""Evaluations over suites, and the profiles that they come to."""
