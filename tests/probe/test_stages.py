"""What becomes of later stages when a reply that they rest on is missing, mended, or asked again."""

from dataclasses import replace

import pytest

import veridical
from tests.ask.server import refused, said
from tests.probe import staged
from tests.probe.staged import (
    EYE,
    WHEN,
    answering,
    as_it_stands,
    asked,
    drawn,
    of_stage,
    options_for,
    replies,
    same,
    trials_of,
)
from veridical.records import canonical

AGAIN = [*WHEN, "attempt"]
BOTH = {"settings": {"severity": ["strict", "lenient"]}, "roles": {}}


@pytest.fixture(scope="module")
def few(tmp_path_factory):
    return drawn(tmp_path_factory.mktemp("sets") / "few", sums=1, boxes=2)


@pytest.fixture
def server():
    with answering() as answering_server:
        yield answering_server


@pytest.fixture
def put(few, server, tmp_path):
    """Runs, or goes on, with a behaviour of the server; gives the run, and the requests by stage that it took."""

    def put(behaviour, out="run", **options):
        server.behaviour = behaviour
        server.requests.clear()
        run = veridical.run(few, out=tmp_path / out, **options_for(server, tmp_path, **options))
        return as_it_stands(run), asked(server)

    return put


@pytest.fixture
def third_caption(few):
    """A behaviour that replies so to the request for a caption of one stimulus, and as usual to all else."""
    pictures = []

    def replying(reply):
        def caption(request):
            shown = canonical(request.parts)
            if shown not in pictures:
                pictures.append(shown)
            return reply if pictures.index(shown) == 2 else None

        return replies(caption=caption)

    return replying


def stored(run, stage):
    """How many replies a stage of a run has ever had."""
    return len((of_stage(run, stage).folder / "responses.jsonl").read_bytes().splitlines())


def stale(run):
    return {each.stage: each.stale for each in run.staged if each.stale}


def figures(run):
    """The estimates of a run, whatever was asked again."""
    return [replace(each, counts=replace(each.counts, asked_again=0)) for each in run.estimates()]


def waits(run):
    return {each.stage: each for each in run.waiting}


def test_a_stage_waits_for_a_reply_that_ended_in_an_error_and_the_command_ends_with_one(
    few, server, third_caption, tmp_path, said
):
    server.behaviour = third_caption(refused(500))
    options = options_for(server, tmp_path)
    words = ("--set", few.folder, "--out", tmp_path / "run", "--model", EYE, "--base-url", server.url, "--yes")
    words = (*words, "--judge", staged.JUDGE, "--role", f"captioner={staged.CAPTIONER}", "--models", options["models"])
    code, out, err = said("run", "probe", *words, "--max-requests", 1, "--max-connections", 1)
    assert code == 1
    assert "stage closer waits for 1 missing reply of stage caption\n" in out
    assert err.splitlines()[-1].startswith("veridical: the run is incomplete, stage caption: planned 4, asked 4")
    run = veridical.open_run(tmp_path / "run")
    assert waits(run)["closer"].missing
    assert not waits(run)["weigh"].missing
    assert "closer" not in asked(server)
    assert run.outcomes(stage="remark")["status"].null_count() == 0


def test_an_error_that_is_mended_makes_exactly_its_dependants_anew(put, third_caption):
    broken, sent = put(third_caption(refused(500)), accept_errors=True, judge=None)
    assert sent == {"look": 6, "caption": 4, "closer": 4}
    texts = [trial.messages[-1].parts[-1].text for trial in trials_of(broken, "closer")]
    assert sum("A caption says: «»" in text for text in texts) == 1
    assert put(third_caption(refused(500)), accept_errors=True, judge=None)[1] == {"caption": 1}
    mended, sent = put(replies(), judge=None)
    assert sent == {"caption": 1, "closer": 1}
    assert stale(mended) == {"closer": 1}
    assert (of_stage(mended, "closer").counts.planned, stored(mended, "closer")) == (4, 5)
    assert mended.complete
    undisturbed, _ = put(replies(), out="other", judge=None)
    assert same(mended, undisturbed, AGAIN)
    assert mended.estimates() == undisturbed.estimates()


def test_a_stage_that_was_asked_on_accepted_errors_waits_for_nothing(put, third_caption):
    run, sent = put(third_caption(refused(500)), accept_errors=True, judge=None)
    assert sent == {"look": 6, "caption": 4, "closer": 4}
    assert set(waits(run)) == {"mark", "again", "remark", "vote", "weigh"}
    assert not run.complete


def test_a_reply_asked_again_that_is_the_same_makes_nothing_stale_and_another_makes_its_dependants_so(
    put, third_caption
):
    first, sent = put(third_caption(""), judge=None)
    assert (sent["caption"], sent["closer"]) == (4, 4)
    same_again, sent = put(third_caption(""), judge=None, retry="unparsed")
    assert (sent, stale(same_again)) == ({"caption": 1}, {})
    assert same(same_again, first, AGAIN)
    another, sent = put(third_caption(said("", refusal="No.")), judge=None, retry="unparsed")
    assert (sent, stale(another)) == ({"caption": 1, "closer": 1}, {"closer": 1})
    assert not same(another, first, AGAIN)
    back, sent = put(third_caption(""), judge=None, retry="refused")
    assert (sent, stale(back)) == ({"caption": 1}, {"closer": 1})
    assert same(back, first, AGAIN)


def test_a_second_verdict_makes_the_second_look_and_what_judges_it_anew_and_counts_no_old_one(put):
    def lenient_on_boxes(verdict):
        return replies(mark=lambda request: verdict if "lenient" in request.text and "«R1»" in request.text else None)

    first, _ = put(lenient_on_boxes("Hm."), **BOTH)
    counted = {name: len(first.outcomes(stage=name)) for name in ("mark", "again", "remark")}
    assert counted == {"mark": 12, "again": 6, "remark": 12}
    changed, sent = put(lenient_on_boxes("<answer>wrong</answer>"), retry="unparsed", **BOTH)
    assert sent == {"mark": 4, "again": 4, "remark": 8}
    assert stale(changed) == {"again": 4, "remark": 8}
    assert {name: len(changed.outcomes(stage=name)) for name in counted} == counted
    undisturbed, _ = put(lenient_on_boxes("<answer>wrong</answer>"), out="other", **BOTH)
    assert same(changed, undisturbed, AGAIN)
    assert figures(changed) == figures(undisturbed)


def test_dependants_of_a_changed_reply_are_in_no_figure_before_they_are_asked_anew(
    put, third_caption, server, tmp_path
):
    run, _ = put(third_caption(""), judge=None)
    server.behaviour = replies()
    server.requests.clear()
    options = options_for(server, tmp_path, judge=None, retry="unparsed")
    captioner = {name: value for name, value in options.items() if name not in ("model", "base_url")}
    judged = veridical.judge(run.folder, **captioner)
    assert asked(server) == {"caption": 1}
    assert stale(judged) == {"closer": 1}
    assert len(judged.outcomes(stage="closer")) == 3
    assert not waits(judged)["closer"].missing
    assert stored(judged, "closer") == 4


def test_a_reply_from_the_cache_has_the_digest_of_the_first_in_every_stage(put, tmp_path):
    first, _ = put(replies(), cache=tmp_path / "cache")
    second, sent = put(replies(), out="other", cache=tmp_path / "cache")
    assert sent == {}
    for stage in staged.STAGES:
        found = second.outcomes(stage=stage)
        assert found["cached"].all()
        assert found.select("trial", "digest").equals(first.outcomes(stage=stage).select("trial", "digest"))
