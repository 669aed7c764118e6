"""What happens between items: consent, practice, breaks, ways back, lost connections, and several tabs."""

import re

import numpy as np
import pytest

from tests.people.conftest import answers, next_item, shown
from veridical.media.decode import medium_of
from veridical.media.draw import encode_png
from veridical.suite.people_tasks import FieldOption, FormField, MediumBlock, TaskItem, TextBlock


def choice(name, *titles, **stated):
    options = [FieldOption(title, title) for title in titles or ("left", "right")]
    return TaskItem(
        id=name, blocks=[TextBlock(text=name)], fields=[FormField(name="a", kind="choice", options=options)], **stated
    )


def about(page):
    return page.locator(".words p").text_content()


def stored(study):
    return {item: answer["a"] for (item, _), answer in answers(study).items()}


def revisions(study):
    return [(line["what"], line["answer"].get("a")) for line in study.audit()]


def press(page, key):
    with next_item(page):
        page.keyboard.press(key)


def test_consent_instructions_practice_with_feedback_breaks_and_the_end(asked):
    practice = [choice("practice", right={"a": "right"})]
    page, study = asked(
        [choice(name) for name in "abc"], practice, begin=False, consent="You agree\nto this.", break_every=2
    )
    page.get_by_role("button", name="I agree").wait_for()
    assert page.locator("main p").first.text_content() == "You agree\nto this."
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Begin").wait_for()
    assert page.get_by_text("Look, and answer.").is_visible()
    page.keyboard.press("Enter")
    shown(page)
    assert about(page) == "practice"
    page.keyboard.press("1")
    feedback = page.locator(".feedback")
    feedback.wait_for()
    assert re.findall(r"(?:Your answer|Right): (\w+?)(?=Right|$)", feedback.inner_text().replace("\n", "")) == [
        "left",
        "right",
    ]
    assert not study.votes()
    press(page, "Enter")
    page.keyboard.press("1")
    page.get_by_role("heading", name="break").wait_for()
    assert "2 of 4" in page.locator("main").inner_text()
    press(page, "Enter")
    press(page, "2")
    press(page, "2")
    assert page.get_by_role("heading", name="Done").is_visible()
    assert sorted(stored(study).values()) == ["left", "right", "right"]
    assert not page.problems


def test_the_way_back_shows_ones_answer_which_may_be_revised_or_left(asked):
    page, study = asked([choice(name) for name in "abc"])
    first = about(page)
    press(page, "1")
    second = about(page)
    press(page, "b")
    assert about(page) == first
    assert page.get_by_role("radio", name="left").is_checked()
    press(page, "Escape")
    assert about(page) == second
    press(page, "Backspace")
    press(page, "2")
    assert about(page) == second
    press(page, "2")
    page.go_back()
    page.locator("main[data-painted]", has_text="Save the change").wait_for()
    assert about(page) == second
    assert revisions(study) == [(first, "left"), (first, "right"), (second, "right")]
    page.go_forward()
    page.locator("main[data-painted]", has_text="Submit").wait_for()
    assert about(page) not in (first, second)
    page.reload()
    shown(page)
    assert about(page) not in (first, second)
    press(page, "1")
    press(page, "b")
    press(page, "2")
    assert sorted(stored(study).values()) == ["right", "right", "right"]
    assert not page.problems


SHADE = """() => {
    const canvas = document.createElement("canvas").getContext("2d");
    canvas.drawImage(document.querySelector("img"), 0, 0);
    return canvas.getImageData(0, 0, 1, 1).data[0];
}"""
LOADED = "performance.getEntriesByType('resource').filter(({ name }) => name.includes('/media/')).length === count"
KEPT = "No connection: your answer is kept and will be sent."


def test_an_answer_without_a_connection_is_kept_and_stored_once(asked, context):
    page, study = asked([choice(name) for name in "ab"])
    context.set_offline(True)
    first = about(page)
    page.keyboard.press("1")
    page.get_by_text(KEPT).wait_for()
    page.keyboard.press("2")
    assert not study.votes()
    with next_item(page):
        context.set_offline(False)
    assert about(page) != first
    assert revisions(study) == [(first, "left")]
    assert page.locator("#connection").text_content() == ""


def test_an_answer_whose_receipt_was_lost_is_sent_again_after_a_reload_and_stored_once(asked, context):
    page, study = asked([choice(name) for name in "ab"], people=2)
    first = about(page)

    def lose(route):
        route.fetch()
        route.abort()

    page.route("**/votes", lose)
    page.keyboard.press("1")
    page.get_by_text(KEPT).wait_for()
    another = context.new_page()
    another.goto(page.addresses[1])
    another.get_by_role("button", name="Begin").wait_for()
    assert len(study.votes()) == 1, "another person's page sends nothing of this one's"
    page.unroute_all(behavior="ignoreErrors")
    page.reload()
    page.get_by_role("heading", name="Done").wait_for()
    assert revisions(study) == [(first, "left")]
    assert page.evaluate("Object.keys(localStorage).filter((name) => name.startsWith('vote'))") == []


def test_what_the_server_does_not_accept_is_said_in_its_sentence(asked):
    page, study = asked([choice("a")])
    page.route("**/votes", lambda route: route.fulfill(status=409, json={"sentence": "This study cannot go on."}))
    page.keyboard.press("1")
    page.get_by_role("alert").filter(has_text="This study cannot go on.").wait_for()
    page.unroute("**/votes")
    page.keyboard.press("2")
    page.get_by_role("heading", name="Done").wait_for()
    assert stored(study) == {"a": "right"}


def test_of_two_tabs_the_first_answer_counts_and_the_other_goes_on(asked, context):
    page, study = asked([choice(name) for name in "ab"])
    other = context.new_page()
    other.goto(page.url)
    shown(other)
    first = about(page)
    assert about(other) == first
    press(page, "1")
    press(other, "2")
    other.get_by_role("alert").filter(has_text="another tab").wait_for()
    assert about(other) == about(page) != first
    assert revisions(study) == [(first, "left")]


def test_time_in_which_the_tab_is_hidden_does_not_count(asked):
    page, study = asked([choice(name) for name in "ab"])
    hide = """(hidden) => {
        Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
    }"""
    first = about(page)
    page.evaluate(
        "() => { const now = performance.now.bind(performance); performance.now = () => now() + (window.ahead ?? 0); }"
    )
    page.evaluate(hide, True)
    page.evaluate("() => (window.ahead = 500_000)")
    page.evaluate(hide, False)
    press(page, "1")
    page.evaluate("() => (window.ahead += 300_000)")
    press(page, "1")
    taken = {vote.item: vote.seconds for vote in study.votes()}
    assert 0 < taken.pop(first) < 300
    assert 300 <= next(iter(taken.values())) < 500


HOSTILE = "<img src=x onerror='document.title=1'>\"'`{{7*7}}</script><script>document.title=2</script>&amp;\u202e"


def test_hostile_text_stays_text(asked):
    fields = [
        FormField(
            name=kind,
            kind=kind,
            title=HOSTILE,
            options=[FieldOption(HOSTILE, HOSTILE, HOSTILE, (HOSTILE,))],
            unit=HOSTILE,
        )
        for kind in ("choice", "codes", "tree", "number")
    ] + [FormField(name="text", kind="text", title=HOSTILE, value=HOSTILE)]
    right = {"choice": HOSTILE, "codes": [HOSTILE], "tree": HOSTILE, "text": HOSTILE}
    item = TaskItem(id="a", blocks=[TextBlock(text=HOSTILE, title=HOSTILE)], fields=fields, right=right)
    page, _ = asked([], [item], begin=False, consent=HOSTILE, title=HOSTILE)
    for name in ("I agree", "Begin"):
        page.get_by_role("button", name=name).click()
    shown(page)
    assert page.locator("main, header").get_by_text(HOSTILE).count() >= 15
    for option in page.locator("label.option").all():
        option.click()
    page.get_by_role("spinbutton").fill("1")
    page.get_by_role("button", name="Submit").click()
    page.locator(".feedback").wait_for()
    assert page.locator(".feedback").get_by_text(HOSTILE).count() >= 8
    assert page.locator("main img, main script, header img, header script").count() == 0
    assert page.title() == HOSTILE
    assert not page.problems


@pytest.mark.parametrize("width", [390, 320])
def test_no_screen_is_wider_than_a_narrow_window(asked, width):
    fields = [
        FormField(
            name="a",
            kind="choice",
            title="Choose",
            options=[FieldOption("long" * 40, "long" * 40), FieldOption("b", "b")],
        ),
        FormField(name="n", kind="number", low=0, high=10, unit="dots"),
        FormField(name="t", kind="text", title="Say" * 60),
    ]
    page, _ = asked([TaskItem(id="a", blocks=[TextBlock(text="word" * 100)], fields=fields)], begin=False)
    page.set_viewport_size({"width": width, "height": 800})
    over = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    page.get_by_role("button", name="Begin").wait_for()
    assert page.evaluate(over) == 0
    page.keyboard.press("Enter")
    shown(page)
    page.keyboard.press("?")
    assert page.evaluate(over) == 0
    page.keyboard.press("Escape")
    page.keyboard.press("h")
    page.locator("dialog[open]").wait_for()
    assert page.evaluate(over) == 0


def test_pictures_of_the_next_item_are_loaded_before_it_is_shown(asked, tmp_path_factory):
    folder = tmp_path_factory.mktemp("media")
    items = []
    for number in range(6):
        path = folder / f"{number}.png"
        path.write_bytes(encode_png(np.full((480, 640, 3), 40 * number, np.uint8)))
        own = choice(f"{number}")
        picture = MediumBlock(medium=medium_of(path.name, path.read_bytes()), path=path)
        items.append(TaskItem(id=own.id, blocks=[picture, *own.blocks], fields=own.fields))
    page, study = asked(items)
    for done in range(len(items)):
        page.wait_for_function("(count) => " + LOADED, arg=min(done + 2, len(items)))
        assert page.evaluate(SHADE) == 40 * int(about(page))
        press(page, "1")
    assert len(study.votes()) == len(items)
    assert not page.problems
