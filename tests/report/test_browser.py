"""What the page's script makes of the items, in a real browser."""

import json
import re
import shutil
import subprocess
from urllib.parse import quote

import pytest

from tests.report import toy
from tests.report.pages import HOSTILE, Page, hostile_run, media
from veridical.report import visible, write_report

CHROMIUM = shutil.which("chromium")
OPTIONS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --virtual-time-budget=5000 --dump-dom"
)
STIMULI = toy.design(("muller_lyer", "ponzo"), 3, (-0.5, 0.5, 1.0))
TRIALS = toy.trials(STIMULI)

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium on PATH")


def dom(address, profile):
    command = [CHROMIUM, *OPTIONS.split(), f"--user-data-dir={profile}", address]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    return done.stdout


def observed(page, profile, script):
    """The value that a script in a copy of the page, without its policy, leaves as JSON."""
    html = page.read_text(encoding="utf-8")
    html = re.sub('<meta http-equiv="Content-Security-Policy"[^>]*>', "", html)
    probe = f"<script>document.body.replaceWith(JSON.stringify((() => {{{script}}})()))</script></body>"
    copy = page.with_name("copy.html")
    copy.write_text(html.replace("</body>", probe), encoding="utf-8")
    found = re.search(r"</head>\s*(.*)</html>", dom(copy.as_uri(), profile), re.DOTALL)
    return json.loads(found[1].strip().removesuffix("</body>").replace("&gt;", ">").replace("&amp;", "&"))


def write(folder, runs, stimuli=STIMULI, media=None, **options):
    name = runs[0].suite.name
    source = {name: media or media_of(stimuli)}
    return write_report(runs, folder / "report.html", stimuli={name: stimuli}, media=source, **options)


def media_of(stimuli):
    by_file = {s.media[0].file: s for s in stimuli.values()}
    return lambda file: toy.png(by_file[file].factors.get("alpha"))


def test_the_items_are_built_and_hostile_text_stays_text(tmp_path):
    run, stimuli = hostile_run(HOSTILE)
    page = write(tmp_path, [run], stimuli)
    built = Page(dom(page.as_uri(), tmp_path / "profile"))
    tags = [tag for tag, _ in built.elements]
    assert sum(a.get("class") == "unit" for _, a in built.elements) == 9
    assert tags.count("script") == 2
    assert not [key for _, a in built.elements for key in a if key.startswith("on")]
    sources = [a["src"] for tag, a in built.elements if tag == "img" and "src" in a]
    assert sources
    assert all(source.startswith("data:image/png;base64,") for source in sources)
    replies = re.sub(r"\s+", " ", visible(HOSTILE))
    assert built.text.count(replies) > 100


def test_strength_picks_the_graded_pictures_and_leaves_the_others(tmp_path):
    page = write(tmp_path, [toy.run("m", TRIALS)])
    shown = observed(
        page,
        tmp_path / "profile",
        """
        const unit = document.querySelector(".unit");
        const ids = () => [...unit.querySelectorAll(".id")].map((node) => node.textContent.split("/").pop());
        const before = ids();
        const levels = [...unit.querySelectorAll(".levels input")];
        levels[0].click();
        return [before, ids(), levels.map((input) => input.parentNode.querySelector(".option span").textContent)];
        """,
    )
    assert shown == [["O", "P+1.00", "OC", "PC+1.00"], ["O", "P-0.50", "OC", "PC-0.50"], ["−0.5", "+0.5", "+1"]]


def test_filters_show_the_units_that_they_name(tmp_path):
    wrong, failed = "ponzo/0001/O:forward", "muller_lyer/0002/O:forward"
    replies = {wrong: toy.right("0"), failed: {"status": "unparsed", "text": "hm"}}
    page = write(
        tmp_path,
        [toy.run("a", TRIALS), toy.run("b", TRIALS, lambda t: replies.get(t.id, toy.right(t.gold)))],
    )
    shown = observed(
        page,
        tmp_path / "profile",
        """
        const units = () => [...document.querySelectorAll(".unit")].map((node) => node.id.slice(5));
        const result = {all: units().length};
        for (const kind of ["wrong", "failed", "disagree"]) {
          document.querySelector(`#show input[value=${kind}]`).click();
          result[kind] = units();
        }
        document.querySelector("#show input[value=all]").click();
        const select = document.getElementById("family");
        select.value = "ponzo";
        select.dispatchEvent(new Event("change"));
        result.ponzo = units().sort();
        result.line = document.getElementById("matching").textContent;
        return result;
        """,
    )
    assert shown == {
        "all": 6,
        "wrong": ["ponzo/0001"],
        "failed": ["muller_lyer/0002"],
        "disagree": ["ponzo/0001"],
        "ponzo": ["ponzo/0000", "ponzo/0001", "ponzo/0002"],
        "line": "3 units, 24 items",
    }


def test_a_unit_on_a_later_page_is_reached_by_its_link_and_its_picture_from_a_file(tmp_path):
    stimuli = toy.design(("muller_lyer",), 25, (0.5,))
    page = write(tmp_path, [toy.run("m", toy.trials(stimuli))], stimuli, assets=tmp_path / "assets")
    names = [unit["name"] for unit in Page(page.read_text(encoding="utf-8")).items["units"]]
    built = Page(dom(f"{page.as_uri()}#{quote('unit:' + names[-1], safe='')}", tmp_path / "profile"))
    assert [a["id"] for _, a in built.elements if a.get("class") == "unit"] == [f"unit:{name}" for name in names[20:]]
    loaded = observed(
        page,
        tmp_path / "profile",
        """
        return [...document.querySelectorAll(".zoom img")].every((image) => image.loading === "lazy");
        """,
    )
    assert loaded


@pytest.mark.parametrize("width", [360, 720, 1000])
def test_no_width_makes_the_page_scroll_sideways(tmp_path, width):
    long = "a" * 300
    run, stimuli = hostile_run(long)
    page = write(tmp_path, [run, run], stimuli, media=media)
    frame = tmp_path / "frame.html"
    html = re.sub('<meta http-equiv="Content-Security-Policy"[^>]*>', "", page.read_text(encoding="utf-8"))
    page.write_text(html, encoding="utf-8")
    frame.write_text(
        f"<iframe src='report.html' style='width:{width}px;height:800px;border:0'></iframe><script>onload = () => "
        "{ const d = frames[0].document.documentElement; document.title = d.scrollWidth + ' ' + d.clientWidth }"
        "</script>",
        encoding="utf-8",
    )
    command = ["--allow-file-access-from-files", "--window-size=1600,900"]
    done = subprocess.run(
        [CHROMIUM, *OPTIONS.split(), *command, f"--user-data-dir={tmp_path / 'profile'}", frame.as_uri()],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    title = re.search("<title>(.*?)</title>", done.stdout)
    inner, outer = map(int, title[1].split())
    assert width - 20 <= outer <= width
    assert inner == outer
