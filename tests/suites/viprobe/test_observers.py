"""The observers do what their names say, and are handed nothing but what a model would see."""

import asyncio
import base64
import subprocess
import sys
from dataclasses import replace

import pytest

import veridical
from tests.late import inspect_model, inspect_provider
from tests.probe_suite import SUITE as PROBE
from veridical.answers import strict_binary, strict_choice
from veridical.errors import InputError
from veridical.media.draw import encode_png, rasterise
from veridical.observers import GENERAL, Observer, TrialContext
from veridical.observers.plumbing import last_user_turn
from veridical.records import ChatTurn
from veridical.suite import registry
from veridical.suite.record import Suite
from veridical.suite.registry import register
from veridical.suites.viprobe.illusions import CASES
from veridical.suites.viprobe.observers import OBSERVERS, question
from veridical.suites.viprobe.observers.question import match_questions, pixel_reply, prior_reply
from veridical.verbs.runs.models import observer_of

OPPOSITE = {"0": "1", "1": "0"}
NAMES = list(CASES)
every_case = pytest.mark.parametrize("case", CASES.values(), ids=NAMES)
classic = pytest.mark.parametrize("case", [c for c in CASES.values() if not c.novel], ids=lambda case: case.name)
compared = pytest.mark.parametrize("case", [c for c in CASES.values() if c.comparison], ids=lambda case: case.name)


def picture(case, index, alpha, context="figure", size=300):
    return encode_png(rasterise(case.geometry(case.base(size, 3, index), alpha).scene(context)))


def questions(case, index=0, size=300):
    base = case.base(size, 3, index)
    return case.fill(base, case.question), case.fill(base, case.question_reversed)


@every_case
def test_pixel_answers_from_the_picture_in_both_polarities(case):
    for index in range(2):
        forward, backward = questions(case, index)
        for alpha in (0.0, -0.6, 0.6, 1.0):
            right = case.answer(same=alpha == 0)
            for context in ("figure", "control", "hint"):
                png = picture(case, index, alpha, context)
                assert strict_binary(pixel_reply(png, f"Please: {forward}")).answer == right
                assert strict_binary(pixel_reply(png, backward)).answer == OPPOSITE[right]


@compared
def test_pixel_says_which_target_has_more(case):
    _, positive, negative = case.comparison
    reader = strict_choice(positive, negative)
    for index in range(2):
        base = case.base(300, 3, index)
        asked = case.fill(base, case.comparison.question)
        for alpha in (-1.0, 0.6):
            right = positive if case.value(base, alpha) > 0 else negative
            assert reader.read(pixel_reply(picture(case, index, alpha), asked)).answer == right


@every_case
def test_pixel_has_no_answer_where_no_target_is_there(case):
    if not case.inseparable:
        for asked in questions(case):
            assert strict_binary(pixel_reply(picture(case, 0, 0.0, "inducers"), asked)).answer is None


@classic
def test_prior_answers_the_textbook_of_the_unchanged_figure(case):
    forward, backward = questions(case)
    assert strict_binary(prior_reply(forward)).answer == case.answer(same=True)
    assert strict_binary(prior_reply(backward)).answer == case.answer(same=False)


@every_case
def test_prior_knows_no_new_figure_and_no_side(case):
    asked = questions(case) if case.novel else ()
    if case.comparison:
        asked = (*asked, case.fill(case.base(300, 3, 0), case.comparison.question))
    for text in asked:
        assert "<answer>" not in prior_reply(text)


@every_case
def test_a_question_is_understood_as_its_own_cases_and_in_its_own_form(case):
    for index in range(3):
        base = case.base(300, 3, index)
        templates = {"forward": case.question, "reversed": case.question_reversed}
        if case.comparison:
            templates["comparison"] = case.comparison.question
        for form, template in templates.items():
            found = match_questions(f"Look.\n\nQuestion: {case.fill(base, template)}")
            assert (case, form) in found
            assert {each.form for each in found} == {form}
            assert case.novel == found[0].case.novel


def test_a_question_inside_a_longer_one_is_not_the_one_asked_and_the_most_literal_comes_first(monkeypatch):
    templates = {
        "zollner": "the lines parallel?",
        "hering": "Are all {what} parallel?",
        "ponzo": "Are all the lines parallel?",
    }
    patterns = [question._pattern(CASES[name], "forward", text) for name, text in templates.items()]
    monkeypatch.setattr(question, "_patterns", lambda: patterns)
    found = match_questions("Say: Are all the lines parallel?")
    assert [each.case.name for each in found] == ["ponzo", "hering"]


@every_case
def test_neither_guesses_where_it_has_nothing_to_go_on(case):
    png, (forward, _) = picture(case, 0, 0.0), questions(case)
    for foreign in (b"", b"no picture", png[:100]):
        assert strict_binary(pixel_reply(foreign, forward)).answer is None
    assert strict_binary(pixel_reply(png, "What is the capital of France?")).answer is None
    assert strict_binary(prior_reply("What is the capital of France?")).answer is None


def test_pixel_has_no_answer_to_a_question_about_another_figure():
    pictures = {name: picture(CASES[name], 0, 0.0) for name in ("muller_lyer", "simultaneous_contrast", "zollner")}
    for asked in pictures:
        for shown, png in pictures.items():
            answer = strict_binary(pixel_reply(png, questions(CASES[asked])[0])).answer
            assert (answer is not None) == (shown == asked)


def url(png):
    return "data:image/png;base64," + base64.b64encode(png).decode()


def message(png, text, **extra):
    return inspect_model.ChatMessageUser(
        content=[inspect_model.ContentImage(image=url(png)), inspect_model.ContentText(text=text)], **extra
    )


def test_an_observer_is_handed_picture_bytes_and_text_and_nothing_else():
    """Metadata that states the wrong answer, a system turn and an id change neither what is seen nor the reply."""
    case = CASES["zollner"]
    png, (forward, _) = picture(case, 0, 1.0), questions(case)
    lies = message(png, forward, metadata={"trial": "zollner/0000/O?forward", "gold": "1"}, id="zollner/0000/O")
    system = inspect_model.ChatMessageSystem(content="The lines are parallel. <answer>1</answer>")
    shown = last_user_turn([inspect_provider.turn_of(turn) for turn in (system, lies)])
    assert (shown.text, shown.media) == (forward, (png,))
    model = inspect_model.get_model("veridical/pixel", suite="viprobe", config=inspect_model.GenerateConfig())
    replies = [asyncio.run(model.generate([turn])).completion for turn in (lies, message(png, forward))]
    assert replies[0] == replies[1]
    assert strict_binary(replies[0]).answer == "0"


def test_prior_says_the_same_with_any_picture_and_with_none():
    forward, _ = questions(CASES["zollner"])
    model = inspect_model.get_model("veridical/prior")
    turns = [message(picture(CASES["zollner"], 0, alpha), forward) for alpha in (0.0, 1.0)]
    replies = {asyncio.run(model.generate(turn)).completion for turn in ([turns[0]], [turns[1]], forward)}
    assert len(replies) == 1


def test_an_unknown_observer_names_the_nearest():
    with pytest.raises(InputError, match="did you mean 'veridical/pixel'"):
        inspect_model.get_model("veridical/pixle")


def test_what_is_seen_is_every_medium_of_the_last_users_turn_in_order():
    clip = b"\0\0\0\x18ftypisom"
    parts = [
        inspect_model.ContentImage(image=url(b"one")),
        inspect_model.ContentText(text="First?"),
        inspect_model.ContentVideo(video="data:video/mp4;base64," + base64.b64encode(clip).decode(), format="mp4"),
        inspect_model.ContentText(text="Or last?"),
        inspect_model.ContentImage(image="/etc/hostname"),
        inspect_model.ContentImage(image="data:image/png;base64,no!"),
    ]
    turns = [
        message(b"earlier", "Before?"),
        inspect_model.ChatMessageAssistant(content="No."),
        inspect_model.ChatMessageUser(content=parts),
    ]
    turns.append(inspect_model.ChatMessageAssistant(content="I begin"))
    shown = last_user_turn([inspect_provider.turn_of(turn) for turn in turns])
    assert shown.text == "First?\nOr last?"
    assert shown.media == (b"one", clip, b"", b"")
    assert shown.first == b"one"
    assert last_user_turn([ChatTurn("user", ("Well?",))]) == ("Well?", ())


def spying(sees, notes):
    """An observer that notes what it is handed."""

    def opened(model_args, run):
        notes.append((dict(model_args), run))

        def reply(messages, told):
            notes.append((messages, told))
            return "Yes"

        return reply

    return Observer(help="spies", sees=sees, opened=opened, reads="all")


@pytest.mark.parametrize("sees", ["messages", "trial", "run"])
def test_an_observer_is_handed_what_its_record_says_that_it_sees(sees, monkeypatch, tmp_path):
    notes = []
    monkeypatch.setitem(registry.get("viprobe").__dict__, "observers", {"spy": spying(sees, notes)})
    model = inspect_model.get_model("veridical/spy", suite="viprobe", run=str(tmp_path), memoize=False, depth=3)
    said = message(b"x", "?", metadata={"trial": "t/1", "repeat": 2, "gold": "1"}, id="t/1")
    asyncio.run(model.generate([inspect_model.ChatMessageSystem(content="Look.", metadata={"gold": "1"}), said]))
    assert notes[0] == ({"depth": 3}, tmp_path if sees == "run" else None)
    messages, told = notes[1]
    assert told == (None if sees == "messages" else TrialContext(trial="t/1", repeat=2))
    assert messages == [ChatTurn("system", ("Look.",)), ChatTurn("user", (b"x", "?"))]
    assert inspect_provider.sees_trial(model) == (sees != "messages")


def test_no_id_reaches_an_observer_that_sees_messages_alone_in_a_run(monkeypatch, tmp_path):
    notes = []
    monkeypatch.setitem(registry.get("viprobe").__dict__, "observers", {"spy": spying("messages", notes)})
    made = veridical.make("viprobe", out=tmp_path / "set", cases=["zollner"], units=1, levels=2, size=96)
    run = veridical.run(made, "veridical/spy", out=tmp_path / "run", show="quiet", analyze=False)
    ids = [trial.id for trial in run.run.trials()]
    (opened, *calls) = notes
    assert opened == ({}, None)
    assert calls
    for messages, told in calls:
        assert told is None
        shown = str(messages)
        assert not any(each in shown or each.split("?")[0] in shown for each in ids)
        assert str(tmp_path) not in shown


def test_every_observer_is_described_and_those_that_see_more_say_what_they_read():
    for offered in (GENERAL, registry.get("viprobe").observers):
        for name, observer in offered.items():
            assert observer.help.strip()
            assert (observer.reads is None) == (observer.sees == "messages"), name


@pytest.mark.parametrize("name", ["pixel", "prior", "learned-textbook"])
def test_an_observer_that_takes_no_arguments_says_so_before_a_run_begins(name):
    with pytest.raises(InputError, match=f"^veridical/{name} takes no model argument, and 'run' is given$"):
        OBSERVERS[name].identity({"run": "/tmp"})
    with pytest.raises(InputError, match=f"^veridical/{name} takes no model argument, and 'jnd' is given$"):
        inspect_model.get_model(f"veridical/{name}", suite="viprobe", jnd=1, memoize=False)


def test_a_name_is_looked_up_in_the_runs_suite_then_among_the_general_ones_and_nowhere_else(monkeypatch):
    monkeypatch.setattr(registry, "_REGISTERED", dict(registry._REGISTERED))
    other = register(replace(PROBE, name="other"))
    assert observer_of("veridical/eye", other) is other.observers["eye"]
    assert observer_of("veridical/replay", other) is GENERAL["replay"]
    assert observer_of("openai/gpt-4o", other) is None
    for name in ("pixel", "eyes"):
        with pytest.raises(InputError, match=f"unknown embedded model 'veridical/{name}'.*known: .*veridical/eye"):
            observer_of(f"veridical/{name}", other)
        with pytest.raises(InputError, match=f"unknown embedded model 'veridical/{name}'"):
            inspect_model.get_model(f"veridical/{name}", suite="other", memoize=False)
    assert inspect_model.get_model("veridical/eye", memoize=False).api.observer is other.observers["eye"]
    register(replace(PROBE, name="another"))
    with pytest.raises(InputError, match="veridical/eye is an observer of another and of other: say -M suite=NAME"):
        inspect_model.get_model("veridical/eye", memoize=False)
    assert inspect_model.get_model("veridical/eye", suite="other", memoize=False).api.observer is other.observers["eye"]


def test_a_suite_that_is_broken_takes_no_observer_from_the_others(monkeypatch):
    monkeypatch.setattr(registry, "_REGISTERED", dict(registry._REGISTERED))
    registry._REGISTERED["broken"] = Suite(
        name="broken", title="", citation="", parts={**PROBE.parts, "observers": "no.such.module:OBSERVERS"}
    )
    assert inspect_model.get_model("veridical/pixel", suite="viprobe", memoize=False).api.observer is OBSERVERS["pixel"]


def test_naming_the_observers_loads_neither_weights_nor_figures():
    code = (
        "import sys; from veridical.suites.viprobe.observers import OBSERVERS; assert len(OBSERVERS) == 7;"
        "heavy = ('inspect_ai', 'matplotlib', 'veridical.suites.viprobe.illusions', 'openai',"
        "         'veridical.suites.viprobe.observers.learned_observers.weights');"
        "found = [name for name in heavy if name in sys.modules];"
        "from veridical.verbs.runs.models import observer_of;"
        "print([*found, *(name for name in ('inspect_ai', 'openai') if name in sys.modules)])"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "[]"
