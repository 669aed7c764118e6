"""Places and directions in several languages, and where such a word means something else ("the right answer")."""

from __future__ import annotations

import re

_TRANSLATED = {
    "left": "leftmost left-hand lefthand links linke linker linken gauche izquierda izquierdo esquerda"
    " esquerdo sinistra"
    " sinistro слева левый левая левое venstre vänster vänstra lewo lewa lewy sol kiri trái αριστερά يسار اليسار"
    " बायाँ बाएँ बायां बाएं 左 左边 左側 左侧 左邊 왼쪽",
    "right": "rightmost right-hand righthand rechts rechte rechter rechten droite derecha derecho direita"
    " direito destra"
    " destro справа правый правая правое høyre højre höger högra prawo prawa prawy sağ kanan phải δεξιά يمين اليمين"
    " दायाँ दाएँ दायां दाएं 右 右边 右側 右侧 右邊 오른쪽",
    "upper": "top topmost uppermost obere oberer oberen oben haut supérieur supérieure superior superiore"
    " arriba верхний"
    " верхняя верхняя сверху øvre øverste övre górny górna üst atas trên أعلى ऊपर ऊपरी 上 上方 上面 上边 위",
    "lower": "bottom bottommost lowermost untere unterer unteren unten bas inférieur inférieure inferior"
    " inferiore abajo"
    " нижний нижняя снизу nedre nederste dolny dolna alt bawah dưới أسفل नीचे निचली 下 下方 下面 下边 아래",
    "clockwise": "",
    "counterclockwise": "anticlockwise anti-clockwise counter-clockwise",
    "yes": "ja oui sí да 是 はい",
    "no": "nein non нет 否 いいえ",
}
_SAME = {"top": "upper", "bottom": "lower"}
_FILLER = re.compile(
    r"^(?:(?:at|in|on|to|towards?|the|à|a|la|le|il|el|die|der|das|den|an|o|en|im|del|de|du|zur?)\s|l')+"
    r"|\b(?:one|side)\b",
    re.IGNORECASE,
)
NOT_A_PLACE = {
    "right": re.compile(
        r"(?:\b(?:all|you're|you are|that's|that is|is that|not quite|just|almost) $)"
        r"|^ (?:answer|choice|option|response|now|away|angles?|above|below|at|next|under|behind|after|before"
        r"|there|here|in"
        r"|on top|to (?:suspect|say|think|ask|wonder|point)|triangles?|thing|way)\b|^,? (?:but|however|so"
        r"|let|now|first|i|we|okay|ok)\b",
        re.IGNORECASE,
    ),
    "left": re.compile(
        r"(?:\b(?:be|are|was|were|has|have|had|i|we|nothing|none|no \w{1,12}) $)|^ (?:out|over|open|with"
        r"|alone|behind)\b",
        re.IGNORECASE,
    ),
    "top": re.compile(r"^ of (?:that|each other|one)\b", re.IGNORECASE),
}
"""What before (ending with a blank) or after a word makes it another word."""


def core(text: str) -> str:
    """An option without articles, prepositions, "one" and "side", spaces and hyphens.

    >>> core("At the top"), core("the left one"), core("counter-clockwise")
    ('top', 'left', 'counterclockwise')
    """
    plain = text.strip(" \t\r\n*_`'\".:!()[]").casefold()
    bare = _FILLER.sub("", plain).strip()
    return re.sub(r"[\s-]", "", bare or plain)


def synonyms(option: str) -> tuple[str, ...]:
    """Other words for an option that is a place, a direction, yes or no; none for another.

    >>> "links" in synonyms("left"), synonyms("purple")
    (True, ())
    """
    name = _SAME.get(core(option), core(option))
    return (name, *_TRANSLATED[name].split()) if name in _TRANSLATED else ()
