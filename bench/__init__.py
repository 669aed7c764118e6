"""Measurements of speed, on one core: libraries read how many threads they may start before they are imported."""

import os

_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "POLARS_MAX_THREADS")
os.environ.update(dict.fromkeys(_THREADS, "1"))
