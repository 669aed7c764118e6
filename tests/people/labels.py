"""A task of plain questions, studies of it without any set, and people who answer it by rule over HTTP."""

import sys

import httpx2

from tests.probe_suite import SUITE
from veridical.people import tasks
from veridical.people.sessions import screen_of, store_vote
from veridical.people.store import Vote
from veridical.people.study import StudyDesign, make_study
from veridical.suite import registry
from veridical.suite.people_tasks import FieldOption, FormField, PeopleTask, TaskItem, TextBlock

OPTIONS = [FieldOption("yes", "Yes"), FieldOption("no", "No"), FieldOption("part", "In part")]
LABEL = FormField(name="label", kind="choice", title="Label", options=OPTIONS)
WHY = FormField(name="why", kind="text", title="Why", required=False)


def item_of(number):
    text = TextBlock(text=f"Is thing {number} <b>good</b>?")
    return TaskItem(id=f"thing-{number}", blocks=[text], fields=[LABEL, WHY], key={"thing": number}, stratum=number % 3)


PRACTICE = TaskItem(id="try", blocks=[TextBlock(text="Say yes.")], fields=[LABEL], right={"label": "yes"})
TASK = PeopleTask(
    title="Label",
    help="Label things.",
    instructions="Label each thing.",
    items=lambda _, choices: map(item_of, range(choices.items or 12)),
    read=lambda *_: None,
    practice=[PRACTICE],
)


def register():
    """Makes the task known in this process, with the suite that it is of."""
    registry._REGISTERED["probe"] = SUITE
    tasks.GENERAL["label"] = TASK


def study_of(folder, database=None, places=(), task="label", **numbers):
    """A new study of the task."""
    places = [{"path": str(place)} for place in places]
    return make_study(folder, StudyDesign(task=task, suite="probe", places=places, **numbers), database)


def say(study, person, **fields):
    """Stores the answer of a person to the item that they are at; returns the screen before and what became of it."""
    screen = screen_of(study, person)
    seconds = fields.pop("seconds", 2.0)
    key = f"{person.name}-{screen['id']}"
    return screen, store_vote(study, person, Vote(key, person.name, screen["id"], screen["revision"], fields, seconds))


def answer_all(study, person, label_of):
    """A person answers all that they are asked: a thing by its number, practice and checks as they should."""
    while (screen := screen_of(study, person))["state"] == "item":
        number, wanted = number_of(screen), asked_for(screen)
        say(study, person, **({"choice": wanted} if wanted else {"label": "yes" if number < 0 else label_of(number)}))


def number_of(screen):
    text = screen["blocks"][0]["text"]
    return int(text.split()[2]) if text.startswith("Is thing") else -1


def asked_for(screen):
    """What an attention check asks for."""
    return screen["blocks"][0]["text"].partition("“")[2].partition("”")[0]


class Rater:
    """Somebody with an address, who keeps an answer until the server has acknowledged it."""

    def __init__(self, address):
        self.token = address.rstrip("/").rpartition("/")[2]
        self.client = httpx2.Client(base_url=address, timeout=60, verify=False)

    def next(self):
        return self.client.get("next")

    def send(self, screen, key=None, **fields):
        answer = {"label": "yes", **fields}
        body = {"key": key or f"{self.token[:8]}-{screen['id']}", "item": screen["id"], "revision": screen["revision"]}
        return self.client.post("votes", json={**body, "answer": answer, "seconds": 1.5})


if __name__ == "__main__":
    from veridical.cli import main

    register()
    sys.argv[0] = "veridical"
    main()
