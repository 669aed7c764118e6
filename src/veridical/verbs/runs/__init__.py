"""Asking models: the options of a run, who is asked in which role, the state of its stages, and what is sent."""
