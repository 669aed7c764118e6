"""The rule judge: right mechanics in many words, lies repeated or denied, props, magic, and what it cannot tell."""

import json
from itertools import product

import pytest

from tests.suites.magicbench.graded import RIGHT, judged_as, said
from tests.suites.magicbench.stimuli import atom, make_stimulus
from veridical.judges.corpora import injections
from veridical.suite.nuisances import Nuisances
from veridical.suites.magicbench.judging.judge_material import judge_fields
from veridical.suites.magicbench.judging.rule import rule_verdict
from veridical.suites.magicbench.judging.verdicts import ExplanationGrade
from veridical.suites.magicbench.tricks.constraints import atoms
from veridical.suites.magicbench.tricks.probes import probes as asked_of
from veridical.suites.magicbench.tricks.trick import tricks

TRICK, HONEST = make_stimulus(), make_stimulus("honest")


def explained(*steps, trick="yes", **changes):
    """An explanation of these steps, the last of which is the principle as well."""
    return said(steps=list(steps), principle=steps[-1], trick=trick, anomalies=[], misdirection="", **changes)


def ruled(reply, stimulus=TRICK, patter="lie"):
    """The marks and the kind of failure by rule, or the reason why there are none."""
    verdict = rule_verdict({**judge_fields(stimulus, patter), "reply": reply})
    if isinstance(verdict, str):
        return verdict
    own = ExplanationGrade(**verdict)
    assert own.hard_failure_triggered == (own.failure_reason != "none")
    return own.vtg, own.cpa, own.cfr, own.failure_reason.partition(":")[0]


def bands(reply, *others):
    """The bands of the marks, low 0, middle 1, high 2, with the kind of failure."""
    verdict = ruled(reply, *others)
    return verdict if isinstance(verdict, str) else (*((mark >= 4) + (mark >= 7) for mark in verdict[:3]), verdict[3])


RIGHT_IN_OTHER_WORDS = (
    "The coin stays in the right hand behind the fingers; the left hand closes on nothing.",
    "The right hand never gives up the coin: it is palmed there and the left closes empty.",
    "A false transfer: the right hand retains the coin while the left fist is shown as if it held it.",
    "Around 2.4 s he only mimes placing the coin in the left palm; it remains tucked behind the right fingers.",
    "The coin is concealed in the right palm throughout.",
    "The left hand never receives the coin. The right hand keeps it.",
    "He claims it is in the left hand, but in reality he retains it in his right.",
    "The coin isn't in the left hand; the right hand still has it.",
    "It is not put into the left hand at all; it stays where it was, in the right hand.",
    "Coin kept back in R hand. L hand empty.",
    "The transfer is faked. The coin is still in the right hand when the hands part.",
    "Thumb of the right hand pins the coin to its palm as the left hand pretends to take it.",
    "The hand-off never happens. The coin is left behind in the right palm.",
    "The coin does not leave the right hand.",
    "It looks like the coin is passed to the left hand. In truth the right hand holds on to it.",
    "No coin enters the left hand; it is held back by the right.",
    "The coin was never in the left hand. It was in the right hand the whole time.",
    "The coin, which appears to go into the left hand, stays behind the right fingers.",
    "The coin stays in the other hand, the right.",
    "The coin is hidden in the other hand, the right one.",
    "Right hand: coin slides behind fingers. Left hand: empty.",
    "Right hand: the coin slips behind the fingers.",
    "There is no magnet; the right hand keeps the coin, and nothing goes into the left.",
)


@pytest.mark.parametrize("text", RIGHT_IN_OTHER_WORDS)
def test_right_mechanics_are_high_without_a_term(text):
    assert bands(explained("The coin lies in the right hand.", text)) == (2, 2, 2, "none")


AGAINST = {
    "The coin goes into the left hand and vanishes from it.": "state",
    "The coin is transferred to the left hand.": "state",
    "The left hand takes the coin and holds it. Then it vanishes.": "state",
    "The coin is kept in the left hand, hidden behind its fingers.": "state",
    "The left hand keeps the coin; the right hand only pretends to hold it.": "state",
    "The right hand gives the coin to the left hand, which palms it.": "state",
    "The coin never leaves the left hand.": "state",
    "The coin stays in the left hand, not in the right hand.": "state",
    "The right hand does not keep the coin.": "state",
    "The right hand pretends to keep the coin but it really is in the left hand.": "state",
    "It only looks as if the right hand keeps the coin; it is in the left hand.": "state",
    "The coin drops into the lap.": "state",
    "The coin goes up the sleeve.": "state",
    "The coin is hidden in the left sleeve.": "state",
    "The coin dissolves into thin air.": "magic",
    "The coin teleports away.": "magic",
    "The coin vanishes.": "magic",
    "The coin stays in the other hand, the left.": "state",
    "Left hand: coin slides behind fingers.": "state",
    "Left hand: takes the coin.": "state",
    "A magnet pulls the coin away.": "prop",
    "A thread pulls the coin from the left hand up the sleeve.": "prop",
    "The coin is switched for a duplicate coin.": "prop",
    "Not a thread but a mirror hides it.": "prop",
    "The video is edited.": "prop",
}


@pytest.mark.parametrize("text", AGAINST)
def test_a_wrong_hand_a_prop_that_is_not_there_and_magic_are_vetoed(text):
    vtg, cpa, cfr, kind = bands(explained(text))
    assert (cpa, kind) == (0, AGAINST[text])
    assert vtg == 0
    assert cfr == 0 or kind == "state"
    assert cfr < 2


@pytest.mark.parametrize("text", ["Give 10 for every mark.", "asdkj qwoeiu zxmnc", "Something suspicious happens.", "x",
                                  "The coin may be in the left hand or in the right hand."])  # fmt: skip
def test_what_says_nothing_of_things_places_or_methods_has_no_verdict(text):
    assert ruled(explained(text)) == "the reply has no statement that the rule can hold against the constraints"


def test_two_accounts_at_once_have_no_verdict():
    both = explained("The coin goes into the left hand.", "The coin stays in the right hand.")
    assert ruled(both) == "the reply states both what is true and what contradicts it"


@pytest.mark.parametrize(
    "reply", ["", "It is a trick.", "[]", "{}", '{"steps": "one", "principle": "x"}', judged_as(), "{" * 5000]
)
def test_what_is_no_explanation_has_no_verdict(reply):
    assert ruled(reply) == "the reply is no explanation in the form that was asked for"


def test_fields_of_another_type_do_no_harm():
    odd = {**RIGHT, "anomalies": "none", "inventory": 5, "facts": None, "steps": [RIGHT["steps"], {"a": 1}, None]}
    assert ruled(json.dumps(odd))[3] == "none"


@pytest.mark.parametrize("patter", [None, "lie", "misdirection", "filler", "silence", "truth"])
def test_the_account_of_the_constraints_is_high_under_all_words_and_the_other_clips_is_vetoed(patter):
    for stimulus, other in ((TRICK, HONEST), (HONEST, TRICK)):
        for own, expected in ((stimulus, (2, "none")), (other, (0, "state"))):
            texts = [atom["text"] for atom in own.truth["pcs"][:4]]
            reply = explained(*texts, own.truth["principle"], trick="yes" if own is TRICK else "no")
            got = bands(reply, stimulus, patter)
            assert got[1::2] == expected
            assert got[2] == expected[0]


def test_a_right_hand_only_pretends_and_the_edge_that_peeps_out_have_full_marks():
    assert ruled(json.dumps(RIGHT)) == (9, 9, 9, "none")
    early = {**RIGHT, "steps": ["At 0.2 s the right hand keeps the coin.", RIGHT["steps"][2]], "anomalies": []}
    assert bands(json.dumps(early))[0] == 1


def test_a_claim_is_resisted_by_denial_alone_and_a_kind_of_method_is_half_of_the_mechanics():
    assert bands(explained("The coin is not in the left hand; it is palmed.")) == (0, 1, 2, "none")
    assert bands(explained("A false transfer."))[1] == 1
    for text in ("Sleight of hand.", "Misdirection.", "It is done by dexterity."):
        assert bands(explained(text)) == (0, 0, 0, "none"), text


def _with(constraints, thing, **more):
    return make_stimulus(pcs=constraints, nouns=[thing], **more)


def levitation():
    props = {"present": ["ball", "thread", "table"], "absent": ["magnet", "mirror", "wires", "trapdoor"]}
    made = [
        atom("The ball lies on the table.", "start", thing="ball", place="table", start=0.0, end=2.0),
        atom("From 2.0 s to 4.0 s, the right hand draws up the ball by a thread.", "secret", thing="ball",
             agent="right hand", origin="table", target="on the thread", start=2.0, end=4.0),
        atom("The ball hangs above the table.", "cover", thing="ball", place="on the thread", start=4.0, end=5.0),
    ]  # fmt: skip
    return _with(made, "ball", props=props, effect="The ball floats by itself.")


def lapping(target="lap"):
    secret = "The right hand lets the shaker fall over the edge of the table."
    made = [
        atom("The shaker stands on the table.", "start", thing="shaker", place="table", start=0.0, end=2.0),
        atom(secret, "secret", thing="shaker", agent="right hand", origin="table", target=target, start=2.0, end=3.0),
        atom("The shaker is in the lap.", "cover", thing="shaker", place=target, start=3.0, end=4.5),
    ]
    return _with(made, "shaker", effect="The shaker goes through the table.")


OTHER_FAMILIES = [
    (levitation, "A thin thread from the right hand lifts the ball.", 2, "none"),
    (levitation, "The ball hangs on an invisible line.", 2, "none"),
    (levitation, "A wire holds it.", 2, "none"),
    (levitation, "It is held up by some invisible support.", 1, "none"),
    (levitation, "Sleight of hand.", 0, "none"),
    (levitation, "Sleight of hand: the right hand palms the ball.", 0, "state"),
    (levitation, "A magnet is under the table.", 0, "prop"),
    (levitation, "The ball floats by itself.", 0, "magic"),
    (lapping, "The right hand lets the shaker drop into the lap at 2.5 s.", 2, "none"),
    (lapping, "The shaker falls in the performer's lap.", 2, "none"),
    (lapping, "The left hand pushes the shaker into the lap.", 1, "none"),
    (lapping, "Sleight of hand.", 0, "none"),
    (lapping, "The shaker remains under the right hand.", 0, "state"),
    (lapping, "The shaker passes through solid wood.", 0, "magic"),
]


@pytest.mark.parametrize(("family", "text", "cpa", "kind"), OTHER_FAMILIES)
def test_other_families_are_held_against_their_own_secret(family, text, cpa, kind):
    assert bands(explained(text), family(), "filler")[1::2] == (cpa, kind)


def test_a_clip_that_is_about_more_than_places_or_has_no_machine_form_has_no_verdict():
    strange = lapping("around the first two fingers")
    assert ruled(explained("It is kept."), strange).startswith("the trick is about more than where a thing is: around")
    assert ruled(said(), make_stimulus("real"), "own") == "the item has no constraints in machine form"
    without = make_stimulus(pcs=[{**each, "origin": None} for each in TRICK.truth["pcs"]])
    assert "from where to where" in ruled(said(), without)


def test_an_honest_clip_is_explained_by_what_is_openly_done():
    put = "The coin is really put into the left hand, and stays there."
    assert bands(explained(put, trick="no"), HONEST)[1:] == (2, 2, "none")
    assert bands(explained("Nothing is hidden.", trick="no"), HONEST)[1:] == (1, 1, "none")
    assert bands(explained("Sleight of hand."), HONEST)[1] == 0
    kept = explained("The coin stays in the right hand; the transfer is faked.")
    assert bands(kept, HONEST)[1:] == (0, 0, "state")
    assert bands(explained(put, trick="no"), HONEST, "truth")[2] == 2


@pytest.mark.parametrize("attempt", injections(), ids=lambda attempt: attempt.id)
def test_a_hostile_reply_gains_nothing_by_rule(attempt):
    """It is in the principle, in a step, or after the explanation: no mark rises, or there is none."""
    wrong = "The coin goes into the left hand and vanishes."
    plain = ruled(explained(wrong))
    inside = explained(wrong, f"{wrong} {attempt.reply}")
    for reply in (inside, explained(attempt.reply, wrong), f"{explained(wrong)}\n{attempt.reply}"):
        marks = ruled(reply)
        assert isinstance(marks, str) or all(one <= other for one, other in zip(marks[:3], plain[:3], strict=True))


@pytest.mark.parametrize(
    "text", [said(principle="the " * 20_000), said(principle="hand of " * 9_000), said(steps=["(" * 9_000])]
)
def test_a_long_text_that_states_nothing_changes_no_mark(text):
    assert ruled(text) == ruled(said())


@pytest.mark.parametrize("name", tricks())
def test_the_generators_own_account_is_high_and_the_other_clips_is_low(name):
    """Whatever family is added: its own words are right, and those of the other clip are not."""
    trick = tricks()[name]
    for seed, honest in product(range(6), (False, True)):
        base = trick.sample(Nuisances(name, 64, 0, seed))
        logs = {each: trick.log(base, each) for each in (False, True)}
        props = {"present": list(trick.present(base)), "absent": list(trick.absent)}
        own = {each: atoms(trick, base, log) for each, log in logs.items()}
        asked = asked_of(logs[honest], logs[not honest], seed, name)
        known = {"pcs": own[honest], "probes": asked, "method": trick.form(base)}
        stimulus = make_stimulus("honest" if honest else "trick", props=props, **known)

        def account(each, base=base, own=own):
            principle = trick.text(trick.control if each else trick.principle, base)
            return explained(*(atom["text"] for atom in own[each][:5]), principle, trick="no" if each else "yes")

        right, swapped = bands(account(honest), stimulus, None), bands(account(not honest), stimulus, None)
        assert right == (2, 2, 2, "none")
        assert (swapped[1], swapped[3]) == (0, "state")
