"""Those who ask, each started in a process of its own: `python -m bench.asking_clients NAME JSON`.

All ask the same questions on the same pictures, `connections` at a time, and keep what comes back under `out`.
"""

from __future__ import annotations

import asyncio
import json
import sys
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from time import process_time
from typing import Any

SQUARE = (
    *("cornsweet_case1", "ehrenstein", "hering", "hering_vertical", "poggendorff"),
    *("poggendorff_horizontal", "twisted_cord", "twisted_cord_light", "zollner", "zollner_vertical"),
)
"""Cases whose pictures are as high as wide."""
PER_UNIT = 10
"""Pictures of a base item: the original and four changed ones, and a control of each."""
STORED = {"ours": "run/responses.jsonl", "sdk": "replies.jsonl", "runner": "*.eval", "lmms_eval": "**/*samples*.jsonl"}
"""Where each client keeps its replies, as a pattern under its `out`."""
CPU_SECONDS = "cpu"
"""The file under `out` in which `core` states what its run took."""
MODEL = "m"
_SAYS = "\nAnswer yes or no."


@dataclass(frozen=True)
class Job:
    """What a client is told: the server, the stimulus set, the questions as JSON lines, its own folder.

    `connections` is how many requests it has open; 0, which is for ours alone, is its own default. `others` are further
    servers of the model, for ours alone.
    """

    url: str
    pictures: Path
    questions: Path
    out: Path
    connections: int
    others: tuple[str, ...] = ()

    @classmethod
    def read(cls, text: str) -> Job:
        """The job in a JSON text."""
        told = json.loads(text)
        places = {name: Path(told[name]) for name in ("pictures", "questions", "out")}
        return cls(url=told["url"], connections=told["connections"], others=tuple(told["others"]), **places)

    def asked(self) -> list[dict[str, str]]:
        """The questions in order, each with the path of its picture; those on one picture stand together."""
        return [json.loads(line) for line in self.questions.read_text().splitlines()]


def draw(job: Job, pictures: int) -> None:
    """Draws so many pictures of 512² px, a multiple of the cases times `PER_UNIT`, and writes their questions."""
    import veridical as v

    units = pictures // (len(SQUARE) * PER_UNIT)
    made = v.make("viprobe", out=job.pictures, cases=SQUARE, variants=("O", "P", "OC", "PC"), units=units, levels=4)
    lines = [
        json.dumps({"picture": str(made.folder / stimulus.media[0].file), "question": f"{question}{_SAYS}"})
        for stimulus in made.stimuli
        for question in (stimulus.question, str(stimulus.truth["question_reversed"]))
    ]
    job.questions.write_text("\n".join(lines) + "\n")


def ours(job: Job) -> None:
    """`veridical.run`: with store, progress, outcomes, tables and figures."""
    import veridical as v

    places = [job.url, *job.others]
    v.run(job.pictures, MODEL, base_url=places, out=job.out / "run", max_connections=job.connections or None)


def core(job: Job) -> None:
    """`veridical.run` without tables, after a small one that loads what it needs; writes its CPU seconds to a file."""
    import veridical as v

    asked: dict[str, Any] = {"base_url": job.url, "max_connections": job.connections, "analyze": False}
    v.run(job.pictures, MODEL, out=job.out / "first", limit=1, **asked)
    began = process_time()
    v.run(job.pictures, MODEL, out=job.out / "run", **asked)
    (job.out / CPU_SECONDS).write_text(str(process_time() - began))


def sdk(job: Job) -> None:
    """The plain OpenAI SDK in asyncio: a picture is read and encoded once, each reply is a line in a file."""
    asyncio.run(_sdk(job))


async def _sdk(job: Job) -> None:
    from openai import AsyncOpenAI

    pictures = iter([(picture, list(rows)) for picture, rows in groupby(job.asked(), key=lambda row: row["picture"])])
    async with AsyncOpenAI(base_url=job.url, api_key="none") as client:
        with (job.out / STORED["sdk"]).open("w") as file:

            async def work() -> None:
                for picture, rows in pictures:
                    url = f"data:image/png;base64,{b64encode(Path(picture).read_bytes()).decode()}"
                    for row in rows:
                        reply = await client.chat.completions.create(
                            model=MODEL,
                            messages=[
                                {
                                    "role": "user",
                                    "content": [
                                        {"type": "image_url", "image_url": {"url": url}},
                                        {"type": "text", "text": row["question"]},
                                    ],
                                }
                            ],
                        )
                        file.write(json.dumps(row | {"reply": reply.choices[0].message.content}) + "\n")
                        file.flush()

            await asyncio.gather(*(work() for _ in range(job.connections)))


def runner(job: Job) -> None:
    """inspect-ai's task runner at its defaults, each question a sample with its picture's path."""
    from inspect_ai import Task
    from inspect_ai import eval as evaluate
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ChatMessage, ChatMessageUser, ContentImage, ContentText, get_model
    from inspect_ai.scorer import includes

    def turn(row: dict[str, str]) -> list[ChatMessage]:
        return [ChatMessageUser(content=[ContentImage(image=row["picture"]), ContentText(text=row["question"])])]

    task = Task(dataset=[Sample(input=turn(row), target="Yes") for row in job.asked()], scorer=includes(), name="bench")
    model = get_model(f"openai-api/bench/{MODEL}", base_url=job.url, api_key="none")
    evaluate(task, model=model, max_connections=job.connections, log_dir=str(job.out))


CLIENTS: dict[str, Callable[[Job], None]] = {"ours": ours, "core": core, "sdk": sdk, "runner": runner}


if __name__ == "__main__":
    _, _name, _told, *_rest = sys.argv
    if _name == "draw":
        draw(Job.read(_told), int(_rest[0]))
    else:
        CLIENTS[_name](Job.read(_told))
