"""Pictures, clips and texts go out in their order, with the bytes that the files hold; or nothing goes out."""

from __future__ import annotations

import base64
import io
import threading
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.ask.plans import QUICK, picture, plan, put
from tests.ask.server import Server
from veridical.ask import Run, Sampling, ask, open_model, progress
from veridical.ask.capabilities import takes_clips
from veridical.errors import InputError
from veridical.records import Media, Message, Text, Trial

CLIPS = {
    "media/a.mp4": (b"\0\0\0\x18ftypisom" + b"m" * 99, "mp4", "video/mp4"),
    "media/b.mov": (b"\0\0\0\x14ftypqt  " + b"q" * 99, "mov", "video/quicktime"),
    "media/c.webm": (b"\x1a\x45\xdf\xa3\x01webm" + b"w" * 99, "mp4", "video/webm"),
}


def encoded(kind: str) -> bytes:
    data = io.BytesIO()
    Image.new("RGB", (6, 4), (9, 99, 199)).save(data, kind)
    return data.getvalue()


PICTURES = {"media/j.jpg": encoded("JPEG"), "media/w.webp": encoded("WEBP"), "media/p1.png": picture("p1")}


def showing(*parts: Text | Media, number: int = 0) -> Trial:
    trial = plan(number + 1, 1)[number]
    return replace(trial, messages=(*trial.messages[:1], Message("user", parts)))


def media(file: str) -> bytes:
    return CLIPS[file][0] if file in CLIPS else PICTURES[file]


def test_several_pictures_and_texts_arrive_in_their_order_each_as_what_it_is(tmp_path: Path, server: Server):
    first, second, third = (Media(file, "0") for file in PICTURES)
    parts = (Text("This,"), first, Text("or this,"), second, third, Text("which?"), first)
    trial = showing(*parts)
    run = Run.start(tmp_path, {"model": "m"}, {}, [trial], factors={})
    model = open_model("m", base_url=server.url, model_args={}, sampling=Sampling(), policy=QUICK)
    ask(run, [trial], model, media=media, policy=QUICK, progress=progress(1, "quiet"))
    (request,) = server.requests
    mimes = {"media/j.jpg": "image/jpeg", "media/w.webp": "image/webp", "media/p1.png": "image/png"}
    expected = [
        {"text": part.text}
        if isinstance(part, Text)
        else {"url": f"data:{mimes[part.file]};base64,{base64.b64encode(PICTURES[part.file]).decode()}"}
        for part in parts
    ]
    arrived = [
        {"text": part["text"]} if part["type"] == "text" else {"url": part["image_url"]["url"]}
        for part in request.parts
    ]
    assert arrived == expected


def test_a_trial_without_media_is_text_alone(tmp_path: Path, server: Server):
    put(tmp_path, server.url, [showing(Text("Is it so?"))])
    assert server.requests[0].body["messages"][1] == {"role": "user", "content": "Is it so?"}


def watching(name: str, seen: list[Any], **attributes: object) -> str:
    from inspect_ai.model import ModelAPI, ModelOutput, modelapi

    class Watching(ModelAPI):
        async def generate(self, input, tools, tool_choice, config):  # noqa: A002 - inspect-ai's name
            seen.append(input[-1].content)
            return ModelOutput.from_content(name, "Yes")

    for attribute, value in attributes.items():
        setattr(Watching, attribute, value)
    modelapi(name=name)(Watching)
    return f"{name}/any"


def put_to(model: str, folder: Path, trials: list[Trial], **options: Any):
    opened = open_model(model, base_url=None, model_args={}, sampling=Sampling(), policy=QUICK)
    run = Run.start(folder, {"model": model}, {}, trials, factors={})
    shown = progress(len(trials), "quiet")
    return ask(run, trials, opened, media=media, policy=QUICK, progress=shown, **options)


def test_a_clip_goes_as_itself_to_a_provider_that_takes_clips(tmp_path: Path):
    seen: list[Any] = []
    parts = (Media("media/j.jpg", "0"), *(Media(file, "0", "video") for file in CLIPS), Text("What breaks?"))
    put_to(watching("clipviewer", seen, takes_clips=True), tmp_path, [showing(*parts)])
    ((first, *clips, last),) = seen
    assert (first.type, last.text) == ("image", "What breaks?")
    for clip, (content, container, mime) in zip(clips, CLIPS.values(), strict=True):
        assert (clip.type, clip.format) == ("video", container)
        assert clip.video == f"data:{mime};base64,{base64.b64encode(content).decode()}"


@pytest.mark.parametrize("skip", [False, True])
def test_a_clip_for_a_provider_that_takes_none_ends_in_one_line_before_anything_is_sent(tmp_path: Path, skip: bool):
    seen: list[Any] = []
    trials = [showing(Text("?")), showing(Media("media/a.mp4", "0", "video"), Text("?"), number=1)]
    with pytest.raises(InputError) as caught:
        put_to(watching(f"blind{skip}".lower(), seen), tmp_path, trials, skip_unsupported=skip)
    told = f"model 'blind{skip}/any' cannot be shown clips (1 of 2 trials show one): its provider accepts only pictures"
    assert str(caught.value).startswith(told.replace(f"blind{skip}", f"blind{skip}".lower()))
    assert "\n" not in str(caught.value)
    assert (seen, Run.open(tmp_path).responses()) == ([], {})


def test_a_server_of_ones_own_is_sent_no_clip(tmp_path: Path, server: Server):
    with pytest.raises(InputError, match=r"cannot be shown clips .* clips=true if its server accepts clips$"):
        put(tmp_path, server.url, [showing(Media("media/a.mp4", "0", "video"), Text("?"))])
    assert server.requests == []


def test_a_server_that_is_said_to_take_clips_is_sent_them_whole_as_urls(tmp_path: Path, server: Server):
    parts = (Media("media/j.jpg", "0"), *(Media(file, "0", "video") for file in CLIPS), Text("What breaks?"))
    trial = showing(*parts)
    run = Run.start(tmp_path, {"model": "m"}, {}, [trial], factors={})
    model = open_model("m", base_url=server.url, model_args={"clips": True}, sampling=Sampling(), policy=QUICK)
    ask(run, [trial], model, media=media, policy=QUICK, progress=progress(1, "quiet"))
    (request,) = server.requests
    first, *clips, last = request.body["messages"][-1]["content"]
    assert (first["type"], last) == ("image_url", {"type": "text", "text": "What breaks?"})
    assert clips == [
        {"type": "video_url", "video_url": {"url": f"data:{mime};base64,{base64.b64encode(content).decode()}"}}
        for content, _, mime in CLIPS.values()
    ]
    assert "clips" not in request.body


@pytest.mark.parametrize(
    ("module", "name", "takes"),
    [("openai", "OpenAIAPI", False), ("vllm", "VLLMAPI", False), ("openai_compatible", "OpenAICompatibleAPI", False)],
)
def test_inspect_ais_providers_are_known_by_what_they_do_with_a_clip(module: str, name: str, takes: bool):
    class Opened:
        api = object.__new__(getattr(import_module(f"inspect_ai.model._providers.{module}"), name))

        def __str__(self) -> str:
            return "provider/any"

    assert takes_clips(Opened()) == takes


def test_the_providers_that_take_clips_are_still_those_that_turn_them_into_a_request():
    """The others raise, or hand a chat server a part that it has no name for."""
    import inspect_ai

    folder = Path(inspect_ai.__file__).parent / "model" / "_providers"
    naming = {path.stem for path in folder.glob("*.py") if "content.video" in path.read_text()}
    assert naming == {"google"}
    assert "class GoogleGenAIAPI(" in (folder / "google.py").read_text()


@pytest.mark.parametrize(("file", "kind"), [("media/a.mp4", "image"), ("media/p1.png", "video")])
def test_a_medium_that_is_not_of_its_stated_kind_is_not_sent(tmp_path: Path, file: str, kind: Any):
    seen: list[Any] = []
    model = watching(f"strict{kind}", seen, takes_clips=True)
    with pytest.raises(InputError, match=f"^{file} is declared as {kind}, but it is "):
        put_to(model, tmp_path, [showing(Media(file, "0", kind), Text("?"))])
    assert seen == []


def test_media_are_read_outside_of_the_loop_and_once_for_all_questions_on_a_stimulus(tmp_path: Path, server: Server):
    read: list[tuple[str, bool]] = []

    def reading(file: str) -> bytes:
        read.append((file, threading.current_thread() is threading.main_thread()))
        return picture(file)

    trials = plan(3, 3)
    run = Run.start(tmp_path, {"model": "m"}, {}, trials, factors={})
    model = open_model("m", base_url=server.url, model_args={}, sampling=Sampling(), policy=QUICK)
    ask(run, trials, model, media=reading, policy=QUICK, progress=progress(9, "quiet"))
    # The first request goes alone, and its picture is read again with the rest.
    assert sorted(file for file, _ in read) == ["media/p000.png", "media/p000.png", "media/p001.png", "media/p002.png"]
    assert not any(main for _, main in read)
