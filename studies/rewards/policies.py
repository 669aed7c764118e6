"""Policies that see the words of a prompt and no picture: what each replies."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import product

from studies.replies.corpora import answer_texts
from veridical.records import Text
from veridical.rewards.examples import TrainingExample

BlindPolicy = Callable[[TrainingExample], str]

_TAGGED = "<answer>{}</answer>"
_PAIRED = "<answer1>{}</answer1>\n<answer2>{}</answer2>"


def words_of(example: TrainingExample) -> str:
    """The words of a prompt."""
    texts = (part.text for message in example.messages for part in message.parts if isinstance(part, Text))
    return "\n".join(texts)


def answers_of(example: TrainingExample) -> tuple[str, ...]:
    """The true answers of an example, one for each question."""
    return tuple(str(trial.gold) for trial in example.item.trials)


def in_form(example: TrainingExample, answers: Sequence[str]) -> str:
    """Answers in the tags that a prompt asks for: the first one alone where it asks one question."""
    return _PAIRED.format(*answers) if len(example.item.trials) == 2 else _TAGGED.format(answers[0])


def policies(learned_from: Sequence[TrainingExample]) -> Mapping[str, BlindPolicy]:
    """The policies by name; those that learn have seen the prompts and the true answers of other units."""
    seen = sorted({answer for example in learned_from for answer in answers_of(example) if len(answer) < 3})
    words = list(dict.fromkeys([*seen, "yes", "no", "1", "0", "A", "B", "the same", "different", "neither"]))
    constant = {
        f"always {one}, {two}": _constant((one, two)) for one, two in product(words, words[: max(4, len(seen))])
    }
    return {
        **constant,
        **{f"untagged {word}": _reply(f"The answer is {word}.") for word in words},
        **_TALK,
        **{f"majority by {name}": _majority(learned_from, key) for name, key in _KEYS.items()},
        "majority of option texts by family": _majority_of_texts(learned_from),
        "first of two": _alternative(0),
        "second of two": _alternative(1),
        "last number of the prompt": _last_number,
        "random among answers": _random(seen or words),
        "first option": _option(0),
        "last option": _option(-1),
        "longest option": _longest_option,
        "copy": words_of,
        "copy and yes": lambda example: f"{words_of(example)}\n{in_form(example, ('1', '1'))}",
        "all options": _all_options,
    }


def read_replies(count: int) -> Iterator[tuple[str, BlindPolicy]]:
    """So many replies of the corpora as policies, evenly over all, by name: each by itself, and in both answer tags."""
    texts = answer_texts()
    for place in sorted({k * len(texts) // count for k in range(count)}):
        text = texts[place]
        yield f"reply {place:,} of the corpora", _in_each_tag(text)


def _in_each_tag(text: str) -> BlindPolicy:
    """The text as it stands, or, where two questions are asked, in the tag of each."""
    return lambda example: text if len(example.item.trials) == 1 else in_form(example, (text, text))


def _constant(answers: tuple[str, str]) -> BlindPolicy:
    return lambda example: in_form(example, answers)


def _reply(text: str) -> BlindPolicy:
    return lambda _: text


_TEXTS = {
    "nothing": "",
    "either of two": "Either yes or no.",
    "both tags": "<answer>1</answer> <answer>0</answer>",
    "both in one tag": "<answer>1 or 0</answer>",
    "both in a list": '{"answer": ["1", "0"]}',
    "both letters": "<answer>A</answer><answer>B</answer>",
    "letters in one tag": "<answer>A, B, C, D</answer>",
    "two in each tag": _PAIRED.format("1 or 0", "0 or 1"),
    "two letters in each tag": _PAIRED.format("A or B", "B or A"),
    "each tag twice": f"{_PAIRED.format(1, 0)}\n{_PAIRED.format(0, 1)}",
    "nested tags": "<answer1>1<answer2>0</answer2></answer1>",
    "thinking only": "<think><answer>1</answer><answer1>1</answer1><answer2>0</answer2></think>",
    "thinking without end": "<think><answer>1</answer><answer1>1</answer1><answer2>0</answer2>",
    "in code": "```\n<answer>1</answer>\n```",
    "in quotes": 'The model would say "<answer>1</answer>".',
    "in German": "Ja. Antwort: ja",
    "in Chinese": "是的,答案是 1。",
    "hedge": "It could be yes, although it may also be no; I cannot tell.",
    "taken back": "<answer>1</answer> Wait, no: <answer>0</answer> Or rather <answer>1</answer>.",
    "refusal": "I'm sorry, I can't see the picture.",
    "question": "Is it yes?",
    "if": "If they are equal, <answer>1</answer>, else <answer>0</answer>.",
    "all numbers": "<answer>0 1 2 3 4 5 6 7 8 9</answer>",
    "all of them": "All of the options are right.",
}
_TALK: Mapping[str, BlindPolicy] = {name: _reply(text) for name, text in _TEXTS.items()}

_KEYS: Mapping[str, Callable[[TrainingExample], str]] = {
    "all": lambda _: "",
    "prompt": words_of,
    "family": lambda example: example.item.trials[0].family,
    "length of prompt": lambda example: str(len(words_of(example))),
    "last words": lambda example: words_of(example)[-60:],
}


def _majority(learned_from: Sequence[TrainingExample], key: Callable[[TrainingExample], str]) -> BlindPolicy:
    """Answers what was true most often where the key was the same, else what was true most often of all."""
    counts: dict[str, Counter[tuple[str, ...]]] = {}
    every: Counter[tuple[str, ...]] = Counter()
    for example in learned_from:
        counts.setdefault(key(example), Counter())[answers_of(example)] += 1
        every[answers_of(example)] += 1

    def policy(example: TrainingExample) -> str:
        [(answers, _)] = counts.get(key(example), every).most_common(1)
        return in_form(example, answers)

    return policy


def _majority_of_texts(learned_from: Sequence[TrainingExample]) -> BlindPolicy:
    """Answers the pair of options whose texts were true most often in the family, wherever they stand here."""
    counts: dict[str, Counter[tuple[str, ...]]] = {}
    for example in learned_from:
        if all(options_of(example)):
            counts.setdefault(example.item.trials[0].family, Counter())[_texts_of(example)] += 1

    def policy(example: TrainingExample) -> str:
        own = options_of(example)
        for texts, _ in counts.get(example.item.trials[0].family, Counter[tuple[str, ...]]()).most_common():
            if all(text in options for text, options in zip(texts, own, strict=True)):
                letters = [_letter(options, options.index(text)) for text, options in zip(texts, own, strict=True)]
                return in_form(example, letters)
        return in_form(example, ("1", "0"))

    return policy


def _texts_of(example: TrainingExample) -> tuple[str, ...]:
    pairs = zip(answers_of(example), options_of(example), strict=True)
    return tuple(options[ord(letter) - ord("A")] for letter, options in pairs)


def _random(answers: Sequence[str]) -> BlindPolicy:
    """Answers drawn evenly, the same for a prompt each time."""

    def policy(example: TrainingExample) -> str:
        digest = sha256("/".join(trial.id for trial in example.item.trials).encode()).digest()
        return in_form(example, [answers[byte % len(answers)] for byte in digest[:2]])

    return policy


def options_of(example: TrainingExample) -> list[list[str]]:
    """The options of each question; none of an open one."""
    return [list(trial.expects.get("options") or ()) for trial in example.item.trials]


def _option(place: int) -> BlindPolicy:
    def policy(example: TrainingExample) -> str:
        return in_form(example, [_letter(options, place) for options in options_of(example)])

    return policy


def _letter(options: Sequence[str], place: int) -> str:
    return chr(ord("A") + range(len(options))[place]) if options else "1"


_ALTERNATIVES = re.compile(r"([a-z]+) or (?:of |on |to )?(?:an? |the )?([a-z]+(?: [a-z]+)?)\W", re.IGNORECASE)


def _alternative(place: int) -> BlindPolicy:
    """Answers the first or the second of the two that the questions join by "or"; yes where they do not."""

    def policy(example: TrainingExample) -> str:
        asked = words_of(example).partition("Question")[2]
        pairs = [match.groups() for match in _ALTERNATIVES.finditer(asked.partition("\n\nThink")[0])] or [
            ("yes", "yes")
        ]
        return in_form(example, [pairs[0][place], pairs[-1][place]])

    return policy


def _last_number(example: TrainingExample) -> str:
    numbers = re.findall(r"[0-9]+", words_of(example)) or ["1"]
    return in_form(example, numbers[-1:] * 2)


def _longest_option(example: TrainingExample) -> str:
    own = options_of(example)
    return in_form(
        example, [_letter(each, max(range(len(each)), key=lambda k: len(each[k]), default=0)) for each in own]
    )


def _all_options(example: TrainingExample) -> str:
    return in_form(example, [" or ".join(options) or "1 or 0" for options in options_of(example)])
