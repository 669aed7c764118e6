"""The page on sizing is that of what was measured, and its totals are what its formulas say."""

import json
import re

import pytest

from bench.sizing import MEASURED, PAGE, analyzed, sizes
from bench.sizing_page import DAYS, INPUT, OUTPUT, PICTURE_TOKENS, RATE, REPLY_BYTES, REPLY_TOKENS, page, totals
from veridical.suite import registry

STORED = json.loads(MEASURED.read_text(encoding="utf-8"))


def test_the_page_is_made_of_what_was_measured():
    assert PAGE.read_text(encoding="utf-8") == page(STORED)
    assert STORED["analyzed"] == analyzed()


@pytest.mark.parametrize("suite", STORED["suites"])
@pytest.mark.parametrize("trials", [1, 10**6, 10**8])
def test_totals_are_those_of_the_formulas_of_the_page(suite, trials):
    own, counted = STORED["suites"][suite], totals(STORED["suites"][suite], trials)
    assert counted["servers"] * RATE * DAYS * 86_400 == pytest.approx(trials * max(own["pictures"], 1))
    assert counted["replies_gb"] * 1e9 == pytest.approx(trials * (own["response_bytes"] + REPLY_BYTES))
    shown = own["text_tokens"] + own["pictures"] * PICTURE_TOKENS
    assert counted["usd"] * 1e6 == pytest.approx(trials * (shown * INPUT + REPLY_TOKENS * OUTPUT))
    kept = own["media_kb_per_stimulus"] + own["derived_kb_per_stimulus"]
    assert counted["media_gb"] * own["trials_per_stimulus"] == pytest.approx(trials * kept / 1e6)


def test_every_number_of_the_page_is_a_number():
    assert not re.search(r"\b(nan|inf|None)\b", PAGE.read_text(encoding="utf-8"))


@pytest.mark.skipif("magic" not in registry.names(), reason="without magic")
def test_what_is_stored_is_what_a_small_run_weighs(tmp_path):
    counted = sizes("magic", tmp_path)
    for key, stored in STORED["suites"]["magic"].items():
        assert counted[key] == pytest.approx(stored, rel=0.1), key
