"""Items of every suite answered through the app become a run that stands beside a model's."""

from __future__ import annotations

import csv
import json
import re
from uuid import uuid4

import pytest

pytest.importorskip("sqlalchemy")
pytest.importorskip("starlette")

from starlette.testclient import TestClient

import veridical
from tests.people.golds import stated_gold
from veridical import people
from veridical.people.app import study_app
from veridical.people.invitations import invite
from veridical.people.study import StudyDesign, make_study
from veridical.suite.people_forms import captions_text, reply_of
from veridical.verbs.exchange.planned_stages import planned_stage
from veridical.verbs.sets import suite_of

pytestmark = pytest.mark.usefixtures("one_process", "no_figures")

SETS = {
    "viprobe": {"cases": ["muller_lyer", "hering"], "variants": ["O", "P", "OC", "PC"], "units": 2, "levels": 4},
    "viabench": {"puzzles": ["feet", "poles", "birds"], "units": 3, "size": 256},
    "magic": {"units": 1, "width": 480},
    "magicbench": {"tricks": ["coin"], "units": 1, "height": 180, "rate": 10},
    "hocabench": {"sub_types": ["gravity"], "units": 3, "panels": 0, "sequences": 0, "height": 180, "rate": 10},
}
SETTINGS = {
    "magic": {
        "view": ["all-boxes", "relevant-boxes", "relevant-masked", "adversarial-masked", "renumbered", "blind"],
        "shots": ["own", "none"],
    },
    "viabench": {"answer_form": ["choice", "open"], "sight": ["shown", "blind"]},
    "hocabench": {
        "until": ["before", "event", "after-0.5", "after-1", "end"],
        "domains": ["nine", "short"],
        "attribution_rule": ["interaction-first", "definition-first"],
    },
}
MODELS = dict.fromkeys(SETS, "veridical/text") | {"viprobe": "veridical/pixel", "magic": "veridical/simulated"}
ITEMS = 60


@pytest.fixture(scope="module", params=SETS)
def whole(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp(request.param) / "set"
    return veridical.make(request.param, out=folder, **SETS[request.param])


@pytest.fixture(scope="module")
def study(whole, tmp_path_factory):
    suite = suite_of(whole)
    places = [{"path": str(whole.folder)}]
    design = StudyDesign(task="answer", suite=suite, places=places, settings=SETTINGS.get(suite, {}))
    return make_study(tmp_path_factory.mktemp("study") / "study", design)


@pytest.fixture(scope="module")
def planned(whole):
    setup = planned_stage(whole.folder, None, settings=SETTINGS.get(suite_of(whole)))
    return setup, {trial.id: trial for trial in setup.trials}


def stated(setup, trial, fields):
    """What somebody who knows the truth states; where nothing is right, something of every field."""
    stimulus = next(each for each in setup.stimuli.stimuli if each.id == trial.stimulus)
    gold = stated_gold(setup.suite, stimulus, trial)
    return gold or {field["name"]: _something(field) for field in fields}


def _something(field):
    match field["kind"]:
        case "choice":
            return field["options"][0]["value"]
        case "number":
            return field["high"]
    return "It is moved in secret."


@pytest.fixture(scope="module")
def answered(study, planned):
    """The study after one person answered sixty items; the screens that they saw, by the names of trials."""
    setup, trials = planned
    token = invite(study, 1)[0].token
    with study.store.reading() as connection:
        from veridical.people.store import ITEMS as TABLE

        hidden = {row.id: row.hidden["id"] for row in connection.execute(TABLE.select())}
    screens = {}
    with TestClient(study_app(study), base_url="http://127.0.0.1") as client:
        screen = client.get(f"/s/{token}/next").json()
        while screen["state"] == "item" and len(screens) < ITEMS:
            name = hidden[screen["id"]]
            screens[name] = screen
            vote = {
                "key": str(uuid4()),
                "item": screen["id"],
                "revision": screen["revision"],
                "answer": stated(setup, trials[name], screen["fields"]),
                "seconds": 2.5,
            }
            reply = client.post(f"/s/{token}/votes", json=vote)
            assert reply.status_code == 200, reply.text
            screen = reply.json()
    return screens


@pytest.fixture(scope="module")
def run(study, answered, whole, tmp_path_factory):
    from veridical.people.answers import read_answers

    out = tmp_path_factory.mktemp("runs") / "adults"
    return veridical.open_run(read_answers([whole.folder], study.votes(), out, study.design.choices).place)


def test_sixty_items_answered_in_the_app_are_right_and_stand_in_a_report(
    whole, study, run, answered, planned, tmp_path, cli
):
    assert len(answered) == ITEMS
    outcomes = run.outcomes()
    asked = outcomes.filter(outcomes["status"].is_not_null())
    assert set(asked["trial"]) == set(answered)
    assert set(asked["status"]) == {"answered"}
    assert asked["correct"].drop_nulls().all()
    assert set(asked["latency"]) == {2.5}
    assert run.model == f"people/adults (1 person, {asked['stimulus'].n_unique()} pictures)"
    suite = suite_of(whole)
    settings = [
        word for name, levels in SETTINGS.get(suite, {}).items() for word in ("-S", f"{name}={','.join(levels)}")
    ]
    code, _, err = cli(
        "run", suite, "--set", whole.folder, "--model", MODELS[suite], "--out", tmp_path / "model", *settings
    )
    assert code == 0, err
    code, _, err = cli("report", tmp_path / "model", run.folder, "--out", tmp_path / "page.html")
    assert code == 0, err
    page = re.sub("<[^>]*>", "", (tmp_path / "page.html").read_text(encoding="utf-8"))
    assert run.model in page
    order = [page.index(name) for name in (MODELS[suite], run.model)]
    assert order == sorted(order)
    assert suite == "magicbench" or re.search(re.escape(run.model) + r": [^.]*[^;]*, best model " + MODELS[suite], page)


def test_the_command_line_reads_a_study_as_its_task_does(whole, study, answered, run, tmp_path, cli):
    code, out, err = cli("people", "read", study.folder, "--out", tmp_path / "adults")
    assert (code, err) == (0, "")
    assert f"{ITEMS} answers" in out
    trail = [json.loads(line) for line in (study.folder / "audit.jsonl").read_text(encoding="utf-8").splitlines()]
    assert trail == list(study.audit())
    assert len(trail) >= ITEMS
    again = veridical.open_run(tmp_path / "adults").outcomes()
    assert again.equals(run.outcomes(), null_equal=True)
    code, out, err = cli("people", "read", study.folder, study.folder / "study.json", "--out", tmp_path / "other")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "leave out ANSWERS" in err
    code, out, err = cli("people", "read", study.folder)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "--out FOLDER is needed" in err


def test_a_table_of_the_same_answers_gives_the_same_run(whole, study, run, tmp_path):
    rows = [(vote.person, vote.key["trial"], reply_of(vote.answer), vote.seconds) for vote in study.votes()]
    table = tmp_path / "adults.csv"
    with table.open("w", newline="") as file:
        csv.writer(file).writerows([("participant", "trial", "answer", "seconds"), *rows])
    settings = SETTINGS.get(suite_of(whole))
    theirs = people.read(whole, table, tmp_path / "run", settings=settings).outcomes()
    mine = run.outcomes()
    for column in theirs.columns:
        assert mine[column].equals(theirs[column], null_equal=True), column


def test_people_see_what_a_model_is_asked_about_under_names_that_tell_nothing(whole, answered, planned):
    setup, trials = planned
    for name, screen in answered.items():
        trial = trials[name]
        stimulus = next(each for each in setup.stimuli.stimuli if each.id == trial.stimulus)
        media = [block for block in screen["blocks"] if "medium" in block]
        sent = [part for message in trial.messages for part in message.parts if hasattr(part, "kind")]
        kinds = {block["kind"] for block in media}
        assert bool(media) == bool(sent)
        if trial.settings.get("until") in ("before", "event", "after-0.5", "after-1", "reveal"):
            assert (kinds, len(media)) == ({"picture"}, len(sent))
        elif sent and stimulus.media[0].kind == "video":
            assert (kinds, len(media)) == ({"clip"}, 1)
        elif sent:
            assert (kinds, len(media)) == ({"picture"}, len(sent))
        texts = " ".join(block.get("text", "") for block in screen["blocks"])
        assert stimulus.id not in repr(screen)
        assert not any(medium.file in repr(screen) for medium in stimulus.media)
        assert media or "No picture or clip is shown" in texts
        words = setup.suite.asking.captions(stimulus, trial)
        shown = [caption for block in media for caption in block.get("captions", ())]
        assert [caption["text"] for caption in shown] == [each.text for each in words]


def test_questions_that_are_the_same_to_people_are_asked_once(whole, study, planned):
    """MagicBench tells a model to look in several ways under the same words: people are asked under the first."""
    _, trials = planned
    with study.store.reading() as connection:
        from veridical.people.store import ITEMS as TABLE

        rows = connection.execute(TABLE.select().where(TABLE.c.kind == "item")).all()
    stimulus_of = {row.hidden["id"]: trials[row.hidden["id"]].stimulus for row in rows}
    shown = [(stimulus_of[row.hidden["id"]], repr(row.shown)) for row in rows]
    assert len(set(shown)) == len(shown)
    if suite_of(whole) == "magicbench":
        assert len(rows) < len(trials)
        stances = {trials[name].settings["stance"] for name in stimulus_of}
        assert stances == {"vision-only", "neutral", "forensic"}
    if suite_of(whole) == "magic":
        assert {trials[name].settings["shots"] for name in stimulus_of} == {"own"}
    if suite_of(whole) in ("viprobe", "viabench"):
        assert len(rows) == len(trials)


def test_a_sheet_has_the_words_over_a_clip_with_their_times(whole, planned, tmp_path):
    setup, _ = planned
    people.sample(whole, tmp_path / "sheet.csv", per_person=2, people=1)
    with (tmp_path / "sheet.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    spoken = suite_of(whole) == "magicbench"
    assert ("words" in rows[0]) == spoken
    own = {whole.opaque(trial.id): trial for trial in planned_stage(whole.folder, None).trials}
    stimuli = {each.id: each for each in whole.stimuli}
    for row in rows:
        trial = own[row["trial"]]
        assert not spoken or row["words"] == captions_text(setup.suite.asking.captions(stimuli[trial.stimulus], trial))
        assert all((tmp_path / place).is_file() for place in row["picture"].split())
