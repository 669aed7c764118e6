"""Scenes: rooms and table tops as graphs of things, drawn, and asked about."""
