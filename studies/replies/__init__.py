"""Replies with labels, written or read by people: what readers and rewards are held against."""
