"""Budgets and time: reaching one stops cleanly, over all starts of a run, and a larger one goes on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from time import monotonic

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.ask.plans import QUICK, READERS, plan, put
from tests.ask.server import Server, refused, said
from veridical.ask import Limits, Policy, Price, Run, TokenUse, read_prices
from veridical.errors import InputError
from veridical.records import Counts, Response
from veridical.verbs.runs.spending import Spending

ONE = Policy(max_connections=1, max_requests=3, attempt_timeout=60, backoff=0.01)
CENTS = Price(input=1000.0, output=5000.0, cached_input=500.0)


def test_a_budget_of_tokens_stops_at_it_says_so_and_a_larger_one_goes_on(tmp_path: Path, server: Server):
    trials = plan(10, 1)
    first = put(tmp_path, server.url, trials, ONE, limits=Limits(budget_tokens=48))
    assert (first.asked, first.missing, first.interrupted) == (4, 6, False)
    assert first.limit == "budget_tokens of 48 (48 spent)"
    counts = Counts.of(Run.open(tmp_path).outcomes(READERS))
    assert (counts.planned, counts.asked, counts.answered) == (10, 4, 4)
    ended = Run.open(tmp_path).executions[0]["ended"]
    assert (ended["limit"], ended["asked"], ended["spent"]["input_tokens"]) == (first.limit, 4, 40)
    none = put(tmp_path, server.url, trials, ONE, limits=Limits(budget_tokens=48))
    assert (none.asked, none.limit, len(server.requests)) == (0, first.limit, 4)
    second = put(tmp_path, server.url, trials, ONE, limits=Limits(budget_tokens=84))
    assert (second.asked, second.missing, second.spent.tokens) == (3, 3, 84)
    last = put(tmp_path, server.url, trials, ONE)
    assert (last.missing, last.limit, len(server.requests)) == (0, None, 10)


def test_what_is_in_flight_at_a_budget_is_finished_and_stored(tmp_path: Path, server: Server):
    server.behaviour = lambda _: said("Yes", delay=0.05)
    policy = Policy(max_connections=8, max_requests=1, attempt_timeout=60, backoff=0)
    tally = put(tmp_path, server.url, plan(60, 1), policy, limits=Limits(budget_tokens=12 * 20))
    assert 20 <= tally.asked <= 20 + 7
    assert len(server.requests) == tally.asked == len(Run.open(tmp_path).responses())
    assert tally.errors == 0


def test_a_budget_that_the_last_trial_reaches_is_no_stop(tmp_path: Path, server: Server):
    tally = put(tmp_path, server.url, plan(4, 1), ONE, limits=Limits(budget_tokens=48))
    assert (tally.asked, tally.missing, tally.limit) == (4, 0, None)


def test_a_budget_of_money_counts_what_the_provider_read_from_its_cache_at_its_own_price(
    tmp_path: Path, server: Server
):
    usage = {
        "prompt_tokens": 10,
        "completion_tokens": 2,
        "total_tokens": 12,
        "prompt_tokens_details": {"cached_tokens": 4},
    }
    server.behaviour = lambda _: said("Yes", usage=usage)
    each = (6 * 1000 + 4 * 500 + 2 * 5000) / 1e6
    tally = put(tmp_path, server.url, plan(9, 1), ONE, limits=Limits(budget_usd=3 * each, price=CENTS))
    assert tally.limit is not None
    assert tally.limit.startswith("budget_usd of 0.054 ")
    assert (tally.asked, tally.cached_tokens) == (3, 12)
    assert tally.cost == pytest.approx(3 * each)
    assert Run.open(tmp_path).outcomes(READERS)["cached_tokens"].to_list()[:4] == [4, 4, 4, None]


def test_a_budget_of_money_counts_what_the_provider_wrote_to_its_cache_at_its_own_price(tmp_path: Path, server: Server):
    details = {"cached_tokens": 2, "cache_write_tokens": 3}
    usage = {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12, "prompt_tokens_details": details}
    server.behaviour = lambda _: said("Yes", usage=usage)
    each = (5 * 1000 + 2 * 500 + 3 * 1250 + 2 * 5000) / 1e6
    price = replace(CENTS, cache_write=1250.0)
    tally = put(tmp_path, server.url, plan(9, 1), ONE, limits=Limits(budget_usd=3 * each, price=price))
    assert (tally.asked, tally.input_tokens, tally.cached_tokens, tally.cache_write_tokens) == (3, 30, 6, 9)
    assert tally.cost == pytest.approx(3 * each)
    run = Run.open(tmp_path)
    assert run.outcomes(READERS)["cache_write_tokens"].to_list()[:4] == [3, 3, 3, None]
    spending = Spending.of(run)
    assert spending.cache_write_tokens == 9
    assert "30 in (6 read from the provider's cache, 9 written to the provider's cache), 6 out" in str(spending)


def test_a_line_of_an_earlier_version_without_written_tokens_is_read(tmp_path: Path):
    run = Run.start(tmp_path, {"model": "m"}, {}, plan(), factors={})
    (tmp_path / "responses.jsonl").write_text(
        '{"trial":"p000/q0","repeat":1,"attempt":1,"text":"Yes","input_tokens":7,"cached_tokens":3}\n'
    )
    assert run.responses()["p000/q0", 1].cache_write_tokens is None
    assert Spending.of(run).cache_write_tokens is None


def test_failed_attempts_of_earlier_starts_count_where_they_have_tokens(tmp_path: Path):
    run = Run.start(tmp_path, {"model": "m"}, {}, plan(), factors={})
    with run.writer() as writer:
        for attempt in (1, 2):
            writer.append(Response(trial="p000/q0", attempt=attempt, error="unknown", input_tokens=7, output_tokens=1))
        writer.append(Response(trial="p000/q1", input_tokens=7, output_tokens=1, cached_tokens=3, cache_write_tokens=2))
        writer.append(Response(trial="p001/q1", error="timeout"))
    assert TokenUse.over(run.attempts()) == TokenUse(
        input_tokens=21, output_tokens=3, cached_tokens=3, cache_write_tokens=2, uncounted=0
    )


def test_a_model_that_reports_no_tokens_stops_a_budgeted_run_after_the_first_reply(tmp_path: Path, server: Server):
    server.behaviour = lambda _: said("Yes", usage=None)
    tally = put(tmp_path, server.url, plan(3, 1), limits=Limits(budget_tokens=1000))
    assert tally.limit is not None
    assert "without token counts" in tally.limit
    assert len(server.requests) == 1
    assert put(tmp_path, server.url, plan(3, 1)).missing == 0


def test_a_time_limit_stops_asking_and_loses_nothing_that_was_sent(tmp_path: Path, server: Server):
    server.behaviour = lambda _: said("Yes", delay=0.1)
    tally = put(tmp_path, server.url, plan(400, 1), limits=Limits(time_limit=0.8))
    assert tally.limit == "time_limit of 0.8 s"
    assert 0 < tally.asked < 400
    assert len(server.requests) == tally.asked == len(Run.open(tmp_path).responses())


def test_nobody_waits_for_a_retry_once_a_limit_is_reached(tmp_path: Path, server: Server):
    server.behaviour = lambda request: said("Yes") if request.number == 1 else refused(429, retry_after="60")
    began = monotonic()
    tally = put(tmp_path, server.url, plan(9, 1), QUICK, limits=Limits(time_limit=3))
    assert monotonic() - began < 10
    assert (tally.asked, tally.errors, tally.requests) == (1 + QUICK.max_connections, QUICK.max_connections, 5)
    stored = Run.open(tmp_path).responses().values()
    assert sorted(response.error or "" for response in stored) == ["", *["rate_limit"] * QUICK.max_connections]


def test_a_limit_is_told_where_progress_is_told(tmp_path: Path, server: Server, capfd: pytest.CaptureFixture[str]):
    put(tmp_path, server.url, plan(4, 1), ONE, mode="plain", limits=Limits(budget_tokens=12))
    assert capfd.readouterr().err.splitlines()[-1].startswith("stopped at budget_tokens of 12 (12 spent): 1/4, ")


def test_an_embedded_observer_costs_nothing_and_keeps_every_budget(tmp_path: Path):
    from tests.ask.plans import picture, replayed
    from veridical.ask import ask, progress

    model = replayed(tmp_path / "answers.jsonl", plan(2, 1))
    run = Run.start(tmp_path / "run", {"model": "veridical/replay"}, {}, plan(2, 1), factors={})
    limits = Limits(budget_tokens=1)
    tally = ask(
        run,
        plan(2, 1),
        model,
        media=picture,
        policy=ONE,
        progress=progress(2, "quiet"),
        limits=limits,
        tells_trial=True,
    )
    assert (tally.missing, tally.limit) == (0, None)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"budget_tokens": 0}, "budget_tokens 0: 1 or more is allowed"),
        ({"budget_usd": 0.0, "price": CENTS}, "budget_usd 0.0: more than 0 is allowed"),
        ({"budget_usd": float("nan"), "price": CENTS}, "budget_usd nan"),
        ({"budget_usd": 1.0}, "needs the model's price"),
        ({"time_limit": -1.0}, "time_limit -1.0: more than 0 is allowed"),
    ],
)
def test_a_limit_out_of_range_names_what_is_allowed(wrong: dict[str, float], told: str):
    with pytest.raises(InputError, match=told):
        Limits(**wrong)


TOML = """["openai/gpt-x"]
input = 2.5
output = 10
cached_input = 1.25
cache_write = 3
[plain]
input = 0
output = 0.5
"""
CSV = "model,input,output,cached_input,cache_write\nopenai/gpt-x,2.5,10,1.25,3\nplain,0,0.5,,\n"


@pytest.mark.parametrize(("name", "content"), [("p.toml", TOML), ("p.csv", CSV), ("p.csv", "\ufeff" + CSV)])
def test_prices_are_read_from_toml_and_csv_alike(tmp_path: Path, name: str, content: str):
    (tmp_path / name).write_text(content, encoding="utf-8")
    prices = read_prices(tmp_path / name)
    assert prices.models == {
        "openai/gpt-x": Price(input=2.5, output=10.0, cached_input=1.25, cache_write=3.0),
        "plain": Price(input=0.0, output=0.5),
    }
    with pytest.raises(InputError, match=r"p\.(toml|csv) has no price: unknown model 'gpt-x'"):
        prices.of("gpt-x")


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("p.toml", "[m", "is not a table of prices"),
        ("p.toml", "m = 3", "'m' has no prices"),
        ("p.toml", "[m]\ninput = 1", "'output' is missing for 'm'"),
        ("p.toml", "[m]\ninput = 1\noutput = 1\ntax = 1", "'tax' is unknown for 'm'"),
        ("p.toml", "[m]\ninput = true\noutput = 1", "input of 'm' is not a price"),
        ("p.toml", "[m]\ninput = 1\noutput = 1\ncache_write = -1", "cache_write of 'm' is not a price"),
        ("p.toml", "[m]\ninput = -1\noutput = 1", "input of 'm' is not a price"),
        ("p.csv", "model,input,output\nm,1,nan", "output of 'm' is not a price"),
        ("p.csv", "model,input,output\nm,1,free", "output of 'm' is not a price"),
        ("p.csv", "model,input,output\n,1,2", "line 2 names no model"),
        ("p.csv", "model,input,output\nm,1,2\nm,1,2", "two prices for 'm'"),
        ("p.csv", "model,input,output\nm,1,2,3,4", "p.csv"),
        ("p.csv", "\x00\x01", "p.csv"),
        ("p.toml", None, "cannot be read"),
    ],
)
def test_a_table_of_prices_that_cannot_be_trusted_is_refused_in_one_line(
    tmp_path: Path, name: str, content: str | None, told: str
):
    if content is not None:
        (tmp_path / name).write_text(content)
    with pytest.raises(InputError, match=told) as caught:
        read_prices(tmp_path / name).of("m")
    assert "\n" not in str(caught.value)


money = st.floats(0, 1000)
number = st.integers(0, 10**9)


@given(money, money, number, number, st.integers(0, 50), st.integers(0, 50))
def test_cost_adds_up_over_any_split_and_equals_full_price_where_cached_tokens_have_none(
    input_price: float, output_price: float, tokens_in: int, tokens_out: int, share: int, write_share: int
):
    price = Price(input=input_price, output=output_price)
    cached, written = tokens_in * share // 100, tokens_in * write_share // 100
    whole = price.cost(tokens_in, tokens_out, cached, written)
    assert whole == pytest.approx((tokens_in * input_price + tokens_out * output_price) / 1e6)
    parts = price.cost(tokens_in, 0, cached, written) + price.cost(0, tokens_out)
    assert parts == pytest.approx(whole)
