"""Clients behind one interface: OpenAI-compatible servers, and all providers of inspect-ai."""

from veridical.ask.clients.base import Client, Continuation, Question, Reply, Schema

__all__ = ["Client", "Continuation", "Question", "Reply", "Schema"]
