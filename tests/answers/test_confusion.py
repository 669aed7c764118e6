"""On replies that were labeled before anybody looked at a reader: hardly any is read wrongly, nearly all are read."""

from collections import Counter
from pathlib import Path

import pytest

from tests.answers.confusion import COLUMNS, KINDS, corpora, counted, readable, replies, tables, wrongly

PAGE = Path(__file__).parents[2] / "docs" / "readers.md"
STRICT = "strict"
MENDED = ("corpus_a", "corpus_b", "corpus_c", "corpus_d")
"""What the readers were mended with; on others it would only be published how they do."""


def total(corpus, names):
    outcomes, _ = counted(corpus)
    return sum((found for (_, name), found in outcomes.items() if name in names), Counter())


@pytest.mark.parametrize("corpus", MENDED)
def test_at_most_one_reply_in_two_hundred_is_read_wrongly_and_nearly_all_are_read(corpus):
    names = {name for _, name in counted(corpus)[0]} - {STRICT}
    found = total(corpus, names)
    assert wrongly(found) <= 0.005 * found.total()
    assert found[COLUMNS[0]] >= 0.93 * readable(found)


@pytest.mark.parametrize("corpus", MENDED)
def test_the_strict_reader_reads_less_and_nothing_more_wrongly(corpus):
    found = total(corpus, {STRICT})
    assert wrongly(found) <= 0.005 * found.total()
    assert found[COLUMNS[0]] < total(corpus, {"lenient"})[COLUMNS[0]]


@pytest.mark.parametrize("corpus", corpora())
def test_a_corpus_is_large_and_has_every_kind(corpus):
    lines = replies(corpus)
    assert len(lines) >= 350
    assert {line["kind"] for line in lines} == set(KINDS)


@pytest.mark.parametrize("corpus", corpora())
def test_the_published_tables_are_those_of_the_corpus(corpus):
    assert tables(corpus) in PAGE.read_text(encoding="utf-8")
