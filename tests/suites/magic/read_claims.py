"""The claims of a whole text, as the suite reads them sentence by sentence."""

from veridical.suites.magic.claims import claims_of_steps, sentences


def claims_of(text, graph, relevant=None):
    """The claims in a text about a scene, in order."""
    return [claim for claims in claims_of_steps(sentences(text), graph, relevant) for claim in claims]
