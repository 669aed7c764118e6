"""Drawings that several suites use: their parts in float pixels, without a question or a truth."""
