"""What people see of a profile, in a real browser: the findings first, whatever the models are called."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial

import pytest

from tests.evaluation import known
from tests.report.devtools import evaluated, evaluated_at
from tests.report.pages import HOSTILE, Page
from tests.report.test_browser import CHROMIUM
from veridical.report import visible
from veridical.report.profiles import Profile, write_profile

WIDTHS = (390, 1300)
HEIGHTS = {390: 844, 1300: 800}
SURE = re.compile(r"4 questions: \d decided for it, \d against, \d open; at 95\u00a0%, over \d+ units or more\.")
in_browser = pytest.mark.skipif(CHROMIUM is None, reason="no chromium on PATH")
MEASURED = """
const page = document.documentElement, wide = page.clientWidth;
const cards = [...document.querySelectorAll(".card")].map((card) => {
  const text = (name) => card.querySelector(name).innerText;
  return [text("h2"), text(".found"), text(".sure summary"), card.getBoundingClientRect().bottom];
});
const outside = [...document.querySelectorAll("main *")].filter((node) => !node.closest("svg, .unseen, .scroll"))
  .filter((node) => node.getBoundingClientRect().right > wide + 1).map((node) => node.className);
const wrapped = [], NUMBERS = /n.=.[\\d,]+.units?|chance.[\\u2212\\d]+|[\\u2212\\d]+ \\[[^\\]]+\\]/g;
for (const node of document.querySelectorAll(".value > *")) {
  const range = document.createRange();
  for (const found of node.textContent.matchAll(NUMBERS)) {
    range.setStart(node.firstChild, found.index);
    range.setEnd(node.firstChild, found.index + found[0].length);
    if (new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size > 1) wrapped.push(found[0]);
  }
}
const covered = [...document.querySelectorAll(".profile-row .value > *")].filter((node) => {
  const named = node.closest(".profile-row").querySelector(".named > *");
  const one = node.getBoundingClientRect(), two = named.getBoundingClientRect();
  return one.right > two.left && one.left < two.right && one.bottom > two.top && one.top < two.bottom;
}).map((node) => node.textContent);
return {cards, sideways: page.scrollWidth - wide, outside: [...outside, ...covered], wrapped};
"""


def many():
    """Twelve models: long names, hostile ones, suites that are missing, effects without bounds or without a value."""
    base = known.profile().models
    names = ["org/" + "a-very-long-name-" * 8, "m", HOSTILE, *(f"org/model-{size}b" for size in range(9))]
    changes = (None, known.unasked, known.unbounded, known.unanswered)
    models = [
        known.changed(base[place % 3], name=name, lines=changes[place % 4], problems=(name,) if place % 3 == 1 else ())
        for place, name in enumerate(names)
    ]
    return replace(known.profile(), models=tuple(models))


@in_browser
def test_the_first_screen_has_each_models_name_what_it_does_and_how_sure(tmp_path):
    page = write_profile(known.profile(), tmp_path / "index.html")
    for width, seen in zip(
        WIDTHS, evaluated_at(CHROMIUM, page.as_uri(), tmp_path / "own", MEASURED, WIDTHS), strict=True
    ):
        assert {name: found for name, found, *_ in seen["cards"]} == known.FOUND
        for _, _, sure, bottom in seen["cards"]:
            assert re.fullmatch(
                r"4 questions: \d decided for it, \d against, \d open; at 95\u00a0%, over \d+ units or more\.", sure
            )
            assert bottom <= HEIGHTS[width]


@in_browser
@pytest.mark.parametrize("profile", [known.profile, many], ids=["three", "twelve"])
def test_nothing_overflows_and_no_number_is_parted_from_its_unit(profile, tmp_path):
    page = write_profile(profile(), tmp_path / "index.html")
    for seen in evaluated_at(CHROMIUM, page.as_uri(), tmp_path / "own", MEASURED, WIDTHS):
        assert (seen["sideways"], seen["outside"], seen["wrapped"]) == (0, [], [])


@in_browser
def test_menus_filter_and_order_and_a_link_to_what_is_hidden_shows_all(tmp_path):
    names = {"perceiver": "model-10", "recaller": "model-9", "guesser": "model-1"}
    models = [replace(each, name=names[each.name]) for each in known.profile().models]
    page = write_profile(replace(known.profile(), models=tuple(models)), tmp_path / "index.html")
    shown = evaluated(
        CHROMIUM,
        page.as_uri(),
        tmp_path / "own",
        """
        const pick = (name, value) => {
          const select = document.querySelector(`#filters [name=${name}]`);
          select.value = value;
          select.dispatchEvent(new Event("change", {bubbles: true}));
        };
        const seen = (what) => [...document.querySelectorAll(what)].filter((node) => node.checkVisibility());
        const rows = () => seen(".profile-row[data-model]");
        const tones = () => [...new Set(rows().map((row) => row.dataset.state))];
        const cards = () => [...document.querySelectorAll(".card h2")].map((node) => node.innerText);
        const all = [rows().length, document.getElementById("matching").innerText];
        pick("state", "bad");
        const bad = [tones(), rows().length, document.getElementById("matching").innerText];
        pick("suite", "hocabench");
        const one = [...new Set(rows().map((row) => row.dataset.suite))];
        const heads = seen(".ability-part").map((part) => part.querySelector("h2").innerText);
        const moved = new Promise((done) => addEventListener("hashchange", done));
        location.hash = "viprobe-changes";
        await moved;
        const revealed = rows().length;
        const orders = ["name", "against", ""].map((order) => { pick("order", order); return cards(); });
        const last = seen(".profile-rows").every((list) => list.lastElementChild.matches(".axis"));
        const focusable = seen("#filters select").every((node) => node.tabIndex === 0);
        return {all, bad, one, heads, revealed, orders, last, focusable};
        """,
    )
    against = len([line for model in models for line in model.toned("bad")])
    assert shown["all"] == [12, "12 answers"]
    assert shown["bad"] == [["bad"], against, f"{against} of 12 answers"]
    assert (shown["one"], shown["heads"]) == (["hocabench"], ["Reasons"])
    assert shown["revealed"] == 12
    by_count = sorted(models, key=lambda each: -len(each.toned("bad")))
    given = [each.name for each in models]
    assert shown["orders"] == [["model-1", "model-9", "model-10"], [each.name for each in by_count], given]
    assert shown["last"]
    assert shown["focusable"]


def test_hostile_names_and_reasons_stay_text(tmp_path):
    shapes = []
    for text in ("(a harmless text)", HOSTILE):
        models = [known.changed(each, name=text, problems=(text,)) for each in known.profile().models]
        models.append(known.changed(models[0], lines=partial(known.unasked, why=text)))
        page = write_profile(replace(known.profile(), models=tuple(models)), tmp_path / "index.html")
        read = Page(page.read_text(encoding="utf-8"))
        shapes.append([(tag, sorted(attributes)) for tag, attributes in read.elements])
        assert len(read.scripts) == 1
        assert not [key for _, attributes in read.elements for key in attributes if key.startswith("on")]
    assert shapes[0] == shapes[1]
    assert read.text.count(re.sub(r"\s+", " ", visible(HOSTILE))) >= 15
    assert not {"\u202e", "\u202c", "\x00", "\u2028"} & set(page.read_text(encoding="utf-8"))


def test_the_page_without_its_script_has_every_answer_and_loads_nothing(tmp_path):
    whole = many()
    page = write_profile(whole, tmp_path / "index.html")
    read = Page(page.read_text(encoding="utf-8"))
    rows = [attributes for _, attributes in read.elements if "data-state" in attributes]
    assert len(rows) == len([line for model in whole.models for line in model.lines])
    assert not [attributes for attributes in rows if "hidden" in attributes]
    addresses = [value for _, own in read.elements for key, value in own.items() if key in ("href", "src", "action")]
    assert set(filter(lambda each: not each.startswith("#"), addresses)) == {"viprobe/report.html"}
    assert page.stat().st_size < 1_000_000


def test_an_open_question_says_what_would_decide_it_and_one_that_was_not_asked_why():
    guesser = known.profile().models[2]
    (line,) = [each for each in guesser.lines if each.question.name == "figures"]
    text = Page(page_text(guesser)).text
    assert line.conclusion.needs
    assert f"To decide it: {'; '.join(line.conclusion.needs)}." in text
    assert "no judge" in Page(page_text(known.changed(guesser, lines=known.unasked))).text


def page_text(model):
    from veridical.report.profiles.page import page

    return page(Profile(models=(model,), version="0"))


def test_what_was_decided_without_an_effect_is_counted_apart():
    perceiver = known.profile().models[0]

    def without(line, suites=("viprobe", "hocabench")):
        return replace(line, answer=line.answer._replace(effect=None)) if line.suite.name in suites else line

    counted = "4 questions: 4 decided for it, 0 against, 0 open"
    assert known.changed(perceiver, lines=without).sureness == f"{counted}; 4 decided without an effect."
    some = known.changed(perceiver, lines=partial(without, suites=("viprobe",)))
    units = min(line.units for line in perceiver.lines if line.suite.name != "viprobe")
    assert some.sureness == f"{counted}; at 95\u00a0%, over {units} units or more; 2 decided without an effect."
    assert {line.effect_text for line in some.lines if line.suite.name == "viprobe"} == {"not estimated"}
