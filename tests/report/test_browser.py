"""What the page's script makes of the items, in a real browser."""

import json
import re
import shutil
import subprocess
from dataclasses import replace
from urllib.parse import quote
from xml.etree import ElementTree

import pytest

from tests.report import found, scenes, toy
from tests.report.devtools import evaluated
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


def dom(address, profile, *options):
    command = [CHROMIUM, *OPTIONS.split(), *options, f"--user-data-dir={profile}", address]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    return done.stdout


def observed(page, profile, script, *options):
    """The value that a script in a copy of the page, without its policy, leaves as JSON."""
    html = page.read_text(encoding="utf-8")
    html = re.sub('<meta http-equiv="Content-Security-Policy"[^>]*>', "", html)
    probe = f"<script>document.body.replaceWith(JSON.stringify((() => {{{script}}})()))</script></body>"
    copy = page.with_name("copy.html")
    copy.write_text(html.replace("</body>", probe), encoding="utf-8")
    found = re.search(r"</head>\s*(.*)</html>", dom(copy.as_uri(), profile, *options), re.DOTALL)
    return json.loads(found[1].strip().removesuffix("</body>").replace("&gt;", ">").replace("&amp;", "&"))


def sideways(page, folder, width):
    """By how many pixels the page is wider than a window of that width."""
    frame = folder / "frame.html"
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
        [CHROMIUM, *OPTIONS.split(), *command, f"--user-data-dir={folder / 'profile'}", frame.as_uri()],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    title = re.search("<title>(.*?)</title>", done.stdout)
    inner, outer = map(int, title[1].split())
    assert width - 20 <= outer <= width
    return inner - outer


def write(folder, runs, stimuli=STIMULI, media=None, **options):
    name = runs[0].suite.name
    source = {name: media or media_of(stimuli)}
    return write_report(runs, folder / "report.html", stimuli={name: toy.finder(stimuli)}, media=source, **options)


def media_of(stimuli):
    by_file = {s.media[0].file: s for s in stimuli.values()}
    return lambda file: toy.png(by_file[file].factors.get("alpha"))


def test_the_items_are_built_and_hostile_text_stays_text(tmp_path):
    run, stimuli = hostile_run(HOSTILE)
    page = write(tmp_path, [run], stimuli, published=True)
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
        "line": "3 base items, 24 items",
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


def scenes_page(folder, **options):
    sets = {"toy": toy.finder(STIMULI), "scenes": toy.finder(scenes.STIMULI)}
    files = {"toy": media_of(STIMULI), "scenes": scenes.FILES.__getitem__}
    runs = [toy.run("m", TRIALS), scenes.run()]
    return write_report(runs, folder / "report.html", stimuli=sets, media=files, **options)


SCENE = """
const part = document.getElementById("p2-items");
const cards = [...part.querySelectorAll(".card")];
const card = (variant) => cards.find((node) => node.querySelector("b").textContent === variant);
"""


def test_regions_lie_over_the_picture_once_they_are_asked_for(tmp_path):
    shown = observed(
        scenes_page(tmp_path),
        tmp_path / "profile",
        SCENE
        + """
        const boxed = card("boxed");
        const sides = (node) => ["x", "y", "width", "height"].map((key) => Number(node.getAttribute(key)));
        const overlay = boxed.querySelector(".regions");
        const before = overlay.checkVisibility();
        boxed.querySelector(".toggle input").click();
        const others = [...document.querySelectorAll(".toggle input")].every((input) => input.checked);
        return [overlay.querySelector("svg").getAttribute("viewBox"), [...overlay.querySelectorAll("rect")].map(sides),
          [...overlay.querySelectorAll(".region")].map((node) => node.textContent), before, overlay.checkVisibility(),
          others];
        """,
    )
    boxes = [[x0, y0, x1 - x0, y1 - y0] for x0, y0, x1, y1 in scenes.REGIONS.values()]
    assert shown == ["0 0 256 144", boxes, list(scenes.REGIONS), False, True, True]


def test_each_medium_has_the_element_that_shows_it_and_messages_keep_their_order(tmp_path):
    shown = observed(
        scenes_page(tmp_path),
        tmp_path / "profile",
        SCENE
        + """
        const media = (variant) => [...card(variant).querySelectorAll(".media :is(img, video, .placeholder)")]
          .map((node) => node.localName === "p" ? node.textContent : node.src.slice(0, node.src.indexOf(";")));
        const sent = [...card("series").querySelectorAll(".messages > :not(summary)")].map((node) => node.textContent);
        const scores = [...card("boxed").querySelectorAll(".score")].map((node) => node.textContent);
        const marks = ["boxed", "series"].map((variant) => card(variant).querySelector(".reply .mark").className);
        const title = card("series").querySelector(".variant").textContent;
        return [["boxed", "series", "moving", "mixed", "words"].map(media), sent, scores, marks, title];
        """,
    )
    image, video = "data:image/png", "data:video/mp4"
    nothing = "Text alone: no picture or clip belongs to this item."
    assert shown[0] == [[image], [image] * 3, [video], [video, image], [nothing]]
    said = [
        each
        for k, name in enumerate(("before", "between", "after"), 1)
        for each in (f"Look at media/{name}.png:", f" picture {k}")
    ]
    assert shown[1] == ["user", *said, scenes.QUESTION, "assistant", "I see"]
    assert shown[2] == ["quality 7.5 of 0–10"]
    assert shown[3] == ["mark right", "mark wrong"]
    assert shown[4] == "seriestone plainstep 3"


def test_each_part_has_filters_of_its_own(tmp_path):
    shown = observed(
        scenes_page(tmp_path),
        tmp_path / "profile",
        """
        const units = (prefix) => document.querySelectorAll(`#${prefix}units .unit`).length;
        const before = [units("p1-"), units("p2-")];
        document.querySelector("#p2-show input[value=wrong]").click();
        const select = document.getElementById("p1-family");
        select.value = "ponzo";
        select.dispatchEvent(new Event("change"));
        const ids = [...document.querySelectorAll("[id]")].map((node) => node.id);
        return [before, [units("p1-"), units("p2-")], ids.length === new Set(ids).size,
          document.querySelectorAll("input[name='p1-show']:checked").length];
        """,
    )
    assert shown == [[6, 1], [3, 1], True, 1]


@pytest.mark.parametrize("assets", [False, True])
def test_a_clip_is_let_in_by_the_policy_and_has_its_size(tmp_path, assets):
    page = scenes_page(tmp_path, assets=tmp_path / "assets" if assets else None)
    built = Page(dom(page.as_uri(), tmp_path / "profile"))
    clips = [attributes for tag, attributes in built.elements if tag == "video"]
    assert [(clip["width"], clip["height"], "controls" in clip) for clip in clips] == [("256", "144", True)] * 2


@pytest.mark.parametrize("width", [360, 720, 1000])
def test_media_make_no_page_scroll_sideways(tmp_path, width):
    assert sideways(scenes_page(tmp_path), tmp_path, width) == 0


@pytest.mark.parametrize("width", [360, 720, 1000])
def test_no_width_makes_the_page_scroll_sideways(tmp_path, width):
    long = "a" * 300
    run, stimuli = hostile_run(long)
    page = write(tmp_path, [run, run], stimuli, media=media, published=True)
    assert sideways(page, tmp_path, width) == 0


def found_page(folder, *findings):
    runs = [replace(toy.run(name, TRIALS), suite=found.suite(*findings)) for name in ("model-a", "model-b")]
    return write(folder, runs)


def test_findings_sort_by_a_head_and_undefined_ones_stay_last(tmp_path):
    third = replace(found.SEES, model="model-10", rates=(found.OPEN.rates[1], found.SEES.rates[0]))
    shown = observed(
        found_page(tmp_path, found.SEES, found.OPEN, third),
        tmp_path / "profile",
        """
        const table = document.querySelector(".findings");
        const order = () => [...table.tBodies[0].rows].map((row) => row.querySelector(".run-name").textContent);
        const heads = [...table.querySelectorAll("thead th")];
        const result = [order()];
        const press = (place) => {
          heads[place].querySelector("button").click();
          result.push([heads.map((head) => head.getAttribute("aria-sort")).filter(Boolean).join(), ...order()]);
        };
        for (const place of [0, 2, 2, 3]) press(place);
        const keys = heads.map((head) => head.querySelector("button")?.tabIndex ?? null);
        return [...result, keys];
        """,
    )
    assert shown == [
        ["model-a", "model-b", "model-10"],
        ["ascending", "model-10", "model-a", "model-b"],
        ["descending", "model-10", "model-a", "model-b"],
        ["ascending", "model-a", "model-10", "model-b"],
        ["descending", "model-b", "model-10", "model-a"],
        [0, 0, 0, 0, 0, None],
    ]


def test_the_skip_link_is_reached_first_and_moves_the_focus_to_the_findings(tmp_path):
    shown = observed(
        found_page(tmp_path),
        tmp_path / "profile",
        """
        const stops = [...document.querySelectorAll("a[href], button, select, input, summary, [tabindex='0']")];
        stops[0].click();
        const main = document.activeElement;
        return [stops[0].textContent, main.id, main.querySelector("section").id,
          [...document.querySelectorAll(".scroll")].every((node) => node.tabIndex === 0)];
        """,
    )
    assert shown == ["Skip to the findings", "content", "opening", True]


def test_a_figure_is_saved_as_svg_and_as_png_with_one_click_and_the_policy_lets_it(tmp_path):
    script = """
    const saved = new Map(), blobs = new Map();
    const create = URL.createObjectURL.bind(URL);
    URL.createObjectURL = (blob) => { const url = create(blob); blobs.set(url, blob); return url; };
    const both = new Promise((done) => {
      HTMLAnchorElement.prototype.click = function () {
        saved.set(this.download, blobs.get(this.href));
        if (saved.size === 2) done();
      };
    });
    const buttons = [...document.querySelectorAll("figure[data-name=one] .save")];
    for (const button of buttons) button.click();
    await both;
    const png = new Uint8Array(await saved.get("one.png").arrayBuffer());
    const sizes = new DataView(png.buffer);
    return [buttons.map((button) => button.getAttribute("aria-label")), await saved.get("one.svg").text(),
      [...png.slice(1, 4)], sizes.getUint32(16), sizes.getUint32(20)];
    """
    address = found_page(tmp_path).as_uri()
    names, svg, magic, width, height = evaluated(CHROMIUM, address, tmp_path / "profile", script)
    assert names == ["Save “Figure one” as SVG", "Save “Figure one” as PNG"]
    drawn = ElementTree.fromstring(svg)
    assert drawn.tag == "{http://www.w3.org/2000/svg}svg"
    assert (drawn.get("width"), drawn.get("height")) == ("72", "36")
    assert bytes(magic) == b"PNG"
    assert (width, height) == (3 * 72, 3 * 36)


@pytest.mark.parametrize("width", [360, 390, 720, 1000, 1300])
def test_findings_make_no_page_scroll_sideways(tmp_path, width):
    assert sideways(found_page(tmp_path), tmp_path, width) == 0
