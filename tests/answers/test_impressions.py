"""A first impression that is rejected does not contradict the answer that follows: so speaks a model that looks."""

from itertools import product

import pytest

from tests.probe.test_gold import READERS, trial
from veridical.records import Response

TEMPLATES = (
    "At first sight {wrong} seems right, but looking closely it is not.\n\nAnswer: [{right}]",
    "At first glance, it looks like {wrong}. However, on closer inspection the details differ.\n\nAnswer: {right}",
    "My first impression was {wrong}, but that is wrong.\n\n**Answer: {right}**",
    "{wrong} would be the usual answer. But here the picture was changed. Answer: [{right}]",
    "Initially I thought the answer is {wrong}. Looking more carefully, this is not the case.\n\nFinal answer: {right}",
    "One might say {wrong} from memory. Measuring it, I find otherwise.\n\nAnswer: {right}",
    "The obvious answer is {wrong}. But the left part is longer.\n\n<answer>{right}</answer>",
    "It is tempting to answer {wrong}, since that is what textbooks show. The answer is {right}.",
    "I almost said {wrong}. The correct answer is {right}.",
    "It seems to be {wrong} at first, yet it isn't.\nAnswer: {right}",
    "You would expect {wrong} here; that is not what I see.\n\nAnswer: {right}",
    "Auf den ersten Blick {wrong}, aber das stimmt nicht.\n\nAntwort: {right}",
    "The answer seems to be {wrong}, but when I look closely it's not.\n\nAnswer: {right}",
    "Most people would pick {wrong}. Here that is not what the picture shows.\n\nAnswer: {right}",
)
SENTENCES = ("the ball rolls behind the wall", "the ball passes through the wall", "the wall moves aside", "4")
WORDS = {
    "letters": (("B", "the ball passes through the wall", "C"), "A", {"options": list(SENTENCES)}),
    "names": (("B", "size"), "A", {"options": ["shape", "size", "gravity"], "names": ["shape", "size", "gravity"]}),
    "words": (("yes",), "no", {}),
    "digits": (("1", "yes"), "0", {}),
    "sides": (("left",), "right", {"options": ["left", "right"]}),
}
FAMILIES = {
    ("viabench", "choice-option-letter"): "letters",
    ("viabench", "choice-strict"): "letters",
    ("hocabench", "description-option-letter"): "letters",
    ("magicbench", "probe-option-letter"): "letters",
    ("hocabench", "domain-domain"): "names",
    ("hocabench", "plausibility-yes-no"): "words",
    ("viprobe", "yes-no-lenient"): "digits",
    ("viprobe", "choice-lenient"): "sides",
}


@pytest.mark.parametrize(("names", "kind"), FAMILIES.items(), ids=map("-".join, FAMILIES))
def test_the_requested_form_settles_what_only_seemed_so(names, kind):
    wrong, right, expects = WORDS[kind]
    reader, _ = READERS[names]
    plain = reader.parse(f"Answer: [{right}]", trial(None).expects | expects).answer
    assert plain is not None
    read = {}
    for template, first in product(TEMPLATES, wrong):
        text = template.format(wrong=first, right=right)
        read[text] = reader.parse(text, trial(None).expects | expects).answer
    strict = names == ("viabench", "choice-strict")
    assert {text: answer for text, answer in read.items() if answer != plain and not (strict and answer is None)} == {}


@pytest.mark.parametrize("names", FAMILIES, ids=map("-".join, FAMILIES))
def test_an_answer_that_is_no_first_impression_still_contradicts_another(names):
    wrong, right, expects = WORDS[FAMILIES[names]]
    reader, _ = READERS[names]
    text = f"Answer: {wrong[0]}\n\nAnswer: {right}"
    if not names[1].endswith("strict"):
        assert reader.read(Response(trial="t", text=text), trial(None, **expects)).answer is None
