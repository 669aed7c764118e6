"""Whether a model encodes what its answers do not follow: read-outs of its states beside the verdicts of its run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from veridical.internals.readout_charts import BEYOND, CHANGE, MODEL
from veridical.internals.run_internals import RunInternals
from veridical.records import Counts, Estimate, Unit
from veridical.suite.conclusions import Conclusion
from veridical.suite.evaluation import OPEN, EncodedTarget, EvaluationPart, ProfileAnswer

UNUSED, USED, NOT_ENCODED = "encoded, not used", "encoded, and used", "not encoded (by this read-out)"
STATE = "projector"
"""What enters the text model: one state, named in advance, so that no layer is picked for its figure."""
R2 = Unit(name="R²", digits=2, high=1.0, neutral=0.0)
_LITTLE = 0.1
"""The R² beyond random weights below which nothing worth naming is read."""
_CONTROL = "read-outs beside those of random weights (`whitebox states --random-weights 1`)"
_METHOD = "ridge, cross-validated by unit; jackknife over units"


def encoded_answer(
    part: EvaluationPart, suite: str, inside: RunInternals, answers: Mapping[str, ProfileAnswer]
) -> ProfileAnswer | None:
    """What read-outs and a run's answers to a suite's questions come to; `None` where the target was not read.

    The effect is how much more of the target the model's projector tells than that of random weights, in R²; it has no
    value without that control. A name is given only where the other verdicts say whether replies follow the target, and
    where the whole 95 % interval is above 0 or below 0.1.
    """
    target = part.encoded
    for table in inside.read_outs.values() if target else ():
        assert target is not None
        own = table.filter(target=target.target, read=CHANGE, group=",".join(target.groups[0]), state=STATE)
        sources = {row["source"]: row for row in own.iter_rows(named=True)}
        if MODEL in sources:
            lacking = {
                **sources[MODEL],
                "r2": None,
                "low": None,
                "high": None,
                "reason": "no read-outs of random weights",
            }
            effect = r2_estimate(suite, sources.get(BEYOND, lacking))
            verdicts = {name: each.conclusion.name for name, each in answers.items()}
            return ProfileAnswer(effect, _conclusion(effect, target, verdicts, controlled=BEYOND in sources))
    return None


def r2_estimate(suite: str, row: Mapping[str, Any]) -> Estimate:
    """A row of read-outs as an estimate; trials without states or target are counted as errors."""
    n, without = row["n"], row["without"]
    asked = n + without
    return Estimate(
        suite=suite,
        metric=f"read-out, {row['source']}",
        slice={name: row[name] for name in ("target", "group", "state")},
        value=row["r2"],
        low=row["low"],
        high=row["high"],
        unit=R2,
        n_units=row["units"],
        counts=Counts(planned=asked, asked=asked, answered=n, unparsed=0, refused=0, truncated=0, error=without),
        method=_METHOD,
        reason=row["reason"],
    )


def _conclusion(
    effect: Estimate, target: EncodedTarget, verdicts: Mapping[str, str], *, controlled: bool
) -> Conclusion:
    unused, used = (
        next((verdicts[name] for name, named in each.items() if verdicts.get(name) in named), None)
        for each in (target.unused, target.used)
    )
    if not controlled:
        return _open("untrained networks separate pictures too, and this read-out lacks that control", _CONTROL)
    if effect.low is None or effect.high is None:
        return _open(effect.reason or "the read-out has no interval", "more units")
    if unused is None and used is None:
        return _open("the verdict on its answers does not say whether they follow the changes", "a verdict on answers")
    if effect.low > 0:
        if unused is not None:
            return Conclusion(UNUSED, f"Its states tell the changes; its answers do not follow them: {unused}.", "bad")
        return Conclusion(USED, f"Its states tell the changes, and its answers follow them: {used}.", "good")
    if effect.high >= _LITTLE:
        return _open("its states may or may not tell more of the changes than random weights", "more units")
    if used is not None:
        return _open("its answers follow the changes, so this read-out misses what they rest on", "another read-out")
    why = f"Its states tell no more of the changes than random weights do, read in this way, and its answers: {unused}."
    return Conclusion(NOT_ENCODED, why, "open", ("another read-out",))


def _open(why: str, needs: str) -> Conclusion:
    return Conclusion(OPEN, f"Cannot tell: {why}.", "open", (needs,))
