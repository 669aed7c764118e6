"""Real clips are matched to anomalies by their descriptions, one each; prompts and distractors."""

from __future__ import annotations

import csv
import itertools
import json
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import veridical
from tests.ask.server import Reply
from tests.probe.staged import answering
from tests.suites.hocabench.release_data import GRAVITY, MUTATION, as_json, clip, high, labels
from veridical.errors import InputError
from veridical.suites.hocabench.annotate.distractors import OptionClaim, repeats, require_distinct
from veridical.suites.hocabench.annotate.generator_prompts import WAYS, prompts
from veridical.suites.hocabench.annotate.similarity import cosines, lexical, nearest
from veridical.suites.hocabench.taxonomy import SUB_TYPES

TEXTS = ("A shirt on a line in the wind.", "A mug stands on a kitchen table.", "A dog runs on the beach.", "")


@pytest.fixture(scope="module")
def anomalies(tmp_path_factory):
    """Two anomalies: a mug that rises from a table, and a shirt that turns red."""
    folder = tmp_path_factory.mktemp("anomalies")
    listed = [
        {"id": "g", "video": "g.mp4", **labels(GRAVITY, "The mug lifts off.")},
        {"id": "m", "video": "m.mp4", **labels(MUTATION, "The shirt turns red in the wind.")},
    ]
    return veridical.import_release("hocabench", as_json(folder / "release", listed), folder / "set")


@pytest.fixture(scope="module")
def real(tmp_path_factory):
    """Real clips as a set: three high ones with descriptions, one without, and one that is too low."""
    folder = tmp_path_factory.mktemp("real")
    (folder / "clips").mkdir()
    for k in range(4):
        (folder / "clips" / f"{k}.mp4").write_bytes(high(40 + k))
    (folder / "clips" / "low.mp4").write_bytes(clip(45))
    with (folder / "clips" / "descriptions.csv").open("w", newline="") as file:
        rows = [(f"{k}.mp4", text, "CC-BY-4.0") for k, text in enumerate(TEXTS)]
        csv.writer(file).writerows([("file", "caption", "license"), *rows, ("low.mp4", "A mug.", "")])
    return veridical.import_release("videos", folder / "clips", folder / "set")


def test_each_anomaly_gets_the_real_clip_that_is_nearest_by_words(anomalies, real, tmp_path, said):
    code, out, err = said("hocabench", "match", anomalies.folder, real.folder, "--out", tmp_path / "both", "--json")
    assert (code, err) == (0, "")
    facts = json.loads(out)
    assert (facts["anomalies"], facts["real_clips"], facts["similarity"]) == (2, 2, "TF-IDF")
    assert facts["left_out"]["reasons"] == {
        "no description": 1,
        "a real clip below 720 px": 1,
        "farther from every anomaly than another clip": 1,
    }
    both = veridical.open_set(tmp_path / "both")
    chosen = {
        each.truth["matched"]["stimulus"]: each.truth["description"] for each in both.stimuli if each.family == "real"
    }
    assert chosen == {"gravity/g/violating": TEXTS[1], "mutation/m/violating": TEXTS[0]}
    assert [each.label for each in both.stimuli] == ["No", "No", "Yes", "Yes"]
    assert both.stimuli[2].truth["rights"] == {"license": "CC-BY-4.0"}
    assert "real clips: not stated" in both.manifest["license"]
    assert both.manifest["may_be_passed_on"] is None
    assert said("check", both.folder)[0] == 0


def embeddings(wrong=None):
    """A server whose vectors make the first real clip that of the mug, in whatever order they are sent."""

    def behave(request):
        texts = request.body["input"]
        vectors = [[1.0, 0.0] if "mug" in text or "dog" in text else [0.0, 1.0] for text in texts]
        data = [{"object": "embedding", "index": k, "embedding": vector} for k, vector in enumerate(vectors)]
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        body = {"object": "list", "data": data[::-1], "model": request.body["model"], "usage": usage}
        return Reply(body=wrong(body) if wrong else body)

    return behave


def test_a_text_embedding_model_of_the_users_own_is_asked_instead(anomalies, real, tmp_path, said):
    with answering(embeddings()) as server:
        words = ("hocabench", "match", anomalies.folder, real.folder, "--out", tmp_path / "both")
        code, out, err = said(*words, "--embeddings", "org/embed", "--base-url", server.url)
    assert (code, err) == (0, "")
    assert "2 real clips for 2 anomalies, nearest by org/embed" in out
    assert {request.path for request in server.requests} == {"/v1/embeddings"}
    assert [len(request.body["input"]) for request in server.requests] == [5]
    both = veridical.open_set(tmp_path / "both")
    similarities = [each.truth["matched"]["similarity"] for each in both.stimuli if each.family == "real"]
    assert similarities == [1.0, 1.0]


@pytest.mark.parametrize(
    "wrong",
    [
        lambda body: {**body, "data": body["data"][1:]},
        lambda body: {**body, "data": None},
        lambda body: {**body, "data": [{**each, "embedding": []} for each in body["data"]]},
        lambda body: {**body, "data": [{**each, "embedding": ["x"]} for each in body["data"]]},
        lambda body: {**body, "data": [{**each, "embedding": [1.0] * (1 + each["index"])} for each in body["data"]]},
        lambda _: {"error": "no such model"},
        lambda _: [],
    ],
)
def test_vectors_that_cannot_be_used_end_in_one_line(wrong, anomalies, real, tmp_path, said):
    with answering(embeddings(wrong)) as server:
        words = ("hocabench", "match", anomalies.folder, real.folder, "--out", tmp_path / "both")
        code, out, err = said(*words, "--embeddings", "org/embed", "--base-url", server.url)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "the embeddings of 'org/embed' at" in err
    assert not (tmp_path / "both").exists()


def test_sets_of_other_suites_and_flags_that_do_not_go_together_are_refused(anomalies, real, tmp_path, said):
    for words, part in (
        ((real.folder, real.folder), "hocabench"),
        ((anomalies.folder, anomalies.folder), "hoca-annotate"),
        ((anomalies.folder, real.folder, "--base-url", "http://127.0.0.1:1/v1"), "--base-url goes with --embeddings M"),
        ((anomalies.folder, real.folder, "--embeddings", "org/embed"), "base_url is needed"),
    ):
        code, _, err = said("hocabench", "match", *words, "--out", tmp_path / "both")
        assert (code, err.count("\n")) == (2, 1), err
        assert part in err


WORDS = st.lists(st.sampled_from(["mug", "table", "dog", "beach", "wind", "shirt", "red"]), max_size=6).map(" ".join)


@given(st.lists(WORDS, min_size=1, max_size=4), st.lists(WORDS, min_size=1, max_size=4))
def test_similarity_by_words_is_a_cosine_that_no_order_changes(first, second):
    similarity = lexical(first, second)
    assert similarity.shape == (len(first), len(second))
    assert (similarity >= 0).all()
    assert (similarity <= 1 + 1e-9).all()
    assert np.allclose(similarity, lexical(second, first).T)
    for row, text in enumerate(first):
        for column, other in enumerate(second):
            if text.split() and sorted(text.split()) == sorted(other.split()):
                assert similarity[row, column] == pytest.approx(1)
            if not set(text.split()) & set(other.split()):
                assert similarity[row, column] == 0


@given(st.integers(1, 4), st.integers(1, 4), st.integers(0, 2**32 - 1))
def test_the_choice_is_the_best_of_all_that_use_each_clip_once(rows, columns, seed):
    similarity = np.random.default_rng(seed).random((rows, columns))
    pairs = nearest(similarity)
    fewer = min(rows, columns)
    assert len({row for row, _ in pairs}) == len({column for _, column in pairs}) == fewer
    every = (
        sum(similarity[row, column] for row, column in zip(of_rows, of_columns, strict=True))
        for of_rows in itertools.permutations(range(rows), fewer)
        for of_columns in itertools.permutations(range(columns), fewer)
    )
    assert sum(similarity[pair] for pair in pairs) == pytest.approx(max(every))


def test_a_vector_of_zeros_is_similar_to_none():
    assert cosines(np.zeros((1, 2)), np.ones((3, 2))).tolist() == [[0.0, 0.0, 0.0]]


@pytest.mark.parametrize("name", SUB_TYPES)
@pytest.mark.parametrize("way", WAYS)
def test_every_sub_type_has_many_prompts_that_all_differ_and_leave_nothing_open(name, way):
    drawn = prompts([name], count=50, ways=[way], seed=3)
    assert len({each.prompt for each in drawn}) == 50
    assert len({each.id for each in drawn}) == 50
    for each in drawn:
        assert (each.sub_type, each.way) == (name, way)
        assert "$" not in each.prompt
        assert not re.search(r"\b[Aa] [aeiou]", each.prompt)
        assert each.prompt.isascii()
        assert each.scene_type in ("indoor", "outdoor")


def test_prompts_depend_on_the_seed_alone_and_a_longer_list_extends_a_shorter():
    assert prompts(seed=1) == prompts(seed=1)
    assert prompts(["gravity"], seed=1) != prompts(["gravity"], seed=2)
    assert prompts(["gravity"], count=20, ways=["odd"])[:5] == prompts(["gravity"], count=5, ways=["odd"])


@pytest.mark.parametrize("suffix", [".csv", ".jsonl"])
def test_prompts_are_written_for_a_generator_and_read_as_descriptions_of_its_clips(suffix, tmp_path, said):
    out = tmp_path / f"prompts{suffix}"
    code, text, _ = said("hocabench", "prompts", "mechanics", "optics", "--count", 2, "--way", "odd", "--out", out)
    assert (code, text) == (0, f"12 prompts in {out}\n")
    rows = list(csv.DictReader(out.open())) if suffix == ".csv" else list(map(json.loads, out.open()))
    assert list(dict.fromkeys(row["sub_type"] for row in rows)) == [
        *("gravity", "buoyancy", "friction", "collision", "inertia"),
        "optics",
    ]


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (("gravitas",), "unknown sub-type 'gravitas': did you mean 'gravity'?"),
        (("--count", 9999), "1 to 500 prompts"),
        (("--count", 400), "there are"),
        (("--way", "strange"), "unknown way 'strange'"),
        (("--out", "prompts.txt"), "ends in .csv or .jsonl"),
    ],
)
def test_prompts_that_cannot_be_drawn_are_one_line(words, part, tmp_path, said):
    out = () if "--out" in words else ("--out", tmp_path / "p.csv")
    code, _, err = said("hocabench", "prompts", *words, *out)
    assert (code, err.count("\n")) == (2, 1), err
    assert part in err


GOLD = OptionClaim(text="The mug rises.", sub_type="gravity", thing="the mug")


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (OptionClaim(text="A mug hangs in the air.", sub_type="Gravity Anomaly", thing="a mug"), True),
        (OptionClaim(text="The mugs rise.", sub_type="gravity", thing="Mugs"), True),
        (OptionClaim(text="the MUG rises", sub_type="optics", thing="lamp"), True),
        (OptionClaim(text="The plate rises.", sub_type="gravity", thing="the plate"), False),
        (OptionClaim(text="The mug turns blue.", sub_type="mutation", thing="the mug"), False),
    ],
)
def test_no_distractor_has_the_sub_type_and_the_thing_of_the_gold(other, same):
    assert repeats(GOLD, other) is repeats(other, GOLD) is same
    if same:
        with pytest.raises(InputError, match="distractor 2, "):
            require_distinct(
                GOLD, [OptionClaim(text="The table melts.", sub_type="thermodynamics", thing="table"), other]
            )
    else:
        require_distinct(GOLD, [other])


def test_two_equal_distractors_are_refused():
    other = OptionClaim(text="The mug turns blue.", sub_type="mutation", thing="the mug")
    with pytest.raises(InputError, match="distractors 1 and 2 are both"):
        require_distinct(GOLD, [other, other])
