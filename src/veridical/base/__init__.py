"""Helpers for every room: atomic file writes, worker processes, Markdown, number formats, SVG charts."""
