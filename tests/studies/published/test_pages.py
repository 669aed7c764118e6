"""The page, the list, the CSV and the lines hold every claim, each in one place, and text in them stays text."""

import csv
import re
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest

from studies.published import TITLES, as_csv, as_json, as_lines, as_list, markdown, references, replicate
from studies.published.export import COLUMNS
from studies.published.order import main, tally
from veridical.errors import InputError

DOCS = Path(__file__).parents[3] / "docs"
ROOT = DOCS.parent


def test_the_pages_in_the_documentation_are_those_that_are_recomputed(found):
    texts = {"published.md": markdown(found), "published-list.md": as_list(found), "published.csv": as_csv(found)}
    for name, text in texts.items():
        assert (DOCS / name).read_text(encoding="utf-8") == text, f"docs/{name} is out of date"


def test_the_first_screen_has_how_many_hold_and_the_ten_that_matter_most(found):
    first = markdown(found).split("\n## What holds, by paper")[0]
    assert f"**Of {len(found)} checkable claims, {tally(found)['holds']} hold**" in first
    assert re.findall(r"^(\d+)\. ", first, re.M) == [str(place) for place in range(1, 11)]
    assert [re.search(rf"#{each.claim.id}\)", first) is not None for each in main(found)] == [True] * 10
    assert "not shown" not in first.split("## The ten")[1]
    assert len(first) < 5000


def test_a_claim_stands_in_one_place_of_the_page_with_a_permanent_address(found):
    page, every = markdown(found), as_list(found)
    for each in found:
        assert page.count(f'<a id="{each.claim.id}"></a>') == 1
        assert every.count(f"\n### {each.claim.id}\n") == 1
    assert set(re.findall(r"published-list\.md#([\w-]+)", page)) == {each.claim.id for each in found}


def test_what_holds_is_shown_as_what_does_not_in_a_table_of_the_same_columns(found):
    page = markdown(found)
    heads = re.findall(r"### What (does not follow|holds)\n\n(.*)\n", page)
    assert [name for name, _ in heads] == ["does not follow", "holds"] * len(TITLES)
    assert len({head for _, head in heads}) == 1
    assert page.count("| **holds**; ") == tally(found)["holds"]


def test_references_lessons_and_the_way_to_answer_are_on_the_page(found):
    page = markdown(found)
    for paper in references().values():
        assert paper.full_title in page
        assert f"Read on {paper.read}" in page
    template = re.search(r"`(\.github/ISSUE_TEMPLATE/[\w.-]+)`", page)[1]
    assert (ROOT / template).is_file()
    lessons = page.split("## What to take from it")[1]
    failing = [int(number) for number in re.findall(r"\| (\d+) \|", lessons)]
    assert sum(failing) == len(found) - tally(found)["holds"]


def test_the_list_has_every_number_that_does_not_fit(found):
    every = as_list(found)
    for each in found:
        entry = every.split(f"\n### {each.claim.id}\n")[1].split("\n### ")[0].split("\n## ")[0]
        rows = re.findall(r"^\| (?!---| \| stated)", entry, re.M)
        assert len(rows) == max(len(each.failing), 1)
        assert ("Likely cause" in entry) == (each.verdict != "holds")


def test_the_csv_has_one_row_per_claim(found):
    rows = list(csv.DictReader(StringIO(as_csv(found))))
    assert tuple(rows[0]) == COLUMNS
    assert [row["id"] for row in rows] == [each.claim.id for each in found]
    assert [row["verdict"] for row in rows] == [each.verdict for each in found]
    assert all(row["condition"] for row in rows if row["verdict"] == "only if")


def test_json_has_every_claim_with_its_items(found):
    rows = as_json(found)
    assert [(row["id"], len(row["items"])) for row in rows] == [(each.claim.id, len(each.items)) for each in found]


def test_text_in_the_pages_stays_text(found):
    bad = "a | b <script> `x` [y](z)\n# h"
    claim = replace(found[0].claim, quote=bad, place=bad, answer=bad)
    changed = [replace(found[0], claim=claim, compares=bad, cause=bad, doubt=bad)]
    for page in (markdown(changed), as_list(changed)):
        assert "<script>" not in page
        assert "\n# h" not in page
        assert "a \\| b &lt;script> \\`x\\`" in page


def test_an_answer_of_authors_stands_beside_their_claim(found):
    claim = replace(found[0].claim, answer="We corrected the cell.")
    assert "- The authors: We corrected the cell." in as_list([replace(found[0], claim=claim)])


@pytest.mark.parametrize("brief", [True, False])
@pytest.mark.parametrize("width", [1, 40, 79, 200])
def test_no_line_is_wider_than_the_terminal(found, width, brief):
    assert max(map(len, as_lines(found, width, brief=brief))) <= max(width, 40)


def test_the_lines_have_every_claim_that_does_not_hold_and_the_brief_ones_count_the_others(found):
    failed = [each for each in found if each.verdict != "holds"]
    full, brief = ("\n".join(as_lines(found, 10_000, brief=short)) for short in (False, True))
    assert len(re.findall(r"^  “", full, re.M)) == len(failed)
    assert len(re.findall(r"^  “", brief, re.M)) + sum(map(int, re.findall(r"and (\d+) more: python", brief))) == len(
        failed
    )


def test_the_same_numbers_give_the_same_results(found):
    assert replicate() == found


def test_a_paper_goes_by_its_title_too():
    assert replicate(["HOCA-Bench"]) == replicate(["hocabench"])


def test_a_paper_without_claims_is_answered_with_the_names():
    with pytest.raises(InputError, match="did you mean 'viprobe'"):
        replicate(["viprob"])
