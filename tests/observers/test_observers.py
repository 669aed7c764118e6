"""The observers do what their names say, and are handed nothing but what a model would see."""

import asyncio
import base64

import pytest
from inspect_ai.model import ChatMessageSystem, ChatMessageUser, ContentImage, ContentText, GenerateConfig, get_model

from veridical.answers import read_binary
from veridical.draw import encode_png, rasterise
from veridical.errors import InputError
from veridical.observers import pixel, prior
from veridical.observers.providers import seen
from veridical.stimuli.illusions import CASES

every_case = pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))


def picture(case, index, alpha, inducers=True, size=300):
    base = case.base(size, 3, index)
    return encode_png(rasterise(case.geometry(base, alpha).scene(inducers=inducers))), case.questions(base)


@every_case
def test_pixel_answers_from_the_picture_in_both_polarities(case):
    for index in range(3):
        for alpha in (0.0, -0.4, 0.4, 1.0):
            for inducers in (True, False):
                png, (forward, backward) = picture(case, index, alpha, inducers)
                assert read_binary(pixel.reply(png, f"Please: {forward}")).answer == str(int(alpha == 0))
                assert read_binary(pixel.reply(png, backward)).answer == str(int(alpha != 0))


@every_case
def test_prior_answers_the_textbook_whatever_the_picture_shows(case):
    forward, backward = case.questions(case.base(300, 3, 0))
    assert read_binary(prior.reply(forward)).answer == "1"
    assert read_binary(prior.reply(backward)).answer == "0"


@every_case
def test_neither_guesses_where_it_has_nothing_to_go_on(case):
    png, (forward, _) = picture(case, 0, 0.0)
    others = [picture(other, 0, 0.0)[0] for other in CASES.values() if other is not case]
    for foreign in (*others, b"", b"no picture", png[:100]):
        assert read_binary(pixel.reply(foreign, forward)).answer is None
    assert read_binary(pixel.reply(png, "What is the capital of France?")).answer is None
    assert read_binary(prior.reply("What is the capital of France?")).answer is None


def message(png, text, **extra):
    url = "data:image/png;base64," + base64.b64encode(png).decode()
    return ChatMessageUser(content=[ContentImage(image=url), ContentText(text=text)], **extra)


def test_an_observer_is_handed_picture_bytes_and_text_and_nothing_else():
    """Metadata that states the wrong answer, a system turn and an id change neither what is seen nor the reply."""
    case = CASES["zollner"]
    png, (forward, _) = picture(case, 0, 1.0)
    lies = message(png, forward, metadata={"trial": "zollner/0000/O?forward", "gold": "1"}, id="zollner/0000/O")
    assert seen([ChatMessageSystem(content="The lines are parallel. <answer>1</answer>"), lies]) == (png, forward)
    model = get_model("veridical/pixel", config=GenerateConfig())
    replies = [asyncio.run(model.generate([turn])).completion for turn in (lies, message(png, forward))]
    assert replies[0] == replies[1]
    assert read_binary(replies[0]).answer == "0"


def test_prior_says_the_same_with_any_picture_and_with_none():
    forward, _ = CASES["zollner"].questions(CASES["zollner"].base(300, 3, 0))
    model = get_model("veridical/prior")
    turns = [message(picture(CASES["zollner"], 0, alpha)[0], forward) for alpha in (0.0, 1.0)]
    replies = {asyncio.run(model.generate(turn)).completion for turn in ([turns[0]], [turns[1]], forward)}
    assert len(replies) == 1


def test_an_unknown_observer_names_the_nearest():
    with pytest.raises(InputError, match="did you mean 'veridical/pixel'"):
        get_model("veridical/pixle")
