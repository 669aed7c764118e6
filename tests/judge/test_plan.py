"""A plan counts the marking of replies, and its cost apart from that of the model under test."""

import pytest

import veridical

ASKED, MARKED = 6, "every reply is answered"


@pytest.fixture
def models(tmp_path):
    place = tmp_path / "models.toml"
    place.write_text(
        '[dear]\nmodel = "d"\nbase_url = "http://127.0.0.1:1/v1"\nmax_tokens = 100\n'
        "price = {input = 1.0, output = 2.0}\n"
        '[unpriced]\nmodel = "u"\nbase_url = "http://127.0.0.1:1/v1"\n'
    )
    return place


@pytest.fixture
def prices(tmp_path):
    place = tmp_path / "prices.toml"
    place.write_text('["openai/x"]\ninput = 3.0\noutput = 3.0\n')
    return place


def marking(boxes, *words, **options):
    (later,) = veridical.plan(boxes, *words, **options).later
    return later


def test_each_reply_is_marked_once_by_each_rubric_and_priced_as_the_judge_is(boxes, models):
    one = marking(boxes, judge="dear", models=models)
    assert (one.stage, one.role, one.model, one.requests, one.most_tries) == ("grade", "judge", "d", ASKED, 3)
    assert one.output_tokens == 100 * ASKED
    assert one.usd == pytest.approx((one.input_tokens + 2 * one.output_tokens) / 1e6)
    two = marking(boxes, judge="dear", models=models, settings={"rubric": ["short-answer", "graded"]}, repeats=3)
    assert two.requests == 2 * 3 * ASKED
    assert two.input_tokens > 3 * one.input_tokens


def test_the_costs_stand_apart_and_together_where_both_are_known(boxes, models, prices, command):
    words = ("plan", "quiz", "--set", boxes.folder, "--model", "openai/x", "--prices", prices, "--models", models)
    code, out, _ = command(*words, "--judge", "dear")
    assert code == 0
    forecast = veridical.plan(boxes, "openai/x", judge="dear", models=models, prices=prices)
    out = " ".join(out.split())
    assert f"cost: {forecast.usd:,.4g} US dollars stage grade (judge, d): at most 6 requests, " in out
    assert f"{MARKED}, with question and answer of about 300 tokens; while a reply cannot be read, up to 3 times" in out
    assert f"cost in all, at most: {forecast.usd + forecast.later[0].usd:,.4g} US dollars" in out
    code, out, _ = command(*words[:6], "--models", models, "--judge", "unpriced")
    assert code == 0
    assert "cost unknown without a price" in " ".join(out.split())
    assert "cost in all" not in out


def test_a_table_of_prices_holds_for_the_judge_also_where_no_model_is_named(boxes, prices):
    assert marking(boxes, judge="openai/x", prices=prices).usd > 0


def test_the_rule_judge_costs_nothing_and_is_asked_once(boxes):
    rule = marking(boxes, judge="rule")
    assert (rule.model, rule.requests, rule.usd, rule.most_tries) == ("veridical/rule", ASKED, 0, 1)


def test_without_a_judge_marking_is_counted_and_has_no_price(boxes):
    nobody = marking(boxes)
    assert (nobody.model, nobody.requests, nobody.usd) == (None, ASKED, None)
