"""Clips: reading with exact times, writing, and sampling of frames."""
