"""Nothing foreign gets out of its place in the page, and nothing is loaded from outside it."""

import base64
import hashlib
import json
import re
from dataclasses import replace

from tests.report import toy
from tests.report.pages import HOSTILE, TRIALS, hostile_run, report
from veridical.records import Message, Text
from veridical.report import visible


def test_hostile_text_changes_no_element_and_no_attribute_name(tmp_path):
    shapes = []
    for text in ("(a harmless text)", HOSTILE):  # as long as no abbreviation, and at the same place of the glossary
        run, stimuli = hostile_run(text)
        page = report(tmp_path, [run, run], stimuli=stimuli, media=None, published=True)
        shapes.append([(tag, sorted(attributes)) for tag, attributes in page.elements])
        assert len(page.scripts) == 2
        assert not [key for _, attributes in page.elements for key in attributes if key.startswith("on")]
    assert shapes[0] == shapes[1]


def test_hostile_text_is_there_in_full_and_in_sight(tmp_path):
    run, stimuli = hostile_run(HOSTILE)
    page = report(tmp_path, [run], stimuli=stimuli, media=None, published=True)
    item = page.items["units"][0]["items"][0]
    outcome = item["questions"][0]["outcomes"][0]
    assert outcome["text"] == outcome["reasoning"] == outcome["answer"] == visible(HOSTILE)
    assert page.text.count(re.sub(r"\s+", " ", visible(HOSTILE))) >= 15
    assert not {"\u202e", "\u202c", "\x00", "\u2028"} & set((tmp_path / "report.html").read_text(encoding="utf-8"))


def test_a_lone_surrogate_is_written_out(tmp_path):
    trials = {k: replace(t, messages=(Message("user", (Text("a\ud800"),)),)) for k, t in TRIALS.items()}
    run = toy.run("m", trials, identity={"note": "b\udfff"})
    page = report(tmp_path, [run], suite=toy.suite(citation="c\ud800"))
    assert list(page.items["prompts"].values()) == [[["user", ["a\\ud800"]]]]
    assert "b\\udfff" in page.text
    assert "c\\ud800" in page.text


def test_the_policy_admits_the_one_script_that_is_there(tmp_path):
    page = report(tmp_path)
    digest = base64.b64encode(hashlib.sha256(page.scripts[1].encode()).digest()).decode()
    sources = dict(part.strip().split(" ", 1) for part in page.policy.split(";"))
    assert sources["default-src"] == "'none'"
    assert sources["script-src"] == f"'sha256-{digest}'"
    assert sources["img-src"] == sources["media-src"] == "data:"
    kinds = [attributes.get("type") for tag, attributes in page.elements if tag == "script"]
    assert kinds == ["application/json", None]


def test_the_page_refers_to_nothing_outside_itself(tmp_path):
    page = report(tmp_path)
    addresses = [v for _, a in page.elements for k, v in a.items() if k in ("href", "src", "srcset", "data", "action")]
    assert addresses
    assert all(address.startswith("#") for address in addresses)
    assert "http:" not in json.dumps(page.items)
    style = re.search("<style>(.*?)</style>", (tmp_path / "report.html").read_text(encoding="utf-8"), re.DOTALL)
    assert not re.search(r"url\(|@import", style[1])
