"""What a stimulus of MagicBench is, whatever it comes from: a clip, what is true of it, and what is said over it."""

from __future__ import annotations

from typing import Literal, TypedDict

from veridical.records import FactorTypes, Json

NAME = "magicbench"
TRICK, HONEST, REAL = "trick", "honest", "real"
"""The variants: a trick, its honest control, and a clip of a release."""
RELEASE = "release"
"""The family and the category of clips of a release."""
QUESTION = "What happens in this clip, and how is it done?"

PatterType = Literal["lie", "misdirection", "filler", "silence", "cue", "nouns", "truth", "own"]
TYPES: tuple[PatterType, ...] = ("lie", "misdirection", "filler", "silence")
"""What is said, crossed with each of our clips: types A to D of the paper (section 3.1)."""
COMPONENTS: tuple[PatterType, ...] = ("cue", "nouns", "truth")
"""Parts of a patter alone (a cue to look; the nouns), and the true principle in its place (Tables 3 and 4)."""
OWN: PatterType = "own"
"""The words that a released clip came with."""
LETTERS = {"lie": "A", "misdirection": "B", "filler": "C", "silence": "D"}

FACTORS: FactorTypes = {
    "linguistic_type": str,
    "peek": float,
    "window_length": float,
    "decoy": float,
    "occluder": str,
    "difficulty": str,
    "tags": str,
    "phrasing": int,
    "taken_from": str,
}
"""The declared factors with their types.

`linguistic_type` is the type of a released clip's own words, A to D; `peek` how much the tell shows, 0 to 1,
`window_length` how long the critical window is, in seconds, `decoy` how fast the decoy moves, `occluder` what hides the
secret. `difficulty` and `tags` come with releases. `phrasing` is the place of the words in the pools of their types.
"""


class PatterClaim(TypedDict):
    """A statement about the clip's things within a patter, and whether it is true in this clip.

    `atom` is the place in the set of constraints of the atom that decides it, null where none does.
    """

    text: str
    thing: str
    place: str
    time: float
    true: bool
    atom: int | None


class Patter(TypedDict):
    """What is said over a clip: whole, as rows (start, end, words) in seconds, and what it claims. Silence is empty."""

    text: str
    timeline: list[tuple[float, float, str]]
    claims: list[PatterClaim]


class Atom(TypedDict):
    """A constraint of what really happens: a sentence, and the form that a rule can check.

    `kind` is "start" (where the thing is first), "holder", "secret" (who moves it where, or how it is done), "cover"
    (where it is meanwhile), "reveal" (what is seen in the end) or "props". The other fields are null where they do not
    apply; releases have the text alone.
    """

    text: str
    kind: str
    thing: str | None
    place: str | None
    agent: str | None
    origin: str | None
    target: str | None
    start: float | None
    end: float | None


class Probe(TypedDict):
    """A question about the state of a clip at a time: its options, and the answer.

    `asks` is "place", "hand", "under", "view" or its opposite "hidden"; `moment` is before, during or after the secret.
    """

    asks: str
    moment: str
    time: float
    question: str
    options: list[str]
    answer: str


class MethodForm(TypedDict):
    """How a trick is done in a form that a rule finds in words: relations of patterns, see `tricks.method.Method`."""

    secret: list[list[str]]
    openly: list[list[str]]
    effect: list[list[str]]
    part: list[list[str]]
    claims: list[list[str]]
    against: list[list[str]]
    terms: list[str]
    harmless: list[str]


class TrickTruth(TypedDict):
    """The truth of a stimulus. Times are in seconds; rows of boxes are (seconds, x0, y0, x1, y1) in pixels.

    `log` has the events of our clips. `effect` is what the audience is to believe, `nouns` are the things that the
    scene shows, `decoy` is what draws attention. `window` is the time of the secret and of what shows of it;
    `first_visible` is when a clip first differs from the other of its unit, null where there is no other; `outcome` is
    when the two begin to go different ways for it, null where they do so from the secret on, and without another clip.
    `critical` and `placebo` boxes have one size at each time. `method` is null where places alone say how it is done.
    """

    principle: str
    pcs: list[Atom]
    method: MethodForm | None
    props: dict[str, list[str]]
    log: list[dict[str, Json]] | None
    secret: tuple[float, float] | None
    window: tuple[float, float] | None
    first_visible: float | None
    outcome: float | None
    critical: list[tuple[float, float, float, float, float]]
    placebo: list[tuple[float, float, float, float, float]]
    probes: list[Probe]
    effect: str
    nouns: list[str]
    decoy: str | None
    patter: dict[str, Patter]
