"""Words for small whole numbers in several languages, and what tells that a text is in one of them."""

from __future__ import annotations

import re

_ONES = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_TEENS = ("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen")
_SMALL = ("zero", *_ONES, "ten", "eleven", "twelve", *_TEENS)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_FROM_TWO = (
    "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn",
    "deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize",
    "dos tres cuatro cinco seis siete ocho nueve diez - doce trece catorce quince",
    "dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze",
    "- tre quattro cinque - sette otto nove dieci undici dodici tredici quattordici quindici",
    "twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien",
    "- tre - fem seks sju åtte - - elleve tolv tretten fjorten femten",
    "två tre fyra fem sex sju åtta nio tio elva tolv tretton fjorton femton",
    "- - - - - syv otte - - - - - - -",
    "два три четыре пять шесть семь восемь девять десять одиннадцать двенадцать тринадцать четырнадцать пятнадцать",
    "duas",
    "две",
    "dwa trzy cztery pięć sześć siedem osiem dziewięć dziesięć jedenaście dwanaście trzynaście czternaście piętnaście",
    "dwie",
    "iki üç dört beş altı yedi sekiz dokuz",
    "- - bốn - sáu bảy tám chín mười",
    "dua tiga empat lima enam tujuh delapan sembilan sepuluh sebelas",
    "اثنان ثلاثة أربعة خمسة ستة سبعة ثمانية تسعة عشرة",
    "اثنتان ثلاث أربع خمس ست سبع ثماني تسع عشر",
    "दो तीन चार पाँच छह सात आठ नौ दस ग्यारह बारह तेरह",
    "- - - पांच छः",
    "둘 셋 넷 다섯 여섯 일곱 여덟 아홉 -",
    "dva tři čtyři pět šest sedm osm devět deset",
    "δύο τρία τέσσερα πέντε έξι επτά οκτώ εννέα δέκα",
    "שתיים שלוש ארבע חמש שש שבע שמונה תשע עשר",
    "- - - öt - - nyolc kilenc tíz",
)
_ZERO = "null zéro cero nulla ноль sıfır صفر शून्य"
TENS = {word: 10 * value for value, word in enumerate(_TENS, 2)}
ONES = {word: value for value, word in enumerate(_ONES, 1)}
_FOREIGN = {
    word: value for words in _FROM_TWO for value, word in enumerate(words.split(), 2) if word != "-"
} | dict.fromkeys(_ZERO.split(), 0)
WORDS = (
    _FOREIGN | TENS | {word: value for value, word in enumerate(_SMALL)} | {"dozen": 12, "half a dozen": 6, "none": 0}
)
"""Words that hardly mean anything else."""
_AMBIGUOUS = {
    r"\b(?:ikke|jeg|bildet|på|har|bein|ser)\b": {"to": 2, "fire": 4, "ni": 9, "ti": 10},
    r"(?-i:[ğışĞŞ])": {"on": 10, "altı": 6},
    r"\b(?:hay|tiene|veo|cuento|patas|imagen)\b": {"once": 11},
    r"\b(?:ci sono|vedo|conto|gli|zampe|gambe|questo|questa|immagine)\b": {"sei": 6, "due": 2},
    r"\b(?:có|chân|trong|hình|tôi|thấy|chiếc|những|đáp án)\b": {"hai": 2, "ba": 3, "năm": 5},
    r"\b(?:van|látok|képen|egy|lába)\b": {"két": 2, "kettő": 2, "három": 3, "négy": 4, "hat": 6, "hét": 7},
}
AMBIGUOUS = {re.compile(hint, re.IGNORECASE): words for hint, words in _AMBIGUOUS.items()}
"""Words that mean something else in another language, with what tells that the text is in theirs."""
COUNTED = {"한": 1, "두": 2, "세": 3, "네": 4, "다섯": 5, "여섯": 6, "일곱": 7, "여덟": 8, "아홉": 9, "열": 10}
"""Korean words that are numbers before a word for what is counted."""
SIGNS = dict(zip("零〇一二两兩三四五六七八九", (0, 0, 1, 2, 2, 2, 3, 4, 5, 6, 7, 8, 9), strict=True))
PHRASES = {"a pair of": 2, "a single": 1, "only one": 1, "just one": 1, "exactly one": 1}
"""Words that count where nothing else does."""
OBJECTS = re.compile(
    r"(?i)\bpair of (?:\w{3,12} )?(?:scissors|glasses|sunglasses|pants|trousers|jeans|shorts|tongs|pliers|binoculars"
    r"|headphones|tweezers|spectacles|goggles)\b"
)
"""Pairs that are one thing."""
OF_THE_BODY = re.compile(
    r"(?i) pairs?[.!]?\s{0,3}\Z| pairs? of (?:\w{3,12} )?(?:legs|eyes|wings|arms|ears|feet|hands|antennae|antennas"
    r"|limbs|paws|horns|shoes)\b|[ -]?(?:Paare?|paires?|pares|paia)\b"
)
NONE_AT_ALL = re.compile(
    r"(?i)\W{0,5}(?:there (?:are|is) |i see )?(?:none|zero|nil|there (?:isn't|aren't|is not|are not) any|keine[rs]?"
    r"|aucune?|ningun[oa]|ninguno|nenhuma?|nessun[oa]|ingen|inga|geen|żad[ne][nya]?|hiçbiri|ни одного|ни одной"
    r"|нисколько|なし|ありません|没有|沒有|無|无|0개|없음|없습니다|لا شيء|لا يوجد|कोई नहीं|tidak ada)(?:です"
    r"|。)?\W{0,5}"
)
NONE_OF_THEM = re.compile(
    r"(?i)(?:\b(?:(?:there (?:are|is)|i (?:can )?(?:see|find|count)|has|have|shows?|with|are|is) no|no|without any"
    r"|not (?:a single|any)|not one)|(?:n't| not)(?: (?:have|see|find|show|contain|count|spot|hold"
    r"|include))? (?:a single|any)) (?!(?:extra|additional|other|more|further|fewer|doubt|change|difference|anomal\w*"
    r"|sign|way|reason|image|picture|photo|file|attachment|missing|longer|unusual|need|idea|matter|information|answer"
    r"|clear|definite|second|third|fourth|fifth|sixth|seventh|actual|real|exact|than|indication|evidence|contradiction"
    r"|problem|one)\b)(?:visible |such )?[a-z]{3,16}s?\b|\b(?:aucune?|keine?|ningun[oa]?|nenhuma?|nessuna?|ingen|inga"
    r"|geen) [a-zà-ÿ]{3,16}\b|\bnone (?:is|are|can be|of (?:them|these|those|the [a-z]{3,14}) (?:is|are"
    r"|can be)) (?:visible|seen|shown|present|lit|there)|\b(?:it|there|that) (?:has|have|is|are) none(?=[.!]|$)"
    r"|^\W{0,4}none(?: at all| visible)?(?=[.,;!(]| - | — |—|$)|(?:没有|沒有)(?:任何|一)?(?!图|圖|问题|异常|变化|区别"
    r"|不同|信息|办法|什么|多余|看|显示|提供|缺)[\u4e00-\u9fff]{1,4}[。.!]?$"
)
"""What says that nothing of a kind is there ("no legs visible")."""
