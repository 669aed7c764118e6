"""What leaves and comes back, as a user does it: trials out, replies in, readings made anew, runs side by side."""

import json
import operator
import shutil
from dataclasses import replace

import polars as pl
import pytest

import veridical
from tests.ask.server import Request, completion
from tests.calling import call
from tests.other_form import with_part
from veridical.answers import ParsedAnswer
from veridical.suite import registry
from veridical.suites.viprobe.observers.question import pixel_reply

pytestmark = pytest.mark.usefixtures("no_verdicts", "one_process")

SMALL = {"cases": ["muller_lyer", "zollner"], "variants": ["O", "P", "OC", "PC"], "units": 1, "levels": 2, "size": 128}
TABLE = "outcomes.parquet"


@pytest.fixture
def cli(monkeypatch, capsys):
    return lambda *words: call(monkeypatch, capsys, *words)


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    return veridical.make("viprobe", out=tmp_path_factory.mktemp("exchange") / "set", **SMALL).folder


@pytest.fixture(scope="module")
def looked(small, tmp_path_factory):
    return veridical.run(small, "veridical/pixel", out=tmp_path_factory.mktemp("looked") / "run", show="quiet").folder


@pytest.fixture
def run(looked, tmp_path):
    return shutil.copytree(looked, tmp_path / "run")


def lines(path):
    return [json.loads(text) for text in path.read_text().splitlines()]


def replaying(answers, small, out):
    return ("run", "viprobe", "--set", small, "--model", "veridical/replay", "-M", f"answers={answers}", "--out", out)


def place(trial):
    """How a trial is named where runs are compared: by its stimulus and its settings, in the order of their names."""
    return f"{trial.stimulus} ({', '.join(f'{name} {level}' for name, level in sorted(trial.settings.items()))})"


def one_line(err):
    (line,) = err.splitlines()
    assert line.startswith("veridical: ")
    return line


def another_version(monkeypatch):
    """The suite as an older version may have been: its reader finds no answer in a reply that says "measures +"."""
    viprobe = registry.get("viprobe")

    def older(reader):
        def parse(text, expects):
            return ParsedAnswer(None, "no tag") if "measures +" in text else reader.parse(text, expects)

        return replace(reader, version="0", parse=parse)

    readers = {name: tuple(map(older, family)) for name, family in viprobe.asking.readers.items()}
    monkeypatch.setitem(registry._REGISTERED, "viprobe", with_part(viprobe, "asking", readers=readers))
    return lambda: monkeypatch.setitem(registry._REGISTERED, "viprobe", viprobe)


def test_rescore_says_what_today_reads_otherwise_and_with_which_readers(small, tmp_path, cli, monkeypatch):
    today = another_version(monkeypatch)
    before = veridical.run(small, "veridical/pixel", out=tmp_path / "run", show="quiet").outcomes()
    today()
    responses = (tmp_path / "run/responses.jsonl").read_bytes()
    code, out, _ = cli("rescore", tmp_path / "run", "--json")
    assert code == 0
    told = json.loads(out)
    unread = sum("measures +" in text for text in before["text"])
    assert 0 < unread < len(before)
    assert (told["replies"], told["compared"]) == (len(before), len(before))
    assert (told["statuses"], told["answers"], told["problem"]) == (unread, unread, None)
    assert told["moves"] == [{"before": "unparsed", "now": "answered", "replies": unread}]
    assert set(told["before"]) == {f"{name} 0" for name in before["reader"]}
    assert {text.split()[0] for text in told["now"]} == set(before["reader"])
    assert not set(told["now"]) & set(told["before"])
    assert (tmp_path / "run/responses.jsonl").read_bytes() == responses
    code, out, _ = cli("rescore", tmp_path / "run")
    assert code == 0
    assert "0 statuses and 0 answers changed" in out


def test_rescore_counts_as_a_loop_over_the_rows_does(run, cli):
    """A reply that came after the stored readings is not one of theirs."""
    whole = pl.read_parquet(run / TABLE)
    statuses = ["answered", "unparsed", "refused", None]
    rows = [row | {"status": statuses[n % 4], "answer": str(n % 3)} for n, row in enumerate(whole.to_dicts())]
    pl.DataFrame(rows, schema=whole.schema).write_parquet(run / TABLE)
    again = json.loads((run / "responses.jsonl").read_text().splitlines()[0])
    with (run / "responses.jsonl").open("a") as file:
        file.write(json.dumps(again | {"attempt": 2, "text": "I cannot tell."}) + "\n")
    kept = [
        (old, new) for old, new in zip(rows, whole.to_dicts(), strict=True)
        if old["status"] is not None and old["trial"] != again["trial"]
    ]  # fmt: skip
    told = json.loads(cli("rescore", run, "--json")[1])
    assert (told["replies"], told["compared"]) == (len(whole), len(kept))
    assert told["statuses"] == sum(old["status"] != new["status"] for old, new in kept)
    assert told["answers"] == sum(old["answer"] != new["answer"] for old, new in kept)
    changed = sum((old["status"], old["answer"]) != (new["status"], new["answer"]) for old, new in kept)
    assert sum(move["replies"] for move in told["moves"]) == changed > told["statuses"] > 0


def _twice(table):
    frame = pl.read_parquet(table)
    pl.concat([frame, frame]).write_parquet(table)


DAMAGE = {
    "missing": lambda table: table.unlink(),
    "empty": lambda table: table.write_bytes(b""),
    "torn": lambda table: table.write_bytes(table.read_bytes()[:-100]),
    "no table": lambda table: table.write_text("trial,status\n"),
    "another table": lambda table: pl.DataFrame({"trial": [1]}).write_parquet(table),
    "other types": lambda table: pl.read_parquet(table).cast({"repeat": pl.String}).write_parquet(table),
    "rows twice": _twice,
}  # fmt: skip


@pytest.mark.parametrize("what", DAMAGE)
def test_a_damaged_table_is_made_anew_with_the_tables(run, cli, what):
    assert not (run / "figures").exists()
    made = {path: path.read_bytes() for path in (run / "tables").iterdir()}
    assert made
    whole = pl.read_parquet(run / TABLE)
    DAMAGE[what](run / TABLE)
    for path in made:
        path.write_text("old")
    code, out, err = cli("rescore", run)
    assert (code, err) == (0, "")
    assert f"nothing to compare with: {run / TABLE}" in out
    assert pl.read_parquet(run / TABLE).equals(whole)
    assert {path: path.read_bytes() for path in made} == made


def test_figures_are_drawn_with_a_report_and_from_then_on_anew(run, cli):
    assert cli("report", run, "--items", 2)[0] == 0
    made = {path: path.read_bytes() for path in (run / "figures").iterdir()}
    assert made
    for path in made:
        path.write_text("old")
    assert cli("rescore", run)[0] == 0
    assert {path: path.read_bytes() for path in made} == made


def test_runs_read_by_different_versions_are_compared_as_read_today_and_it_is_said(small, tmp_path, cli, monkeypatch):
    for name in ("pixel", "prior"):
        veridical.run(small, f"veridical/{name}", out=tmp_path / name, show="quiet")
    wanted = cli("compare", tmp_path / "prior", tmp_path / "pixel", "--json")
    assert (wanted[0], wanted[2]) == (0, "")
    shutil.rmtree(tmp_path / "pixel")
    today = another_version(monkeypatch)
    veridical.run(small, "veridical/pixel", out=tmp_path / "pixel", show="quiet")
    today()
    code, out, err = cli("compare", tmp_path / "prior", tmp_path / "pixel", "--json")
    assert (code, out) == wanted[:2]
    (note,) = err.splitlines()
    assert note.startswith(f"note: {tmp_path / 'pixel'} was stored as read by ")
    assert cli("compare", tmp_path / "prior", tmp_path / "pixel")[2] == err
    assert cli("rescore", tmp_path / "pixel")[0] == 0
    assert cli("compare", tmp_path / "prior", tmp_path / "pixel", "--json") == wanted
    (tmp_path / "pixel" / TABLE).write_text("damaged")
    code, out, err = cli("compare", tmp_path / "prior", tmp_path / "pixel", "--json")
    assert (code, out) == wanted[:2]
    assert f"{tmp_path / 'pixel' / TABLE} cannot be read" in err


def test_runs_are_compared_on_the_trials_that_both_have_and_it_is_said_how_many(small, looked, tmp_path, cli):
    """The oracle is the comparison of two runs that were asked these trials alone."""
    part = veridical.run(small, "veridical/prior", out=tmp_path / "part", limit=1, show="quiet")
    alike = veridical.run(small, "veridical/pixel", out=tmp_path / "alike", limit=1, show="quiet")
    every, some = (len(run.run.trials()) for run in (veridical.open_run(looked), part))
    assert some < every
    wanted = {False: veridical.compare(alike, part), True: veridical.compare(part, alike)}
    assert wanted[False].notes == []
    for first, second, sizes in ((looked, part.folder, (every, some)), (part.folder, looked, (some, every))):
        found = veridical.compare(first, second)
        assert list(found) == list(wanted[first == part.folder])
        assert any(each.value for each in found)
        code, out, err = cli("compare", first, second)
        line = f"compared over the {some} trials that both runs have, of {sizes[0]} and {sizes[1]}"
        assert (code, err, found.notes) == (0, f"note: {line}\n", [line])
        assert f"{some}/{some} {some}/{some}" in " ".join(out.split())


def test_runs_without_a_trial_in_common_are_refused(small, tmp_path, cli):
    for polarity in ("forward", "reversed"):
        settings = {"polarity": [polarity]}
        veridical.run(small, "veridical/prior", out=tmp_path / polarity, settings=settings, show="quiet")
    trials = len(veridical.open_run(tmp_path / "forward").run.trials())
    code, out, err = cli("compare", tmp_path / "forward", tmp_path / "reversed")
    assert (code, out) == (2, "")
    numbers = f"{trials} in the first and {trials} in the second, none in both"
    assert one_line(err).endswith(f"differ in their trials: {numbers}")


def test_a_condition_on_a_difference_decides_the_exit_code(looked, small, tmp_path, cli):
    run = veridical.run(small, "veridical/prior", out=tmp_path / "run", show="quiet").folder
    (overall,) = [e for e in veridical.compare(looked, run) if e.metric == "PFA difference" and not e.slice]
    assert overall.value < 0
    plain = cli("compare", looked, run, "--json")
    for aspect, number in (("{}", overall.value), ("low({})", overall.low), ("high({})", overall.high)):
        for bound in (number - 1, number + 1):
            words = ("--fail-if", f"{aspect.format('PFA difference')}<{bound}")
            code, out, err = cli("compare", looked, run, *words, "--json")
            assert (code, out) == (int(number < bound), plain[1])
            assert (f"{number:.10g}" in err) == (number < bound)
    assert (
        cli("compare", looked, run, looked, "--fail-if", "PFA difference<-1")[2]
        .splitlines()[-1]
        .startswith(f"veridical: B: PFA difference<-1: PFA difference is {overall.value:.10g}")
    )
    for condition, told in (
        ("PFA diference<0", "did you mean 'PFA difference'?"),
        ("every(PFA difference)<0", "every(NAME) asks the repeats of one run, not a difference"),
        ("PFA difference[case=zolner]<0", "there are PFA difference[case=zollner], "),
        ("PFA difference", "NAME<NUMBER is allowed"),
    ):
        code, out, err = cli("compare", looked, run, "--fail-if", condition)
        assert (code, out) == (2, "")
        assert told in one_line(err)


@pytest.mark.parametrize("change", [{"seed": 1}, {"size": 160}])
def test_other_pictures_under_the_same_names_are_refused(looked, tmp_path, cli, change):
    """Sets that differ in their seed or size alone have the same ids."""
    other = veridical.make("viprobe", out=tmp_path / "other", **SMALL | change)
    run = veridical.run(other, "veridical/pixel", out=tmp_path / "run", show="quiet")
    mine = veridical.open_run(looked).run.trials()
    assert sorted(trial.id for trial in mine) == sorted(trial.id for trial in run.run.trials())
    code, _, err = cli("compare", looked, run.folder)
    assert code == 2
    assert f"{len(mine)} in both, with other pictures, factors or truth ('{place(mine[0])}', " in one_line(err)


def test_another_wording_is_compared_and_it_is_said(small, looked, tmp_path, cli):
    (tmp_path / "own").mkdir()
    (tmp_path / "own/questions.csv").write_text("case,polarity,text\nzollner,forward,Parallel?\n")
    run = veridical.run(small, "veridical/prior", out=tmp_path / "run", prompts=tmp_path / "own", show="quiet")
    asked = [place(trial) for trial in run.run.trials() if "Parallel?" in str(trial.messages)]
    assert 0 < len(asked) < len(run.outcomes())
    code, out, err = cli("compare", looked, run.folder, "--json")
    assert code == 0
    assert isinstance(json.loads(out), list)
    assert err.startswith(f"note: {len(asked)} trials have another wording in the second run ('{asked[0]}', ")


def test_other_numbers_of_repeats_are_refused(small, looked, tmp_path, cli):
    run = veridical.run(small, "veridical/pixel", out=tmp_path / "run", repeats=2, show="quiet")
    code, _, err = cli("compare", looked, run.folder)
    assert code == 2
    assert "repeats 1" in one_line(err)
    assert "2: one is needed" in err


def test_exported_trials_are_those_that_the_same_run_asks(small, tmp_path, cli):
    chosen = ("--limit", 1, "-S", "instruction=none,weigh", "-S", "polarity=forward")
    code, out, _ = cli("trials", small, "--out", tmp_path / "sub/trials.jsonl", *chosen, "--gold", "--json")
    assert code == 0
    assert (
        cli("run", "viprobe", "--set", small, "--model", "veridical/prior", "--out", tmp_path / "run", *chosen)[0] == 0
    )
    trials, written = veridical.open_run(tmp_path / "run").run.trials(), lines(tmp_path / "sub/trials.jsonl")
    whole = veridical.open_set(small)
    golds = {whole.opaque(trial.id): trial.gold for trial in trials}
    assert {each["id"]: each["gold"] for each in written} == golds
    assert len(written) == len(trials)
    facts = {"file": str(tmp_path / "sub/trials.jsonl"), "trials": len(trials)}
    assert json.loads(out) == facts | {"bytes": (tmp_path / "sub/trials.jsonl").stat().st_size}
    assert veridical.write_trials(tmp_path / "run", tmp_path / "anew.jsonl", gold=True).lines == len(trials)
    assert [each["id"] for each in lines(tmp_path / "anew.jsonl")] == [each["id"] for each in written]
    assert veridical.write_trials(small, tmp_path / "all.jsonl").lines > len(trials)
    assert all("gold" not in each for each in lines(tmp_path / "all.jsonl"))


def test_a_batch_that_another_runs_gives_the_metrics_of_our_own_run(small, looked, tmp_path, cli):
    words = ("--batch", "--model", "my-vlm", "--temperature", 0, "--max-tokens", 99)
    assert cli("trials", small, "--out", tmp_path / "in.jsonl", *words)[0] == 0
    batch = lines(tmp_path / "in.jsonl")
    assert {(each["body"]["model"], each["body"]["max_completion_tokens"]) for each in batch} == {("my-vlm", 99)}

    def answered(each):
        request = Request(1, 0.0, each["url"], {}, each["body"])
        text = pixel_reply(request.pictures[0], request.text)
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
        response = {"status_code": 200, "request_id": "r", "body": completion([choice])}
        return json.dumps({"id": "b", "custom_id": each["custom_id"], "response": response, "error": None})

    (tmp_path / "out.jsonl").write_text("\n".join(map(answered, reversed(batch))))
    code, _, err = cli(*replaying(tmp_path / "out.jsonl", small, tmp_path / "run"))
    assert code == 0, err
    assert cli("metrics", tmp_path / "run", "--json")[:2] == cli("metrics", looked, "--json")[:2]
    identity = veridical.open_run(tmp_path / "run").run.identity
    assert str(tmp_path) not in json.dumps(identity)


def test_a_trial_without_a_reply_is_an_error_and_the_run_incomplete(small, looked, tmp_path, cli):
    stored = (looked / "responses.jsonl").read_text().splitlines()
    (tmp_path / "a.jsonl").write_text("\n".join(stored[5:]))
    absent = {json.loads(text)["trial"] for text in stored[:5]}
    code, out, err = cli(*replaying(tmp_path / "a.jsonl", small, tmp_path / "run"), "--json")
    assert code == 1
    assert "the run is incomplete" in err
    counts = json.loads(out)["counts"]
    assert (counts["planned"], counts["asked"], counts["error"]) == (len(stored), len(stored), 5)
    run = veridical.open_run(tmp_path / "run")
    assert set(run.outcomes().filter(pl.col("error") == "missing")["trial"]) == absent
    assert run.outcomes().filter(pl.col("answer").is_null())["trial"].len() == 5


def test_a_changed_answers_file_is_refused_and_a_moved_one_is_not(small, looked, tmp_path, cli):
    path = tmp_path / "a.jsonl"
    shutil.copy(looked / "responses.jsonl", path)
    assert cli(*replaying(path, small, tmp_path / "run"))[0] == 0
    responses = (tmp_path / "run/responses.jsonl").read_bytes()
    shutil.move(path, tmp_path / "moved.jsonl")
    assert cli(*replaying(tmp_path / "moved.jsonl", small, tmp_path / "run"))[0] == 0
    path.write_text((tmp_path / "moved.jsonl").read_text().replace("<answer>1", "<answer>0", 1))
    code, _, err = cli(*replaying(path, small, tmp_path / "run"))
    assert code == 2
    assert "model_args.answers: " in one_line(err)
    assert (tmp_path / "run/responses.jsonl").read_bytes() == responses


SIGNS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}


@pytest.mark.parametrize("sign", SIGNS)
def test_a_condition_fails_the_command_exactly_where_the_number_says_so(looked, cli, sign):
    (value,) = [e.value for e in veridical.open_run(looked).estimates() if e.metric == "PFA" and not e.slice]
    plain = json.loads(cli("metrics", looked, "--json")[1])
    for bound in (value - 0.125, value, value + 0.125):
        code, out, err = cli("metrics", looked, "--fail-if", f"PFA{sign}{bound}", "--json")
        assert (code, bool(err)) == ((1, True) if SIGNS[sign](value, bound) else (0, False))
        assert json.loads(out) == plain


def test_each_condition_that_holds_has_its_line(looked, cli):
    words = ("--fail-if", "PFA[variant=P],PFC>0.9", "--fail-if", "PFA<0.9", "--fail-if", "R>0")
    words += ("--fail-if", "PFA[case=zollner,variant=P]>=1", "--fail-if", "every(PFA)>0.9", "--fail-if", "low(PFA)>2")
    code, out, err = cli("metrics", looked, *words)
    assert code == 1
    assert "PFA" in out
    undefined = next(e.reason for e in veridical.open_run(looked).estimates() if e.metric == "R" and not e.slice)
    assert undefined
    starts = [line.removeprefix("veridical: ") for line in err.splitlines()]
    assert [text.split(": ")[0] for text in starts] == [
        "PFA[variant=P]>0.9",
        "PFC>0.9",
        "R>0",
        "PFA[case=zollner,variant=P]>=1",
        "every(PFA)>0.9",
    ]
    assert starts[2] == f"R>0: R is undefined: {undefined}"


@pytest.mark.parametrize(
    ("condition", "nearest"),
    [
        ("PFB<1", "unknown metric 'PFB': did you mean 'PF"),
        ("every(chioce_accuracy)<1", "did you mean 'choice_accuracy'?"),
        ("PFA[case=zolner]<0.1", "there is no such slice; there are PFA[case=zollner], "),
        ("low(PFA[varint=P])<0.1", "there is no such slice; there are PFA[variant=P], "),
    ],
)
@pytest.mark.parametrize("form", [(), ("--json",)])
def test_a_condition_with_a_wrong_name_is_refused_before_anything_is_printed(looked, cli, condition, nearest, form):
    code, out, err = cli("metrics", looked, "--fail-if", "PFA<0.9", "--fail-if", condition, *form)
    assert (code, out) == (2, "")
    assert nearest in one_line(err)


BAD = {
    "condition": (("metrics", "RUN", "--fail-if", "PFA=0.8"), "NAME<NUMBER is allowed"),
    "condition before run": (("metrics", "OUT", "--fail-if", "PFA"), "NAME<NUMBER is allowed"),
    "rescore nothing": (("rescore", "OUT"), "holds no run"),
    "trials of no set": (("trials", "SET/media", "--out", "OUT"), "holds no stimulus set"),
    "trials of no stage": (("trials", "RUN", "--stage", "aks", "--out", "OUT"), "did you mean 'ask'?"),
    "trials nowhere": (("trials", "SET"), "--out"),
    "trials into a folder": (("trials", "SET", "--out", "RUN"), "cannot be written"),
    "trials below a file": (("trials", "SET", "--out", "FILE/trials.jsonl"), "cannot be written"),
    "setting": (("trials", "SET", "--out", "OUT", "-S", "polarty=forward"), "did you mean 'polarity'?"),
    "limit": (("trials", "SET", "--out", "OUT", "--limit", "0"), "limit 0"),
    "batch for nobody": (("trials", "SET", "--out", "OUT", "--batch"), "names the model"),
    "batch with truth": (("trials", "SET", "--out", "OUT", "--batch", "--model", "m", "--gold"), "no true answers"),
    "batch too hot": (
        ("trials", "SET", "--out", "OUT", "--batch", "--model", "m", "--temperature", "-1"), "temperature -1"
    ),
    "no batch": (("trials", "SET", "--out", "OUT", "--model", "m", "--max-tokens", "5"), "--max-tokens without"),
    "no answers": ((*replaying("FILE", "SET", "OUT")[:6], "--out", "OUT"), "veridical/replay: -M answers=FILE"),
    "answers nowhere": (replaying("nowhere.jsonl", "SET", "OUT"), "nowhere.jsonl cannot be read"),
    "answers of no kind": (replaying("FILE", "SET", "OUT"), "line 1: no JSON"),
}  # fmt: skip


@pytest.mark.parametrize("what", BAD)
def test_bad_input_ends_in_one_line_and_exit_code_2(what, small, looked, tmp_path, cli):
    words, wanted = BAD[what]
    (tmp_path / "FILE").write_text("thesis")
    places = {"SET": str(small), "RUN": str(looked), "OUT": str(tmp_path / "OUT"), "FILE": str(tmp_path / "FILE")}
    given = [str(word) for word in words]
    for name, place in places.items():
        given = [place + word.removeprefix(name) if word.startswith(name) else word for word in given]
        given = [word.replace(f"answers={name}", f"answers={place}") for word in given]
    code, out, err = cli(*given)
    assert (code, out) == (2, "")
    assert wanted in one_line(err)
    assert not (tmp_path / "OUT").exists()
    assert (tmp_path / "FILE").read_text() == "thesis"


def test_help_names_the_verbs(cli):
    _, out, _ = cli("--help")
    assert {"trials", "rescore"} <= {line.split()[0] for line in out.splitlines() if line.strip()}
