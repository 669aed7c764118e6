"""A suite's sets, made and checked: mixed media, own options, many processes, Hugging Face."""

import json
import shutil
from io import BytesIO
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from PIL import Image

import veridical
from tests.calling import call
from tests.probe_suite.design import DESIGN, make, verify
from tests.probe_suite.options import ProbeOptions
from veridical.base.processes import importable, map_processes
from veridical.base.workers import Workers
from veridical.media.clips.write import encode_clip
from veridical.media.draw import encode_png
from veridical.records import Chunk
from veridical.stimulus_set import StimulusSet, write_set
from veridical.stimulus_set.describe import PublishedCounts, describe, lines
from veridical.stimulus_set.read import verify_named


def encoded(pixels, suffix):
    buffer = BytesIO()
    Image.fromarray(pixels).save(buffer, {".png": "PNG", ".jpg": "JPEG", ".webp": "WEBP"}[suffix])
    return buffer.getvalue()


@pytest.fixture
def copied(made, tmp_path):
    return StimulusSet.open(Path(shutil.copytree(made.folder, tmp_path / "copy")))


def test_a_set_has_stimuli_with_six_media_with_a_clip_and_with_none(made):
    media = {tuple(medium.file.rpartition(".")[2] for medium in each.media) for each in made.stimuli}
    assert media == {("png", "jpg", "webp", "png", "jpg", "webp"), ("png",), ("mp4",), ()}
    assert made.manifest["tables"].keys() == {"image", "video", "none"}
    assert [each.id for each in made.stimuli] == [each.id for each in StimulusSet.open(made.folder).stimuli]


def test_stimuli_and_media_are_read_by_name_without_records_of_the_others(made):
    whole = StimulusSet.open(made.folder)
    chosen = [made.stimuli[at] for at in (-1, 0, len(made.stimuli) // 2)]
    by_id = whole.stimuli_by_id({each.id for each in chosen} | {"nobody's"})
    assert list(by_id.values()) == [each for each in made.stimuli if each in chosen]
    assert whole.stimuli_by_id([]) == {}
    for medium in (medium for each in chosen for medium in each.media):
        assert whole.read(medium.file) == made.read(medium.file)
    assert "stimuli" not in vars(whole)


def test_processes_draw_what_one_process_draws(tmp_path):
    options = ProbeOptions(units=5)
    chunks = DESIGN.chunks(options)
    assert len(chunks) >= 24
    assert importable(make)
    several, one = (
        write_set(tmp_path / f"{n}", "probe", options, chunks, make, factors=DESIGN.factors, workers=Workers(n))
        for n in (3, 1)
    )
    assert several.digest == one.digest
    files = [path.relative_to(one.folder) for path in one.folder.rglob("*") if path.is_file()]
    assert all((several.folder / name).read_bytes() == (one.folder / name).read_bytes() for name in files)


def test_a_larger_set_extends_a_smaller_one(made, tmp_path):
    smaller = veridical.make("probe", out=tmp_path / "set", units=2, dots=6)
    larger = {stimulus.id: stimulus for stimulus in made.stimuli}
    assert all(larger[stimulus.id] == stimulus for stimulus in smaller.stimuli)


def test_a_set_that_was_stopped_is_taken_up_where_it_stood(tmp_path):
    drawn = []

    def stopping(options, chunk):
        if len(drawn) == 3:
            raise KeyboardInterrupt
        drawn.append(chunk)
        yield from make(options, chunk)

    options = ProbeOptions(units=1)
    arguments = (tmp_path / "set", "probe", options, DESIGN.chunks(options))
    with pytest.raises(KeyboardInterrupt):
        write_set(*arguments, stopping, factors=DESIGN.factors)
    with pytest.raises(veridical.InputError, match="only partly made"):
        veridical.open_set(tmp_path / "set")
    assert veridical.make("probe", out=tmp_path / "set", units=1).digest == veridical.make("probe", units=1).digest
    assert len(drawn) == 3


def test_a_set_that_another_process_makes_is_refused_in_one_line_and_ends_whole(tmp_path, said, one_process):
    refused = []

    def while_it_is_made(done, _):
        if done == 2:
            assert not (tmp_path / "set" / "manifest.json").exists()
            refused.append(said("make", "probe", "--units", 1, "--out", tmp_path / "set"))

    whole = veridical.make("probe", units=1, out=tmp_path / "set", progress=while_it_is_made)
    line = f"veridical: another process is writing to {tmp_path / 'set'}: wait for it, or stop it\n"
    assert refused == [(2, "", line)]
    assert veridical.check(whole).failed == []
    before = {path: path.stat().st_ino for path in whole.folder.rglob("*")}
    assert said("make", "probe", "--units", 1, "--out", whole.folder)[0] == 0
    assert {path: path.stat().st_ino for path in whole.folder.rglob("*")} == before


def test_a_medium_is_never_seen_half(tmp_path, one_process):
    """Whoever opened a file before it was drawn again reads on in the old one."""
    place = tmp_path / "set"

    def stop(done, _):
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        veridical.make("probe", units=1, out=place, progress=stop)
    media = [path for path in place.glob("media/**/*") if path.is_file()]
    before = {path: path.stat().st_ino for path in media}
    for part in place.glob(".parts/*.jsonl"):
        part.unlink()
    whole = veridical.make("probe", units=1, out=place)
    assert media
    assert not any(path.stat().st_ino == inode for path, inode in before.items())
    assert veridical.check(whole).failed == []


@pytest.mark.parametrize("count", [2, 10])
def test_an_option_of_the_suites_own_is_a_flag(tmp_path, said, count, one_process):
    code, out, _ = said("make", "probe", "--out", tmp_path / "set", "--units", 6, "--dots", count, "--json")
    assert (code, json.loads(out)["stimuli"]) == (0, 60)
    counts = [
        each.factors["dot_count"] for each in veridical.open_set(tmp_path / "set").stimuli if each.family == "dots"
    ]
    assert count // 2 < max(counts) <= count
    assert veridical.open_set(tmp_path / "set").manifest["arguments"]["dots"] == count


def test_an_option_out_of_range_is_refused_in_one_line(tmp_path, said):
    code, _, err = said("make", "probe", "--out", tmp_path / "set", "--dots", 11)
    assert (code, err) == (2, "veridical: dots 11: input should be less than or equal to 10\n")
    code, _, err = said("make", "probe", "--out", tmp_path / "set", "--dot", 3)
    assert code == 2
    assert err.count("\n") == 1


def test_declared_factors_are_typed_columns_and_others_stay_json(made):
    frame = pl.read_parquet(made.folder / "metadata.parquet")
    kinds = {name: frame.schema[name] for name in ("ink", "dot_count", "spread", "pale")}
    assert kinds == {"ink": pl.String, "dot_count": pl.Int64, "spread": pl.Float64, "pale": pl.Boolean}
    assert "layout" not in frame.columns
    tiles = next(each for each in made.stimuli if each.family == "tiles")
    assert tiles.factors["layout"] == {"columns": 6}
    assert tiles.factors["dot_count"] is None


def test_a_changed_label_is_a_problem_of_the_table_and_no_stimulus_more(copied, said):
    path = copied.folder / "metadata.parquet"
    frame = pl.read_parquet(path)
    frame.with_columns(
        pl.when(pl.int_range(pl.len()) == 0).then(pl.lit("?")).otherwise("label").alias("label")
    ).write_parquet(path)
    code, out, _ = said("check", copied.folder)
    assert code == 2
    assert "50 stimuli, 49 verified, 1 failed\n1 more found in the table as a whole" in out


def test_a_sound_set_is_sound_and_what_cannot_be_measured_is_counted(made, said):
    found = veridical.check(made)
    assert (found.stimuli, found.verified, found.failed) == (50, 50, [])
    assert found.not_measurable == {"text alone": 10}
    code, out, _ = said("check", made.folder, "--json")
    assert (code, json.loads(out)["not_measurable"]) == (0, {"text alone": 10})


def test_a_suite_of_elsewhere_is_verified_in_processes(copied):
    (copied.folder / copied.stimuli[0].media[3].file).write_bytes(encode_png(np.zeros((48, 48, 3), np.uint8)))
    job = {"folder": str(copied.folder), "verify": importable(verify)}
    found = {}
    for part in map_processes(verify_named, job, [(0, 5), (5, 10)], 2):
        found |= part
    assert list(found) == ["0"]


@pytest.mark.parametrize("place", range(6))
def test_each_of_several_media_is_hashed_by_its_name(copied, monkeypatch, capsys, place):
    medium = next(each for each in copied.stimuli if each.family == "tiles").media[place]
    path = copied.folder / medium.file
    path.write_bytes(encoded(np.full((48, 48, 3), 77, np.uint8), path.suffix))
    code, out, _ = call(monkeypatch, capsys, "check", copied.folder, "--json")
    problem = f"{medium.file}: the pixels are not those that were written"
    assert (code, json.loads(out)["failed"]) == (2, [{"id": "tiles/0000/easy", "problem": problem}])


def test_a_clip_is_hashed_to_its_last_frame(copied):
    medium = next(each for each in copied.stimuli if each.family == "clip").media[0]
    frames = [np.full((48, 96, 3), 235, np.uint8) for _ in range(medium.frames)]
    (copied.folder / medium.file).write_bytes(encode_clip(frames, 12))
    (found,) = veridical.check(copied).failed
    assert found["problem"] == f"{medium.file}: the pixels are not those that were written"
    (copied.folder / medium.file).write_bytes(encode_clip(frames[:-1], 12))
    (found,) = veridical.check(copied).failed
    assert found["problem"] == f"{medium.file}: the number of frames is 7, but 8 in the table"


def test_a_picture_in_place_of_a_clip_is_named(copied):
    medium = next(each for each in copied.stimuli if each.family == "clip").media[0]
    (copied.folder / medium.file).write_bytes(encode_png(np.zeros((48, 96, 3), np.uint8)))
    (found,) = veridical.check(copied).failed
    assert found["problem"].startswith(f"{medium.file}: the kind is image, but video in the table")


def test_a_label_against_its_media_is_a_problem(tmp_path):
    def lying(options, chunk):
        for stimulus, contents in make(options, chunk):
            yield _relabelled(stimulus), contents

    options = ProbeOptions(units=1)
    whole = write_set(
        tmp_path / "set", "probe", options, [Chunk("clip", 0), Chunk("sums", 0)], lying, factors=DESIGN.factors
    )
    found = veridical.check(whole)
    assert {each["id"]: each["problem"] for each in found.failed}.keys() == {"clip/0000/easy", "clip/0000/hard"}
    assert all("the label up" in each["problem"] for each in found.failed)
    assert (found.verified, found.not_measurable) == (2, {"text alone": 2})


def _relabelled(stimulus):
    from dataclasses import replace

    return replace(stimulus, label="up") if stimulus.media else stimulus


def test_a_file_that_no_row_tells_of_is_named(copied):
    (copied.folder / "media" / "stray.webp").write_bytes(b"")
    (found,) = veridical.check(copied).failed
    assert "media/stray.webp" in found["problem"]


def test_a_description_counts_media_texts_and_the_suites_own_facts(made, said):
    facts = veridical.describe(made)
    assert (facts["stimuli"], facts["units"], facts["without_media"], facts["clips"]) == (50, 25, 10, 10)
    assert facts["media"]["image 48x48"] == 60
    assert facts["media"]["video 96x48"] == 10
    assert facts["factors"]["pale"] == {"no": 30, "yes": 10, "none": 10}
    assert "- clips: 10" in (made.folder / "README.md").read_text()
    code, out, _ = said("describe", made.folder, "--json")
    assert (code, json.loads(out)) == (0, json.loads(json.dumps(facts)))


def test_a_description_has_durations_balance_and_a_papers_counts_beside_its_own(made):
    published = PublishedCounts(source="Table 1", counts={"variant": {"easy": 100, "none such": 7}})
    facts = describe(made, published)
    easy = facts["factors"]["variant"]["easy"]
    beside = facts["published"]["counts"]["variant"]
    assert beside == {"easy": {"published": 100, "here": easy}, "none such": {"published": 7, "here": 0}}
    clips = [medium for each in made.stimuli for medium in each.media if medium.kind == "video"]
    seconds = sorted(clip.frames / clip.rate for clip in clips)
    assert (facts["seconds"][0], facts["seconds"][2]) == (seconds[0], seconds[-1])
    text = lines(facts)
    assert f"- published (Table 1), variant: easy 100 (here {easy}), none such 7 (here 0)" in text
    assert any(line.startswith("- answers: ") for line in text)
    assert any(line.startswith("- seconds, clips: ") for line in text)
    assert describe(made)["published"] is None


def loaded(made, name, tmp_path):
    datasets = pytest.importorskip("datasets")
    return datasets.load_dataset(str(made.folder), name, split="train", cache_dir=str(tmp_path))


def test_hugging_face_reads_every_picture_by_the_cards_configuration(made, tmp_path):
    rows = loaded(made, "image", tmp_path)
    stimuli = {each.id: each for each in made.stimuli if each.media and each.media[0].kind == "image"}
    assert {row["id"]: row["image"].size for row in rows} == {
        name: (each.media[0].width, each.media[0].height) for name, each in stimuli.items()
    }
    assert all(np.asarray(row["image"].convert("RGB")).any() for row in rows)
    assert {row["id"]: (row["label"], row["ink"], row["pale"]) for row in rows} == {
        name: (each.label, each.factors["ink"], each.factors["pale"]) for name, each in stimuli.items()
    }


def test_hugging_face_hands_over_every_clip_by_the_cards_configuration(made, tmp_path):
    rows = loaded(made, "video", tmp_path)
    clips = {each.id: made.read(each.media[0].file) for each in made.stimuli if each.family == "clip"}
    assert {row["id"]: Path(row["video"]["path"]).read_bytes() for row in rows} == clips


def test_hugging_face_reads_what_has_no_media_by_the_cards_configuration(made, tmp_path):
    rows = loaded(made, "text", tmp_path)
    assert {row["id"]: (row["question"], row["label"]) for row in rows} == {
        each.id: (each.question, each.label) for each in made.stimuli if not each.media
    }
    assert "file_name" not in rows.column_names


def test_hugging_faces_folder_loaders_read_a_mixed_set_one_kind_at_a_time(made, tmp_path):
    datasets = pytest.importorskip("datasets")
    where = {"data_dir": str(made.folder), "split": "train", "cache_dir": str(tmp_path)}
    pictures = datasets.load_dataset("imagefolder", **where)
    assert len(pictures) == 30
    assert all(row["image"].size for row in pictures)
    clips = datasets.load_dataset("videofolder", **where, metadata_filenames=["metadata-video.parquet"])
    undecoded = clips.cast_column("video", datasets.Video(decode=False))
    found = {row["id"]: Path(row["video"]["path"]).read_bytes() for row in undecoded}
    assert found == {each.id: made.read(each.media[0].file) for each in made.stimuli if each.family == "clip"}
    table = str(made.folder / "without-media.parquet")
    assert len(datasets.load_dataset("parquet", data_files=table, split="train", cache_dir=str(tmp_path))) == 10


def test_the_three_tables_hold_every_stimulus_once(made):
    frames = [pl.read_parquet(made.folder / table) for table in made.manifest["tables"].values()]
    assert sorted(place for frame in frames for place in frame["position"]) == list(range(len(made)))


@pytest.mark.parametrize("families", [("tiles", "dots"), ("clip",), ("sums",), ("clip", "sums")])
def test_a_set_of_fewer_kinds_says_how_it_loads(families, tmp_path):
    datasets = pytest.importorskip("datasets")
    options = ProbeOptions(units=1)
    chunks = [Chunk(family, 0) for family in families]
    whole = write_set(tmp_path / "set", "probe", options, chunks, make, factors=DESIGN.factors)
    card, where = (whole.folder / "README.md").read_text(), {"split": "train", "cache_dir": str(tmp_path / "cache")}
    if len(whole.manifest["tables"]) > 1:
        rows = datasets.load_dataset(str(whole.folder), **where)
        assert rows.cast_column("video", datasets.Video(decode=False))[0]["video"]["path"].endswith(".mp4")
        assert len(datasets.load_dataset(str(whole.folder), "text", **where)) == 2
        return
    assert "- `load_dataset(FOLDER)`: `metadata.parquet`" in card
    assert len(datasets.load_dataset(str(whole.folder), **where)) == 2 * len(families)
