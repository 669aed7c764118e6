"""A study of each kind of task, from the command that serves it, by people at its page, to a figure in a report.

The people err as often as the test says, so each figure has a known value. Models, and people in their notes, write
text that would do harm if it were taken for more than text.
"""

from __future__ import annotations

import json
import re

import pytest
from sklearn.metrics import cohen_kappa_score

import veridical
from tests.people.golds import stated_gold
from tests.people.seats import HOSTILE, NOTE, all_answered, serving, step_to, tab_to
from tests.probe.staged import answering
from tests.suites.hocabench import pipeline, release_data
from tests.suites.magic.healed_runs import REASONED, written
from tests.suites.magicbench import release_data as magic_data
from veridical.verbs.exchange.planned_stages import planned_stage

pytestmark = pytest.mark.usefixtures("one_process", "no_figures")
QUIET = {"show": "quiet", "analyze": False}


def ranks(names):
    """The place of each name among them in order, so that a rater can err on every n-th."""
    return {name: place for place, name in enumerate(sorted(names))}


def require_inert(folder):
    """No cell of any table in a folder would be a formula in a spreadsheet."""
    tables = list(folder.rglob("*.csv"))
    assert tables
    assert not any(re.search(r'(^|,)"?=', table.read_text(), re.MULTILINE) for table in tables)


@pytest.fixture(scope="module")
def puzzles(tmp_path_factory):
    return veridical.make(
        "viabench", out=tmp_path_factory.mktemp("puzzles") / "set", units=1, size=256, puzzles=("hands", "feet")
    )


def test_answers_become_the_row_of_people_in_a_report(puzzles, tmp_path, context, cli):
    setup = planned_stage(puzzles.folder, None)
    stimuli = {each.id: each for each in puzzles.stimuli}
    trials = {trial.id: trial for trial in setup.trials}
    order = ranks(trials)

    def answering(every):
        def rater(item, _):
            trial = trials[item["key"]["trial"]]
            gold = stated_gold(setup.suite, stimuli[trial.stimulus], trial)["answer"]
            if order[trial.id] % every:
                return [gold.lower()]
            return [*NOTE, next(letter for letter in "ab" if letter != gold.lower()), "Enter"]

        return rater

    with serving(tmp_path / "study", puzzles.folder) as study:
        dashboard, _ = all_answered(context, study, answering(2), answering(4))
    count = len(trials)
    right = 2 * count - len(range(0, count, 2)) - len(range(0, count, 4))
    assert f"{count} of {count} items have all their votes" in dashboard
    assert HOSTILE in dashboard
    assert cli("people", "read", study.folder, "--out", tmp_path / "adults")[0] == 0
    assert cli("run", "viabench", "--set", puzzles.folder, "--model", "veridical/text", "--out", tmp_path / "m")[0] == 0
    runs = tmp_path / "m", tmp_path / "adults"
    (accuracy,) = (
        row
        for row in json.loads(cli("report", *runs, "--export", "json")[1])
        if row["metric"] == "accuracy" and not row["slice"] and row["model"].startswith("people/adults")
    )
    assert accuracy["value"] == right / (2 * count)
    assert cli("report", *runs, "--out", tmp_path / "page.html")[0] == 0
    page = re.sub(r"\s+", " ", re.sub("<[^>]*>", " ", (tmp_path / "page.html").read_text(encoding="utf-8")))
    assert f"people/adults (2 people, {count} pictures): Accuracy {50 * right / count:.1f} %" in page


@pytest.fixture(scope="module")
def reasoned(tmp_path_factory):
    """A judged run of a model with hostile words, whose every second reply is wrong."""
    folder = tmp_path_factory.mktemp("reasoned")
    whole = written(folder / "set", units=4, releases=0)
    mechanisms = {"mechanism": "distracted", "false_steps": 1.0}, {"mechanism": "perfect"}
    texts = []
    for place, own in enumerate(mechanisms):
        made = veridical.run(whole, "veridical/simulated", model_args=own, out=folder / str(place), **REASONED)
        texts.append(dict(made.outcomes().select("trial", "text").iter_rows()))
    lines = [
        {"trial": trial, "text": texts[place % 2][trial].replace("I first take in", f"{HOSTILE} is")}
        for place, trial in enumerate(texts[0])
    ]
    answers = folder / "answers.jsonl"
    answers.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    run = veridical.run(whole, "veridical/replay", model_args={"answers": str(answers)}, out=folder / "run", **REASONED)
    return veridical.judge(run, judge="veridical/rule", **QUIET).folder


def test_labels_of_steps_become_stepsense_and_kappa(reasoned, tmp_path, context, cli):
    keys = {"right": "r", "wrong": "w", "silent": "s"}
    stated = {}

    def labeling(who, every):
        def rater(item, _):
            if item["right"]:
                labels = item["right"].values()
            else:
                # The first rater is right about every step; the second errs on every n-th.
                steps = item["key"]["steps"]
                truth = ["silent" if "=1+1" in step else "right" if "mug" in step else "wrong" for step in steps]
                flip = {"right": "wrong", "wrong": "right", "silent": "silent"}
                labels = [flip[label] if (len(stated) + n) % every == 0 else label for n, label in enumerate(truth)]
                stated.update({(who, item["id"], n): label for n, label in enumerate(labels)})
            pressed = [NOTE] if not item["right"] else []
            for label in labels:
                pressed.append([keys[label]])
                pressed += [["Control+a", "typed:" + HOSTILE, "Escape"]] if label == "wrong" else []
            return [key for each in pressed for key in each] + ["Enter"]

        return rater

    with serving(tmp_path / "study", reasoned, "--task", "steps") as study:
        dashboard, items = all_answered(context, study, labeling("p01", 10**6), labeling("p02", 3))
    assert HOSTILE in dashboard
    figures = json.loads(cli("magic", "stepsense", study.folder, "--json")[1])
    of_person = [row for row in figures if row["metric"] == "stepsense" and "person" in row]
    shares = {row["person"]: row["value"] for row in of_person if "model" not in row}
    own = {who: {key[1:]: label for key, label in stated.items() if key[0] == who} for who in ("p01", "p02")}
    for who, labels in own.items():
        counted = [label for label in labels.values() if label != "silent"]
        assert shares[who] == pytest.approx(counted.count("right") / len(counted))
    both = [step for step, label in own["p01"].items() if label != "silent"]
    (kappa,) = (row["value"] for row in figures if row["metric"] == "agreement")
    assert kappa == pytest.approx(cohen_kappa_score(*([labels[step] for step in both] for labels in own.values())))
    assert kappa < 1
    assert cli("people", "read", study.folder, "--out", tmp_path / "records")[0] == 0
    made = veridical.import_release("magic", tmp_path / "records", tmp_path / "set")
    assert len(made) == len(items)
    assert HOSTILE in {step["correction"] for each in made.stimuli for step in each.truth["chains"][0]["steps"]}
    require_inert(study.folder)


def test_codes_of_failures_become_shares_and_kappa(reasoned, tmp_path, context, cli):
    stated = {"p01": {}, "p02": {}}

    def coding(who, every):
        def rater(item, _):
            codes = {"place"} if item["key"]["category"] == "query" else {"place", "relation"}
            codes ^= {"relation"} if len(stated[who]) % every == 0 else set()
            stated[who][item["id"]] = codes
            return [*NOTE, "2", *(["3"] if "relation" in codes else []), "Enter"]

        return rater

    with serving(tmp_path / "study", reasoned, "--task", "codes") as study:
        dashboard, items = all_answered(context, study, coding("p01", 10**6), coding("p02", 3))
    assert HOSTILE in dashboard
    figures = json.loads(cli("magic", "error-counts", study.folder, "--json")[1])
    for who, codes in stated.items():
        shares = {
            row["pattern"]: row["value"] for row in figures if row["metric"] == "error pattern" and row["person"] == who
        }
        assert shares["place"] == 1
        assert shares["relation"] == pytest.approx(sum("relation" in each for each in codes.values()) / len(items))
    kappas = {row["pattern"]: row.get("value") for row in figures if row["metric"] == "agreement"}
    both = [["relation" in stated[who][item["id"]] for item in items.values()] for who in stated]
    assert kappas["relation"] == pytest.approx(cohen_kappa_score(*both))
    assert cli("people", "read", study.folder, "--out", tmp_path / "out")[0] == 0
    require_inert(tmp_path)


def test_grades_become_the_agreement_of_a_judge(reasoned, tmp_path, context, cli):
    verdicts = {}

    def grading(every):
        def rater(item, page):
            reply = page.locator(".words", has_text="Answer: ").inner_text().rpartition("Answer: ")[2].strip()
            gold = page.locator(".words").nth(1).inner_text().rpartition("\n")[2]
            right = (reply == gold) != (len(verdicts) % every == 0)
            verdicts[item["id"]] = reply == gold, right
            return [*NOTE, "y" if right else "n", "Enter"]

        return rater

    words = "--task", "grade", "-S", "rubric=short", "--items", 100
    with serving(tmp_path / "study", reasoned, *words, people=1) as study:
        all_answered(context, study, grading(4))
    words = "--people", study.folder, "--verdicts", reasoned, "--rubric", "short", "--json"
    _, out, _ = cli("judges", "calibrate", *words)
    (kappa,) = (
        row["value"]
        for row in json.loads(out)["figures"]
        if row["name"] == "kappa" and not row.get("noise") and not row.get("other")
    )
    judged, graded = zip(*verdicts.values(), strict=True)
    assert kappa == pytest.approx(cohen_kappa_score(judged, graded))
    assert 0 < kappa < 1
    require_inert(study.folder)


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hoca")
    listed = release_data.items()
    return veridical.import_release("hocabench", release_data.as_json(folder / "release", listed), folder / "set")


def test_times_become_those_of_the_set_that_a_model_is_measured_by(released, tmp_path, context, cli):
    """Two people mark a second to the frame; on every second clip the other begins and ends half a second later."""
    clips = ranks(each.id for each in released.stimuli if each.variant != "plausible")

    def marking(later):
        def rater(item, page):
            first = 2 + 4 * later * (clips[item["key"]["stimulus"]] % 2)
            step_to(page, first)
            page.keyboard.press("i")
            step_to(page, first + 7)
            return ["o", *NOTE, "Enter"]

        return rater

    with serving(tmp_path / "study", released.folder, "--task", "times") as study:
        dashboard, _ = all_answered(context, study, marking(0), marking(1))
    assert HOSTILE in dashboard
    facts = json.loads(cli("people", "read", study.folder, "--out", tmp_path / "set", "--json")[1])
    shifted = sum(place % 2 for place in clips.values())
    assert facts["iou"] == pytest.approx((len(clips) - shifted + shifted / 3) / len(clips))
    setup = planned_stage(tmp_path / "set", None, settings={"task": "interval", "grounding": "single"})
    answers = tmp_path / "answers.jsonl"
    lines = [{"id": trial.id, "text": "<answer>0.25-1.25</answer>"} for trial in setup.trials]
    answers.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    settings = "-S", "task=interval", "-S", "grounding=single"
    words = "--set", tmp_path / "set", "--model", "veridical/replay", "-M", f"answers={answers}", *settings
    assert cli("run", "hocabench", *words, "--out", tmp_path / "run")[0] == 0
    asked = [clips[trial.stimulus] % 2 for trial in setup.trials]
    rows = json.loads(cli("report", tmp_path / "run", "--export", "json")[1])
    (row,) = (each for each in rows if each["metric"] == "mean iou" and not each["slice"])
    # The medians of a shifted clip are 0.5 to 1.5.
    assert row["value"] == pytest.approx(sum(0.75 / 1.25 if later else 1 for later in asked) / len(asked))
    assert 0 < sum(asked) < len(asked)


@pytest.fixture(scope="module")
def tricks(tmp_path_factory):
    """Real clips without boxes, over one of which somebody says hostile words."""
    folder = tmp_path_factory.mktemp("tricks")
    listed = magic_data.items()
    for item in listed:
        item["visual_timeline"] = [{**row, "roi_normalized": None} for row in item["visual_timeline"]]
    listed[0]["audio_timeline"][0]["text"] = HOSTILE
    return veridical.import_release("magicbench", magic_data.write(folder / "release", listed), folder / "set")


def test_windows_and_boxes_become_those_of_the_set(tricks, tmp_path, context, cli):
    """Two people mark a second, the other half a second later; their boxes are a tenth of the width apart."""
    heard = []

    def marking(later):
        def rater(item, page):
            start, times = 1 + later / 2, item["key"]["times"]
            step_to(page, times.index(start))
            heard.append(page.locator(".caption").text_content())
            page.keyboard.press("i")
            step_to(page, sum(time < start + 1 for time in times) - 1)
            return ["o", "n", *["ArrowRight"] * 10 * later, *NOTE, "Enter"]

        return rater

    with serving(tmp_path / "study", tricks.folder, "--task", "boxes") as study:
        dashboard, items = all_answered(context, study, marking(0), marking(1))
    assert HOSTILE in dashboard
    assert HOSTILE in heard
    assert cli("magicbench", "add", tricks.folder, "--windows", study.folder, "--out", tmp_path / "set")[0] == 0
    made = {each.id: each for each in veridical.open_set(tmp_path / "set").stimuli}
    for item in items.values():
        clip = made[item["key"]["id"]]
        assert clip.truth["window"] == [1.25, 2.25]
        (medium,) = (each for each in clip.media if each.kind == "video")
        boxes = [[left / medium.width, right / medium.width] for _, left, _, right, _ in clip.truth["critical"]]
        assert boxes == [pytest.approx([0.45, 0.65])] * len(boxes)
    (audit,) = json.loads(cli("magicbench", "audit", tmp_path / "set", "--frames", "uniform-4", "--json")[1])["rules"]
    # Of the middles of four parts of four seconds, 1.5 alone is inside.
    assert (audit["clips"], audit["hit"], audit["frames"]) == (len(items), len(items), 1)
    require_inert(study.folder)


@pytest.fixture(scope="module")
def annotated(tmp_path_factory):
    """A run of annotation on a few raw clips, whose labels have hostile words."""
    folder = tmp_path_factory.mktemp("annotated")
    raw = veridical.import_release("videos", pipeline.raw_clips(folder / "clips", 6, described=6), folder / "set")

    def hostile(_):
        return json.dumps(release_data.labels(release_data.GRAVITY, f"The square rises. {HOSTILE}"))

    with answering(pipeline.replies(attribute=hostile)) as server:
        return veridical.run(raw, out=folder / "run", **pipeline.options_for(server, folder)).folder


def test_reviews_become_a_labeled_set(annotated, tmp_path, context, cli):
    """One person accepts all clips; the other corrects the kind of every third, and rejects the one after it."""
    stated = {"p01": {}, "p02": {}}

    def reviewing(who, strict):
        def rater(item, page):
            place = int(item["key"]["stimulus"].split("/")[1]) % 3
            if not strict or place == 2:
                stated[who][item["id"]] = "accept"
                return ["a", "Enter"]
            if place == 1:
                stated[who][item["id"]] = "reject"
                return ["r", "typed:" + HOSTILE, "Control+Enter"]
            stated[who][item["id"]] = "correct"
            tab_to(page, ".filter")
            badges = page.locator(".tree kbd:visible").all_inner_texts()
            assert all(badge.isdigit() for badge in badges), "letters filter, and choose nothing"
            return ["typed:collision", "Enter", "c", "Enter"]

        return rater

    with serving(tmp_path / "study", annotated, "--task", "review", people=2) as study:
        dashboard, items = all_answered(context, study, reviewing("p01", False), reviewing("p02", True))
    assert HOSTILE in dashboard
    decisions = [[stated[who][item["id"]] for item in items.values()] for who in stated]
    status = json.loads(cli("people", "status", study.folder, "--json")[1])
    kappas = {each["field"]: each["value"] for each in status["agreement"]}
    assert kappas["decision"] == pytest.approx(cohen_kappa_score(*decisions))
    assert f"κ = {kappas['decision']:.2f}" in dashboard
    facts = json.loads(cli("people", "read", study.folder, "--out", tmp_path / "set", "--json")[1])
    assert facts["stimuli"] == decisions[1].count("accept")
    assert facts["left_out"] == {"people differ": len(items) - facts["stimuli"]}
    assert veridical.open_set(tmp_path / "set").stimuli[0].truth["reference"]["anomaly"].endswith(HOSTILE)
