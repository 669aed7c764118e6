"""Verdicts that stop when they are safe: questions chosen round by round, and the two rules by which asking stops."""
