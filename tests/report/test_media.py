"""Media in a report: several, clips, regions, none, and what cannot be shown."""

import base64
import hashlib
from dataclasses import replace
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.report import scenes, toy
from tests.report.pages import STIMULI, TRIALS, Page, media, report
from veridical.records import Media, Message, Text
from veridical.report import write_report
from veridical.report.passages import named_boxes

EVERYTHING = {"stimuli": {"scenes": toy.finder(scenes.STIMULI)}, "media": {"scenes": scenes.FILES.__getitem__}}


def written(folder, runs=None, **options):
    path = write_report(runs or [scenes.run()], folder / "report.html", **(EVERYTHING | options))
    return Page(path.read_text(encoding="utf-8"))


def items_of(page):
    return {item["variant"]: item for unit in page.items["units"] for item in unit["items"]}


def files_of(page, item):
    """The bytes of each of the item's media as the page has them, in order."""
    sources = [page.items["sources"][medium["source"]] for medium in item["media"]]
    return [base64.b64decode(source.split(",")[1]) for source in sources]


def test_every_medium_of_an_item_is_there_in_order_with_what_it_is(tmp_path):
    page = written(tmp_path)
    items = items_of(page)
    for stimulus in scenes.STIMULI.values():
        item = items[stimulus.variant]
        assert files_of(page, item) == [scenes.FILES[medium.file] for medium in stimulus.media]
        assert item["own"] == len(stimulus.media)
    assert [medium["kind"] for medium in items["mixed"]["media"]] == ["video", "image"]
    assert items["moving"]["media"][0]["what"] == "clip, 256 × 144 px, 12 frames, 12 frames/s"
    assert items["words"]["media"] == []


def test_a_medium_that_several_items_show_is_in_the_page_once(tmp_path):
    written(tmp_path)
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert text.count("data:video/mp4;base64,") == 1
    assert text.count("data:image/png;base64,") == 4


def test_messages_hold_texts_and_media_in_the_order_in_which_they_were_sent(tmp_path):
    page = written(tmp_path)
    prompt = page.items["prompts"][items_of(page)["series"]["questions"][0]["prompt"]]
    said = ["Look at media/before.png:", 0, "Look at media/between.png:", 1, "Look at media/after.png:", 2]
    assert prompt == [["user", [*said, scenes.QUESTION]], ["assistant", ["I see"]]]


def test_media_that_were_sent_and_are_not_the_stimulus_own_follow_after_them(tmp_path):
    frame = scenes.MEDIA["media/after.png"]
    trials = {
        name: replace(trial, messages=(Message("user", (Media.of(frame), Text("What now?"))),))
        for name, trial in scenes.TRIALS.items()
    }
    page = written(tmp_path, [scenes.run(trials=trials)])
    item = items_of(page)["moving"]
    assert item["own"] == 1
    assert files_of(page, item) == [scenes.clip(), scenes.FILES["media/after.png"]]
    assert page.items["prompts"][item["questions"][0]["prompt"]] == [["user", [1, "What now?"]]]


def test_other_content_under_the_name_of_what_was_sent_is_not_shown_as_it(tmp_path):
    other = {
        name: replace(trial, messages=(Message("user", (replace(trial.messages[1].parts[0], sha256="f" * 64),)),))
        for name, trial in TRIALS.items()
    }
    page = report(tmp_path, [toy.run("m", other)])
    item = page.items["units"][0]["items"][0]
    assert [("source" in medium) for medium in item["media"]] == [True, False]
    assert item["media"][1]["note"] == "the stimulus set has other content under this name"


def test_regions_stand_over_the_first_picture_under_their_names(tmp_path):
    items = items_of(written(tmp_path))
    assert items["boxed"]["media"][0]["regions"] == [[name, *box] for name, box in scenes.REGIONS.items()]
    assert "regions" not in items["mixed"]["media"][0]
    assert items["mixed"]["media"][1]["regions"] == [["R1", 0, 0, 9, 9]]
    assert not any("regions" in medium for medium in items["series"]["media"])


def test_regions_that_only_the_trial_holds_are_shown(tmp_path):
    trials = {name: replace(trial, expects={"regions": [[1, 2, 3, 4]]}) for name, trial in TRIALS.items()}
    page = report(tmp_path, [toy.run("m", trials)])
    assert page.items["units"][0]["items"][0]["media"][0]["regions"] == [["R1", 1, 2, 3, 4]]


@given(st.none() | st.text() | st.lists(st.floats() | st.integers() | st.booleans() | st.text(), max_size=5))
def test_nothing_but_boxes_is_taken_for_a_region(value):
    for found in (named_boxes(value), named_boxes([value]), named_boxes({"a": value})):
        for _, x0, y0, x1, y1 in found:
            assert x0 < x1
            assert y0 < y1


@pytest.mark.parametrize("box", [[0, 0, 0, 5], [5, 0, 1, 5], [0, 0, float("nan"), 1], [0, 0, float("inf"), 1], "abcd"])
def test_a_box_without_an_area_is_no_region(box):
    assert named_boxes([box]) == []


def test_scores_stand_beside_the_answer_with_their_range(tmp_path):
    outcome = items_of(written(tmp_path))["boxed"]["questions"][0]["outcomes"][0]
    assert outcome["scores"] == [["quality", "7.5", "0–10"]]


def test_the_readers_word_decides_who_is_right_and_not_the_gold_answer(tmp_path):
    page = written(tmp_path)
    items = items_of(page)
    found = {variant: item["questions"][0]["outcomes"][0]["correct"] for variant, item in items.items()}
    assert found == {"boxed": True, "series": False, "moving": True, "mixed": True, "words": True}
    assert all(item["questions"][0]["gold"] == "hat" for item in items.values())
    assert page.items["units"][0]["flags"] == ["wrong"]


def test_where_nothing_can_be_right_an_outcome_says_neither(tmp_path):
    open_ended = {name: replace(trial, gold=None) for name, trial in TRIALS.items()}
    page = report(tmp_path, [toy.run("m", open_ended, lambda _: {"status": "answered", "answer": "a sunny day"})])
    unit = page.items["units"][0]
    assert unit["flags"] == []
    assert "correct" not in unit["items"][0]["questions"][0]["outcomes"][0]


def test_declared_factors_are_those_columns_that_are_not_general(tmp_path):
    page = written(tmp_path)
    assert page.items["factors"] == [
        {"name": "tone", "number": False, "signed": False, "title": "tone"},
        {"name": "step", "number": True, "signed": False, "title": "step"},
    ]
    assert items_of(page)["series"]["factors"] == {"tone": "plain", "step": 3}
    assert items_of(page)["words"]["factors"] == {"tone": "plain"}
    assert report(tmp_path).items["factors"][0] == {
        "name": "alpha",
        "number": True,
        "signed": True,
        "title": "alpha",
    }


def test_a_clip_goes_to_the_folder_of_assets_under_its_hash(tmp_path):
    page = written(tmp_path, assets=tmp_path / "assets", limit_bytes=100_000)
    source = page.items["sources"][items_of(page)["moving"]["media"][0]["source"]]
    file = tmp_path / unquote(source)
    assert file.suffix == ".mp4"
    assert file.stem == hashlib.sha256(file.read_bytes()).hexdigest()
    assert file.read_bytes() == scenes.clip()
    assert "'self' file:" in page.policy.split("media-src")[1].split(";")[0]


def test_a_clip_that_is_too_large_for_the_page_leaves_its_size_and_the_way_out(tmp_path):
    large = scenes.clip() + bytes(100_000)
    files = {**scenes.FILES, "media/clip.mp4": large}
    page = written(tmp_path, media={"scenes": files.__getitem__}, limit_bytes=500_000)
    note = items_of(page)["moving"]["media"][0]["note"]
    assert "media/clip.mp4" in note
    assert "0.1 MB" in note
    assert "folder of assets" in note
    assert "source" in items_of(page)["boxed"]["media"][0]


def test_where_only_clips_find_no_room_the_unit_is_there_without_them(tmp_path):
    files = {**scenes.FILES, "media/one.png": scenes.scene(0) + bytes(60_000)}
    whole = written(tmp_path, media={"scenes": files.__getitem__})
    assert "source" in items_of(whole)["moving"]["media"][0]
    limit = (tmp_path / "report.html").stat().st_size - 3_000
    page = written(tmp_path, media={"scenes": files.__getitem__}, limit_bytes=limit)
    assert (tmp_path / "report.html").stat().st_size <= limit
    assert "page is full" in items_of(page)["moving"]["media"][0]["note"]
    assert "source" in items_of(page)["boxed"]["media"][0]


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        ("clip", b"RIFF\x00\x00\x00\x00AVI LIST"),
        ("clip", b"\x00\x00\x00\x18ftypavif"),
        ("clip", b"\x89PNG\r\n\x1a\n"),
        ("picture", scenes.clip()),
        ("picture", b"<svg onload='alert(1)'>"),
    ],
)
def test_what_a_page_cannot_show_by_its_first_bytes_leaves_a_note(tmp_path, kind, content):
    files = dict.fromkeys(scenes.FILES, content)
    items = items_of(written(tmp_path, media={"scenes": files.__getitem__}))
    medium = items["moving" if kind == "clip" else "boxed"]["media"][0]
    assert "source" not in medium
    assert medium["note"].startswith(f"not a {kind} that a page can show")


def test_without_the_set_each_medium_that_was_sent_has_a_note_and_words_alone_have_none(tmp_path):
    items = items_of(written(tmp_path, stimuli={}, media={}))
    assert {medium["note"] for medium in items["series"]["media"]} == {"shown without the stimulus set"}
    assert [len(items[each]["media"]) for each in ("boxed", "series", "moving", "words")] == [1, 3, 1, 0]


def test_a_stimulus_that_the_set_lacks_is_not_shown_by_what_stands_under_its_name(tmp_path):
    page = report(tmp_path, stimuli={}, media=lambda _: media(next(iter(STIMULI.values())).media[0].file))
    notes = {m["note"] for u in page.items["units"] for item in u["items"] for m in item["media"]}
    assert notes == {"not in the stimulus set"}
