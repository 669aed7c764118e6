"""A release is imported, asked, judged and reported; what cannot be used is counted to the item, with the reason."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import veridical
from tests.suites.magicbench.release_data import HEIGHT, SECONDS, WIDTH, frames, items, picture, video, write
from veridical.errors import InputError
from veridical.media.decode import decode
from veridical.suites.magicbench.releases.timeline import TimelineEntry, mirror_images, place_at

QUIET = {"show": "quiet", "analyze": False}


def imported(place, tmp_path, name="set", **options):
    return veridical.import_release("magicbench", place, tmp_path / name, **options)


def changed(k, **cells):
    """The items, the one at place `k` with other cells; a cell of `None` is left out."""
    listed = items()
    listed[k] = {key: value for key, value in {**listed[k], **cells}.items() if value is not None}
    return listed


def left_out(made):
    each = made.manifest["import"]["left_out"]
    assert all("\n" not in one["detail"] for one in each["each"])
    return each["reasons"]


@pytest.fixture(scope="module")
def release(tmp_path_factory):
    folder = write(tmp_path_factory.mktemp("release") / "release")
    (folder / "results").mkdir()
    summary = {"Multimodal": {"Type A: Direct Lie": {"count": 146}, "Total": {"count": 402}}}
    (folder / "overall_stats.json").write_text(json.dumps(summary))
    (folder / "results_gpt.json").write_text(json.dumps([{"id": "magic_1", "model_output": {}}]))
    return folder


@pytest.fixture(scope="module")
def made(release, tmp_path_factory):
    return imported(release, tmp_path_factory.mktemp("imported"))


def test_an_item_is_what_the_release_says_of_it(made):
    lie, misdirection, filler, silence = made.stimuli
    assert [each.id for each in made.stimuli] == [f"release/magic_{k}/real" for k in (1, 2, 3, 4)]
    assert [each.factors["linguistic_type"] for each in made.stimuli] == ["A", "B", "C", "D"]
    assert (lie.factors["difficulty"], lie.factors["tags"]) == ("Basic", "Fast Motion, Occlusion")
    assert [atom["text"] for atom in lie.truth["pcs"]] == [
        "The coin stays in the right hand.",
        "The left hand closes on nothing.",
        "The left hand opens empty.",
    ]
    assert {atom["kind"] for each in made.stimuli for atom in each.truth["pcs"]} == {"release"}
    assert lie.truth["effect"] == "A coin vanishes."
    assert lie.truth["patter"]["own"]["timeline"] == [
        [0.5, 2.0, "The coin is in my left hand,"],
        [2.0, 3.5, "gone!"],
    ]
    assert misdirection.truth["patter"]["own"]["timeline"] == [[1.0, 4.0, "Watch the deck."]]
    assert silence.truth["patter"]["own"] == {"text": "", "timeline": [], "claims": []}
    assert all(each.media[0].duration == str(SECONDS) for each in (lie, misdirection, filler, silence))


def test_regions_are_critical_boxes_with_a_placebo_of_the_same_size_beside_them(made):
    truth = made.stimuli[0].truth
    times = [1 + k / 4 for k in range(8)]
    assert truth["critical"] == [[time, 0.125 * WIDTH, 0.25 * HEIGHT, 0.375 * WIDTH, 0.75 * HEIGHT] for time in times]
    assert truth["placebo"] == [[time, 0.625 * WIDTH, 0.25 * HEIGHT, 0.875 * WIDTH, 0.75 * HEIGHT] for time in times]
    assert (truth["placebo_is"], truth["window"]) == ("mirrored", None)
    assert made.stimuli[1].truth["critical"] == []


def test_a_clip_of_frames_shows_each_frame_from_its_time_on(made):
    for stimulus, every, count in ((made.stimuli[2], 0.5, 8), (made.stimuli[3], 0.25, 16)):
        clip = decode((made.folder / stimulus.media[0].file).read_bytes(), "clip")
        assert (clip.count, float(clip.rate)) == (count, 1 / every)
        for frame in clip.frames():
            shade = len("three") if every == 0.5 else len("four")
            assert np.abs(frame.pixels.astype(int) - picture(frame.index, shade)).mean() < 4


def test_counts_are_those_of_the_items_and_other_files_are_named(made):
    facts = made.manifest["import"]
    assert (facts["listed"], facts["clips_made_of_frames"], facts["left_out"]["items"]) == (4, 2, 0)
    assert facts["not_read"] == {"overall_stats.json": "neither items nor results", "results_gpt.json": "results"}
    published = facts["published"]["counts"]["linguistic_type"]
    assert {letter: each["here"] for letter, each in published.items()} == dict.fromkeys("ABCD", 1)


def test_one_file_of_items_is_the_same_set(made, release, tmp_path):
    assert imported(release / "magic_bench_dataset_with_timestamps.json", tmp_path).digest == made.digest


def test_a_release_goes_the_whole_way_and_the_rule_cannot_tell(made, tmp_path, called):
    code, _, err = called("check", made.folder)
    assert (code, err) == (0, "")
    settings = {"stance": ("vision-only", "forensic", "text-only")}
    run = veridical.run(
        made,
        "veridical/simulated",
        out=tmp_path / "run",
        settings=settings,
        model_args={"mechanism": "perfect"},
        **QUIET,
    )
    rows = run.outcomes()
    words = rows.select(
        "stimulus", *(pl.col("settings").str.json_path_match(f"$.{name}").alias(name) for name in ("stance", "patter"))
    )
    assert words.height == 3 * 4
    assert set(words.filter(pl.col("stance") != "vision-only")["patter"]) == {"own"}
    judged = veridical.judge(run, judge="veridical/rule", **QUIET)
    verdicts = judged.evidence().outcomes("grade")
    assert verdicts.height == rows.height
    assert set(verdicts["status"]) == {"unparsed"}
    assert all(reason.startswith("cannot tell: ") for reason in verdicts["reason"])
    page = veridical.write_report([judged.folder], tmp_path / "report.html")
    assert page.is_file()


BAD = {
    "no id that is a name": (changed(0, id="../magic_1"), "no id"),
    "an id of dots": (changed(0, id=".."), "no id"),
    "an id twice": (changed(1, id="magic_1"), "an id that is repeated"),
    "no clip and no frames": (changed(1, video_filename="nowhere.mp4"), "no clip and no frames"),
    "nothing named": (changed(1, video_filename=None), "no clip and no frames"),
    "missing frames": (changed(2, visual_timeline=frames("c", count=9)), "missing frames"),
    "a path that leaves": (changed(1, video_filename="../../two.mp4"), "a path that leaves the folder"),
    "frames that leave": (changed(2, frames_folder="..\\three"), "a path that leaves the folder"),
    "frames backwards": (changed(2, visual_timeline=frames("c")[::-1]), "a timeline of frames that cannot be read"),
    "a frame without a time": (
        changed(2, visual_timeline=[{"filename": "c_00.jpg"}]),
        "a timeline of frames that cannot be read",
    ),
    "a region in pixels": (changed(0, visual_timeline=frames("a", region=[4, 4, 20, 20])), "a region that is none"),
    "a region inside out": (changed(0, visual_timeline=frames("a", region=[0.5, 0, 0.2, 1])), "a region that is none"),
    "speech beyond the clip": (
        changed(0, audio_timeline=[{"start": 3.0, "end": 4.6, "text": "Gone."}]),
        "a transcript beyond the clip",
    ),
    "speech after the clip": (
        changed(2, audio_timeline=[{"start": 9.0, "text": "Gone."}]),
        "a transcript beyond the clip",
    ),
    "speech backwards": (
        changed(0, audio_timeline=[{"start": 3.0, "end": 2.0, "text": "Gone."}]),
        "a transcript that cannot be read",
    ),
    "no constraint": (changed(0, ground_truth={"principle": "  \n "}), "no constraint"),
    "no truth": (changed(0, ground_truth=None), "no constraint"),
    "constraints that contradict": (
        changed(0, ground_truth={"principle": ["The coin is in the left hand.", "The coin isn't in the left hand."]}),
        "constraints that contradict each other",
    ),
    "one thing in two places": (
        changed(
            0,
            ground_truth={
                "pcs": [
                    {
                        "text": "It is here.",
                        "kind": "cover",
                        "thing": "coin",
                        "place": "left hand",
                        "start": 1,
                        "end": 3,
                    },
                    {"text": "It is there.", "kind": "cover", "thing": "coin", "place": "lap", "start": 2, "end": 4},
                ]
            },
        ),
        "constraints that contradict each other",
    ),
    "a constraint of no kind": (
        changed(0, ground_truth={"pcs": [{"text": "a", "kind": "law"}]}),
        "a constraint that is none",
    ),
    "an unknown type": (changed(0, linguistic_type="Type E: Song"), "an unknown type of words"),
    "text that is none": (changed(0, transcript=["gone"]), "text that cannot be read"),
    "endless text": (changed(0, difficulty="x" * 10_001), "text that cannot be read"),
}


@pytest.mark.parametrize("case", BAD)
def test_an_item_that_cannot_be_used_is_left_out_and_counted_with_its_reason(case, tmp_path):
    listed, reason = BAD[case]
    place = write(tmp_path / "release", listed)
    made = imported(place, tmp_path)
    assert (len(made), left_out(made)) == (3, {reason: 1})
    with pytest.raises(InputError, match=r"1 of 4 items cannot be used; the first, magic_bench.*, item ") as error:
        imported(place, tmp_path, "strict", strict=True)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "content", [b"", b"no clip", video(3)[:300], b"\x89PNG\r\n\x1a\n" + bytes(60)], ids=["empty", "text", "cut", "png"]
)
def test_a_file_that_is_no_clip_is_left_out_and_counted(content, tmp_path):
    place = write(tmp_path / "release")
    (place / "final_clips_dataset" / "two.mp4").write_bytes(content)
    made = imported(place, tmp_path)
    assert (len(made), left_out(made)) == (3, {"a clip that cannot be opened": 1})


def test_a_frame_that_is_no_picture_is_left_out_wherever_it_stands(tmp_path):
    place = write(tmp_path / "release")
    (place / "frames" / "three" / "c_00.jpg").write_bytes(b"none")
    (place / "frames" / "four" / "d_07.jpg").write_bytes(b"none")
    made = imported(place, tmp_path)
    assert (len(made), left_out(made)) == (2, {"a clip that cannot be opened": 2})


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("{", "no JSON that can be read"),
        ("[]", "no JSON file with items"),
        ('[{"video_filename": "a", "video_filename": "b"}]', "no JSON that can be read"),
        ('[{"video_filename": "a"}, 3]', "item 2: an object is needed"),
    ],
)
def test_a_file_that_holds_no_items_ends_the_import_in_a_line(text, line, tmp_path):
    place = tmp_path / "release"
    place.mkdir()
    (place / "items.json").write_text(text)
    with pytest.raises(InputError, match=line):
        imported(place, tmp_path)


def test_two_files_with_the_same_items_are_not_summed(tmp_path):
    place = write(tmp_path / "release")
    write(place, name="magic_bench_dataset_pro.json")
    with pytest.raises(InputError, match="both have the item 'magic_1': name one of the files"):
        imported(place, tmp_path)
    assert len(imported(place / "magic_bench_dataset_pro.json", tmp_path)) == 4


def test_what_does_not_fit_together_is_a_doubt_and_is_counted(tmp_path):
    listed = items()
    listed[3] |= {"transcript": "Hello to all of you."}
    listed[0] |= {"transcript": "Something else."}
    listed[2] |= {"transcript": "", "audio_timeline": []}
    made = imported(write(tmp_path / "release", listed), tmp_path)
    assert [each.truth.get("doubts", []) for each in made.stimuli] == [
        ["transcript and rows of speech differ"],
        [],
        ["type A, B or C without words"],
        ["type D with words", "speech without times"],
    ]
    assert {each["doubt"]: each["stimuli"] for each in made.manifest["import"]["doubtful"]} == {
        "transcript and rows of speech differ": 1,
        "type A, B or C without words": 1,
        "type D with words": 1,
        "speech without times": 1,
    }


SHARES = st.integers(0, 100)


@given(st.lists(st.tuples(SHARES, SHARES, SHARES, SHARES), min_size=1, max_size=4))
def test_a_mirrored_box_has_the_same_size_and_never_meets_its_box(corners):
    boxes = [
        (k / 4, (min(x, u) / 101, min(y, v) / 101, (max(x, u) + 1) / 101, (max(y, v) + 1) / 101))
        for k, (x, y, u, v) in enumerate(corners)
    ]
    for (time, box), (other_time, other) in zip(boxes, mirror_images(boxes), strict=False):
        assert time == other_time
        assert np.allclose([box[2] - box[0], box[3] - box[1]], [other[2] - other[0], other[3] - other[1]])
        apart = min(box[2], other[2]) <= max(box[0], other[0]) or min(box[3], other[3]) <= max(box[1], other[1])
        assert apart


@given(st.lists(st.floats(0, 100), min_size=1, max_size=9, unique=True), st.floats(0, 120))
def test_the_frame_on_display_is_the_last_that_has_begun(times, time):
    entries = [TimelineEntry(each, "", None) for each in sorted(times)]
    begun = [k for k, entry in enumerate(entries) if entry.time <= time + 0.001]
    assert place_at(entries, time) == max(begun, default=0)
