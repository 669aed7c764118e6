"""Each kind of field, answered by keyboard alone, up to the stored vote."""

from tests.people.conftest import answers, next_item
from veridical.suite.people_tasks import FieldOption, FormField, TaskItem, TextBlock


def options(*titles):
    return [FieldOption(title, title) for title in titles]


LETTERS = [FieldOption(letter, text) for letter, text in zip("ABC", ("no", "yes", "both"), strict=True)]
SCORES = [FieldOption(str(number), str(number)) for number in range(11)]
TREE = [
    FieldOption(f"{branch}/{leaf}", f"{leaf} in {branch}", branch=(branch,))
    for branch in ("space", "time")
    for leaf in ("a", "b", "c", "d", "e", "f")
]
STEP = [
    FormField(name="label", kind="choice", title="The step", options=options("right", "wrong")),
    FormField(name="better", kind="text", title="What it should say", when=("label", ["wrong"])),
    FormField(name="sure", kind="number", title="How sure", low=1, high=5, step=1, required=False),
]
ALONE = {
    "by number": (FormField(name="a", kind="choice", options=options("left", "right")), "2", "right"),
    "by letter": (FormField(name="a", kind="choice", options=options("left", "right")), "r", "right"),
    "by its own letter": (FormField(name="a", kind="choice", options=LETTERS), "b", "B"),
    "by its own number": (FormField(name="a", kind="choice", options=SCORES), "3", "3"),
    "by a letter that no other has": (FormField(name="a", kind="choice", options=options("la", "lo", "up")), "u", "up"),
    "codes": (FormField(name="a", kind="codes", options=options("x", "y", "z")), [*"xzxy", "Enter"], ["y", "z"]),
    "number": (FormField(name="a", kind="number", low=0, high=9, step=0.5), [*"2.5", "Enter"], 2.5),
    "number by arrows": (FormField(name="a", kind="number", low=0, high=9), ["ArrowUp", "ArrowUp", "Enter"], 2),
    "text": (FormField(name="a", kind="text"), [*"so", "Enter", *"it", "Control+Enter"], "so\nit"),
    "text to correct": (
        FormField(name="a", kind="text", value="a cat"),
        ["Control+End", "s", "Control+Enter"],
        "a cats",
    ),
    "tree, typed": (FormField(name="a", kind="tree", options=TREE), [*"time", "Space", *"in", "3"], "time/c"),
    "tree, first that is left": (FormField(name="a", kind="tree", options=TREE), [*"d in t", "Enter"], "time/d"),
    "tree by number": (FormField(name="a", kind="tree", options=TREE), "2", "space/b"),
}
SEVERAL = {
    "a step that is right": (STEP, ["r", "Enter"], {"label": "right"}),
    "a step that is wrong": (STEP, ["w", *"so", "Tab", "4", "Enter"], {"label": "wrong", "better": "so", "sure": 4}),
    "a bad question": (STEP, ["?", *"why", "Control+Enter"], {"flag": "why"}),
    "a bad question without a reason": (STEP, ["?", "Control+Enter"], {"flag": "bad question"}),
    "a note": (STEP, ["m", *"hm", "Escape", "r", "Enter"], {"label": "right", "note": "hm"}),
}
CASES = {name: ((field,), keys, {"a": answer}) for name, (field, keys, answer) in ALONE.items()} | SEVERAL


def test_every_kind_of_field_by_keys(asked):
    items = [TaskItem(id=name, blocks=[TextBlock(text=name)], fields=fields) for name, (fields, *_) in CASES.items()]
    page, study = asked(items)
    for _ in CASES:
        name = page.locator(".words p").text_content()
        with next_item(page):
            for key in CASES[name][1]:
                page.keyboard.press(key)
    assert page.get_by_role("heading", name="Done").is_visible()
    stored = {
        name: {key: value for key, value in answer.items() if value} for (name, _), answer in answers(study).items()
    }
    assert stored == {name: answer for name, (_, _, answer) in CASES.items()}
    assert all(vote.seconds > 0 for vote in study.votes())
    assert not page.problems


def test_what_is_not_allowed_is_said_and_not_sent(asked):
    field = FormField(name="a", kind="number", low=0, high=9, step=1, unit="dots")
    page, study = asked([TaskItem(id="one", blocks=[], fields=[field])])
    page.keyboard.press("Enter")
    problem = page.get_by_role("alert").filter(has_text="needed")
    assert problem.text_content() == "An answer is needed."
    page.keyboard.type("12")
    page.keyboard.press("Enter")
    assert "0 to 9" in page.get_by_role("alert").filter(has_text="allowed").text_content()
    assert not study.votes()
    page.keyboard.press("Backspace")
    with next_item(page):
        page.keyboard.press("Enter")
    assert answers(study) == {("one", "p01"): {"a": 1}}


def test_an_answer_that_the_server_refuses_shows_its_sentence_and_can_be_changed(asked):
    page, study = asked([TaskItem(id="one", blocks=[], fields=[FormField(name="a", kind="text")])])
    text = page.get_by_role("textbox", name="Text")
    text.evaluate("(text) => (text.value = 'x'.repeat(10001))")
    page.keyboard.press("Control+Enter")
    page.get_by_role("alert").filter(has_text="10,000 characters").wait_for()
    assert not study.votes()
    text.fill("x")
    with next_item(page):
        page.keyboard.press("Control+Enter")
    assert answers(study) == {("one", "p01"): {"a": "x"}}
