"""Who is asked, behind one interface: an OpenAI-compatible server, or any provider of inspect-ai."""

from veridical.ask.clients.base import Client, Question, Reply

__all__ = ["Client", "Question", "Reply"]
