"""The pages that are written by hand, and what is in them."""

import re

from docs.pages import FOLDER

ROOT = FOLDER.parents[1]
_WRITTEN = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
_WRITTEN += sorted((ROOT / "docs" / "howto").glob("*.md"))
TEXTS = {path.relative_to(ROOT).as_posix(): path.read_text() for path in _WRITTEN}
BLOCK = re.compile(r"^( *)```(\w+)\n(.*?)^\1```", re.MULTILINE | re.DOTALL)


def blocks(kind, names=TEXTS):
    return [(name, match[3]) for name in names for match in BLOCK.finditer(TEXTS[name]) if match[2] == kind]


def prose(text):
    """The text without code, whose brackets are no links."""
    return re.sub(r"`[^`\n]*`", "", BLOCK.sub("", text))


def slugs(text):
    """The anchors of a page's headings."""
    heads = re.findall(r"^#+ (.+)$", BLOCK.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}
