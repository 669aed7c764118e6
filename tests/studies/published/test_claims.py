"""The tables of claims: what they hold, and that every claim can fail, with its words."""

import re
from fractions import Fraction

import pytest

from studies.published import TITLES, claims, printed, replicate
from studies.published.check import checked
from studies.published.claims import LONGEST_QUOTE, lessons, source
from studies.published.claims import papers as references
from studies.published.expressions import Scope, compute
from studies.published.functions import FUNCTIONS
from tests.studies.published.altered import altered, result
from veridical.errors import InputError

CLAIMS = {claim.id: claim for paper in TITLES for claim in source(paper).claims}
WORDS = "two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fifteen|twenty|hundred|thousand"
LABELS = re.compile(
    r"\{[^{}]*\}|(Tables?|Sections?|Figures?|Tasks?|Appendix|equation) [\dIV.]+( (to|and) [\dIV]+)*|95 %|"
    r"\b[A-Za-z]+[-\d.]*\d[\w.-]*|[\d.]+[- ]?[BK]\b|-?Qwen[\w.-]+|F1|"
    r"InternVL 2.5-MPO|Llama 3.2"
)


def test_every_claim_has_one_id_that_names_its_paper():
    every = [claim.id for paper in TITLES for claim in source(paper).claims]
    assert len(every) == len(set(every))
    for claim in CLAIMS.values():
        assert re.fullmatch(rf"{claim.paper}(-[a-z0-9]+)+", claim.id)


@pytest.mark.parametrize("claim", CLAIMS.values(), ids=CLAIMS)
def test_a_claim_quotes_its_paper_in_few_words_and_says_where_and_what_to_take_from_it(claim):
    assert 0 < len(claim.quote.split()) <= LONGEST_QUOTE
    assert all([claim.place, claim.compares, claim.cause])
    assert claim.lesson in lessons()
    if claim.certainty == "judgment of ours":
        assert claim.doubt or "ours" in claim.compares


@pytest.mark.parametrize("claim", CLAIMS.values(), ids=CLAIMS)
def test_no_number_of_an_explanation_is_typed_in(claim):
    for template in (claim.cause, claim.doubt, claim.compares):
        typed = LABELS.sub("", template)
        assert not re.search(rf"\d|\b({WORDS})\b", typed), template


def test_an_entry_with_a_wrong_key_a_wrong_operator_or_a_long_quote_is_one_line():
    entry = {
        "id": "magic-x", "place": "p", "quote": "q", "compares": "c", "consequence": 1, "certainty": "certain",
        "operator": "equals", "stated": "1", "gives": "1",
    }  # fmt: skip
    assert claims._claim("magic", dict(entry)).relations[0].readings == {"": "1"}
    wrong = [{"operator": "guess"}, {"quote": "w " * 26}, {"colour": "red"}, {"certainty": "sure"}]
    for change in wrong:
        with pytest.raises(InputError, match="magic-x") as caught:
            claims._claim("magic", entry | change)
        assert "\n" not in str(caught.value)


def test_references_say_what_the_text_states_or_that_it_does_not():
    for paper in references().values():
        assert re.fullmatch(r"\d{4}\.\d{5}|not stated in the text read", paper.arxiv)
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", paper.read)
        assert paper.authors
        assert paper.version


INFERRED = [
    ("viprobe", '[T2[x, k] for x in rows(T2) for k in [four[0], four[2]]]', 4000, "originals", 1),
    ("viprobe", '[T2[x, k] for x in rows(T2) for k in [four[1], four[3]]]', 4000, "originals", 10),
    ("viprobe", '[T9[x, "original / without hints"] for x in rows(T9)]', 400, "size_originals", 1),
    ("viprobe", '[T11[x, "perturbed control / without prompt"] for x in rows(T11)]', 1210, "size_originals", 10),
]  # fmt: skip


@pytest.mark.parametrize(("paper", "cells", "most", "name", "times"), INFERRED)
def test_numbers_of_pictures_are_the_least_that_fit_all_digits(paper, cells, most, name, times):
    of = source(paper)
    scope = Scope(paper, FUNCTIONS, {**of.lists, "most": most})
    assert compute(f"allowed({cells}, most)[0]", scope) == of.lists[name] * times


def test_numbers_of_questions_and_of_videos_are_those_that_the_digits_allow():
    of = source("viabench")
    scope = Scope("viabench", FUNCTIONS, of.lists, of.define)
    assert compute("inferred", scope) == list(of.lists["questions"].values())
    assert of.lists["column_weights"] == [of.lists["questions"][c.split(" / ")[0]] for c in of.lists["columns"]]
    of = source("hocabench")
    scope = Scope("hocabench", FUNCTIONS, of.lists, of.define)
    pairs = compute("[[a, b] for a in onto_videos for b in caus_videos if a + b == single]", scope)
    assert pairs == [of.lists["videos"]]


def spelled(value, factor, more):
    """A printed number changed, with as many decimals as before."""
    plain = value.strip("~×%").replace(",", "").replace("+", "")
    digits = len(plain.partition(".")[2])
    return f"{float(Fraction(plain) * factor + more):.{digits}f}"


def changes(cells):
    """Cells to change, spread over all that a claim reads, and numbers to put there."""
    ordered = sorted(cells)
    spread = dict.fromkeys([*ordered[:: max(len(ordered) // 12, 1)], *ordered[:4], *ordered[-4:]])
    for paper, name, group, row, column in spread:
        value = printed.sheet(paper, name).text(row, column, group or None)
        if re.fullmatch(r"[~+-]?[\d.]+[×%]?", value):
            for factor, more in ((Fraction(13, 10), Fraction(37, 100)), (0, 0), (-1, 1), (3, 7)):
                yield (paper, name, row, column, spelled(value, factor, more), group or None)


LABELS_ALONE = {"viprobe-models-listed"}
"""Claims on rows, not on cells."""

MANY = {"hocabench-thinking"}
"""Claims on most of many cells, whose verdict no single cell flips."""


@pytest.mark.usefixtures("unread")
@pytest.mark.parametrize("claim", CLAIMS.values(), ids=CLAIMS)
def test_a_changed_cell_changes_the_verdict_or_the_words_of_every_claim(claim, monkeypatch):
    before = checked(claim, source(claim.paper))
    flips, words = claim.id in MANY, False
    if claim.id in LABELS_ALONE:
        assert not before.cells
        return
    for change in changes(before.cells):
        with monkeypatch.context() as patch:
            altered(patch, *change)
            try:
                after = checked(claim, source(claim.paper))
            except InputError:
                continue  # No number of items fits the changed cell.
        flips |= after.verdict != before.verdict
        words |= (after.items, after.cause, after.gap) != (before.items, before.cause, before.gap)
        if words and (flips or before.verdict != "holds"):
            return
    pytest.fail(f"{claim.id} does not notice: {before.verdict}, flips {flips}, words {words}")


M_SIA = "Multi-Forensic (SIA)"
FLIPS = [
    ("viprobe-cases-within-size", ("12", "Qwen3-VL-32B", "perturbed", "0.10"), "holds"),
    ("viprobe-prompted", ("2", "Claude-Sonnet-4.5", "control / perturbed", "61.10"), "holds"),
    ("viprobe-unique", ("2", "GPT-5-Nano", "illusion / perturbed", "40.41"), "holds"),
    ("viprobe-half", ("2", "GPT-5", "control / perturbed", "62.24"), "holds"),
    ("viprobe-control-drops", ("12", "Claude-Sonnet-4.5", "perturbed control", "0.50"), "holds"),
    ("viprobe-multiplier", ("2", "GPT-5", "R", "2.97"), "contradicts"),
    ("viprobe-averages", ("2", "GPT-5", "illusion / average", "48.11"), "contradicts"),
    ("viprobe-changes", ("9", "GPT-5", "original / effect", "+2.65"), "contradicts"),
    ("viprobe-copied-effects", ("3", "GPT-5", "visual hints / original", "+1.66"), "contradicts"),
    ("viprobe-whole-counts", ("9", "Qwen2.5-VL-72B", "perturbed / with hints", "6.36"), "holds"),
    ("viprobe-inducers", ("12", "GPT-5", "inducer", "0.91"), "contradicts"),
    ("viprobe-r-high", ("2", "GPT-5", "illusion / perturbed", "41.72"), "contradicts"),
    ("viprobe-pooled-consistency", ("2", "GPT-5", "PFC", "82.52"), "only if"),
    ("viabench-run-counts", ("runs", "2", "VA / Match", "21.76", "Openai o3"), "holds"),
    ("viabench-people", ("main", "Human", "GI / Match", "99.98"), "impossible"),
    ("viabench-ranks", ("main", "GPT-5-mini", "Rank", "5"), "contradicts"),
    ("viabench-lower-bound", ("main", "Qwen2.5-VL-3B-Instruct", "Avg.", "28.84"), "contradicts"),
    ("viabench-led", ("main", "GPT-5-mini", "GI / Judge", "99.00"), "contradicts"),
    ("magic-annotated-steps", ("1", "# of Steps", "Test", "13403"), "holds"),
    ("magic-micro-f1", ("2", "GPT 4.1", "MagiScore (Micro) / F1", "67.35"), "contradicts"),
    ("magic-macro-f1", ("2", "GPT 4.1", "MagiScore (Macro) / F1", "69.00"), "contradicts"),
    ("magic-whole-counts", ("2", "GPT 4.1", "Final Answer / Full", "71.80"), "impossible"),
    ("magic-self-heal-steps", ("4", "Qwen2.5-VL 32B", "Self-Heal", "43.38"), "contradicts"),
    ("magicbench-averages-twice", ("5", "Forensic (SIA)", "Avg.", "35.0"), "contradicts"),
    ("magicbench-drop", ("text", "multimodal in silence (Abstract)", "drop", "11.1"), "holds"),
    ("magicbench-ceiling", ("7", "Truth Context", "CPA / A", "84.0", "GPT-4o"), "contradicts"),
    ("magicbench-standard-errors", ("3", M_SIA, "Type D / standard error", "9", "GPT-4o"), "contradicts"),
    ("hocabench-all-models", ("2", "GPT-4o", "Task IV / Onto.", "1.0"), "contradicts"),
    ("viprobe-inverted-scaling", ("8", "gpt-4o-mini", "perturbed", "6.94"), "contradicts"),
    ("magic-medium-answers", ("2", "Aya Vision 32B", "Final Answer / Full", "37.71"), "contradicts"),
    ("hocabench-totals", ("marks", "Gemini-2.5-Flash", "Scene", "25"), "contradicts"),
    ("hocabench-source-shares", ("6", "Sora", "Percentage (%)", "9.8"), "contradicts"),
    ("hocabench-probe-counts", ("4", "Gemini-2.5-Flash", "Acc (%)", "14.71"), "impossible"),
    ("hocabench-index", ("2", "GPT-4o", "Task IV / Caus.", "53.2"), "contradicts"),
    ("hocabench-best", ("2", "GPT-4o", "H-Index (Avg)", "75.4"), "contradicts"),
]  # fmt: skip


@pytest.mark.usefixtures("unread")
@pytest.mark.parametrize(("claim_id", "change", "verdict"), FLIPS, ids=[claim_id for claim_id, *_ in FLIPS])
def test_a_changed_cell_flips_the_verdict_and_its_words(claim_id, change, verdict, monkeypatch):
    before = result(claim_id)
    altered(monkeypatch, before.claim.paper, *change)
    after = result(claim_id)
    assert after.verdict == verdict
    assert (before.items, before.failing) != (after.items, after.failing)
    if verdict != before.verdict:
        assert (after.cause == "") == (verdict == "holds")


@pytest.mark.usefixtures("unread")
def test_an_explanation_has_the_numbers_of_the_changed_cell(monkeypatch):
    assert "96.55" not in (before := result("viprobe-half")).cause
    altered(monkeypatch, "viprobe", "2", "GPT-5", "control / perturbed", "32.24")
    after = result("viprobe-half")
    assert re.search(r"R of 1\.97", before.cause)
    assert re.search(r"R of 1\.36", after.cause)
    assert after.gap != before.gap


def test_a_claim_about_r_stands_in_one_place_with_its_points_and_its_interval():
    found = [
        each for each in replicate(["viprobe"]) if each.claim.place == "Section 4.2.2" and "R>1.2" in each.claim.quote
    ]
    (only,) = found
    assert only.verdict == "not shown by n"
    assert all(item.outcomes[""].fits for item in only.items)
    assert all(item.by_n is not None for item in only.items)
