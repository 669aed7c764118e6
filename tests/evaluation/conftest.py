from dataclasses import replace

import pytest

from tests.ask.server import said
from veridical.suite import registry
from veridical.verbs.evaluation.choices import choices_from
from veridical.verbs.evaluation.evaluate import evaluate_choices

SMALL = {
    "magic": {"units": 1, "scenes": ["room"]},
    "viprobe": {"cases": ["muller_lyer", "ponzo"], "units": 2, "levels": 2, "size": 128},
}
SUITES = [*SMALL]
OBSERVERS = ["veridical/perceiver", "veridical/recaller"]


def shrink(patch):
    """Makes the quick designs of two suites small ones, of few units and small pictures."""
    for name, values in SMALL.items():
        suite = registry.get(name)
        part = suite.evaluation
        design = replace(part.designs["quick"], values=values)
        patch.setitem(suite.__dict__, "evaluation", replace(part, designs={**part.designs, "quick": design}))


def evaluation(models, *, out, suites, committed=None, recipe="quick", private_seed=False, **asking):
    """An evaluation, its page not yet written."""
    named = [models] if isinstance(models, str) else list(models)
    facts = {"models": named, "suites": list(suites), "recipe": recipe, "private_seed": private_seed, "asking": asking}
    return evaluate_choices(choices_from(facts), out, show="quiet", committed=committed)


@pytest.fixture
def small(monkeypatch):
    shrink(monkeypatch)
    return SUITES


@pytest.fixture(scope="session")
def evaluated(tmp_path_factory):
    """An evaluation of two embedded observers on small sets of two suites."""
    with pytest.MonkeyPatch.context() as patch:
        shrink(patch)
        found = evaluation(OBSERVERS, out=tmp_path_factory.mktemp("evaluated") / "all", suites=SUITES)
        found.write_page()
        yield found


def always_yes(request):
    """A model that says yes, or the first option."""
    return said("Yes" if "yes or no" in request.text.lower() else "Answer: [A]")
