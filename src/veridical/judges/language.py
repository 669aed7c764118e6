"""Whether a text is in English, as far as its words tell: rules of words do not know other languages."""

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
