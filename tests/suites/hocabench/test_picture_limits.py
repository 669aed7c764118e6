"""A provider that takes few pictures in one request: told by plans, refused before anything is sent, with what fits."""

from __future__ import annotations

import pytest

import veridical
from tests.ask.server import refused, said, serve
from veridical.errors import InputError
from veridical.verbs import sets

FEW, MANY = "groq/some-vlm", "anthropic/claude-opus-4-6"
FITS = "-S frames=uniform-4 fits (4 of at most 5 pictures)"


@pytest.fixture(scope="module")
def clips(tmp_path_factory):
    few = {"sub_types": ("gravity",), "scenes": ("ramp",), "units": 1, "panels": 0, "sequences": 0}
    return veridical.make("hocabench", out=tmp_path_factory.mktemp("sets") / "set", **few)


def test_a_plan_tells_how_many_trials_are_over_the_limit_and_which_level_fits():
    design = sets.design("hocabench", sub_types=("gravity",), scenes=("ramp",), units=3)
    forecast = veridical.plan(design, FEW, settings={"task": "plausibility"})
    (line,) = forecast.too_large
    assert line.startswith(
        f"of {forecast.trials:,} trials {forecast.trials:,} are over 5 pictures a request (up to 16)"
    )
    assert line.endswith(FITS)
    assert any(line in each for each in forecast.lines())
    chosen = {"task": "plausibility", "frames": "uniform-4"}
    assert veridical.plan(design, FEW, settings=chosen).too_large == ()
    assert veridical.plan(design, MANY, settings={"task": "plausibility"}).too_large == ()


def test_a_run_is_refused_before_a_frame_is_made_or_anything_is_written(clips, tmp_path):
    with pytest.raises(InputError) as caught:
        veridical.run(clips, FEW, out=tmp_path / "run", settings={"task": "plausibility"}, show="quiet")
    line = str(caught.value)
    assert "are over 5 pictures a request (up to 16) (https://" in line
    assert line.endswith(f"{FITS}, or use another model")
    assert not (tmp_path / "run").exists()
    assert not (clips.folder / "derived").exists()
    with pytest.raises(InputError, match="over 5 pictures a request"):
        veridical.dry_run(clips, FEW, settings={"task": "plausibility"})


def test_a_server_that_takes_fewer_pictures_ends_the_run_with_the_level_that_fits(clips, tmp_path):
    with serve() as server:
        server.behaviour = lambda request: (
            refused(400, "At most 8 image(s) may be provided in one prompt.")
            if len([part for part in request.parts if part["type"] == "image_url"]) > 8
            else said("Yes")
        )
        place = {"base_url": server.url, "show": "quiet", "analyze": False}
        with pytest.raises(InputError) as caught:
            veridical.run(clips, "m", out=tmp_path / "run", settings={"task": "plausibility"}, **place)
        line = str(caught.value)
        assert "takes at most 8 pictures in one request, the first trial has 16: start it with more (vLLM: " in line
        assert line.endswith("; -S frames=uniform-8 fits (8 of at most 8 pictures)")
        fitting = {"task": "plausibility", "frames": "uniform-8"}
        assert veridical.run(clips, "m", out=tmp_path / "fits", settings=fitting, **place).complete
