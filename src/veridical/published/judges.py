"""The judges of the papers, for the presets of their suites: what each is called there, and what is stated of it.

A paper that states neither a snapshot nor sampling leaves them "unstated" in the record of a run.
"""

from __future__ import annotations

from collections.abc import Mapping

from veridical.ask import Sampling
from veridical.suite.stages import PresetModel

PAPER_JUDGES: Mapping[str, PresetModel] = {
    "viabench": PresetModel(name="GPT-4.1-mini", model="openai/gpt-4.1-mini"),
    "magic": PresetModel(
        name="Qwen2.5-72B-Instruct-AWQ", model="Qwen2.5-72B-Instruct-AWQ", sampling=Sampling(temperature=0.0)
    ),
    "magicbench": PresetModel(name="GPT-4o", model="openai/gpt-4o"),
    "hocabench": PresetModel(name="GPT-OSS-120B", model="gpt-oss-120b"),
}
"""By paper, the model that judges. A model without a provider of its own is asked by a table of `models.toml`."""
