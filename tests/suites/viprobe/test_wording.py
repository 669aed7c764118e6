"""Other wordings in a folder: what they replace, what they leave, and what may not stand there."""

import pytest

import veridical
from veridical.errors import InputError
from veridical.suite.registry import get
from veridical.suites.viprobe.asking.trials import trials
from veridical.suites.viprobe.asking.wording import FOLDER

SUITE = get("viprobe")
MATTER = '+++\nid = "mine"\nversion = "1"\nconstraints = []\n+++\n'


@pytest.fixture(scope="module")
def stimuli():
    return veridical.make(
        "viprobe", cases=["muller_lyer", "zollner"], variants=["O", "P"], units=1, levels=2, size=128
    ).stimuli


def asked(stimuli, folder=None, **chosen):
    found = trials(stimuli, SUITE.asked(chosen or {"task": ["yes-no", "comparison"]}, folder), None)
    return {trial.id: trial for trial in found}


def text_of(trial):
    return trial.messages[-1].parts[-1].text


def test_a_template_in_the_folder_replaces_the_one_of_its_name_alone(stimuli, tmp_path):
    (tmp_path / "question.md").write_text(f"{MATTER}Well? $question 1 or 0.")
    before, after = asked(stimuli), asked(stimuli, tmp_path)
    assert before.keys() == after.keys()
    for name, trial in after.items():
        if name.endswith("comparison"):
            assert trial == before[name]
        else:
            assert text_of(trial).startswith("Well? ")
            assert trial.prompt != before[name].prompt
            assert trial.gold == before[name].gold


def test_an_instruction_in_the_folder_replaces_the_own_one(stimuli, tmp_path):
    (tmp_path / "instruction_weigh.md").write_text(f"{MATTER}Equal means $state.")
    chosen = {"instruction": ["none", "weigh"]}
    before, after = asked(stimuli, **chosen), asked(stimuli, tmp_path, **chosen)
    changed = {name for name in after if after[name] != before[name]}
    assert changed == {name for name in after if name.endswith("instruction=weigh")}
    assert {after[name].messages[0].parts[0].text for name in changed} == {
        "Equal means equally long.", "Equal means all parallel."
    }  # fmt: skip
    assert not {before[name].prompt for name in changed} & {after[name].prompt for name in changed}


def test_questions_in_the_folder_replace_those_of_their_case_and_polarity(stimuli, tmp_path):
    path = tmp_path / "questions.csv"
    path.write_text(
        '\ufeffcase, polarity, text\n\nmuller_lyer,reversed,"Unequal, the {ink} lines {{really}}?"\n', "utf-8"
    )
    before, after = asked(stimuli), asked(stimuli, tmp_path)
    changed = {name for name in after if after[name] != before[name]}
    assert changed == {n for n, t in after.items() if t.family == "muller_lyer" and n.endswith("reversed")}
    for name in changed:
        assert text_of(after[name]).endswith(f"Unequal, the {after[name].factors['ink']} lines {{really}}?")
        assert after[name].prompt != before[name].prompt
    first = {after[name].prompt for name in changed}
    path.write_text(path.read_text().replace("Unequal", "Different"))
    assert not first & {trial.prompt for trial in asked(stimuli, tmp_path).values()}


def table(*rows):
    return {"questions.csv": "\n".join(["case,polarity,text", *rows, ""])}


NAME_ALONE = "braces may only hold the name of a factor"
BAD = {
    "nothing": ({}, "holds no prompt"),
    "file name": ({"qeustion.md": "x"}, "unknown prompt file 'qeustion.md': did you mean 'question.md'?"),
    "table name": ({"question.csv": "x"}, "unknown prompt file 'question.csv': did you mean 'questions.csv'?"),
    "no matter": ({"question.md": "$question"}, "a prompt opens with +++"),
    "matter": ({"question.md": "+++\nid = 1\nversion = 2\nconstraints = 3\n+++\n$question"}, "a prompt opens with +++"),
    "no question": ({"question.md": f"{MATTER}Yes or no?"}, "$question is missing"),
    "no question to compare": ({"comparison.md": f"{MATTER}$first or $second?"}, "$question is missing"),
    "template field": ({"question.md": f"{MATTER}$quetsion"}, "unknown field '$quetsion': did you mean '$question'?"),
    "dollar": ({"question.md": f"{MATTER}$question for 5 $ or less"}, "write $$ for the sign itself"),
    "bytes": ({"question.md": b"\xff\xfe\x00"}, "is not UTF-8"),
    "empty table": ({"questions.csv": ""}, "the columns are none: case, polarity, text are needed"),
    "columns": ({"questions.csv": "case,text\n"}, "the columns are case, text: case, polarity, text are needed"),
    "case": (table("zolner,forward,Hm?"), "line 2: unknown case 'zolner': did you mean 'zollner'?"),
    "polarity": (table("zollner,foward,Hm?"), "unknown polarity 'foward': did you mean 'forward'?"),
    "no comparison": (table("mach_band,comparison,Hm?"), "mach_band has no comparison question"),
    "twice": (
        table("zollner,forward,Hm?", "zollner,forward,Ha?"),
        "line 3: zollner has a forward question already",
    ),
    "field": (table("zollner,forward,{inc} lines?"), "unknown field of zollner 'inc': did you mean 'ink'?"),
    "attribute": (table("zollner,forward,{ink.__class__}?"), NAME_ALONE),
    "format": (table("zollner,forward,{ink:>9999999999}?"), NAME_ALONE),
    "number": (table("zollner,forward,{0}?"), NAME_ALONE),
    "brace": (table("zollner,forward,{ink?"), "line 2:"),
    "empty text": (table("zollner,forward, "), "line 2: case, polarity and a text are needed"),
    "comma": (table("zollner,forward,One, two?"), "in quotes if it has commas"),
    "quotes": (table('zollner,forward,"One'), "no valid CSV"),
}  # fmt: skip


@pytest.mark.parametrize("what", BAD)
def test_a_folder_that_cannot_be_used_is_refused_in_one_line(what, stimuli, tmp_path):
    files, said = BAD[what]
    for name, content in files.items():
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(InputError) as refused:
        asked(stimuli, tmp_path)
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)
    assert str(tmp_path) in str(refused.value)


def test_a_folder_that_is_not_there_is_refused(stimuli, tmp_path):
    with pytest.raises(InputError, match="No such file"):
        asked(stimuli, tmp_path / "none")


def test_the_suites_own_folder_changes_nothing_but_takes_any_copy(stimuli, tmp_path):
    for path in FOLDER.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    chosen = {name: list(levels) for name, levels in SUITE.asking.settings.items()}
    assert asked(stimuli, tmp_path, **chosen) == asked(stimuli, **chosen)
