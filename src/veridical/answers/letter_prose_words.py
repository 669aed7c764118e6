"""How prose gives one option: as a predicate, a conclusion, what is left over, what fits alone."""

from __future__ import annotations

import re

CLOSING = re.compile(
    r"(?:(?<=[a-z0-9)]),|(?<=[a-z0-9)]):|(?<!\bit )\bis|\bi\.e\.,?"
    r"|\bnamely) {1,4}[\"'(]{0,2}([A-Z])[\"')]{0,2} {0,3}\.?\s{0,9}\Z"
)
"""A letter alone at the end of a reply."""
LEFT_OVER = re.compile(
    r"\b(?:(?:that|which|this) leaves(?: us with| only)?|(?:so|thus|therefore|hence),? (?:it|this|that"
    r"|the \w{3,14}) (?:is|must be|can only be"
    r"|has to be|shows|reads)|\b(?:so|thus|therefore|hence),? (?:it's|that's)) (?=\S[^.!?\n]{0,60}[.!]?\s{0,9}\Z)",
    re.IGNORECASE,
)
JUDGED = re.compile(
    r"^[^\w\n(\[]{0,8}[(\[]?(?P<letter>[A-Z])[)\].:]{1,2}[^\n:]{0,80}[:—–-] {0,2}\W{0,3}(?:(?P<yes>yes)|(?P<no>no))\b",
    re.IGNORECASE | re.MULTILINE,
)

PREDICATE = re.compile(
    r"\b(?:is|are|was|shows?|depicts?|reads?|displays?|represents?|it's|that's|there's|i see|i count|see|count|be"
    r"|called"
    r"|suggests?|indicates?|means?|means it's|resembles?|makes? (?:it|this)|identif(?:y|ies) (?:it"
    r"|this) as)(?: (?:clearly|therefore|thus|really|actually|indeed|only"
    r"|just|obviously"
    r"|certainly|most likely|probably|exactly|colou?red|known as|in fact|then|taken|made|shot)){0,3}:? "
    r"(?:(?:an?|the|one|the one) )?(?:(?:on|at|in|to|during) (?:the )?)?[\"'(]{0,2}$",
    re.IGNORECASE,
)
"""What stands before an option that a sentence predicates of something."""
ENDED = re.compile(
    r"[\"')]{0,2}\s{0,2}(?:[.,;:!?(\n。]|$|[—–-] | (?:which|because|since|as|with|in|on|at|by|that|from|here|and|for"
    r"|looking"
    r"|facing|of the|even though|although|though|while)\b)|[\"')]{0,2} (?:with|in|on|at|by|from|which|because|since"
    r"|that|here"
    r"|looking|facing|for)\b",
    re.IGNORECASE,
)
SEEMING = re.compile(
    r"\b(?:seem|appear)\w{0,3}\b|\blooks? (?:like|as)\b|\b(?:first|initially|impression|illusion|usual|usually|normally"
    r"|typical|typically|expect|(?<!\bi )think|thought|(?<!\bi )believe|tempt\w{0,3}|classic|mistaken\w{0,2})\b",
    re.IGNORECASE,
)
SUPPOSED = re.compile(
    r"\b(?:would|could|might|may|perhaps|maybe|possibly|possible|probably not|either|whether|if|unless|people"
    r"|many (?:people|would|might|think|say|viewers|observers)"
    r"|most(?! (?:likely|probably|certainly)\b)|expect"
    r"|usual(?:ly)?|normally|typically|(?<!among the )(?<!of the )(?<!given )(?:options?|choices)|(?:not"
    r"|never)(?: \w{1,9})? (?:think|believe|say|true|sure"
    r"|certain|claim|mean))\b"
    r"|n't (?:think|believe|say|true|sure|certain|claim|mean)\b|\b(?<!i )(?:says|claims|claimed|pretends?)\b|\?",
    re.IGNORECASE,
)
"""What only supposes, tells what another says, or lists what could be."""
INTRODUCED = re.compile(
    r"\W{0,4}(?:(?:in|on|of|from|among|despite|contrary to|measured|looking|according|based|comparing|after|given"
    r"|upon)\b[^.;,]{0,70}, |(?:so"
    r"|therefore|thus|hence"
    r"|clearly|indeed|here),? |i (?:see|find|conclude|think) (?:that )?|(?:this|that|which) (?:clearly )?(?:shows"
    r"|means|proves|confirms"
    r"|implies|suggests|indicates|tells us) (?:that )?){0,2}"
    r"(?:the )?[\"'(]{0,2}",
    re.IGNORECASE,
)
"""What may stand before the statement of a sentence."""
CLEFT = re.compile(r"\bit(?:'s| is| must be)(?: (?:clearly|actually|only))? (?:the )?$", re.IGNORECASE)
SINGLED_OUT = re.compile(
    r" best (?:matches|fits|describes|captures|represents|answers|reflects)\b| (?:one )?(?:is|must be) (?:therefore "
    r"|clearly |thus )?(?:the (?:odd one|different one|one (?:that|which"
    r"|with)|only (?:one|\w{3,12}"
    r" (?:that|which|with))|(?:correct|right) (?:one|answer|option))|different\b(?=[.,;]|$))",
    re.IGNORECASE,
)
PLACED = re.compile(
    r"\W{0,4}(?:it's |it is |i(?:'d| would)? (?:choose|pick|say|go with) )?the (?P<which>first|second|third|fourth"
    r"|fifth|sixth|last)"
    r"(?: (?:option|choice|answer|one|alternative))\W{0,4}",
    re.IGNORECASE,
)
WALKED = re.compile(
    r"^[^\w\n(\[]{0,8}(?:option )?[(\[]?(?P<letter>[A-Z])(?:[)\].:]| ?[-—(])(?P<said>[^\n]{1,300})$", re.MULTILINE
)
"""One line of a walk through the options."""
FITTING = re.compile(
    r"\b(?:correct|right|fits?|matches|match|agrees?|consistent|yes|true|plausible|this is (?:it|the (?:one|altered"
    r"|changed|odd|only"
    r"|right|correct)\b))(?!\w)|[✓✔✅☑]",
    re.IGNORECASE,
)
UNFITTING = re.compile(
    r"\b(?:not|no|nor|never|wrong|incorrect|false|ruled out|excluded|eliminated|would|but|however|cannot"
    r"|inconsistent|implausible"
    r"|unlikely|mismatch|out)\b|n't\b|[✗✘❌✕]",
    re.IGNORECASE,
)
LABELED = re.compile(
    r"(?:^|[\n.:;] {0,3})[^\w\n(\[]{0,6}(?:option )?[(\[]?[A-Z](?:[)\].:]| [-—]) {0,4}\w", re.MULTILINE
)
"""A letter that stands before what it stands for."""
COMPARATIVE = re.compile(
    r"(?: \w{3,12})? (?:is|are) (?:\w{3,12}ly )?(?:\w{2,12}er|(?:more|less) \w{3,14})[.!]?\s{0,3}", re.IGNORECASE
)
"""What is said of the greater of two, and nothing else."""
