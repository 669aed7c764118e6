"""From text to an answer, or to the reason why there is none.

`read_yes_no`: "yes" or "no", in words of twelve languages.
`letter_reader`: the letter of one of several options, by letter or by the option's text.
`read_integer`: a whole number, in digits or words; `read_count`: one that is not negative.
`region_mentions`: the numbers of all marked regions of a picture that a reply names.
`read_interval`: a stretch of time in seconds; `interval` gives the two numbers of an answer. `read_intervals`: several.
`json_reader`: an object that fits a pydantic model; `parse_answer` gives the model.
`strict_binary`, `strict_choice`: what stands in an `<answer>` tag and nowhere else; `lenient_binary`, `lenient_choice`:
there, or in prose.
These parse text. A `Reader` makes a parser's answer into the reading of a response to a trial; `LENIENT_BINARY` and
others are readers that suites share, `text_reader` makes one of a parser. `split_thinking` tells what a reply says from
what it thinks, for all of them. `answer_token` finds the token that states an answer, and `option_probabilities` what
the model held likely there.
"""

from veridical.answers.answer_tokens import AnswerToken, answer_lead, answer_token, forced_token
from veridical.answers.binary import LENIENT_BINARY, STRICT_BINARY, lenient_binary, strict_binary
from veridical.answers.choice import LENIENT_CHOICE, STRICT_CHOICE, lenient_choice, strict_choice
from veridical.answers.integer import read_count, read_integer
from veridical.answers.json_block import json_reader, last_object, parse_answer
from veridical.answers.letter import OPTION_LETTER, letter_reader
from veridical.answers.probabilities import OptionProbabilities, option_probabilities
from veridical.answers.reader import Marks, ParsedAnswer, Parser, Reader, Readers, decide, mark_by_gold, text_reader
from veridical.answers.region_mentions import region_mentions
from veridical.answers.thinking import SpokenReply, split_thinking
from veridical.answers.time_interval import TimeInterval, interval, read_interval
from veridical.answers.time_intervals import intervals, read_intervals
from veridical.answers.yes_no import read_yes_no

__all__ = [
    "LENIENT_BINARY",
    "LENIENT_CHOICE",
    "OPTION_LETTER",
    "STRICT_BINARY",
    "STRICT_CHOICE",
    "AnswerToken",
    "Marks",
    "OptionProbabilities",
    "ParsedAnswer",
    "Parser",
    "Reader",
    "Readers",
    "SpokenReply",
    "TimeInterval",
    "answer_lead",
    "answer_token",
    "decide",
    "forced_token",
    "interval",
    "intervals",
    "json_reader",
    "last_object",
    "lenient_binary",
    "lenient_choice",
    "letter_reader",
    "mark_by_gold",
    "option_probabilities",
    "parse_answer",
    "read_count",
    "read_integer",
    "read_interval",
    "read_intervals",
    "read_yes_no",
    "region_mentions",
    "split_thinking",
    "strict_binary",
    "strict_choice",
    "text_reader",
]
