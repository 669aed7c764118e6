"""Where prose settles on one option: by its text or its place, at its end, under a heading, by a walk through all."""

from __future__ import annotations

import re
from collections.abc import Iterator

from veridical.answers import letter_words as words
from veridical.answers.impression import held_part
from veridical.answers.letter_words import OptionTexts
from veridical.answers.places import LEAD, SENTENCES, STATED
from veridical.answers.prepare import PreparedReply
from veridical.answers.reader import ParsedAnswer
from veridical.answers.settle import AnswerClaim, follows_denial

CLOSING = re.compile(
    r"(?:(?<=[a-z0-9)]),|(?<=[a-z0-9)]):|(?<!\bit )\bis|\bi\.e\.,?"
    r"|\bnamely) {1,4}[\"'(]{0,2}([A-Z])[\"')]{0,2} {0,3}\.?\s{0,9}\Z"
)
"""A letter alone at the end of a reply."""
LEFT_OVER = re.compile(
    r"(?i)\b(?:(?:that|which|this) leaves(?: us with| only)?|(?:so|thus|therefore|hence),? (?:it|this|that"
    r"|the \w{3,14}) (?:is|must be|can only be"
    r"|has to be|shows|reads)|\b(?:so|thus|therefore|hence),? (?:it's|that's)) (?=\S[^.!?\n]{0,60}[.!]?\s{0,9}\Z)"
)

PREDICATE = re.compile(
    r"(?i)\b(?:is|are|was|shows?|depicts?|reads?|displays?|represents?|it's|that's|there's|i see|i count|see|count|be"
    r"|called|suggests?|indicates?|means?|means it's|resembles?|makes? (?:it|this)|identif(?:y|ies) (?:it"
    r"|this) as)(?: (?:clearly|therefore|thus|really|actually|indeed|only|just|obviously|certainly|most likely"
    r"|probably|exactly|colou?red|known as|in fact|then|taken|made|shot)){0,3}:? (?:(?:an?|the|one|the one) )?(?:(?:on"
    r"|at|in|to|during) (?:the )?)?[\"'(]{0,2}$"
)
"""What stands before an option that a sentence predicates of something."""
ENDED = re.compile(
    r"(?i)[\"')]{0,2}\s{0,2}(?:[.,;:!?(\n。]|$|[—–-] | (?:which|because|since|as|with|in|on|at|by|that|from|here|and"
    r"|for|looking|facing|of the|even though|although|though|while)\b)|[\"')]{0,2} (?:with|in|on|at|by|from|which"
    r"|because|since|that|here|looking|facing|for)\b"
)
SEEMING = re.compile(
    r"(?i)\b(?:seem|appear)\w{0,3}\b|\blooks? (?:like|as)\b|\b(?:first|initially|impression|illusion|usual|usually"
    r"|normally|typical|typically|expect|(?<!\bi )think|thought|(?<!\bi )believe|tempt\w{0,3}|classic"
    r"|mistaken\w{0,2})\b"
)
SUPPOSED = re.compile(
    r"(?i)\b(?:would|could|might|may|perhaps|maybe|possibly|possible|probably not|either|whether|if|unless|people"
    r"|many (?:people|would|might|think|say|viewers|observers)|most(?! (?:likely|probably|certainly)\b)|expect"
    r"|usual(?:ly)?|normally|typically|(?<!among the )(?<!of the )(?<!given )(?:options?|choices)|(?:not"
    r"|never)(?: \w{1,9})? (?:think|believe|say|true|sure|certain|claim|mean))\b|n't (?:think|believe|say|true|sure"
    r"|certain|claim|mean)\b|\b(?<!i )(?:says|claims|claimed|pretends?)\b|\?"
)
"""What only supposes, tells what another says, or lists what could be."""
INTRODUCED = re.compile(
    r"(?i)\W{0,4}(?:(?:in|on|of|from|among|despite|contrary to|measured|looking|according|based|comparing|after|given"
    r"|upon)\b[^.;,]{0,70}, |(?:so|therefore|thus|hence|clearly|indeed|here),? |i (?:see|find|conclude"
    r"|think) (?:that )?|(?:this|that|which) (?:clearly )?(?:shows|means|proves|confirms|implies|suggests|indicates"
    r"|tells us) (?:that )?){0,2}(?:the )?[\"'(]{0,2}"
)
"""What may stand before the statement of a sentence."""
CLEFT = re.compile(r"(?i)\bit(?:'s| is| must be)(?: (?:clearly|actually|only))? (?:the )?$")
PLACED = re.compile(
    r"(?i)\W{0,4}(?:it's |it is |i(?:'d| would)? (?:choose|pick|say|go with) )?the (?P<which>first|second|third|fourth"
    r"|fifth|sixth|last)(?: (?:option|choice|answer|one|alternative))\W{0,4}"
)
WALKED = re.compile(
    r"(?m)^[^\w\n(\[]{0,8}(?:option )?[(\[]?(?P<letter>[A-Z])(?:[)\].:]| ?[-—(])(?P<said>[^\n]{1,300})$"
)
"""One line of a walk through the options."""
EXPLICIT = re.compile(r"(?im)^[^\w\n(\[]{0,8}[(\[]?[A-Z][)\].:][^\n]{1,80}? ?[-:–—(] ?(?:in)?correct\b")
"""One line that calls an option correct or incorrect."""
FITTING = re.compile(
    r"(?i)\b(?:correct|right|fits?|matches|match|agrees?|consistent|yes|true|plausible|this is (?:it|the (?:one|altered"
    r"|changed|odd|only|right|correct)\b))(?!\w)|[✓✔✅☑]"
)
UNFITTING = re.compile(
    r"(?i)\b(?:not|no|nor|never|wrong|incorrect|false|ruled out|excluded|eliminated|would|but|however|cannot"
    r"|inconsistent|implausible|unlikely|mismatch|out)\b|n't\b|[✗✘❌✕]"
)
LABELED = re.compile(r"(?m)(?:^|[\n.:;] {0,3})[^\w\n(\[]{0,6}(?:option )?[(\[]?[A-Z](?:[)\].:]| [-—]) {0,4}\w")
"""A letter that stands before what it stands for."""
_SENTENCES = 60


def claims_in_prose(options: OptionTexts, plain: str) -> Iterator[AnswerClaim]:
    """What the first or the last sentence states of one option, where no other option is stated anywhere."""
    sentences = list(_sentences(plain))
    if not sentences or len(sentences) > _SENTENCES or LABELED.search(plain):
        return
    named = {options.letter(match) for sentence in sentences for match in _held_in(options, sentence[0])}
    for index in sorted({0, len(sentences) - 1}):
        sentence = sentences[index]
        if words.OPEN.search(sentence[0]) or SUPPOSED.search(sentence[0]):
            continue
        for match in _held_in(options, sentence[0]):
            alone = len(named) == 1 and (options.plain_words or index == len(sentences) - 1)
            if _is_cleft(sentence[0], match) or (
                alone and (_is_predicate(sentence[0], match) or _is_clause(sentence[0], match))
            ):
                yield AnswerClaim(ParsedAnswer(options.letter(match)), LEAD, sentence.start(), sentence.end())
                break


def _sentences(plain: str) -> Iterator[re.Match[str]]:
    return (sentence for sentence in SENTENCES.finditer(plain) if any(sign.isalnum() for sign in sentence[0]))


def _held_in(options: OptionTexts, sentence: str) -> Iterator[re.Match[str]]:
    """Options that a sentence names as what is so: not denied, not supposed, not only seeming."""
    if SUPPOSED.search(sentence):
        return
    span = held_part(sentence)
    for match in options.pattern.finditer(sentence):
        if re.search(r"\bthan (?:the )?$", sentence[max(0, match.start() - 9) : match.start()], re.IGNORECASE):
            continue
        if (span is None or span[0] <= match.start() < span[1]) and not follows_denial(sentence, match.start()):
            yield match


def _is_predicate(sentence: str, match: re.Match[str]) -> bool:
    """Whether the option is what a sentence says that something is: "the animal is a dog, as can be seen"."""
    flat = match[0].casefold() in words.FLAT
    before, after = (re.split(r"[,:;]", part) for part in (sentence[: match.start()], sentence[match.end() :]))
    rest = re.sub(r"^\W{0,4}both\b", "", before[-1], flags=re.IGNORECASE) + " " + after[0]
    return (
        not flat
        and PREDICATE.search(sentence, max(0, match.start() - 60), match.start()) is not None
        and ENDED.match(sentence, match.end()) is not None
        and words.COMPARED.search(rest) is None
        and SEEMING.search(sentence, 0, match.start()) is None
    )


def _is_clause(sentence: str, match: re.Match[str]) -> bool:
    """Whether an option that is a clause of its own stands where a sentence makes its statement."""
    ended = ENDED.match(sentence, match.end()) or re.match(r" than\b", sentence[match.end() :][:6])
    return len(match[0].split()) >= 3 and ended is not None and _opens_statement(sentence, match)


def _is_cleft(sentence: str, match: re.Match[str]) -> bool:
    """Whether a sentence singles the option out: "it is the left one that differs"."""
    if match[0].casefold() in words.FLAT:
        return False
    cleft = CLEFT.search(sentence, max(0, match.start() - 30), match.start())
    return cleft is not None and re.match(r" (?:that|which|who|whose)\b", sentence[match.end() :][:7]) is not None


def _opens_statement(sentence: str, match: re.Match[str]) -> bool:
    """Whether an option stands where a sentence, or what it concludes or holds against something, begins."""
    span = held_part(sentence)
    before = sentence[: match.start()]
    hence = re.search(r"(?i)(?:^|, |; )(?:so|hence|thus|therefore|and|but) (?:the )?$", before[-30:]) is not None
    explained = before.endswith((": ", ": the ")) and SEEMING.search(sentence) is None
    return hence or explained or INTRODUCED.fullmatch(before, span[0] if span else 0) is not None


def names_other_option(options: OptionTexts, reply: PreparedReply, answer: str) -> bool:
    """Whether the sentence before the stated answer names another option: "It is a pear. Answer: C (plum)"."""
    stated = [place for place in reply.statements if place.rank >= STATED]
    if not stated or reply.cues or not options.plain_words:
        return False
    before = reply.plain[: stated[-1].start]
    before = before[: max(before.rfind("\n"), before.rfind(". ")) + 1]
    named = {options.letter(match) for match in options.pattern.finditer(before)}
    sentences = list(_sentences(before[-600:]))
    if len(named) != 1 or named == {answer} or not sentences:
        return False
    last = sentences[-1][0]
    return not words.OPEN.search(last) and any(
        _is_predicate(last, match) and not last[match.end() :].strip(" .!\"')") for match in _held_in(options, last)
    )


_TURNED_DOWN = re.compile(
    r"(?i)\b(?:not|nor|neither|unlike|than|rather|instead|either|or|if|seems?|looks?|appears?|might|may|could|would"
    r"|wrong|incorrect)\b|n't\b"
)


def place_claims(options: OptionTexts, plain: str) -> Iterator[AnswerClaim]:
    """Options given by their place ("the last one") or in brackets at the end ("around noon (B).")."""
    if not any(re.search(r"\b(?:first|second|third|last)\b", text) for text in options.texts):
        whole = PLACED.fullmatch(plain[:80]) if len(plain) <= 80 else None
        for which in (*words.BY_ORDINAL.finditer(plain), *((whole,) if whole else ())):
            last = which["which"].lower() == "last"
            letter = chr(ord("A") + (len(options.texts) - 1 if last else words.ORDINALS.index(which["which"].lower())))
            if options.has(letter):
                yield AnswerClaim(ParsedAnswer(letter), STATED, which.start(), which.end())
    end = re.search(r"\((?:option |answer |choice )?([A-Z])\)[\"')]?\s{0,3}[.!]?\s{0,9}\Z", plain[-40:])
    if end and options.has(end[1]):
        start = max(0, len(plain) - 40) + end.start()
        sentence = re.split(r"[.!?\n]", plain[max(0, start - 400) : start])[-1]
        named = [options.letter(match) for match in options.pattern.finditer(sentence)]
        turned_down = _TURNED_DOWN.search(sentence)
        *_, adjoining = None, *(match for match in options.pattern.finditer(sentence))
        adjoins = adjoining is not None and not sentence[adjoining.end() :].strip(" \"'")
        beside = {options.letter(adjoining)} if adjoining and adjoins else set(named)
        if not turned_down and beside <= {end[1]} and not words.IN_BRACKETS.search(sentence):
            yield AnswerClaim(ParsedAnswer(end[1]), LEAD, start, len(plain))


def ending(options: OptionTexts, plain: str) -> Iterator[AnswerClaim]:
    """What the last words state: a letter alone ("..., D."), a conclusion or a heading that names one option."""
    at = max(0, len(plain) - 300)
    closing = CLOSING.search(plain, at)
    if closing and options.has(closing[1]):
        before = plain[max(at, closing.start() - 60) : closing.start() + 1]
        if not (words.OPEN.search(before) or re.search(r"(?i)\b(?:wait|hm+|no)\W*\Z", before[-13:])):
            yield AnswerClaim(ParsedAnswer(closing[1]), LEAD, closing.start(), closing.end())
    last = LEFT_OVER.search(plain, at)
    if last:
        named = {options.letter(match) for match in options.pattern.finditer(plain, last.end())}
        bare = re.sub(r"^(?:(?:the|only|an?) ){0,2}", "", plain[last.end() :])
        match = options.pattern.match(plain, last.end()) or options.pattern.match(plain, len(plain) - len(bare))
        if match and len(named) == 1 and not plain[match.end() :].strip(" .!)\"'\n"):
            yield AnswerClaim(ParsedAnswer(named.pop()), LEAD, last.start(), match.end())
    label = words.HEADED.match(plain)
    headed = options.pattern.match(plain, label.end()) if label else None
    if label and headed and not SUPPOSED.search(label[0]) and names_one(options, plain):
        closes = re.match(r"[\"')]{0,2}\s{0,4}(?:[.!;(\n]|$)", plain[headed.end() : headed.end() + 8])
        if closes and not follows_denial(plain, headed.start()) and not words.NEGATIVE.search(label[0]):
            yield AnswerClaim(ParsedAnswer(options.letter(headed)), LEAD, 0, headed.end())


def names_one(options: OptionTexts, plain: str) -> bool:
    """Whether a reply names one option and no other."""
    return len({options.letter(match) for match in options.pattern.finditer(plain)}) == 1


def walkthrough_claims(options: OptionTexts, plain: str) -> Iterator[AnswerClaim]:
    """The one option that fits where a reply judges each on a line of its own."""
    judged: dict[str, bool | None] = {}
    for line in WALKED.finditer(plain):
        fits, fails = FITTING.search(line["said"]), UNFITTING.search(line["said"])
        judged[line["letter"]] = False if fails else True if fits else None
    fitting = [letter for letter, fits in judged.items() if fits]
    complete = len(judged) == len(options.texts) or len(EXPLICIT.findall(plain)) == len(judged) > 1
    complete = complete and options.has(max(judged, default="Z"))
    if complete and len(fitting) == 1 and None not in judged.values():
        yield AnswerClaim(ParsedAnswer(fitting[0]), STATED, 0, len(plain))
