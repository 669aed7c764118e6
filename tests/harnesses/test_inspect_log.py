"""A run as an eval log: what inspect-ai reads is what the run's own tables say."""

import pytest

from tests.harnesses.conftest import DRAWN
from tests.late import inspect_log, inspect_tasks
import veridical

VARYING = ["latency", "ended"]


@pytest.mark.parametrize("suite", DRAWN)
def test_a_log_has_the_outcomes_of_the_run(asked, suite, tmp_path):
    run = asked(suite)
    written = veridical.export_inspect(run, tmp_path / "run.eval")
    print(written, written.notes)
    log = inspect_log.read_eval_log(str(written.files[0]), resolve_attachments=True)
    assert inspect_tasks.outcomes_of(log).equals(run.outcomes())
    print({s.name: s.metrics for s in log.results.scores})
