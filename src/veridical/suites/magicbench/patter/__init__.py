"""Patter: what the magician says over a clip, made from its log, and a checker of what each type promises."""
