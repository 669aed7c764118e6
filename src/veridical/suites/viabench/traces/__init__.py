"""Reasoning traces: what is visible of a model's reasoning, and rules that find what is characteristic of it."""
