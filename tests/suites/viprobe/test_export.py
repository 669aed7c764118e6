"""What is exported is what a run would send, and what comes back from it makes the same run."""

import base64
import json
import os
from dataclasses import replace
from functools import partial
from hashlib import sha256
from pathlib import Path

import pytest

import veridical
from tests.ask.plans import picture, plan
from tests.ask.server import Request, completion, said, serve
from veridical.errors import InputError
from veridical.media.draw import decode_png, pixel_hash
from veridical.records import Media, Message, Text, canonical
from veridical.suites.viprobe.observers.question import pixel_reply
from veridical.verbs.exchange.line_files import write_trials
from veridical.verbs.exchange.trials import write_batches

CLIP = b"\0\0\0\x18ftypisom"


def opaque(name):
    return sha256(name.encode()).hexdigest()


@pytest.fixture(scope="module")
def looked(tmp_path_factory):
    folder = tmp_path_factory.mktemp("export")
    small = veridical.make("viprobe", out=folder / "set", cases=["zollner"], units=1, levels=2, size=128)
    return small, veridical.run(small, "veridical/pixel", out=folder / "run", show="quiet", analyze=False)


def lines(path):
    return [json.loads(text) for text in path.read_text().splitlines()]


def record(message, folder):
    parts = []
    for part in message["parts"]:
        if "text" in part:
            parts.append(Text(part["text"]))
        else:
            png = (folder / part["media"]).read_bytes()
            parts.append(Media(png, pixel_hash(decode_png(png))))
            assert (part["sha256"], part["kind"]) == (parts[-1].sha256, "image")
    return Message(message["role"], tuple(parts))


@pytest.mark.parametrize("place", ["trials.jsonl", "deep/er/trials.jsonl", "set/trials.jsonl", "link/trials.jsonl"])
def test_a_runner_finds_every_message_and_every_picture_from_the_file_alone(looked, place, tmp_path):
    small, run = looked
    path, trials = small.folder.parent / place, run.run.trials()
    if place.startswith("link"):
        (tmp_path / "some/where/else").mkdir(parents=True)
        (small.folder.parent / "link").symlink_to(tmp_path / "some/where/else")
    assert write_trials(path, iter(trials), small.read, opaque=small.opaque) == len(trials)
    for found, trial in zip(lines(path), trials, strict=True):
        name = small.opaque(trial.id)
        assert (found["id"], found["suite"], found["settings"]) == (name, "viprobe", dict(trial.settings))
        assert [record(message, path.parent) for message in found["messages"]] == [
            Message(
                message.role,
                tuple(
                    Media(small.read(part.file), part.sha256) if isinstance(part, Media) else part
                    for part in message.parts
                ),
            )
            for message in trial.messages
        ]


def test_the_true_answer_is_there_only_if_asked_for(looked, tmp_path):
    small, run = looked
    trials = run.run.trials()
    write_trials(tmp_path / "without.jsonl", trials, small.read, opaque=small.opaque)
    write_trials(tmp_path / "with.jsonl", trials, small.read, opaque=small.opaque, gold=True)
    assert [found.pop("gold") for found in lines(tmp_path / "with.jsonl")] == [trial.gold for trial in trials]
    for found in lines(tmp_path / "without.jsonl"):
        assert set(found) == {"id", "suite", "stage", "settings", "messages"}


def test_the_same_two_figures_with_other_truths_make_the_same_file(tmp_path):
    trials = plan()
    truth = {
        "gold": "No",
        "factors": {"alpha": 0.5, "side": "left"},
        "expects": {"options": ["No", "Yes"], "regions": 3},
    }
    others = [replace(trial, **truth) for trial in trials]
    assert trials != others
    for name, asked in (("a", trials), ("b", others)):
        write_trials(tmp_path / name / "lines", asked, picture, opaque=opaque)
        write_batches(tmp_path / name / "batch", asked, picture, opaque=opaque, model="m")
    for file in ("lines", "batch"):
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes()


def test_a_batch_holds_the_messages_that_a_run_sends(looked, tmp_path):
    small, run = looked
    path, trials = tmp_path / "batch.jsonl", run.run.trials()
    count = write_batches(
        path, trials, small.read, opaque=small.opaque, model="my-vlm", temperature=0.0, max_tokens=7
    ).lines
    with serve(lambda request: said(pixel_reply(request.pictures[0], request.text))) as server:
        veridical.run(small, "my-vlm", base_url=server.url, out=tmp_path / "run", show="quiet", analyze=False)
    for request in server.requests:
        for part in request.parts:
            # What the API takes for granted, and inspect-ai says.
            assert part.get("image_url", {}).pop("detail", "auto") == "auto"
    sent = [canonical(request.body["messages"]) for request in server.requests]
    assert count == len(trials) == len(sent)
    batch = lines(path)
    assert sorted(canonical(each["body"].pop("messages")) for each in batch) == sorted(sent)
    assert [each["custom_id"] for each in batch] == [small.opaque(trial.id) for trial in trials]
    for each in batch:
        assert (each["method"], each["url"]) == ("POST", "/v1/chat/completions")
        assert each["body"] == {"model": "my-vlm", "temperature": 0.0, "max_completion_tokens": 7}


def test_a_batch_leaves_open_what_is_not_given(tmp_path):
    write_batches(tmp_path / "b", plan(), picture, opaque=opaque, model="m")
    assert {key for each in lines(tmp_path / "b") for key in each["body"]} == {"model", "messages"}
    with pytest.raises(InputError, match="temperature -1"):
        write_batches(tmp_path / "b", plan(), picture, opaque=opaque, model="m", temperature=-1)


def test_a_batch_that_another_runs_comes_back_as_our_own_run(looked, tmp_path):
    small, run = looked
    write_batches(tmp_path / "in.jsonl", run.run.trials(), small.read, opaque=small.opaque, model="m")

    def answered(each):
        request = Request(1, 0.0, each["url"], {}, each["body"])
        text = pixel_reply(request.pictures[0], request.text)
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
        response = {"status_code": 200, "request_id": "r", "body": completion([choice])}
        return json.dumps({"id": "b", "custom_id": each["custom_id"], "response": response, "error": None})

    (tmp_path / "out.jsonl").write_text("\n".join(map(answered, reversed(lines(tmp_path / "in.jsonl")))))
    arguments = {"answers": str(tmp_path / "out.jsonl")}
    again = veridical.run(
        small, "veridical/replay", model_args=arguments, out=tmp_path / "run", show="quiet", analyze=False
    )
    assert again.estimates() == run.estimates()


@pytest.mark.parametrize("write", [write_trials, partial(write_batches, model="m")])
def test_a_file_is_whole_or_as_it_was(tmp_path, write):
    path = tmp_path / "trials.jsonl"
    path.write_text("before\n")

    def broken():
        yield from plan()
        raise RuntimeError

    with pytest.raises(RuntimeError):
        write(path, broken(), picture, opaque=opaque)
    with pytest.raises(InputError, match="two trials have the id 'p000/q0'"):
        write(path, [*plan(), *plan(1)], picture, opaque=opaque)
    assert path.read_text() == "before\n"
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(InputError, match="below cannot be written: "):
        write(path / "below", plan(), picture, opaque=opaque)


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo])
def test_what_is_no_file_is_not_written_over(tmp_path, make):
    make(tmp_path / "out")
    with pytest.raises(InputError, match="out cannot be written: it is there and is no file"):
        write_trials(tmp_path / "out", plan(), picture, opaque=opaque)
    assert [path.is_file() for path in tmp_path.iterdir()] == [False]


@pytest.mark.parametrize("file", ["/etc/passwd", "media/../../secret.png"])
def test_a_medium_outside_of_the_set_is_refused(looked, tmp_path, file):
    trial = replace(plan(1, 1)[0], messages=(Message("user", (Media(file, ""),)),))
    with pytest.raises(InputError, match="is no path inside"):
        write_trials(tmp_path / "a.jsonl", [trial], looked[0].read, opaque=opaque)


def test_media_and_texts_stand_in_the_trials_order_and_a_line_says_of_what_kind_each_medium_is(tmp_path):
    parts = (
        Text("This"),
        Media("media/p1.png", "1" * 64),
        Text("or"),
        Media("media/c.mp4", "2" * 64, "video"),
        Media("media/p2.png", "3" * 64),
    )
    trial = replace(plan(1, 1)[0], messages=(Message("user", parts),))
    write_trials(
        tmp_path / "a.jsonl", [trial], lambda file: CLIP if file.endswith("4") else picture(file), opaque=opaque
    )
    copies = [f"a-media/{opaque(part.file)}{Path(part.file).suffix}" for part in parts if isinstance(part, Media)]
    assert lines(tmp_path / "a.jsonl")[0]["messages"][0]["parts"] == [
        {"text": "This"},
        {"media": copies[0], "kind": "image", "sha256": "1" * 64},
        {"text": "or"},
        {"media": copies[1], "kind": "video", "sha256": "2" * 64},
        {"media": copies[2], "kind": "image", "sha256": "3" * 64},
    ]
    assert [(tmp_path / copy).read_bytes() for copy in copies] == [
        picture("media/p1.png"),
        CLIP,
        picture("media/p2.png"),
    ]
    stills = replace(trial, messages=(Message("user", tuple(part for part in parts if part != parts[3])),))
    write_batches(tmp_path / "b.jsonl", [stills], picture, opaque=opaque, model="m")
    content = lines(tmp_path / "b.jsonl")[0]["body"]["messages"][0]["content"]
    assert [part["type"] for part in content] == ["text", "image_url", "text", "image_url"]
    urls = [part["image_url"]["url"] for part in content if part["type"] == "image_url"]
    assert urls == [
        f"data:image/png;base64,{base64.b64encode(picture(file)).decode()}" for file in ("media/p1.png", "media/p2.png")
    ]


def test_a_clip_in_a_batch_ends_in_one_line_and_leaves_no_file(tmp_path):
    shown = (Media("media/c.mp4", "0" * 64, "video"), Text("What breaks?"))
    clip = replace(plan(1, 1)[0], id="with/clip", messages=(Message("user", shown),))
    with pytest.raises(InputError) as caught:
        write_batches(tmp_path / "b.jsonl", [*plan(1, 1), clip], picture, opaque=opaque, model="m")
    assert str(caught.value) == "trial 'with/clip' shows the clip media/c.mp4: a batch takes pictures alone"
    assert list(tmp_path.iterdir()) == []
