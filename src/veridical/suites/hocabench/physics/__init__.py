"""Clips in which a law of nature is broken, and their plausible controls, from one state log."""
