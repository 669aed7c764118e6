"""How often the interval of a run that stops when it is narrow enough holds the truth, and how much that saves."""
