"""Questions of a real set, asked of people as they are asked of models, answered by keyboard alone."""

import pytest

import veridical as v
from tests.people.conftest import next_item, served, shown
from veridical.people.study import StudyDesign, make_study

ITEMS = 60
KEYS = {"choice": "1", "number": ["1", "Enter"], "text": ["x", "Control+Enter"], "intervals": [*"i.o", "Enter"]}


@pytest.fixture(scope="module")
def questions(tmp_path_factory, one_process):
    folder = tmp_path_factory.mktemp("set") / "set"
    v.make("viprobe", out=folder, cases=["muller_lyer", "ponzo", "zollner"], units=3, levels=2, size=128)
    return folder


def test_sixty_questions_of_a_set_by_keys_alone_each_stored_once(questions, tmp_path, context):
    design = StudyDesign(task="answer", suite="viprobe", places=[{"path": str(questions)}], items=ITEMS)
    study = make_study(tmp_path / "study", design)
    page = context.new_page()
    with served(study) as (address,):
        page.goto(address)
        page.get_by_role("button", name="Begin").wait_for()
        page.keyboard.press("Enter")
        shown(page)
        for _ in range(ITEMS):
            kind = page.locator("fieldset").get_attribute("data-kind")
            with next_item(page):
                for key in KEYS[kind]:
                    page.keyboard.press(key)
        assert page.get_by_role("heading", name="Done").is_visible()
    votes = study.votes()
    assert len({vote.item for vote in votes}) == len(votes) == len(list(study.audit())) == ITEMS
    assert all(vote.seconds > 0 for vote in votes)
