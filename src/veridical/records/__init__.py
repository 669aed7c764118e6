"""The records of the library: medium, stimulus, trial, response, reading, outcome, estimate.

Code that makes, sends and stores things uses records. Analysis uses the outcome table, whose schema is `OUTCOMES`.
"""

from veridical.records.estimates import POINTS, PROPORTION, RATIO, SHARE, Counts, Estimate, Estimates, Measure, Unit, Z
from veridical.records.stimuli import Box, Chunk, Json, Kind, Medium, Stimulus, canonical, rows_hash
from veridical.records.trials import (
    COUNTED,
    MOST_COUNTED,
    OUTCOMES,
    STATUSES,
    TOKENS,
    FactorTypes,
    Media,
    Message,
    Reading,
    Response,
    Source,
    Status,
    Text,
    Trial,
    columns_of,
    factor_types,
    typed_value,
)

__all__ = [
    "COUNTED",
    "MOST_COUNTED",
    "OUTCOMES",
    "POINTS",
    "PROPORTION",
    "RATIO",
    "SHARE",
    "STATUSES",
    "TOKENS",
    "Box",
    "Chunk",
    "Counts",
    "Estimate",
    "Estimates",
    "FactorTypes",
    "Json",
    "Kind",
    "Measure",
    "Media",
    "Medium",
    "Message",
    "Reading",
    "Response",
    "Source",
    "Status",
    "Stimulus",
    "Text",
    "Trial",
    "Unit",
    "Z",
    "canonical",
    "columns_of",
    "factor_types",
    "rows_hash",
    "typed_value",
]
