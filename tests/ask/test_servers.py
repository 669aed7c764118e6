"""Several servers of one model: everything is asked once whichever fail and when; shares, cache, secrets, resuming."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.ask.plans import picture, plan, put, trial_of
from tests.ask.server import Reply, Request, Server, refused, said, serve
from veridical.ask import Policy, Progress, Run, Sampling, ask, open_model
from veridical.errors import InputError

AWAY = {"connection": 3, "server": 3}
QUICK = Policy(max_connections=6, max_requests=3, attempt_timeout=60, backoff=0.01, stop_after=AWAY)
CUT = Reply(cut=True)
Behaviour = Callable[[Request], Reply]


@pytest.fixture(autouse=True)
def _no_certificates(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each client would load them all, which takes longer than what is asked here."""
    monkeypatch.setenv("SSL_CERT_DIR", str(Path(__file__).parent))


class Remarks(Progress):
    """Keeps the lines that a person is told."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def remark(self, line: str) -> None:
        self.lines.append(line)


@contextmanager
def serving(*behaviours: Behaviour) -> Iterator[list[Server]]:
    with ExitStack() as stack:
        yield [stack.enter_context(serve(each)) for each in behaviours]


def urls(servers: list[Server]) -> list[str]:
    return [server.url for server in servers]


def put_on(folder: Path, places: list[str], trials, policy: Policy = QUICK, repeats: int = 1, **options):
    """As `plans.put`, with the addresses stored as a run of the library stores them, and what a person was told."""
    shown = Remarks()
    run = Run.start(folder, {"model": "m", "suite": "toy"}, {}, trials, factors={}, repeats=repeats)
    model = open_model("m", base_url=places, model_args={}, sampling=Sampling(), policy=policy)
    return ask(run, trials, model, media=picture, policy=policy, progress=shown, **options), shown.lines


def yes(_: Request) -> Reply:
    return said("Yes")


def failing(first: int, last: float, reply: Reply) -> Behaviour:
    """A server that sends this to its requests from the `first` to before the `last`, and answers all others."""
    return lambda request: reply if first <= request.number < last else said("Yes")


FAILURES = st.tuples(
    st.integers(1, 8),
    st.integers(0, 8) | st.just(10**9),
    st.sampled_from([CUT, refused(500), refused(503, "overloaded"), refused(429, "slow down"), Reply(torn=True)]),
)


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(failures=st.lists(FAILURES, min_size=1, max_size=3), steady=st.integers(0, 3))
def test_every_trial_is_answered_once_whichever_servers_fail_and_when(
    tmp_path_factory: pytest.TempPathFactory, failures, steady: int
):
    behaviours = [failing(first, first + many, reply) for first, many, reply in failures]
    behaviours.insert(min(steady, len(behaviours)), yes)
    folder, trials = tmp_path_factory.mktemp("run"), plan(8, 2)
    with serving(*behaviours) as servers:
        tally, _ = put_on(folder, urls(servers), trials)
    assert (tally.missing, tally.errors, tally.limit, tally.asked) == (0, 0, None, len(trials))
    stored = list(Run.open(folder).attempts())
    assert sorted(each.trial for each in stored) == sorted(trial.id for trial in trials)
    assert all(each.server in range(len(servers)) for each in stored)
    # A request on a connection that was just closed is sent, and seen by no server.
    assert tally.requests >= sum(len(server.requests) for server in servers) >= len(trials)


def test_the_questions_on_a_stimulus_go_to_one_server_in_every_repeat(tmp_path: Path):
    with serving(yes, yes, yes) as servers:
        put_on(tmp_path, urls(servers), plan(12, 3), repeats=2)
        where = defaultdict(set)
        for number, server in enumerate(servers):
            for request in server.requests:
                where[trial_of(request).split("/")[0]].add(number)
    assert len(where) == 12
    assert all(len(each) == 1 for each in where.values())
    assert {number for each in where.values() for number in each} == {0, 1, 2}
    stored = Run.open(tmp_path).attempts()
    assert all(where[each.trial.split("/")[0]] == {each.server} for each in stored)


def test_a_fast_server_gets_more_than_a_slow_one_and_neither_gets_all(tmp_path: Path):
    with serving(lambda _: said("Yes", delay=0.2), lambda _: said("Yes", delay=0.02)) as (slow, fast):
        put_on(tmp_path, urls([slow, fast]), plan(60, 1))
        assert len(fast.requests) > 2 * len(slow.requests) > 0
        assert slow.most_open == fast.most_open == 3


def test_a_server_that_comes_back_is_used_again_and_both_are_told(tmp_path: Path):
    # Pauses of .01 s that double, so all fail within .4 s; the other server alone would take 1.4 s.
    with serving(lambda _: said("Yes", delay=0.03), failing(5, 12, CUT)) as servers:
        tally, lines = put_on(tmp_path, urls(servers), plan(240, 1))
        address = servers[1].url
        assert (tally.missing, tally.errors) == (0, 0)
        assert len(servers[1].requests) > 12
    assert [line.split(",")[0].split(": ")[0] for line in lines] == [
        f"the server {address} is passed over",
        f"the server {address} answers again",
    ]


def test_a_server_that_is_passed_over_is_probed_by_one_request_at_a_time(tmp_path: Path):
    open_at: list[int] = []

    def away(request: Request) -> Reply:
        if request.number > 20:
            open_at.append(servers[1].open)
        return refused(500)

    with serving(lambda _: said("Yes", delay=0.01), away) as servers:
        tally, _ = put_on(tmp_path, urls(servers), plan(150, 1))
        assert (tally.missing, tally.errors) == (0, 0)
        # The pauses double, so that few requests of many are lost on it.
        assert len(servers[1].requests) < 40
    assert set(open_at) <= {1}


def test_when_all_are_gone_the_run_stops_with_what_each_said_and_goes_on_elsewhere(tmp_path: Path):
    with serving(failing(8, 10**9, refused(500, "out of memory")), failing(8, 10**9, CUT)) as servers:
        tally, _ = put_on(tmp_path, urls(servers), plan(40, 1))
        first, second = urls(servers)
    assert tally.limit is not None
    assert tally.limit.startswith(f"no server is left: {first}: HTTP 500, it says: out of memory; {second}: ")
    assert 0 < tally.missing < 40
    answered = {each.trial for each in Run.open(tmp_path).responses().values() if each.error is None}
    with serving(yes) as (other,):
        again, _ = put_on(tmp_path, [other.url], plan(40, 1))
        asked_again = {trial_of(request) for request in other.requests}
    assert (again.missing, again.limit) == (0, None)
    assert not asked_again & answered
    assert len(asked_again) + len(answered) == 40


@pytest.mark.parametrize(
    ("reply", "words"), [(refused(401, "who are you"), "refuses the key"), (refused(404, "no m here"), "is not there")]
)
@pytest.mark.parametrize("place", [0, 1])
def test_a_server_with_another_key_or_without_the_model_is_left_out_with_one_line(
    tmp_path: Path, reply: Reply, words: str, place: int
):
    behaviours = [yes, yes]
    behaviours[place] = lambda _: reply
    with serving(*behaviours) as servers:
        tally, lines = put_on(tmp_path, urls(servers), plan(20, 1))
        assert (tally.missing, tally.errors) == (0, 0)
        assert len(lines) == 1
        assert f"{servers[place].url} is left out" in lines[0]
        assert words in lines[0]
        assert len(servers[place].requests) <= QUICK.max_connections


def test_when_no_server_takes_the_first_trial_nothing_more_is_sent_and_each_is_named(tmp_path: Path):
    with serving(lambda _: refused(401, "who are you"), lambda _: CUT, lambda _: refused(404, "no m here")) as servers:
        with pytest.raises(InputError, match="nothing more was sent") as told:
            put_on(tmp_path, urls(servers), plan(5, 1))
        assert all(f"{server.url}: " in str(told.value) for server in servers)
        assert "who are you" in str(told.value)
        assert "no m here" in str(told.value)
        assert sum(len(server.requests) for server in servers) <= 4
    assert not Run.open(tmp_path).responses()


def test_a_refusal_for_too_many_requests_pauses_that_server_alone(tmp_path: Path):
    busy = failing(3, 4, refused(429, "slow down", retry_after="2"))
    with serving(lambda _: said("Yes", delay=0.02), busy) as (steady, paused):
        tally, lines = put_on(tmp_path, urls([steady, paused]), plan(60, 1))
        assert (tally.missing, tally.errors, lines) == (0, 0, [])
        late = [request for request in paused.requests if request.number > 6]
        refused_at = paused.requests[2].at
        assert all(request.at > refused_at + 1.9 for request in late)
        assert len(steady.requests) > 40


def test_one_server_is_asked_as_ever_and_no_line_names_it(tmp_path: Path, server: Server):
    put(tmp_path, server.url, plan(3, 1))
    lines = [json.loads(line) for line in (tmp_path / "responses.jsonl").read_text().splitlines()]
    assert len(lines) == 3
    assert all("server" not in line for line in lines)


def test_the_server_of_a_response_is_no_part_of_its_digest(tmp_path: Path):
    with serving(yes, yes) as servers:
        put_on(tmp_path / "two", urls(servers), plan(8, 1))
        put(tmp_path / "one", servers[0].url, plan(8, 1))
    one, two = (Run.open(tmp_path / name).responses() for name in ("one", "two"))
    assert {key: each.digest for key, each in one.items()} == {key: each.digest for key, each in two.items()}
    assert Counter(each.server for each in two.values()).keys() == {0, 1}


def test_credentials_in_any_address_are_written_nowhere(tmp_path: Path):
    def told(request: Request) -> Reply:
        return said(f"Yes {request.headers['authorization']} {request.path} sesame-two hidden-query")

    with serving(told, told) as servers:
        first, second = (url.removeprefix("http://") for url in urls(servers))
        places = [f"http://me:sesame-one@{first}", f"http://me:sesame-two@{second}?token=hidden-query"]
        tally, _ = put_on(tmp_path, places, plan(6, 1))
        assert tally.missing == 0
        assert all(server.requests for server in servers)
    content = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert not any(secret in content for secret in (b"sesame-one", b"sesame-two", b"hidden-query"))


def test_an_address_that_stands_twice_is_refused_without_its_secrets():
    places = ["http://h:1/v1", "http://me:sesame@h:1/v1/?key=hidden"]
    with pytest.raises(InputError, match="http://h:1/v1 is given twice") as told:
        open_model("m", base_url=places, model_args={}, sampling=Sampling(), policy=QUICK)
    assert "sesame" not in str(told.value)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("model", ["veridical/pixel", "veridical-hf/org/vlm"])
def test_a_model_in_this_process_has_no_list_of_servers(model: str):
    with pytest.raises(InputError, match="leave out the base URL"):
        open_model(model, base_url=["http://h:1/v1", "http://h:2/v1"], model_args={}, sampling=Sampling(), policy=QUICK)
