"""The items of the corpora in the form in which the rules of suites have their own: scenes, anomalies, methods.

They were written from the items alone, without the replies of the second corpus. Mistakes about what our scenes do not
have (numbers of windows, what a clock shows) have no form: there the rule says that it cannot tell.
"""

import json

from tests.suites.magic.stimuli import claim


def _thing(name, number, **looks):
    known = {"color": "brown", "material": "wooden", "size": "large", **looks}
    return {"name": name, "box": [0, 0, 9, 9], "number": number, **known}


_SIDES = [[0, "right of", 1], [1, "left of", 0]]
MISTAKES = {
    "In R2 I see a red cup on the shelf.": (
        [_thing("cup", 2, color="blue"), _thing("shelf", 3), _thing("lamp", 1)], [[0, "on", 1]],
        claim("color", "cup", 2, "red", "blue"), "The cup in R2 is red.",
    ),
    "R3 shows a dog that lies on the rug.": (
        [_thing("cat", 3), _thing("rug", 4)], [[0, "on", 1]],
        claim("place", "dog", 3, "R3", "none"), "R3 shows a dog.",
    ),
    "The man in R1 sits to the left of the table.": (
        [_thing("man", 1), _thing("table", 4), _thing("woman", 5)], _SIDES,
        claim("relation", "man", 1, "left of", "right of", "table"), "The man in R1 is to the left of the table.",
    ),
    "In R1 the traffic light is green.": (
        [_thing("traffic light", 1, color="red"), _thing("car", 2)], [],
        claim("color", "traffic light", 1, "green", "red"), "The traffic light in R1 is green.",
    ),
    "The box R2 shows a red bicycle.": (
        [_thing("scooter", 2, color="red"), _thing("car", 3)], [],
        claim("place", "bicycle", 2, "R2", "none"), "R2 shows a bicycle.",
    ),
    "The dog in R5 lies to the left of the sofa.": (
        [_thing("dog", 5), _thing("sofa", 1)], _SIDES,
        claim("relation", "dog", 5, "left of", "right of", "sofa"), "The dog in R5 is to the left of the sofa.",
    ),
}  # fmt: skip


def correction(case):
    """What the rule of healing is shown of a correction, or `None` where the mistake has no form."""
    if case["mistake"] not in MISTAKES:
        return None
    things, relations, mistake, said = MISTAKES[case["mistake"]]
    graph = {"things": things, "relations": relations}
    facts = {"kind": mistake["kind"], "claims": [mistake], "prefix": [said], "graph": graph, "relevant": [1]}
    return {"reply": case["text"], "facts": json.dumps({**facts, "boxes": 6})}


_UP = [
    "upward",
    "up into",
    "up from",
    "upwards",
    "flows up",
    "flow up",
    "rises",
    "uphill",
    "against gravity",
    "back up",
]
_THROUGH = ["through", "penetrat", "passes into"]
_MIRROR = ["raises", "lifts", "moves its", "not match", "differ", "on its own", "hand up", "arm up"]
ANOMALIES = {
    "The ball passes through the brick wall without slowing down or leaving a hole.": (
        "collision", [["ball"], ["wall", "brick"]], ["pass", "move", "fly", "roll", "go"], _THROUGH),
    "The coffee flows upward out of the cup into the pot.": (
        "gravity", [["coffee", "liquid"], ["cup", "mug"], ["pot", "jug"]], ["flow", "pour", "ris", "stream"], _UP),
    "The dog casts no shadow although everything else in the yard does.": (
        "optics", [["dog"]], ["stand", "walk", "lie", "run"],
        ["no shadow", "without a shadow", "without shadow", "casts no", "shadow is missing", "lacks a shadow",
         "not cast", "n't cast", "missing shadow", "no own shadow"]),
    "The red cube vanishes in plain view between two frames.": (
        "permanence", [["cube", "block"]], ["lie", "stand", "sit", "move"],
        ["vanish", "disappear", "gone", "no longer there", "ceases to exist", "not there any more"]),
    "The vase is whole again after it has shattered on the floor.": (
        "mass_volume", [["vase", "pot"]], ["fall", "shatter", "break"],
        ["whole again", "comes together", "come together", "reassembl", "mends", "puts itself", "restored",
         "intact again", "unbroken again", "in one piece again"]),
    "The woman's reflection in the mirror raises its hand while she keeps hers down.": (
        "optics", [["woman", "person"], ["reflection", "mirror"]], ["raise", "lift", "stand", "move"], _MIRROR),
    "a cup passes through the table top": (
        "collision", [["cup", "mug"], ["table"]], ["pass", "move", "fall", "put", "set", "sink"], _THROUGH),
    "the ball hangs in the air after it has rolled off the table": (
        "gravity", [["ball"], ["table"]], ["roll", "move", "fall"],
        ["hang", "float", "hover", "in the air", "suspended", "not fall", "n't fall", "mid-air", "midair", "levitat"]),
    "the dancer's reflection raises the arm that the dancer keeps down": (
        "optics", [["dancer", "person"], ["reflection", "mirror"]], ["raise", "lift", "dance", "move"], _MIRROR),
    "the glass breaks before the stone reaches it": (
        "inertia", [["glass", "window", "pane"], ["stone", "rock"]], ["break", "shatter", "fly", "throw", "hit"],
        ["before the stone", "before it is hit", "too early", "before being hit", "before any contact", "before impact",
         "without being hit", "before contact", "before the impact", "before anything"]),
    "the man comes out from behind the pillar with a different jacket": (
        "mutation", [["man", "person"], ["pillar", "column"]], ["walk", "come", "go", "step"],
        ["different jacket", "another jacket", "jacket change", "jacket has changed", "jacket is different",
         "other jacket", "changes his jacket", "changed his jacket", "change of jacket", "new jacket",
         "jacket of another"]),
    "water flows upward from the glass into the jug": (
        "gravity", [["water", "liquid"], ["glass", "cup"], ["jug", "pitcher"]], ["flow", "pour", "ris", "stream"], _UP),
}  # fmt: skip


def anomaly(case):
    """What the rule of explanations is shown of a reply."""
    kind, things, actions, signs = ANOMALIES[case["anomaly"]]
    words = {"kind": kind, "entities": things, "actions": actions, "signs": signs, "law": [], "expected": []}
    return {"reply": case["text"], "words": json.dumps(words), "attribution": "Causal"}


_TWO_CARDS = [r"two|double|pair of", "cards?", r"as (?:if )?one|together|turn\w*|lift\w*|held"]
METHODS = {
    "A second ball was under the cup from the start.": ("ball", [
        [r"second|another|two|extra|spare|other", "balls?", "under|beneath|below|there|already|loaded|hidden"]]),
    "The assistant in the box bends her knees up to her chest, and the feet that show are false ones.": ("assistant", [
        [r"knees|legs|body|she", r"up|bent|bends|draw\w*|pull\w*|curl\w*|fold\w*|tuck\w*"]]),
    "The card is a double card: two cards are held as one and turned together.": ("card", [
        _TWO_CARDS, [r"double (?:lift|card|turn\w*)"]]),
    "The coin is only seemingly put into the left hand; it stays palmed in the right hand.": ("coin", [
        ["coin|it", r"stay\w*|remain\w*|keep\w*|kept|palm\w*|held|retain\w*|hid\w*|conceal\w*", "right"]]),
    "The pencil is pushed through a slit that was cut into the banknote before.": ("pencil", [
        [r"slit|slot|cut|hole|opening", r"before\w*|prepar\w*|already|in advance|earlier|was|there|has"]]),
    "The rope is not cut in the middle; a short extra piece hidden in the fist is cut instead.": ("rope", [
        [r"short|extra|small|separate|other|hidden", r"piece|bit|loop|section|length", r"cut\w*|snip\w*|scissors"]]),
    "a blue handkerchief is hidden in a hollow thumb tip, and the red one is stuffed into it": ("handkerchief", [
        [r"thumb ?tip|(?:hollow|false|fake) thumb"]]),
    "a second ball is secretly loaded under the other cup, and the first one is kept in the palm as the cup is set "
    "down": ("ball", [[r"second|another|two|extra|spare", "balls?"]]),
    "a thin dark thread from hand to hand carries the pencil": ("pencil", [["thread|string|wire|line"]]),
    "only a short loop near the end of the rope is cut, so the long rope was never cut in the middle": ("rope", [
        [r"short|extra|small|end", r"piece|bit|loop|section|end", r"cut\w*|snip\w*|scissors"]]),
    "the coin stays in the left hand; the transfer to the right hand is only pretended": ("coin", [
        ["coin|it", r"stay\w*|remain\w*|keep\w*|kept|palm\w*|held|retain\w*|hid\w*|conceal\w*", "left"]]),
    "two cards are lifted as one, so the chosen card was on the top all the time": ("card", [
        _TWO_CARDS, [r"double (?:lift|card|turn\w*)"]]),
}  # fmt: skip


USED = {"second ball": "another one", "feet": "another one", "extra piece": "another one", "blue": "another one"}
USED |= {"thumb tip": "a gimmick", "slit": "a gimmick", "thread": "thread"}
"""Props that a method uses, as the rule calls them, by a word of the method."""


def method(case):
    """What the rule of tricks is shown of a reply, which stands for the steps and the principle of a report."""
    thing, secret = METHODS[case["method"]]
    used = next((name for word, name in USED.items() if word in case["method"]), None)
    lists = {name: [] for name in ("openly", "effect", "part", "claims", "against", "terms", "harmless")}
    place = {
        "thing": thing,
        "place": "table",
        "start": 0.0,
        "end": 2.0,
        "agent": None,
        "origin": "table",
        "target": "table",
    }
    atoms = [{"kind": kind, "text": "", **place} for kind in ("start", "secret", "cover")]
    facts = {
        "atoms": atoms,
        "props": {"present": [thing, *([used] if used else [])], "absent": []},
        "trick": True,
        "false": [],
        "decoy": None,
    }
    facts |= {"method": {"secret": secret, **lists}, "places": []}
    return {"reply": report(case["text"]), "about": "claim", "facts": json.dumps(facts)}


def report(text):
    """A report of a trick whose steps and principle are a text."""
    return json.dumps({"effect": "x", "steps": [text], "principle": text, "trick": "yes", "confidence": 50})
