"""Trials for other runners, and stimulus sets from releases and from runs."""
