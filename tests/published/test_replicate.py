"""Checks: what is right agrees however it was rounded, what is wrong by more than rounding does not."""

import re
from dataclasses import replace
from decimal import ROUND_HALF_DOWN, ROUND_HALF_UP, Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.errors import InputError
from veridical.published import PAPERS, TITLES, as_json, as_lines, markdown, replicate
from veridical.published.ranges import exact, mean, printed
from veridical.published.replicate import Check
from veridical.published.show import ordered
from veridical.published.viprobe.figures import pooled

PAGE = Path(__file__).parents[2] / "docs" / "published.md"
CHECK = Check(paper="viprobe", place="here", claim="c", computation="d", consequence=2, cause="e", instead="f")
VERDICTS = ("disagrees", "impossible")
CENTS = st.integers(0, 10_000)
MODES = st.sampled_from([ROUND_HALF_UP, ROUND_HALF_DOWN])


@pytest.fixture(scope="module")
def findings():
    return replicate()


def shown(value, mode=ROUND_HALF_UP):
    """A fraction of cents, printed with two decimals."""
    return str((Decimal(value.numerator) / Decimal(value.denominator)).quantize(Decimal("0.01"), mode))


@given(st.lists(st.fractions(0, 100, max_denominator=997), min_size=1, max_size=8), MODES)
def test_a_mean_of_rounded_parts_agrees_with_the_rounded_mean(values, mode):
    parts = [printed(shown(value, mode)) for value in values]
    assert CHECK.number("x", shown(sum(values) / len(values), mode), mean(parts)).verdict == "agrees"


@given(st.lists(CENTS, min_size=1, max_size=8), st.sampled_from([-1, 1]))
def test_a_mean_that_is_off_by_more_than_rounding_disagrees(cents, sign):
    parts = [printed(shown(Fraction(cent, 100))) for cent in cents]
    off = Fraction(sum(cents), 100 * len(cents)) + sign * Fraction(2, 100)
    assert CHECK.number("x", shown(off), mean(parts)).verdict == "disagrees"


@given(CENTS, CENTS, st.integers(0, 1))
def test_a_number_is_a_copy_of_itself_and_of_what_rounds_to_it_alone(first, second, digits):
    one, other = (str(Decimal(cents).scaleb(-2)) for cents in (first, second))
    assert CHECK.copy("x", one, other).verdict == ("agrees" if first == second else "disagrees")
    short = str(Decimal(one).quantize(Decimal(1).scaleb(-digits)))
    assert CHECK.copy("x", short, one).verdict == CHECK.copy("x", one, short).verdict == "agrees"


@given(st.integers(0, 40), st.integers(0, 40))
def test_a_stated_count_agrees_with_itself_alone(stated, true):
    facts = [True] * true + [False] * (40 - true)
    assert CHECK.tally("x", str(stated), facts).verdict == ("agrees" if stated == true else "disagrees")


@given(st.integers(0, 10), st.integers(0, 10), st.integers(0, 30))
def test_what_rounding_leaves_open_is_settled_in_favour_of_the_paper(true, undecided, stated):
    facts = [True] * true + [None] * undecided + [False] * 10
    assert (CHECK.tally("x", str(stated), facts).verdict == "agrees") == (true <= stated <= true + undecided)


@given(st.integers(1, 500), st.data())
def test_a_rate_of_a_whole_count_is_never_called_impossible(n, data):
    k = data.draw(st.integers(0, n))
    assert CHECK.whole("x", shown(Fraction(100 * k, n)), n).verdict == "agrees"


@given(CENTS, st.integers(1, 300))
def test_a_rate_is_called_impossible_where_a_search_finds_no_count(cents, n):
    text = shown(Fraction(cents, 100))
    found = any(abs(Fraction(100 * k, n) - Fraction(cents, 100)) <= Fraction(1, 200) for k in range(n + 1))
    assert CHECK.whole("x", text, n).verdict == ("agrees" if found else "impossible")


def test_one_weighting_that_fits_suffices_and_is_named():
    finding = CHECK.average("x", "2.0", {"plain": exact(3), "by items": exact(2)})
    assert finding.verdict == "agrees"
    assert finding.recomputed.endswith("→ by items")
    assert CHECK.average("x", "2.5", {"plain": exact(3), "by items": exact(2)}).verdict == "disagrees"


@given(st.lists(st.tuples(st.integers(0, 100), st.integers(0, 100), st.integers(1, 9)), min_size=1, max_size=6))
def test_the_pooled_mean_lies_where_the_plain_mean_and_the_least_values_allow(rows):
    values, slack, weights = zip(*rows, strict=True)
    least = [exact(Fraction(value * (100 - less), 100)) for value, less in zip(values, slack, strict=True)]
    plain = exact(Fraction(sum(values), len(values)))
    reach = pooled(least, plain, weights)
    true = Fraction(sum(v * w for v, w in zip(values, weights, strict=True)), sum(weights))
    assert reach is not None
    assert reach.low <= true <= reach.high


def test_the_pooled_mean_reaches_both_ends_of_a_search():
    grid, least, weights = range(0, 101, 5), (20, 0, 40), (1, 10, 1)
    sums = [
        Fraction(sum(v * w for v, w in zip((a, b, 150 - a - b), weights, strict=True)), sum(weights))
        for a in grid
        for b in grid
        if a >= least[0] and b >= least[1] and least[2] <= 150 - a - b <= 100
    ]
    reach = pooled([exact(value) for value in least], exact(50), weights)
    assert (reach.low, reach.high) == (min(sums), max(sums))
    assert pooled([exact(80), exact(80)], exact(50), [1, 1]) is None


@pytest.mark.parametrize("paper", list(PAPERS))
def test_every_check_of_a_paper_runs_and_names_what_it_compares(paper):
    found = PAPERS[paper]()
    assert found
    assert len({(finding.check, finding.subject) for finding in found}) == len(found)
    for finding in found:
        assert finding.check.paper == paper
        assert all(
            [finding.subject, finding.printed, finding.recomputed, finding.check.claim, finding.check.computation]
        )
        if finding.verdict != "agrees":
            assert finding.check.cause


@pytest.mark.parametrize("paper", list(PAPERS))
def test_the_same_numbers_give_the_same_findings(paper):
    assert PAPERS[paper]() == PAPERS[paper]()


def test_what_does_not_agree_comes_first_and_the_most_consequential_of_it(findings):
    keys = [(finding.verdict == "agrees", finding.check.consequence) for finding in findings]
    assert keys == sorted(keys)
    assert sorted(map(id, ordered(findings))) == sorted(map(id, findings))


def test_the_page_in_the_documentation_is_the_one_that_is_recomputed(findings):
    assert PAGE.read_text() == markdown(findings), "docs/published.md is out of date"


def test_the_page_has_every_claim_and_the_lines_every_number_that_does_not_agree(findings):
    failed = [finding for finding in findings if finding.verdict != "agrees"]
    text = "".join(as_lines(findings, 10_000))
    assert all(text.count(f"({verdict})") == sum(f.verdict == verdict for f in failed) for verdict in VERDICTS)
    page = markdown(findings)
    assert page.count("\n### ") == len({finding.check for finding in failed})
    assert page.count("<details>") == page.count("</details>")
    assert all(f"| {title} |" in page for paper, title in TITLES.items() if paper in PAPERS)


def test_text_in_the_page_stays_text():
    check = replace(CHECK, claim="a | b <script> `x` [y](z)\n# h")
    page = markdown([check.number("s|t\n| u", "1", exact(5))])
    assert "<script>" not in page
    assert "\n# h" not in page
    assert "s\\|t \\| u" in page


@pytest.mark.parametrize("brief", [True, False])
@pytest.mark.parametrize("width", [1, 40, 79, 200])
def test_no_line_is_wider_than_the_terminal(findings, width, brief):
    assert max(map(len, as_lines(findings, width, brief=brief))) <= max(width, 40)


def test_the_brief_lines_hold_the_main_results_alone_and_count_the_other_claims(findings):
    text = "\n".join(as_lines(findings, 10_000, brief=True))
    failed = {finding.check for finding in findings if finding.verdict != "agrees"}
    main = {check for check in failed if check.consequence == 1}
    assert {paper.paper for paper in main} == set(PAPERS)
    assert all((check.claim.replace(" %", "\N{NO-BREAK SPACE}%") in text) == (check in main) for check in failed)
    assert sum(map(int, re.findall(r"and (\d+) lesser claims", text))) == len(failed - main)


def test_json_has_every_finding_with_its_computation(findings):
    rows = as_json(findings)
    assert [(row["paper"], row["subject"], row["verdict"]) for row in rows] == [
        (finding.check.paper, finding.subject, finding.verdict) for finding in findings
    ]
    assert all(row["computation"] and row["place"] for row in rows)


def test_a_paper_goes_by_its_title_too():
    assert replicate(["HOCA-Bench"]) == replicate(["hocabench"])


def test_a_paper_that_has_no_checks_is_told_the_names():
    with pytest.raises(InputError, match="did you mean 'viprobe'"):
        replicate(["viprob"])
