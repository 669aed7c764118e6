"""How later stages are planned: repeats, ids, settings of their own, media that are derived, the order of the graph."""

from graphlib import CycleError, TopologicalSorter
from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import veridical
from tests.probe.staged import EMBEDDED, QUIET, as_it_stands, drawn, of_stage, same
from veridical.records import OUTCOMES, canonical, columns_of
from veridical.suite.stages import Stage, order_stages

HARSH = {"model_args": {"harsh.mark": True}}


@pytest.fixture(scope="module")
def few(tmp_path_factory):
    return drawn(tmp_path_factory.mktemp("sets") / "few", sums=2, boxes=2)


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
            rules = sorted({file.split("/")[1] for file in files if file.startswith(".derived/")})
            made_from = canonical([sources, trial.prompt, rules])
            assert trial.id.endswith(f"#{sha256(made_from.encode()).hexdigest()[:16]}")
            digests = {
                (row["trial"], row["repeat"]): row["digest"]
                for each in trial.sources
                for row in repeated.outcomes(stage=each.stage).iter_rows(named=True)
            }
            assert all(digests[each.trial, each.repeat] == each.digest for each in trial.sources)


def test_a_stage_without_needs_is_asked_as_often_as_the_run_says_whoever_asks_it(few, repeated, tmp_path):
    looked = veridical.run(few, "veridical/eye", out=tmp_path / "run", repeats=3, **QUIET)
    for run in (repeated, veridical.judge(looked.folder, **EMBEDDED, **QUIET)):
        captions = run.outcomes(stage="caption")
        assert captions.group_by("trial").len()["len"].to_list() == [3] * 4
    assert len(repeated.outcomes(stage="closer")) == 12


def test_another_setting_of_a_later_stage_asks_that_stage_in_a_folder_of_its_own_and_leaves_the_first(few, tmp_path):
    options = {"model": "veridical/eye", "out": tmp_path / "run", **EMBEDDED, **QUIET}
    strict = as_it_stands(veridical.run(few, **options))
    names = ("trials.parquet", "responses.jsonl")
    before = {name: (tmp_path / "run" / name).read_bytes() for name in names}
    lenient = as_it_stands(veridical.run(few, settings={"severity": "lenient"}, **options))
    assert {name: (tmp_path / "run" / name).read_bytes() for name in names} == before
    assert lenient.run.identity == strict.run.identity
    counted = {each.folder: each.counted for each in lenient.staged if each.stage == "mark"}
    kept = of_stage(strict, "mark").folder
    assert sorted(counted.values()) == [False, True]
    assert counted[kept] is False
    assert (kept / "responses.jsonl").exists()
    assert set(lenient.outcomes(stage="mark")["settings"]) == {'{"severity":"lenient"}'}
    later = [each for each in lenient.staged if each.stage in ("again", "remark") and each.counted]
    assert not {each.folder for each in later} & {each.folder for each in strict.staged}
    back = veridical.run(few, **options)
    assert same(back, strict)
    assert [each.folder for each in back.staged if each.counted] == [each.folder for each in strict.staged]


def test_media_for_a_later_stage_are_made_in_the_run_where_the_set_cannot_be_written(tmp_path):
    whole = drawn(tmp_path / "set", clip=1, boxes=1)
    # Nobody makes a folder where a file is, whatever rights a superuser has.
    (whole.folder / ".derived").write_text("")
    whole.folder.chmod(0o555)
    try:
        run = veridical.run(whole, "veridical/eye", out=tmp_path / "run", **EMBEDDED, **QUIET)
        assert (whole.folder / ".derived").is_file()
    finally:
        whole.folder.chmod(0o755)
    assert of_stage(run, "closer").counts.answered == 4
    assert run.outcomes(stage="closer")["correct"].all()
    made = sorted(path.relative_to(tmp_path / "run") for path in (tmp_path / "run").glob(".derived/*/manifest.json"))
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
    names = draw(st.lists(st.text("ab9-", max_size=3).map("s{}".format), min_size=1, max_size=7, unique=True))
    needs = [draw(st.lists(st.sampled_from(names), max_size=2, unique=True)) for _ in names]
    stages = [Stage(name=name, needs=tuple(own), trials=lambda *_: ()) for name, own in zip(names, needs, strict=True)]
    return [Stage(name=names[0], trials=lambda *_: ()), *stages[1:]]


def circle_in(stages):
    """The names in a circle of needs, by another algorithm than the one under test."""
    try:
        TopologicalSorter({stage.name: stage.needs for stage in stages}).prepare()
    except CycleError as error:
        return error.args[1]
    return []


@settings(max_examples=30)
@given(graphs())
def test_stages_stand_after_those_that_they_need_or_a_circle_is_refused(stages):
    if circle := circle_in(stages):
        with pytest.raises(ValueError, match="stages need each other") as refusal:
            order_stages(stages, {})
        assert all(name in str(refusal.value) for name in circle)
        return
    ordered = order_stages(stages, {})
    assert sorted(stage.name for stage in ordered) == sorted(stage.name for stage in stages)
    assert ordered[0] is stages[0]
    for place, stage in enumerate(ordered):
        assert set(stage.needs) <= {each.name for each in ordered[:place]}
