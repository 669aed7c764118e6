"""A local model from inside: its states, where it looks, and what follows from its picture tokens.

PyTorch and transformers, which the extra `local` installs, are loaded where they are used.
"""
