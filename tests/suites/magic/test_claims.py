"""What sentences about a scene state: a corpus whose readings were written first, and hostile text."""

import random

import pytest

from tests.suites.magic.read_claims import claims_of
from tests.suites.magic.sentences import FRESH, GRAPH, RATIONALES, RELEVANT, SENTENCES
from tests.suites.magic.stimuli import stimuli
from veridical.suites.magic.claims import same_fact, sentences
from veridical.suites.magic.language.dismissals import dismissed_boxes


def short(claim):
    """A claim as the corpus writes it."""
    other = f" {claim['other']}" if claim["kind"] == "relation" else ""
    return f"{claim['thing']} {claim['value']}{other} {'yes' if claim['value'] == claim['true'] else 'no'}"


def of(text, graph=GRAPH):
    return {short(claim) for claim in claims_of(text, graph, RELEVANT)}


@pytest.mark.parametrize(("text", "stated"), [*SENTENCES, *FRESH, *RATIONALES])
def test_no_sentence_states_what_a_careful_reader_does_not_take_it_to_state(text, stated):
    assert of(text) <= {each.strip() for each in stated.split(";")}


@pytest.mark.parametrize(("corpus", "share"), [(SENTENCES, 0.95), (FRESH, 0.85), (RATIONALES, 0.85)])
def test_nearly_all_of_what_the_corpus_states_is_read(corpus, share):
    wanted = [(text, each.strip()) for text, stated in corpus for each in stated.split(";") if each]
    assert sum(each in of(text) for text, each in wanted) / len(wanted) >= share


def test_the_steps_of_true_chains_state_nothing_false_and_false_steps_state_what_is_wrong():
    for stimulus in stimuli(16):
        graph = stimulus.truth["graph"]
        for chain in stimulus.truth["chains"]:
            for step in chain["steps"]:
                made = claims_of(step["text"], graph)
                wrong = [claim for claim in made if claim["value"] != claim["true"]]
                assert bool(wrong) == (step["correct"] is False)
                assert all(any(same_fact(each, other) for other in made) for each in step["claims"])


def test_it_is_what_the_sentence_before_is_about_if_that_is_one_thing():
    assert "mug green no" in of("R3 shows the mug. It is green.")
    assert of("The mug is left of the lamp. It is green.") == {"mug left of lamp yes"}


def test_a_scene_whose_noun_is_a_synonym_elsewhere_keeps_its_own_noun():
    things = [{**GRAPH["things"][0], "name": name, "number": k} for k, name in enumerate(("mug", "cup"), start=1)]
    graph = {"things": things, "relations": []}
    assert of("R2 shows a cup.", graph) == {"cup R2 yes"}
    assert of("R1 shows a cup.", graph) == {"cup R1 no"}


def test_without_a_graph_there_are_no_claims():
    assert claims_of("R3 shows a red mug.", None) == []


@pytest.mark.parametrize("seed", range(3))
def test_any_text_is_read_without_an_error(seed):
    draw = random.Random(seed)
    words = [*" ".join(text for text, _ in SENTENCES).split(), "(", ")", "R", "R0", "R999999999", "\u202e", "\x00", ","]
    for _ in range(60):
        text = " ".join(draw.choices(words, k=draw.randrange(40)))
        assert all(claim["value"] and claim["true"] for claim in claims_of(text, GRAPH, RELEVANT))


def test_a_long_reply_is_read_up_to_a_length():
    sentence = "R3 shows a green mug. "
    assert len(sentences(sentence * 3_000)) < 1_000
    assert len(claims_of("R1 and " * 5_000 + "R3 is red.", GRAPH)) < 100


ASIDE = {
    "R2 doesn't matter.": [2],
    "There is no need to look at R2 and R4.": [2, 4],
    "R2, R3 and R4 can be ruled out, since none shows a mug.": [2, 3, 4],
    "I rule R2 out.": [2],
    "I won't consider R3 further.": [3],
    "The boxes other than R1 don't matter.": [2, 3, 4],
    "R1 doesn't matter, R2 does.": [1],
    "R1 matters, R2 doesn't.": [2],
    "R2 can't be ruled out.": [],
    "R2 isn't irrelevant.": [],
    "The color doesn't matter, R2 shows the mug.": [],
    "It doesn't matter that R2 is blue.": [],
    "R2 does not show the mug.": [],
    "I pick R2 out of all boxes.": [],
}


@pytest.mark.parametrize("sentence", ASIDE)
def test_boxes_are_set_aside_in_many_words(sentence):
    assert dismissed_boxes(sentence, [1, 2, 3, 4]) == ASIDE[sentence]


def test_a_sentence_that_ends_with_no_or_lacks_a_space_ends_all_the_same():
    text = "So the answer is no. I conclude that R1 shows it.The lamp is no. 3 in the row."
    assert sentences(text) == ["So the answer is no.", "I conclude that R1 shows it.", "The lamp is no. 3 in the row."]
