"""The pools of wordings, one per voice and type: what is in brackets may be left out, a bar is where a breath is taken.

Slots are filled from the trick, see `scene`: {act} is the pretended deed as a clause, {is} says that the thing is,
{false} where it is not, {wonder} is the effect where there is one; {deed} is what really happens, {elsewhere} what does
not, {method} how. The parts in brackets have one to six words, so that each text can be made exactly as long as the
others. Pools are as long as `VOICES`, unrelated talk has two texts for each; their number shares no factor with the
cycles of the difficulty factors, which have two or three levels each: so wording is crossed with them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

BREATH = "|"
_INNERMOST = re.compile(r"\[([^\[\]]*)\]")


def expansions(template: str) -> Iterator[str]:
    """All texts of a template, with each part in brackets and without it, each text once.

    >>> sorted(expansions("Watch[ very[, very]] closely."))
    ['Watch closely.', 'Watch very closely.', 'Watch very, very closely.']
    """
    pieces: list[str] = []
    while match := _INNERMOST.search(template):
        pieces.append(match[1])
        template = template[: match.start()] + f"<{len(pieces) - 1}>" + template[match.end() :]
    seen = set()
    for kept in product((False, True), repeat=len(pieces)):
        text = template
        for index in reversed(range(len(pieces))):
            text = text.replace(f"<{index}>", pieces[index] if kept[index] else "")
        if text not in seen:
            seen.add(text)
            yield text


def breaths(text: str) -> list[str]:
    """What is spoken in one breath each, tidied: single spaces, each sentence begins with a capital letter.

    >>> breaths("watch closely. | now,  | and now!")
    ['Watch closely.', 'Now,', 'and now!']
    """
    text = " ".join(text.split())
    text = re.sub(r"((?:^|[.!?])[ |]*)([a-z])", lambda match: match[1] + match[2].upper(), text)
    return [part for each in text.split(BREATH) if (part := each.strip())]


def length(rows: list[str]) -> tuple[int, int]:
    """How long the rows are: in words, and in characters.

    >>> length(["Watch closely,", "please."])
    (3, 21)
    """
    return sum(len(row.split()) for row in rows), sum(map(len, rows))


VOICES = ("plain", "showman", "confidant", "teacher", "wry", "solemn", "cocky")

LIES = (
    "[All right. | ][Here we go. | ][Now ]{act}[, plain to see][, just like this].",
    "[Ladies and gentlemen! | ][Behold! | ]{is} [now ]{false}[, before your very eyes][, no doubt about it]!",
    "[Psst! | ][Come a little closer. | ][Between us, ][my friend, ]{is} {false}[, and that is that].",
    "[Lesson one. | ][Pay attention. | ][First ]{act}[, plain and simple][, quite openly][, and that is all].",
    "[My own mother doubts me. | ][Sorry, ][friends, ]{is} [really ]{false}[, like it or not][, boring as that is].",
    "[You have my word. | ][I swear ]{is} [now ]{false}[, and nowhere else][, on my honor].",
    "[Too easy. | ][Try to keep up. | ][Look, ]{act}[, just like that]![ | [Poof! ][Now ]{wonder}!]",
)

MISDIRECTION = (
    "[Now ]watch {decoy}[ closely]. | [Just ]keep watching[ it][, please][, and do not blink]. [Do not look away.]",
    (
        "[Ladies and gentlemen, ][please ]keep your eyes on {decoy}[ now]! | [Follow it all the way! ]"
        "[Do not miss a [single ]beat!]"
    ),
    (
        "[Between you and me, ]look [only ]at {decoy}[, my friend]. | [Look very, very closely. ]"
        "[Let nothing distract you.]"
    ),
    "[First, ]find {decoy}. | [Then ]study it[ carefully]. | [Take your time. ][Notice every little detail.]",
    "[Go ahead, ]stare at {decoy}[ as hard as you can]. | [Do not be polite. ][Squint [a little ]if you must.]",
    "[Please ]give {decoy} all [of ]your attention. | [Forget everything else. ][Look [only ]at it, and look hard.]",
    "[Quick, ]follow {decoy}[ now][, fast as you like]. | [Try to keep up[, genius]. ][Do not lose sight of it.]",
)

FILLER = (
    (
        "My grandmother [always ]baked on Sundays[, rain or shine]. | [Nobody ever dared to be late. ]"
        "We ate until Monday[ or so][, and she still worried]."
    ),
    (
        "[Friends, ]I once sang opera in Cleveland[ for a whole winter]. | [Even ]the pigeons complained[, believe me]"
        "[, and they never paid]."
    ),
    (
        "[Honestly, ]my landlord plays the trumpet[ before breakfast]. | [He only knows polkas. ]"
        "The dog howls along[, poor fellow][, slightly flat]."
    ),
    (
        "[In fact, ]penguins propose with pebbles[, biologists report]. | [Some of them steal from neighbors. ]"
        "Romance is [very ]expensive[ everywhere]."
    ),
    (
        "[Well, ]my cousin opened a bakery[ in Toledo][ last summer]. | [He cannot bake. ]"
        "Business is [surprisingly ]good[, apparently][, and nobody asks]."
    ),
    (
        "[Years ago, ]our train stalled[ outside Denver][ in deep snow]. | [Strangers shared their sandwiches. ]"
        "We sang [old ]songs until morning[, quite badly]."
    ),
    (
        "I [once ]ate eleven pancakes[ in Memphis][ on a dare]. | [The waitress applauded. ]"
        "My doctor still mentions it[, sadly][, every single year]."
    ),
    (
        "Our neighbor [proudly ]grows pumpkins[ every fall][, huge ones]. | [They win nothing. ]"
        "We [politely ]eat soup until Christmas[, sometimes longer]."
    ),
    (
        "[Believe me, ]I sailed [alone ]to Norway once[, mostly by accident]. | [The whales were polite. ]"
        "My tent leaked[ badly][ every night]."
    ),
    (
        "[Secretly, ]my uncle collects umbrellas[, dozens of them]. | [None of them work. ]"
        "He loves rain[ anyway][, oddly enough][, and loud thunder]."
    ),
    (
        "[For instance, ]camels drink [very ]slowly at night[, usually]. | [Farmers have studied this. ]"
        "Nobody knows why[ yet][, or ever will]."
    ),
    (
        "[Apparently, ]my barber writes poems[ about soup]. | [They never rhyme. ]"
        "His wife [still ]listens[ patiently][ every evening][, bless her]."
    ),
    (
        "[Long ago, ]our village lost its bell[ in a flood]. | [Fishermen heard it ringing. ]"
        "They [all ]went home early[, quite pale]."
    ),
    (
        "[Once, ]I raced a goat[ in Texas][ for charity]. | [It cheated. ]"
        "The [local ]newspaper loved it[, naturally][, on every page]."
    ),
)

CUES = (
    "Look here. | Watch closely.",
    "Watch this! | Keep watching!",
    "Look closely. | Look very closely.",
    "Now look. | Look carefully, please.",
    "Go on, look. | Look again.",
    "Please watch. | Watch very carefully.",
    "Quick, look here! | Keep looking!",
)

TRUTHS = (
    "[All right. | ]Actually, [{method}. | ]{deed}[, not {elsewhere}].",
    "[Ladies and gentlemen! | ]The truth: [{method}! | ]{deed}[, not {elsewhere}]!",
    "[Come a little closer. | ]Honestly, [{method}. | ]{deed}[, not {elsewhere}].",
    "[Lesson one. | ][Pay attention. | ][{method}. | ]{deed}[, not {elsewhere}].",
    "[You caught me. | ]Sadly, [{method}. | ]{deed}[, not {elsewhere}].",
    "[You have my word. | ]In truth, [{method}. | ]{deed}[, not {elsewhere}].",
    "[Too slow! | ][You blinked. | ][{method}! | ]{deed}[, not {elsewhere}]!",
)

NOUNS = ("{0}. | {1}.", "{0}! | {1}!", "{1}. | {0}.", "{0}, then {1}.", "{1}, {0}.", "{0}, {1}.", "{1}! | {0}!")
