"""A suite's clips are refused where a local model's states are read, before it is loaded."""

import pytest

from veridical.errors import InputError
from veridical.whitebox.states import write_states


def test_a_set_with_clips_is_refused_by_name(made, tmp_path):
    model = tmp_path / "model"
    model.mkdir()
    with pytest.raises(InputError, match=r"shows the clip media/clip/.*: a local model takes pictures alone"):
        write_states(made, tmp_path / "out", f"veridical-hf/{model}")
    assert not (tmp_path / "out").exists()
