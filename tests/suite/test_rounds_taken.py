"""What a terminal says of a run in rounds."""

from veridical.suite.rounds_taken import VERDICT, RoundsTaken
from veridical.suite.sequential import SequentialStanding

MORE = "nothing can be said of it alone: about 8 more questions"
MUCH_MORE = "nothing can be said of it alone: about 40 more questions"


def test_every_open_family_is_named_once_with_the_questions_it_would_take():
    families = {"ponzo": MORE, "zollner": MUCH_MORE, "cornsweet": MORE}
    standing = SequentialStanding(verdict="veridical", rule="by the model", families=families)
    lines = list(RoundsTaken(goal=VERDICT, standing=standing, questions=96, rounds=2, most=1200).lines())
    assert lines[1:] == [f"  {MORE}: cornsweet, ponzo", f"  {MUCH_MORE}: zollner"]
