"""Drawings that several suites use: what they are made of, in float pixels, without a question or a truth."""
