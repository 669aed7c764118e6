"""One clause: who is spoken of, and how it is, where it is, or how it stands to another thing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from veridical.suites.magic.language.items import Look, SentenceItem


@dataclass(frozen=True, slots=True)
class NamedThing:
    """Something that is spoken of: by its noun, by the number of its box, or both; `looks` are said along with it."""

    noun: str | None
    box: int | None
    looks: tuple[Look, ...] = ()
    article: str = ""


@dataclass(frozen=True, slots=True)
class ClauseStatement:
    """Something stated: `kind` is look, place or relation; `denied` if it is stated not to be so.

    A look has `look`, a place the box in `box`, a relation its name and the other thing. Of a `loose` one, the words
    allow another reading: it counts only if it is so.
    """

    kind: str
    of: NamedThing
    look: Look | None = None
    box: int | None = None
    relation: str = ""
    other: NamedThing | None = None
    denied: bool = False
    loose: bool = False


def read_clause(
    parts: Sequence[SentenceItem], before: Sequence[NamedThing]
) -> tuple[list[ClauseStatement], list[NamedThing]]:
    """What a clause states, and who it speaks of; `before` are those that "it" may mean."""
    clause = _Clause(before)
    for place, item in enumerate(parts):
        clause.read(item, parts[:place], parts[place + 1 :])
    return clause.made, clause.named


class _Clause:
    """How far a clause has been read: its subject, its verb, and what was last spoken of."""

    def __init__(self, before: Sequence[NamedThing]) -> None:
        self.made: list[ClauseStatement] = []
        self.named: list[NamedThing] = []
        self._before = before
        self._subject: list[NamedThing] = []
        self._last: NamedThing | None = None
        self._verb = self._relation = ""
        self._within = self._denied = self._joined = self._related = False

    def read(self, item: SentenceItem, past: Sequence[SentenceItem], rest: Sequence[SentenceItem]) -> None:
        """Takes in the next item."""
        if item.kind in ("thing", "box", "it", "which"):
            mention = self._mention(item)
            if mention is None:
                self._lose()
            else:
                self._speak(item, mention, past, rest)
                if item.kind in ("thing", "box"):
                    self.named.append(self._last or mention[0])
        elif item.kind in self._OTHERS:
            self._OTHERS[item.kind](self, item, rest)

    def _mention(self, item: SentenceItem) -> list[NamedThing] | None:
        """Who is meant by a mention; `None` where that is not certain."""
        if item.kind == "thing":
            return [NamedThing(item.noun, None, item.looks, item.value)]
        if item.kind == "box":
            return [NamedThing(None, number) for number in item.numbers]
        if self._last is not None:
            unsure = self._related or (item.kind == "it" and len(self._subject) > 1)
            return None if unsure else [self._last]
        if item.kind == "it" and len({each.box or each.noun for each in self._before}) == 1:
            return [self._before[-1]]
        return None

    def _speak(
        self, item: SentenceItem, mention: list[NamedThing], past: Sequence[SentenceItem], rest: Sequence[SentenceItem]
    ) -> None:
        """Takes in a mention: the second of a relation, the place of a thing, what a box shows, or a new subject."""
        previous = past[-1].kind if past else ""
        box = self._subject[0].box if len(self._subject) == 1 else None
        if self._relation:
            self._relate(mention)
            self._looks(mention[0])
        elif item.kind == "box" and (self._within or previous in ("open", "thing") or _set_off(past, rest)):
            self._locate(mention, past)
        elif self._verb == "show" and item.kind == "thing" and box is not None:
            self._shown(mention[0], box, loose=self._joined)
        elif self._verb == "be" and self._subject and len(mention) == 1 and item.kind in ("thing", "box"):
            self._is(mention[0], rest)
        elif item.kind == "thing" and previous == "open" and len(past) > 1 and len(past[-2].numbers) == 1:
            self._denied = False
            self._shown(mention[0], past[-2].numbers[0])
            self._subject = [*self._subject[:-1], *(each for each in [self._last] if each)]
        else:
            self._begin(item, mention, past)
        self._relation, self._within = "", False

    def _begin(self, item: SentenceItem, mention: list[NamedThing], past: Sequence[SentenceItem]) -> None:
        """A mention as a new subject, or as one more after "and"."""
        previous = past[-1] if past else None
        joins = (
            previous is not None
            and item.kind in ("thing", "box")
            and previous.kind in ("and", "comma")
            and self._subject
            and not self._verb
        )
        if previous is not None and joins and (item.kind == "box") == (self._subject[-1].noun is None):
            self._subject = [*self._subject, *mention] if previous.kind == "and" or item.kind == "box" else mention
        elif previous is not None and (previous.kind in ("relation", "in") or previous.value in _OF):
            self._subject = []
        else:
            self._subject = mention
        self._verb, self._related = "", False
        self._looks(mention[0], loose=mention[0].article == "a")
        self._last = mention[0] if len(mention) == 1 else None

    def _shown(self, thing: NamedThing, box: int, *, loose: bool = False) -> None:
        """A box shows a thing."""
        self.made.append(ClauseStatement("place", thing, box=box, denied=self._denied, loose=loose))
        self._last = replace(thing, box=box)
        self._looks(self._last, loose=loose)

    def _relate(self, mention: list[NamedThing]) -> None:
        if len(mention) == 1 and (len(self._subject) == 1 or self._verb == "be"):
            self.made += [
                ClauseStatement("relation", each, relation=self._relation, other=mention[0], denied=self._denied)
                for each in self._subject
            ]
        self._verb, self._related, self._last = "", True, mention[0] if len(mention) == 1 else None

    def _locate(self, mention: list[NamedThing], past: Sequence[SentenceItem]) -> None:
        """What "in R2", "(R2)" or ", R2," says of the thing before it."""
        kinds, one = [each.kind for each in past], len(mention) == 1
        predicate = self._verb == "be" and kinds[-2:] in (["be", "in"], ["not", "in"]) and len(self._subject) == 1
        of, box = self._last, mention[0].box
        if predicate and one and self._subject[0].noun is not None:
            if self._subject[0].box is None:
                self.made.append(ClauseStatement("place", self._subject[0], box=box, denied=self._denied))
        elif one and of is not None and of.noun is not None and of.box is None and "word" not in kinds[-2:]:
            loose = self._related and kinds[-1] == "in"
            self.made.append(ClauseStatement("place", of, box=box, denied=self._denied, loose=loose))
            placed = replace(of, box=box)
            self._subject = [placed if each == of else each for each in self._subject]
            self.named = [placed if each == of else each for each in self.named]
            self._last = placed
        elif one and not self._verb:
            self._subject, self._last = mention, mention[0]
        else:
            self._lose()
        self._denied = False

    def _is(self, only: NamedThing, rest: Sequence[SentenceItem]) -> None:
        """What "R2 is a red mug" and "the mug is R2" say."""
        if len(self._subject) != 1:
            return
        subject = self._subject[0]
        another = subject.noun is not None and (subject.noun != only.noun or only.article == "the")
        placed = subject.noun is None and [each.kind for each in rest[:2]] in (["in", "box"], ["open", "box"])
        if only.noun is not None and (another or placed):
            self._subject, self._last, self._verb = [only], only, ""  # "It is the mug": a new one is spoken of.
            return
        if subject.noun is None and only.noun is not None:
            self.made.append(ClauseStatement("place", only, box=subject.box, denied=self._denied))
            self._last = only if self._denied else replace(only, box=subject.box)
        elif only.box is not None and subject.noun is not None:
            self.made.append(ClauseStatement("place", subject, box=only.box, denied=self._denied))
            self._last = subject
        self._looks(NamedThing(subject.noun or only.noun, subject.box, only.looks, "a"))

    def _looks(self, of: NamedThing, *, loose: bool = False) -> None:
        """The looks before a noun; two of one kind say nothing, and neither does the size of what is known."""
        kinds = [kind for kind, _ in of.looks]
        for look in of.looks if not self._denied else ():
            if kinds.count(look[0]) == 1 and not (look[0] == "size" and of.article != "a"):
                self.made.append(ClauseStatement("look", of, look=look, loose=loose))

    def _look(self, item: SentenceItem, rest: Sequence[SentenceItem]) -> None:
        """What "is red" says of its subject; "red and blue" says nothing."""
        if any(each.looks[0][0] == item.looks[0][0] for each in _run(rest) if each.looks):
            self._verb = ""
        if self._verb == "be":
            self.made += [
                ClauseStatement("look", each, look=item.looks[0], denied=self._denied) for each in self._subject
            ]
        self._denied = False

    def _be(self, item: SentenceItem, rest: Sequence[SentenceItem]) -> None:  # noqa: ARG002 (as all of these)
        if item.value == "many" and len(self._subject) < 2:
            self._subject = []
        elif item.value != "many":
            self._subject = self._subject[-1:]
        self._verb, self._relation, self._denied = "be", "", False

    def _not(self, item: SentenceItem, rest: Sequence[SentenceItem]) -> None:
        if item.value.startswith(("isn", "aren", "wasn")):
            self._be(replace(item, value="many" if item.value.startswith("aren") else "one"), rest)
        self._denied = True

    def _see(self, item: SentenceItem, rest: Sequence[SentenceItem]) -> None:  # noqa: ARG002
        if item.kind == "see" and self._related:
            self._subject = []  # "On the shelf there is …" says nothing of what was spoken of before.
        self._verb, self._joined = self._verb or "show", False
        if item.kind == "show":
            self._verb = "show"

    def _joins(self, item: SentenceItem, rest: Sequence[SentenceItem]) -> None:  # noqa: ARG002
        following = rest[0].kind if rest else ""
        self._joined = self._verb == "show"
        stays = following in ("look", "and", "not") or (following == "thing" and self._verb == "show")
        self._verb = self._verb if stays else ""
        self._relation, self._denied = "", False

    def _relates(self, item: SentenceItem, rest: Sequence[SentenceItem]) -> None:  # noqa: ARG002
        self._relation = item.value if self._subject else ""

    def _in(self, item: SentenceItem, rest: Sequence[SentenceItem]) -> None:  # noqa: ARG002
        self._within = True

    def _colon(self, item: SentenceItem, rest: Sequence[SentenceItem]) -> None:  # noqa: ARG002
        self._verb = "show" if self._subject and self._subject[0].noun is None else ""

    def _lose(self, item: SentenceItem | None = None, rest: Sequence[SentenceItem] = ()) -> None:  # noqa: ARG002
        """After a word that is not understood, nothing is said of the subject any more."""
        self._subject, self._verb, self._relation, self._within = [], "", "", False

    _OTHERS: Mapping[str, Callable[[_Clause, SentenceItem, Sequence[SentenceItem]], None]] = {
        "look": _look,
        "be": _be,
        "not": _not,
        "show": _see,
        "see": _see,
        "and": _joins,
        "comma": _joins,
        "relation": _relates,
        "in": _in,
        "colon": _colon,
        "word": _lose,
    }


_OF = ("of", "part", "like", "than")
"""Words after which a thing is not what the clause is about."""


def _set_off(past: Sequence[SentenceItem], rest: Sequence[SentenceItem]) -> bool:
    """Whether a box stands after a thing between commas: "the mug, R2, is …"."""
    return [each.kind for each in past[-2:]] == ["thing", "comma"] and bool(rest) and rest[0].kind == "comma"


def _run(rest: Sequence[SentenceItem]) -> Iterator[SentenceItem]:
    """The looks that follow in a row."""
    for item in rest:
        if item.kind not in ("look", "and", "comma") or item.value == "but":
            return
        yield item
