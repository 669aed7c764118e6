"""Sending trials to a model safely: a run folder, one loop for every provider, counted retries."""

from veridical.ask.capabilities import opens_reply, require_continuation
from veridical.ask.clients import Client
from veridical.ask.display import Board, Progress, progress
from veridical.ask.failures import KINDS
from veridical.ask.limits import Elsewhere, Limits, Price, Spent, read_prices
from veridical.ask.loop import Tally, ask
from veridical.ask.models import is_embedded, open_model
from veridical.ask.pending import retried_statuses, to_ask_again, to_try_again
from veridical.ask.policy import UNSTATED, Policy, Sampling, seed_of
from veridical.ask.redact import clean_endpoint
from veridical.ask.store import Run

__all__ = [
    "KINDS",
    "UNSTATED",
    "Board",
    "Client",
    "Elsewhere",
    "Limits",
    "Policy",
    "Price",
    "Progress",
    "Run",
    "Sampling",
    "Spent",
    "Tally",
    "ask",
    "clean_endpoint",
    "is_embedded",
    "open_model",
    "opens_reply",
    "progress",
    "read_prices",
    "require_continuation",
    "retried_statuses",
    "seed_of",
    "to_ask_again",
    "to_try_again",
]
