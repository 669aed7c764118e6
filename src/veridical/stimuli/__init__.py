"""Generators of stimuli whose truth is known exactly."""
