"""Self-Heal: which prefixes are given, what a continuation is, and by which rules it heals."""
