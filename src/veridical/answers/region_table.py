"""Tables and lists that tell for each marked region yes or no under a heading such as "Impossible?"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from veridical.answers.region_fineness import fineness
from veridical.answers.region_mentions import MENTION

_HEADING = re.compile(
    r"(?<![\w-])(?:(?P<fine>consistent|possible|plausible|normal|realistic|valid|ok|okay|fine|correct|natural"
    r"|real|coherent)"
    r"|(?P<odd>impossible|wrong|odd|anomal\w{1,4}|inconsistent|abnormal|violation|strange|implausible"
    r"|unrealistic|error)"
    r")(?:\?| ?\(?(?:yes/no|y/n)\)?| ?\|)",
    re.IGNORECASE,
)
_YES = re.compile(
    r"(?:^|[|:,;—–-]|\s-)\s{0,3}(?:[✓✔✅✗✘❌✕]\s{0,2}(?=[a-z]))?(?:(?P<yes>yes|true|y|✓|✔|✅)|(?P<no>no|false|n|✗|✘"
    r"|❌|✕))\W{0,5}$",
    re.I,
)

_SIGN = re.compile(
    r"[^\w\n]{0,8}R ?(?P<label>[0-9]{1,2})[\W_]{0,4}?(?:(?P<yes>[✓✔✅])|(?P<no>[✗✘❌✕]))(?P<said>.{0,200})",
    re.IGNORECASE,
)


def rows(plain: str) -> dict[int, bool]:
    """Whether each region is fine, by the yes or no at the end of its line under a heading such as "Consistent?"."""
    lines = plain.split("\n")
    heading, odd = None, {}
    for line in lines[:200]:
        mention = MENTION.search(line[:200])
        if mention is None:
            heading = _HEADING.search(line[:300]) or heading
            continue
        verdict = _YES.search(line[-60:])
        if heading is None or verdict is None or mention["label"] is None or len(mention["label"]) > 2:
            continue
        odd[int(mention["label"])] = (heading["fine"] is not None) == (verdict["yes"] is not None)
    return odd or _signs(lines)


def _signs(lines: Sequence[str]) -> dict[int, bool]:
    """Whether each region is fine, by ticks and crosses after the labels, where words tell what these mean."""
    signs: dict[int, bool] = {}
    meant: set[bool] = set()
    for line in lines[:200]:
        row = _SIGN.match(line[:300])
        if row is None:
            continue
        signs[int(row["label"])] = row["yes"] is not None
        fine = fineness(row["said"])
        meant |= set() if fine is None else {fine == (row["yes"] is not None)}
    return {label: tick == min(meant) for label, tick in signs.items()} if len(meant) == 1 else {}
