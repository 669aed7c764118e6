"""Yes or no, in words of several languages or as the digits 1 and 0: in an answer tag, or anywhere in prose."""

from __future__ import annotations

import re
from collections.abc import Iterator

from veridical.answers.markers import DOUBT, TURN
from veridical.answers.places import LEAD, SENTENCES, STATED
from veridical.answers.reader import ParsedAnswer
from veridical.answers.settle import NOTHING, AnswerClaim, follows_denial, is_short_statement, read_by_rule

ENGLISH = {"yes": "yes", "yeah": "yes", "yep": "yes", "yup": "yes", "no": "no", "nope": "no", "nah": "no"}
_OTHER = {
    "yes": "ja oui sí si sì sim да tak evet áno ano igen kyllä jah jā taip da já ναι כן có vâng đúng ya oo ndiyo"
    " نعم أجل بله بلی ہاں हाँ हां हा হ্যাঁ ஆம் ใช่ 是的 是 对的 对 對 正确 肯定 有 はい ええ うん 예 네 그렇습니다",
    "no": "nein non não nao nee nej nei нет ні не nie ne nem ei nē nē όχι לא không tidak bukan hapana hayır"
    " لا كلا خیر نه نہیں नहीं না இல்லை ไม่ใช่ ไม่ 不是的 不是 不对 不 否 没有 错误 否定 いいえ いえ 아니요 아니오"
    " 아뇨 아닙니다",
}
MEANING = (
    ENGLISH
    | {word: answer for answer, words in _OTHER.items() for word in words.split()}
    | {"affirmative": "yes", "negative": "no", "जी हाँ": "yes", "जी नहीं": "no", "جی ہاں": "yes"}
)
WORDS = "|".join(sorted(MEANING, key=len, reverse=True))
SURE = (
    r"(?:absolutely|definitely|certainly|clearly|probably|likely|surely|most likely|most probably|of course|actually"
    r"|simply|still|a|an|clear|firm|resounding|definite|hard)"
)
BEFORE = (
    r"(?:so|thus|therefore|hence|then|and|but|well|lol|h+m+|ok|okay|oh|overall|in short|in conclusion|in summary"
    r"|conclusion|indeed|also|daher|donc|así que|c'est|it's|it is|that's|that is|a|i think|i believe|i'd say|my answer"
    r"|(?:there is |there's |i have )?no (?:doubt|question)(?: about (?:it|that))?|undoubtedly|(?:without"
    r"|beyond) (?:a |any |all )?doubt|yet|however|ultimately|in the end|to conclude|finally|in fact|therefore,? i say"
    r"|nun|alors|entonces|então|quindi|portanto|por (?:lo )?tanto|deshalb|folglich|dunque|dus|derfor|därför|alltså"
    r"|поэтому|значит|итак|więc|zatem|yani|इसलिए|لذلك|إذن|따라서)"
)
SO = r"(?:结论|结果|总之|所以|因此|したがって)[是为]?[:,、，]?"
STOP = re.compile(
    r"[\"')\]]{0,3}(?: (?:dus|donc|also|allora|pues|então))?\s{0,20}(?:です|だ[。\n]|입니다|يا|from me\b"
    r"|[.,;:!?。，、；！：—…)\]}(=→]|\[[xX✓✔]\]|[☑✅]|-[^\w]|\n|$)"
)
"""What ends an answer of one word."""
SUBJECT = re.compile(r"(?i) {1,3}(?:they|it|the|there|this|these|that|those|he|she|i|we|you|both|because|since|as)\b")
_OTHER_WORD = rf"(?P<other>{WORDS})(?![a-zà-öø-ÿ0-9_])"
BOTH = re.compile(
    rf"(?i)\W{{0,4}}(?:(?:/|(?:,? ?(?:or|and|oder|und|ou|et|o|y|或|和|还是|そして))"
    rf" ?)\W{{0,3}}{_OTHER_WORD}\W{{0,4}}(?:$|[\s.!?。\])])|[,|]"
    rf" ?\W{{0,3}}{_OTHER_WORD.replace('other', 'last')}\W{{0,4}}(?:$|[\n.!?。\])]|(?<=,) maybe)| (?:in|for|on"
    rf"|at) [^.,;\n]{{1,40}}[,;] (?:but |and )?(?P<third>{WORDS}) (?:in|for|on|at)\b"
    r"| {1,3}(?P<next>yes|no)\b(?=\W{0,4}(?:$|[\n.!?\])]|(?:yes|no|maybe)\b)))"
)
"""A second word for yes or no that stands beside the first one."""
_UNTICKED = re.compile(rf"(?i)\b(?:{WORDS})\s{{0,2}}(?:\[ ?\]|[☐◯○])")
CONDITION = re.compile(
    r"(?i)\W{0,3}(?:(?:mostly|partly|in part)\b|(?:(?:only|but only|but) )?(?:if|unless|when|except|apart from"
    r"|wenn|falls|si|如果)\b)"
)
DECLINE = re.compile(
    r"(?i)\b(?:i(?:'m| am) (?:sorry|unable|not able)|(?:can't|can ?not|unable to|not able to|don't|do not) (?:answer"
    r"|help|assist|determine|view|process|comply|access|tell|identify|see (?:any|an|the) (?:image|picture|photo)|open"
    r"|load|say|have|know)|(?:no|any) (?:image|picture|photo)s? (?:was|is|has|were|attached|provided))"
)
"""What after "no" makes it a refusal."""
_DENYING = (
    r" (?:there(?:'s| is| are)|(?:the|this|it|he|she|they)\b[^.,;:\n]{0,40}?\b(?:is|are|was|were|do|does|has"
    r"|have))(?:n't| not?)\b(?! (?:doubt|question|longer|differ\w*|only|equal|the same|identical)\b"
    r"| (?:\w{3,12} ){1,2}differ)"
)
DENIES = re.compile(f"(?i),{_DENYING}")
"""What after "yes" says that something is not so, unless it denies a difference or a likeness."""
OFFER = re.compile(
    r"(?i)[,.!:]? {0,2}(?:of course[,.!]? )?(?:i (?:can|could|will|would)(?: gladly| certainly)? (?:help|assist|do that"
    r"|answer|analy[sz]e|take a look|look)|i (?:can )?(?:see|understand)(?: the (?:image|picture|question|task|photo"
    r"|drawing|figure))?[.!,]|i(?:'d| would| will|'ll) be (?:happy|glad)|please (?:upload|send|share|provide))"
)
"""What after "yes" makes it an offer to help."""
_UNSAID = re.compile(
    rf"(?i)\b(?:so|thus|therefore|hence|consequently),?{_DENYING}[^.!?\n]{{0,60}}\.\s{{1,9}}[^\w\n]{{0,4}}(?:final )?"
    r"(?:answer|verdict)[^\w\n]{0,4}: ?[^\w\n]{0,4}yes\W{0,9}\Z"
)
"""A conclusion that denies what the yes right after it would mean."""
_LEAD = re.compile(
    rf"(?i)[^\w\n]{{0,12}}(?:{SO})?(?:{BEFORE}[,:]? {{1,3}}){{0,3}}(?:{SURE},? {{1,2}}){{0,2}}[\"'(\[]{{0,2}}"
    rf"(?:(?P<word>{WORDS})(?:,? (?P=word)){{0,9}}(?![a-zà-öø-ÿ0-9_])"
    r"|(?P<not>(?<=ly )not|(?<=course )not|not at all))"
)
_PLAIN = r"[\"'(]{0,2}(?P<word>yes|no)[\"')]{0,2}"
_STOPPED = r"[\s\"')]{0,4}(?:[.,;:!\n(→=-]|$| (?:to|from|for) me\b| here\b| because\b| since\b| rather than\b)"
_END = rf"(?={_STOPPED})"
_TRUTH = re.compile(
    r"(?i)\W{0,6}(?:(?:it|that|this)(?: is|'s) )?(true|false|correct|incorrect|так|ні|nu|oo|hindi|होय|नाही"
    r"|(?<![\"'])y(?![\"'])|(?<![\"'])n(?![\"'])|(?<=[\"'])[yn](?=[\"']))\W{0,6}"
)
_TRUTHS = {"true": "yes", "correct": "yes", "y": "yes", "false": "no", "incorrect": "no", "n": "no"} | {
    word: answer for words, answer in (("так oo होय", "yes"), ("ні nu hindi नाही", "no")) for word in words.split()
}
_AGREED = re.compile(
    r"(?im)(?:\A|\n\n)\W{0,6}(?:(?:it|that|this)(?: is|'s) )?(correct|true|incorrect|false)(?=[.,!:;]\s"
    r"| [—–-] |[.!]?\s*\Z)"
)
_LINE = re.compile(
    r"(?i)\W{0,3}(?:yes|no), (?:the|there|it|they|this)\b[^.!?\n]{1,200}[.!]\s{0,3}\n+\W{0,6}answer\W{0,4}:"
)
"""An answer in a line of its own, and another marked one right after it."""
_STATEMENT = re.compile(
    r"(?i)\bthe (?:statement|sentence|assertion|claim(?= that))(?: (?:that )?[^.!?\n]{3,120}?)? is (?:therefore "
    r"|thus |clearly |indeed )?(?P<called>true|correct|false|incorrect)(?=\W*(?:$|[.,;:!]|because|since|as\b))"
)
"""What calls the statement that a question asks about true or false."""
_ALONE = re.compile(
    r"(?i)\W{0,5}(?:(?P<yes>(?:absolutely|definitely|certainly|indeed|exactly|of course|i (?:think|believe"
    r"|would say) so)(?=\W*$|[.!]\s)|indeed, (?!yes\b|no\b)(?![^.!?\n]*(?:\b(?:no|not|none|nothing|neither)\b|n't)))"
    r"|(?P<no>(?:i (?:don't|do not) (?:think|believe) so|of course not|(?:absolutely|definitely|certainly) not)"
    r"(?=\W*$|[.!,;:]\s)|i (?:can ?not|can't|do not|don't) agree (?:that|with)\b|not (?:really|quite"
    r"|exactly)[.,;:] {1,3}(?=\w)))"
)
_CONTRAST = re.compile(r"(?i)\b(?:but|however|yet|though|although|still|while)\b")
_SAY = re.compile(
    r"(?i)\bi(?:'d| would| will|'ll| do| must| can)? {0,2}(?:(?:have to|must|therefore|still|also|thus|hence) ){0,2}"
    r"(?:say|answer|go with|conclude|choose|pick|vote|respond|reply|settle (?:on|for)|decide(?: on| for)?|stick with"
    r"|lean(?: towards?)?)(?: (?:that|with|is|it's|it is|an?|the|clear|firm)){0,3}[ :,]{1,4}"
    rf"{_PLAIN}{_END}"
)
_RIGHT = re.compile(
    rf"(?i)[\"'](?P<word>yes|no)[\"'] is (?:therefore |thus )?(?:the )?(?:right|correct)\b"
    rf"|\bthe (?:right|correct) (?:one|word|choice) is {_PLAIN.replace('word', 'late')}{_END}"
)
_HENCE = re.compile(
    r"(?i)(?:\b(?:actually|in (?:actual )?fact|in truth|so|thus|therefore|hence|then|consequently|accordingly|overall"
    r"|ultimately|in short|in sum|in conclusion)\b,?|→|⇒|=>|->) {0,3}(?:(?:the answer (?:is|would be)|it's|it is"
    r"|that's|that is|that means|i say|a|an|clearly|definitely) ){0,2}"
    rf"{_PLAIN}(?={_STOPPED}| (?:the|they|it|there|this|these|both)\b)"
)
_CALLED = re.compile(
    r"(?i)\b(?:it's|it is|that's|that is|this is|answer is|answer's|makes (?:this|it|that)"
    r"|be|as) (?:an? |the )?(?:(?:clear|definite|firm|simple"
    r"|hard|resounding"
    rf"|plain) )?{_PLAIN}{_END}"
)
_CLOSING = re.compile(
    r"(?i)(?<!maybe)(?<!perhaps)(?<!possibly)(?<!возможно)(?<!peut-être)(?<!vielleicht)(?<!quizás)(?<!tal vez)"
    rf"(?:[,;:—-]|[-=]>|→) {{1,3}}(?:{BEFORE},? {{1,3}}){{0,2}}[\"'(]{{0,2}}(?P<word>{WORDS})"
    r"[\"')]{0,2}[.!]{0,3}\s{0,9}$"
)
_AFTER = re.compile(
    rf"(?i)(?:\b(?:to answer|in answer|in reply|regarding|as for)[^.:!?\n]{{1,120}}:|[:;]|\b(?:confirm|conclude"
    rf"|say) that)\W{{1,5}}{_PLAIN}(?=[\s\"')]{{0,4}}[,.;!])|^\W{{0,5}}(?:based on|judging (?:by|from)|looking at"
    rf"|according to|from|in|on)\b[^.,:!?\n]{{1,80}}, {{1,3}}(?P<late>yes|no){_END}"
)
_OTHERWISE = re.compile(
    rf"(?i)\b(?:(?:wrong|incorrect|mistaken|a mistake|false) to (?:say|answer|conclude|respond)(?: with)?|(?:can't"
    rf"|cannot|can not) be) (?:an? )?{_PLAIN}(?![\w-]| or)"
    r"|[\"'](?P<quoted>yes|no)[\"'] (?:would be|is|cannot be|can't be|must be) (?:the )?(?:wrong|incorrect)\b"
)
_NEGATED = re.compile(r"(?i)(?:\bnot|n't|\bnever)(?: \w{1,9}){0,2} ?$")
_VERDICT = re.compile(
    r"(?i)\W{0,5}(?:(?:in the |an? )?(?P<yes>affirmative|positive|肯定)|(?:in the |an? )?(?P<no>negative|否定))"
    r"(?:的|です)?(?:\W|$)"
)
_BUT = re.compile(
    rf"(?i)[,;] but (?:here|in this (?:one|case|picture|image)),? (?P<here>yes|no){_END}"
    rf"|^\W{{0,4}}(?:al)?though\b[^.!?\n]{{3,120}}, (?P<after>yes|no)(?=, )"
    rf"|[,;] but {_PLAIN}, (?=(?:they|it|there|the|this|these|both)\b)"
    rf"|\bnot [\"']?(?:yes|no)[\"']?,? but [\"']?(?P<late>yes|no){_END}"
)
_WORDS = frozenset({"word", "late", "here", "after"})
"""What a pattern calls the word that it finds."""
_ECHO = re.compile(r"(?im)^\W{0,4}(?:yes ?(?:/|or) ?no|no ?/ ?yes)\W{1,5}(?=(?:yes|no)\b)")
"""The choice of words, repeated before the word that is chosen."""
_DIGIT_TAG = re.compile(r"(?i)<answer>\s{0,3}(?P<digit>[01])\s{0,3}</answer>\s{0,9}\Z")
_ANY = re.compile(r"(?i)\b(?:yes|no)\b")
DENIED_YES = "the sentence denies what yes would mean"
_OFFERED = ParsedAnswer(None, "the reply offers to help")
_OPPOSITE = {"yes": "no", "no": "yes"}


def read_yes_no(text: str) -> ParsedAnswer:
    """The answer "yes" or "no" that a reply states, or the reason why none can be read.

    Words of some forty languages are known where they open an answer, those of English also elsewhere. "No" before a
    noun ("no difference") is none; what others would say, conditions, guesses ("it may be that") and statements of
    fact without yes or no are not resolved. Which of several answers counts is told in `veridical.answers.settle`.

    >>> read_yes_no("Yes. There is no difference.").answer, read_yes_no("**Final answer:** no").answer
    ('yes', 'no')
    >>> read_yes_no("Yes and no."), read_yes_no("They are equal.").answer is None
    (ParsedAnswer(answer=None, reason='both yes and no are said'), True)
    """
    digit = _DIGIT_TAG.search(text, max(0, len(text) - 40))
    if digit and text.count("<answer>") == 1:
        text = f"{text[: digit.start('digit')]}{('no', 'yes')[int(digit['digit'])]}</answer>"
    read = read_by_rule(_ECHO.sub("", text), yes_no_slot, yes_no_whole, "yes or no", yes_no_claims)
    if read.answer == "yes" and _UNSAID.search(text[-600:]):
        return ParsedAnswer(None, "the conclusion before the answer denies what yes would mean")
    return read


def yes_no_slot(content: str, alone: bool) -> ParsedAnswer:
    truth = _TRUTH.fullmatch(content)
    if truth and (not alone or len(truth[1]) > 1):
        return ParsedAnswer(_TRUTHS[truth[1].lower()])
    content = content.lstrip()
    read, end = _opening(content)
    if alone and (any(sign.isalnum() for sign in content[end:]) or content.rstrip().endswith("?")):
        return NOTHING
    if read == NOTHING and not alone:
        verdict = _VERDICT.match(content)
        return ParsedAnswer("yes" if verdict["yes"] else "no") if verdict else NOTHING
    return read


def yes_no_whole(plain: str) -> ParsedAnswer:
    letter = _TRUTH.fullmatch(plain)
    if letter and len(letter[1]) == 1:
        return ParsedAnswer(_TRUTHS[letter[1].lower()])
    if not is_short_statement(plain):
        return NOTHING
    closing = _CLOSING.search(plain)
    if closing and len(_ANY.findall(plain)) <= 1:
        return ParsedAnswer(MEANING[closing["word"].lower()])
    return _opening(plain.lstrip())[0]


def _opening(content: str) -> tuple[ParsedAnswer, int]:
    """What the first words say, and where they end."""
    content = _UNTICKED.sub(lambda word: " " * len(word[0]), content)
    lead = _LEAD.match(content)
    if lead is None:
        return NOTHING, 0
    word, rest = lead["word"], content[lead.end() : lead.end() + 300]
    answer = MEANING[word.lower()] if word else "no"
    stopped = STOP.match(rest) is not None
    both = BOTH.match(rest)
    if both and MEANING[next(filter(None, both.groups())).lower()] != answer:
        return ParsedAnswer(None, "both yes and no are said"), lead.end()
    if CONDITION.match(rest):
        return ParsedAnswer(None, "the answer depends on a condition"), lead.end()
    if answer == "no" and DECLINE.search(rest[:120]):
        return ParsedAnswer(None, "the reply declines"), lead.end()
    if answer == "yes" and DENIES.match(rest):
        return ParsedAnswer(None, DENIED_YES), lead.end()
    if answer == "yes" and OFFER.match(rest):
        return _OFFERED, lead.end()
    if word and word.lower() in ENGLISH and answer == "yes":
        stopped = stopped or not rest.startswith(('"', "'", ")"))
    elif word and word.lower() == "no":
        stopped = stopped or SUBJECT.match(rest) is not None
    elif word and "\u0e00" <= word[0] <= "\u0e7f":
        stopped = stopped or rest[:1].isspace() or rest.startswith(("ครับ", "ค่ะ", "คะ"))
    return (ParsedAnswer(answer) if stopped else NOTHING), lead.end()


def yes_no_claims(plain: str) -> Iterator[AnswerClaim]:
    """What sentences state: those that open with the word, draw a conclusion, or end with it."""
    claims = list(_sentences(plain))
    yield from claims
    offered, end = _opening(plain.lstrip()[:400])
    if claims and offered == _OFFERED:
        yield AnswerClaim(ParsedAnswer("yes"), LEAD, 0, end)


def _sentences(plain: str) -> Iterator[AnswerClaim]:
    for sentence in SENTENCES.finditer(plain):
        words, start = sentence[0], sentence.start()
        read, end = _opening(words)
        if read.answer is not None and not words.endswith("?"):
            opens = plain[start - 1 : start] in "\n" and not _CONTRAST.search(plain[start : start + 600])
            rank = STATED if opens and _LINE.match(plain, start) else LEAD
            yield AnswerClaim(read, rank, start, start + end, announced=opens)
        yield from _inside(words, start)
    alone = _ALONE.match(plain)
    if alone and not _CONTRAST.search(plain):
        yield AnswerClaim(ParsedAnswer("yes" if alone["yes"] else "no"), LEAD, 0, alone.end())
    for agreed in _AGREED.finditer(plain):
        if not _CONTRAST.search(plain, agreed.start()):
            yield AnswerClaim(ParsedAnswer(_TRUTHS[agreed[1].lower()]), LEAD, agreed.start(1), agreed.end())


def _inside(words: str, start: int) -> Iterator[AnswerClaim]:
    """What a sentence that begins at `start` states further in."""
    for pattern in (_HENCE, _SAY, _CALLED, _RIGHT, _AFTER, _CLOSING, _BUT):
        for match in pattern.finditer(words):
            word = next(each for name, each in match.groupdict().items() if each and name in _WORDS)
            if is_own(words, match.start()) and not (pattern is _CLOSING and len(_ANY.findall(words)) > 1):
                yield AnswerClaim(ParsedAnswer(MEANING[word.lower()]), LEAD, start + match.start(), start + match.end())
    for match in _STATEMENT.finditer(words):
        if is_own(words, match.start()):
            yield AnswerClaim(
                ParsedAnswer(_TRUTHS[match["called"].lower()]), LEAD, start + match.start(), start + match.end()
            )
    for match in _OTHERWISE.finditer(words):
        other = _OPPOSITE[(match["word"] or match["quoted"]).lower()]
        yield AnswerClaim(ParsedAnswer(other), LEAD, start + match.start(), start + match.end())


def is_own(sentence: str, at: int) -> bool:
    """Whether the words at a place are the reply's own: not denied, not a guess, not what others say."""
    before = sentence[max(0, at - 120) : at]
    clause = before[max((turn.end() for turn in TURN.finditer(before)), default=0) :]
    return DOUBT.search(clause) is None and _NEGATED.search(before[-30:]) is None and not follows_denial(sentence, at)
