"""The patter of each family keeps what its types promise, and the checker refuses words that do not."""

import copy
import re
from collections import Counter
from functools import lru_cache
from itertools import permutations

import pytest

from tests.suites.magicbench.invented import INVENTED
from veridical.suite.nuisances import Nuisances
from veridical.suites.magicbench.patter.check import problems
from veridical.suites.magicbench.patter.make import WORDS, patter_of, wording_of
from veridical.suites.magicbench.patter.wordings import CUES, FILLER, LIES, MISDIRECTION, NOUNS, TRUTHS, VOICES
from veridical.suites.magicbench.stimuli import COMPONENTS, HONEST, TRICK, TYPES
from veridical.suites.magicbench.tricks.constraints import atoms
from veridical.suites.magicbench.tricks.probes import probes
from veridical.suites.magicbench.tricks.trick import tricks

TRICKS = tricks() | INVENTED
each_trick = pytest.mark.parametrize("trick", TRICKS.values(), ids=list(TRICKS))
MANY, SOME = range(42), range(14)
MATCHED = ("lie", "misdirection", "filler")


@lru_cache(maxsize=1000)
def truths(name, index, seed=0):
    """The truths of a unit's trick and of its control, as far as its words are concerned."""
    trick = TRICKS[name]
    base = trick.sample(Nuisances(name, 640, seed, index))
    made = patter_of(trick, base, unit=f"{name}/{index:04d}", seed=seed, wording=wording_of(index, seed))
    both = []
    for variant in (TRICK, HONEST):
        log, twin = (trick.log(base, honest) for honest in (variant == HONEST, variant == TRICK))
        props = {"present": list(trick.present(base)), "absent": list(trick.absent)}
        truth = {"pcs": atoms(trick, base, log), "props": props, "log": log.stored(), "nouns": list(trick.nouns)}
        truth |= {"probes": probes(log, twin, seed, f"{name}/{index:04d}"), "decoy": log.decoy, "seconds": log.seconds}
        both.append(truth | {"patter": made[variant]})
    return both


@each_trick
def test_every_type_keeps_its_promise(trick):
    for index in MANY:
        assert not list(problems(*truths(trick.name, index))), index


@each_trick
def test_lies_contradict_the_trick_and_not_the_control(trick):
    """Read from the stored events by hand: in the trick the thing is elsewhere, in the control it is there."""
    for index in MANY:
        for own, true in zip(truths(trick.name, index), (False, True), strict=True):
            first = own["patter"]["lie"]["claims"][0]
            rows = [row for row in own["log"] if row["event"] == "At" and row["thing"] == first["thing"]]
            (place,) = {row["place"] for row in rows if row["start"] <= first["time"] < row["end"]}
            assert (place == first["place"]) is first["true"] is true
            assert own["pcs"][first["atom"]]["kind"] == "cover"


@each_trick
def test_trick_and_control_hear_the_same_words(trick):
    for index in SOME:
        one, two = (own["patter"] for own in truths(trick.name, index))
        assert list(one) == list(two) == [*TYPES, *COMPONENTS]
        for kind in one:
            assert one[kind]["text"] == two[kind]["text"]
            assert one[kind]["timeline"] == two[kind]["timeline"]


@each_trick
def test_lengths_do_not_depend_on_the_family_or_on_the_type(trick):
    counts = Counter()
    for index in MANY:
        patters = truths(trick.name, index)[0]["patter"]
        (count,) = {len(patters[kind]["text"].split()) for kind in MATCHED}
        counts[count] += 1
        ends = [patters[kind]["timeline"][-1][1] - patters[kind]["timeline"][0][0] for kind in MATCHED]
        assert max(ends) - min(ends) < 0.5
    assert set(counts) <= set(WORDS)
    assert min(counts[count] for count in WORDS) >= len(MANY) // 9


@each_trick
def test_words_are_spoken_when_they_are_about(trick):
    for index in MANY:
        trick_truth = truths(trick.name, index)[0]
        for kind in ("lie", "truth"):
            patter = trick_truth["patter"][kind]
            for each in patter["claims"]:
                assert any(start <= each["time"] <= end for start, end, text in patter["timeline"])
        for patter in trick_truth["patter"].values():
            for start, end, _ in patter["timeline"]:
                assert 0 <= start < end <= trick_truth["seconds"]


@each_trick
def test_wordings_differ_and_are_spoken_english(trick):
    texts = {kind: set() for kind in (*TYPES, *COMPONENTS)}
    for index in range(len(VOICES)):
        for kind, patter in truths(trick.name, index)[0]["patter"].items():
            texts[kind].add(patter["text"])
            for seam in (r"[{}|\[\]]", r"  ", r" [,.!?]", r"[,.!?]{2}", r"\b(\w+) \1\b", r"\b(the|my|a) (the|my|a)\b"):
                match = re.search(seam, patter["text"], re.IGNORECASE)
                assert match is None or match[0].lower() == "very very", (patter["text"], seam)
            for sentence in filter(None, re.split(r"(?<=[.!?]) ", patter["text"])):
                assert sentence[0].isupper(), patter["text"]
                assert sentence[-1] in ".!", patter["text"]
    assert {kind: len(each) for kind, each in texts.items() if kind != "silence"} == dict.fromkeys(
        (kind for kind in texts if kind != "silence"), len(VOICES)
    )


def test_pools_are_equally_long_and_wordings_take_turns():
    assert {len(pool) for pool in (LIES, MISDIRECTION, FILLER[::2], CUES, TRUTHS, NOUNS)} == {len(VOICES)}
    assert len(VOICES) >= 6
    assert Counter(wording_of(index, 3) for index in range(70)) == dict.fromkeys(range(len(VOICES)), 10)


@each_trick
def test_words_depend_on_seed_and_unit_alone(trick):
    base = trick.sample(Nuisances(trick.name, 640, 0, 0))
    made = [patter_of(trick, base, unit=f"{trick.name}/{unit}", seed=0, wording=2) for unit in (0, 0, *range(1, 9))]
    assert made[0] == made[1]
    assert len({own[TRICK]["lie"]["text"] for own in made}) > 1


def changed(kind, text, rows=None):
    """A mutation: another text, in one row, for a type, in both clips."""

    def change(trick, honest):
        for own in (trick, honest):
            patter = own["patter"][kind]
            patter["text"] = text.format(place=own["place"], real=own["real"], decoy=own["decoy"])
            patter["timeline"] = [(0.5, 4.7, patter["text"])]

    return change


def claims_of(kind, change):
    """A mutation of the claims of a type in the trick."""

    def mutate(trick, honest):
        for each in trick["patter"][kind]["claims"]:
            change(each)

    return mutate


def of_one(place, change):
    """A mutation of the patter of the trick (0) or of the control (1) alone."""
    return lambda *both: change(both[place]["patter"])


def moved(kind, shift):
    def mutate(trick, honest):
        for own in (trick, honest):
            own["patter"][kind]["timeline"] = [(s + shift, e + shift, t) for s, e, t in own["patter"][kind]["timeline"]]

    return mutate


def lie_that_is_true(trick, honest):
    """The truth where the lie should be."""
    for own in (trick, honest):
        own["patter"]["lie"] = copy.deepcopy(own["patter"]["truth"])


def other_words(trick, honest):
    honest["patter"]["filler"]["text"] = honest["patter"]["filler"]["text"].replace("coin", "").lower()


MUTATIONS = {
    "a filler with a noun of the scene": (
        changed("filler", "My grandmother kept one old coin in a jar for many years."),
        "filler: it shares coin",
    ),
    "a filler with a plural": (
        changed("filler", "My grandmother always sold rare coins on a rainy Sunday morning."),
        "filler: it shares coins",
    ),
    "a filler with a prop that lies about": (
        changed("filler", "My grandmother wrote long letters to us with a blunt pencil."),
        "filler: it shares pencil",
    ),
    "a filler that is short": (changed("filler", "My grandmother baked."), "filler: it has 3 words"),
    "a filler that is empty": (changed("filler", ""), "filler: it is empty"),
    "a filler that lies": (
        changed("filler", "Years ago my cousin said the coin is in my {place}, oh well."),
        "filler: it claims coin at",
    ),
    "a misdirection that contradicts": (
        changed("misdirection", "Watch my {decoy} closely, for the coin is in my {place} now, friends."),
        "misdirection: it claims coin at",
    ),
    "a misdirection that names another thing": (
        changed("misdirection", "Watch my {decoy} closely. Do not look at the table, please, never mind."),
        "misdirection: it names table",
    ),
    "a misdirection that states something of the decoy": (
        changed("misdirection", "Watch my {decoy} closely. My {decoy} is full, and that is all."),
        "misdirection: .*states something",
    ),
    "a misdirection that states with a verb of its own": (
        changed("misdirection", "My {decoy} glitters with delight, so watch it very closely, my friend."),
        "misdirection: .*is no command",
    ),
    "a misdirection that states with a pronoun": (
        changed("misdirection", "Watch my {decoy} very closely. It swallowed everything, so keep looking at it."),
        "misdirection: .*is no command",
    ),
    "a misdirection to somewhere else": (
        changed("misdirection", "Watch the door closely. Just keep watching, please, and do not blink."),
        "misdirection: it does not name the decoy",
    ),
    "a lie that is true": (lie_that_is_true, "lie: it contradicts no atom"),
    "a lie that claims nothing": (
        changed("lie", "All right. Here we go. Now watch me, nice and slow, my friend."),
        "lie: its words do not claim",
    ),
    "a lie that claims more than is stored": (
        changed("lie", "The coin is in my {place}. In truth the coin is on the table."),
        "lie: it claims coin at table",
    ),
    "a lie that is denied": (
        changed("lie", "All right, the coin is not in my {place}, nice and slow."),
        "lie: its words do not claim",
    ),
    "a lie that is stored as true": (claims_of("lie", lambda each: each.update(true=True)), "lie: .*stored as True"),
    "a lie with another atom": (claims_of("lie", lambda each: each.update(atom=0)), "lie: .*is decided by atom"),
    "a claim at another time": (claims_of("lie", lambda each: each.update(time=0.01)), "lie: .*is not spoken at"),
    "a silence that speaks": (changed("silence", "Well."), "silence: it is not empty"),
    "a cue with a noun": (changed("cue", "Look here, at the coin."), "cue: it shares coin"),
    "a cue that states something": (changed("cue", "Look here. It is amazing."), "cue: .*states something"),
    "nouns with a predicate": (changed("nouns", "The coin vanishes. Left hand."), "nouns: vanishes is no noun"),
    "nouns without any": (changed("nouns", "And."), "nouns: it names nothing"),
    "a truth that is false": (
        changed("truth", "The coin goes into my {place}."),
        "truth: it claims coin at|truth: its words do not claim",
    ),
    "a truth that denies itself": (
        changed("truth", "The coin is in my {real}, not in my {real}."),
        "truth: .*says the opposite, too",
    ),
    "words after the clip": (moved("misdirection", 5.0), "misdirection: .*within the clip"),
    "words that are too fast": (
        of_one(0, lambda own: own["filler"].update(timeline=[(1.0, 1.2, own["filler"]["text"])])),
        "filler: .*too fast",
    ),
    "rows that are not the text": (
        of_one(0, lambda own: own["cue"].update(text="Look.")),
        "cue: the rows are not the text",
    ),
    "other words over the control": (other_words, "filler: the control hears other words"),
    "a type that is missing": (of_one(0, lambda own: own.pop("cue")), "there is no cue"),
    "a type that the control lacks": (
        of_one(1, lambda own: own.pop("cue")),
        "cue: only one of the clips has it",
    ),
    "the control's claims as in the trick": (
        of_one(1, lambda own: [each.update(true=False) for each in own["lie"]["claims"]]),
        "lie, over the control: .*stored as False",
    ),
}


@pytest.mark.parametrize(("change", "line"), MUTATIONS.values(), ids=list(MUTATIONS))
def test_words_that_break_a_promise_are_refused(change, line):
    for index in range(6):
        both = copy.deepcopy(truths("coin", index))
        belief = both[0]["patter"]["lie"]["claims"][0]["place"]
        for own in both:
            own |= {"place": belief, "real": both[0]["patter"]["truth"]["claims"][0]["place"]}
            own["props"]["present"] = sorted({*own["props"]["present"], "pencil"})
        assert not list(problems(*both))
        change(*both)
        assert any(re.match(line, own) for own in problems(*both)), list(problems(*both))


@each_trick
def test_no_type_can_stand_in_for_another(trick):
    for index in SOME:
        one, two = truths(trick.name, index)
        for kind, other in permutations([kind for kind in one["patter"] if kind != "silence"], 2):
            swapped = [own | {"patter": own["patter"] | {kind: own["patter"][other]}} for own in (one, two)]
            assert any(line.startswith(f"{kind}:") for line in problems(*swapped)), (index, kind, other)


def plural(noun):
    return noun if re.search(r"[^s]s$", noun) else f"{noun}es" if noun[-1] in "sx" else f"{noun}s"


@each_trick
def test_words_of_the_scene_are_refused_where_they_may_not_be(trick):
    """Each noun, in the singular and in the plural, in filler talk; each that is not the decoy's in a misdirection."""
    both = truths(trick.name, 3)
    decoy = both[0]["decoy"].split()
    for noun in {*trick.nouns, *both[0]["props"]["present"], both[0]["patter"]["lie"]["claims"][0]["thing"]}:
        for kind in ("filler", "misdirection", "cue"):
            for word in (noun, plural(noun)):
                if kind == "misdirection" and {noun, noun.removesuffix("s")} & set(decoy):
                    continue
                text = f"Look closely, {word}."
                changed_words = {"text": text, "timeline": [(1.0, 3.0, text)], "claims": []}
                changed_both = [own | {"patter": own["patter"] | {kind: changed_words}} for own in both]
                lines = [line for line in problems(*changed_both) if line.startswith(f"{kind}: ")]
                assert any(re.search(rf"(shares|names) .*{word.split()[-1]}", line) for line in lines), (kind, word)


@each_trick
def test_a_claim_is_refused_wherever_it_may_not_be(trick):
    for index in SOME:
        both = truths(trick.name, index)
        lie = both[0]["patter"]["lie"]
        for kind in ("misdirection", "filler", "cue", "nouns"):
            patter = both[0]["patter"][kind]
            row = (patter["timeline"][-1][1], both[0]["seconds"], lie["claims"][0]["text"])
            longer = {"text": f"{patter['text']} {row[2]}", "timeline": [*patter["timeline"], row], "claims": []}
            changed_both = [own | {"patter": own["patter"] | {kind: longer}} for own in both]
            assert any(line.startswith(f"{kind}: it claims") for line in problems(*changed_both))


def test_too_short_a_clip_is_one_clear_line():
    trick = INVENTED["ring"]
    base = trick.sample(Nuisances("ring", 640, 0, 0))

    def short(base, honest):
        log = trick.log(base, honest)
        return type(log)(**{name: getattr(log, name) for name in log.__dataclass_fields__} | {"seconds": 2.0})

    own = type(trick)(**{name: getattr(trick, name) for name in trick.__dataclass_fields__} | {"log": short})
    with pytest.raises(ValueError, match=r"^a clip of 2.00 s is too short for the words"):
        patter_of(own, base, unit="ring/0000", seed=0, wording=0)
