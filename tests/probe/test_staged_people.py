"""People's answers feed a stage of a run, and what a run came to becomes a set of stimuli."""

import csv
import json
from dataclasses import replace

import pytest

import veridical
from tests.probe import staged
from tests.probe.staged import QUIET, drawn, trials_of
from tests.probe_suite import SUITE
from tests.probe_suite.design import DESIGN
from veridical.suite import registry


@pytest.fixture(scope="module")
def mixed(tmp_path_factory):
    return drawn(tmp_path_factory.mktemp("sets") / "mixed", boxes=1, sums=2)


@pytest.fixture(scope="module")
def looked(mixed, tmp_path_factory):
    """A run whose first stage alone was asked."""
    return veridical.run(mixed, "veridical/eye", out=tmp_path_factory.mktemp("runs") / "run", **QUIET)


@pytest.fixture
def refused(said):
    """Calls a command that must end in exit code 2 and one line, which it gives."""

    def refused(*words):
        code, out, err = said(*words)
        assert (code, out, err.count("\n")) == (2, "", 1), err
        return err.removeprefix("veridical: ").rstrip("\n")

    return refused


@pytest.fixture
def votes(mixed, tmp_path):
    """A table of what two people say of each sum: of the first two they agree."""

    def votes(name="votes.csv", **changes):
        sums = [stimulus for stimulus in mixed.stimuli if stimulus.family == "sums"]
        rows = []
        for place, stimulus in enumerate(sums):
            true, other = sorted(stimulus.truth["options"], key=lambda each: each != stimulus.label)
            rows += [("ann", f"{stimulus.id}?vote", true), ("bob", f"{stimulus.id}?vote", true if place < 2 else other)]
        with (tmp_path / name).open("w", newline="") as file:
            table = [
                (person, trial, f"<answer>{changes.get(person, answer)}</answer>") for person, trial, answer in rows
            ]
            csv.writer(file).writerows([("participant", "trial", "answer"), *table])
        return tmp_path / name

    return votes


@pytest.fixture
def voted(mixed, votes, tmp_path, said):
    veridical.run(mixed, "veridical/eye", out=tmp_path / "run", **QUIET)
    code, out, _ = said("people", "read", tmp_path / "run", votes())
    assert code == 0
    assert "8 answers in" in out
    return tmp_path / "run"


def test_peoples_answers_feed_the_stage_that_needs_them_each_participant_as_a_repeat(mixed, voted, tmp_path):
    run = veridical.run(mixed, "veridical/eye", out=voted, **QUIET)
    vote = run.outcomes(stage="vote")
    assert set(vote["model"]) == {"people/votes (2 people, 4 pictures)"}
    assert sorted(set(vote["repeat"])) == [1, 2]
    assert vote.filter(repeat=1)["correct"].all()
    assert vote.filter(repeat=2)["correct"].sum() == 2
    weighed = run.outcomes(stage="weigh")
    assert (len(weighed), set(weighed["repeat"])) == (8, {1, 2})
    for trial in trials_of(run, "weigh"):
        assert [(each.stage, each.repeat) for each in trial.sources] == [("vote", 1), ("vote", 2)]
        rows = vote.filter(stimulus=trial.stimulus)
        assert f"People say: «{', '.join(rows['text'])}»" in trial.messages[-1].parts[-1].text
        assert {each.digest for each in trial.sources} == set(rows["digest"])
    assert {each.stage for each in run.waiting} == {"mark", "again", "remark", "caption", "closer"}


def kept(folder):
    """What was planned and replied in all stages, as bytes."""
    names = ("responses.jsonl", "trials.parquet")
    return {path: path.read_bytes() for path in folder.rglob("*.*") if path.name in names}


def test_a_second_reading_of_the_same_answers_adds_nothing(mixed, voted, votes, said):
    veridical.run(mixed, "veridical/eye", out=voted, **QUIET)
    before = {
        path: path.read_bytes() for path in voted.rglob("*.*") if path.name in ("responses.jsonl", "trials.parquet")
    }
    assert said("people", "read", voted, votes())[0] == 0
    run = veridical.run(mixed, "veridical/eye", out=voted, **QUIET)
    assert before == {
        path: path.read_bytes() for path in voted.rglob("*.*") if path.name in ("responses.jsonl", "trials.parquet")
    }
    assert not any(each.stale for each in run.staged)


def test_other_answers_of_people_count_in_place_of_the_first_and_are_weighed_anew(mixed, voted, votes, said):
    first = staged.as_it_stands(veridical.run(mixed, "veridical/eye", out=voted, **QUIET))
    assert said("people", "read", voted, votes(bob="0"))[0] == 0
    run = veridical.run(mixed, "veridical/eye", out=voted, **QUIET)
    assert [each.counted for each in run.staged if each.stage == "vote"].count(True) == 1
    assert set(run.outcomes(stage="vote").filter(repeat=2)["text"]) == {"<answer>0</answer>"}
    assert not set(run.outcomes(stage="weigh")["trial"]) & set(first.outcomes(stage="weigh")["trial"])
    assert len(run.outcomes(stage="weigh")) == 8


def test_people_who_were_not_shown_everything_make_no_run_incomplete(mixed, voted, votes, said):
    table = votes("some.csv")
    table.write_text("".join(table.read_text().splitlines(keepends=True)[:-1]))
    run = veridical.people.read(voted, table)
    assert run.outcomes(stage="vote").filter(model="people/some (2 people, 4 pictures)")["status"].null_count() == 1
    assert run.complete
    words = ("run", "probe", "--set", mixed.folder, "--out", voted, "--model", "veridical/eye")
    code, out, _ = said(*words, "--rests-on", "people/some (2 people, 4 pictures)")
    assert code == 0
    assert "stage weigh (model), complete" in out


def test_of_two_groups_of_people_one_is_named_beside_the_only_judge(mixed, voted, votes, said):
    assert said("people", "read", voted, votes("others.csv", bob="0"))[0] == 0
    others = "people/others (2 people, 4 pictures)"
    run = veridical.run(mixed, "veridical/eye", out=voted, rests_on=others, judge="veridical/judge", **QUIET)
    theirs = set(run.outcomes(stage="vote").filter(model=others)["digest"])
    assert all({each.digest for each in trial.sources} <= theirs for trial in trials_of(run, "weigh"))
    assert run.outcomes(stage="again")["status"].to_list().count("answered") > 0


def test_answers_of_people_that_belong_to_no_stage_of_theirs_are_refused(looked, votes, tmp_path, refused):
    read = ("people", "read", looked.folder)
    assert refused(*read, votes(), "--stage", "look").startswith("unknown stage of people of probe 'look'")
    assert refused(*read, votes(), "--stage", "vot").startswith(
        "unknown stage of people of probe 'vot': did you mean 'vote'"
    )
    assert refused(*read, votes(), "--out", tmp_path / "run") == (
        f"{looked.folder} is a run, which gets the answers itself: leave out --out"
    )
    table = tmp_path / "votes.csv"
    table.write_text("participant,trial,answer\nann,nowhere?vote,1\n")
    assert f"{table}, row 1:" in refused(*read, table)
    assert not list(looked.folder.glob("stages/vote"))


def test_labels_on_which_people_agree_become_a_set_of_its_own(mixed, voted, tmp_path, said):
    code, out, _ = said("adopt", voted, "--out", tmp_path / "adopted", "--json")
    assert code == 0
    adopted = veridical.open_set(tmp_path / "adopted")
    assert [stimulus.id for stimulus in adopted.stimuli] == [
        stimulus.id for stimulus in mixed.stimuli if stimulus.family == "sums"
    ][:2]
    assert (json.loads(out)["stimuli"], json.loads(out)["stimuli_of_the_run"]) == (2, len(mixed))
    assert said("check", adopted.folder)[0] == 0
    run = veridical.run(adopted, "veridical/eye", out=tmp_path / "second", **QUIET)
    assert run.outcomes()["correct"].all()


@pytest.fixture
def adopting(monkeypatch, tmp_path):
    """A run of a suite that is like the probe and adopts in this way."""

    def adopting(adopt):
        parts = {**SUITE.parts, "design": replace(DESIGN, adopt=adopt)}
        monkeypatch.setitem(registry._REGISTERED, "other", replace(SUITE, name="other", parts=parts))
        whole = drawn(tmp_path / "theirs", suite="other", boxes=1, clip=1, sums=1)
        return whole, veridical.run(whole, "veridical/eye", out=tmp_path / "run", **QUIET)

    return adopting


def test_what_is_adopted_keeps_the_bytes_of_its_media_and_checks_sound(adopting, tmp_path):
    def adopt(stimuli, evidence):
        answers = dict(evidence.outcomes().select("stimulus", "answer").iter_rows())
        return [replace(each, label=answers[each.id]) for each in stimuli if each.media]

    whole, run = adopting(adopt)
    adopted = veridical.adopt(run, tmp_path / "adopted")
    assert veridical.check(adopted).failed == []
    before = {each.id: [whole.read(medium.file) for medium in each.media] for each in whole.stimuli if each.media}
    assert {each.id: [adopted.read(m.file) for m in each.media] for each in adopted.stimuli} == before
    assert len(before) == 4
    assert adopted.manifest["may_be_passed_on"] is True


def test_a_suite_that_does_not_adopt_and_a_run_of_which_nothing_comes_are_refused(adopting, tmp_path, looked, refused):
    _, run = adopting(None)
    out = tmp_path / "adopted"
    assert refused("adopt", run.folder, "--out", out) == "the suite other does not say how outcomes become stimuli"
    said = refused("adopt", looked.folder, "--out", out)
    assert said.startswith(f"no stimulus comes of {looked.folder}; stage ")
    assert "; stage vote waits for people's answers: `veridical people read` reads them" in said
    assert not out.exists()
