"""A release is the same set from every form; what cannot be used is counted to the item, with the reason."""

from __future__ import annotations

import json
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import veridical
from tests.ask.server import said as reply
from tests.probe.staged import answering
from tests.suites.hocabench.release_data import KEYS, as_csv, as_json, as_lines, as_object, clip, high, items
from veridical.errors import InputError
from veridical.suites.hocabench.names import domain_named, layer_named, sub_type_named
from veridical.suites.hocabench.taxonomy import DOMAINS, SUB_TYPES

FORMS = {"json": as_json, "an object": as_object, "json lines": as_lines, "csv": as_csv}


def imported(place, tmp_path, name="set", **options):
    return veridical.import_release("hocabench", place, tmp_path / name, **options)


def changed(k, **cells):
    """The annotations, the one at place `k` with other cells; a cell of `None` is left out."""
    listed = items()
    listed[k] = {key: value for key, value in {**listed[k], **cells}.items() if value is not None}
    return listed


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("release")
    return imported(as_json(folder / "release", items()), folder)


@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_the_same_set(made, form, tmp_path):
    other = imported(FORMS[form](tmp_path / "release", items()), tmp_path)
    assert other.digest == made.digest
    assert other.manifest["import"]["left_out"] == {"items": 0, "reasons": {}, "each": []}


def test_an_item_is_what_the_release_says_of_it(made):
    by_index = {stimulus.truth["index"]: stimulus for stimulus in made.stimuli}
    gravity, mutation, rod, both, found, real = (by_index[item["id"]] for item in items())
    assert [each.label for each in by_index.values()] == ["No", "No", "No", "collision,gravity", None, "Yes"]
    assert [each.variant for each in by_index.values()] == [*["violating"] * 3, "panels", "sequence", "plausible"]
    assert (gravity.family, gravity.category, gravity.factors["layer"]) == ("gravity", "mechanics", "causal")
    assert gravity.truth["reference"] == {
        "scene": items()[0]["scene_description"],
        "anomaly": "The mug lifts off.",
        "attribution": "Causal",
        "reasoning": items()[0]["normal_phenomenon"],
    }
    assert (gravity.truth["interaction"], mutation.truth["interaction"]) == (True, False)
    assert (gravity.factors["source_model"], gravity.factors["theme"]) == ("Wan 2.1", "kitchen")
    assert mutation.factors["scene_type"] == "indoor"
    assert (rod.truth["intervals"], rod.factors["event"]) == ([[0.5, 1.5]], 0.5)
    assert rod.truth["prompt"] == "A rod, held."
    assert (both.truth["sub_types"], both.factors["anomalies"]) == (["collision", "gravity"], 2)
    assert (found.truth["intervals"], found.factors["event"]) == ([[0.5, 1.0], [1.25, 1.75]], 0.5)
    assert (real.family, real.category, real.truth["plausible"]) == ("real", "real", True)
    assert all(each.factors["taken_from"] == "release" for each in made.stimuli)


def test_distractors_stand_among_four_options_with_the_true_description(made):
    truth = made.stimuli[0].truth
    assert sorted(truth["options"]) == sorted([*items()[0]["distractors"], "The mug lifts off."])
    assert truth["option"] == "The mug lifts off."
    assert truth["option_sub_types"][truth["options"].index("The mug lifts off.")] == "gravity"
    assert truth["option_sub_types"].count(None) == 3


def test_the_license_and_what_was_read_stand_in_the_manifest(made):
    assert "MIT" in made.manifest["license"]
    assert "Panda-70M" in made.manifest["license"]
    assert made.manifest["import"]["tables"] == ["annotations.json"]


def test_a_release_goes_the_whole_way(made, tmp_path, said):
    code, _, err = said("check", made.folder)
    assert (code, err) == (0, "")
    with answering(lambda _: reply("Yes")) as server:
        run = veridical.run(made, "org/model", out=tmp_path / "run", base_url=server.url, show="quiet", analyze=False)
    tasks = {json.loads(text)["task"] for text in run.outcomes()["settings"]}
    assert tasks == {"plausibility", "domain", "description", "explanation", "interval", "set"}
    marked = run.outcomes().filter(pl.col("gold").is_in(["Yes", "No"]))
    assert dict(marked.select("stimulus", "correct").iter_rows()) == {
        each.id: each.label == "Yes" for each in made.stimuli if each.label in ("Yes", "No")
    }


def broken(item, content):
    """What a clip's file holds in the place of a clip."""

    def write(folder, listed):
        place = as_json(folder, listed)
        (place / "videos" / listed[item]["video"]).write_bytes(content)
        return place

    return write


def endless():
    """A clip of three frames that takes more than ten hours."""
    return clip(1, frames=3, rate=Fraction(1, 14_000))


FLIPPED = np.frombuffer(clip(9), np.uint8).copy()
FLIPPED[len(FLIPPED) // 2 :: 7] ^= 0x5A
NO_CLIP = "a clip that cannot be opened"
BAD = {
    "an unknown sub-type": (changed(0, sub_category="Magic Anomaly"), "an unknown sub-type"),
    "no sub-type": (changed(0, sub_category=None), "a missing key"),
    "no scene": (changed(0, scene_description=None), "a missing key"),
    "no normal course": (changed(0, normal_phenomenon=" "), "a missing key"),
    "a contradicting type": (changed(0, type="Ontological Anomaly"), "a type or category of another sub-type"),
    "a contradicting category": (changed(0, category="Optical Anomaly"), "a type or category of another sub-type"),
    "an unknown category": (changed(0, category="Art"), "a type or category of another sub-type"),
    "end before start": (changed(4, intervals=[[1.0, 0.5]]), "an interval that ends before it starts"),
    "an interval after the clip": (changed(4, intervals=[[1.0, 9.0]]), "an interval outside the clip"),
    "an interval before the clip": (changed(4, intervals=[[-1.0, 1.0]]), "an interval outside the clip"),
    "an interval that is no number": (changed(4, intervals="soon"), "an interval that ends before it starts"),
    "no interval": (changed(4, intervals=None, task="grounding"), "a missing key"),
    "a missing clip": (changed(0, video="nowhere/g9.mp4"), "a missing clip"),
    "no clip": (changed(0, video=None), "no clip is named"),
    "an index twice": (changed(1, id="g1"), "an index that is repeated"),
    "an index that is no name": (changed(0, id="a/b"), "no index"),
    "text that is none": (changed(0, anomaly_phenomenon={"a": 1}), "text that cannot be read"),
    "endless text": (changed(0, theme="x" * 10_001), "text that cannot be read"),
}
FILES = {
    "zero bytes": (b"", NO_CLIP),
    "text": (b"this is no clip, whatever its name says", NO_CLIP),
    "a GIF": (b"GIF89a" + bytes(40), NO_CLIP),
    "truncated": (clip(3)[:-200], NO_CLIP),
    "cut early": (clip(3)[:300], NO_CLIP),
    "a picture": (b"\x89PNG\r\n\x1a\n" + bytes(60), NO_CLIP),
    "ten hours": (endless(), "a clip longer than 10 minutes"),
}


def left_out(made):
    found = made.manifest["import"]["left_out"]
    assert all("\n" not in each["detail"] for each in found["each"])
    return found["reasons"]


@pytest.mark.parametrize("case", BAD)
def test_an_item_that_cannot_be_used_is_left_out_and_counted_with_its_reason(case, tmp_path):
    listed, reason = BAD[case]
    place = as_json(tmp_path / "release", listed)
    made = imported(place, tmp_path)
    assert (len(made), left_out(made)) == (5, {reason: 1})
    with pytest.raises(InputError, match=r"1 of 6 items cannot be used; the first, annotations\.json, item ") as error:
        imported(place, tmp_path, "strict", strict=True)
    assert "\n" not in str(error.value)
    assert not (tmp_path / "strict").exists()


@pytest.mark.parametrize("case", FILES)
def test_a_file_that_is_no_whole_clip_is_left_out_and_counted(case, tmp_path):
    content, reason = FILES[case]
    made = imported(broken(0, content)(tmp_path / "release", items()), tmp_path)
    assert (len(made), left_out(made)) == (5, {reason: 1})


def test_a_clip_with_flipped_bits_is_left_out_or_read_whole_and_nothing_crashes(tmp_path):
    made = imported(broken(0, FLIPPED.tobytes())(tmp_path / "release", items()), tmp_path)
    assert len(made) + sum(left_out(made).values()) == 6


def test_real_clips_are_720_px_high_or_set_aside_with_the_reason(tmp_path):
    made = imported(broken(5, clip(5))(tmp_path / "release", items()), tmp_path)
    assert left_out(made) == {"a real clip below 720 px": 1}
    (each,) = made.manifest["import"]["left_out"]["each"]
    assert "48x32: a real clip needs a height of 720 px or more" in each["detail"]


def test_clips_of_a_folder_of_real_ones_need_no_annotation_and_others_are_named(tmp_path):
    place = as_json(tmp_path / "release", items())
    (place / "real_videos").mkdir()
    for k, content in enumerate((high(20), clip(21), b"")):
        (place / "real_videos" / f"{k}.mp4").write_bytes(content)
    (place / "videos" / "nobody.mp4").write_bytes(clip(30))
    made = imported(place, tmp_path)
    assert [each.label for each in made.stimuli].count("Yes") == 2
    assert left_out(made) == {"a real clip below 720 px": 1, NO_CLIP: 1}
    assert made.manifest["import"]["extra"] == ["videos/nobody.mp4"]


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        ({}, "violating"),
        ({"task": "single-anomaly"}, "violating"),
        ({"task": "multiple choice"}, "violating"),
        ({"task": "multi-choice"}, "violating"),
        ({"task": "temporal grounding", "start": 0.5, "end": 1.0}, "sequence"),
        ({"split": "test", "start": 0.5, "end": 1.0}, "violating"),
        ({"start": 0.5, "end": 1.0, "anomaly_phenomenon": None}, "sequence"),
        ({"sub_category": ["Gravity Anomaly", "Inertia Anomaly"]}, "panels"),
        ({"task": "multi", "sub_category": "gravity; inertia", "intervals": "0-1;1-2"}, "panels"),
    ],
)
def test_what_a_record_annotates_follows_from_its_task_or_from_what_it_has(cells, kind, tmp_path):
    made = imported(as_json(tmp_path / "release", changed(0, **cells)[:1]), tmp_path)
    assert [each.variant for each in made.stimuli] == [kind]


def test_a_folder_of_realistic_clips_is_no_folder_of_real_ones(tmp_path):
    place = as_json(tmp_path / "release", items())
    (place / "realistic").mkdir()
    (place / "realistic" / "a.mp4").write_bytes(high(20))
    made = imported(place, tmp_path)
    assert made.manifest["import"]["extra"] == ["realistic/a.mp4"]
    assert len(made) == 6


def test_keys_that_nothing_reads_and_optional_ones_that_are_missing_are_counted(tmp_path):
    listed = changed(0, mood="gay", interaction_judgment=None)
    listed[1]["mood"] = "sad"
    made = imported(as_json(tmp_path / "release", listed), tmp_path)
    assert made.manifest["import"]["unused_keys"] == {"mood": 2}
    assert made.manifest["import"]["missing_keys"] == {"interaction_judgment": 1}
    assert made.stimuli[0].truth["interaction"] is None


def test_options_that_cannot_be_used_are_a_doubt_and_no_reason_to_leave_a_clip_out(tmp_path):
    listed = changed(0, distractors=["The mug melts.", "The mug melts.", "It glows."])
    made = imported(as_json(tmp_path / "release", listed), tmp_path)
    assert made.stimuli[0].truth["options"] is None
    (doubt,) = made.manifest["import"]["doubtful"]
    assert "its options cannot be used" in doubt["doubt"]


@pytest.mark.parametrize("answer", ["B", "(b)", "It rises, slowly."])
def test_lettered_options_with_an_answer_are_read(answer, tmp_path):
    options = "A. It melts.\nB. It rises, slowly.\nC. It glows.\nD. It splits."
    made = imported(
        as_csv(tmp_path / "release", changed(0, distractors=None, options=options, answer=answer)), tmp_path
    )
    assert made.stimuli[0].truth["option"] == "It rises, slowly."
    assert made.stimuli[0].truth["options"] == ["It melts.", "It rises, slowly.", "It glows.", "It splits."]


def test_several_questions_about_the_intervals_of_one_clip_share_its_unit(tmp_path):
    listed = items()
    for k, start in enumerate((0.25, 1.0)):
        question = f"When does thing {k} stop?"
        listed.append({**listed[4], "intervals": [[start, start + 0.5]], "question": question})
    made = imported(as_json(tmp_path / "release", listed), tmp_path)
    asked = [each for each in made.stimuli if each.family == "sequence"]
    assert len({each.id for each in asked}) == 3
    assert len({each.unit for each in asked}) == 1
    assert [each.truth.get("asked") for each in asked] == [None, "When does thing 0 stop?", "When does thing 1 stop?"]


def test_anomalies_listed_one_by_one_are_read_with_their_intervals(tmp_path):
    listed = items()
    parts = [
        {"sub_category": "Gravity Anomaly", "start": 0.5, "end": 1},
        {"sub_category": "Inertia", "interval": [1, 2]},
    ]
    listed[4] = {"id": "s1", "video": "s1.mp4", "anomalies": parts}
    made = imported(as_json(tmp_path / "release", listed), tmp_path)
    assert made.stimuli[4].truth["intervals"] == [[0.5, 1.0], [1.0, 2.0]]
    assert made.stimuli[4].truth["sub_types"] == ["gravity", "inertia"]


@pytest.mark.parametrize("name", ["../secret.mp4", "/etc/secret.mp4", "videos/../../secret.mp4", "link.mp4"])
def test_an_item_whose_path_leaves_the_folder_is_left_out(name, tmp_path):
    (tmp_path / "secret.mp4").write_bytes(clip(1))
    place = as_json(tmp_path / "release", changed(0, video=name))
    (place / "link.mp4").unlink(missing_ok=True)
    (place / "link.mp4").symlink_to(tmp_path / "secret.mp4")
    (place / "videos" / "link.mp4").unlink(missing_ok=True)
    left_out = imported(place, tmp_path).manifest["import"]["left_out"]
    assert left_out["reasons"] == {"a path that leaves the folder": 1}


@pytest.mark.parametrize("content", ["", "{", "[1]", '"a"', '[{"id": NaN}]', '{"a": 1, "a": 2}', "[]"])
def test_a_table_that_is_none_is_refused_in_one_line(content, tmp_path):
    (tmp_path / "release").mkdir()
    (tmp_path / "release" / "a.json").write_text(content)
    with pytest.raises(InputError) as error:
        imported(tmp_path / "release", tmp_path)
    assert "\n" not in str(error.value)


def test_a_folder_without_annotations_is_refused(tmp_path, said):
    (tmp_path / "release").mkdir()
    code, _, err = said("import", "hocabench", tmp_path / "release", "--out", tmp_path / "set")
    assert (code, err.count("\n")) == (2, 1)
    assert "holds no annotation" in err


@given(st.recursive(st.none() | st.booleans() | st.floats() | st.text(max_size=9), lambda c: st.lists(c, max_size=3)))
def test_whatever_a_cell_holds_the_item_is_used_or_left_out(tmp_path_factory, cell):
    folder = tmp_path_factory.mktemp("cells")
    listed = items()[:2]
    for key in ("sub_category", "intervals", "options", "id", "theme"):
        listed.append({**items()[2], "id": f"x-{key}", "video": "g1.mp4", key: cell})
    place = as_json(folder / "release", listed[:2])
    text = json.dumps(listed).replace("NaN", "null").replace("-Infinity", "-1e999").replace("Infinity", "1e999")
    (place / "annotations.json").write_text(text)
    made = imported(place, folder)
    assert len(made) + sum(left_out(made).values()) == 7


@pytest.mark.parametrize("name", SUB_TYPES)
def test_every_name_of_a_sub_type_is_read(name):
    kind = SUB_TYPES[name]
    for text in (name, kind.title, kind.title.upper(), f"{kind.title} Anomaly", *kind.aliases):
        assert sub_type_named(text) == name


def test_every_domain_and_layer_of_the_papers_prompt_is_read():
    printed = {
        "Ontological Anomaly": ("Property Anomaly", "State Anomaly", "Bio-Behavior Anomaly"),
        "Causal Anomaly": (
            "Mechanical Anomaly",
            "Physical Material Anomaly",
            "Mass & Volume Consistency Anomaly",
            "Thermodynamic Anomaly",
            "Chemical Anomaly",
            "Optical Anomaly",
        ),
    }
    names = [domain_named(text) for texts in printed.values() for text in texts]
    assert names == list(DOMAINS)
    for layer, texts in printed.items():
        assert {DOMAINS[domain_named(text)].layer for text in texts} == {layer_named(layer)}


def test_the_seven_keys_are_those_of_the_paper():
    assert set(KEYS) <= set(items()[0])
