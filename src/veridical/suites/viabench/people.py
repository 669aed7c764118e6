"""What people do with replies of VIA-Bench in an app besides answering: code what went wrong, as the paper does."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from veridical.people.codes import codes_task
from veridical.people.reply_samples import REPLY_KEY
from veridical.people.run_media import files_of
from veridical.records import Trial
from veridical.suite.people_tasks import FieldOption, PeopleTask
from veridical.suites.viabench.asking.trials import PRIOR, bare_question
from veridical.verbs.exchange.planned_stages import set_of_run
from veridical.verbs.results.result import RunResult

_CODES = (
    FieldOption("misperception", "Misperception", "It misses or misreads what is decisive in the picture."),
    FieldOption("prior", "Prior over evidence", "It sees what is there, and answers with what is usual."),
    FieldOption("uncertainty", "Uncertainty", "It doubts what it has seen, and takes it back."),
    FieldOption("overthinking", "Overthinking", "It goes in circles, or contradicts itself."),
    FieldOption("logic", "Faulty reasoning", "It sees rightly, and the conclusion does not follow."),
    FieldOption("other", "Other", "Something else went wrong."),
)


def wrong_replies(run: RunResult) -> pl.DataFrame:
    """The answered replies of a run that are wrong and were shown the picture, as people who code them see them."""
    rows = run.outcomes().filter((pl.col("status") == "answered") & ~pl.col("correct")).select(*REPLY_KEY, "text")
    stimuli = {stimulus.id: stimulus for stimulus in set_of_run(run).stimuli}
    trials = {trial.id: trial for trial in run.run.trials()}
    rows = rows.filter([_is_shown(trials[name]) for name in rows["trial"]])
    own = [(stimuli[stimulus], trials[trial]) for stimulus, trial in rows.select("stimulus", "trial").iter_rows()]
    texts = {
        "question": [bare_question(stimulus, trial) for stimulus, trial in own],
        "truth": [stimulus.label for stimulus, _ in own],
    }
    media = pl.Series("media", [files_of(trial) for _, trial in own], pl.List(pl.String))
    shown = pl.DataFrame(texts, dict.fromkeys(texts, pl.String)).with_columns(media)
    return pl.concat([rows.rename({"text": "reply"}), shown], how="horizontal")


def _is_shown(trial: Trial) -> bool:
    return trial.settings["sight"] != PRIOR and bool(files_of(trial))


PEOPLE: Mapping[str, PeopleTask] = {
    "codes": codes_task(
        "viabench", _CODES, wrong_replies, "Code what went wrong in wrong replies (section 4.5 and appendix H)."
    )
}
