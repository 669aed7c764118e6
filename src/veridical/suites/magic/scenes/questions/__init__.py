"""The questions about a scene: forms of five structural types. One record adds a form."""

from veridical.suites.magic.scenes.questions.choose import CHOOSE
from veridical.suites.magic.scenes.questions.compare import COMPARE
from veridical.suites.magic.scenes.questions.form import Form, SceneQuestion, StepFact
from veridical.suites.magic.scenes.questions.logical import LOGICAL
from veridical.suites.magic.scenes.questions.query import QUERY
from veridical.suites.magic.scenes.questions.verify import VERIFY
from veridical.suites.magic.stimuli import QuestionType

FORMS: dict[QuestionType, tuple[Form, ...]] = {
    "verify": VERIFY,
    "query": QUERY,
    "choose": CHOOSE,
    "logical": LOGICAL,
    "compare": COMPARE,
}

__all__ = ["FORMS", "Form", "SceneQuestion", "StepFact"]
