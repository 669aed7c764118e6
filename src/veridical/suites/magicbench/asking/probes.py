"""Checkpoint probes: questions about the state of a clip at a time, with options, from its log."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_uppercase

from veridical.errors import InputError
from veridical.records import Json
from veridical.suites.magicbench.stimuli import PatterClaim, Probe


def gold_of(probe: Probe, name: str) -> str:
    """The letter of the true option; raises `InputError`, which names the stimulus, for options that cannot be asked.

    >>> gold_of({"asks": "view", "moment": "after", "time": 4.0, "question": "Is the coin in view at 4.0 s?",
    ...          "options": ["Yes", "No"], "answer": "No"}, "coin/0000/trick")
    'B'
    """
    options = probe["options"]
    different = {" ".join(option.split()).casefold().strip(" .") for option in options} - {""}
    if not 2 <= len(options) == len(different) <= len(ascii_uppercase):
        raise InputError(f"stimulus {name!r}: the probe at {probe['time']:g} s needs 2 to 26 different options")
    if probe["answer"] not in options:
        raise InputError(f"stimulus {name!r}: the answer of the probe at {probe['time']:g} s is none of its options")
    return ascii_uppercase[options.index(probe["answer"])]


def probe_expectations(probe: Probe, place: int, claims: Sequence[PatterClaim]) -> dict[str, Json]:
    """What a reader must know of a probe, and which one it is; `claimed` has the options that the words name.

    >>> probe = Probe(asks="place", moment="after", time=4.0, question="Where is the coin at 4.0 s?",
    ...               options=["left hand", "right hand"], answer="right hand")
    >>> claim = PatterClaim(text="It is here.", thing="coin", place="left hand", time=3.5, true=False, atom=3)
    >>> probe_expectations(probe, 1, [claim])["claimed"]
    ['A']
    """
    named = {claim["place"].casefold() for claim in claims if claim["place"]}
    pairs = zip(ascii_uppercase, probe["options"], strict=False)
    return {
        "probe": place,
        "options": probe["options"],
        "asks": probe["asks"],
        "moment": probe["moment"],
        "time": probe["time"],
        "claimed": [letter for letter, option in pairs if option.casefold() in named],
    }
