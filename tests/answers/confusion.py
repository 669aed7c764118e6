"""The readers held against replies that were written and labeled before anybody looked at a reader.

`python -m tests.answers.confusion` prints the tables of docs/readers.md and docs/howto/judges.md.
"""

import sys
from collections import Counter
from functools import partial

from studies.replies.corpora import BLIND, lines
from tests.answers import contact
from tests.answers.questions import put
from veridical.answers import (
    LENIENT_BINARY,
    LENIENT_CHOICE,
    OPTION_LETTER,
    STRICT_BINARY,
    STRICT_CHOICE,
    Parser,
    read_count,
    text_reader,
)
from veridical.records import Response

UNREAD = "unread"
KINDS = ("binary", "integer", "letter", "choice")
COLUMNS = ("read right", "read wrongly", "left unread", "label is none, left unread", "label is none, read")


def corpora():
    """The names of the corpora that are there, in order."""
    return sorted(path.stem for path in BLIND.glob("corpus_*.jsonl"))


def replies(corpus):
    """The replies of a corpus, as dictionaries with kind, text, answer and what their reader must know."""
    return lines(BLIND / f"{corpus}.jsonl")


INTEGER = text_reader(Parser("integer", "2", read_count))
READERS = {
    "binary": {"binary": LENIENT_BINARY, "strict binary": STRICT_BINARY},
    "choice": {"choice": LENIENT_CHOICE, "strict choice": STRICT_CHOICE},
    "letter": {"letter": OPTION_LETTER},
    "integer": {"binary": INTEGER},
}
"""For each kind, the readers, by the name of a family that asks their reader's questions."""


def read_with(reply, question, reader):
    """The reading of a reply, of which its reader sees what it would see in a run."""
    expects = {name: reply[name] for name in ("options",) if reply.get(name) is not None}
    response = Response(trial="t", text=reply["text"], stop_reason=reply.get("stop_reason", "stop"))
    return reader.read(response, put(question, **expects))


def readers(reply):
    """The readers of a reply, by name, as functions from a reply to a reading."""
    return {
        reader.name: partial(read_with, question=question, reader=reader)
        for question, reader in READERS[reply["kind"]].items()
    }


def counted(corpus):
    """How often each outcome came about, by kind and reader; and for yes or no, how often a label is read as what."""
    outcomes, pairs = {}, {}
    for reply in replies(corpus):
        label = reply["answer"]
        for name, read in readers(reply).items():
            answer = read(reply).answer
            outcomes.setdefault((reply["kind"], name), Counter())[outcome(label, answer)] += 1
            if reply["kind"] == "binary":
                pairs.setdefault(name, Counter())[label or "none", answer or UNREAD] += 1
    return outcomes, pairs


def outcome(label, answer):
    if label is None:
        return COLUMNS[3] if answer is None else COLUMNS[4]
    return COLUMNS[2] if answer is None else COLUMNS[0] if answer == label else COLUMNS[1]


def wrongly(outcomes):
    """How many replies are read wrongly: as another answer than the label, or although the label is none."""
    return outcomes[COLUMNS[1]] + outcomes[COLUMNS[4]]


def readable(outcomes):
    """How many replies a person could read: those with a label."""
    return sum(outcomes[column] for column in COLUMNS[:3])


def tables(corpus):
    """The two tables of a corpus, as Markdown."""
    outcomes, pairs = counted(corpus)
    lines = [f"| kind | reader | n | {' | '.join(COLUMNS)} |", f"|---|---|--:|{'--:|' * len(COLUMNS)}"]
    for kind, name in sorted(outcomes, key=lambda key: (KINDS.index(key[0]), key[1])):
        found = outcomes[kind, name]
        cells = " | ".join(str(found[column]) for column in COLUMNS)
        lines.append(f"| {kind} | {name} | {found.total()} | {cells} |")
    lines += ["", f"| label | n | {' | '.join(f'{name}: {read}' for name in pairs for read in ('1', '0', UNREAD))} |"]
    lines += [f"|---|--:|{'--:|' * 3 * len(pairs)}"]
    for label in ("1", "0", "none"):
        cells = [str(pairs[name][label, read]) for name in pairs for read in ("1", "0", UNREAD)]
        total = sum(pairs["lenient"][label, read] for read in ("1", "0", UNREAD))
        lines.append(f"| {label} | {total} | {' | '.join(cells)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.stdout.write("\n\n".join(f"### {corpus}\n\n{tables(corpus)}" for corpus in corpora()) + "\n")
    sys.stdout.write(f"\n{contact.read_table()}\n\n{contact.judged_table()}\n")
