"""Regions: which boxes of a picture matter for a question, which mislead, and how they are numbered and drawn."""
