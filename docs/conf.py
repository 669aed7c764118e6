"""The documentation site: Markdown by MyST, the API by autodoc, the Furo theme; nothing comes from another server."""

from __future__ import annotations

import re
import sys
from importlib.metadata import version as version_of
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from docs.pages.docstrings import as_restructured_text

if TYPE_CHECKING:
    from docutils.nodes import document
    from sphinx.application import Sphinx

project = "veridical"
author = "The veridical contributors"
project_copyright = f"2026, {author}"
release = version = version_of("veridical")

extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["generated/.doctrees", "generated/extra"]
myst_enable_extensions = ["colon_fence", "attrs_block"]
myst_heading_anchors = 4
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 88
toc_object_entries_show_parents = "hide"

html_theme = "furo"
html_title = "veridical"
html_static_path = ["static"]
html_css_files = ["style.css"]
html_extra_path = ["generated/extra"]
html_show_sphinx = False
html_copy_source = False


def _docstring(*event: Any) -> None:  # noqa: ANN401 (what autodoc tells, the lines last)
    lines: list[str] = event[-1]
    lines[:] = as_restructured_text(lines)


def _signature(*event: Any) -> tuple[str | None, str | None]:  # noqa: ANN401 (what autodoc tells, the signature last)
    """The signature with defaults that Python itself can read, so that the types in it become links."""
    arguments, returned = event[-2:]
    return arguments and re.sub(r"<(?:[^<>]|<[^<>]*>)+>", "...", arguments), returned


def _whole_percents(_: Sphinx, page: document) -> None:
    """Keeps numbers and their percent signs on one line, outside of code."""
    from docutils import nodes

    for text in list(page.findall(nodes.Text)):
        joined = re.sub(r"(?<=\d) (?=%)", "\N{NO-BREAK SPACE}", text)
        if joined != text and not isinstance(text.parent, nodes.literal | nodes.literal_block):
            text.parent.replace(text, nodes.Text(joined))


def setup(app: Sphinx) -> None:
    """Registers what the pages go through on their way."""
    app.connect("autodoc-process-docstring", _docstring)
    app.connect("autodoc-process-signature", _signature)
    app.connect("doctree-read", _whole_percents)
