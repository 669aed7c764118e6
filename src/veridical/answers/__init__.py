"""From text to an answer, or to the reason why there is none."""

from veridical.answers.reader import Read, Reader, decide
from veridical.answers.tags import choice_reader, read_binary

__all__ = ["Read", "Reader", "choice_reader", "decide", "read_binary"]
