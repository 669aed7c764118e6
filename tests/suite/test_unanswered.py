"""What is said of replies without an answer: shares and reasons as a loop counts them, samples that harm no reader."""

from collections import Counter

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from veridical.base.format import visible
from veridical.records import STATUSES
from veridical.suite.unanswered_replies import LONGEST, MANY, SAMPLES, unanswered_by_reason

SCHEMA = {"status": pl.String, "reason": pl.String, "text": pl.String}
TEXTS = st.one_of(st.sampled_from(["Alike.", "", " ", "\x1b[31m\u202eno", "##vso[task]"]), st.text(max_size=300))
WORDS = st.one_of(st.none(), st.sampled_from(["no tag", "cut", "http_500"]))
ROWS = st.lists(st.tuples(st.sampled_from([None, *STATUSES]), WORDS, st.one_of(st.none(), TEXTS)), max_size=60)


def encodes(text):
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


@given(ROWS)
def test_counts_are_those_of_a_loop_and_samples_are_short_plain_and_different(rows):
    rows = [(status, reason, text) for status, reason, text in rows if text is None or encodes(text)]
    found = unanswered_by_reason(pl.DataFrame(rows, SCHEMA, orient="row"))
    asked = [row for row in rows if row[0] is not None]
    gone = Counter((status, reason or "") for status, reason, _ in asked if status != "answered")
    assert found.asked == len(asked)
    assert found.count == sum(gone.values())
    assert Counter({(each.status, each.reason): each.count for each in found.causes}).total() <= gone.total()
    assert [each.count for each in found.causes] == sorted((each.count for each in found.causes), reverse=True)
    assert found.many == (found.count > MANY * found.asked)
    assert len(found.samples) == len(set(found.samples)) <= SAMPLES
    for line in found.lines():
        assert visible(line) == line
        assert not set("\t\n") & set(line)
        assert "##vso[" not in line
    assert all(len(text) <= LONGEST for text in found.samples)
    assert bool(found.line()) == bool(found.count)
    failed = [text for status, _, text in asked if status != "answered" and text and text.strip()]
    assert bool(found.samples) == bool(failed)


def test_the_most_frequent_reason_comes_first_and_its_own_replies_are_quoted():
    rows = [("unparsed", "no tag", f"Alike {k % 5}.") for k in range(12)] + [("refused", "declines", "No.")] * 3
    found = unanswered_by_reason(pl.DataFrame([*rows, ("answered", None, "1")], SCHEMA, orient="row"))
    assert found.line() == "94 % unanswered: 'no tag' (12), refused, 'declines' (3)"
    assert found.samples == ("Alike 0.", "Alike 1.", "Alike 2.")
    assert (
        unanswered_by_reason(pl.DataFrame(rows[:12], SCHEMA, orient="row")).line() == "100 % unreadable: 'no tag' (12)"
    )


def test_a_reason_is_no_more_trusted_than_a_reply():
    found = unanswered_by_reason(pl.DataFrame([("error", "\x1b[2J" + "x" * 500, None)], SCHEMA, orient="row"))
    assert found.line().isprintable()
    assert len(found.line()) < 2 * LONGEST
    assert not found.samples
