"""Values of a type in a text: grid cells, times, colors, sides, and words as they are spelled."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from veridical.answers.numbers import numbers
from veridical.answers.numbers import write_digits as numbers_in_digits


class Value(NamedTuple):
    """A value in its plain form, and where it stands."""

    value: str
    start: int
    end: int


COLORS: Mapping[str, str] = {
    "red": "red crimson scarlet rot rote roter rotes roten rouge rojo roja rosso 红 红色",
    "blue": "blue azure navy blau blaue blauer blaues blauen bleu bleue azul blu 蓝 蓝色",
    "green": "green grün grüne grüner grünes grünen vert verte verde 绿 绿色",
    "yellow": "yellow gelb gelbe gelber gelbes gelben jaune amarillo amarilla giallo 黄 黄色",
    "orange": "orange naranja arancione 橙 橙色",
    "purple": "purple violet lila violett violette mauve morado morada púrpura viola 紫 紫色",
    "pink": "pink rosa rose 粉 粉色 粉红",
    "brown": "brown braun braune brauner braunes braunen brun brune marron marrón marrone 棕 棕色 褐色",
    "black": "black schwarz schwarze schwarzer schwarzes schwarzen noir noire negro negra nero 黑 黑色",
    "white": "white weiß weiße weißer weißes weißen weiss blanc blanche blanco blanca bianco 白 白色",
    "gray": "gray grey silver grau graue grauer graues grauen gris grise grigio 灰 灰色 银色",
    "turquoise": "turquoise teal cyan türkis 青色",
    "gold": "gold golden 金色",
    "beige": "beige tan cream",
}
"""Words for each color, in five languages. Neighbors such as gray and silver count as one (MagiC, Appendix B)."""
SIDES: Mapping[str, str] = {
    "left": "left left-hand links linke linken linker linkes gauche izquierda sinistra 左",
    "right": "right right-hand rechts rechte rechten rechter rechtes droite derecha destra 右",
    "top": "top upper oben haut arriba 上",
    "bottom": "bottom lower unten bas abajo 下",
}
"""Words for each side, in five languages."""
_NOT_A_SIDE = re.compile(
    r"\b(?:all|that's|that is|(?:is|are) (?:this|that|it|they|we)|you(?:'re| are)) right\b"
    r"|\bright (?:next|now|here|there|away|behind|beside|above|below|before|after|answer|you are)\b|\bright\?"
    r"|\bleft (?:over|out|behind|off)\b|\b(?:has|have|had|nothing|none|what)(?: is| are)? left\b",
    re.IGNORECASE,
)
_ORDINALS = (
    "first erste premi",
    "second zweite deuxi segund",
    "third dritte troisi tercer",
    "fourth vierte quatri cuart",
    "fifth fünfte cinqui quint",
    "sixth sechste sixi sext",
    "seventh siebte septi",
    "eighth achte huiti octav",
    "ninth neunte neuvi noven",
    "tenth zehnte dixi",
)
_PLACE_OF = {beginning: place for place, words in enumerate(_ORDINALS, 1) for beginning in words.split()}
_ORDINAL = re.compile(
    rf"\b(?:({'|'.join(_PLACE_OF)})(?:|[nrsm]|[eè]re?s?|ème|[oa])|(\d{{1,2}})(?:st|nd|rd|th|\.|[eè]re?|ème))(?=\s)",
    re.IGNORECASE,
)
_ONE = re.compile(r"(?<=row )one\b|(?<=column )one\b", re.IGNORECASE)
_HAN = {sign: str(place) for place, sign in enumerate("零一二三四五六七八九十")}
_ROW = r"(?:rows?|r|zeile|reihe|ligne|rangée|fila|riga)"
_COLUMN = r"(?:columns?|cols?|c|spalte|colonne|columna|colonna|place(?= from the left))"
_PLACE = re.compile(
    rf"(?<![a-zà-ÿ])(?:(?P<row>{_ROW})|(?P<col>{_COLUMN}))[\s\"'*:=.#|-]{{0,6}}(?:number |n[or]\.? )?"
    r"(?P<after>\d{1,2})(?!\d)"
    rf"|(?<![\w-])(?P<before>\d{{1,2}})\s?(?:(?P<row2>{_ROW})|(?P<col2>{_COLUMN}))(?![a-zà-ÿ\d])"
    r"|第?(?P<han>[\d一二三四五六七八九十]{1,2})\s?(?:(?P<row3>行|排)|(?P<col3>列))",
    re.IGNORECASE,
)
_BARE_CELL = re.compile(r"\W{0,4}\((\d{1,2}), ?(\d{1,2})\)\W{0,4}")
_TIME = re.compile(r"(?<![\d:.])(\d{1,2})[:.h](\d{2})(?![\d:])|(?<![\d:])(\d{1,2}) o'clock", re.IGNORECASE)
_PAST = re.compile(r"\b(\d{1,2}|quarter|half)(?: minutes?)? (past|after|to|before) (\d{1,2})\b", re.IGNORECASE)
_WORD = re.compile(r"[\"'“”‘’«»„`]([A-Za-z]{2,14})[\"'“”‘’«»`]|(?<![A-Za-z])([A-Z]{2,12})(?![A-Za-z])")
_BARE = re.compile(
    r"\W*(?:(?:it|the word|the sign|the dots?)?\s?(?:is|says?|reads?|spells?|forms?) )?(\w{2,14})\W*", re.I
)


def write_value_digits(text: str) -> str:
    """A text with its numbers, ordinals included, as digits of the same meaning.

    >>> write_value_digits("row four, third column")
    'row 4, 3 column'
    """
    ones = _ONE.sub("1", text)
    return numbers_in_digits(
        _ORDINAL.sub(lambda found: str(_PLACE_OF[found[1].lower()]) if found[1] else found[2], ones)
    )


def integers(text: str) -> list[Value]:
    """The whole numbers of a text, in digits."""
    return [Value(str(each.value), each.start, each.end) for each in numbers(text) if each.value is not None]


def cells(text: str) -> list[Value]:
    """The cells of a grid that a text names, as "row,column"; a row without a column, or the reverse, names none.

    A text that is nothing but "(4, 2)" has the row first, as the questions do.

    >>> [cell.value for cell in cells("R4C2, or the second column of row 4; never row 2, column 4")]
    ['4,2', '4,2', '2,4']
    """
    found: list[Value] = []
    half: tuple[bool, str, int] | None = None
    for place in _PLACE.finditer(write_value_digits(text)):
        is_row = bool(place["row"] or place["row2"] or place["row3"])
        number = place["after"] or place["before"] or _HAN.get(place["han"], place["han"])
        if half is not None and half[0] != is_row:
            row, column = (half[1], number) if half[0] else (number, half[1])
            found.append(Value(f"{row},{column}", half[2], place.end()))
            half = None
        else:
            half = is_row, number, place.start()
    bare = None if found else _BARE_CELL.fullmatch(text)
    return [Value(f"{bare[1]},{bare[2]}", *bare.span())] if bare else found


def times(text: str) -> list[Value]:
    """The times of day that a text names, as "h:mm" on a dial of twelve hours.

    >>> [time.value for time in times("ten past ten, not a quarter to 5")]
    ['10:10', '4:45']
    """
    text = write_value_digits(text)
    found = [Value(_clock(int(m[1] or m[3]), int(m[2] or 0)), m.start(), m.end()) for m in _TIME.finditer(text)]
    for match in _PAST.finditer(text):
        minutes = {"quarter": 15, "half": 30}.get(match[1].lower()) or int(match[1])
        hour = int(match[3])
        later = match[2].lower() in ("past", "after")
        value = _clock(hour, minutes) if later else _clock(hour - 1, 60 - minutes)
        found.append(Value(value, match.start(), match.end()))
    return sorted(found, key=lambda value: value.start)


def _clock(hour: int, minutes: int) -> str:
    return f"{(hour - 1) % 12 + 1}:{minutes:02d}"


def named_values(text: str, words: Mapping[str, str]) -> list[Value]:
    """The values of a list of words that a text names, in order; "right" and "left" only where they mean a side.

    >>> [value.value for value in named_values("The door is right next to the links, on the left-hand side.", SIDES)]
    ['left', 'left']
    """
    other = [match.span() for match in _NOT_A_SIDE.finditer(text)] if words is SIDES else []
    forms = _forms(words is SIDES)
    return [
        Value(forms[match[0].lower()], match.start(), match.end())
        for match in _pattern(words is SIDES).finditer(text)
        if not any(start <= match.start() < end for start, end in other)
    ]


@lru_cache(maxsize=2)
def _forms(sides: bool) -> dict[str, str]:
    return {form: value for value, forms in (SIDES if sides else COLORS).items() for form in forms.split()}


@lru_cache(maxsize=2)
def _pattern(sides: bool) -> re.Pattern[str]:
    forms = sorted(_forms(sides), key=len, reverse=True)
    latin = "|".join(re.escape(form) for form in forms if form[0].isascii() or form[0] in "ütâé")
    han = "|".join(form for form in forms if not form[0].isascii())
    return re.compile(rf"(?<![\w-])(?:{latin})(?![^\W_])|(?:{han})", re.IGNORECASE)


def texts(text: str, gold: str) -> list[Value]:
    """The words that a text quotes or writes in capitals, and the gold however it is written, in capital letters.

    >>> [word.value for word in texts('It says R-A-N, not "run".', "RAN")]
    ['RAN', 'RUN']
    """
    spelled = r"[\s.,-]{0,2}".join(gold)
    own = [
        Value(gold, match.start(), match.end())
        for match in re.finditer(rf"(?<![A-Za-z]){spelled}(?![A-Za-z])", text, re.IGNORECASE)
    ]
    others = [Value((match[1] or match[2]).upper(), *match.span()) for match in _WORD.finditer(text)]
    found = own + [each for each in others if each.value != gold and len(each.value) >= 2]
    if not found and (bare := _BARE.fullmatch(text)):
        return [Value(bare[1].upper(), *bare.span(1))]
    return sorted(found, key=lambda value: value.start)


_MORE_LESS = (
    ("lighter brighter paler", "darker dimmer"),
    ("larger bigger greater", "smaller"),
    ("longer", "shorter"),
    ("taller higher", "shorter lower"),
    ("wider thicker broader", "narrower thinner"),
)
_SAME = re.compile(
    r"\b(?:(?:the|exactly|equally|of) (?:very |exact )?same|same|identical|equal(?:ly)?|no difference|neither"
    r"|both (?:are|have)"
    r"|gleich|identisch|pareil|identiques?|iguales?)\b|一样|相同",
    re.IGNORECASE,
)


def comparisons(text: str, relation: str) -> list[Value]:
    """Which of the things A and B a text says to be more (in the words of a relation), "A", "B" or "same", in order.

    >>> [found.value for found in comparisons("A is darker than B; no, they are the same.", "lighter")]
    ['B', 'same']
    """
    more, less = next((pair for pair in _MORE_LESS if relation in pair[0].split()), (relation, relation))
    if relation not in more.split():
        more, less = next(((low, high) for high, low in _MORE_LESS if relation in low.split()), (relation, relation))
    of = r"\b(?P<{0}>[AB])\b[^.;,AB]{{0,30}}?\b(?P<{1}>{2})\b"
    ways = {word: is_more for words, is_more in ((less, False), (more, True)) for word in words.split()}
    how = "|".join(ways)
    first = of.format("a", "how_a", how)
    last = rf"\b(?P<how_b>{how})\b[^.;,AB]{{0,30}}?(?:\bis\b|:)[^.;,AB]{{0,12}}\b(?P<b>[AB])\b"
    found = [Value("same", *match.span()) for match in _SAME.finditer(text)]
    for match in re.finditer(rf"{last}|{first}", text):
        letter, word = match["a"] or match["b"], match["how_a"] or match["how_b"]
        found.append(Value(letter if ways[word] else "AB".replace(letter, ""), *match.span()))
    if not found and (bare := re.fullmatch(r"\W*(?:(?:it is |patch |option |square |disc )?)([AB])\W*", text)):
        found.append(Value(bare[1], *bare.span(1)))
    return sorted(found, key=lambda value: value.start)
