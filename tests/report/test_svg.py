"""Figures inside a page."""

import io
import re
from html.parser import HTMLParser

import pytest

from tests.report import toy
from veridical.errors import InputError
from veridical.report.svg import inline_svg


class Elements(HTMLParser):
    def __init__(self, html):
        super().__init__()
        self.seen = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.seen.append((tag, dict(attrs)))


def elements(html):
    return Elements(html).seen


def drawing(inner, **root):
    attributes = "".join(f' {key}="{value}"' for key, value in root.items())
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"{attributes}>{inner}</svg>'
    )


def test_two_figures_in_one_page_share_no_id_and_refer_to_their_own():
    both = elements(inline_svg(toy.SVG, "figure-1", "a") + inline_svg(toy.SVG, "figure-2", "b"))
    ids = [attributes["id"] for _, attributes in both if "id" in attributes]
    assert len(ids) == len(set(ids)) == 8
    references = [a["href"][1:] for _, a in both if "href" in a]
    references += [re.sub(r"url\(#(.*)\)", r"\1", a["clip-path"]) for _, a in both if "clip-path" in a]
    assert len(references) == 4
    assert set(references) <= set(ids)


def test_nothing_in_a_figure_runs_or_loads():
    inner = (
        '<a href="javascript:alert(1)"><rect/></a><foreignObject><iframe src="//x"/></foreignObject>'
        '<image href="http://example.org/x.png"/><image xlink:href="data:image/svg+xml;base64,AA"/>'
        '<rect style="fill:url(http://example.org" onclick="x"/><rect fill="u\\72l(//x)"/>'
        '<set attributeName="href" to="javascript:alert(1)"/>'
        "<style>@import 'http://example.org';</style><style>} body { display: none }</style>"
    )
    found = elements(inline_svg(drawing(inner), "f", "t"))
    assert [tag for tag, _ in found] == ["svg", "image", "image", "rect", "rect"]
    assert [attributes for _, attributes in found[1:]] == [{}, {}, {}, {}]


def test_style_rules_hold_inside_the_figure_alone():
    assert "<style>#f{*{stroke: red}}</style>" in inline_svg(drawing("<style>*{stroke: red}</style>"), "f", "t")


def test_a_figure_fills_its_column_up_to_its_natural_width():
    root = elements(inline_svg(drawing("", width="72pt", height="36pt"), "f", "t"))[0][1]
    assert root["viewbox"] == "0 0 96 48"
    assert root["style"] == "max-width:96px"
    assert "width" not in root


def test_text_and_embedded_rasters_of_a_figure_stay():
    inner = '<text>a &lt;b&gt; &amp; c</text><image href="data:image/png;base64,AAAA"/>'
    html = inline_svg(drawing(inner), "f", "t")
    assert "<text>a &lt;b&gt; &amp; c</text>" in html
    assert elements(html)[-1] == ("image", {"href": "data:image/png;base64,AAAA"})


@pytest.mark.parametrize(
    "document",
    ["", "<svg>", "<html></html>", '<!DOCTYPE svg [<!ENTITY a "aaaa">]><svg>&a;</svg>', "not a drawing"],
)
def test_what_is_no_plain_svg_document_is_refused(document):
    with pytest.raises(InputError, match="figure 'My figure'"):
        inline_svg(document, "f", "My figure")


def test_a_matplotlib_figure_keeps_its_shapes_and_loses_its_links():
    from matplotlib.figure import Figure

    figure = Figure()
    figure.add_subplot().plot([0, 1], [1, 0])
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg")
    html = inline_svg(buffer.getvalue(), "f", "t")
    assert html.startswith("<svg")
    assert html.endswith("</svg>")
    assert html.count("<path") == buffer.getvalue().count("<path") > 10
    assert "http" not in html
