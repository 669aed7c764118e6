"""Tricks: performances as state logs, drawn, each with an honest control that hides nothing."""
