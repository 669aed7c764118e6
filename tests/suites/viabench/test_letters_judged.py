"""The judge by rule and the letter reader never differ on a letter, whatever form the reply has."""

import pytest

from tests.answers.confusion import corpora, replies
from veridical.answers import letter_reader
from veridical.suites.viabench.asking.marking import MULTIPLE_CHOICE

OPTIONS = ("five fingers", "six fingers", "seven fingers", "a fist")
FORMS = (
    "{0}",
    "{0}.",
    "({0})",
    "**{0}**",
    "Answer: [{0}]",
    "Answer: {0}",
    "\\boxed{{{0}}}",
    "Option {0}",
    "{0}. {1}",
    "{1}",
)


def judged(options, gold, reply):
    lettered = "\n".join(f"{chr(65 + index)}. {text}" for index, text in enumerate(options))
    text = options[ord(gold) - 65]
    shown = {"question": "Which is right?", "options": lettered, "gold": f"{gold}. {text}", "reply": reply}
    return MULTIPLE_CHOICE.rule(shown)


@pytest.mark.parametrize("form", FORMS)
def test_a_letter_is_right_where_it_is_the_true_one_in_every_form(form):
    for index, text in enumerate(OPTIONS):
        letter = "ABCD"[index]
        for gold in "ABCD":
            ruling = judged(OPTIONS, gold, form.format(letter, text))
            assert ruling["correct"] is (letter == gold), ruling


@pytest.mark.parametrize("corpus", corpora())
def test_every_letter_that_the_reader_reads_is_judged_as_that_letter(corpus):
    for reply in (each for each in replies(corpus) if each["kind"] == "letter"):
        read = letter_reader(*reply["options"]).read(reply["text"]).answer
        for gold in map(chr, range(65, 65 + len(reply["options"]))):
            ruling = judged(reply["options"], gold, reply["text"])
            if read is not None:
                assert ruling["correct"] is (read == gold), reply
