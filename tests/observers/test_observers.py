"""The observers do what their names say, and are handed nothing but what a model would see."""

import asyncio
import base64

import pytest
from inspect_ai.model import ChatMessageSystem, ChatMessageUser, ContentImage, ContentText, GenerateConfig, get_model

from veridical.answers import choice_reader, read_binary
from veridical.errors import InputError
from veridical.media.draw import encode_png, rasterise
from veridical.observers.providers import seen
from veridical.suites.viprobe.illusions import CASES
from veridical.suites.viprobe.observers import pixel, prior, question
from veridical.suites.viprobe.observers.question import understood

OPPOSITE = {"0": "1", "1": "0"}
NAMES = list(CASES)
every_case = pytest.mark.parametrize("case", CASES.values(), ids=NAMES)
classic = pytest.mark.parametrize("case", [c for c in CASES.values() if not c.novel], ids=lambda case: case.name)
compared = pytest.mark.parametrize("case", [c for c in CASES.values() if c.comparison], ids=lambda case: case.name)


def picture(case, index, alpha, context="figure", size=300):
    return encode_png(rasterise(case.geometry(case.base(size, 3, index), alpha).scene(context)))


def questions(case, index=0, size=300):
    base = case.base(size, 3, index)
    return case.fill(base, case.question), case.fill(base, case.question_reversed)


@every_case
def test_pixel_answers_from_the_picture_in_both_polarities(case):
    for index in range(2):
        forward, backward = questions(case, index)
        for alpha in (0.0, -0.6, 0.6, 1.0):
            right = case.answer(same=alpha == 0)
            for context in ("figure", "control", "hint"):
                png = picture(case, index, alpha, context)
                assert read_binary(pixel.reply(png, f"Please: {forward}")).answer == right
                assert read_binary(pixel.reply(png, backward)).answer == OPPOSITE[right]


@compared
def test_pixel_says_which_target_has_more(case):
    _, positive, negative = case.comparison
    reader = choice_reader(positive, negative)
    for index in range(2):
        base = case.base(300, 3, index)
        asked = case.fill(base, case.comparison.question)
        for alpha in (-1.0, 0.6):
            right = positive if case.value(base, alpha) > 0 else negative
            assert reader.read(pixel.reply(picture(case, index, alpha), asked)).answer == right


@every_case
def test_pixel_has_no_answer_where_no_target_is_there(case):
    if not case.inseparable:
        for asked in questions(case):
            assert read_binary(pixel.reply(picture(case, 0, 0.0, "inducers"), asked)).answer is None


@classic
def test_prior_answers_the_textbook_of_the_unchanged_figure(case):
    forward, backward = questions(case)
    assert read_binary(prior.reply(forward)).answer == case.answer(same=True)
    assert read_binary(prior.reply(backward)).answer == case.answer(same=False)


@every_case
def test_prior_knows_no_new_figure_and_no_side(case):
    asked = questions(case) if case.novel else ()
    if case.comparison:
        asked = (*asked, case.fill(case.base(300, 3, 0), case.comparison.question))
    for text in asked:
        assert "<answer>" not in prior.reply(text)


@every_case
def test_a_question_is_understood_as_its_own_cases_and_in_its_own_form(case):
    for index in range(3):
        base = case.base(300, 3, index)
        templates = {"forward": case.question, "reversed": case.question_reversed}
        if case.comparison:
            templates["comparison"] = case.comparison.question
        for form, template in templates.items():
            found = understood(f"Look.\n\nQuestion: {case.fill(base, template)}")
            assert (case, form) in found
            assert {each.form for each in found} == {form}
            assert case.novel == found[0].case.novel


def test_a_question_inside_a_longer_one_is_not_the_one_asked_and_the_most_literal_comes_first(monkeypatch):
    templates = {
        "zollner": "the lines parallel?",
        "hering": "Are all {what} parallel?",
        "ponzo": "Are all the lines parallel?",
    }
    patterns = [question._pattern(CASES[name], "forward", text) for name, text in templates.items()]
    monkeypatch.setattr(question, "_patterns", lambda: patterns)
    found = understood("Say: Are all the lines parallel?")
    assert [each.case.name for each in found] == ["ponzo", "hering"]


@every_case
def test_neither_guesses_where_it_has_nothing_to_go_on(case):
    png, (forward, _) = picture(case, 0, 0.0), questions(case)
    for foreign in (b"", b"no picture", png[:100]):
        assert read_binary(pixel.reply(foreign, forward)).answer is None
    assert read_binary(pixel.reply(png, "What is the capital of France?")).answer is None
    assert read_binary(prior.reply("What is the capital of France?")).answer is None


def test_pixel_has_no_answer_to_a_question_about_another_figure():
    pictures = {name: picture(CASES[name], 0, 0.0) for name in ("muller_lyer", "simultaneous_contrast", "zollner")}
    for asked in pictures:
        for shown, png in pictures.items():
            answer = read_binary(pixel.reply(png, questions(CASES[asked])[0])).answer
            assert (answer is not None) == (shown == asked)


def message(png, text, **extra):
    url = "data:image/png;base64," + base64.b64encode(png).decode()
    return ChatMessageUser(content=[ContentImage(image=url), ContentText(text=text)], **extra)


def test_an_observer_is_handed_picture_bytes_and_text_and_nothing_else():
    """Metadata that states the wrong answer, a system turn and an id change neither what is seen nor the reply."""
    case = CASES["zollner"]
    png, (forward, _) = picture(case, 0, 1.0), questions(case)
    lies = message(png, forward, metadata={"trial": "zollner/0000/O?forward", "gold": "1"}, id="zollner/0000/O")
    assert seen([ChatMessageSystem(content="The lines are parallel. <answer>1</answer>"), lies]) == (png, forward)
    model = get_model("veridical/pixel", config=GenerateConfig())
    replies = [asyncio.run(model.generate([turn])).completion for turn in (lies, message(png, forward))]
    assert replies[0] == replies[1]
    assert read_binary(replies[0]).answer == "0"


def test_prior_says_the_same_with_any_picture_and_with_none():
    forward, _ = questions(CASES["zollner"])
    model = get_model("veridical/prior")
    turns = [message(picture(CASES["zollner"], 0, alpha), forward) for alpha in (0.0, 1.0)]
    replies = {asyncio.run(model.generate(turn)).completion for turn in ([turns[0]], [turns[1]], forward)}
    assert len(replies) == 1


def test_an_unknown_observer_names_the_nearest():
    with pytest.raises(InputError, match="did you mean 'veridical/pixel'"):
        get_model("veridical/pixle")
