"""What a trick is: one record per family, in a file of its own, and the registry `TRICKS`.

How to add a family: write `tricks/NAME.py` with

1. a frozen dataclass of the unit's nuisances, a `staging.TrickUnit`, whose fields say how they are drawn;
2. `log(base, honest)`: the `Log` of a trick, or of its honest control, which does openly what the trick pretends. Both
   are the same until `log.secret` begins; the reveal lasts a second at least, the whole 5 to 7 s;
3. a frozen dataclass of what changes in the picture, and `moment(base, log, time)`, which gives it at a time. Places
   come from the log, so that the picture shows what the log says; the moments of trick and control are equal until the
   secret begins. Moments that look alike are equal: their frame is drawn once;
4. `paint(base, brush, moment)`, which begins with `brush = faced(brush, base.staging.mirrored)`; and, where anything of
   the trick stands on the stage from the beginning, `ground(base, brush)`, which calls `staging.stage` for the room.
   Draw the acting hand as a `Hand` of the right side that is named `staging.acting`, the other as one of the left side
   that is named `staging.other`. Each thing is painted under its name in the log (`brush.of`); a part of it may have a
   name of its own, "coin/edge", and is then a part of the thing. What gives the secret away, and only that, has the
   name that `log.tell` states.
   Hands, and what they hold, are `space.Layer`s: collect them and call `space.paint_layers`, which goes from the
   furthest to the nearest. At the end paint `staging.occluder`;
5. the record `TRICK`, and the name of the module in `FAMILIES` below. Its field `speech` has the few words that the
   magician needs beside those of the log; read some of what `patter.make.patter_of` makes of them, aloud. Where its
   secret is more than a change of place, its field `method` lets the rule judge read explanations: write down fifteen
   right and fifteen wrong ones before you write it.

The tests loop over the registry: invariants of the log, what is seen against the pixels, equal frames, boxes, texts.
A person must be able to read each frame of a few seeds at a glance.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any, Literal

from veridical.media.figures.brush import Brush
from veridical.media.figures.clock import Clock
from veridical.suite.nuisances import Nuisances
from veridical.suites.magicbench.stimuli import MethodForm
from veridical.suites.magicbench.tricks.log import Log
from veridical.suites.magicbench.tricks.staging import bare_stage


@dataclass(frozen=True, slots=True)
class Speech:
    """How the magician speaks of what is done; the patter has the rest of its words from the log.

    `puts` is the verb for bringing the thing to where the audience is to believe it, as in "I put the coin into my left
    hand", `leaves` the verb for a thing that is to have stayed there. `slips` is the verb for the secret move of the
    hand, "slips the ball under cup C". `stays` is the verb for a thing that a feint leaves where it was. `gone` says
    whether the effect is that the thing vanishes, `denied` is a prop that is there and that the magician denies.
    `method` says how it is done, a clause in the first person with {acting} and {other} for the hands, before what the
    log says of the thing; without it, that is the whole truth.
    """

    puts: str = "put"
    leaves: str = "leave"
    slips: str = "slips"
    stays: str = "stays"
    gone: bool = False
    denied: str | None = None
    method: str | None = None


PLAIN = Speech()
"""The words of a family that adds none."""


Relation = tuple[str, ...]
"""Patterns that one clause has all of, each regular alternatives in small letters between the ends of words.

One that begins with "~" may stand elsewhere in the sentence; one that begins with "?" also in another sense. After "!"
a pattern must not be in the clause, after "!!" not in the sentence. Names of hands and of this unit's things are in
braces, as in the trick's other texts; so patterns have no braces of their own. What is denied, doubted or only seems so
does not count.
"""
ELSEWHERE: tuple[Relation, ...] = (("sleeves?|lap|pockets?",),)
"""Where explanations send things that are nowhere else than they seem."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """The relations of a trick: each is a way to say that something is so, any of them is enough.

    `secret` says how it is done, `part` half of that; `openly` what the honest control does instead. `claims` say the
    same as `openly`, yet are true in the trick as well before its secret. `effect` is what only seems to happen, as if
    without a cause. `against` is wrong in both clips. `terms` name the method without its mechanics; `harmless` are
    phrases of right explanations that sound like props which are not there.
    """

    secret: tuple[Relation, ...]
    openly: tuple[Relation, ...]
    effect: tuple[Relation, ...]
    part: tuple[Relation, ...] = ()
    claims: tuple[Relation, ...] = ()
    against: tuple[Relation, ...] = ()
    terms: tuple[str, ...] = ()
    harmless: tuple[str, ...] = ()

    def form(self, filled: Callable[[str], str]) -> MethodForm:
        """The relations as a truth stores them; `filled` puts a unit's names into a text.

        >>> method = Method(secret=(("both", "{acting}"),), openly=(("alone",),), effect=(("vanish",),))
        >>> method.form(lambda text: text.format(acting="right hand"))["secret"]
        [['both', 'right hand']]
        """

        def listed(relations: tuple[Relation, ...]) -> list[list[str]]:
            return [[filled(part).lower() for part in relation] for relation in relations]

        return MethodForm(
            secret=listed(self.secret),
            part=listed(self.part),
            openly=listed(self.openly),
            claims=listed(self.claims),
            effect=listed(self.effect),
            against=listed(self.against),
            terms=list(self.terms),
            harmless=list(self.harmless),
        )


Base = Any
"""The nuisances of a unit: each family has a frozen dataclass of its own, with a field `staging`."""
Moment = Any
"""What changes in the picture, at one time: each family has a frozen dataclass of its own."""
Category = Literal["sleight", "palm", "force", "load", "substitution", "gimmick"]
USUAL_SUSPECTS = ("magnet", "thread", "mirror", "wires", "trapdoor")
"""Props that magicians are suspected of; those that a trick does not use are on its list of the absent."""
FAMILIES = ("cups", "coin", "double_lift", "band", "rope", "lapping", "levitation")
"""The modules of the families, each with its record `TRICK`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trick:
    """A family of tricks. Texts have the names of hands in braces: {acting} does the secret move, {other} draws eyes.

    `principle` says what really happens, `control` what the honest control does, `effect` what the audience is to
    believe, `giveaway` what can be seen of the secret. `props` are the things of the trick, apart from hands and what
    lies about; `more` gives those that only this unit has. `signals` are words, by prop of the usual suspects, for what
    would have to be seen if it were used; where the trick has the prop, it is seen. `nouns` are the words for what is
    in the scene, which unrelated talk avoids. `speech` has the few words that the magician's patter needs beside those
    of the log. `method` is how it is done in a form that a rule can find in explanations; a trick that is all told by
    where its thing is at each time needs none.
    """

    name: str
    title: str
    category: Category
    principle: str
    control: str
    effect: str
    giveaway: str
    props: tuple[str, ...]
    nouns: tuple[str, ...]
    sample: Callable[[Nuisances], Base]
    log: Callable[[Base, bool], Log]
    moment: Callable[[Base, Log, float], Moment]
    paint: Callable[[Base, Brush, Moment], None]
    ground: Callable[[Base, Brush], None] = bare_stage
    signals: dict[str, str] | None = None
    speech: Speech = PLAIN
    method: Method | None = None
    more: Callable[[Base], tuple[str, ...]] | None = None

    @property
    def absent(self) -> tuple[str, ...]:
        """The usual suspects that the trick does not use."""
        return tuple(name for name in USUAL_SUSPECTS if name not in self.props)

    def present(self, base: Base) -> tuple[str, ...]:
        """The closed list of props: the trick's own, then those of this unit, then what lies about."""
        return (*self.props, *(self.more(base) if self.more else ()), *base.staging.lying)

    def form(self, base: Base) -> MethodForm | None:
        """The method with the names of this unit; `None` where places tell all of it."""
        return None if self.method is None else self.method.form(lambda template: self.text(template, base))

    def text(self, template: str, base: Base) -> str:
        """A text with the names of this unit's hands, and of its other words."""
        return template.format(acting=base.staging.acting, other=base.staging.other, base=base)


def clock(log: Log, rate: int = 24) -> Clock:
    """The frames of a clip.

    >>> from veridical.suites.magicbench.tricks.log import Stay
    >>> ends = (1.0, 2.0)
    >>> times = {"seconds": 5.5, "secret": ends, "cover": ends, "reveal": ends, "outcome": 2.0}
    >>> names = {"thing": "coin", "agent": "", "decoy": "", "tell": "", "places": (), "words": {}}
    >>> times["belief"] = Stay("coin", "", 0, 1)
    >>> clock(Log(honest=True, events=(), **times, **names)).frames
    132
    """
    return Clock(rate, round(log.seconds * rate))


@cache
def tricks() -> dict[str, Trick]:
    """All families by name, in the order of `FAMILIES`."""
    records = [import_module(f"veridical.suites.magicbench.tricks.{name}").TRICK for name in FAMILIES]
    return {record.name: record for record in records}
