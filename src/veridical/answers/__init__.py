"""From text to an answer, or to the reason why there is none."""

from veridical.answers.reader import Read, Reader, decide
from veridical.answers.tags import read_binary

__all__ = ["Read", "Reader", "decide", "read_binary"]
