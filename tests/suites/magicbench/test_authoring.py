"""Drafts become a consensus with its differences; a classifier's types and an author's drafts make a set."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import veridical
from tests.ask.server import said
from tests.probe.staged import answering, models_file
from tests.suites.magicbench.release_data import items, write
from veridical.errors import InputError
from veridical.stimulus_set import StimulusSet
from veridical.suites.magicbench.annotate.analysis import ANALYSIS, consensus, overlap
from veridical.suites.magicbench.annotate.drafts import consensus_of_drafts, drafts_of
from veridical.suites.magicbench.releases.atoms import atoms_of

QUIET = {"show": "quiet", "analyze": False}
APART = ("A coin lies there", "Fingers close slowly", "No magnet works", "Someone coughs twice", "Cards fly upwards")


def atoms(*texts):
    return atoms_of(list(texts))


def test_what_most_drafts_have_is_agreed_and_the_rest_is_open():
    drafts = [
        atoms("The coin lies in the right hand.", "The left hand closes empty.", "No magnet is used."),
        atoms("A coin lies in the right hand.", "The left hand closes empty."),
        atoms("The coin lies in the left hand.", "The left hand closes, and is empty.", "It is a one-way trick."),
    ]
    made = consensus(drafts)
    assert [atom["text"] for atom in made.atoms] == ["The coin lies in the right hand.", "The left hand closes empty."]
    assert [(draft, atom["text"]) for draft, atom in made.open] == [
        (0, "No magnet is used."),
        (2, "The coin lies in the left hand."),
        (2, "It is a one-way trick."),
    ]
    assert made.whole == 1
    assert made.agreement == pytest.approx((4 / 5 + 2 / 6 + 2 / 5) / 3)
    assert ("A coin lies in the right hand.", "The coin lies in the left hand.") in made.opposed


HELD = ("The right hand is empty.", "The coin is gone from the right hand.")
OPPOSED = ("The coin lies in the left hand.", "The coin lies in the right hand.")


@pytest.mark.parametrize("texts", [HELD, (*HELD, "The left hand is full."), OPPOSED])
@pytest.mark.parametrize("times", [2, 3])
def test_equal_drafts_have_no_contradiction_in_whatever_order(texts, times):
    made = consensus([atoms(*(texts if number % 2 else texts[::-1])) for number in range(times)])
    assert made.opposed == []
    assert (made.agreement, made.whole, made.open) == (1.0, len(texts), [])


def test_only_words_of_opposite_sides_oppose_two_sentences():
    assert consensus([atoms(HELD[0]), atoms(HELD[1])]).opposed == []
    assert consensus([atoms("The hand is empty."), atoms("The hand is full.")]).opposed != []


def test_a_contradiction_stands_once_however_many_drafts_hold_each_side():
    drafts = [atoms(OPPOSED[0]), atoms(OPPOSED[1]), atoms(OPPOSED[0]), atoms(OPPOSED[1])]
    for order in (drafts, drafts[::-1]):
        (pair,) = consensus(order).opposed
        assert set(pair) == set(OPPOSED)


SUBSETS = st.lists(st.sets(st.sampled_from(range(len(APART))), min_size=1), min_size=2, max_size=5)


@given(SUBSETS)
def test_drafts_of_sentences_that_share_no_words_agree_as_sets_do(chosen):
    made = consensus([atoms(*(APART[k] for k in sorted(each))) for each in chosen])
    counts = {k: sum(k in each for each in chosen) for k in range(len(APART))}
    assert {atom["text"] for atom in made.atoms} == {APART[k] for k, n in counts.items() if 2 * n > len(chosen)}
    assert len(made.open) == sum(n for n in counts.values() if 2 * n <= len(chosen))
    pairs = [(one, two) for at, one in enumerate(chosen) for two in chosen[at + 1 :]]
    dice = [2 * len(one & two) / (len(one) + len(two)) for one, two in pairs]
    assert made.agreement == pytest.approx(sum(dice) / len(dice))
    assert made.whole == sum(n == len(chosen) for n in counts.values())


@given(st.text(max_size=40), st.text(max_size=40))
def test_overlap_is_symmetric_and_a_share(one, two):
    assert overlap(one, two) == overlap(two, one)
    assert 0 <= overlap(one, two) <= 1


def test_the_machine_form_is_that_of_most_and_times_are_medians():
    def draft(place, *times):
        row = {"text": "The coin is kept.", "kind": "cover", "thing": "coin", "place": place}
        return atoms_of([row | dict(zip(("start", "end"), times, strict=False))])

    made = consensus([draft("lap", 1.0, 2.0), draft("lap", 1.5, 9.0), draft("sleeve", 1.2)])
    (atom,) = made.atoms
    assert (atom["kind"], atom["thing"], atom["place"], atom["start"], atom["end"]) == (
        "cover",
        "coin",
        "lap",
        1.2,
        5.5,
    )


def written(tmp_path, name, content):
    path = tmp_path / name
    path.write_text(json.dumps(content))
    return path


def test_the_command_writes_a_file_that_is_added_to_a_set(tmp_path, called):
    drafts = [
        written(
            tmp_path, "a.json", {"magic_1": ["The coin is palmed.", "It is dark."], "magic_2": ["Two cards turn."]}
        ),
        written(tmp_path, "b.json", {"magic_1": ["The coin is palmed."], "magic_2": {"atoms": ["Two cards turn."]}}),
        written(tmp_path, "c.json", {"magic_1": ["A coin is palmed."], "magic_3": ["The rope is short."]}),
    ]
    path = tmp_path / "consensus.json"
    code, out, err = called("magicbench", "consensus", *drafts, "--out", path)
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        f"3 drafts of 2 clips in {path}: agreement {((2 / 3 + 2 / 3 + 1) / 3 + 1) / 2:.3f}",
        "constraints that most drafts have: 2; that all have: 2",
        "open: 1; pairs that contradict each other: 0",
        "clips with one draft, which are left out: 1",
    ]
    content = json.loads(path.read_text())
    assert content["alone"] == ["magic_3"]
    assert [each["text"] for each in content["clips"]["magic_1"]["open"]] == ["It is dark."]
    whole = veridical.import_release("magicbench", write(tmp_path / "release"), tmp_path / "set")
    code, _, err = called("magicbench", "add", whole.folder, "--pcs", path, "--out", tmp_path / "new")
    assert (code, err) == (0, "")
    (first, *_) = StimulusSet.open(tmp_path / "new").stimuli
    assert first.truth["pcs"][0]["text"] == "The coin is palmed."


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ({"a": []}, "'a': there is no constraint"),
        ({"a": ["It is.", "It is not."]}, "contradict each other"),
        ({}, "an object with a value for the id of each clip is needed"),
    ],
)
def test_a_draft_that_cannot_be_used_is_refused_in_a_line(content, words, tmp_path):
    with pytest.raises(InputError, match=words) as error:
        drafts_of(written(tmp_path, "a.json", content))
    assert "\n" not in str(error.value)


def test_one_draft_and_drafts_of_different_clips_are_no_consensus(tmp_path):
    (one,) = drafts_of(written(tmp_path, "a.json", {"a": ["It is."]}))
    (two,) = drafts_of(written(tmp_path, "b.json", {"b": ["It is."]}))
    with pytest.raises(InputError, match="1 draft: a consensus needs 2 or more"):
        consensus_of_drafts([one])
    with pytest.raises(InputError, match="no clip has 2 drafts"):
        consensus_of_drafts([one, two])


def untyped():
    """The items without types, of which one has neither words nor a principle, and one has too few words."""
    listed = items()
    for item in listed:
        del item["linguistic_type"]
    listed[1] |= {"transcript": "Um.", "audio_timeline": []}
    listed[3]["ground_truth"] = {}
    return listed


class Models:
    """A classifier and an author on this machine: a boat has no type, and the band no good draft."""

    def __init__(self):
        self.asked = []

    def __call__(self, request):
        stage = "classify" if "Which type do the words have" in request.text else "draft"
        self.asked.append(stage)
        if stage == "classify":
            return said("C, I think." if "boat" in request.text else '{"reason": "It denies it.", "type": "A"}')
        if not re.search("coin|card|rope", request.text.partition("principle ")[2]):
            return said('{"atoms": [{"text": "One."}, {"text": "Not one."}]}')
        return said(json.dumps({"atoms": [{"text": "The thing is palmed.", "kind": "secret"}, "It is so."]}))


@pytest.fixture(scope="module")
def authored(tmp_path_factory):
    folder = tmp_path_factory.mktemp("authored")
    raw = veridical.import_release("magic-clips", write(folder / "release", untyped()), folder / "raw")
    models = Models()
    with answering(models) as server:
        names = {"classifier": "org/classifier", "author": "org/author"}
        file = models_file(folder / "models.toml", {name: {"base_url": server.url} for name in names.values()})
        run = veridical.run(raw, out=folder / "run", models=file, roles=names, **QUIET)
    return run, veridical.adopt(run, folder / "set"), models


def test_too_few_words_are_silence_without_a_call_and_a_failed_call_is_no_type(authored):
    run, made, models = authored
    classified = run.evidence().outcomes("classify")
    assert classified.height == 2 * 3
    assert sorted(set(classified["stimulus"])) == ["release/magic_1/real", "release/magic_3/real"]
    assert dict(classified.select("stimulus", "answer").iter_rows()) == {
        "release/magic_1/real": "A",
        "release/magic_3/real": None,
    }
    assert {each.id: each.factors["linguistic_type"] for each in made.stimuli} == {
        "release/magic_1/real": "A",
        "release/magic_2/real": "D",
    }
    assert made.manifest["import"]["left_out"]["reasons"] == {
        "no type of words": 1,
        "no constraint that most drafts have": 1,
    }
    assert "classify" in models.asked


def test_three_drafts_become_the_constraints_of_a_set_of_magicbench(authored):
    run, made, _ = authored
    drafts = run.evidence().outcomes("draft")
    assert drafts.height == 4 * 3
    assert {each.suite for each in made.stimuli} == {"magicbench"}
    for each in made.stimuli:
        assert [atom["text"] for atom in each.truth["pcs"]] == ["The thing is palmed.", "It is so."]
        assert each.truth["authored"] == {"drafts": 3, "agreement": 1.0, "open": 0}
    figures = {each.metric: each.value for each in ANALYSIS.estimates(run.evidence())}
    assert figures == pytest.approx({"classified": 1 / 2, "drafted": 3 / 4, "agreement": 1.0})


def test_the_drafts_of_a_run_are_drafts_like_those_of_files(authored):
    run, _, _ = authored
    drafts = drafts_of(run.folder)
    assert [draft.name for draft in drafts] == [f"org/author, draft {k}" for k in (1, 2, 3)]
    found = consensus_of_drafts(drafts)
    assert (sorted(found.clips), found.agreement) == (["magic_1", "magic_2", "magic_3"], 1.0)
