"""Tables on a terminal show every figure whole, however wide it is."""

import json
import shutil

import polars as pl
import pytest

import veridical

pytestmark = pytest.mark.usefixtures("no_figures", "no_verdicts")


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    place = tmp_path_factory.mktemp("runs")
    made = veridical.make("viprobe", out=place / "set", cases=["zollner", "muller_lyer"], units=2, levels=2, size=128)
    for name in ("pixel", "prior"):
        veridical.run(made, f"veridical/{name}", out=place / name, show="quiet", analyze=False)
    return place


@pytest.mark.parametrize("columns", [80, 120, 300])
def test_no_figure_is_clipped(cli, runs, columns):
    code, out, _ = cli("metrics", runs / "prior", columns=columns)
    assert code == 0
    assert max(map(len, out.splitlines())) <= columns
    assert "…" not in out
    run = veridical.open_run(runs / "prior")
    analysis = run.suite.analysis
    wanted = [set(), *({name} for name in analysis.slices)]
    shown = [e for e in run.estimates() if e.metric in analysis.headline and set(e.slice) in wanted]
    for each in shown:
        if each.value is not None:
            assert veridical_value(each) in out
    lines = out.splitlines()
    # A title of two words may stand on two lines, the last of which names the slice.
    places = [place for place, line in enumerate(lines) if line.lstrip().startswith("slice")]
    heads = " ".join(line for place in places for line in lines[place - 1 : place + 1])
    for metric in {e.metric for e in shown if e.value is not None}:
        assert analysis.measures[metric].title.split()[0] in heads
    assert heads.count("slice") == heads.count("units")
    assert (heads.count("slice") == 1) == (columns == 300 or columns == 120)


def veridical_value(estimate):
    from veridical.base.format import format_value

    return format_value(estimate.value, estimate.unit)


@pytest.fixture(scope="module")
def talkative(runs):
    """A run in which every third reply says its answer in words, without a tag."""
    place = shutil.copytree(runs / "pixel", runs / "talkative")
    lines = [json.loads(line) for line in sorted((place / "responses.jsonl").read_text().splitlines())]
    for line in lines[::3]:
        line["text"] = "Yes, that is so." if "<answer>1" in line["text"] else "No, it is not."
    (place / "responses.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return veridical.open_run(place)


def test_what_another_reader_reads_otherwise_is_one_line_and_one_table(cli, runs, talkative):
    _, out, _ = cli("metrics", talkative.folder, columns=300)
    default, strict = (
        talkative.outcomes(name).filter(pl.col("status") == "answered").height for name in (None, "strict")
    )
    assert strict < default
    before, line, after = out.partition(
        f"replies read: {default:,} of {talkative.counts.asked:,} by lenient, {strict:,} by strict\n"
    )
    assert line
    assert "strict" not in before
    assert after.count("by strict") == 1
    # All else is as of the suite's reader alone.
    _, alone, _ = cli("metrics", talkative.folder, "--reader", "lenient", columns=300)
    assert alone.startswith(before)
    (reading,) = talkative.otherwise
    assert reading.estimates == talkative.estimates("strict")
    assert any(reading.beside(each) for each in talkative.estimates() if each.slice)
    titles = talkative.suite.analysis.measures
    own = {e.metric: e for e in talkative.estimates() if not e.slice}
    other = {e.metric: e for e in reading.estimates if not e.slice}
    rows = {text.strip().split("  ")[0]: text for text in after.splitlines()}
    for metric in talkative.suite.analysis.headline:
        shown = [(each[metric].value, each[metric].low, each[metric].high) for each in (own, other) if metric in each]
        differ = len(set(shown)) > 1
        assert (titles[metric].title in rows) == differ
        for each in (own[metric], other[metric]) if differ else ():
            assert ("–" if each.value is None else veridical_value(each)) in rows[titles[metric].title]


def test_a_model_without_tags_doubles_nothing(cli, runs, tmp_path):
    place = shutil.copytree(runs / "pixel", tmp_path / "untagged")
    lines = [json.loads(line) for line in (place / "responses.jsonl").read_text().splitlines()]
    for line in lines:
        line["text"] = "Yes, that is so." if "<answer>1" in line["text"] else "No, it is not."
    (place / "responses.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    tables = [cli("metrics", folder, columns=300)[1].count("slice") for folder in (runs / "pixel", place)]
    assert tables[0] == tables[1] == 1
    assert "by lenient, 0 by strict" in cli("metrics", place, columns=300)[1]


def test_a_run_that_every_reader_reads_alike_shows_one_figure(cli, runs):
    _, out, _ = cli("metrics", runs / "pixel", columns=300)
    assert "strict" not in out
    assert veridical.open_run(runs / "pixel").otherwise == []


def test_a_run_is_rescored_with_another_reader_and_back(cli, talkative):
    stored = talkative.folder / "outcomes.parquet"
    assert cli("rescore", talkative.folder)[0] == 0
    before = pl.read_parquet(stored)
    code, out, _ = cli("rescore", talkative.folder, "--reader", "strict", "--json")
    found = json.loads(out)
    assert (code, found["now"]) == (0, ["strict 4"])
    lost = talkative.otherwise[0].counts
    assert found["statuses"] == talkative.counts.answered - lost.answered
    assert found["moves"] == [{"before": "answered", "now": "unparsed", "replies": found["statuses"]}]
    assert set(pl.read_parquet(stored)["reader"]) == {"strict"}
    assert cli("rescore", talkative.folder)[0] == 0
    assert pl.read_parquet(stored).equals(before)
    code, _, err = cli("rescore", talkative.folder, "--reader", "nobody")
    assert (code, err.count("\n")) == (2, 1)
    assert "unknown reader 'nobody'" in err


def test_a_comparison_says_which_run_is_subtracted(cli, runs):
    code, out, _ = cli("compare", runs / "prior", runs / "pixel")
    assert code == 0
    assert out.splitlines()[0].strip() == "veridical/pixel − veridical/prior"
    assert max(map(len, out.splitlines())) <= 80
    assert "…" not in out


def test_the_reader_of_metrics_can_be_chosen(cli, runs):
    run = veridical.open_run(runs / "prior")
    (usual,) = set(run.outcomes()["reader"].unique())
    _, plain, _ = cli("metrics", runs / "prior", "--json")
    _, named, _ = cli("metrics", runs / "prior", "--reader", usual, "--json")
    assert json.loads(named) == json.loads(plain)
    code, out, err = cli("metrics", runs / "prior", "--reader", "nobody")
    assert (code, out) == (2, "")
    assert "unknown reader 'nobody'" in err


def test_units_of_estimates_are_names_in_json(cli, runs):
    _, out, _ = cli("metrics", runs / "prior", "--json")
    assert {each["unit"] for each in json.loads(out) if each["metric"] == "PFA"} == {"proportion"}
