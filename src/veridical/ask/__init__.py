"""Sending trials to a model safely: a run folder, one loop for every provider, counted retries."""

from veridical.ask.capabilities import opens_reply, require_continuation
from veridical.ask.clients import Client
from veridical.ask.display import AttemptCount, Progress, RunBoard, progress
from veridical.ask.failures import KINDS
from veridical.ask.limits import Limits, OtherSpending, Price, TokenUse, read_prices
from veridical.ask.loop import ask
from veridical.ask.models import is_embedded, open_model
from veridical.ask.pending_trials import repeats_by_status, retried_statuses, unreadable_repeats
from veridical.ask.policy import UNSTATED, Policy, Sampling, seed_of
from veridical.ask.redact import clean_endpoint
from veridical.ask.store import Run
from veridical.ask.tally import Tally

__all__ = [
    "KINDS",
    "UNSTATED",
    "AttemptCount",
    "Client",
    "Limits",
    "OtherSpending",
    "Policy",
    "Price",
    "Progress",
    "Run",
    "RunBoard",
    "Sampling",
    "Tally",
    "TokenUse",
    "ask",
    "clean_endpoint",
    "is_embedded",
    "open_model",
    "opens_reply",
    "progress",
    "read_prices",
    "repeats_by_status",
    "require_continuation",
    "retried_statuses",
    "seed_of",
    "unreadable_repeats",
]
