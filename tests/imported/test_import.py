"""Media of others become a set: their bytes as they came, their rights kept, and what was found told."""

import json

import numpy as np
import pytest
from PIL import Image

from tests.media.clips import FRAMES, written
from veridical.errors import InputError
from veridical.media.decode import decode, medium_from
from veridical.media.draw import encode_png
from veridical.records import Stimulus
from veridical.stimulus_set import NotMeasurable, StimulusSet
from veridical.stimulus_set.describe import PublishedCounts
from veridical.stimulus_set.imports import EmbeddedFile, ExcludedItem, Import, ImportItem, MeasuredMedia, write_import

SHADES = {"dark": 20, "light": 230}
ABOUT = {"source": "a shelf", "license": "CC0-1.0", "attribution": "nobody", "may_be_passed_on": True}


def item(folder, name, label, *, files=(), rights=None, truth=None, **record):
    """An item of the pictures in a folder; without `files` it has none."""
    stimulus = Stimulus(
        id=name,
        suite="toy",
        family=record.pop("family", "shade"),
        unit=name,
        variant="plain",
        category="c",
        question="Is it dark or light?",
        label=label,
        seed=0,
        truth=truth or {},
        **record,
    )
    places = tuple(f"media/{name}/{index}" for index in range(len(files)))
    return ImportItem(record=stimulus, files=tuple(folder / file for file in files), places=places, rights=rights or {})


def measure(stimulus, media):
    """What one picture says, where there is one of a clear shade."""
    if len(media) != 1 or not hasattr(media[0], "pixels"):
        return None
    mean = float(media[0].pixels.mean())
    answer = "dark" if mean < 100 else "light" if mean > 150 else None
    return MeasuredMedia(answer, {"mean": round(mean, 3)}) if answer else None


def verify(stimulus, media):
    if not stimulus.measured:
        return NotMeasurable("no clear shade")
    found = measure(stimulus, media)
    return None if found and found.answer == stimulus.label else "of another shade"


@pytest.fixture(scope="module")
def shelf(tmp_path_factory):
    """Files of all kinds whose names say nothing of what they hold."""
    folder = tmp_path_factory.mktemp("shelf")
    noise = np.random.default_rng(0).integers(-15, 15, (12, 16, 3))
    for name, shade in {**SHADES, "grey": 128}.items():
        pixels = (noise + shade).astype(np.uint8)
        for kind in ("PNG", "JPEG", "WEBP"):
            Image.fromarray(pixels).save(folder / f"{name}.{kind.lower()}.file", kind)
    (folder / "clip.png").write_bytes(written(FRAMES[:3]))
    return folder


def shelved(folder, items, **more):
    return Import(name="shelf", title="A shelf", suite="toy", items=items, about=ABOUT, measure=measure, **more)


@pytest.fixture(scope="module")
def items(shelf):
    doubts = {"doubts": ["a reader may differ"]}
    return [
        item(shelf, "a", "dark", files=["dark.png.file"], factors={"size": 2, "place": "shop"}),
        item(shelf, "b", "light", files=["light.jpeg.file"], rights={"license": "CC-BY-4.0", "attribution": "Ada"}),
        item(shelf, "c", "dark", files=["light.webp.file"]),
        item(shelf, "d", "dark", files=["grey.png.file"], truth=doubts),
        item(shelf, "e", None, files=["dark.jpeg.file"], truth=doubts),
        item(shelf, "f", "x", files=["dark.png.file", "clip.png"], family="pair"),
        item(shelf, "g", "x", family="text"),
    ]


@pytest.fixture(scope="module")
def made(shelf, items, tmp_path_factory):
    told = []
    out = tmp_path_factory.mktemp("made") / "set"
    whole = write_import(
        shelved(shelf, items, facts={"missing": ["z.png"]}, factors={"size": int}),
        out,
        lambda done, of: told.append((done, of)),
    )
    assert told == [(done, len(items)) for done in range(1, len(items) + 1)]
    assert [path.name for path in out.parent.iterdir()] == ["set"]
    return whole


def test_what_is_said_of_rights_is_plain_text_in_the_card(shelf, items, tmp_path):
    """A license comes from a folder of anybody's."""
    from markdown_it import MarkdownIt

    marks = (
        "![x](http://t.example/a.png) <img src=x onerror=y> [l](http://t.example) `c` *b* &lt;\n\n# head\n---\n| a |"
    )
    about = {"source": marks, "license": marks, "attribution": marks, "may_be_passed_on": None}
    what = Import(
        name="s", title="S", suite="toy", items=items[:1], about=about, measure=measure, factors={"size": int}
    )
    card = (write_import(what, tmp_path / "set").folder / "README.md").read_text()
    html = MarkdownIt("commonmark").enable("table").render(card.split("---\n", 2)[2])
    assert html.count("<h1>") == 1
    assert not any(tag in html for tag in ("<img", "<a ", "<em>", "onerror=y>", "head</h1>"))
    for name in ("source", "license", "attribution"):
        assert " ".join(about[name].split()).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;") in html


def test_every_file_is_kept_byte_for_byte_under_the_suffix_of_its_content(made, items):
    suffixes = {"a": [".png"], "b": [".jpg"], "c": [".webp"], "d": [".png"], "e": [".jpg"], "f": [".png", ".mp4"]}
    for stimulus, each in zip(made.stimuli, items, strict=True):
        contents = [made.read(medium.file) for medium in stimulus.media]
        assert contents == [file.read_bytes() for file in each.files]
        assert [m.file for m in stimulus.media] == [
            f"media/{stimulus.id}/{index}{suffix}" for index, suffix in enumerate(suffixes.get(stimulus.id, []))
        ]
        for medium, content in zip(stimulus.media, contents, strict=True):
            assert medium == medium_from(medium.file, decode(content, "m"))
    assert [m.kind for s in made.stimuli for m in s.media] == ["image"] * 6 + ["video"]
    assert made.stimuli[5].media[1].frames == 3


def test_records_are_those_of_the_items_with_media_measures_and_rights(made, items):
    for stimulus, each in zip(made.stimuli, items, strict=True):
        assert stimulus.truth == {**each.record.truth, **({"rights": each.rights} if each.rights else {})}
        for name in ("id", "suite", "family", "unit", "question", "label"):
            assert getattr(stimulus, name) == getattr(each.record, name)
    assert made.stimuli[0].factors == {"size": 2, "place": "shop"}
    assert made.factors == {"size": int}


def test_rights_of_an_item_are_kept_in_its_truth_and_those_of_the_whole_in_the_manifest(made):
    by_id = {s.id: s for s in made.stimuli}
    assert by_id["b"].truth["rights"] == {"license": "CC-BY-4.0", "attribution": "Ada"}
    assert all("rights" not in s.truth for s in made.stimuli if s.id != "b")
    assert {key: made.manifest[key] for key in ABOUT} == ABOUT
    card = (made.folder / "README.md").read_text()
    assert "Imported: a shelf. License: CC0-1.0. Attribution: nobody." in card
    assert "Files are kept byte for byte" in card


def test_the_manifest_tells_what_was_found(made):
    found = made.manifest["import"]
    assert (found["measured"], found["not_measurable"], found["unlabelled"]) == (4, 3, 1)
    assert found["missing"] == ["z.png"]
    (contradicted,) = found["contradicted"]
    assert (contradicted["id"], contradicted["label"], contradicted["media"]) == ("c", "dark", "light")
    assert contradicted["mean"] > 150
    told = {"family": "shade", "variant": "plain", "stimuli": 2, "doubt": "a reader may differ"}
    assert found["doubtful"] == [told]


def test_a_check_counts_what_is_not_measurable_and_names_what_is_contradicted(made):
    found = made.verify(verify)
    assert {failure["id"] for failure in found.failed} == {"c", "e"}
    assert found.not_measurable == {"no clear shade": 3}
    assert (found.stimuli, found.verified) == (7, 5)


def test_a_set_that_cannot_be_whole_leaves_nothing_behind(shelf, items, tmp_path):
    (tmp_path / "broken.png").write_bytes(encode_png(np.zeros((9, 9, 3), np.uint8))[:40])
    for files in (["nowhere.png"], ["broken.png"]):
        broken = [*items, item(tmp_path, "z", None, files=files)]
        with pytest.raises(InputError, match=files[0]):
            write_import(shelved(shelf, broken), tmp_path / "out" / "set")
        assert list((tmp_path / "out").iterdir()) == []


def test_a_kind_of_media_that_the_suite_does_not_take_is_refused(shelf, items, tmp_path):
    with pytest.raises(InputError, match=r"clip\.png is a clip: pictures are needed"):
        write_import(shelved(shelf, items, kinds=("image",)), tmp_path / "set")
    with pytest.raises(InputError, match=r"dark\.png\.file is a picture: clips are needed"):
        write_import(shelved(shelf, items, kinds=("video",)), tmp_path / "set")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_there_is_taken_only_empty(shelf, items, tmp_path):
    (tmp_path / "set").mkdir()
    assert len(write_import(shelved(shelf, items), tmp_path / "set")) == len(items)
    manifest = (tmp_path / "set" / "manifest.json").read_bytes()
    for place in (tmp_path / "set", tmp_path / "set" / "manifest.json"):
        with pytest.raises(InputError, match="no new or empty folder"):
            write_import(shelved(shelf, items), place)
    assert (tmp_path / "set" / "manifest.json").read_bytes() == manifest
    assert json.loads(manifest)["rows_sha256"] == StimulusSet.open(tmp_path / "set").digest


def test_two_items_with_one_place_or_one_id_are_refused(shelf, items, tmp_path):
    same_place = ImportItem(record=items[3].record, files=items[3].files, places=items[0].places)
    for twice, told in ((items[0], "id 'a'"), (same_place, r"'media/a/0\.png' already")):
        with pytest.raises(InputError, match=told) as error:
            write_import(shelved(shelf, [*items[:1], twice]), tmp_path / "set")
        assert "\n" not in str(error.value)
    assert list(tmp_path.iterdir()) == []


def test_two_items_may_share_one_file(shelf, items, tmp_path):
    again = ImportItem(record=items[3].record, files=items[0].files, places=items[0].places)
    made = write_import(shelved(shelf, [items[0], again]), tmp_path / "set")
    first, second = made.stimuli
    assert first.media == second.media
    assert len(list((tmp_path / "set" / "media").rglob("*.png"))) == len(first.media)


def test_items_whose_media_cannot_be_opened_are_left_out_and_counted_where_that_is_allowed(shelf, items, tmp_path):
    (tmp_path / "broken.png").write_bytes(encode_png(np.zeros((9, 9, 3), np.uint8))[:40])
    pair = item(shelf, "y", "dark", files=["dark.png.file", "nowhere.png"])
    broken = [*items[:2], item(tmp_path, "z", "dark", files=["broken.png"]), pair]
    before = ExcludedItem("list.csv, row 9", "no question", "list.csv, row 9: the question is empty")
    made = write_import(shelved(shelf, broken, left_out=[before]), tmp_path / "set")
    found = made.manifest["import"]["left_out"]
    assert [stimulus.id for stimulus in made.stimuli] == ["a", "b"]
    assert found["items"] == 3
    assert found["reasons"] == {"no question": 1, "a picture that cannot be opened": 2}
    assert [each["place"] for each in found["each"]] == ["list.csv, row 9", "z", "y"]
    assert not made.verify(verify).failed
    with pytest.raises(InputError, match="3 of 5 items cannot be used; the first, list"):
        write_import(shelved(shelf, broken, left_out=[before]), tmp_path / "strict", strict=True)
    with pytest.raises(InputError, match="2 of 2 items cannot be used; the first, z: "):
        write_import(shelved(shelf, broken[2:], left_out=[]), tmp_path / "none")
    assert {path.name for path in tmp_path.iterdir()} == {"broken.png", "set"}


def test_a_file_inside_another_is_kept_byte_for_byte_and_read_when_it_is_needed(shelf, tmp_path):
    content, reads = (shelf / "dark.png.file").read_bytes(), []
    embedded = EmbeddedFile("the picture of row 1", lambda: reads.append(1) or content)
    one = ImportItem(record=item(shelf, "a", "dark").record, files=(embedded,), places=("media/a/0",))
    what = shelved(shelf, [one])
    assert not reads
    made = write_import(what, tmp_path / "set")
    assert made.read(made.stimuli[0].media[0].file) == content
    bad = ImportItem(record=one.record, files=(EmbeddedFile("the picture of row 2", lambda: b"x"),), places=one.places)
    with pytest.raises(InputError, match="the picture of row 2: unknown format"):
        write_import(shelved(shelf, [bad]), tmp_path / "bad")


def test_published_counts_stand_beside_those_of_the_import(shelf, items, tmp_path):
    published = PublishedCounts(source="Table 1", counts={"family": {"shade": 9, "film": 2}})
    made = write_import(shelved(shelf, items[:3], published=published), tmp_path / "set")
    counts = made.manifest["import"]["published"]["counts"]["family"]
    assert counts == {"shade": {"published": 9, "here": 3}, "film": {"published": 2, "here": 0}}
