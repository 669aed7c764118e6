"""Where a judge sees pictures, people are given copies of them, whose names tell nothing."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import veridical
from tests.judge.conftest import playing, verdict
from tests.judge.quiz import ANY, ASKING, DESIGN, SUITE, facts, make, trials
from veridical.errors import InputError
from veridical.judges import SHORT_ANSWER, marking, readers
from veridical.media.decode import medium_of
from veridical.media.draw import encode_png
from veridical.suite import registry
from veridical.suite.stages import Stage

RUBRIC = replace(SHORT_ANSWER, media=True)


def pictured(options, chunk):
    for stimulus, _ in make(options, chunk):
        content = encode_png(np.full((16, 16, 3), 10 * chunk.index, np.uint8))
        medium = medium_of(f"media/the answer is/{stimulus.label}-{chunk.index}.png", content)
        yield replace(stimulus, suite="pictured", media=(medium,)), (content,)


PICTURED = replace(DESIGN, make=pictured)
ASKED = replace(
    ASKING,
    stages=(
        Stage(name="ask", settings=(), trials=trials),
        marking("grade", "ask", (RUBRIC,), facts=facts, at_most=lambda stimuli, _: len(stimuli)),
    ),
    readers={"any": (ANY,), **readers((RUBRIC,))},
    settings={"rubric": (RUBRIC.name,)},
    defaults={"rubric": (RUBRIC.name,)},
)
OWN = {"design": f"{__name__}:PICTURED", "asking": f"{__name__}:ASKED"}


@pytest.fixture
def judged(tmp_path, models_file):
    registry.register(replace(SUITE, name="pictured", parts={**SUITE.parts, **OWN}), replace=True)
    whole = veridical.make("pictured", out=tmp_path / "set", units=4)
    with playing({"good": lambda _: verdict(correct=True)}) as server:
        veridical.run(
            whole,
            "sees",
            base_url=server.url,
            judge="good",
            models=models_file(server, "good"),
            out=tmp_path / "run",
            show="quiet",
            analyze=False,
        )
    return whole, tmp_path / "run"


def test_a_sheet_names_copies_of_what_the_judge_saw(judged, tmp_path):
    whole, run = judged
    sheet = veridical.sample_replies(run, tmp_path / "people.csv", per_stratum=9).file
    places = pl.read_csv(sheet)["media"].to_list()
    assert {(tmp_path / place).read_bytes() for place in places} == {whole.read(s.media[0].file) for s in whole.stimuli}
    assert {Path(place).stem for place in places} == {whole.opaque(s.media[0].file) for s in whole.stimuli}
    assert "the answer is" not in sheet.read_text()


def test_a_sheet_that_is_there_stays_and_no_copy_is_made(judged, tmp_path):
    (tmp_path / "people.csv").write_text("labels")
    with pytest.raises(InputError, match="may hold labels"):
        veridical.sample_replies(judged[1], tmp_path / "people.csv")
    assert not (tmp_path / "people-media").exists()
