"""Annotations that people review, and times and boxes that they mark in clips, come back into sets as stated."""

from __future__ import annotations

import csv
from itertools import combinations, pairwise

import pytest
import typer
from typer.testing import CliRunner

import veridical
from tests.people.raters import begun, read_back, replay
from tests.probe.staged import answering
from tests.suites.hocabench import pipeline, release_data
from tests.suites.magicbench import release_data as magic_data
from veridical.errors import InputError
from veridical.people.study_sheets import tables_of
from veridical.suites.hocabench.people import agreed_intervals
from veridical.suites.magicbench.people import quarters_between
from veridical.suites.magicbench.releases.commands import register

COUNT = 5


@pytest.fixture(scope="module")
def annotated(tmp_path_factory):
    """A run of annotation on a few raw clips, whose labels validate."""
    folder = tmp_path_factory.mktemp("annotated")
    raw = veridical.import_release(
        "videos", pipeline.raw_clips(folder / "clips", COUNT, described=COUNT), folder / "set"
    )
    with answering(pipeline.replies()) as server:
        return veridical.run(raw, out=folder / "run", **pipeline.options_for(server, folder)).folder


def as_stated(screen):
    return {field["name"]: field["value"] for field in screen["fields"] if field["value"] is not None}


def number_of(hidden):
    return int(hidden["key"]["stimulus"].split("/")[1])


def reviewing(decisions):
    """A rater who decides by the number of the clip; a correction is of the kind and of a text."""

    def rater(screen, hidden):
        decision = decisions[number_of(hidden) % COUNT]
        answer = {**as_stated(screen), "decision": decision}
        if decision == "correct":
            answer |= {"sub_type": "collision", "anomaly_phenomenon": f"It sinks into block {number_of(hidden)}."}
        return answer | ({"reason": "Nothing is odd."} if decision == "reject" else {})

    return rater


def test_reviewed_labels_are_those_that_most_people_keep(annotated, tmp_path):
    one = reviewing(["accept", "correct", "reject", "accept", "accept"])
    two = reviewing(["accept", "correct", "reject", "correct", "reject"])
    three = reviewing(["accept", "accept", "accept", "correct", "correct"])
    study = replay(begun(tmp_path / "study", "review", annotated, people=3), one, two, three)
    read = read_back(study, tmp_path / "set")
    made = veridical.open_set(read.place)
    assert made.manifest["import"]["left_out"]["reasons"] == {"rejected by people": 1, "people differ": 1}
    assert sorted(each.truth["sub_types"][0] for each in made.stimuli) == ["collision", "collision", "gravity"]
    corrected = [each for each in made.stimuli if each.truth["sub_types"] == ["collision"]]
    assert all(each.truth["reference"]["anomaly"].startswith("It sinks into block") for each in corrected)
    assert {each.truth["reviewed"]["of"] for each in made.stimuli} == {3}
    (reason,) = [each for each in made.manifest["import"]["left_out"]["each"] if each["reason"] == "rejected by people"]
    assert "Nothing is odd." in reason["detail"]


def test_all_fields_of_a_proposal_can_be_edited_and_the_taxonomy_is_a_tree(annotated, tmp_path):
    seen = []

    def rater(screen, hidden):
        seen.append(screen)
        return {**as_stated(screen), "decision": "accept"}

    replay(begun(tmp_path / "study", "review", annotated, items=1), rater)
    fields = {field["name"]: field for field in seen[0]["fields"]}
    assert (fields["sub_type"]["kind"], fields["sub_type"]["value"]) == ("tree", "gravity")
    assert len(fields["sub_type"]["options"]) == 18
    assert all(len(option["branch"]) == 2 for option in fields["sub_type"]["options"])
    assert fields["anomaly_phenomenon"]["value"] == "The square rises."
    assert "org/classifier" not in str(seen)


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    """A set of a release: three single anomalies, several at a time, intervals to be found, and a real clip."""
    folder = tmp_path_factory.mktemp("hoca")
    return veridical.import_release(
        "hocabench", release_data.as_json(folder / "release", release_data.items()), folder / "set"
    )


SPANS = ((0.25, 0.75), (0.5, 1.0), (0.5, 1.25))


def test_times_are_the_medians_of_people_and_agreement_is_temporal_iou(released, tmp_path):
    raters = [lambda *_, span=span: {"intervals": [list(span)]} for span in SPANS]
    study = replay(begun(tmp_path / "study", "times", released.folder, people=3), *raters)
    read = read_back(study, tmp_path / "set")
    made = veridical.open_set(read.place)
    odd = [each for each in made.stimuli if each.variant != "plausible"]
    assert len(made) == len(released)
    assert {tuple(map(tuple, each.truth["intervals"])) for each in odd} == {((0.5, 1.0),)}
    assert {each.factors["event"] for each in odd} == {0.5}
    assert read.facts["iou"] == pytest.approx(sum(map(overlap, combinations(SPANS, 2))) / 3)
    assert read.facts["marked"] == len(odd)
    assert not veridical.check(made).failed


def overlap(pair):
    (a, b), (c, d) = pair
    inside = max(0.0, min(b, d) - max(a, c))
    return inside / (b - a + d - c - inside)


def test_a_drawn_clip_keeps_its_log_where_people_mark_what_it_says(tmp_path):
    small = {"units": 1, "sub_types": ("gravity",), "panels": 0, "sequences": 0, "height": 180, "rate": 10}
    whole = veridical.make("hocabench", out=tmp_path / "drawn", **small)
    (odd,) = [each for each in whole.stimuli if each.variant == "violating"]
    own = odd.truth["intervals"]
    for name, marked, logged in (("same", own, True), ("other", [[0.0, 0.5]], False)):
        study = replay(begun(tmp_path / name, "times", whole.folder), lambda *_, marked=marked: {"intervals": marked})
        read = read_back(study, tmp_path / f"{name}-set")
        made = veridical.open_set(read.place)
        (clip,) = [each for each in made.stimuli if each.id == odd.id]
        assert clip.truth["intervals"] == marked
        assert ("made" in clip.truth) == logged
        assert (read.facts["iou_with_set"] == 1) == logged
        assert not veridical.check(made).failed


def test_intervals_of_one_person_among_three_are_no_agreement(released, tmp_path):
    assert agreed_intervals([[(0, 1)], [(2, 3)], [(4, 5)]]) == []
    apart = [lambda *_, start=start: {"intervals": [[start, start + 0.25]]} for start in (0, 0.5, 1)]
    study = replay(begun(tmp_path / "study", "times", released.folder, people=3), *apart)
    made = veridical.open_set(read_back(study, tmp_path / "set").place)
    assert {each.variant for each in made.stimuli} == {"plausible"}
    assert set(made.manifest["import"]["left_out"]["reasons"]) == {"people differ"}


@pytest.fixture(scope="module")
def tricks(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tricks")
    listed = magic_data.items()
    for item in listed:
        item["visual_timeline"] = [{**row, "roi_normalized": None} for row in item["visual_timeline"]]
    return veridical.import_release("magicbench", magic_data.write(folder / "release", listed), folder / "set")


def boxing(_, hidden):
    """A rater whose critical box moves evenly to the right, an eighth of the width a second."""
    times = hidden["key"]["times"]
    first, last = [0, 0.25, 0.25, 0.75], [times[-1] / 8, 0.25, 0.25 + times[-1] / 8, 0.75]
    return {"window": [[1.0, 2.0]], "boxes": {"critical": {"0": first, str(len(times) - 1): last}}}


def test_boxes_are_interpolated_onto_the_window_and_added_to_the_set(tricks, tmp_path):
    study = replay(begun(tmp_path / "study", "boxes", tricks.folder), boxing)
    app = commands()
    ended = CliRunner().invoke(
        app, ["add", str(tricks.folder), "--windows", str(study.folder), "--out", str(tmp_path / "new")]
    )
    assert ended.exit_code == 0, ended.output
    made = veridical.open_set(tmp_path / "new")
    clips = [each for each in made.stimuli if each.truth.get("critical")]
    assert len(clips) == len(study.votes()) > 1
    for clip in clips:
        assert clip.truth["window"] == [1.0, 2.0]
        assert [row[0] for row in clip.truth["critical"]] == [1.0, 1.25, 1.5, 1.75]
        for time, left, top, right, bottom in clip.truth["critical"]:
            wanted = time / 8
            width, height = clip.media[0].width, clip.media[0].height
            assert (left / width, right / width) == pytest.approx((wanted, wanted + 0.25), abs=1e-5)
            assert (top / height, bottom / height) == (0.25, 0.75)
    assert {row for each in read_rows_of(study) for row in each} >= {"left", "placebo_left"}


def commands():
    app = typer.Typer()
    register(app)
    return app


def read_rows_of(study):
    (table,) = tables_of([study.folder], "boxes")
    with table.open(newline="") as file:
        return list(csv.DictReader(file))


def test_a_placebo_takes_the_size_of_the_critical_box_and_several_people_their_median(tricks, tmp_path):
    placebo = {"placebo": {"0": [0.2, 0.8, 0.6, 0.98]}}
    still = {"critical": {"0": [0.0, 0.0, 0.2, 0.2]}}
    raters = [
        lambda *_, start=start: {"window": [[start, 2.0]], "boxes": {**still, **placebo}} for start in (0.5, 1.0, 1.25)
    ]
    study = replay(begun(tmp_path / "study", "boxes", tricks.folder, people=3, items=1), *raters)
    made = veridical.open_set(read_back(study, tmp_path / "set").place)
    (clip,) = [each for each in made.stimuli if each.truth.get("critical")]
    assert clip.truth["window"] == [1.0, 2.0]
    assert clip.truth["placebo_is"] == "stated"
    width, height = clip.media[0].width, clip.media[0].height
    _, left, top, right, bottom = clip.truth["placebo"][0]
    assert (left / width, right / width) == pytest.approx((0.3, 0.5))
    assert (top / height, bottom / height) == pytest.approx((0.79, 0.99))


def test_a_window_is_cut_into_quarters_that_each_hold_one_time():
    for start, end in ((0.0, 1.0), (0.1, 0.9), (0.3, 0.45), (1.0, 1.1)):
        parts = quarters_between(start, end)
        assert (parts[0][0], parts[-1][1]) == (start, end)
        assert all(one[1] == two[0] for one, two in pairwise(parts))
        assert all(begin <= time < ends for begin, ends, time in parts)


def test_what_cannot_be_marked_or_read_is_refused_in_one_line(released, annotated, tricks, tmp_path):
    study = begun(tmp_path / "times", "times", released.folder)
    cases = {
        "nobody has answered": lambda: read_back(study, tmp_path / "out"),
        "--out SET is needed": lambda: read_back(study, None),
        "one set": lambda: begun(tmp_path / "two", "times", released.folder, released.folder),
        "unknown task of hoca-annotate 'times'": lambda: begun(tmp_path / "other", "times", annotated),
        "1 to 4 are allowed": lambda: begun(tmp_path / "many", "boxes", tricks.folder, items=99),
    }
    for message, act in cases.items():
        with pytest.raises(InputError, match=message) as raised:
            act()
        assert "\n" not in str(raised.value)
