"""Mitsuba as a renderer: light is traced along its paths through the same states."""
