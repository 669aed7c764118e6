"""inspect's own runner over the five suites: the same questions reach the model, and the same outcomes follow."""

import pytest

import veridical
from tests.ask.server import serve
from tests.harnesses.conftest import DRAWN, SETTINGS
from tests.harnesses.mirror import mocked, served
from tests.late import inspect_ai, inspect_tasks


@pytest.mark.parametrize("suite", DRAWN)
def test_a_task_gives_the_outcomes_of_a_run_of_the_same_model(made, suite, tmp_path):
    (log,) = inspect_ai.eval(
        f"veridical/{suite}",
        task_args={"set": str(made(suite).folder), "settings": SETTINGS.get(suite)},
        model=inspect_ai.model.get_model("mockllm/model", custom_outputs=mocked),
        log_dir=str(tmp_path / "logs"),
        display="none",
        log_realtime=False,
    )
    options = {"repeats": 1, "settings": SETTINGS.get(suite), "show": "quiet", "analyze": False}
    with serve(served) as server:
        run = veridical.run(made(suite), "m", base_url=server.url, out=tmp_path / "run", **options)
    columns = ("trial", "status", "answer", "correct", "text")
    found, wanted = inspect_tasks.outcomes_of(log).select(columns), run.outcomes().select(columns)
    assert found.equals(wanted)
    assert wanted["status"].n_unique() > 1
