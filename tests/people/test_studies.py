"""What a study stores, decides and shows is what its people stated, in one file and in PostgreSQL alike."""

from collections import Counter, defaultdict

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from tests.people import labels
from tests.people.databases import PASSWORD, running_cluster
from tests.people.labels import answer_all, asked_for, say, study_of
from veridical.errors import InputError
from veridical.people import study_status, tasks
from veridical.people.decisions import decided_votes
from veridical.people.invitations import invite, invite_again, people_of, person_of, revoke
from veridical.people.sessions import earlier_screen, screen_of, store_vote
from veridical.people.status_text import status_lines
from veridical.people.store import Vote
from veridical.people.study import open_study
from veridical.people.study_status import StatusCache, status_of
from veridical.suite import registry

RIGHT = ("yes", "no", "part")


@pytest.fixture(autouse=True)
def _task(monkeypatch):
    monkeypatch.setattr(registry, "_REGISTERED", dict(registry._REGISTERED))
    monkeypatch.setattr(tasks, "GENERAL", dict(tasks.GENERAL))
    labels.register()


@pytest.fixture(scope="module")
def cluster():
    with running_cluster() as cluster:
        yield cluster


@pytest.fixture(params=["one file", "PostgreSQL"])
def made(request, tmp_path):
    """Makes a study and its people, who can be looked up by name."""
    studies = []

    def made(**numbers):
        address = request.getfixturevalue("cluster").database() if request.param == "PostgreSQL" else None
        study = study_of(tmp_path / f"study{len(studies)}", address, **numbers)
        studies.append(study)
        invite(study, study.design.people)
        return study, people_of(study)

    yield made
    for study in studies:
        study.store.close()


def right(number):
    return RIGHT[number % 3]


def test_each_item_is_asked_of_so_many_people_and_counts_once_for_each(made):
    study, people = made(people=4, per_item=3, items=12, check_every=5)
    for person in people:
        answer_all(study, person, right)
    votes = study.votes()
    assert Counter(vote.item for vote in votes) == {f"thing-{number}": 3 for number in range(12)}
    assert {vote.key["thing"] for vote in votes} == set(range(12))
    assert all(vote.answer["label"] == RIGHT[vote.key["thing"] % 3] for vote in votes)


def test_practice_and_checks_are_stored_apart_and_count_in_no_result(made):
    study, [person] = made(items=12, check_every=4)
    kinds = Counter()
    while (screen := screen_of(study, person))["state"] == "item":
        kinds[screen["kind"]] += 1
        wanted = asked_for(screen)
        _, stored = say(study, person, **({"choice": wanted} if wanted else {"label": "yes"}))
        assert stored.get("right") == ({"label": "yes"} if screen["kind"] == "practice" else None)
    assert kinds == {"practice": 1, "item": 15}  # 12 items and 3 checks, which a page cannot tell apart
    assert len(study.votes()) == 12
    assert len(list(study.audit())) == 16
    [status] = status_of(study).people
    assert (status.done, status.total, status.votes, status.checks_passed, status.checks) == (16, 16, 12, 3, 3)


def test_two_people_are_asked_in_orders_of_their_own_and_see_no_vote_of_each_other(made):
    study, people = made(people=2, per_item=2, items=20)
    orders = []
    for person in people:
        order = []
        answer_all(study, person, lambda number, order=order: order.append(number) or "no")
        orders.append(order)
    assert sorted(orders[0]) == sorted(orders[1])
    assert orders[0] != orders[1]
    study, people = made(people=2, per_item=2, items=3)
    say(study, people[0], label="yes")
    screen, _ = say(study, people[0], label="part", why="a secret")
    with pytest.raises(InputError, match="not answered this question yet"):
        earlier_screen(study, people[1], screen["id"])
    assert earlier_screen(study, people[0], screen["id"])["answer"] == {"label": "part", "why": "a secret"}


def test_a_vote_is_stored_once_whatever_is_sent_again(made):
    study, (person, other) = made(people=2, per_item=1, items=8)
    screen, stored = say(study, person, label="yes")
    vote = Vote(f"{person.name}-{screen['id']}", person.name, screen["id"], 0, {"label": "yes"}, 2.0)
    assert stored["stored"] == "stored"
    assert store_vote(study, person, vote)["stored"] == "known"
    assert store_vote(study, person, vote._replace(key="tab-2", answer={"label": "no"}))["stored"] == "overtaken"
    assert store_vote(study, person, vote._replace(key="more", revision=1))["stored"] == "stored"
    assert [row["answer"]["label"] for row in study.audit()] == ["yes", "yes"]
    own = screen_of(study, person)["id"]
    with pytest.raises(InputError, match="not one of yours"):
        store_vote(study, other, vote._replace(key="theirs", item=own, person=other.name))
    with pytest.raises(InputError, match="belongs to another answer"):
        store_vote(study, other, vote._replace(person=other.name))
    assert len(list(study.audit())) == 2


def test_of_several_answers_of_one_person_the_last_counts_and_the_trail_has_what_stood_before(made):
    study, [person] = made(items=2)
    say(study, person, label="yes")
    screen, _ = say(study, person, label="yes")
    again = earlier_screen(study, person, screen["id"])
    vote = Vote("again", person.name, again["id"], again["revision"], {"label": "no", "note": "my mistake"}, 1.0)
    assert store_vote(study, person, vote)["stored"] == "stored"
    [counted] = study.votes()
    assert counted.answer == {"label": "no", "why": None, "note": "my mistake"}
    *_, last = study.audit()
    assert (last["before"]["label"], last["answer"]["label"]) == ("yes", "no")


def test_a_third_decides_where_two_differ_and_is_asked_nothing_else(made):
    study, people = made(people=2, per_item=2, items=15)
    [invitation] = invite(study, 1, third=True)
    third = person_of(study, invitation.token)
    assert screen_of(study, third)["kind"] == "practice"
    say(study, third, label="yes")
    assert screen_of(study, third)["state"] == "done"
    answer_all(study, people[0], right)
    answer_all(study, people[1], lambda number: "no" if number % 5 == 0 else RIGHT[number % 3])
    differ = {number for number in range(0, 15, 5) if RIGHT[number % 3] != "no"}
    decided = {each.item: each for each in decided_votes(study)}
    assert {name for name, each in decided.items() if each.rule == "open"} == {f"thing-{number}" for number in differ}
    seen = []
    answer_all(study, third, lambda number: seen.append(number) or ("part" if number == 5 else RIGHT[number % 3]))
    assert set(seen) == differ
    assert len(seen) == len(differ)
    decided = {each.item: each for each in decided_votes(study)}
    for number in range(15):
        each = decided[f"thing-{number}"]
        assert each.rule == ("third" if number in differ else "agreed")
        assert each.answer["label"] == ("part" if number == 5 else RIGHT[number % 3])
        assert each.votes == (3 if number in differ else 2)


@pytest.mark.parametrize(
    ("answers", "rule", "label"),
    [
        (["yes"], "single", "yes"),
        (["no", "no"], "agreed", "no"),
        (["yes", "no"], "open", None),
        (["yes", "no", "no"], "majority", "no"),
        (["yes", "no", "part"], "open", None),
        (["yes", "yes", "no", "no"], "open", None),
    ],
)
def test_votes_decide_an_item_if_all_or_most_are_alike(made, answers, rule, label):
    study, people = made(people=len(answers), per_item=len(answers), items=1)
    for person, answer in zip(people, answers, strict=True):
        say(study, person, label="yes")
        say(study, person, label=answer, why=person.name)
    [decided] = decided_votes(study)
    assert decided.rule == rule
    assert (decided.answer or {}).get("label") == label
    assert decided.people == tuple(p.name for p, a in zip(people, answers, strict=True) if a == label)


def test_agreement_is_that_of_the_answers_by_another_program(made):
    study, people = made(people=2, per_item=2, items=40)
    draw = np.random.default_rng(3)
    answers = defaultdict(dict)
    for person in people:
        for number in range(40):
            wrong = draw.random() < 0.3
            answers[person.name][number] = RIGHT[(number + wrong) % 3]
        answer_all(study, person, lambda number, own=answers[person.name]: own[number])
    first, second = ([each[number] for number in range(40)] for each in answers.values())
    [agreement] = status_of(study).agreement
    assert (agreement.field, agreement.people) == ("label", 2)
    assert agreement.statistic.value == pytest.approx(cohen_kappa_score(first, second))
    assert agreement.statistic.low < agreement.statistic.value < agreement.statistic.high


def test_who_is_fast_or_always_says_the_same_is_seen_and_who_is_neither_is_not(made):
    study, people = made(people=3, per_item=3, items=24)
    for person, seconds in zip(people, (6.0, 1.0, 5.0), strict=True):
        while (screen := screen_of(study, person))["state"] == "item":
            number = labels.number_of(screen)
            say(study, person, label="no" if person is people[2] else RIGHT[number % 3], seconds=seconds)
    status = status_of(study)
    assert [(each.fast, each.constant) for each in status.people] == [
        (False, None),
        (True, None),
        (False, "label: no"),
    ]
    assert [each.seconds for each in status.people] == [6.0, 1.0, 5.0]
    assert any("constant: label: no" in line for line in status_lines(status))


def test_after_so_many_items_and_at_the_end_those_where_people_differ_are_listed_without_names(made, monkeypatch):
    monkeypatch.setattr(study_status, "DISCUSSED", 10)
    study, people = made(people=2, per_item=2, items=16)
    answer_all(study, people[0], lambda _: "yes")
    assert status_of(study).discussions == []
    answer_all(study, people[1], lambda number: "no" if number % 3 == 0 else "yes")
    discussion, rest = status_of(study).discussions
    assert (discussion.first, discussion.last, rest.first, rest.last) == (1, 10, 11, 16)
    listed = {each.item for each in discussion.items}
    order = [vote.item for vote in sorted(study.last_votes(), key=lambda vote: vote.at) if vote.kind == "item"][16:]
    differ = {vote.item for vote in study.last_votes() if vote.answer["label"] == "no"}
    assert listed
    assert listed == differ & set(order[:10])
    assert {each.item for each in rest.items} == differ & set(order[10:])
    assert "p01" not in str(discussion)


def test_what_a_dashboard_shows_again_is_what_stands_now(made):
    study, [one, two] = made(people=2, per_item=2, items=4)
    cache = StatusCache(study)

    def require_now():
        assert cache.status() == status_of(study)
        assert cache.status() is cache.status()

    require_now()
    say(study, one, label="yes")
    require_now()
    screen, _ = say(study, one, label="yes")
    require_now()
    again = earlier_screen(study, one, screen["id"])
    store_vote(study, one, Vote("again", one.name, again["id"], again["revision"], {"label": "no"}, 1.0))
    require_now()
    revoke(study, two.name)
    require_now()
    revoke(study, one.name)
    invite_again(study, two.name)
    require_now()
    invite(study, 1, third=True)
    require_now()


def test_a_new_address_ends_the_earlier_one_and_who_is_revoked_has_none(made):
    study, [person] = made(items=3)
    [late] = invite(study, 1)
    again = invite_again(study, person.name)
    assert person_of(study, again.token).name == person.name
    say(study, person, label="yes")
    newer = invite_again(study, person.name)
    assert person_of(study, again.token) is None
    assert screen_of(study, person_of(study, newer.token))["done"] == 1
    revoke(study, person.name)
    assert person_of(study, newer.token).revoked
    assert person_of(study, late.token).revoked is None
    for call in (revoke, invite_again):
        with pytest.raises(InputError, match=r"unknown person of this study 'p0': did you mean"):
            call(study, "p0")
    with pytest.raises(InputError, match="1 to 998 more are allowed"):
        invite(study, 999)


def test_who_comes_later_gets_the_items_that_lack_votes(made):
    study, people = made(people=2, per_item=1, items=10)
    answer_all(study, people[0], lambda _: "yes")
    revoke(study, people[1].name)
    [invitation] = invite(study, 1)
    late = person_of(study, invitation.token)
    answer_all(study, late, lambda _: "yes")
    assert Counter(vote.item for vote in study.votes()) == {f"thing-{number}": 1 for number in range(10)}
    with pytest.raises(InputError, match="every item has its 1 votes: nobody more is needed"):
        invite(study, 1)


def test_a_study_is_opened_with_its_own_database_alone_and_no_file_has_the_password(cluster, tmp_path):
    address = cluster.database()
    study_of(tmp_path / "one", address).store.close()
    for path in (tmp_path / "one").rglob("*"):
        assert PASSWORD not in path.read_bytes().decode(errors="replace")
    with pytest.raises(InputError, match="votes are in a database elsewhere: name it with --database"):
        open_study(tmp_path / "one")
    with pytest.raises(InputError, match="it holds a study already"):
        study_of(tmp_path / "two", address)
    assert not (tmp_path / "two").exists()
    study_of(tmp_path / "two", cluster.database()).store.close()
    with pytest.raises(InputError, match="is not that of this study"):
        open_study(tmp_path / "two", address)
    open_study(tmp_path / "one", address).store.close()


def test_a_study_that_cannot_be_made_leaves_nothing_behind(tmp_path, monkeypatch):
    twice = labels.TASK.__class__(**{**vars(labels.TASK), "items": lambda *_: [labels.item_of(1), labels.item_of(1)]})
    monkeypatch.setitem(tasks.GENERAL, "twice", twice)
    with pytest.raises(InputError, match="item 'thing-1' occurs twice"):
        study_of(tmp_path / "study", task="twice")
    assert list(tmp_path.iterdir()) == []
    study_of(tmp_path / "study").store.close()
