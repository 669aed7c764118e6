"""People who are replayed: a study made of places, and raters whose answers a test states."""

from __future__ import annotations

from pathlib import Path
from uuid import uuid4

from veridical.people.invitations import invite, person_of
from veridical.people.sessions import screen_of, store_vote
from veridical.people.store import ITEMS, Vote
from veridical.people.study import StudyDesign, make_study
from veridical.people.tasks import suite_of
from veridical.suite.people_tasks import TaskChoices


def begun(folder, task, *places, people=1, database=None, **design):
    """A new study of all items, each asked of everybody."""
    paths = [{"path": str(place)} for place in places]
    suite = suite_of([Path(place) for place in places])
    return make_study(
        folder, StudyDesign(task=task, suite=suite, places=paths, people=people, per_item=people, **design), database
    )


def hidden_of(study):
    """What people do not see of each item, by its blind name."""
    with study.store.reading() as connection:
        return {row.id: row.hidden for row in connection.execute(ITEMS.select())}


def replay(study, *raters):
    """Each rater answers all that they are asked, by the screen and by what is hidden of it."""
    hidden = hidden_of(study)
    for rater, invitation in zip(raters, invite(study, len(raters)), strict=True):
        person = person_of(study, invitation.token)
        while (screen := screen_of(study, person))["state"] == "item":
            answer = rater(screen, hidden[screen["id"]])
            store_vote(study, person, Vote(uuid4().hex, person.name, screen["id"], 0, answer, 1.0))
    return study


def read_back(study, out, **choices):
    """What the task makes of the votes."""
    own = TaskChoices(**choices) if choices else study.design.choices
    return study.task.read(study.design.paths, study.votes(), out, own)
