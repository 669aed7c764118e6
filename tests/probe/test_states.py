"""A suite's clips are refused where a local model is read from inside, before it is loaded."""

from functools import partial

import pytest

from veridical.errors import InputError
from veridical.whitebox.answers import write_answers
from veridical.whitebox.patch import write_patches
from veridical.whitebox.states import write_states


@pytest.mark.parametrize("write", [write_states, write_answers, partial(write_patches, pairs=["variant=a,b"])])
def test_a_set_with_clips_is_refused_by_name(made, tmp_path, write):
    model = tmp_path / "model"
    model.mkdir()
    with pytest.raises(InputError, match=r"shows the clip media/clip/.*: a local model takes pictures alone"):
        write(made, tmp_path / "out", f"veridical-hf/{model}")
    assert not (tmp_path / "out").exists()
