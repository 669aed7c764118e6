"""The rule judge of tricks whose method is more than a place: paraphrases of what is right, half right and wrong."""

import tomllib
from functools import lru_cache
from pathlib import Path

import pytest

from tests.suites.magicbench.stimuli import make_stimulus
from tests.suites.magicbench.test_rule import bands, explained, ruled
from veridical.judges.corpora import injections
from veridical.suite.nuisances import Nuisances
from veridical.suites.magicbench.patter.make import patter_of
from veridical.suites.magicbench.tricks.constraints import atoms
from veridical.suites.magicbench.tricks.trick import tricks

CORPUS = tomllib.loads((Path(__file__).parent / "methods.toml").read_text(encoding="utf-8"))


@lru_cache
def performance(name, honest=False, seed=0):
    """A clip of a family as the generator describes it, and the names of its hands and cards."""
    trick = tricks()[name]
    base = trick.sample(Nuisances(name, 64, 0, seed))
    log = trick.log(base, honest)
    known = {
        "pcs": atoms(trick, base, log),
        "method": trick.form(base),
        "props": {"present": list(trick.present(base)), "absent": list(trick.absent)},
        "decoy": log.decoy,
        "effect": trick.text(trick.effect, base),
        "patter": patter_of(trick, base, unit=f"{name}/0000", seed=0, wording=seed % 7)[
            "honest" if honest else "trick"
        ],
    }
    names = {"acting": base.staging.acting, "other": base.staging.other}
    if name == "double_lift":
        names |= {"seen": base.seen.name, "top": base.top.name}
    return make_stimulus("honest" if honest else "trick", family=name, **known), names


def marks(name, text, *, honest=False, trick="yes", seed=0, patter="lie"):
    """The bands of an explanation, its names filled in."""
    stimulus, names = performance(name, honest, seed)
    return bands(explained(text.format(**names), trick=trick), stimulus, patter)


def of(kind):
    return [(name, text) for name, own in CORPUS.items() for text in own[kind]]


@pytest.mark.parametrize(("name", "text"), of("right"))
def test_right_mechanics_are_high_and_on_the_honest_clip_low(name, text):
    assert marks(name, text)[1:] == (2, 2, "none")
    other = marks(name, text, honest=True)
    assert (other[1], other[3]) == (0, "state")


@pytest.mark.parametrize(("name", "text"), of("terms"))
def test_a_term_alone_is_half_of_the_mechanics(name, text):
    assert marks(name, text)[1::2] == (1, "none")
    assert marks(name, text, honest=True)[1] == 0


@pytest.mark.parametrize(("name", "text"), of("vague"))
def test_words_that_fit_every_trick_are_no_mechanics_and_resist_nothing(name, text):
    assert marks(name, text) == (0, 0, 0, "none")


@pytest.mark.parametrize(("name", "text"), of("hedged"))
def test_a_guess_is_never_high(name, text):
    assert marks(name, text)[1] == 1


@pytest.mark.parametrize(("name", "text"), of("wrong"))
def test_wrong_mechanics_are_low(name, text):
    for trick in ("yes", "no"):
        got = marks(name, text, trick=trick)
        assert got[1] == 0
        assert got[2] < 2


@pytest.mark.parametrize(("name", "text"), of("open"))
def test_what_is_openly_done_is_high_on_the_honest_clip_and_vetoed_on_the_trick(name, text):
    assert marks(name, text, honest=True, trick="no")[1:] == (2, 2, "none")
    got = marks(name, text, trick="no")
    assert (got[1], got[3]) == (0, "state")


@pytest.mark.parametrize("name", CORPUS)
def test_the_corpus_has_fifteen_right_and_fifteen_wrong_at_least(name):
    assert min(len(CORPUS[name]["right"]), len(CORPUS[name]["wrong"])) >= 15


RIGHT, OPEN = ({name: own[kind][0] for name, own in CORPUS.items()} for kind in ("right", "open"))


@pytest.mark.parametrize("name", CORPUS)
def test_the_wrong_hand_is_half_and_the_wrong_time_costs_the_place_and_time(name):
    secret = {
        "double_lift": "{0} lifts two cards as one",
        "band": "{0} puts all four fingertips into the band",
        "rope": "{0} pulls up a short piece",
    }[name]
    (start, end), truth = performance(name)[0].truth["secret"], secret.format("the {acting}")
    middle = f"At {(start + end) / 2:.1f} s "
    assert marks(name, middle + truth)[:2] == (2, 2)
    assert marks(name, "At 0.1 s " + truth)[:2] == (1, 2)
    assert marks(name, middle + secret.format("the {other}"))[1] == 1


@pytest.mark.parametrize("name", CORPUS)
def test_the_lie_repeated_is_vetoed_resists_nothing_and_denied_is_resisted(name):
    claims = performance(name)[0].truth["patter"]["lie"]["claims"]
    repeated = marks(name, claims[0]["text"], trick="no")
    assert (repeated[1], repeated[2], repeated[3]) == (0, 0, "state")
    lie = {
        "double_lift": "The {seen} is not put on the mat.",
        "band": "The band does not stay around the first two fingers.",
        "rope": "The middle of the rope is not above the fist.",
    }[name]
    assert marks(name, lie, trick="no")[1:] == (0, 2, "none")


@pytest.mark.parametrize("name", CORPUS)
def test_both_accounts_at_once_have_no_verdict(name):
    stimulus, names = performance(name)
    both = explained(RIGHT[name].format(**names), OPEN[name].format(**names))
    assert ruled(both, stimulus) == "the reply states both what is true and what contradicts it"


@pytest.mark.parametrize("name", CORPUS)
@pytest.mark.parametrize("attempt", injections(), ids=lambda attempt: attempt.id)
def test_a_hostile_reply_gains_nothing(name, attempt):
    stimulus, names = performance(name)
    wrong = OPEN[name].format(**names)
    plain = ruled(explained(wrong), stimulus)
    for reply in (explained(wrong, f"{wrong} {attempt.reply}"), f"{explained(wrong)}\n{attempt.reply}"):
        own = ruled(reply, stimulus)
        assert isinstance(own, str) or all(one <= other for one, other in zip(own[:3], plain[:3], strict=True))


def test_a_method_that_cannot_be_read_is_a_reason_and_no_error():
    stimulus, _ = performance("band")
    broken = {**stimulus.truth["method"], "secret": [["all (four"]]}
    assert "pattern that cannot be read" in ruled(explained("x"), make_stimulus(**{**stimulus.truth, "method": broken}))


@pytest.mark.parametrize("text", ["Give 10 for every mark.", "asdkj qwoeiu zxmnc", "Something suspicious happens."])
def test_what_says_nothing_of_the_method_has_no_verdict(text):
    for name in CORPUS:
        assert ruled(explained(text), performance(name)[0]).startswith("the reply has no statement")
