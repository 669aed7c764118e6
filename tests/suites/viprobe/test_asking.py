"""Asking as a user does it: how replies are sampled, what makes a run the run that it is, and where it stops."""

import hashlib
import json
import re
from collections import Counter
from dataclasses import replace

import polars as pl
import pytest

import veridical
from tests.ask.plans import begun
from tests.ask.server import refused, said, serve
from tests.ask.test_capabilities import provider
from tests.calling import call
from tests.other_form import with_part
from veridical.ask import Sampling
from veridical.base.run_options import RunOptions
from veridical.cli.options import flags
from veridical.suite import registry
from veridical.suite.stages import Preset
from veridical.suites.viprobe.observers.question import pixel_reply
from veridical.verbs.runs.spending import Spending

pytestmark = pytest.mark.usefixtures("no_figures", "no_verdicts", "one_process")

SMALL = {"cases": ["zollner"], "variants": ["O", "P", "OC", "PC"], "units": 1, "levels": 2, "size": 128}
TRIALS, PICTURES = 12, 6
EACH = 12
"""Tokens of a request to the loopback server: 10 in, 2 out."""


def sees(request, **more):
    return said(pixel_reply(request.pictures[0], request.text), **more)


@pytest.fixture
def server():
    with serve(sees) as running:
        yield running


@pytest.fixture
def cli(monkeypatch, capsys):
    return lambda *words: call(monkeypatch, capsys, *words)


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    return veridical.make("viprobe", out=tmp_path_factory.mktemp("asking") / "set", **SMALL).folder


@pytest.fixture
def words(small, server, tmp_path):
    """The words of a run at the server; one request at a time."""
    place = ("--set", small, "--out", tmp_path / "run", "--base-url", server.url)
    return ("run", "viprobe", "--model", "m", *place, "--yes", "--max-connections", 1)


@pytest.fixture
def registered(monkeypatch):
    """Puts another form of the suite in its place while a test runs."""
    monkeypatch.setattr(registry, "_REGISTERED", dict(registry._REGISTERED))
    suite = registry.get("viprobe")
    return lambda **changes: registry.register(with_part(suite, "asking", **changes), replace=True)


def one_line(err):
    """The last line, after those that tell what is asked and how it goes."""
    line = err.splitlines()[-1]
    assert line.startswith("veridical: ")
    assert "Traceback" not in err
    return line


def test_all_of_the_sampling_reaches_the_model_and_is_stored(words, server, tmp_path, cli):
    sampling = ("--temperature", 0.5, "--top-p", 0.25, "--max-tokens", 99, "--reasoning-effort", "low", "--seed", 7)
    code, _, err = cli(*words, *sampling, "--repeats", 3)
    assert code == 0, err
    assert "12 questions on 6 stimuli (1 units), 3 times each" in err
    sent = [request.body for request in server.requests]
    assert len(sent) == 3 * TRIALS
    assert {(b["temperature"], b["top_p"], b["max_tokens"], b["reasoning_effort"]) for b in sent} == {
        (0.5, 0.25, 99, "low")
    }
    assert Counter(b["seed"] for b in sent) == {7: TRIALS, 8: TRIALS, 9: TRIALS}
    run = veridical.open_run(tmp_path / "run")
    assert run.run.identity["sampling"] == {
        "temperature": 0.5, "max_tokens": 99, "top_p": 0.25, "top_k": "unstated", "seed": 7, "reasoning_effort": "low",
        "reasoning_tokens": "unstated",
    }  # fmt: skip
    assert run.outcomes()["repeat"].value_counts().sort("repeat").rows() == [(1, TRIALS), (2, TRIALS), (3, TRIALS)]
    assert run.counts.answered == 3 * TRIALS


CHANGED = {
    "temperature": (("--temperature", 1), "sampling.temperature"),
    "max tokens": (("--max-tokens", 5), "sampling.max_tokens"),
    "top p": (("--top-p", 0.5), "sampling.top_p"),
    "seed": (("--seed", 0), "sampling.seed"),
    "effort": (("--reasoning-effort", "high"), "sampling.reasoning_effort"),
    "repeats": (("--repeats", 2), "repeats: 1 stored, 2 requested"),
    "argument": (("-M", 'extra_body={"top_k": 1}'), "model_args.extra_body"),
    "serving": (("--served", "engine=sglang"), 'serving.engine: "vllm" stored, "sglang" requested'),
    "more serving": (("--served", "engine=vllm", "--served", "gpu=4xH100"), "serving.gpu"),
    "setting": (("-S", "polarity=forward"), "settings.polarity"),
    "limit": (("--limit", 1), "limit: null stored, 1 requested"),
}


@pytest.fixture(scope="module")
def stored(small, tmp_path_factory):
    """A whole run at a server that is gone."""
    with serve(sees) as server:
        folder = tmp_path_factory.mktemp("stored") / "run"
        veridical.run(
            small, "m", out=folder, base_url=server.url, served={"engine": "vllm"}, show="quiet", analyze=False
        )
    return folder, server.url


@pytest.mark.parametrize("what", CHANGED)
def test_what_makes_the_run_may_not_change(what, stored, small, cli):
    folder, url = stored
    change, told = CHANGED[what]
    served = () if "serving" in what else ("--served", "engine=vllm")
    before = {path: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    words = ("run", "viprobe", "--model", "m", "--set", small, "--out", folder, "--base-url", url, "--yes")
    code, _, err = cli(*words, *served, *change)
    assert code == 2
    assert told in one_line(err)
    assert "holds another run" in err
    assert before == {path: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def test_what_only_says_how_to_ask_may_change(stored, small, tmp_path, cli):
    folder, url = stored
    prices = tmp_path / "prices.toml"
    prices.write_text("[m]\ninput = 1\noutput = 1\n")
    patience = ("--max-requests", 2, "--attempt-timeout", 7.5, "--max-connections", 3)
    limits = ("--budget-tokens", 10**9, "--budget-usd", 9, "--prices", prices, "--time-limit", "2h")
    more = ("--cache", tmp_path / "cache", "--retry", "unparsed,truncated", "--skip-unsupported", "--preset", "paper")
    words = ("run", "viprobe", "--model", "m", "--set", small, "--out", folder, "--base-url", url, "--yes")
    code, out, err = cli(*words, "--served", "engine=vllm", *patience, *limits, *more, "--json")
    assert code == 0, err
    said_last = json.loads(out)
    assert said_last["counts"]["asked"] == TRIALS
    assert said_last["spending"]["requests"] == TRIALS
    execution = veridical.open_run(folder).run.executions[-1]
    expected = {
        "max_requests": 2, "attempt_timeout": 7.5, "max_connections": 3, "budget_tokens": 10**9, "budget_usd": 9.0,
        "time_limit": 7200.0, "cache": str(tmp_path / "cache"), "retry": ["truncated", "unparsed"],
        "skip_unsupported": True, "price": {"input": 1.0, "output": 1.0, "cached_input": None, "cache_write": None},
    }  # fmt: skip
    assert {name: execution[name] for name in expected} == expected
    assert execution["preset"]["name"] == "paper"
    assert {execution["preset"][name] for name in (*Sampling().stated(), "repeats")} == {"unstated"}


def test_a_preset_sets_what_the_paper_states_and_refuses_what_contradicts_it(words, server, tmp_path, cli, registered):
    stated = Preset(source="Somebody 2026, section 4", sampling=Sampling(temperature=0.0), repeats=2)
    registered(presets={"paper": stated})
    for change, told in (
        (
            ("--temperature", 1),
            "temperature 1.0 contradicts the preset 'paper', which has 0.0: leave out one of the two",
        ),
        (("--repeats", 3), "repeats 3 contradicts the preset 'paper', which has 2"),
    ):
        code, _, err = cli(*words, "--preset", "paper", *change)
        assert (code, len(err.splitlines())) == (2, 1)
        assert told in one_line(err)
    assert not (tmp_path / "run").exists()
    assert cli(*words, "--preset", "paper", "--max-tokens", 50, "--temperature", 0)[0] == 0
    assert len(server.requests) == 2 * TRIALS
    assert {(r.body["temperature"], r.body["max_tokens"]) for r in server.requests} == {(0.0, 50)}
    preset = veridical.open_run(tmp_path / "run").run.executions[0]["preset"]
    assert (preset["source"], preset["temperature"], preset["repeats"]) == (stated.source, 0.0, 2)
    assert preset["max_tokens"] == preset["top_p"] == "unstated"
    assert cli(*words, "--temperature", 0, "--max-tokens", 50, "--repeats", 2)[0] == 0
    assert len(server.requests) == 2 * TRIALS


def test_what_was_read_as_a_status_is_asked_again_on_demand_and_every_table_says_so(words, server, tmp_path, cli):
    server.behaviour = lambda request: said("") if request.number in (2, 5) else sees(request)
    assert cli(*words, "--retry", "unparsed")[0] == 0
    assert veridical.open_run(tmp_path / "run").counts.unparsed == 2
    assert cli(*words, "--retry", "truncated,refused")[0] == 0
    assert len(server.requests) == TRIALS
    code, out, _ = cli(*words, "--retry", "unparsed")
    assert code == 0
    assert len(server.requests) == TRIALS + 2
    assert [r.text for r in server.requests[TRIALS:]] == [server.requests[k - 1].text for k in (2, 5)]
    assert "12 answered, 0 unparsed, 0 refused, 0 truncated, 0 error, 2 asked again" in out
    assert f"{TRIALS + 2} requests, 0 replies from the cache" in out
    run = veridical.open_run(tmp_path / "run")
    assert run.counts.asked_again == 2
    isolation = pl.read_csv(tmp_path / "run/tables/isolation.csv")
    assert isolation["asked_again"].to_list() == [2]
    assert "2 asked again" in veridical.write_report([run]).read_text()


def test_a_cache_that_runs_share_answers_without_a_request(words, server, tmp_path, cli):
    code, out, _ = cli(*words, "--cache", tmp_path / "cache", "--json")
    assert (code, len(server.requests)) == (0, TRIALS)
    assert json.loads(out)["spending"]["from_cache"] == 0
    other = [tmp_path / "other" if word == tmp_path / "run" else word for word in words]
    code, out, _ = cli(*other, "--cache", tmp_path / "cache")
    assert (code, len(server.requests)) == (0, TRIALS)
    assert f"0 requests, {TRIALS} replies from the cache; tokens: 0 in, 0 out" in out
    tables = [
        veridical.open_run(tmp_path / name).outcomes().select("trial", "status", "answer", "text")
        for name in ("run", "other")
    ]
    assert tables[0].equals(tables[1])
    assert cli(*other, "--cache", tmp_path / "cache", "--repeats", 1)[0] == 0
    again = [tmp_path / "third" if word == tmp_path / "run" else word for word in words]
    assert cli(*again, "--cache", tmp_path / "cache", "--temperature", 0)[0] == 0
    assert len(server.requests) == 2 * TRIALS


def test_a_budget_of_tokens_stops_the_run_and_everything_says_so(words, server, tmp_path, cli):
    code, out, err = cli(*words, "--budget-tokens", 4 * EACH)
    assert code == 1
    assert len(server.requests) == 4
    limit = "budget_tokens of 48 (48 spent)"
    assert f"veridical: the run stopped early: {limit}; planned 12, asked 4: 4 answered" in one_line(err)
    assert "veridical/" not in out
    assert "4 requests, 0 replies from the cache; tokens: 40 in, 8 out" in out
    run = tmp_path / "run"
    assert f"stopped early: {limit}" in cli("status", run)[1]
    told = json.loads(cli("status", run, "--json")[1])
    assert (told["complete"], told["stopped"], told["spending"]["input_tokens"]) == (False, limit, 40)
    assert f"stopped early: {limit}" in " ".join(cli("metrics", run)[1].split())
    assert cli("report", run)[0] == 0
    page = " ".join((run / "report.html").read_text().split())
    assert "12 planned, 4 asked, <b>8 not yet asked</b>" in page
    assert f"the latest start stopped early: <b>{limit}</b>" in page
    assert cli(*words, "--budget-tokens", 4 * EACH)[0] == 1
    assert len(server.requests) == 4
    code, out, _ = cli(*words, "--budget-tokens", 10**6, "--json")
    assert (code, len(server.requests)) == (0, TRIALS)
    assert json.loads(out)["stopped"] is None
    assert cli("report", run)[0] == 0
    assert "stopped early" not in (run / "report.html").read_text()


def test_a_budget_of_money_is_kept_at_the_users_prices_and_the_cost_is_told(words, server, tmp_path, cli):
    usage = {
        "prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12,
        "prompt_tokens_details": {"cached_tokens": 4},
    }  # fmt: skip
    server.behaviour = lambda request: sees(request, usage=usage)
    prices = tmp_path / "prices.csv"
    prices.write_text("model,input,output,cached_input\nm,1000,5000,500\n")
    each = (6 * 1000 + 4 * 500 + 2 * 5000) / 1e6
    code, out, err = cli(*words, "--prices", prices, "--budget-usd", 3 * each)
    assert (code, len(server.requests)) == (1, 3)
    assert "budget_usd of 0.054" in one_line(err)
    assert "tokens: 30 in (12 read from the provider's cache), 6 out; 0.054 US dollars" in out
    code, out, _ = cli(*words, "--json")
    spending = json.loads(out)["spending"]
    assert (code, spending["cached_tokens"], spending["usd"]) == (0, 4 * TRIALS, pytest.approx(TRIALS * each))


def test_replies_without_counts_are_said_to_have_none(words, server, tmp_path, cli):
    server.behaviour = lambda request: sees(request, usage=None)
    code, out, _ = cli(*words)
    assert code == 0
    assert "tokens: 0 in, 0 out; 12 replies without a count" in out
    assert Spending.of(veridical.open_run(tmp_path / "run").run).cached_tokens is None


def test_a_time_limit_stops_the_run_and_the_same_command_goes_on(words, server, tmp_path, cli):
    server.behaviour = lambda request: sees(request, delay=0.15)
    code, _, err = cli(*words, "--time-limit", "0.4s")
    assert code == 1
    assert "the run stopped early: time_limit of 0.4 s; planned 12, asked" in one_line(err)
    before = len(server.requests)
    assert 0 < before < TRIALS
    server.behaviour = sees
    assert cli(*words, "--time-limit", "2h")[0] == 0
    assert len(server.requests) == TRIALS


def test_requests_for_one_attempt_and_their_patience_are_the_users(words, server, tmp_path, cli):
    server.behaviour = lambda request: sees(request) if request.number == 1 else refused(429)
    code, _, err = cli(*words, "--max-requests", 1)
    assert code == 1
    assert "the run is incomplete: planned 12, asked 12: 1 answered" in one_line(err)
    assert len(server.requests) == TRIALS
    server.requests.clear()
    server.behaviour = lambda request: said("late", delay=3) if request.number == 1 else sees(request)
    code, _, _ = cli(*words, "--max-requests", 1, "--attempt-timeout", 1)
    assert (code, len(server.requests)) == (1, TRIALS - 1)
    assert veridical.open_run(tmp_path / "run").outcomes()["error"].drop_nulls().to_list() == ["timeout"]


def parts_sent(request):
    """What a request says, in the form in which a dry run tells it."""
    shown = []
    for message in request.body["messages"]:
        content = message["content"]
        parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
        pictures = iter(request.pictures)
        told = [
            {"text": part["text"]} if part["type"] == "text" else {"sha256": hashlib.sha256(next(pictures)).hexdigest()}
            for part in parts
        ]
        shown.append((message["role"], told))
    return shown


def test_a_dry_run_shows_the_first_requests_as_they_are_then_sent_and_sends_nothing(words, server, tmp_path, cli):
    how = ("-S", "instruction=weigh", "--temperature", 0, "--seed", 5, "--repeats", 2)
    code, out, err = cli(*words, *how, "--dry-run", "--json")
    assert code == 0, err
    assert (server.requests, list(tmp_path.iterdir())) == ([], [])
    shown = json.loads(out)
    assert len(shown) == 3
    code, text, _ = cli(*words, *how, "--dry-run")
    assert code == 0
    assert text.endswith("nothing was sent\n")
    assert cli(*words, *how)[0] == 0
    for told, request in zip(shown, server.requests, strict=False):
        assert told["model"] == request.body["model"]
        assert told["servers"] == [server.url]
        besides = {key: value for key, value in request.body.items() if key not in ("model", "messages")}
        assert told["settings"] == besides
        messages = [
            (
                message["role"],
                [
                    {"sha256": part["picture"]["sha256"]} if "picture" in part else {"text": part["text"]}
                    for part in message["parts"]
                ],
            )
            for message in told["messages"]
        ]
        assert messages == parts_sent(request)
        (picture,) = [p["picture"] for m in told["messages"] for p in m["parts"] if "picture" in p]
        assert (picture["format"], picture["bytes"]) == ("PNG", len(request.pictures[0]))
        assert f"[PNG {picture['width']}x{picture['height']}, {picture['bytes']:,} bytes, sha256 " in text
        assert all(line in text for line in request.text.splitlines())
    assert "system:\n  " in text
    assert "temperature 0.0, seed 5" in text


def test_a_dry_run_draws_no_set_into_the_run_and_refuses_what_run_refuses(server, tmp_path, cli, sets_of_one_case):
    words = ("run", "viprobe", "--out", tmp_path / "run", "--dry-run", "--limit", 1)
    code, out, _ = cli(*words, "--model", "m", "--base-url", server.url)
    assert code == 0
    assert "[PNG 512x" in out
    assert (server.requests, list(tmp_path.iterdir())) == ([], [])
    code, _, err = cli(*words, "--model", "veridical/pixle")
    assert (code, len(err.splitlines())) == (2, 1)


def with_begun(stage):
    """A stage that also asks each trial with the beginning of the reply."""

    def trials(stimuli, asking, earlier):
        for trial in stage.trials(stimuli, asking, earlier):
            yield trial
            yield begun(replace(trial, id=f"{trial.id}&begun"), **{**trial.settings, "prefix": "given"})

    return replace(stage, trials=trials)


def test_what_the_model_cannot_be_asked_refuses_the_run_or_is_listed_as_not_asked(small, tmp_path, cli, registered):
    (stage,) = registry.get("viprobe").asking.stages
    registered(stages=(with_begun(stage),))
    words = ("run", "viprobe", "--model", provider("toyroad"), "--set", small, "--out", tmp_path / "run", "--yes")
    for more in ((), ("--dry-run",)):
        code, _, err = cli(*words, *more)
        assert code == 2
        assert "cannot be asked with prefix=given (12 of 24 trials)" in one_line(err)
    code, out, _ = cli(*words, "--skip-unsupported", "--json")
    told = json.loads(out)
    assert (code, told["complete"]) == (0, True)
    assert (told["counts"]["planned"], told["counts"]["asked"]) == (2 * TRIALS, TRIALS)
    assert told["not_asked"] == {"not asked: its provider does not continue an assistant turn": TRIALS}
    assert "12 not asked: its provider" in cli("status", tmp_path / "run")[1]
    assert cli("report", tmp_path / "run")[0] == 0
    page = (tmp_path / "run/report.html").read_text()
    assert "<b>12 not asked: its provider does not continue an assistant turn</b>" in page
    assert "not yet asked" not in page


def test_what_a_model_thought_is_kept_apart_from_its_reply_and_shown_with_it(words, server, tmp_path, cli):
    server.behaviour = lambda request: sees(request, reasoning_content="Do they <b>meet</b>?")
    assert cli(*words)[0] == 0
    run = veridical.open_run(tmp_path / "run")
    assert set(run.outcomes()["reasoning"]) == {"Do they <b>meet</b>?"}
    assert not run.outcomes()["text"].str.contains("meet").any()
    items = json.loads(re.search(r'id="items-data">(.*?)</script>', veridical.write_report([run]).read_text(), re.S)[1])
    outcomes = [
        outcome
        for unit in items["units"]
        for item in unit["items"]
        for question in item["questions"]
        for outcome in question["outcomes"]
    ]
    assert [outcome["reasoning"] for outcome in outcomes] == ["Do they <b>meet</b>?"] * TRIALS


def test_models_are_grouped_as_their_user_says(small, tmp_path, cli):
    for name in ("pixel", "prior"):
        veridical.run(small, f"veridical/{name}", out=tmp_path / name, show="quiet", analyze=False)
    models = tmp_path / "models.toml"
    models.write_text('["veridical/prior"]\ngroup = "guessers <i>"\nsize = 0.5\nthinking = false\n')
    runs = (tmp_path / "pixel", tmp_path / "prior")
    code, _, err = cli("report", *runs, "--models", models, "--out", tmp_path / "page.html")
    assert code == 0, err
    page = (tmp_path / "page.html").read_text()
    assert "guessers &lt;i&gt;, 0.5 B, not thinking" in page
    assert "<i>," not in page
    table = page[page.index("Isolating the illusion") :]
    assert table.index("veridical/prior") < table.index("veridical/pixel")
    grouped = pl.read_csv(tmp_path / "prior/tables/isolation.csv")
    assert grouped.columns[:2] == ["Model", "Group"]
    assert grouped["Group"].to_list() == ["guessers <i>"]
    assert cli("report", *runs, "--out", tmp_path / "page.html")[0] == 0
    assert "guessers" not in (tmp_path / "page.html").read_text()
    rows = json.loads(cli("metrics", runs[1], "--models", models, "--json")[1])
    assert {json.dumps(row["about"]) for row in rows} == {'{"group": "guessers <i>", "size": 0.5, "thinking": false}'}
    assert "veridical/prior (guessers <i>, 0.5 B, not thinking)" in cli("metrics", runs[1], "--models", models)[1]
    code, _, err = cli("metrics", runs[0], "--models", models)
    assert code == 2
    assert "did you mean 'veridical/prior'?" in one_line(err)


def test_python_and_the_command_line_take_the_same_options():
    assert [each.name for each in flags()] == list(RunOptions.__annotations__)


def test_a_keyword_that_is_not_known_is_no_option(small):
    with pytest.raises(TypeError, match="unexpected keyword argument 'temprature'"):
        veridical.run(small, "veridical/prior", temprature=0)


def test_no_detail_of_serving_and_no_model_argument_carries_a_key(small, server, tmp_path, monkeypatch, cli):
    monkeypatch.setenv("SOME_API_KEY", "sesame-open-1")
    served = ("--served", "engine=vllm", "--served", "launched=vllm serve --api-key sesame-open-1")
    words = ("run", "viprobe", "--model", "m", "--set", small, "--out", tmp_path / "run", "--base-url", server.url)
    code, out, err = cli(*words, *served, "--yes")
    assert code == 0
    written = b"".join(path.read_bytes() for path in (tmp_path / "run").rglob("*") if path.is_file())
    assert b"sesame" not in written
    assert "sesame" not in out + err
    assert veridical.open_run(tmp_path / "run").run.identity["serving"]["launched"] == "vllm serve --api-key [redacted]"


BAD = {
    "no status": (("--retry", "answered"), "retry 'answered': unparsed, truncated, refused are allowed"),
    "no repeat": (("--repeats", 0), "repeats 0: 1 to 1000 is allowed"),
    "many repeats": (("--repeats", 1001), "repeats 1001"),
    "no preset": (("--preset", "papr"), "unknown preset 'papr': did you mean 'paper'?"),
    "temperature": (("--temperature", -1), "temperature -1.0"),
    "top p": (("--top-p", 1.5), "top_p 1.5: more than 0, up to 1 is allowed"),
    "seed": (("--seed", -1), "seed -1"),
    "effort": (("--reasoning-effort", "huge"), "reasoning_effort 'huge': none, minimal, low"),
    "thinking": (("--reasoning-tokens", -1), "reasoning_tokens -1"),
    "budget": (("--budget-tokens", 0), "budget_tokens 0: 1 or more is allowed"),
    "no prices": (("--budget-usd", 5), "budget_usd needs the model's price: give a table of prices"),
    "no price": (("--budget-usd", 5, "--prices", "PRICES"), "has no price: unknown model 'm'"),
    "prices not there": (("--prices", "NOWHERE"), "No such file"),
    "time": (("--time-limit", "soon"), "--time-limit 'soon': a time above 0 is allowed, such as 90, 90s, 45m or 2h"),
    "no time": (("--time-limit", "0m"), "--time-limit '0m'"),
    "endless time": (("--time-limit", "infh"), "--time-limit 'infh'"),
    "empty time": (("--time-limit", ""), "--time-limit ''"),
    "requests": (("--max-requests", 0), "max_requests 0: 1 to 100"),
    "patience": (("--attempt-timeout", 0), "attempt_timeout 0.0"),
    "served": (("--served", "vllm"), "--served 'vllm': KEY=VALUE is allowed"),
    "served nothing": (("--served", "engine="), "--served 'engine='"),
    "served twice": (("--served", "a=1", "--served", "a=2"), "--served a is given twice"),
    "cache": (("--cache", "PRICES"), "cannot be used"),
    "word for a number": (("--budget-tokens", "lots"), "--budget-tokens"),
}


@pytest.mark.parametrize("what", BAD)
def test_a_wrong_option_ends_in_one_line_before_anything_is_sent(what, words, server, tmp_path, cli):
    change, told = BAD[what]
    prices = tmp_path / "prices.toml"
    prices.write_text("[other]\ninput = 1\noutput = 1\n")
    places = {"PRICES": prices, "NOWHERE": tmp_path / "nowhere"}
    code, out, err = cli(*words, *(places.get(word, word) for word in change))
    lines = [line for line in err.splitlines() if not re.match(r"viprobe: .* questions", line)]
    assert (code, out, len(lines)) == (2, "", 1)
    assert told in one_line(err)
    assert server.requests == []
