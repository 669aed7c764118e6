"""What later stages rest on: parents that change, repeats, settings of one stage, media that are derived, no replies."""

from graphlib import CycleError, TopologicalSorter
from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import veridical
from tests.ask.server import refused, said, serve
from tests.probe import staged
from tests.probe.staged import EMBEDDED, EYE, QUIET, WHEN, asked, drawn, of_stage, options_for, replies, same
from veridical.records import OUTCOMES, canonical, columns_of
from veridical.suite.asking import Stage, in_order

AGAIN = [*WHEN, "attempt"]
HARSH = {"model_args": {"harsh.mark": True}}
BOTH = {"settings": {"rubric": ["strict", "lenient"]}}


@pytest.fixture(scope="module")
def few(tmp_path_factory):
    return drawn(tmp_path_factory.mktemp("sets") / "few", sums=2, boxes=2)


@pytest.fixture
def server():
    with serve(replies()) as running_server:
        yield running_server


@pytest.fixture
def put(few, server, tmp_path):
    """Runs, or goes on, with a behaviour of the server; gives the run, and the requests by stage that it took."""

    def put(behaviour, out="run", **options):
        server.behaviour = behaviour
        server.requests.clear()
        run = veridical.run(few, out=tmp_path / out, **options_for(server, tmp_path, **options))
        return run, asked(server)

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
    put(third_caption(refused(500)))
    broken, sent = put(third_caption(refused(500)), accept_errors=True)
    assert sent == {"caption": 1, "closer": 4}
    texts = broken.run.open(of_stage(broken, "closer").folder).trials()
    assert sum("A caption says: «»" in trial.messages[-1].parts[-1].text for trial in texts) == 1
    mended, sent = put(replies())
    assert sent == {"caption": 1, "closer": 1}
    assert stale(mended) == {"closer": 1}
    assert (of_stage(mended, "closer").counts.planned, stored(mended, "closer")) == (4, 5)
    assert mended.complete
    undisturbed, _ = put(replies(), out="other")
    assert same(mended, undisturbed, AGAIN)
    assert mended.estimates() == undisturbed.estimates()
    assert put(replies())[1] == {}


def test_a_stage_that_was_asked_on_accepted_errors_waits_for_nothing(put, third_caption):
    run, sent = put(third_caption(refused(500)), accept_errors=True)
    assert sent["closer"] == 4
    assert set(waits(run)) == {"vote", "weigh"}
    assert not run.complete


def test_a_reply_asked_again_that_is_the_same_makes_nothing_stale_and_another_makes_its_dependants_so(
    put, third_caption
):
    first, sent = put(third_caption(""))
    assert (sent["caption"], sent["closer"]) == (4, 4)
    same_again, sent = put(third_caption(""), retry="unparsed")
    assert (sent, stale(same_again)) == ({"caption": 1}, {})
    assert same(same_again, first, AGAIN)
    another, sent = put(third_caption(said("", refusal="No.")), retry="unparsed")
    assert (sent, stale(another)) == ({"caption": 1, "closer": 1}, {"closer": 1})
    back, sent = put(third_caption(""), retry="refused")
    assert (sent, stale(back)) == ({"caption": 1}, {"closer": 1})
    assert same(back, first, AGAIN)


def test_a_second_verdict_makes_the_second_look_and_what_judges_it_anew_and_counts_no_old_one(put):
    def behaviour(verdict):
        return replies(mark=lambda request: verdict if "lenient" in request.text and "greater" not in str(request.body) else None)

    first, sent = put(behaviour("I cannot say."), **BOTH)
    looks = first.outcomes(stage="again")
    changed, sent = put(behaviour("<answer>wrong</answer>"), retry="unparsed", **BOTH)
    undisturbed, _ = put(behaviour("<answer>wrong</answer>"), out="other", **BOTH)
    assert stale(changed) == {"again": len(looks), "remark": 2 * len(looks)}
    assert sent["again"] == len(undisturbed.outcomes(stage="again"))
    assert same(changed, undisturbed, AGAIN)
    assert changed.estimates() == undisturbed.estimates()


def test_dependants_of_a_changed_reply_are_in_no_figure_before_they_are_asked_anew(put, third_caption, server, tmp_path):
    run, _ = put(third_caption(""))
    server.behaviour = replies()
    server.requests.clear()
    options = options_for(server, tmp_path, judge=None, retry="unparsed")
    judged = veridical.judge(run.folder, **{k: v for k, v in options.items() if k not in ("model", "base_url")})
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


@pytest.fixture(scope="module")
def repeated(few, tmp_path_factory):
    out = tmp_path_factory.mktemp("runs") / "run"
    return veridical.run(few, "veridical/eye", out=out, repeats=3, **HARSH, **EMBEDDED, **QUIET)


def test_each_repeat_of_a_source_makes_a_trial_of_its_own_that_says_what_it_is_about(repeated):
    looks = repeated.outcomes().select("trial", "repeat", "digest")
    for stage, about in (("mark", "look"), ("again", "look"), ("remark", "again")):
        sources = repeated.outcomes(stage=about)
        found = repeated.outcomes(stage=stage)
        assert found["trial"].is_unique().all()
        assert set(found["about_stage"]) == {about}
        assert set(found["repeat"]) == {1}
        pairs = found.select("about_trial", "about_repeat")
        assert sorted(pairs.rows()) == sorted(sources.select("trial", "repeat").rows())
    assert len(looks) == 3 * 8


def test_the_id_of_a_trial_ends_in_the_hash_of_its_sources(repeated):
    for stage in ("mark", "again", "remark", "closer"):
        for trial in repeated.run.open(of_stage(repeated, stage).folder).trials():
            sources = [
                {name: getattr(each, name) for name in ("stage", "trial", "repeat", "digest", "reader")}
                for each in trial.sources
            ]
            files = [part.file for part in trial.messages[-1].parts[:-1]]
            rules = sorted({file.split("/")[1] for file in files if file.startswith("derived/")})
            made_from = canonical([sources, trial.prompt, rules])
            assert trial.id.endswith(f"#{sha256(made_from.encode()).hexdigest()[:16]}")
            digests = {
                (row["trial"], row["repeat"]): row["digest"]
                for each in trial.sources
                for row in repeated.outcomes(stage=each.stage).iter_rows(named=True)
            }
            assert all(digests[each.trial, each.repeat] == each.digest for each in trial.sources)


def test_a_stage_without_needs_is_asked_as_often_as_the_run_says(repeated):
    captions = repeated.outcomes(stage="caption")
    assert captions.group_by("trial").len()["len"].to_list() == [3] * 4
    assert len(repeated.outcomes(stage="closer")) == 12


def test_another_setting_of_a_later_stage_asks_that_stage_in_a_folder_of_its_own_and_leaves_the_first(few, tmp_path):
    options = {"model": "veridical/eye", "out": tmp_path / "run", **EMBEDDED, **QUIET}
    strict = veridical.run(few, **options)
    names = ("trials.parquet", "responses.jsonl")
    before = {name: (tmp_path / "run" / name).read_bytes() for name in names}
    lenient = veridical.run(few, settings={"rubric": "lenient"}, **options)
    assert {name: (tmp_path / "run" / name).read_bytes() for name in names} == before
    assert lenient.run.identity == strict.run.identity
    counted = {each.folder: each.counted for each in lenient.staged if each.stage == "mark"}
    kept = of_stage(strict, "mark").folder
    assert sorted(counted.values()) == [False, True]
    assert counted[kept] is False
    assert (kept / "responses.jsonl").exists()
    assert set(lenient.outcomes(stage="mark")["settings"]) == {'{"rubric":"lenient"}'}
    later = [each for each in lenient.staged if each.stage in ("again", "remark") and each.counted]
    assert not {each.folder for each in later} & {each.folder for each in strict.staged}
    back = veridical.run(few, **options)
    assert same(back, strict)
    assert [each.folder for each in back.staged if each.counted] == [each.folder for each in strict.staged]


def test_media_for_a_later_stage_are_made_in_the_run_where_the_set_cannot_be_written(tmp_path):
    whole = drawn(tmp_path / "set", clip=1, boxes=1)
    # Nobody makes a folder where a file is, whatever rights a superuser has.
    (whole.folder / "derived").write_text("")
    whole.folder.chmod(0o555)
    try:
        run = veridical.run(whole, "veridical/eye", out=tmp_path / "run", **EMBEDDED, **QUIET)
        assert (whole.folder / "derived").is_file()
    finally:
        whole.folder.chmod(0o755)
    assert of_stage(run, "closer").counts.answered == 4
    assert run.outcomes(stage="closer")["correct"].all()
    made = sorted(path.relative_to(tmp_path / "run") for path in (tmp_path / "run").glob("derived/*/manifest.json"))
    assert len(made) == 2
    shown = [p for t in run.run.open(of_stage(run, "closer").folder).trials() for p in t.messages[-1].parts[:-1]]
    assert {(tmp_path / "run" / part.file).is_file() for part in shown} == {True}


def test_a_stage_that_was_never_asked_has_an_empty_table_with_all_columns(few, tmp_path):
    run = veridical.run(few, "veridical/eye", out=tmp_path / "run", **QUIET)
    factors = columns_of(run.suite.design.factors)
    for stage in run.suite.asking.ordered[1:]:
        found = run.evidence().outcomes(stage.name)
        assert found.is_empty()
        assert dict(found.schema) == {**OUTCOMES, **factors}
    assert not run.evidence().outcomes().is_empty()
    with pytest.raises(veridical.InputError, match="unknown stage 'marks': did you mean 'mark'"):
        run.outcomes(stage="marks")


@st.composite
def graphs(draw):
    """Stages of which each may need any others but itself, the first none."""
    names = draw(st.lists(st.from_regex(r"[a-z][a-z0-9-]{0,5}", fullmatch=True), min_size=1, max_size=7, unique=True))
    needs = [draw(st.lists(st.sampled_from(names), max_size=2, unique=True)) for _ in names]
    stages = [Stage(name=name, needs=tuple(own), trials=lambda *_: ()) for name, own in zip(names, needs, strict=True)]
    return [Stage(name=names[0], trials=lambda *_: ()), *stages[1:]]


@settings(max_examples=30)
@given(graphs())
def test_stages_stand_after_those_that_they_need_or_a_circle_is_refused(stages):
    try:
        TopologicalSorter({stage.name: stage.needs for stage in stages}).prepare()
    except CycleError as error:
        with pytest.raises(ValueError, match="stages need each other") as refusal:
            in_order(stages, {})
        assert all(name in str(refusal.value) for name in error.args[1])
        return
    ordered = in_order(stages, {})
    assert sorted(stage.name for stage in ordered) == sorted(stage.name for stage in stages)
    assert ordered[0] is stages[0]
    for place, stage in enumerate(ordered):
        assert set(stage.needs) <= {each.name for each in ordered[:place]}
