"""Drawings that several suites use: their parts in float pixels, without a question or a truth.

Moving ones are painted in scene units with a brush that names what each stroke belongs to, and filmed by `render`.
"""
