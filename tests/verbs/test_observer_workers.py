"""Workers that ask embedded observers give the replies that are given in this process, and are used where it pays."""

from __future__ import annotations

import pytest

import veridical
from veridical.base import workers as base_workers
from veridical.errors import InputError
from veridical.suite import registry
from veridical.verbs.runs import observer_workers

QUIET = {"show": "quiet", "analyze": False}


@pytest.fixture(scope="module")
def stimuli(tmp_path_factory):
    options = {"cases": ["muller_lyer"], "units": 3, "levels": 4, "size": 256, "workers": 1}
    return veridical.make("viprobe", out=tmp_path_factory.mktemp("set") / "set", **options)


@pytest.fixture
def crews(monkeypatch):
    """The handlers for which workers were started, any number of questions being worth it."""
    monkeypatch.setattr(observer_workers, "_WORTH_PROCESSES", 1)
    started, crew = [], base_workers.Workers.crew

    def counted(workers, handler, job):
        started.append(job)
        return crew(workers, handler, job)

    monkeypatch.setattr(base_workers.Workers, "crew", counted)
    return started


def replies(run):
    """What was replied to each trial and repeat, less the times."""
    return replies_in(run.run)


def replies_in(stage):
    return {key: (each.digest, each.text, each.error, each.detail) for key, each in stage.responses().items()}


def test_the_replies_of_a_learned_network_are_the_same(tmp_path, stimuli, crews):
    model = "veridical/learned-textbook"
    here = veridical.run(stimuli, model, out=tmp_path / "here", **QUIET)
    assert not crews
    spread = veridical.run(stimuli, model, out=tmp_path / "spread", workers=2, **QUIET)
    assert len(crews) == 1
    assert replies(spread) == replies(here)
    assert spread.complete
    assert spread.run.identity == here.run.identity
    assert [each.run.executions[-1].get("workers") for each in (here, spread)] == [None, {"processes": 2}]
    again = veridical.run(stimuli, model, out=tmp_path / "spread", workers=2, **QUIET)
    assert (len(crews), replies(again)) == (1, replies(here))


def test_rule_judges_mark_the_same(tmp_path, crews):
    items = veridical.make("viabench", out=tmp_path / "set", puzzles=["color"], units=1, size=256, workers=1)
    options = {"judge": "rule", "repeats": 1, **QUIET}
    here = veridical.run(items, "veridical/simulated", out=tmp_path / "here", **options)
    spread = veridical.run(items, "veridical/simulated", out=tmp_path / "spread", workers=2, **options)
    assert {job["observer"] for job in crews} == {"rule"}, "a simulated observer computes nothing that is worth it"
    marked = [[replies_in(each) for each in run.stages.runs["grade"]] for run in (here, spread)]
    assert marked[0] == marked[1]
    assert marked[0][0]


def test_a_picture_that_was_changed_ends_the_run_in_the_same_line(tmp_path, crews):
    options = {"cases": ["zollner"], "units": 2, "levels": 2, "size": 256, "workers": 1}
    changed = veridical.make("viprobe", out=tmp_path / "set", **options)
    (changed.folder / changed.stimuli[-1].media[0].file).write_bytes(b"no picture")
    told = []
    for workers in (None, 2):
        with pytest.raises(InputError) as refused:
            veridical.run(changed, "veridical/pixel", out=tmp_path / str(workers), workers=workers, **QUIET)
        told.append(str(refused.value))
    assert told[0] == told[1]


def test_few_questions_start_no_process(tmp_path, stimuli, crews, monkeypatch):
    monkeypatch.undo()
    started = []
    monkeypatch.setattr(base_workers.Workers, "crew", lambda *_: started.append(1))
    veridical.run(stimuli, "veridical/pixel", out=tmp_path / "run", limit=1, workers=2, **QUIET)
    assert not started


def test_a_suite_of_this_process_alone_is_found_by_no_other(other):
    assert registry.found_as(registry.get("viprobe")) == "viprobe"
    assert registry.found_as(other) is None


def test_both_places_are_too_many(tmp_path, stimuli):
    for words in ({"workers": 2, "cluster": "auto"}, {"workers": 0}, {"cluster": "nowhere"}, {"cluster": "ray://host"}):
        with pytest.raises(InputError, match=r"name one of the two|1 to 1000|ray://HOST:PORT"):
            veridical.run(stimuli, "veridical/prior", out=tmp_path / "run", **words, **QUIET)
    assert not (tmp_path / "run").exists()
