"""How a trick is done, in a form that a rule finds in explanations: for tricks that places alone do not tell."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from veridical.suites.magicbench.stimuli import MethodForm

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
