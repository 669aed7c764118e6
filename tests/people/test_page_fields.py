"""Each kind of field, answered by keyboard alone, up to the stored vote."""

import pytest

from tests.people.conftest import answers, shown
from veridical.suite.people_tasks import FieldOption, FormField, TaskItem, TextBlock


def item(*fields, name="one"):
    return TaskItem(id=name, blocks=[TextBlock(text="What is it?")], fields=fields)


def options(*titles):
    return [FieldOption(title, title) for title in titles]


def typed(page, keys):
    for key in keys:
        page.keyboard.press(key)


def stored(page, study, name="one"):
    page.get_by_role("heading", name="Done").wait_for()
    assert not page.problems
    return answers(study)[name, "p01"]


LETTERS = [FieldOption(letter, text) for letter, text in zip("ABC", ("no", "yes", "both"), strict=True)]
SCORES = [FieldOption(str(number), str(number)) for number in range(11)]
TREE = [
    FieldOption(f"{branch}/{leaf}", f"{leaf} in {branch}", branch=(branch,))
    for branch in ("space", "time")
    for leaf in ("a", "b", "c", "d", "e", "f")
]


@pytest.mark.parametrize(
    ("field", "keys", "answer"),
    [
        (FormField(name="a", kind="choice", options=options("left", "right")), "2", "right"),
        (FormField(name="a", kind="choice", options=options("left", "right")), "r", "right"),
        (FormField(name="a", kind="choice", options=LETTERS), "b", "B"),
        (FormField(name="a", kind="choice", options=SCORES), "3", "3"),
        (FormField(name="a", kind="choice", options=options("left", "lower", "up")), "u", "up"),
        (FormField(name="a", kind="codes", options=options("x", "y", "z")), [*"xzxy", "Enter"], ["y", "z"]),
        (FormField(name="a", kind="number", low=0, high=9, step=0.5), [*"2.5", "Enter"], 2.5),
        (FormField(name="a", kind="number", low=0, high=9), ["ArrowUp", "ArrowUp", "Enter"], 2),
        (FormField(name="a", kind="text"), [*"so", "Enter", *"it", "Control+Enter"], "so\nit"),
        (FormField(name="a", kind="text", value="a cat"), ["End", "s", "Control+Enter"], "a cats"),
        (FormField(name="a", kind="tree", options=TREE), [*"time", "Space", *"in", "3"], "time/c"),
        (FormField(name="a", kind="tree", options=TREE), [*"d in t", "Enter"], "time/d"),
        (FormField(name="a", kind="tree", options=TREE), "2", "space/b"),
    ],
)
def test_a_field_alone_by_keys(asked, field, keys, answer):
    page, study = asked([item(field)])
    typed(page, keys)
    assert stored(page, study) == {"a": answer}
    assert study.votes()[0].seconds > 0
