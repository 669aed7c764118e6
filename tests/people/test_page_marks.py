"""Times and boxes: what is stored is exactly what the frames on the page show."""

import numpy as np
import pytest

from tests.people.conftest import answers, next_item
from veridical.media.clips.write import encode_clip
from veridical.media.decode import medium_of
from veridical.media.draw import encode_png
from veridical.suite.people_tasks import Caption, FieldOption, FormField, MediumBlock, TaskItem, TextBlock

RATE, FRAMES, SIDE = 10, 12, 64
SHADES = 20
"""Frame `n` has the gray value `SHADES * n`, which is far enough from its neighbors' to survive compression."""
NUMBER = f"""() => {{
    const canvas = document.querySelector("canvas");
    return Math.round(canvas.getContext("2d").getImageData({SIDE // 2}, {SIDE // 2}, 1, 1).data[0] / {SHADES});
}}"""
LOOPED = f"""async () => {{
    const frames = [({NUMBER})()];
    while (frames.length < 2 || frames.at(-1) >= frames.at(-2)) {{
        await new Promise(requestAnimationFrame);
        frames.push(({NUMBER})());
    }}
    return frames;
}}"""
INTERVALS = FormField(name="when", kind="intervals", title="When", most=2)
BOXES = FormField(name="where", kind="boxes", title="Where", names=["first", "second"])


def written(folder, name, content):
    path = folder / name
    path.write_bytes(content)
    return path, medium_of(name, content)


@pytest.fixture
def clip(tmp_path_factory):
    frames = [np.full((SIDE, SIDE * 2, 3), SHADES * number, np.uint8) for number in range(FRAMES)]
    folder = tmp_path_factory.mktemp("media")
    path, medium = written(folder, "clip.mp4", encode_clip(frames, RATE))
    captions = [Caption(0.0, 0.4, "Look here."), Caption(0.6, 0.9, "It is gone.")]
    return MediumBlock(medium=medium, path=path, captions=captions)


@pytest.fixture
def picture(tmp_path_factory):
    pixels = np.full((200, 400, 3), 128, np.uint8)
    path, medium = written(tmp_path_factory.mktemp("media"), "picture.png", encode_png(pixels))
    return MediumBlock(medium=medium, path=path)


def step_to(page, number):
    """Steps on until the frame with this number is what the canvas shows."""
    while (here := page.evaluate(NUMBER)) != number:
        page.keyboard.press("." if here < number else ",")
        page.wait_for_function(f"(before) => ({NUMBER})() !== before", arg=here)


def test_times_are_marked_to_the_frame(asked, clip):
    page, study = asked([TaskItem(id="one", blocks=[clip], fields=[INTERVALS])])
    for first, last in ((3, 7), (9, 11)):
        step_to(page, first)
        page.keyboard.press("i")
        step_to(page, last)
        page.keyboard.press("o")
    page.keyboard.press("[")
    page.keyboard.press("Delete")
    step_to(page, 9)
    page.keyboard.press("i")
    step_to(page, 11)
    page.keyboard.press("o")
    page.keyboard.press("]")
    with next_item(page):
        page.keyboard.press("Enter")
    assert answers(study)["one", "p01"]["when"] == [pytest.approx([0.3, 0.8]), pytest.approx([1.0, 1.2])]
    page.keyboard.press("b")
    page.get_by_role("button", name="1.00 to 1.20 s, frames 11 to 12").wait_for()
    page.keyboard.press("}")
    page.keyboard.press("{")
    with next_item(page):
        page.keyboard.press("Enter")
    assert answers(study)["one", "p01"]["when"] == [pytest.approx([0.3, 0.8]), pytest.approx([1.0, 1.1])]
    assert not page.problems


def test_a_time_marked_while_the_clip_plays_begins_with_the_frame_on_the_screen(asked, clip):
    page, study = asked([TaskItem(id="one", blocks=[clip], fields=[INTERVALS])])
    for _ in range(3):
        page.keyboard.press("-")
    page.keyboard.press("k")
    marked = f"""async (from) => {{
        while (({NUMBER})() < from) await new Promise(requestAnimationFrame);
        window.dispatchEvent(new KeyboardEvent("keydown", {{ key: from === 2 ? "i" : "o" }}));
        return ({NUMBER})();
    }}"""
    first, last = page.evaluate(marked, 2), page.evaluate(marked, 4)
    assert last > first >= 2
    page.keyboard.press("l")
    page.keyboard.press("+")
    looped = page.evaluate(LOOPED)
    assert min(looped) == first
    assert max(looped) <= last
    with next_item(page):
        page.keyboard.press("Enter")
    assert answers(study)["one", "p01"]["when"] == [pytest.approx([first / RATE, (last + 1) / RATE])]


def test_words_stand_under_the_clip_at_their_time_also_while_it_does_not_play(asked, clip):
    choice = FormField(name="a", kind="choice", options=[FieldOption("yes", "yes")])
    page, _ = asked([TaskItem(id="one", blocks=[clip], fields=[choice])])
    for time, words in ((0.2, "Look here."), (0.5, ""), (0.7, "It is gone."), (1.1, ""), (0.1, "Look here.")):
        page.evaluate("(time) => (document.querySelector('video').currentTime = time)", time)
        page.wait_for_function("(words) => document.querySelector('.caption').textContent === words", arg=words)
    page.keyboard.press("k")
    page.wait_for_function("() => document.querySelector('.caption').textContent === 'It is gone.'")
    page.wait_for_function("() => document.querySelector('video').ended")


def test_a_clip_that_is_alone_plays_by_itself_unless_people_want_still_pages(asked, clip):
    choice = FormField(name="a", kind="choice", options=[FieldOption("yes", "yes")])
    page, _ = asked([TaskItem(id=name, blocks=[clip], fields=[choice]) for name in ("one", "two")])
    page.wait_for_function("() => document.querySelector('video').readyState === 4")
    assert page.evaluate("document.querySelector('video').paused")
    page.emulate_media(reduced_motion="no-preference")
    with next_item(page):
        page.keyboard.press("1")
    page.wait_for_function("() => document.querySelector('video').ended")


def test_words_stand_under_the_frames_of_a_clip(asked, clip):
    page, _ = asked([TaskItem(id="one", blocks=[clip], fields=[INTERVALS])])
    spoken = {}
    for number in range(FRAMES):
        step_to(page, number)
        spoken[number] = page.locator(".caption").text_content()
    assert [number for number, words in spoken.items() if words == "Look here."] == [0, 1, 2, 3]
    assert [number for number, words in spoken.items() if words == "It is gone."] == [6, 7, 8]
    track = page.get_by_role("slider").bounding_box()
    page.mouse.click(track["x"] + track["width"] * 7.5 / FRAMES, track["y"] + 5)
    page.wait_for_function(f"() => ({NUMBER})() === 7")


def test_a_box_on_a_picture_by_keys(asked, picture):
    page, study = asked([TaskItem(id="one", blocks=[picture, TextBlock(text="Where?")], fields=[BOXES])])
    for key in ["n", *["ArrowLeft"] * 10, *["ArrowUp"] * 60, *["Shift+ArrowRight"] * 5, *["Shift+ArrowUp"] * 5]:
        page.keyboard.press(key)
    page.keyboard.press("Tab")
    page.keyboard.press("n")
    with next_item(page):
        page.keyboard.press("Enter")
    where = answers(study)["one", "p01"]["where"]
    assert where["first"]["0"] == pytest.approx([0.3, 0.0, 0.55, 0.15])
    assert where["second"]["0"] == pytest.approx([0.4, 0.4, 0.6, 0.6])


def test_boxes_drawn_moved_and_resized_by_a_pointer(asked, picture):
    page, study = asked([TaskItem(id="one", blocks=[picture], fields=[BOXES])])
    around = page.locator(".area").bounding_box()

    def drag(start, end):
        at = [(around["x"] + x * around["width"], around["y"] + y * around["height"]) for x, y in (start, end)]
        page.mouse.move(*at[0])
        page.mouse.down()
        page.mouse.move(*at[1], steps=4)
        page.mouse.up()

    drag((0.6, 0.6), (0.2, 0.3))
    drag((0.4, 0.45), (0.5, 0.55))
    drag((0.7, 0.7), (0.8, 0.9))
    with next_item(page):
        page.get_by_role("button", name="Submit").click()
    assert answers(study)["one", "p01"]["where"] == {"first": {"0": pytest.approx([0.3, 0.4, 0.8, 0.9], abs=0.01)}}


def test_a_box_on_frames_moves_evenly_between_those_that_state_it(asked, clip):
    page, study = asked([TaskItem(id="one", blocks=[clip], fields=[BOXES])])
    shown = "(box) => [box.style.left, box.style.top].map(parseFloat)"
    step_to(page, 2)
    page.keyboard.press("n")
    step_to(page, 6)
    for _ in range(20):
        page.keyboard.press("ArrowRight")
    lefts = {}
    for number in (2, 3, 4, 6, 9):
        step_to(page, number)
        lefts[number] = page.locator(".box").evaluate(shown)
    assert lefts == {2: [40, 40], 3: [45, 40], 4: [50, 40], 6: [60, 40], 9: [60, 40]}
    step_to(page, 4)
    page.keyboard.press("ArrowDown")
    step_to(page, 2)
    page.keyboard.press("Delete")
    with next_item(page):
        page.keyboard.press("Control+Enter")
    where = {"4": pytest.approx([0.5, 0.41, 0.7, 0.61]), "6": pytest.approx([0.6, 0.4, 0.8, 0.6])}
    assert answers(study)["one", "p01"]["where"] == {"first": where}
    assert not page.problems


def test_options_beside_a_time_leave_the_keys_of_both(asked, clip):
    choice = FormField(name="kind", kind="choice", title="Kind", options=[FieldOption(n, n) for n in ("in", "out")])
    titles = [f"case {letter}" for letter in "abcdefghijk"]
    tree = FormField(name="case", kind="tree", title="Case", options=[FieldOption(n, n) for n in titles])
    page, study = asked([TaskItem(id="one", blocks=[clip], fields=[INTERVALS, tree, choice])])
    with next_item(page):
        for key in (".", "i", ".", "o", "3", "2", "Enter"):
            page.keyboard.press(key)
    assert answers(study)["one", "p01"] == {"when": [pytest.approx([0.1, 0.3])], "case": "case c", "kind": "out"}


def test_a_picture_that_is_gone_is_said_in_its_place_and_the_question_can_be_called_bad(asked, picture, browser):
    opened, study = asked([TaskItem(id="one", blocks=[picture], fields=[BOXES])])
    picture.path.unlink()
    page = browser.new_page()
    page.goto(opened.url)
    page.get_by_role("button", name="Begin").click()
    page.get_by_role("alert").filter(has_text="A picture or clip has changed").wait_for()
    page.keyboard.press("?")
    with next_item(page):
        page.keyboard.press("Control+Enter")
    page.close()
    assert answers(study)["one", "p01"]["flag"] == "bad question"
