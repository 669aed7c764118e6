"""An SVG document as a part of an HTML page: ids of its own, nothing that runs, nothing that loads."""

from __future__ import annotations

import re
from html import escape
from itertools import accumulate
from xml.parsers import expat

from veridical.base.format import visible
from veridical.errors import InputError

_SHAPES = {"path", "line", "rect", "circle", "ellipse", "polyline", "polygon", "image"}
_WORDS = {"text", "tspan", "textPath", "title", "desc"}
_STRUCTURE = {"svg", "g", "defs", "symbol", "use", "style", "clipPath", "mask", "pattern", "marker"}
_ELEMENTS = _SHAPES | _WORDS | _STRUCTURE | {"linearGradient", "radialGradient", "stop"}
_LENGTH = re.compile(r"^\s*([0-9.]+)\s*(pt|px|in|)\s*$")
_PIXELS = {"": 1.0, "px": 1.0, "pt": 4 / 3, "in": 96.0}
_URL = re.compile(r"url\(\s*['\"]?\s*([^)'\"]*)['\"]?\s*\)", re.IGNORECASE)
_RASTER = ("data:image/png;base64,", "data:image/jpeg;base64,")


def inline_svg(svg: str, prefix: str, title: str) -> str:
    """The `<svg>` element of a document, ready to stand in a page beside others.

    Prolog, doctype, comments and metadata are left out; ids and the references to them carry the prefix, style rules
    hold inside the element alone; elements outside the drawing vocabulary, event handlers and references to anything
    but the document itself or an embedded raster are left out. Width and height give way to the view box: the element
    fills its column up to its natural width. Raises `InputError` for what is not an SVG document.

    >>> inline_svg('<svg viewBox="0 0 9 9"><path id="p" onload="x()"/><use href="#p"/></svg>', "f1", "Fit")
    '<svg id="f1" viewBox="0 0 9 9" role="img" aria-label="Fit"><path id="f1-p"></path><use href="#f1-p"></use></svg>'
    """
    return _Inliner(prefix, title).run(svg)


class _Inliner:
    def __init__(self, prefix: str, title: str) -> None:
        self.prefix, self.title = prefix, title
        self.out: list[str] = []
        self.style: list[str] | None = None
        self.depth = self.skipped = 0

    def run(self, svg: str) -> str:
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler = self.start
        parser.EndElementHandler = self.end
        parser.CharacterDataHandler = self.text
        parser.EntityDeclHandler = self.entity
        try:
            parser.Parse(svg, True)
        except expat.ExpatError as error:
            raise InputError(f"figure '{self.title}': not a well-formed SVG document ({error})") from error
        return "".join(self.out)

    def entity(self, name: str, *_: object) -> None:
        raise InputError(f"figure '{self.title}': declares the entity '{name}', which an SVG document here must not")

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if self.depth == 0 and name != "svg":
            raise InputError(f"figure '{self.title}': the root element is '{name}', not 'svg'")
        self.depth += 1
        if self.skipped or name not in _ELEMENTS:
            self.skipped += 1
            return
        if name == "style":
            self.style = []
            return
        kept = self.root(attributes) if self.depth == 1 else self.attributes(attributes)
        written = "".join(f' {key}="{escape(value)}"' for key, value in kept.items())
        self.out.append(f"<{name}{written}>")

    def end(self, name: str) -> None:
        self.depth -= 1
        if self.skipped:
            self.skipped -= 1
        elif name == "style":
            rules = "".join(self.style or [])
            self.style = None
            if not re.search(r"[@<\\]|url\(", rules, re.IGNORECASE) and _balanced(rules):
                self.out.append(f"<style>#{self.prefix}{{{rules}}}</style>")
        else:
            self.out.append(f"</{name}>")

    def text(self, data: str) -> None:
        if self.skipped:
            return
        if self.style is not None:
            self.style.append(data)
        else:
            self.out.append(escape(data, quote=False))

    def root(self, attributes: dict[str, str]) -> dict[str, str]:
        width, height = (_pixels(attributes.get(side, "")) for side in ("width", "height"))
        kept = self.attributes({k: v for k, v in attributes.items() if k not in ("id", "width", "height", "style")})
        if "viewBox" not in kept and width and height:
            kept["viewBox"] = f"0 0 {width:g} {height:g}"
        natural = {"style": f"max-width:{width:.0f}px"} if width else {}
        return {"id": self.prefix, **kept, **natural, "role": "img", "aria-label": visible(self.title)}

    def attributes(self, attributes: dict[str, str]) -> dict[str, str]:
        kept: dict[str, str] = {}
        for key, value in attributes.items():
            name = key.removeprefix("xlink:")
            if ":" in name or name.startswith("xmlns") or name.lower().startswith("on"):
                continue
            if name == "id":
                kept[name] = f"{self.prefix}-{value}"
            elif name in ("href", "src"):
                if value.startswith("#"):
                    kept[name] = f"#{self.prefix}-{value[1:]}"
                elif value.startswith(_RASTER):
                    kept[name] = value
            elif _refers_inside(value):
                kept[name] = _URL.sub(lambda match: f"url(#{self.prefix}-{match[1][1:]})", value)
        return kept


def _pixels(length: str) -> float | None:
    match = _LENGTH.match(length)
    return float(match[1]) * _PIXELS[match[2]] if match else None


def _refers_inside(value: str) -> bool:
    targets = _URL.findall(value)
    whole = len(targets) == value.lower().count("url(") and "\\" not in value
    return whole and all(target.startswith("#") for target in targets)


def _balanced(rules: str) -> bool:
    depths = list(accumulate(1 if brace == "{" else -1 for brace in re.findall("[{}]", rules)))
    return not depths or (min(depths) >= 0 and depths[-1] == 0)
