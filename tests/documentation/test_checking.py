"""The check of a built site finds what it is there to find, and passes a site that is whole."""

from pathlib import Path

import pytest

from docs.pages.check import problems
from docs.pages.demonstration import PAGES, demonstrated, shown

WHOLE = """<html><head><link rel="stylesheet" href="a.css"><link rel="next" href="https://x.org/"></head>
<body id="top"><a href="b.html#there">b</a><a href="https://x.org/a">x</a><a href="#top">up</a>
<img src="c.png"><svg xmlns="http://www.w3.org/2000/svg"></svg><p>see http://x.org/</p></body></html>"""


@pytest.fixture
def site(tmp_path):
    (tmp_path / "index.html").write_text(WHOLE)
    (tmp_path / "b.html").write_text("<h1 id='there'>b</h1>")
    (tmp_path / "a.css").write_text("a { background: url('c.png') }")
    (tmp_path / "a.js").write_text('const namespace = "http://www.w3.org/2000/svg"; fetch("data.json");')
    (tmp_path / "c.png").write_bytes(b"")
    return tmp_path


def test_a_whole_site_has_no_problem(site):
    assert list(problems(site)) == []


def test_a_site_may_be_named_by_a_relative_path(site, monkeypatch):
    monkeypatch.chdir(site.parent)
    assert list(problems(Path(site.name))) == []


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("x.html", '<script src="https://x.org/a.js"></script>'),
        ("x.html", '<img src="//x.org/a.png">'),
        ("x.html", '<img srcset="a.png 1x, http://x.org/b.png 2x">'),
        ("x.html", '<link rel="stylesheet" href="https://x.org/a.css">'),
        ("x.html", '<link rel="preconnect" href="https://x.org">'),
        ("x.html", '<iframe src="HTTPS://x.org"></iframe>'),
        ("x.html", "<style>@import 'https://x.org/a.css';</style>"),
        ("x.html", '<p style="background: url(https://x.org/a.png)">a</p>'),
        ("x.html", "<script>fetch('https://x.org/a.json')</script>"),
        ("x.html", '<svg><image href="https://x.org/a.png"/></svg>'),
        ("x.css", '@font-face { src: url("https://x.org/a.woff2") }'),
        ("x.js", 'import("https://x.org/a.js")'),
        ("x.svg", "<svg><style>@import url(https://x.org/a.css)</style></svg>"),
    ],
)
def test_what_comes_from_another_server_is_found(site, file, text):
    (site / file).write_text(text)
    (problem,) = problems(site)
    assert problem.startswith(f"{file} loads ")
    assert "x.org" in problem.lower()


@pytest.mark.parametrize(
    ("link", "why"),
    [
        ("gone.html", "there is no such file"),
        ("b.html#gone", "there is no such place"),
        ("#gone", "there is no such place"),
        ("../../outside.html", "it leaves the site"),
    ],
)
def test_a_link_that_leads_nowhere_is_found(site, link, why):
    (site / "x.html").write_text(f'<a href="{link}">a</a>')
    assert list(problems(site)) == [f"x.html links to {link}: {why}"]


def test_a_folder_without_a_page_is_no_link(site):
    (site / "folder").mkdir()
    (site / "x.html").write_text('<a href="folder">a</a>')
    assert list(problems(site)) == ["x.html links to folder: there is no such file"]


def test_the_table_of_the_demo_says_the_same_on_every_page():
    first, *others = (shown(page.read_text()) for page in PAGES)
    assert len(first) == 4
    assert all(other == first for other in others)
    assert all(len(row.rates) == 4 for row in first.values())


def test_what_a_demo_found_is_read_from_its_tables(tmp_path):
    tables = tmp_path / "prior" / "tables"
    tables.mkdir(parents=True)
    (tables / "isolation.csv").write_text(
        "Model,Original,Perturbed,Control original,Control perturbed\nveridical/prior,1.0,0.136,0.98,0.0\n"
    )
    (tables / "mechanism.csv").write_text("Case,Verdict\noverall,blind\nponzo,mixed\n")
    assert demonstrated(tmp_path, "prior") == ((100, 14, 98, 0), "blind")
