"""The probe's own observer: it answers from the messages alone."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.probe_suite.design import color_of, dots_in, red_boxes, way_between, way_in
from veridical.errors import InputError
from veridical.media.clips.read import Clip
from veridical.media.decode import decode
from veridical.observers import Observer, Reply, TrialContext
from veridical.observers.plumbing import UserTurn, last_user_turn
from veridical.records import ChatTurn, Json


def look(shown: UserTurn) -> str:
    """The reply to what is shown, by what it shows and says; quoted replies are not looked at."""
    shown = UserTurn(shown.text.split(" Before, you said")[0].split(" A caption says")[0], shown.media)
    media = [decode(content, f"medium {place}") for place, content in enumerate(shown.media, 1)]
    if not media:
        first, second = re.findall(r"\d+", shown.text)[:2]
        return f"<answer>{max(first, second, key=int)}</answer>"
    if isinstance(media[0], Clip):
        return f"<answer>{way_in(media[0])}</answer>"
    if "square move" in shown.text:
        return f"<answer>{way_between(media[0].pixels, media[-1].pixels)}</answer>"
    if found := re.search(r"tile (\d)", shown.text):
        color = color_of(media[int(found[1]) - 1].pixels)
        letter = re.search(rf"([ABC])\) {color}\b", shown.text)
        # Half of the replies name the letter, half the option, which two readers read differently.
        return letter[1] if letter and int(found[1]) % 2 else f"<answer>{color}</answer>"
    if "dots" in shown.text:
        return str(dots_in(media[0].pixels))
    return ", ".join(red_boxes(media[0].pixels)) or "none"


def guess(shown: UserTurn) -> str:
    """A reply that looks at nothing; asked for the way of a square it gives none."""
    if "square move" in shown.text:
        return "Who knows?"
    if "greater" in shown.text:
        return f"<answer>{re.findall(r'[0-9]+', shown.text)[0]}</answer>"
    return {"tile": "A", "dots": "four"}.get(next((w for w in ("tile", "dots") if w in shown.text), ""), "R1")


def _opened(model_args: Mapping[str, Json], run: Path | None) -> Reply:
    way = _way(model_args)

    def reply(messages: Sequence[ChatTurn], told: TrialContext | None) -> str:
        assert told is None, "an observer that sees messages alone is handed no trial"
        return way(last_user_turn(messages))

    return reply


def _way(model_args: Mapping[str, Json]):
    rest = {**model_args}
    blind = rest.pop("blind", False)
    if rest or not isinstance(blind, bool):
        raise InputError(f"veridical/eye takes blind=true or blind=false, not {dict(model_args)}")
    return guess if blind else look


def _identity(model_args: Mapping[str, Json]) -> dict[str, Json]:
    _way(model_args)
    return dict(model_args)


def _judging(model_args: Mapping[str, Json], run: Path | None) -> Reply:
    """Right where the reply has the true answer: in a tag or alone by the strict rubric, anywhere by the lenient."""
    harsh = bool(model_args.get("harsh", False))

    def reply(messages: Sequence[ChatTurn], told: TrialContext | None) -> str:
        text = last_user_turn(messages).text
        ((rubric, true, said),) = re.findall(
            r"a reply, (\w+)\. The true answer is (.*?)\. The reply: «(.*)»", text, re.S
        )
        strict = re.sub(r"</?answer>", "", said).strip() == true
        right = not harsh and (strict or (rubric == "lenient" and true in said))
        return f"<answer>{'right' if right else 'wrong'}</answer>"

    return reply


def _captioning(model_args: Mapping[str, Json], run: Path | None) -> Reply:
    return lambda messages, _: f"{len(last_user_turn(messages).media)} media, and more than words can say"


OBSERVERS = {
    "judge": Observer(
        help="compares a reply with the true answer; with harsh=true all is wrong", sees="messages", opened=_judging
    ),
    "captioner": Observer(help="says how many media it is shown", sees="messages", opened=_captioning),
    "eye": Observer(
        help="looks at pictures and clips; with blind=true it guesses",
        sees="messages",
        opened=_opened,
        identity=_identity,
    ),
}
