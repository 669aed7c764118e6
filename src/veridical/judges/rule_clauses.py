"""What the words and clauses of a sentence are to a gold answer: it, its rival, a thing beside it, its reverse."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.judges.rule_phrases import ParsedSentence, PhraseWord, content, forms
from veridical.judges.rule_words import words

_JOINS = frozenset({"and", "plus"})
_DETERMINERS = frozenset({"a", "an", "the", "his", "her", "its", "their", "another", "some", "several", "many"})
_FEW = 20
_PREPOSITIONS = frozenset(
    {"to", "on", "in", "at", "from", "by", "under", "above", "behind", "beside", "of", "for", "through", "towards"}
    | {"into", "with"}
)


def is_said(form: str, stated: frozenset[str]) -> bool:
    """Whether a word, one that is more special, or the two parts of a compound are among those that are said."""
    lexicon = words()
    return (
        form in stated
        or any(lexicon.above(form, each) or lexicon.may_mean.get(each) == form for each in stated)
        or (len(stated) <= _FEW and any(one + other == form for one in stated for other in stated))
    )


def rivals(one: str, other: str) -> bool:
    """Whether at most one of two words is the answer: numbers, single letters, opposites, two of one kind."""
    if one[-1].isdigit() and other[-1].isdigit():
        return one != other
    if len(one) == len(other) == 1 and one.isascii() and other.isascii():
        return one != other
    compound = one.startswith(other) or one.endswith(other)
    return not compound and words().rivals(one, other)


def has_other_answer(question: frozenset[str], wanted: Sequence[str], sentence: ParsedSentence) -> bool:
    """Whether the clause that answers the question has another answer, and the gold stands in another clause."""
    parts = [frozenset(word.form for word in content(clause) if not word.denied) for clause in sentence.clauses]
    near = [len(part & question) for part in parts]
    best = parts[near.index(max(near))]
    elsewhere = [part for part in parts if all(is_said(each, part) for each in wanted)]
    if not elsewhere or best in elsewhere or not best - question - words().general:
        return False
    return max(near) > max(len(part & question) for part in elsewhere)


def is_bare_gold(question: frozenset[str], wanted: Sequence[str], sentence: ParsedSentence) -> bool:
    """Whether a clause has the gold and nothing else."""
    parts = ({word.form for word in content(clause)} for clause in sentence.clauses)
    return any(part & set(wanted) and part <= question | set(wanted) for part in parts)


def second(clause: Sequence[PhraseWord], wanted: frozenset[str], question: frozenset[str]) -> bool:
    """Whether a thing is joined to the gold by "and": "a ladder and a bucket"."""
    places = [
        i for i, word in enumerate(clause) if word.form in wanted or any(words().above(w, word.form) for w in wanted)
    ]
    for i, word in enumerate(clause):
        if word.text not in _JOINS or not places:
            continue
        after, before = clause[i + 1 :], clause[:i]
        if places[-1] < i and after and i - places[-1] <= 2:
            names = any(each.form not in question and each.text not in words().stop for each in after)
            short = len(after) <= 3 and not any(each.text in _PREPOSITIONS for each in after)
            if names and (after[0].text in _DETERMINERS or short):
                return True
        if places[0] > i and before and before[0].text in _DETERMINERS:
            named = [each for each in before if each.form not in question and each.text not in words().stop]
            if named and len(before) <= 3 and not wanted & {each.form for each in before}:
                return True
    return False


def is_reversed(gold: Sequence[str], sentence: ParsedSentence) -> bool | None:
    """Whether a comparison ("A is larger than B") says the opposite of the gold; `None` if it is about others."""
    left, _, right = sentence.text.partition(" than ")
    if not right or len(gold) < 3:
        return None
    before, after = forms(left), forms(right)
    one, relation, other = gold[0], gold[1], gold[2]
    swapped = other in before and one in after
    if not swapped and not (one in before and other in after):
        return None
    if relation in before:
        return swapped
    if words().opposite.get(relation, set()) & set(before):
        return not swapped
    return None
