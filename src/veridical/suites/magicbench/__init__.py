"""MagicBench: who believes the magician?

Clips of magic tricks, each with an honest control, under words that lie, mislead, fill or fall silent. "MagicBench:
Diagnosing Visual Agency Loss and Semantic Dependency in Multimodal LLMs".
"""
