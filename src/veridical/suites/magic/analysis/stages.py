"""The marking passes that estimates read."""

from veridical.judges import marking

HEAL_GRADE = marking("heal-grade", "heal", (), setting="healing")
HEAL_OWN_GRADE = marking("heal-own-grade", "heal-own", (), setting="healing")
