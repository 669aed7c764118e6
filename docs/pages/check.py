"""Checks a built site: it loads nothing from another server, and every link inside it leads somewhere.

`python -m docs.pages.check SITE` exits with 1 and a line for each problem.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

_LOADED = {
    "script": ("src",),
    "img": ("src", "srcset"),
    "iframe": ("src",),
    "source": ("src", "srcset"),
    "video": ("src", "poster"),
    "audio": ("src",),
    "track": ("src",),
    "embed": ("src",),
    "object": ("data",),
    "input": ("src",),
    "image": ("href", "xlink:href"),
    "use": ("href", "xlink:href"),
}
"""Attributes whose address a browser loads by itself."""

_NOT_LOADED = {"next", "prev", "search", "index", "canonical", "author", "license"}
"""Kinds of `<link>` that a browser does not load."""

_IN_CSS = re.compile(r"""(?:@import\s+(?:url\(\s*)?|url\(\s*)["']?([^"')\s;]+)""")
_IN_JS = re.compile(r"""(?:fetch|import|importScripts|Worker|open)\(\s*["'`]((?:https?:)?//[^"'`]*)""")


class _Page(HTMLParser):
    """The ids of a page, the links that it offers, and the addresses that it loads."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self._within = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        self._within = tag
        self.ids |= {attributes[name] for name in ("id", "name") if name in attributes}
        self.loaded += [attributes[name] for name in _LOADED.get(tag, ()) if name in attributes]
        self.loaded += _IN_CSS.findall(attributes.get("style", ""))
        if tag == "link" and not set(attributes.get("rel", "").split()) & _NOT_LOADED:
            self.loaded.append(attributes.get("href", ""))
        if tag == "a" and "href" in attributes:
            self.links.append(attributes["href"])

    def handle_data(self, data: str) -> None:
        if self._within == "style":
            self.loaded += _IN_CSS.findall(data)
        if self._within == "script":
            self.loaded += _IN_JS.findall(data)


@cache
def _page(path: Path) -> _Page:
    page = _Page()
    page.feed(path.read_text(encoding="utf-8"))
    page.close()
    return page


def problems(site: Path) -> Iterator[str]:
    """The problems of the site in a folder, one line each, which names the file."""
    for path in sorted(site.rglob("*")):
        where = path.relative_to(site).as_posix()
        if path.suffix == ".html":
            page = _page(path)
            yield from (f"{where} loads {each[:100]}" for each in page.loaded if _elsewhere(each))
            yield from (f"{where} links to {each}: {why}" for each in page.links if (why := _broken(path, each, site)))
        elif path.suffix in (".css", ".js", ".svg"):
            pattern = _IN_JS if path.suffix == ".js" else _IN_CSS
            addresses = pattern.findall(path.read_text(encoding="utf-8"))
            yield from (f"{where} loads {each[:100]}" for each in addresses if _elsewhere(each))


def _elsewhere(address: str) -> bool:
    """Whether an address, or one of several as in `srcset`, is on another server."""
    return any(part.lower().startswith(("http:", "https:", "//")) for part in re.split(r"[\s,]+", address))


def _broken(path: Path, link: str, site: Path) -> str:
    """Why a link inside the site is broken; empty if it is not, or if it leads to another server."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return ""
    target = ((path.parent / unquote(parts.path)) if parts.path else path).resolve()
    if not target.is_relative_to(site.resolve()):
        return "it leaves the site"
    if target.is_dir() or not target.exists():
        return "there is no such file"
    anchor = unquote(parts.fragment)
    return "there is no such place" if anchor and target.suffix == ".html" and anchor not in _page(target).ids else ""


if __name__ == "__main__":
    site = Path(sys.argv[1])
    lines = list(problems(site))
    sys.stdout.writelines(f"{line}\n" for line in lines)
    sys.exit(1 if lines or not (site / "index.html").exists() else 0)
