"""Open answers with a typed gold: a value is read and compared, and nothing is compared where none can be read."""

import pytest

from veridical.judges.rules import short_answer as ruled
from veridical.judges.typed_values import gold_of

LIGHTER = "Compare the gray patches that the arrows A and B point at. Which of them is lighter in the image?"
TYPES = {
    "number": ("How many legs does the dog have?", "7", "5", ("7 legs", "seven"), ("5 legs", "five")),
    "cell": (
        "In which row and column is the odd one?",
        "row 4, column 2",
        "row 2, column 4",
        ("R4C2", "r4 c2", "column 2 of row 4", "the fourth row, second column", "Zeile 4, Spalte 2", "第四行第二列"),
        ("R2C4", "column 4 of row 2", "the second row, fourth column", "第二行第四列", "row 4, column 3"),
    ),
    "color": ("What color is the banana?", "blue", "yellow", ("light blue", "blau", "bleue"), ("gelb", "orange")),
    "side": ("On which side is the handle?", "left", "right", ("the left-hand side", "links"), ("rechts", "droite")),
    "word": ("Which word do the dots form?", "RAN", "RUN", ("R-A-N", '"ran"'), ('"Run"', "RAM")),
    "time": ("What time is it?", "10:10", "10:20", ("ten past ten",), ("10 past 11",)),
    "yes_no": ("Is there a moon?", "yes", "no", ("Yes", "yeah"), ("No", "nope")),
}
SAYING = (
    "{}",
    "{}.",
    "**{}**",
    "Answer: {}",
    "I looked twice.\n\nAnswer: {}",
    "Final answer: {}",
    '{{"answer": "{}"}}',
)
OVERCOMING = (
    "At first sight {usual} seems right, but looking closely it is not.\n\nAnswer: {true}",
    "One would expect {usual}. Looking closely, that is wrong.\n\nAnswer: {true}",
)
"""How a model speaks that sees what is unusual; `usual` is what the picture does not show."""
OPEN = (
    "",
    "I can't tell.",
    "The picture is too small.",
    "{true} or {usual}",
    "Sorry, I cannot help.",
)


def right(kind, reply):
    question, gold, *_ = TYPES[kind]
    return ruled(question, gold, reply).correct


@pytest.mark.parametrize("kind", TYPES)
def test_the_gold_is_right_and_another_value_is_wrong_in_every_way_of_saying_it(kind):
    _, gold, usual, ways, others = TYPES[kind]
    for saying in SAYING:
        for value in (gold, *ways):
            assert right(kind, saying.format(value.replace('"', ""))) is True, saying.format(value)
        for value in (usual, *others):
            assert right(kind, saying.format(value.replace('"', ""))) is False, saying.format(value)


@pytest.mark.parametrize("kind", TYPES)
def test_a_reply_that_overcomes_the_usual_answer_is_right_and_one_that_falls_for_it_is_wrong(kind):
    _, gold, usual, *_ = TYPES[kind]
    for template in OVERCOMING:
        assert right(kind, template.format(usual=usual, true=gold)) is True, template
        assert right(kind, template.format(usual=gold, true=usual)) is False, template


@pytest.mark.parametrize("kind", TYPES)
def test_where_no_value_can_be_read_nothing_is_wrong(kind):
    _, gold, usual, *_ = TYPES[kind]
    for reply in OPEN:
        assert right(kind, reply.format(true=gold, usual=usual)) is None, reply


@pytest.mark.parametrize("usual", range(3, 9))
@pytest.mark.parametrize("here", range(3, 9))
def test_a_usual_number_that_is_conceded_is_not_the_answer(usual, here):
    question = "How many legs does the horse have?"
    for reply in ("Although there are usually {0}, there are {1} here", "A horse has {0} legs; this one has {1}."):
        text = reply.format(usual, here)
        assert ruled(question, str(here), text).correct is True, text
        if usual != here:
            assert ruled(question, str(usual), text).correct is False, text


@pytest.mark.parametrize("row", range(1, 8))
@pytest.mark.parametrize("column", range(1, 8))
def test_a_cell_is_right_however_it_is_written_and_its_transpose_is_wrong(row, column):
    gold = f"row {row}, column {column}"
    for form in (
        "R{0}C{1}",
        "row {0}, column {1}",
        "Row {0}, col {1}.",
        "column {1}, row {0}",
        "(row {0}, column {1})",
    ):
        assert ruled("In which row and column?", gold, form.format(row, column)).correct is True
        if row != column:
            assert ruled("In which row and column?", gold, form.format(column, row)).correct is False


@pytest.mark.parametrize(
    ("gold", "reply", "correct"),
    [
        ("A is lighter", "A", True),
        ("A is lighter", "B is darker.", True),
        ("A is lighter", "B is lighter than A", False),
        ("A is lighter", "They are the same.", False),
        ("A is lighter", "A or B, hard to say", None),
        ("they are the same", "A looks lighter, but they are in fact the same.", True),
        ("they are the same", "They look the same, but A is lighter.", False),
        ("they are the same", "They are not the same: B is lighter.", False),
    ],
)
def test_which_of_two_is_more_is_compared_not_matched(gold, reply, correct):
    assert ruled(LIGHTER, gold, reply).correct is correct


@pytest.mark.parametrize(
    ("question", "gold", "reply", "correct"),
    [
        ("On which side is the door?", "left", "The door is on the left-hand side, right next to the window.", True),
        ("On which side is the door?", "left", "Left, since the higher pan is on the right.", True),
        ("How many fingers?", "6", "Certainly not six.", False),
        ("Is there a moon?", "yes", "Yes, there is no moon.", None),
        ("What color is it?", "blue", "It is no longer blue.", False),
        ("Which? A. a duck B. a hen", "B. a hen", "B", True),
        ("Which? A. a duck B. a hen", "B. a hen", "a duck", False),
    ],
)
def test_what_stands_beside_a_value_does_not_count_as_one(question, gold, reply, correct):
    assert ruled(question, gold, reply).correct is correct


def test_a_gold_in_other_words_has_no_type():
    assert gold_of("Which shape is hidden?", "a cross") is None
    assert gold_of("Which animal?", "a cat") is None
