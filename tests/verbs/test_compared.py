"""Stored readings are read from the file that is named, and from no other."""

import pytest

from tests.ask.plans import plan
from veridical.answers import ParsedAnswer, Reader
from veridical.ask.outcomes import outcome_table
from veridical.errors import InputError
from veridical.records import Response
from veridical.verbs.results.comparison import changes, readers, stored_readings

ECHO = Reader(name="echo", version="7", parse=lambda text, _: ParsedAnswer(text or None, "nothing"))


@pytest.mark.parametrize("name", ["run[1]", "run*", "run?"])
def test_a_folder_is_no_pattern(tmp_path, name):
    trials = plan()
    replies = {(t.id, 1): Response(trial=t.id, text="A") for t in trials[1:]}
    table = outcome_table("m", trials, replies, echo(trials), factors={})
    (tmp_path / name).mkdir()
    table.write_parquet(tmp_path / name / "o.parquet")
    found = changes(tmp_path / name / "o.parquet", table)
    assert (found.replies, found.compared, found.statuses, found.answers) == (len(trials) - 1, len(trials) - 1, 0, 0)
    assert found.before == found.now == ["echo 7"]
    with pytest.raises(InputError, match="is missing"):
        stored_readings(tmp_path / "run1" / "o.parquet")


def echo(trials):
    return {trial.reader: (ECHO,) for trial in trials}


def test_where_nothing_was_asked_nothing_was_read(tmp_path):
    table = outcome_table("m", plan(), {}, echo(plan()), factors={})
    table.write_parquet(tmp_path / "o.parquet")
    assert len(stored_readings(tmp_path / "o.parquet")) == 0
    assert readers(table) == []
    assert changes(tmp_path / "o.parquet", table).replies == 0
