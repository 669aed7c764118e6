"""Who is asked in which role: judges side by side, and endpoints, keys and prices of their own under one budget."""

import json
import shutil
from collections import Counter

import pytest

import veridical
from tests.ask.server import refused as fails
from tests.ask.server import said as reply
from tests.probe.staged import (
    QUIET,
    answering,
    as_it_stands,
    asked,
    drawn,
    models_file,
    replies,
    usual,
)
from veridical.verbs.results.comparison import common_outcomes
from veridical.verbs.runs.models import asked_name

ONE, TWO = "lab/judge-one", "lab/judge-two"
KEYS = {"VERIDICAL_API_KEY": "key-of-whom-is-tested", "WORD_FOR_THE_JUDGE": "pass-word-of-the-judge"}
PRICES = {"org/eye": {"input": 100, "output": 50}, "org/judge": {"input": 1000, "output": 500}}


@pytest.fixture(scope="module")
def few(tmp_path_factory):
    return drawn(tmp_path_factory.mktemp("sets") / "few", sums=2, boxes=1)


def harsher(request):
    """As usual, but to the second judge every reply is wrong."""
    return "<answer>wrong</answer>" if request.body["model"] == TWO else usual(request)


@pytest.fixture(scope="module")
def server():
    """A server where both judges are asked."""
    with answering(replies(mark=harsher, remark=harsher)) as answering_server:
        yield answering_server


@pytest.fixture(scope="module")
def judged(few, server, tmp_path_factory):
    """Asks an embedded observer and a judge, or the judge alone, in a folder; gives the run, and requests by model."""
    place = {"base_url": server.url, "max_connections": 1}
    file = models_file(tmp_path_factory.mktemp("models") / "models.toml", {ONE: place, TWO: place})

    def judged(folder, judge, *, alone=False, **options):
        server.requests.clear()
        options = {"judge": judge, "models": file, **QUIET, **options}
        if alone:
            run = veridical.judge(folder, **options)
        else:
            run = veridical.run(few, "veridical/eye", out=folder, **options)
        return as_it_stands(run), dict(Counter(request.body["model"] for request in server.requests))

    return judged


@pytest.fixture(scope="module")
def first(judged, tmp_path_factory):
    """A run that the first judge has judged, in whose folder nothing else is done, and who was asked for it."""
    return judged(tmp_path_factory.mktemp("runs") / "run", ONE)


@pytest.fixture
def both(first, judged, tmp_path):
    """The same in another folder, which the second judge has judged too, and who was asked for that."""
    folder = shutil.copytree(first[0].folder, tmp_path / "run")
    return judged(folder, TWO, alone=True)


def counted(run, stage):
    """The folder of each model of a stage that figures are made from."""
    return {each.model: each.folder for each in run.staged if each.stage == stage and each.counted}


def test_two_judges_stand_side_by_side_and_asking_the_second_asks_nothing_of_the_first(first, both):
    alone, sent = first
    assert sent == {ONE: 6 + 2}
    assert len(alone.outcomes(stage="again")) == 2
    run, sent = both
    assert sent == {TWO: 6 + 2}
    for each in alone.staged:
        kept = run.folder / each.folder.relative_to(alone.folder) / "responses.jsonl"
        assert kept.read_bytes() == (each.folder / "responses.jsonl").read_bytes()
    assert [set(counted(run, stage)) for stage in ("mark", "again", "remark")] == [
        {ONE, TWO},
        {"veridical/eye"},
        {ONE, TWO},
    ]
    verdicts = run.evidence().outcomes("mark")
    assert dict(verdicts["model"].value_counts().iter_rows()) == {ONE: 6, TWO: 6}
    judges = [each.slice["judge"] for each in run.estimates() if each.metric == "agreement"]
    assert sorted(judges) == [ONE, ONE, TWO, TWO]


def test_where_two_judges_have_judged_what_rests_on_verdicts_must_be_told_on_whose(both, judged):
    for name in (ONE, TWO):
        with pytest.raises(veridical.InputError, match="rests-on says which counts") as refusal:
            judged(both[0].folder, name)
        assert all(each in str(refusal.value) for each in (ONE, TWO))
        assert "\n" not in str(refusal.value)


def test_what_rests_on_one_of_two_judges_says_so_and_is_made_from_that_ones_verdicts(first, both, judged):
    run, sent = judged(both[0].folder, TWO, rests_on=TWO)
    assert sent == {TWO: 6}
    (again,) = counted(run, "again").values()
    identity = json.loads((again / "run.json").read_text())["identity"]
    assert identity["rests_on"] == {"mark": counted(run, "mark")[TWO].name}
    assert len(run.outcomes(stage="again")) == 6
    theirs = set(run.outcomes(stage="mark").filter(model=TWO)["digest"])
    assert all(json.loads(each)[1]["digest"] in theirs for each in run.outcomes(stage="again")["sources"])
    assert set(run.outcomes(stage="mark")["model"]) == {ONE, TWO}
    assert set(run.outcomes(stage="remark")["model"]) == {TWO}
    back, sent = judged(run.folder, ONE, rests_on=ONE)
    assert sent == {}
    assert back.outcomes(stage="again").equals(first[0].outcomes(stage="again"))


@pytest.mark.parametrize("judges", [1, 2])
def test_a_judge_that_what_follows_is_to_rest_on_and_that_never_judged_is_refused(first, both, judged, judges):
    run = (first, both)[judges - 1][0]
    with pytest.raises(veridical.InputError, match=f"'lab/judge-onne'.*did you mean '{ONE}'"):
        judged(run.folder, ONE, rests_on="lab/judge-onne")


def test_what_rests_on_a_judge_waits_until_all_verdicts_of_that_one_are_there(first, judged, tmp_path):
    folder = shutil.copytree(first[0].folder, tmp_path / "run")
    stopped, sent = judged(folder, TWO, alone=True, budget_tokens=8 * 12 + 2 * 12)
    assert sent == {TWO: 2}
    run, sent = judged(folder, None, rests_on=TWO)
    assert sent == {}
    assert [each.folder for each in run.staged if each.stage == "again"] == [
        each.folder for each in stopped.staged if each.stage == "again"
    ]
    assert not run.complete


def test_a_judge_that_could_not_be_asked_at_all_leaves_no_trace_in_what_the_next_one_comes_to(
    first, judged, server, tmp_path
):
    usual_behaviour, server.behaviour = server.behaviour, lambda _: fails(404)
    try:
        with pytest.raises(veridical.InputError, match="nothing more was sent"):
            judged(tmp_path / "run", TWO)
    finally:
        server.behaviour = usual_behaviour
    run, sent = judged(tmp_path / "run", ONE)
    assert sent == {ONE: 8}
    assert run.complete
    assert set(counted(run, "mark")) == {ONE}
    assert run.estimates() == first[0].estimates()


@pytest.fixture
def two(few, tmp_path, monkeypatch):
    """A model and a judge at two servers, with keys and prices of their own; the keywords of a run, and its words."""
    for name, key in KEYS.items():
        monkeypatch.setenv(name, key)

    def echo(request):
        return reply(usual(request), reasoning_content=f"You sent {dict(request.headers)}")

    with answering(echo) as first, answering(echo) as second:
        own = {"base_url": second.url, "key": "WORD_FOR_THE_JUDGE", "price": PRICES["org/judge"]}
        options = {"model": "org/eye", "base_url": first.url, "judge": "org/judge", "max_connections": 1}
        options["models"] = models_file(tmp_path / "models.toml", {"org/judge": own})
        options["prices"] = models_file(tmp_path / "prices.toml", {"org/eye": PRICES["org/eye"]})
        words = ["run", "probe", "--set", few.folder, "--out", tmp_path / "run", "--yes"]
        for name, value in options.items():
            words += [f"--{name.replace('_', '-')}", value]
        yield first, second, options, words


def test_each_server_sees_its_own_key_alone_and_none_is_in_a_file_of_the_run_or_shown(two, tmp_path, said):
    first, second, _, words = two
    code, out, err = said(*words)
    assert code == 0
    assert asked(first).keys() == {"look", "again"}
    assert asked(second).keys() == {"mark", "remark"}
    for server, key in zip((first, second), KEYS.values(), strict=True):
        assert {request.headers["authorization"] for request in server.requests} == {f"Bearer {key}"}
    written = {path: path.read_bytes() for path in (tmp_path / "run").rglob("*") if path.is_file()}
    (verdicts,) = (tmp_path / "run").glob("stages/mark/*/responses.jsonl")
    for path in (tmp_path / "run" / "responses.jsonl", verdicts):
        assert b"'authorization': 'Bearer [redacted]'" in written[path]
    assert [path for path, content in written.items() for key in KEYS.values() if key.encode() in content] == []
    assert [key for key in KEYS.values() if key in out + err] == []


def test_a_judge_at_an_endpoint_of_its_own_that_names_no_key_is_not_sent_that_of_the_model_under_test(
    few, two, tmp_path
):
    _, second, options, _ = two
    options["models"] = models_file(tmp_path / "models.toml", {"org/judge": {"base_url": second.url}})
    veridical.run(few, out=tmp_path / "run", **{**options, "prices": None}, **QUIET)
    assert asked(second).keys() == {"mark", "remark"}
    sent = {value for request in second.requests for value in request.headers.values()}
    assert [value for value in sent if KEYS["VERIDICAL_API_KEY"] in value] == []


def test_one_budget_of_dollars_holds_for_both_roles_and_each_spends_at_its_own_price(few, two, tmp_path):
    first, second, options, _ = two

    def run(budget):
        for server in (first, second):
            server.requests.clear()
        found = veridical.run(few, out=tmp_path / "run", budget_usd=budget, **options, **QUIET)
        return as_it_stands(found), asked(first), asked(second)

    # A reply is 10 tokens in and 2 out: 0.0011 dollars of the model under test, 0.011 of the judge.
    stopped, *sent = run(0.035)
    assert stopped.stopped == "budget_usd of 0.035 (0.0396 spent)"
    assert not stopped.complete
    assert sent == [{"look": 6}, {"mark": 3}]
    spent = {each.stage: each.spending.usd for each in stopped.staged}
    assert spent == pytest.approx({"look": 6 * 0.0011, "mark": 3 * 0.011})
    again, *sent = run(0.035)
    assert (again.stopped, sent) == (stopped.stopped, [{}, {}])
    whole, *sent = run(1)
    assert (whole.stopped, sent) == (None, [{"again": 5}, {"mark": 3, "remark": 5}])
    assert whole.spending().usd == pytest.approx(11 * 0.0011 + 11 * 0.011)


def test_a_budget_of_tokens_that_is_reached_in_the_second_role_ends_the_command_with_one(two, said):
    first, second, _, words = two
    code, out, err = said(*words, "--budget-tokens", 100)
    assert code == 1
    assert err.splitlines()[-1].startswith("veridical: the run stopped early: budget_tokens of 100 (108 spent)")
    assert (asked(first), asked(second)) == ({"look": 6}, {"mark": 3})
    assert "stage again waits for 3 missing replies of stage mark\n" in out
    assert "in all: 9 requests" in out


def test_a_budget_that_is_used_up_when_the_second_role_begins_ends_the_command_with_one(few, two, tmp_path):
    first, second, options, _ = two
    run = veridical.run(few, out=tmp_path / "run", budget_tokens=6 * 12, **options, **QUIET)
    assert (asked(first), asked(second)) == ({"look": 6}, {})
    assert run.stopped == "budget_tokens of 72 (72 spent)"
    assert not run.complete


def test_an_embedded_observer_needs_no_price_under_a_budget_of_dollars(few, server, tmp_path):
    judge = {"base_url": server.url, "price": PRICES["org/judge"]}
    models = models_file(tmp_path / "models.toml", {"org/judge": judge})
    options = {"judge": "org/judge", "models": models, "budget_usd": 1.0, **QUIET}
    assert veridical.run(few, "veridical/eye", out=tmp_path / "run", **options).complete


def test_what_others_rest_on_may_be_named_by_its_table(tmp_path):
    file = models_file(tmp_path / "models.toml", {"careful": {"model": ONE}, TWO: {}})
    assert [asked_name(name, file) for name in ("careful", ONE, TWO)] == [ONE, ONE, TWO]


def test_second_looks_that_rest_on_the_verdicts_of_different_judges_have_no_source_in_common(first, judged, tmp_path):
    other, _ = judged(tmp_path / "run", TWO)
    alike, _ = judged(tmp_path / "alike", ONE)
    counts = {each.stage: each.common for each in common_outcomes(first[0], other)[2]}
    assert {name: counts[name] for name in ("mark", "again", "remark")} == {"mark": 0, "again": 0, "remark": 0}
    counts = {each.stage: (each.common, each.first, each.second) for each in common_outcomes(first[0], alike)[2]}
    assert all(common == mine == theirs > 0 for common, mine, theirs in counts.values())
