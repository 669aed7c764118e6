"""A dry run shows pictures and clips as they would be sent, and refuses what a run refuses."""

from hashlib import sha256

import pytest

import veridical
from tests.probe_suite import SUITE as PROBE
from veridical.errors import InputError
from veridical.records import Media
from veridical.suite import registry
from veridical.suite.evidence import Evidence

FORMATS = {"png": "PNG", "jpg": "JPEG", "webp": "WebP", "mp4": "MP4"}


@pytest.fixture
def probe(monkeypatch, tmp_path):
    monkeypatch.setattr(registry, "_REGISTERED", dict(registry._REGISTERED))
    registry.register(PROBE)
    return veridical.make("probe", out=tmp_path / "set", units=1)


def parts_of(request):
    return [part for message in request.facts()["messages"] for part in message["parts"]]


def test_each_medium_is_shown_with_format_size_frames_bytes_and_hash(probe, monkeypatch):
    monkeypatch.setattr("veridical.verbs.plans.rehearsal.SHOWN", 99)
    trials = {trial.id: trial for trial in PROBE.asking.stages[0].trials(probe.stimuli, PROBE.asked(), Evidence({}))}
    media = {medium.file: medium for stimulus in probe.stimuli for medium in stimulus.media}
    requests = veridical.dry_run(probe, "veridical/eye")
    assert sorted(request.trial for request in requests) == sorted(trials)
    for request in requests:
        shown = parts_of(request)
        planned = [part for message in trials[request.trial].messages for part in message.parts]
        for part, told in zip(planned, shown, strict=True):
            if not isinstance(part, Media):
                assert told == {"text": part.text}
                continue
            content, medium = probe.read(part.file), media[part.file]
            facts = {
                "format": FORMATS[part.file.rpartition(".")[2]],
                "width": medium.width,
                "height": medium.height,
                "bytes": len(content),
                "sha256": sha256(content).hexdigest(),
            }
            clip = part.kind == "video"
            assert told == ({"clip": {**facts, "frames": medium.frames}} if clip else {"picture": facts})
            frames = f", {medium.frames} frames" if clip else ""
            line = f"[{facts['format']} {medium.width}x{medium.height}{frames}, {len(content):,} bytes, sha256 "
            assert any(line in each for each in request.lines())


def test_clips_for_a_model_that_takes_none_are_refused_as_in_a_run(probe):
    how = {"base_url": "http://127.0.0.1:9/v1"}
    told = []
    for asked in (
        lambda: veridical.dry_run(probe, "m", **how),
        lambda: veridical.run(probe, "m", **how, show="quiet", analyze=False),
    ):
        with pytest.raises(InputError, match="model 'm' cannot be shown clips") as caught:
            asked()
        told.append(str(caught.value))
    assert told[0] == told[1]
