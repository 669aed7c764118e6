"""How a notebook shows stimuli: a few pictures with their ids, as one piece of HTML."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from html import escape
from itertools import islice

from veridical.errors import InputError
from veridical.media.decode import mime_of
from veridical.records import Stimulus

MOST = 12
_STYLE = "display:inline-block;margin:4px;text-align:center;font:11px sans-serif"


def contact_sheet(stimuli: Sequence[Stimulus], read: Callable[[str], bytes], most: int = MOST) -> str:
    """HTML that shows the first stimuli, `most` at most: their pictures and ids; of a clip, only the id.

    The pictures are embedded as data URLs. A picture that cannot be read is replaced by the reason.
    """
    shown = list(islice(_items(stimuli, read), most))
    left = len(stimuli) - len(shown)
    more = f'<p style="font:11px sans-serif">and {left:,} more</p>' if left > 0 else ""
    return f"<div>{''.join(shown)}{more}</div>"


def _items(stimuli: Sequence[Stimulus], read: Callable[[str], bytes]) -> Iterator[str]:
    for stimulus in stimuli:
        pictures = "".join(_picture(medium.file, read) for medium in stimulus.media if medium.kind == "image")
        yield f'<figure style="{_STYLE}">{pictures}<figcaption>{escape(stimulus.id)}</figcaption></figure>'


def _picture(file: str, read: Callable[[str], bytes]) -> str:
    try:
        content = read(file)
        url = f"data:{mime_of(content, file)};base64,{b64encode(content).decode()}"
    except InputError as error:
        return f"<p>{escape(str(error))}</p>"
    return f'<img alt="" width="128" src="{url}"><br>'
