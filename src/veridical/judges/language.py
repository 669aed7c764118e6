"""What no rule of words can judge: a text in another language, and one that lists what might be and says nothing."""

from __future__ import annotations

import re

_WORD = re.compile(r"[^\W\d_]+")
_ENGLISH = re.compile(
    r"\b(?:the|is|are|was|of|and|it|that|this|with|not|for|from|by|as|his|her|he|she|its|which|there|their|they|on|to"
    r"|an?|be|has|have|at|can|does|because|but|i|you|we)\b",
    re.IGNORECASE,
)
_OTHER = re.compile(
    r"\b(?:der|das|und|ist|nicht|eine?[nmrs]?|dem|den|des|von|mit|im|auf|wird|sich|zu|ja|nein|es|weil|vom|zum|sind|hat|ich"
    r"|habe|mich|aber|auch|dass|noch|liegt|steht|le|les|une?|est|dans|et|que|qui|pas|du|il|elle|sur|sont|oui|non|aux?|je"
    r"|suis|mais|plus|par|pour|avec|el|los|las|una|y|con|por|se|su|lo|más|está|sí|al|son|pero|gli|di|che|è|per|si|sono"
    r"|della|nel|perché|os|uma|não|em|é|ao|na|sim)\b",
    re.IGNORECASE,
)
_LISTING = re.compile(
    r"\b(?:possible|potential|candidate) (?:anomalies|explanations|violations|reasons|answers)\b"
    r"|\b(?:any|one|all) of the following\b",
    re.IGNORECASE,
)
_ITEM = re.compile(r"(?:^|\n)\s{0,4}[-*\u2022]\s|;|\b(?:or|maybe|perhaps|possibly)\b| / ", re.IGNORECASE)
_CLAIM = re.compile(r"[.;!?\n]+|,")
_END = re.compile(r"[.!?\n]")
_LISTED, _CLAIMS, _WORDS = 3, 9, 45
"""From how many items on a text is a list of what might be; how many claims, and words of a sentence, are more than one
statement has."""
_FEWEST = 3
_LATIN_ENDS = 0x370


def is_foreign(text: str) -> bool:
    """Whether most of the commonest words in a text, or a third of its letters, are those of another language.

    A text of fewer than three words in Latin letters never is.

    >>> is_foreign("Nein, der Baum ist größer als das Haus."), is_foreign("No."), is_foreign("不是 star")
    (True, False, False)
    """
    letters = [sign for sign in text if sign.isalpha()]
    if letters and sum(ord(sign) >= _LATIN_ENDS for sign in letters) > len(letters) / 3:
        return True
    return len(_WORD.findall(text)) >= _FEWEST and len(_OTHER.findall(text)) > len(_ENGLISH.findall(text))


def lists(text: str, *, long: bool = False) -> bool:
    """Whether a text names so many things that it says none of them: a list of what might be, or of all there is.

    A `long` text may have any number of sentences.

    >>> lists("It sinks; it floats; it vanishes; it burns."), lists("The ball falls, stops in the air, and rises.")
    (True, False)
    """
    if _LISTING.search(text) or len(_ITEM.findall(text)) >= _LISTED:
        return True
    if any(len(sentence.split()) > _WORDS for sentence in _END.split(text)):
        return True
    return not long and sum(1 for claim in _CLAIM.split(text) if claim.strip()) > _CLAIMS
