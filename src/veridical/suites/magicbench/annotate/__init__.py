"""Authoring for real clips: drafts of constraints and their consensus, types of words, transcripts."""
