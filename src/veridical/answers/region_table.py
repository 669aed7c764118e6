"""Tables and lists that tell for each marked region yes or no under a heading such as "Impossible?"."""

from __future__ import annotations

import re

from veridical.answers.region_mentions import MENTION

_HEADING = re.compile(
    r"(?<![\w-])(?:(?P<fine>consistent|possible|plausible|normal|realistic|valid|ok|okay|fine|correct|natural"
    r"|real|coherent)"
    r"|(?P<odd>impossible|wrong|odd|anomal\w{1,4}|inconsistent|abnormal|violation|strange|implausible"
    r"|unrealistic|error)"
    r")(?:\?| ?\(?(?:yes/no|y/n)\)?| ?\|)",
    re.IGNORECASE,
)
_YES = re.compile(r"(?:^|[|:,;—–-]|\s-)\s{0,3}(?:[✓✔✅✗✘❌✕]\s{0,2}(?=[a-z]))?(?:(?P<yes>yes|true|y|✓|✔|✅)|(?P<no>no|false|n|✗|✘|❌|✕))\W{0,5}$", re.I)


def rows(plain: str) -> dict[int, bool]:
    """Whether each region is fine, by the yes or no at the end of its line under a heading such as "Consistent?"."""
    lines = plain.split("\n")
    heading, found = None, {}
    for line in lines[:200]:
        mention = MENTION.search(line[:200])
        if mention is None:
            heading = _HEADING.search(line[:300]) or heading
            continue
        verdict = _YES.search(line[-60:])
        if heading is None or verdict is None or mention["label"] is None or len(mention["label"]) > 2:
            continue
        found[int(mention["label"])] = (heading["fine"] is not None) == (verdict["yes"] is not None)
    return found
