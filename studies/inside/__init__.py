"""A positive control for read-outs from inside: tiny models that are made to see or not, and to tell or not."""
