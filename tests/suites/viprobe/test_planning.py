"""What a run would take and could find: held against the run itself, and against textbook formulas."""

import json
import math
from dataclasses import replace
from datetime import datetime, timedelta
from functools import lru_cache, partial

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy import optimize, stats

import veridical
from tests.ask.server import said, serve
from tests.calling import call
from tests.probe_suite import SUITE as PROBE
from veridical.records import Media, Text
from veridical.stats import resolution as resolving
from veridical.stats import sign_flip_p
from veridical.stats.power import MOST_SIMULATED, detectable, sign_flip_ps
from veridical.suite import registry
from veridical.suites.viprobe.analysis import resolution as measuring
from veridical.suites.viprobe.observers.question import pixel_reply
from veridical.verbs.plans import plan as planning
from veridical.verbs.plans.plan import plan

pytestmark = pytest.mark.usefixtures("no_figures", "no_verdicts", "cheap_simulations")

SMALL = {"cases": ["muller_lyer", "zollner"], "units": 3, "levels": 4, "size": 128}


@lru_cache
def _detectable(rows, base, correlation):
    return detectable(np.array(rows), base, correlation=correlation)


@pytest.fixture(scope="module")
def cheap_simulations():
    """Plans simulate 8 runs instead of 25 for each noise of an observer, and each design's effects once."""
    measuring._measured.cache_clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(resolving, "resolution", partial(resolving.resolution, runs=8))
        patch.setattr(
            planning,
            "detectable",
            lambda rows, base, *, correlation: _detectable(tuple(map(tuple, rows.tolist())), base, correlation),
        )
        yield
    measuring._measured.cache_clear()


@pytest.fixture
def cli(monkeypatch, capsys):
    return lambda *words: call(monkeypatch, capsys, *words)


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    return veridical.make("viprobe", out=tmp_path_factory.mktemp("planning") / "set", **SMALL)


def by_formula(rows, base, correlation=0.2):
    """The effect that a z test of the mean difference by unit finds with 80 % power, by the normal approximation."""
    rows = np.asarray(rows, float)
    z = stats.norm.ppf(0.975) + stats.norm.ppf(0.8)

    def spread(effect):
        pairs = zip((base, base - effect), rows.T, strict=True)
        variance = sum((p * (1 - p) * (1 + (m - 1) * correlation) / m).sum() for p, m in pairs)
        return math.sqrt(variance) / len(rows)

    return optimize.brentq(lambda effect: effect - z * spread(effect), 1e-6, base)


@pytest.mark.parametrize("base", [0.9, 0.8, 0.5])
@pytest.mark.parametrize(("units", "pictures"), [(54, (4, 4)), (120, (10, 10)), (120, (1, 1)), (80, (3, 12))])
def test_the_effect_agrees_with_the_normal_approximation(units, pictures, base):
    rows = np.tile(pictures, (units, 1))
    assert detectable(rows, base) == pytest.approx(by_formula(rows, base), rel=0.2)


@pytest.mark.parametrize("correlation", [0.0, 0.5])
def test_the_effect_agrees_at_other_correlations(correlation):
    rows = np.full((100, 2), 6)
    expected = by_formula(rows, 0.7, correlation)
    assert detectable(rows, 0.7, correlation=correlation) == pytest.approx(expected, rel=0.2)


@pytest.mark.parametrize("correlation", [0.2, 0.5])
@pytest.mark.parametrize(("units", "pictures", "base"), [(10, 10, 0.8), (40, 4, 0.9), (120, 1, 0.5)])
def test_the_stated_effect_is_found_as_often_as_promised(units, pictures, base, correlation):
    """400 fresh designs, each tested by itself."""
    effect = detectable(np.full((units, 2), pictures), base, power=0.8, correlation=correlation, draws=1600)
    rng, spread, found = np.random.default_rng(77), (1 - correlation) / correlation, 0
    for _ in range(400):
        easy, hard = (
            rng.binomial(pictures, rng.beta(rate * spread, (1 - rate) * spread, units)) / pictures
            for rate in (base, base - effect)
        )
        found += sign_flip_p(easy - hard, draws=999) <= 0.05
    assert found / 400 == pytest.approx(0.8, abs=0.06)


def test_outcomes_that_are_more_alike_leave_larger_effects(cli):
    words = ("plan", "viprobe", "--cases", "zollner", "--units", 30, "--levels", 4, "--json", "--correlation")
    loose, usual, strong = (json.loads(cli(*words, share)[1])["effects"] for share in (0, 0.2, 0.5))
    assert [effect["correlation"] for effect in loose] == [0] * 3 + [0.5] * 3
    assert [effect["correlation"] for effect in strong] == [0.5] * 3
    assert usual[3:] == strong
    for one, two, three in zip(loose, usual, strong, strict=False):
        assert one["points"] < two["points"] < three["points"]


@pytest.mark.parametrize("units", [50, 100, MOST_SIMULATED // 2])
def test_four_times_the_units_halve_the_effect(units):
    one, four = (detectable(np.full((n, 2), 5), 0.6) for n in (units, 4 * units))
    assert one / four == pytest.approx(2, rel=0.2)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(units=st.integers(20, 60), pictures=st.integers(1, 8), base=st.floats(0.3, 1.0), seed=st.integers(0, 9))
def test_an_effect_is_a_share_below_the_base_and_the_same_for_the_same_seed(units, pictures, base, seed):
    rows = np.full((units, 2), pictures)
    found = detectable(rows, base, draws=100, seed=seed)
    assert found is None or 0 < found <= base
    assert found == detectable(rows, base, draws=100, seed=seed)


def test_too_few_units_find_nothing_and_say_so():
    """With five units no pattern of signs has a two-sided p below 2 / 32."""
    assert detectable(np.full((5, 2), 100), 0.9) is None
    assert detectable(np.full((0, 2), 1), 0.9) is None


@pytest.mark.parametrize(
    ("rows", "base", "correlation"), [([[0, 1]], 0.9, 0.2), ([1, 2], 0.9, 0.2), ([[1, 1]], 0, 0.2), ([[1, 1]], 1, 1)]
)
def test_a_design_that_is_none_is_refused(rows, base, correlation):
    with pytest.raises(ValueError, match=r"needed|allowed"):
        detectable(rows, base, correlation=correlation)


def test_many_designs_at_once_have_the_p_of_each_alone():
    rng = np.random.default_rng(1)
    differences = rng.normal(0.2, 1, (30, 40))
    alone = [sign_flip_p(column) for column in differences.T]
    assert sign_flip_ps(differences, rng) == pytest.approx(alone, abs=0.08)


def test_the_test_keeps_its_level_where_there_is_no_difference():
    rng = np.random.default_rng(2)
    ps = sign_flip_ps(rng.normal(0, 1, (40, 4000)), rng)
    assert (ps <= 0.05).mean() == pytest.approx(0.05, abs=0.02)


def test_what_was_planned_is_what_a_run_then_asks(small, tmp_path):
    options = {"settings": {"instruction": ["none", "weigh"]}, "repeats": 2, "max_tokens": 50, "limit": 3}
    told = plan(small, image_tokens=100, **options)
    with serve(lambda request: said(pixel_reply(request.pictures[0], request.text))) as server:
        run = veridical.run(small, "m", base_url=server.url, out=tmp_path / "run", show="quiet", **options)
    assert told.requests == len(server.requests) == 2 * told.trials
    assert (told.trials, told.repeats) == (len(run.run.trials()), 2)
    assert told.units == run.outcomes()["unit"].n_unique() == 3
    assert told.pictures == run.outcomes()["stimulus"].n_unique()
    characters = [
        sum(len(m["content"]) for m in r.body["messages"] if m["role"] == "system") + len(r.text)
        for r in server.requests
    ]
    assert told.text_tokens == sum(math.ceil(number / 4) for number in characters)
    assert told.picture_tokens == 100 * sum(len(r.pictures) for r in server.requests)
    assert told.input_tokens == told.text_tokens + told.picture_tokens
    assert (told.reply_tokens, told.output_tokens) == (50, 50 * told.requests)


@pytest.mark.parametrize("limit", [None, 1, 2, 5])
def test_a_design_counts_as_the_set_that_it_makes(small, limit):
    given = {"settings": {"task": ["yes-no", "comparison"]}, "limit": limit, "image_tokens": 7}
    drawn, counted = plan(small, **given), plan(veridical.design("viprobe", **SMALL), **given)
    for name in ("units", "pictures", "clips", "trials", "requests", "picture_tokens", "output_tokens", "effects"):
        assert getattr(drawn, name) == getattr(counted, name)
    assert counted.text_tokens == pytest.approx(drawn.text_tokens, rel=0.02)


@pytest.mark.parametrize("limit", [None, 3])
def test_pictures_and_clips_are_counted_apart_each_once_and_text_alone_as_neither(limit, monkeypatch, tmp_path):
    monkeypatch.setattr(registry, "_REGISTERED", dict(registry._REGISTERED))
    registry.register(PROBE)
    made = veridical.make("probe", out=tmp_path / "set", units=2)
    settings = {"tone": ["plain", "polite"]}
    run = veridical.run(
        made, "veridical/eye", out=tmp_path / "run", settings=settings, limit=limit, show="quiet", analyze=False
    )
    shown = [part for t in run.run.trials() for m in t.messages for part in m.parts if isinstance(part, Media)]
    counts = {kind: len({part.file for part in shown if part.kind == kind}) for kind in ("image", "video")}
    for source in (made, veridical.design("probe", units=2)):
        told = plan(source, settings=settings, limit=limit, image_tokens=10)
        assert (told.pictures, told.clips) == (counts["image"], counts["video"])
        assert told.trials == len(run.outcomes())
        assert told.picture_tokens == 10 * sum(part.kind == "image" for part in shown)
        text = " ".join(told.lines())
        assert (f", {told.clips:,} clips, " in text) == ("; clips count 0" in text) == (told.clips > 0)
        assert told.pictures + told.clips > 0


def test_a_suite_without_a_contrast_of_its_own_is_planned_for_two_runs_on_the_same_trials(small, monkeypatch):
    viprobe = registry.get("viprobe")
    monkeypatch.setitem(viprobe.__dict__, "asking", replace(viprobe.asking, contrast=None))
    effects = plan(small).effects
    assert {effect.difference for effect in effects} == {
        "two runs on the same trials", "two runs on the same trials, in one case",
    }  # fmt: skip
    assert [effect.units for effect in effects] == [6] * 6 + [3] * 6


def test_texts_count_per_request_rounded_up():
    from veridical.records import Message, Trial
    from veridical.verbs.plans.forecast import text_tokens

    blank = dict.fromkeys(("id", "suite", "stage", "stimulus", "unit", "family", "category", "variant"), "x")
    for length, tokens in ((0, 0), (1, 1), (4, 1), (5, 2), (8, 2)):
        parts = (Media("m.png", "0"), Text("a" * (length // 2)), Text("b" * (length - length // 2)))
        trial = Trial(**blank, messages=(Message("user", parts),), gold=None, reader="r", prompt="p")
        assert text_tokens(trial) == tokens


def test_time_is_requests_at_a_stated_rate_or_at_that_of_an_earlier_run_of_the_model(small, tmp_path, cli):
    assert plan(small).seconds is None
    told = plan(small, rate=2.5, repeats=3)
    assert told.seconds == pytest.approx(told.requests / 2.5)
    code, out, _ = cli("plan", "viprobe", "--set", small.folder)
    assert (code, "time: unknown without --rate N" in out) == (0, True)
    with serve(lambda request: said(pixel_reply(request.pictures[0], request.text))) as server:
        run = veridical.run(small, "m", base_url=server.url, out=tmp_path / "run", show="quiet", analyze=False, limit=2)
    ends = sorted(datetime.fromisoformat(each.ended) for each in run.run.attempts())
    rate = (len(ends) - 1) / (ends[-1] - ends[0]).total_seconds()
    again = plan(small, "m", rate_of=tmp_path / "run")
    assert again.rate == pytest.approx(rate)
    assert again.seconds == pytest.approx(again.requests / rate)
    _, out, _ = cli("plan", "viprobe", "--set", small.folder, "--model", "m", "--rate-of", tmp_path / "run")
    assert f"questions per second (as in {tmp_path / 'run'})" in " ".join(out.split())


def test_a_pause_between_two_starts_is_no_part_of_a_rate(small, tmp_path):
    with serve(lambda _: said("Yes")) as server:
        options = {"base_url": server.url, "out": tmp_path / "run", "show": "quiet", "analyze": False}
        veridical.run(small, "m", **options, limit=2)
    run = veridical.open_run(tmp_path / "run").run
    start, moved = datetime.fromisoformat(run.started), []
    for place, line in enumerate(run.folder.joinpath("responses.jsonl").read_text().splitlines()):
        late = start + timedelta(seconds=1 + place / 2, hours=5 * (place >= 20))
        moved.append(json.dumps({**json.loads(line), "ended": late.isoformat(timespec="milliseconds")}))
    run.folder.joinpath("responses.jsonl").write_text("\n".join(moved) + "\n")
    again = {**run.executions[-1], "started": (start + timedelta(hours=4)).isoformat(timespec="milliseconds")}
    resumed = replace(run, executions=(*run.executions, again))
    assert resumed.rate() == pytest.approx(2)
    assert run.rate() < 0.1


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"rate": 0.0}, "rate 0: more than 0 questions per second"),
        ({"rate": math.inf}, "rate inf: more than 0 questions per second"),
        ({"rate": 1.0, "rate_of": "RUN"}, "rate and rate_of exclude each other"),
        ({"rate_of": "RUN", "model": "openai/other"}, "asked veridical/pixel, not openai/other"),
    ],
)
def test_a_rate_that_cannot_be_is_refused(given, told, small, tmp_path):
    run = veridical.run(small, "veridical/pixel", out=tmp_path / "run", show="quiet", analyze=False, limit=1)
    with pytest.raises(veridical.InputError, match=told):
        plan(small, **{name: run if value == "RUN" else value for name, value in given.items()})


def test_the_command_line_tells_the_rule_and_what_is_unknown(small, tmp_path, cli):
    prices = tmp_path / "prices.toml"
    prices.write_text("[m]\ninput = 2\noutput = 10\n")
    code, out, _ = cli("plan", "viprobe", "--set", small.folder)
    text = " ".join(out.split())
    assert code == 0
    pictures = len(small.stimuli)
    assert f"6 units, {pictures} pictures, {2 * pictures} trials" in text
    assert "characters / 4, rounded up for each request" in text
    assert "; pictures count 0 without --image-tokens N" in text
    assert "usual in this suite; --output-tokens N sets it" in text
    assert "minimum detectable effect (80 % power" in text
    assert "in one case: even a drop from 90 % to 0 % would be missed with 3 units" in text
    assert "assumed: one outcome per picture" in text
    assert "6 units, correlation 0.2: " in text
    assert "6 units, correlation 0.5: " in text
    known = ("--image-tokens", 100, "--output-tokens", 30, "--model", "m", "--prices", prices, "--repeats", 2)
    told = json.loads(cli("plan", "viprobe", "--set", small.folder, *known, "--json")[1])
    requests = 2 * 2 * pictures
    assert (told["requests"], told["output_tokens"], told["picture_tokens"]) == (
        requests,
        30 * requests,
        100 * requests,
    )
    assert told["usd"] == pytest.approx((told["input_tokens"] * 2 + told["output_tokens"] * 10) / 1e6)
    assert [(effect["correlation"], effect["base"]) for effect in told["effects"]] == [
        (alike, base) for _ in range(2) for alike in (0.2, 0.5) for base in (0.9, 0.8, 0.5)
    ]


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ((), "cost: unknown without --model and --prices"),
        (("--model", "m"), "cost: unknown without --prices"),
        (("--prices", "PRICES"), "cost: unknown without --model"),
        (("--model", "m", "--prices", "PRICES"), "US dollars and more, since pictures count 0"),
        (("--model", "m", "--prices", "PRICES", "--image-tokens", 9), "US dollars"),
        (("--model", "veridical/pixel"), "cost: 0 US dollars"),
        (("--image-tokens", 9), "cost: unknown without --model and --prices"),
    ],
)
def test_a_plan_names_only_what_is_missing(words, line, small, tmp_path, cli):
    prices = tmp_path / "prices.toml"
    prices.write_text("[m]\ninput = 2\noutput = 10\n")
    code, out, _ = cli("plan", "viprobe", "--set", small.folder, *(prices if w == "PRICES" else w for w in words))
    (cost,) = [each for each in out.splitlines() if each.startswith("cost: ")]
    assert code == 0
    assert cost.endswith(line)
    assert ("--image-tokens" in out) == ("--image-tokens" not in words)


@pytest.mark.parametrize("units", [1, 2, 6, 9, 40])
def test_a_line_says_that_even_the_largest_drop_would_be_missed_where_no_effect_is_found(units):
    """The line stands exactly where the largest difference that there is, from 90 % to 0 %, has no power."""
    design = veridical.design("viprobe", recipe="quick", cases=["zollner"], units=units)
    forecast = plan(design)
    lines = [line for line in forecast.lines() if line.startswith("  P − PC")]
    each = {
        correlation: [effect.points for effect in forecast.effects if effect.correlation == correlation]
        for correlation in (0.2, 0.5)
    }
    many = "1 unit" if units == 1 else f"{units} units"
    if not any(points for found in each.values() for points in found):
        assert lines == [f"  P − PC: even a drop from 90 % to 0 % would be missed with {many}"]
        return
    for line, (correlation, points) in zip(lines, each.items(), strict=True):
        assert line.startswith(f"  P − PC, {many}, correlation {correlation:g}: ")
        assert line.count("points below") == sum(value is not None for value in points)
        assert line.count("would be missed") == sum(value is None for value in points)


def test_effects_make_a_frame_and_a_forecast_a_line():
    forecast = plan(veridical.design("viprobe", cases=["zollner"], units=40, size=128))
    table = forecast.frame()
    assert len(table) == len(forecast.effects) == 6
    assert table["points"].to_list() == [effect.points for effect in forecast.effects]
    assert plan(veridical.design("viprobe", cases=["zollner"], units=1)).frame().schema == table.schema
    assert repr(forecast) == f"<Forecast of viprobe: 40 units, {forecast.requests:,} requests>"


def test_a_plan_needs_no_set_and_leaves_nothing_behind(tmp_path, monkeypatch, cli):
    monkeypatch.chdir(tmp_path)
    words = ("plan", "viprobe", "--cases", "zollner", "--units", 40, "--levels", 2, "--size", 128)
    told = json.loads(cli(*words, "--json", "--temperature", 0, "--base-url", "http://127.0.0.1:9/v1")[1])
    assert (told["units"], told["pictures"], told["trials"]) == (40, 240, 480)
    assert all(0 < effect["points"] < 60 for effect in told["effects"])
    assert list(tmp_path.iterdir()) == []


def measured(cli, *words):
    return json.loads(cli("plan", "viprobe", *words, "--json")[1])["resolution"]


def test_a_plan_tells_what_shift_and_jnd_the_strengths_can_measure(cli):
    default = ("--recipe", "balanced", "--cases", "ponzo,hering", "--units", 10)
    head, *lines, assumed = measured(cli, *default)
    assert head == "smallest illusion and JND that can be measured in a case:"
    assert [line.split(": ")[0].strip() for line in lines] == [
        "yes-no, hering, 10 units at |α| 0, 0.1, 0.2, 0.3, 0.4, 0.6, 1",
        "yes-no, ponzo, 10 units at |α| 0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.6, 1",
    ]
    assert all(0.05 < float(line.split("shifts from ")[1].split()[0]) < 0.25 for line in lines)
    assert "0.15 α" in assumed
    _, coarse, _ = measured(cli, *default[:3], "ponzo", "--units", 10, "--alphas=-1,1")
    assert "no JND" in coarse or float(coarse.split("JNDs of ")[1].split()[0]) > 0.1


def test_an_illusions_size_needs_controls_as_well_and_so_a_larger_shift(cli):
    words = ("--recipe", "balanced", "--cases", "ponzo", "--units", 10, "-S", "task=yes-no,comparison")
    found = {line.split(",")[0].strip(): line for line in measured(cli, *words)[1:-1]}
    assert set(found) == {"yes-no", "comparison"}
    assert all("JNDs of 0." in line for line in found.values())


STRENGTHS = "at least 3 signed strengths, 0 among them,"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--units", 1), ["1 unit at |α| 0, 0.5, 1: neither; at least 2 units are needed"]),
        (("--units", 1, "--alphas=1"), [f"1 unit at |α| 0, 1: neither; {STRENGTHS} and at least 2 units are needed"]),
        (("--units", 9, "--alphas=1"), [f"9 units at |α| 0, 1: neither; {STRENGTHS} are needed"]),
        (("--units", 5, "--variants", "O,OC"), []),
        (("--units", 5, "--variants", "PC,OC"), []),
    ],
)
def test_where_nothing_can_be_measured_the_plan_says_so(words, said, cli):
    lines = measured(cli, "--cases", "ponzo", *words)
    assert [line.strip().removeprefix("yes-no, ponzo, ") for line in lines[1:]] == said


def test_the_plan_of_a_set_is_that_of_its_design(tmp_path, cli):
    words = ("--cases", "ponzo,zollner", "--recipe", "quick", "--units", 4, "--size", 256)
    assert cli("make", "viprobe", *words, "--out", tmp_path / "set")[0] == 0
    assert measured(cli, "--set", tmp_path / "set") == measured(cli, *words)


BAD = {
    "unknown suite": (("viprob",), "unknown suite 'viprob': did you mean 'viprobe'?"),
    "unknown recipe": (("viprobe", "--recipe", "papr"), "unknown recipe 'papr': did you mean 'paper'?"),
    "unknown case": (("viprobe", "--cases", "zolner"), "did you mean 'zollner'?"),
    "set and design": (("viprobe", "--set", "SET", "--units", 3), "--set and --units exclude each other"),
    "no set": (("viprobe", "--set", "NOWHERE"), "holds no stimulus set"),
    "fixed": (("viprobe", "--recipe", "paper", "--units", 3), "the recipe 'paper' sets units itself"),
    "pictures": (("viprobe", "--set", "SET", "--image-tokens", -1), "image_tokens -1: 0 or more are allowed"),
    "replies": (("viprobe", "--set", "SET", "--output-tokens", -1), "output_tokens -1"),
    "limit": (("viprobe", "--cases", "zollner", "--limit", 0), "limit 0: 1 or more is allowed"),
    "whose prices": (("viprobe", "--set", "SET", "--prices", "NOWHERE"), "nowhere cannot be read: No such file"),
    "no prices": (("viprobe", "--set", "SET", "--prices", "NONE"), "none.toml is not a table of prices"),
    "setting": (("viprobe", "--set", "SET", "-S", "polarty=forward"), "did you mean 'polarity'?"),
    "nothing to ask": (("viprobe", "--cases", "mach_band", "-S", "task=comparison"), "nothing to ask about"),
    "repeats": (("viprobe", "--set", "SET", "--repeats", 0), "repeats 0"),
    "correlation": (("viprobe", "--set", "SET", "--correlation", 1), "correlation 1: 0 to below 1 is allowed"),
}


@pytest.mark.parametrize("what", BAD)
def test_a_plan_that_cannot_be_made_ends_in_one_line(what, small, tmp_path, cli):
    words, told = BAD[what]
    (tmp_path / "none.toml").write_text("= 1")
    places = {"SET": small.folder, "NOWHERE": tmp_path / "nowhere", "NONE": tmp_path / "none.toml"}
    code, out, err = cli("plan", *(places.get(word, word) for word in words))
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert err.startswith("veridical: ")
    assert told in err
