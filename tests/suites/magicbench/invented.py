"""Invented families of tricks, as a newcomer might add them: records and logs without pictures."""

from dataclasses import dataclass

from veridical.suites.magicbench.tricks.hands import LEFT, RIGHT
from veridical.suites.magicbench.tricks.log import Log, Move, Stay
from veridical.suites.magicbench.tricks.staging import Staging, staging
from veridical.suites.magicbench.tricks.trick import PLAIN, Speech, Trick


@dataclass(frozen=True)
class Base:
    staging: Staging
    start: float
    secret: float
    cover: float
    rest: float


@dataclass(frozen=True)
class Play:
    """Where the thing is at first, where it really comes to, and where it is believed to be, and is in the control."""

    thing: str
    start: str
    real: str
    false: str
    decoy: str
    places: tuple
    nouns: tuple
    speech: Speech = PLAIN


PLAYS = {
    "ring": Play(
        "silver ring", "{acting}", "sleeve", "{other}", "{other}", (LEFT, RIGHT, "sleeve"), ("ring", "sleeve")
    ),
    "salt": Play(
        "salt shaker",
        "under the napkin",
        "lap",
        "under the napkin",
        "napkin",
        ("under the napkin", "lap", "table"),
        ("salt shaker", "shaker", "salt", "napkin", "lap", "table"),
        Speech(slips="drops", gone=True),
    ),
    "bands": Play(
        "rubber band",
        "around two fingers",
        "around all four fingers",
        "around the index and middle fingers of the {other}",
        "{other}",
        ("around two fingers", "around all four fingers", "around the index and middle fingers of the {other}"),
        ("rubber band", "band", "fingers", "fingertips"),
        Speech(puts="hang", slips="hooks"),
    ),
    "cards": Play(
        "four of clubs",
        "on top of the deck",
        "on top of the deck",
        "table",
        "deck",
        ("on top of the deck", "table"),
        ("four", "clubs", "card", "deck", "table"),
        Speech(puts="lay", method="I turn two cards as one"),
    ),
    "knots": Play(
        "scissors",
        "on the rope",
        "in one piece",
        "in two pieces",
        "end of the rope",
        ("in one piece", "in two pieces"),
        ("scissors", "rope", "piece", "end"),
        Speech(puts="break", method="I only bend them"),
    ),
    "float": Play(
        "ball",
        "table",
        "on the thread",
        "in the air",
        "wand",
        ("table", "on the thread", "in the air"),
        ("ball", "thread", "wand", "air", "table"),
        Speech(puts="send", denied="thread", method="a thin thread lifts it"),
    ),
    "bread": Play(
        "egg",
        "in box A",
        "in box B",
        "in box A",
        "box C",
        ("in box A", "in box B"),
        (
            "egg",
            "box",
            "bakery",
            "cousin",
            "doctor",
            "pigeon",
            "penguin",
            "train",
            "dog",
        ),
    ),
}


def _sample(nuisances):
    drawn = [nuisances.between(*span) for span in ((1.1, 1.9), (0.5, 0.9), (0.7, 1.6), (1.4, 2.4))]
    return Base(staging(nuisances), *drawn)


def _log(play):
    def log(base, honest):
        acting, other = base.staging.acting, base.staging.other
        start, real, false, decoy = (
            text.format(acting=acting, other=other) for text in (play.start, play.real, play.false, play.decoy)
        )
        kept = base.start + base.secret
        show = kept + base.cover
        seconds = max(5.0, show + base.rest)
        target = false if honest else real
        moved = (base.start + kept) / 2
        ats = [Stay(play.thing, start, 0.0, moved), Stay(play.thing, target, moved, seconds)]
        return Log(
            honest=honest,
            seconds=seconds,
            events=(*ats, Move(acting, play.thing, start, target, base.start, kept)),
            thing=play.thing,
            agent=acting,
            decoy=decoy,
            tell=play.thing,
            secret=(base.start, kept),
            cover=(kept, show),
            reveal=(show + 0.2, seconds),
            outcome=None,
            belief=Stay(play.thing, false, kept, show),
            places=tuple(text.format(acting=acting, other=other) for text in play.places),
            words={"secret": "something is done.", "reveal": "something is seen."},
        )

    return log


def _nothing(*_):
    raise AssertionError("invented families have no pictures")


def _trick(name, play):
    props = tuple(dict.fromkeys([play.thing, *(noun for noun in play.nouns if noun in ("deck", "wand", "thread"))]))
    return Trick(
        name=name,
        title=name,
        category="sleight",
        principle="",
        control="",
        effect="",
        giveaway="",
        props=props,
        nouns=(*play.nouns, "hand", "hands", "finger", "fingers"),
        sample=_sample,
        log=_log(play),
        moment=_nothing,
        ground=_nothing,
        paint=_nothing,
        speech=play.speech,
    )


INVENTED = {name: _trick(name, play) for name, play in PLAYS.items()}
