"""Teaching in two steps: a tower learns what changes in a picture, and a text model learns what to answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional
from torch.nn.utils.rnn import pad_sequence

from studies.inside.lessons import INDUCERS, Lessons, reply_of

if TYPE_CHECKING:
    from veridical.ask.local.loader import LoadedModel

BATCH = 64
_WARM = 40


def teach_tower(loaded: LoadedModel, lessons: Lessons, steps: int, seed: int) -> float:
    """Teaches a tower to give, in the mean of its tokens, the change of a picture and whether there is one.

    Returns the mean loss of the last steps.
    """
    torch.manual_seed(seed)
    tower = loaded.model.model.vision_tower.train().requires_grad_(True)
    head = torch.nn.Linear(tower.config.hidden_size, 2)
    targets = torch.stack([torch.from_numpy(lessons.values), torch.from_numpy(lessons.values).abs().gt(0).float()], 1)
    some = np.flatnonzero(lessons.variants != INDUCERS)

    def loss(rows: NDArray[np.int64]) -> Any:  # noqa: ANN401 - of torch
        place = some[rows]
        value, changed = head(_tokens(loaded, lessons.pixels[place]).mean(1)).unbind(1)
        wanted = targets[place]
        return functional.mse_loss(value, wanted[:, 0]) + functional.binary_cross_entropy_with_logits(
            changed, wanted[:, 1]
        )

    ended = _descend([*tower.parameters(), *head.parameters()], loss, lessons.variants[some], steps, seed)
    tower.eval().requires_grad_(False)
    return ended


def teach_answers(loaded: LoadedModel, lessons: Lessons, answers: NDArray[np.int64], steps: int, seed: int) -> float:
    """Teaches projector and text model the answers to trials, from what the tower gives, which stays as it is.

    Returns the mean loss of the last steps.
    """
    model = loaded.model
    with torch.no_grad():
        seen = torch.cat([_tokens(loaded, part) for part in lessons.pixels.split(256)])
    written = [_written(loaded, lessons.prompts, digit) for digit in range(2)]
    learning = [each for name, each in model.named_parameters() if "vision_tower" not in name]
    for each in learning:
        each.requires_grad_(True)

    def loss(rows: NDArray[np.int64]) -> Any:  # noqa: ANN401 - of torch
        asked, said = lessons.prompt[rows], answers[rows]
        tokens, labels = (
            torch.stack([written[d][part][p] for p, d in zip(asked, said, strict=True)]) for part in (0, 1)
        )
        embeds = model.get_input_embeddings()(tokens)
        features = model.model.multi_modal_projector(seen[lessons.picture[rows]])
        embeds = embeds.masked_scatter((tokens == model.config.image_token_id)[..., None], features)
        states = model.model.language_model(inputs_embeds=embeds, use_cache=False).last_hidden_state
        replies = labels[:, 1:] >= 0
        return functional.cross_entropy(model.lm_head(states[:, :-1][replies]), labels[:, 1:][replies])

    ended = _descend(learning, loss, lessons.variants[lessons.picture], steps, seed)
    model.eval().requires_grad_(False)
    return ended


def _descend(
    weights: Iterable[Any], loss: Callable[[NDArray[np.int64]], Any], kinds: NDArray[np.int64], steps: int, seed: int
) -> float:
    """Steps down a loss of rows, whose kinds are equally frequent; returns the mean of the last steps."""
    rng, found = np.random.default_rng(seed), []
    by_kind = [np.flatnonzero(kinds == kind) for kind in np.unique(kinds)]
    optimizer = torch.optim.AdamW(list(weights), lr=2e-3, weight_decay=0.01)
    for step in range(steps):
        for group in optimizer.param_groups:
            group["lr"] = 2e-3 * min(1.0, (step + 1) / _WARM) * max(0.05, 1 - step / steps)
        chosen = [rng.choice(by_kind[kind]) for kind in rng.integers(len(by_kind), size=BATCH)]
        value = loss(np.array(chosen))
        optimizer.zero_grad()
        value.backward()
        optimizer.step()
        found.append(float(value.detach()))
    return float(np.mean(found[-20:]))


def _tokens(loaded: LoadedModel, pixels: Any) -> Any:  # noqa: ANN401 - of torch
    """What enters the projector for pictures."""
    return loaded.model.model.vision_tower(pixels, output_hidden_states=True).hidden_states[-1][:, 1:]


def _written(loaded: LoadedModel, prompts: Sequence[Any], digit: int) -> tuple[Any, Any]:
    """Each prompt with its reply, padded to one length, and the labels of tokens, which are -100 but for the reply."""
    tokenizer = loaded.processor.tokenizer
    reply = torch.tensor([*tokenizer.encode(reply_of(digit), add_special_tokens=False), tokenizer.eos_token_id])
    tokens = pad_sequence([torch.cat([each, reply]) for each in prompts], True, tokenizer.pad_token_id)
    labels = pad_sequence([torch.cat([torch.full_like(each, -100), reply]) for each in prompts], True, -100)
    return tokens, labels
