"""GQA with AiR-D, and annotated records, from the disk: what comes in, and what is left out with the reason."""

import json
import shutil

import numpy as np
import pytest

import veridical
from tests.suites.magic.annotated_sets import write_set_annotated
from tests.suites.magic.gqa_data import (
    PLACES,
    jpeg,
    object_of,
    picture_of,
    question,
    questions,
    saliency,
    write_gqa,
    write_json,
)
from tests.suites.magic.stimuli import ANNOTATED, make_stimulus, picture, released, stimuli
from veridical.errors import InputError
from veridical.media.draw import encode_png
from veridical.records import Box
from veridical.suites.magic.regions.choose import overlap
from veridical.suites.magic.releases import gqa_files
from veridical.suites.magic.releases.annotated_files import record_of, write_annotated

PICTURES = 3


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_gqa(tmp_path_factory.mktemp("gqa") / "gqa", pictures=12)


@pytest.fixture(scope="module")
def made(folder, tmp_path_factory):
    return veridical.import_release("gqa", folder, tmp_path_factory.mktemp("set") / "set")


@pytest.fixture
def copy(tmp_path):
    return write_gqa(tmp_path / "gqa", PICTURES)


def imported(what, place, tmp_path, **options):
    return veridical.import_release(what, place, tmp_path / "set", **options)


def reasons(made):
    return made.manifest["import"]["left_out"]["reasons"]


def test_a_question_with_a_saliency_map_is_a_stimulus_on_the_shared_picture(made):
    assert len(made) == 36
    assert not veridical.check(made).failed
    assert len({stimulus.media[0].file for stimulus in made.stimuli}) == 12
    first = made.stimuli[0]
    assert (first.id, first.unit, first.family, first.variant) == (
        "photo/2400000/00001",
        "photo/2400000",
        *["photo"] * 2,
    )
    assert (first.question, first.label, first.category) == ("What color is the mug?", "red", "query")
    assert first.truth["full"] == "The mug is red."
    assert first.factors["taken_from"] == "gqa"
    facts = made.manifest["import"]
    assert (facts["questions"], facts["questions_without_saliency"]) == (60, 24)
    assert facts["regions"] == {"no hot spot": 12, "on a thing": 24, "random": 12}
    assert facts["left_out"]["items"] == 0


def test_relevant_are_the_annotated_objects_and_the_hot_spots_and_misleading_are_things_of_other_questions(made):
    things = [(x, y, x + w, y + h) for x, y, w, h in PLACES]
    for stimulus in made.stimuli:
        truth = stimulus.truth
        boxes = [tuple(box) for box in truth["boxes"]]
        relevant = {boxes[number - 1] for number in truth["relevant"]}
        misleading = {boxes[number - 1] for number in truth["adversarial"]}
        if stimulus.category == "query":
            assert relevant == {things[0]}
            assert misleading <= set(things[1:])
        if stimulus.category == "choose":  # the book is no object of the question, but hot
            assert relevant == {things[0], (410, 75, 450, 115)}
            assert misleading == {things[1], things[2], things[4]}
        if stimulus.category == "compare":
            assert relevant == set(things[2:])
            assert len(misleading - set(things)) == 1
        assert stimulus.factors["box_count"] == len(boxes) == len(relevant) + 3


def test_numbers_are_random_by_question_and_the_same_in_every_import(made, folder, tmp_path):
    assert len({tuple(stimulus.truth["relevant"]) for stimulus in made.stimuli if stimulus.category == "query"}) > 2
    assert imported("gqa", folder, tmp_path).digest == made.digest


@pytest.mark.parametrize(
    ("gone", "line"),
    [
        ("sceneGraphs/val_sceneGraphs.json", "lacks val_sceneGraphs.json"),
        ("questions1.2", "lacks val_balanced_questions.json or val_all_questions.json"),
        ("images", "lacks the folder 'images'"),
        ("AiR-D/aggregated_maps/fixmaps_corr", "lacks AiR-D's folder 'fixmaps_corr'"),
    ],
)
def test_a_folder_with_half_of_the_files_is_one_line_that_names_what_is_missing(copy, tmp_path, gone, line):
    (copy / gone).rename(tmp_path / "elsewhere")
    with pytest.raises(InputError, match=line) as error:
        imported("gqa", copy, tmp_path)
    assert "\n" not in str(error.value)


def test_saliency_of_wrong_answers_stands_for_nothing(copy, tmp_path):
    maps = copy / "AiR-D" / "aggregated_maps" / "fixmaps_corr"
    maps.rename(maps.with_name("fixmaps_incorr"))
    with pytest.raises(InputError, match=r"only fixmaps_incorr; maps of correct answers alone are used"):
        imported("gqa", copy, tmp_path)


def test_train_files_stand_for_nothing_and_are_not_read(copy, tmp_path):
    graphs = copy / "sceneGraphs" / "val_sceneGraphs.json"
    shutil.copy(graphs, graphs.with_name("train_sceneGraphs.json"))
    made = imported("gqa", copy, tmp_path)
    assert made.manifest["import"]["not_read"] == ["sceneGraphs/train_sceneGraphs.json"]
    graphs.unlink()
    with pytest.raises(InputError, match=r"train_sceneGraphs\.json of another split cannot stand for it"):
        veridical.import_release("gqa", copy, tmp_path / "other")


def test_scene_graphs_of_more_pictures_than_val_has_are_refused(copy, tmp_path, monkeypatch):
    monkeypatch.setattr(gqa_files, "PICTURES_OF_VAL", PICTURES - 1)
    with pytest.raises(InputError, match="more than 2 pictures, the val split's: another split is mixed in"):
        imported("gqa", copy, tmp_path)


def change(copy, name, **changes):
    """Changes a question's record."""
    path = copy / "questions1.2" / "val_balanced_questions.json"
    listed = json.loads(path.read_text())
    listed[name] = {**listed[name], **changes}
    write_json(path, listed)


def resize_map(copy):
    (copy / "AiR-D/aggregated_maps/fixmaps_corr/00001.png").write_bytes(saliency(0, width=375, height=500))


def other_size(copy):
    (copy / "images" / f"{picture_of(0)}.jpg").write_bytes(jpeg(0, 400, 300))


def break_picture(copy):
    path = copy / "images" / f"{picture_of(0)}.jpg"
    path.write_bytes(path.read_bytes()[:300])


def break_map(copy):
    (copy / "AiR-D/aggregated_maps/fixmaps_corr/00001.png").write_bytes(b"no picture")


def lone_map(copy):
    (copy / "AiR-D/aggregated_maps/fixmaps_corr/99999.png").write_bytes(saliency(0))


LEFT_OUT = {
    "another shape": (resize_map, {"saliency of another shape": 1}),
    "another picture": (other_size, {"a picture that does not match its graph": 3}),
    "no picture": (lambda c: (c / "images" / f"{picture_of(1)}.jpg").unlink(), {"a missing picture": 3}),
    "a broken picture": (break_picture, {"a picture that cannot be opened": 3}),
    "a broken map": (break_map, {"a saliency map that cannot be read": 1}),
    "a map alone": (lone_map, {"a saliency map without a question": 1}),
    "no graph": (lambda c: change(c, "00001", imageId="77"), {"a picture without a scene graph": 1}),
    "a path": (lambda c: change(c, "00001", imageId="../secret"), {"a name that cannot be used": 1}),
    "a type": (lambda c: change(c, "00001", types={"structural": "poem"}), {"an unknown type of question": 1}),
    "no question": (lambda c: change(c, "00001", question=" "), {"an empty question": 1}),
    "no answer": (lambda c: change(c, "00001", fullAnswer=None), {"no answer": 1}),
    "half a character": (lambda c: change(c, "00001", answer="\ud800"), {"text that cannot be read": 1}),
    "no region": (
        lambda c: change(c, "00005", annotations={}, semantic=[]),
        {"no relevant region": 1},
    ),
    "many objects": (
        lambda c: change(c, "00001", annotations={"question": {str(k): str(k) for k in range(100)}}),
        {"too many annotated objects": 1},
    ),
}


@pytest.mark.parametrize("case", LEFT_OUT)
def test_a_question_that_cannot_be_used_is_counted_with_the_reason(copy, tmp_path, case):
    spoil, expected = LEFT_OUT[case]
    spoil(copy)
    made = imported("gqa", copy, tmp_path)
    assert reasons(made) == expected
    assert len(made) == 3 * PICTURES - sum(expected.values()) + (case == "a map alone")
    with pytest.raises(InputError):
        veridical.import_release("gqa", copy, tmp_path / "strict", strict=True)


def test_saliency_of_another_size_and_the_same_shape_is_scaled_and_counted(copy, tmp_path):
    (copy / "AiR-D/aggregated_maps/fixmaps_corr/00003.png").write_bytes(saliency(0, 3, width=1000, height=750))
    made = imported("gqa", copy, tmp_path)
    assert made.manifest["import"]["regions"]["saliency scaled"] == 1
    scaled = next(stimulus for stimulus in made.stimuli if stimulus.id.endswith("00003"))
    assert [410, 75, 450, 115] in scaled.truth["boxes"]


def test_overlapping_and_empty_boxes_of_objects_are_merged_and_counted(copy, tmp_path):
    path = copy / "sceneGraphs" / "val_sceneGraphs.json"
    listed = json.loads(path.read_text())
    objects = listed[picture_of(0)]["objects"]
    objects[object_of(0, 3)] |= {"x": 295, "y": 75}
    objects[object_of(0, 2)] |= {"w": 0}
    objects[object_of(0, 4)] |= {"y": "a lot"}
    write_json(path, listed)
    made = imported("gqa", copy, tmp_path)
    assert made.manifest["import"]["regions"]["empty"] == 1
    for stimulus in made.stimuli:
        boxes = [Box(*box) for box in stimulus.truth["boxes"]]
        assert not any(overlap(one, two) for k, one in enumerate(boxes) for two in boxes[:k])


@pytest.mark.parametrize(
    "text", ["", "[1, 2]", '{"1": ', '{"1": {}', "[" * 100_000, '{"1" 3}', '{"1": {"width": 3}}', "\xff"]
)
def test_files_that_are_no_json_of_gqa_are_one_line(copy, tmp_path, text):
    (copy / "sceneGraphs" / "val_sceneGraphs.json").write_bytes(text.encode("latin-1"))
    with pytest.raises(InputError, match=r"val_sceneGraphs\.json") as error:
        imported("gqa", copy, tmp_path)
    assert "\n" not in str(error.value)


def test_questions_in_any_layout_of_json_are_read_the_same(copy, tmp_path):
    path = copy / "questions1.2" / "val_balanced_questions.json"
    first = imported("gqa", copy, tmp_path)
    listed = dict(sorted(questions(PICTURES).items(), reverse=True))
    path.write_text(json.dumps(listed, indent=3, separators=(" ,", " : ")))
    assert veridical.import_release("gqa", copy, tmp_path / "again").digest == first.digest
    path.rename(path.with_name("val_all_questions.json"))
    assert veridical.import_release("gqa", copy, tmp_path / "all").digest == first.digest


# Annotated records


def write_records(folder, records, pixels=None):
    (folder / "pictures").mkdir(parents=True)
    (folder / "pictures" / "0.png").write_bytes(pixels or picture(("red", "red", "yellow", "green")))
    (folder / "annotated.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    return folder


def record(**changes):
    return {**record_of(released()), **changes}


def test_an_annotated_record_is_a_stimulus_with_its_chain(tmp_path):
    made = imported("magic", write_records(tmp_path / "release", [record()]), tmp_path)
    (stimulus,) = made.stimuli
    original = released()
    assert stimulus.truth == original.truth
    assert stimulus.truth["chains"] == [ANNOTATED]
    assert (stimulus.id, stimulus.unit, stimulus.factors) == (original.id, original.unit, original.factors)
    assert not veridical.check(made).failed


def test_what_is_written_is_read_back_and_written_again_the_same(made, tmp_path):
    write_set_annotated(made, tmp_path / "annotated")
    back = imported("magic", tmp_path / "annotated", tmp_path)
    assert back.digest == made.digest
    assert back.manifest["source"] == made.manifest["source"]
    write_set_annotated(back, tmp_path / "again")
    for name in ("annotated.jsonl", "about.json"):
        assert (tmp_path / "again" / name).read_bytes() == (tmp_path / "annotated" / name).read_bytes()


def test_our_scenes_can_be_written_as_annotated_pictures(tmp_path):
    listed = stimuli(1)
    content = picture(("red", "red", "yellow", "green"))
    write_annotated(listed, lambda _: content, tmp_path / "annotated", {})
    made = imported("magic", tmp_path / "annotated", tmp_path)
    assert [each.category for each in made.stimuli] == [each.category for each in listed]
    assert [each.truth["boxes"] for each in made.stimuli] == [each.truth["boxes"] for each in listed]


WRONG_STEP = {"text": "It is green.", "correct": False}
BAD_RECORDS = {
    "an empty question": record(question=""),
    "no answer": record(full_answer=None),
    "an unknown type of question": record(type="riddle"),
    "a missing picture": record(picture="pictures/none.png"),
    "no boxes": record(boxes=[]),
    "no relevant box": record(boxes=[{"box": [0, 0, 5, 5], "relevant": False}]),
    "an empty box or one outside the picture": record(boxes=[{"box": [4, 4, 4, 9], "relevant": True}]),
    "overlapping boxes": record(boxes=[{"box": [0, 0, 9, 9], "relevant": k} for k in (True, False)]),
    "a chain of zero steps": record(chain={"by": "m", "steps": []}),
    "a step that cannot be used": record(chain={"by": "m", "steps": [WRONG_STEP]}),
    "an incomplete question": record(portion="train"),
    "a name that cannot be used": record(id="a/../b"),
    "text that cannot be read": record(question="why " * 9000),
    "an id that is repeated": record(question="Again?"),
}


@pytest.mark.parametrize("reason", BAD_RECORDS)
def test_a_record_that_cannot_be_used_is_left_out_with_the_reason(tmp_path, reason):
    made = imported("magic", write_records(tmp_path / "release", [record(), BAD_RECORDS[reason]]), tmp_path)
    assert reasons(made) == {reason: 1}
    assert len(made) == 1
    assert "\n" not in made.manifest["import"]["left_out"]["each"][0]["detail"]


ODD = [
    {"boxes": [{"box": [0, 0, float("nan"), 9], "relevant": True}]},
    {"boxes": [{"box": [0, 0, 9], "relevant": True}]},
    {"boxes": [{"box": [0, 0, 9, 9], "relevant": 1}]},
    {"boxes": [[0, 0, 9, 9]]},
    {"boxes": [{"box": [0, 0, 641, 9], "relevant": True}]},
    {"boxes": [{"box": [9 * k, 0, 9 * k + 1, 9], "relevant": True} for k in range(100)]},
    {"chain": "a text"},
    {"chain": {"by": 3, "steps": [{"text": "a", "correct": None}]}},
    {"chain": {"by": "m", "steps": [{"text": "", "correct": True}]}},
    {"chain": {"by": "m", "steps": [{"text": "a", "correct": 1}]}},
    {"chain": {"by": "m", "steps": [{"text": "a", "correct": True, "correction": "b"}]}},
    {"chain": {"by": "m", "steps": [{"text": "a"}] * 1001}},
    {"portion": ["dev"]},
    {"boxes": [{"box": [0, 0, 10**400, 9], "relevant": True}]},
    {"boxes": [{"box": [-(10**400), 0, 9, 9], "relevant": True}]},
    {"boxes": [{"box": [0, 0, 1e308, 9], "relevant": True}]},
    {"picture": ["pictures/0.png"]},
    {"picture": "../0.png"},
    {"picture": "/etc/hostname"},
    {"picture": "a\0b.png"},
    {"picture": "x" * 5000},
    {"id": None},
]


@pytest.mark.parametrize("change_of", ODD, ids=range(len(ODD)))
def test_odd_values_are_left_out_and_never_a_traceback(tmp_path, change_of):
    made = imported("magic", write_records(tmp_path / "release", [record(id="good"), record(**change_of)]), tmp_path)
    assert made.manifest["import"]["left_out"]["items"] == 1


def test_other_names_of_keys_are_read(tmp_path):
    renamed = record()
    renamed["image"], renamed["answer"] = renamed.pop("picture"), renamed.pop("short_answer")
    renamed["fullAnswer"], renamed["question_type"] = renamed.pop("full_answer"), renamed.pop("type")
    made = imported("magic", write_records(tmp_path / "release", [renamed]), tmp_path)
    assert made.stimuli[0].truth == released().truth


def test_a_line_that_is_no_object_and_an_empty_folder_are_one_line(tmp_path):
    for k, (content, line) in enumerate(
        [
            ("[1]", "an object is needed"),
            ("{", "no JSON that can be read"),
            ("\n", "holds no record"),
        ]
    ):
        place = tmp_path / str(k)
        place.mkdir()
        (place / "annotated.jsonl").write_text(content)
        with pytest.raises(InputError, match=line) as error:
            imported("magic", place, tmp_path)
        assert "\n" not in str(error.value)


def test_a_picture_that_cannot_be_opened_is_left_out(tmp_path):
    content = encode_png(np.zeros((480, 640, 3), np.uint8))[:60]
    with pytest.raises(InputError, match="1 of 1 items cannot be used"):
        imported("magic", write_records(tmp_path / "release", [record()], content), tmp_path)


def test_two_pictures_of_one_name_are_not_written_over_each_other(tmp_path):
    contents = {"media/a.png": b"a", "media/b.png": b"b"}
    one, two = (make_stimulus(media=(each,)) for each in _media(contents))
    with pytest.raises(InputError, match="another picture"):
        write_annotated([one, two], contents.__getitem__, tmp_path / "out", {})


def _media(names):
    first = make_stimulus().media[0]
    return [type(first)(file=name, kind="image", width=1, height=1, sha256="0" * 64) for name in names]


def test_annotated_objects_of_the_program_count_too():
    asked = question(0, "query", "?", "a", "A.", 0)
    asked["semantic"].append({"operation": "relate", "argument": "table,on,o (700004)"})
    assert gqa_files.objects_of(asked) == {object_of(0, 0), object_of(0, 4)}
