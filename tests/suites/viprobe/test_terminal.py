"""Tables on a terminal show every figure whole, however wide it is."""

import json

import pytest

import veridical


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
    heads = " ".join(line for line in out.splitlines() if line.lstrip().startswith("slice"))
    for metric in {e.metric for e in shown if e.value is not None}:
        assert analysis.measures[metric].title.split()[0] in heads
    assert heads.count("slice") == heads.count("units")
    assert (heads.count("slice") == 1) == (columns == 300 or columns == 120)


def veridical_value(estimate):
    from veridical.base.format import format_value

    return format_value(estimate.value, estimate.unit)


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
