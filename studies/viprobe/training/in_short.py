"""A summary of a study in a few sentences, each generated from the records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from studies.viprobe.training.arms import DOSES, HELD_OUT, arm_of_dose
from studies.viprobe.training.distort import CHANGES
from studies.viprobe.training.results import VERDICTS, Results, read_of, spread
from studies.viprobe.training.study import NOVEL, UNTAUGHT
from veridical.suites.viprobe.verdicts.names import LOSS, VERIDICAL


def in_short(results: Results) -> str:
    """A Markdown list; networks that were not trained are left out."""
    sections = (_recalls, _transfers, _novel, _doses, _read_out, _spoilt)
    return "\n".join(f"- {sentence}" for section in sections for sentence in section(results))


def _recalls(results: Results) -> Iterator[str]:
    for arm in ("textbook", "counterfactual"):
        rates = [_percent([each["rates"][name][0] for each in results.of("asked", arm)]) for name in ("O", "P", "PC")]
        yield "{} is right on {} of originals, {} of changed figures, {} of the same changes in controls.".format(
            arm.capitalize(), *rates
        )


def _transfers(results: Results) -> Iterator[str]:
    ways = {
        "where no case was shown changed": "textbook",
        "where other cases were": "heldout",
        "where other cases were, and figures of these were never shown": "unshown",
        "where they were changed as well": "counterfactual",
    }
    rates = {way: results.mean_rates(arm, "P", HELD_OUT) for way, arm in ways.items()}
    cells = [f"{_percent(values)} {way}" for way, values in rates.items() if values]
    yield f"Changes in figures of held-out cases are seen in {'; '.join(cells)}."


def _novel(results: Results) -> Iterator[str]:
    for arm in ("textbook", "counterfactual"):
        original, changed = (_percent(results.mean_rates(arm, variant, NOVEL)) for variant in ("O", "P"))
        yield f"On novel figures, never shown, {arm} is right on {original} of originals, {changed} of changed ones."


def _doses(results: Results) -> Iterator[str]:
    rates = {dose: [each["rates"]["P"][0] for each in results.of("asked", arm_of_dose(dose))] for dose in DOSES}
    cells = [f"{_percent(values)} at {100 * dose:.0f} %" for dose, values in rates.items() if values]
    yield f"By the share of changed figures in training, changes are seen in {'; '.join(cells)}."


def _read_out(results: Results) -> Iterator[str]:
    taught, untaught = ([read_of(each) for each in results.of("probed", arm)] for arm in ("textbook", UNTAUGHT))
    yield (
        "The target that has more on a changed figure can be decoded from the features of textbook in "
        f"{_percent([right / n for right, _, n in taught])}, but its own answers are right in "
        f"{_percent([own / n for _, own, n in taught])}; from the features of an untrained network, in "
        f"{_percent([right / n for right, _, n in untaught])}."
    )


def _spoilt(results: Results) -> Iterator[str]:
    for arm, name in (("textbook", LOSS), ("counterfactual", VERIDICAL)):
        verdicts = {change: {each["verdicts"][""] for each in results.of("spoilt", arm, change)} for change in CHANGES}
        lost = [change for change, names in verdicts.items() if names - VERDICTS[name]]
        if any(verdicts.values()):
            yield f"{arm.capitalize()} is called {name} on all degraded pictures except: {'; '.join(lost) or 'none'}."


def _percent(values: Sequence[float]) -> str:
    return spread(values, lambda value: f"{100 * value:.1f} %")
