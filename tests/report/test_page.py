"""What the report shows, and how much of it."""

import base64
import hashlib
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.report import toy
from tests.report.pages import STIMULI, TRIALS, media, report
from veridical.errors import InputError
from veridical.records import Counts, Message, Text
from veridical.report import ReportRun, write_report
from veridical.report.runs import combined_outcomes
from veridical.report.select import first_units, order_units, units_of
from veridical.suite.results import OtherReading


def shown_items(page):
    return [item["id"] for unit in page.items["units"] for item in unit["items"]]


def test_headlines_show_value_interval_and_base_items(tmp_path):
    page = report(tmp_path)
    assert "91.7 % [88.1, 94.2] 23 base items" in page.text
    assert "+12.3 pts [−3.2, +20.0] 23 base items" in page.text
    assert "50.0 %" not in page.text
    assert page.text.count("23 base items") == len(toy.ESTIMATES) - 1


EVERY_KIND = {"unparsed": 7, "refused": 5, "truncated": 4, "error": 3}
SHORT_OF = {"unparsed": 7}


def with_statuses(model, kinds):
    """A run in which so many replies ended in each status, and the others were answered."""
    ended = iter([status for status, number in kinds.items() for _ in range(number)])
    replies = {name: {"status": status} for name, status in zip(TRIALS, ended, strict=False)}
    return toy.run(model, TRIALS, lambda t: replies.get(t.id, toy.right(t.gold)))


@pytest.mark.parametrize("kinds", [EVERY_KIND, SHORT_OF, {}])
def test_counts_stand_once_and_have_a_column_for_each_status_that_occurred(tmp_path, kinds):
    page = report(tmp_path, [with_statuses("model-a", kinds)])
    heads = ["Planned", "Answered", *(status.capitalize() for status in kinds)]
    numbers = [len(TRIALS), len(TRIALS) - sum(kinds.values()), *kinds.values()]
    assert f"Run {' '.join(heads)} model-a {' '.join(map(str, numbers))} " in page.text
    before_the_terms = page.text[: page.text.index("Glossary", page.text.index("How it was run", 500))]
    for status in EVERY_KIND.keys() - kinds.keys():
        assert status not in before_the_terms.casefold()


def test_what_another_reader_reads_otherwise_is_one_line_and_one_table(tmp_path):
    counts = Counts(planned=90, asked=80, answered=51, unparsed=17, refused=5, truncated=4, error=3)
    other = [replace(toy.ESTIMATES[0], value=0.321, low=0.3, high=0.35), *toy.ESTIMATES[1:3]]
    other += [replace(toy.ESTIMATES[3], value=None, low=None, high=None, reason="too few are read"), toy.ESTIMATES[4]]
    run, alike = toy.run("model-a", TRIALS), toy.run("model-b", TRIALS)
    reading = OtherReading(reader="strict", counts=counts, estimates=other)
    page = report(tmp_path, [replace(run, otherwise=[reading]), alike])
    line = f"model-a : replies read: {len(TRIALS)} of {len(TRIALS)} by binary, 51 by strict."
    rows = "model-a PFA 91.7 % [88.1, 94.2] 32.1 % [30.0, 35.0] model-a R 1.97 [≥ 0.80] undefined"
    assert (
        page.text.count(f"{line} Results that another reader gives otherwise Run Result By binary By strict {rows}")
        == 1
    )
    plain = report(tmp_path, [run, alike]).text
    assert "strict" not in plain
    # All else is as it is without the other reader.
    head, _, rest = page.text.partition("Replies are read by binary. What strict reads otherwise stands in one table. ")
    start, end = rest.index("Readers model-a"), rest.index(rows) + len(rows)
    assert head + rest[:start] + rest[end:].lstrip() == plain


def test_a_headline_that_one_run_lacks_is_said_and_one_that_all_lack_is_left_out(tmp_path):
    lacking = toy.run("model-b", TRIALS)
    lacking = replace(lacking, result=replace(lacking.result, estimates=lacking.result.estimates[1:]))
    assert report(tmp_path, [toy.run("model-a", TRIALS), lacking]).text.count("not estimated") == 1
    assert "not estimated" not in report(tmp_path).text


def test_two_runs_of_one_name_are_told_apart_in_tables_as_well(tmp_path):
    text = report(tmp_path, [toy.run("model-a", TRIALS), toy.run("model-a", TRIALS)]).text
    assert text.count(f"model-a (2) {len(TRIALS)} 91.7 %") == 1
    assert toy.run("model-a", TRIALS).result.model == "model-a"


def test_an_open_side_and_an_undefined_value_give_their_reason_in_sight(tmp_path):
    page = report(tmp_path)
    assert "[≥ 0.80]" in page.text
    assert page.text.count("the control gap may be zero") == 2
    assert "undefined 23 base items no trial has both halves" in page.text
    assert "the control gap may be zero" in [a.get("title") for _, a in page.elements]


@pytest.mark.parametrize(("reply", "words"), [({}, "not yet asked"), ({"status": "error"}, "ended in error")])
def test_a_run_that_is_not_complete_says_so_with_its_counts(tmp_path, reply, words):
    spoilt = set(list(TRIALS)[:7])
    run = toy.run("model-b", TRIALS, lambda t: reply if t.id in spoilt else toy.right(t.gold))
    page = report(tmp_path, [toy.run("model-a", TRIALS), run])
    asked = len(TRIALS) - (7 if not reply else 0)
    assert f"model-b : {len(TRIALS)} planned, {asked} asked, 7 {words}" in page.text
    assert "model-a : " not in page.text


def test_a_complete_run_shows_no_banner(tmp_path):
    assert "Not complete" not in report(tmp_path).text


def test_items_hold_gold_answer_status_prompt_and_measurements(tmp_path):
    failed = {"status": "refused", "reason": "flagged", "text": "no", "latency": 1.25, "attempt": 2, "requests": 3}
    replies = {"muller_lyer/0000/O:forward": toy.right("0"), "muller_lyer/0000/O:reversed": failed}
    runs = [toy.run("a", TRIALS), toy.run("b", TRIALS, lambda t: replies.get(t.id, toy.right(t.gold)))]
    page = report(tmp_path, runs)
    unit = next(u for u in page.items["units"] if u["name"] == "muller_lyer/0000")
    assert unit["flags"] == ["failed", "wrong", "disagree"]
    item = unit["items"][0]
    assert (item["id"], item["variant"], item["title"]) == ("muller_lyer/0000/O", "O", "original")
    assert item["factors"] == {"alpha": 0}
    assert item["facts"] == [["length ratio", "1", "1.0001"]]
    forward, reverse = item["questions"]
    assert (forward["gold"], forward["settings"]) == ("1", ["polarity: forward"])
    assert (forward["asked"], reverse["asked"]) == (toy.QUESTION, toy.QUESTION.replace("equally", "unequally"))
    assert [(o["run"], o["answer"], o["correct"]) for o in forward["outcomes"]] == [(0, "1", True), (1, "0", False)]
    refused = reverse["outcomes"][1]
    assert (refused["status"], refused["reason"], refused["text"]) == ("refused", "flagged", "no")
    assert refused["facts"] == "1.2 s · attempt 2 · 3 requests"
    assert page.items["prompts"][forward["prompt"]] == [["system", [toy.SYSTEM]], ["user", [0, toy.QUESTION]]]


def test_what_is_asked_is_the_bare_question_of_the_suite_where_the_prompt_holds_it(tmp_path):
    stimuli = {
        name: replace(s, question="the two", truth={"reversed": "the two horizontal"}) for name, s in STIMULI.items()
    }
    asked = [
        question["asked"]
        for unit in report(tmp_path, stimuli=stimuli).items["units"]
        for item in unit["items"]
        for question in item["questions"]
    ]
    assert asked[:2] == ["the two", "the two horizontal"]
    assert set(asked) == set(asked[:2])


def test_a_wording_that_one_run_was_not_sent_stands_apart(tmp_path):
    other = {k: replace(t, messages=(Message("user", (Text("Another wording"),)),)) for k, t in TRIALS.items()}
    runs = [toy.run("a", TRIALS), toy.run("b", other)]
    page = report(tmp_path, runs)
    questions = page.items["units"][0]["items"][0]["questions"]
    assert [[o["run"] for o in q["outcomes"]] for q in questions] == [[0], [1], [0], [1]]


def test_pictures_are_the_bytes_as_they_are(tmp_path):
    page = report(tmp_path, items=1)
    for item in page.items["units"][0]["items"]:
        head, data = page.items["sources"][item["media"][0]["source"]].split(",")
        assert head == "data:image/png;base64"
        assert base64.b64decode(data) == media(STIMULI[item["id"]].media[0].file)


@pytest.mark.parametrize("content", [None, b"<svg onload='alert(1)'>", KeyError("gone"), FileNotFoundError("gone")])
def test_a_picture_that_cannot_be_shown_leaves_a_note_and_the_rest(tmp_path, content):
    def broken(file):
        if isinstance(content, Exception):
            raise content
        return content

    page = report(tmp_path, media=None if content is None else broken)
    shown = [item["media"][0] for unit in page.items["units"] for item in unit["items"]]
    assert all("source" not in medium and medium["note"] for medium in shown)
    assert len(shown_items(page)) == len(STIMULI)


def test_items_without_stimuli_and_trials_are_still_shown(tmp_path):
    run = toy.run("a", TRIALS)
    page = report(tmp_path, [ReportRun(run.suite, run.result, {}, {})], stimuli={})
    assert sorted(shown_items(page)) == sorted(STIMULI)
    assert page.items["units"][0]["items"][0]["questions"][0]["prompt"] is None


@settings(max_examples=30)
@given(items=st.integers(1, 80), limit=st.integers(80_000, 150_000), seed=st.integers(0, 3))
def test_the_file_holds_whole_units_in_order_within_items_and_bytes(tmp_path_factory, items, limit, seed):
    folder = tmp_path_factory.mktemp("page")
    wrong = {"ponzo/0001/O:forward"}
    runs = [toy.run("a", TRIALS, lambda t: toy.right("0" if t.id in wrong else t.gold))]
    page = report(folder, runs, items=items, limit_bytes=limit, seed=seed)
    size = (folder / "report.html").stat().st_size
    assert size <= limit
    units = order_units(units_of(combined_outcomes(runs)), seed)
    wanted = first_units(units, items)
    shown = page.items["units"]
    assert [unit["name"] for unit in shown] == [unit.name for unit in wanted[: len(shown)]]
    assert [len(unit["items"]) for unit in shown] == [8] * len(shown)
    if len(shown) < len(wanted):
        report(folder, runs, items=8 * (len(shown) + 1), seed=seed)
        assert (folder / "report.html").stat().st_size > limit - 300
    if len(shown) < len(units):
        assert f"{8 * len(shown)} of 72 items ({len(shown)} of 9 base items, each whole)" in page.text
    else:
        assert "Showing all 72 items in 9 base items" in page.text


def test_a_limit_below_the_bare_page_is_refused_and_nothing_written(tmp_path):
    with pytest.raises(InputError, match=r"limit_bytes is 1,000"):
        report(tmp_path, limit_bytes=1000)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("options", [{"items": 0}, {"seed": -1}])
def test_arguments_out_of_range_are_refused(tmp_path, options):
    with pytest.raises(InputError, match="at least"):
        report(tmp_path, **options)


def test_with_an_assets_folder_every_unit_is_shown_and_files_are_named_by_hash(tmp_path):
    folder = tmp_path / "a b#c"
    page = report(tmp_path, items=1, assets=folder)
    assert sorted(shown_items(page)) == sorted(STIMULI)
    for unit in page.items["units"]:
        for item in unit["items"]:
            address = page.items["sources"][item["media"][0]["source"]]
            file = tmp_path / unquote(address)
            assert "#" not in address
            assert file.parent == folder
            assert file.stem == hashlib.sha256(file.read_bytes()).hexdigest()
            assert file.read_bytes() == media(STIMULI[item["id"]].media[0].file)
    assert "data:image/png" not in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_settings_stand_in_words_beside_each_other_and_differences_are_marked(tmp_path):
    of_a = {"model": "a", "sampling": {"seed": 1, "stop": ["x", "y"], "top_p": None}, "set": "0123456789abcdef" * 4}
    of_b = {"model": "b", "sampling": {"seed": 1, "stop": [], "top_p": None}, "set": "0123456789abcdef" * 4}
    page = report(tmp_path, [toy.run(i["model"], TRIALS, identity=i) for i in (of_a, of_b)])
    method = page.text[page.text.index("Setting a b") :]
    assert "Sampling Seed 1 1 Stop x, y not stated Library" in method
    assert "Stimulus set (hash) 0123456789ab… 0123456789ab…" in method
    assert "0123456789abcdef" * 4 in [attributes.get("title") for _, attributes in page.elements]
    assert not {"null", "None", "{", "unstated", "top"} & set(method.split("Citation")[0].split())
    assert [a.get("class") for t, a in page.elements if t == "tr"].count("differs") == 2
    assert toy.suite().citation in page.text


def test_two_runs_of_one_model_have_two_names(tmp_path):
    page = report(tmp_path, [toy.run("m", TRIALS), toy.run("m", TRIALS)])
    assert page.items["runs"] == ["m", "m (2)"]


def test_runs_of_one_model_are_called_by_their_folders_where_these_differ(tmp_path):
    def run(model, folder):
        asked = toy.run(model, TRIALS)
        return replace(asked, result=replace(asked.result, run=folder))

    page = report(tmp_path / "a", [run("m", "one"), run("n", "one"), run("m", "two")])
    assert page.items["runs"] == ["m: one", "n", "m: two"]
    page = report(tmp_path / "b", [run("m", "one"), run("m", "one")])
    assert page.items["runs"] == ["m", "m (2)"]


def test_the_same_input_gives_the_same_bytes(tmp_path):
    for name in ("a", "b"):
        report(tmp_path / name)
    assert (tmp_path / "a/report.html").read_bytes() == (tmp_path / "b/report.html").read_bytes()
    assert [path.name for path in Path(tmp_path / "a").iterdir()] == ["report.html"]


def test_a_report_needs_a_run(tmp_path):
    with pytest.raises(InputError, match="no run"):
        write_report([], tmp_path / "r.html", stimuli={}, media={})
