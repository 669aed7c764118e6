"""The page that leads to each suite's gallery."""

from __future__ import annotations

from docs.pages.words import page, plain
from veridical.suite import registry
from veridical.suite.record import Suite

PLACE = "gallery"
"""The folder of galleries in the built site."""


def with_gallery() -> list[Suite]:
    """The registered suites that have a gallery."""
    return [suite for suite in registry.all_suites(whole=True) if suite.presentation.gallery is not None]


def gallery_pages() -> dict[str, str]:
    """The page of the galleries, by path."""
    links = "\n".join(
        f'<li><a href="../{PLACE}/{suite.name}/index.html">{plain(suite.title)}</a></li>' for suite in with_gallery()
    )
    return {
        "gallery.md": page(
            "# Gallery",
            "Everything that the suites draw, each on one page, as `veridical gallery SUITE --out DIR` writes it:",
            f"<ul>\n{links}\n</ul>",
            "![The 27 classic figures, each unchanged above and changed below](../contact-sheet.png)",
            "![56 puzzles by category, of each an illusion or anomaly](../contact-sheet-viabench.png)",
            "![18 sub-types of anomalies, each beside its plausible control](../contact-sheet-hocabench.png)",
            "![Rooms and table tops, and their nouns in four materials](../contact-sheet-magic.png)",
        )
    }
