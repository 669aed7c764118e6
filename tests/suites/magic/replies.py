"""Replies in the styles of many models, with what is right: answer, number of steps, boxes, and those excluded.

The picture has four boxes and shows a red mug in R1 and a lamp in R2, to the right of it. `None`: no final answer.
"""

from typing import NamedTuple


class Case(NamedTuple):
    reply: str
    answer: str | None
    steps: int
    boxes: tuple[int, ...] = ()
    excluded: tuple[int, ...] = ()


STEPS = "I look at R1, which shows a mug. The mug is red."
CASES = {
    "one line at the end": Case(f"{STEPS}\n\nAnswer: red", "red", 2, (1,)),
    "a bold heading": Case(f"{STEPS}\n\n**Answer:** Red", "Red", 2, (1,)),
    "a bold heading, colon outside": Case(f"{STEPS}\n**Answer**: red.", "red.", 2, (1,)),
    "all of it bold": Case(f"{STEPS}\n\n**Answer: red**", "red", 2, (1,)),
    "a heading in Markdown": Case(f"## Thought Process\n{STEPS}\n\n## Answer\nred\n", "red", 2, (1,)),
    "a numbered heading": Case(f"1. **Reasoning**: {STEPS}\n2. **Answer**: red", "red", 2, (1,)),
    "the paper's asterisks": Case(f"*Thought Process**: {STEPS}\n*Answer**: red", "red", 2, (1,)),
    "final answer on its own line": Case(
        f"{STEPS}\n### Final Answer:\n\nThe mug is red.\n", "The mug is red.", 2, (1,)
    ),
    "a boxed answer in LaTeX": Case(f"{STEPS}\n\n**Final Answer**\n\n\\[ \\boxed{{red}} \\]", "red", 2, (1,)),
    "boxed, without a heading": Case(f"{STEPS} Therefore it is \\boxed{{red}}.", "red", 3, (1,)),
    "four hashes before the last line": Case(f"{STEPS}\n#### red", "red", 2, (1,)),
    "four hashes after a sentence that announces the answer": Case(
        f"{STEPS} So the answer is red.\n\n#### **Red**\n", "Red", 3, (1,)
    ),
    "four hashes after an answer": Case("R1 shows a mug.\nAnswer: red\n#### R1", "red", 2, (1,)),
    "four hashes before a heading over nothing": Case(f"{STEPS}\n#### Conclusion of the steps:", None, 3, (1,)),
    "an answer tag": Case(f"{STEPS} <answer>red</answer>", "red", 2, (1,)),
    "reasoning and answer tags": Case(f"<reasoning>{STEPS}</reasoning>\n<answer>\nred\n</answer>", "red", 2, (1,)),
    "GLM's box": Case(f"{STEPS}\n<|begin_of_box|>red<|end_of_box|>", "red", 2, (1,)),
    "thinking before": Case(f"<think>Maybe R3? Answer: blue</think>{STEPS}\nAnswer: red", "red", 2, (1,)),
    "thinking whose opening is in the template": Case(
        f"R4? Answer: blue.</think>\n{STEPS}\nAnswer: red", "red", 2, (1,)
    ),
    "the rationale is all in the thinking": Case(f"<think>{STEPS}</think>\n\nAnswer: red", "red", 0),
    "in a sentence at the end": Case(f"{STEPS} So the answer is red.", "red", 3, (1,)),
    "in a sentence, bold": Case(f"{STEPS} Thus, the final answer is **red**.", "red", 3, (1,)),
    "JSON": Case('{"rationale": "I look at R1. It shows a red mug.", "answer": "red"}', "red", 2, (1,)),
    "JSON in a fence": Case(
        '```json\n{"steps": ["R1 shows a mug.", "It is red."], "answer": "red"}\n```', "red", 2, (1,)
    ),
    "JSON with nested steps": Case(
        '{"thought_process": {"scene": "A room.", "boxes": {"R1": "a red mug", "R2": "a lamp"}}, "Answer": "red"}',
        "red",
        3,
        (1, 2),
    ),
    "JSON with a truth value": Case('{"reasoning": "R1 shows a red mug.", "answer": true}', "yes", 1, (1,)),
    "JSON with a list": Case('{"reasoning": ["R1 is red."], "answer": ["red"]}', "red", 1, (1,)),
    "JSON with an empty answer": Case('{"reasoning": "R1 is red.", "answer": ""}', None, 1, (1,)),
    "JSON with another object as answer": Case('{"reasoning": "R1 is red.", "answer": {"a": "red"}}', None, 2, (1,)),
    "prose, then JSON": Case(f'{STEPS}\n{{"answer": "red"}}', "red", 2, (1,)),
    "bold on the last line": Case(f"{STEPS}\n\n**red**", "red", 2, (1,)),
    "bold at the end of the last sentence": Case(f"{STEPS} This means it is **red**.", "red", 3, (1,)),
    "one word": Case("Red.", "Red.", 0),
    "a bare sentence": Case("Yes, the mug is red.", "Yes, the mug is red.", 0),
    "a bare answer line": Case("Answer: yes", "yes", 0),
    "no answer": Case("I look at R1. It shows a red mug.", None, 2, (1,)),
    "no answer in one sentence with a box": Case("The mug in R1 is red.", None, 1, (1,)),
    "an empty heading": Case(f"{STEPS}\n\n**Answer**:", None, 2, (1,)),
    "a placeholder": Case(f"{STEPS}\nAnswer: [your answer here]", None, 2, (1,)),
    "nothing": Case("", None, 0),
    "only signs": Case("... !!! ---", None, 0),
    "a question back": Case("Which mug do you mean?", None, 1),
    "numbered list": Case("1. The scene is a room.\n2. R1 shows a mug.\n3. It is red.\n\nAnswer: red", "red", 3, (1,)),
    "numbered list on one line": Case("1. It is a room. 2. R1 shows a mug. 3. It is red. Answer: red", "red", 3, (1,)),
    "steps with names": Case("Step 1: R1 shows a mug.\nStep 2: It is red.\nAnswer: red", "red", 2, (1,)),
    "labels as headings": Case("**R1:** A red mug.\n**R2:** A lamp.\n\n**Answer:** red", "red", 2, (1, 2)),
    "labels on lines of their own": Case("**R1**\nA red mug.\n**R2**\nA lamp.\n\nAnswer: red", "red", 2, (1, 2)),
    "labels with a stop": Case("R1. A red mug. R2. A lamp.\nAnswer: red", "red", 2, (1, 2)),
    "bullets": Case("- R1: a red mug\n- R2: a lamp\n* R3: nothing\n\nAnswer: red", "red", 3, (1, 2, 3)),
    "nested bullets": Case("* **R1**: a mug\n    * It is red.\n* **R2**: a lamp\n\n**Answer:** red", "red", 3, (1, 2)),
    "a range": Case("Boxes R1-R3 are marked. R1 shows a red mug. Answer: red", "red", 2, (1, 2, 3)),
    "a range in words": Case("Regions 1 to 3 stand on a table. Answer: red", "red", 1, (1, 2, 3)),
    "a list": Case("I looked at R1, R2 and R4. Answer: red", "red", 1, (1, 2, 4)),
    "lower case": Case("i look at r1 and r2. the mug is red. answer: red", "red", 2, (1, 2)),
    "in brackets and quotes": Case("The mug (`R1`) is left of the lamp ['R2'].\n\n**Answer**: mug", "mug", 1, (1, 2)),
    "boxes in words": Case("Bounding box 1 has a mug; region #2 has a lamp.\nAnswer: mug", "mug", 1, (1, 2)),
    "excluded in words": Case(f"{STEPS} R2 is irrelevant. Answer: red", "red", 3, (1, 2), (2,)),
    "excluded as a list": Case(
        f"{STEPS} R2, R3 and R4 are not needed.\nAnswer: red", "red", 3, (1, 2, 3, 4), (2, 3, 4)
    ),
    "excluded by ignoring": Case(f"I ignore R3 and R4. {STEPS}\nAnswer: red", "red", 3, (1, 3, 4), (3, 4)),
    "excluded by contrast": Case("The mug is in R1, not in R2. Answer: red", "red", 1, (1, 2), (2,)),
    "excluded because of the question": Case(
        f"R4 shows a vase, so it does not matter. {STEPS}\nAnswer: red", "red", 3, (1, 4), (4,)
    ),
    "excluded without need": Case(f"{STEPS} There is no need to look at R3.\nAnswer: red", "red", 3, (1, 3), (3,)),
    "set aside": Case(f"{STEPS} R2 seems unrelated, so I set it aside.\nAnswer: red", "red", 3, (1, 2), (2,)),
    "ruled out": Case(f"R3 and R4 can be ruled out. {STEPS}\nAnswer: red", "red", 3, (1, 3, 4), (3, 4)),
    "used and set aside": Case("R2 shows a lamp. R2 is irrelevant. R1 is red. Answer: red", "red", 3, (1, 2)),
    "an ordinary thing is not excluded": Case("R2 shows an ordinary lamp. R1 is red. Answer: red", "red", 2, (1, 2)),
    "answer first": Case(f"Answer: red\n\nExplanation: {STEPS}", "red", 2, (1,)),
    "answer first under a heading": Case(f"### Answer\nred\n### Reasoning\n{STEPS}", "red", 2, (1,)),
    "echo of the question": Case(
        f"Question: What color is the mug?\nThought process: {STEPS}\nAnswer: red", "red", 2, (1,)
    ),
    "a made-up next question": Case(
        f"{STEPS}\n**Answer**: red\n\n## Image 2 (3 boxes)\n**Question**: Is R3 big?\nR3 is.\n**Answer**: yes",
        "red",
        2,
        (1,),
    ),
    "an answer that is corrected": Case("R1 is blue.\nAnswer: blue\nWait, R1 is red.\nAnswer: red", "red", 3, (1,)),
    "corrected in a sentence": Case(f"{STEPS}\nAnswer: blue\nWait, that is wrong. The answer is red.", "red", 5, (1,)),
    "a kind word after": Case(f"{STEPS}\n\nAnswer: red\n\nLet me know if I can help.", "red", 3, (1,)),
    "the word answer in a step": Case(f"To answer the question, I check R1. {STEPS}\nAnswer: red", "red", 3, (1,)),
    "a step on where the answer lies": Case(f"The answer is in R1. {STEPS}\nAnswer: red", "red", 3, (1,)),
    "abbreviations and decimals": Case("R1 (e.g. the mug of Mr. Hall) is 3.5 cm wide. Answer: red", "red", 1, (1,)),
    "Chinese": Case("R1 显示一个红色的杯子。R2 是一盏灯。\n答案\uff1a红色", "红色", 2, (1, 2)),
    "German": Case("R1 zeigt eine rote Tasse.\nAntwort: rot", "rot", 1, (1,)),
    "Windows line ends": Case("R1 shows a mug.\r\nIt is red.\r\n\r\nAnswer: red\r\n", "red", 2, (1,)),
    "a table": Case("| Box | Thing |\n|---|---|\n| R1 | red mug |\n| R2 | lamp |\n\nAnswer: red", "red", 3, (1, 2)),
    "a full answer": Case(
        f"{STEPS}\nAnswer: Red, the mug on the table is red.", "Red, the mug on the table is red.", 2, (1,)
    ),
    "the answer names a box": Case(
        f"{STEPS}\nAnswer: The mug in R1, not the lamp in R2.", "The mug in R1, not the lamp in R2.", 2, (1,)
    ),
    "a conclusion and no answer": Case(f"{STEPS}\n\n**Conclusion**: The mug is red.", "The mug is red.", 2, (1,)),
    "a conclusion and an answer": Case(f"{STEPS}\nConclusion: R1 is red.\n\nAnswer: red", "red", 3, (1,)),
    "answer with a dash": Case(f"{STEPS}\nFinal Answer - red", "red", 2, (1,)),
    "a letter": Case(f"Q: What color?\n{STEPS}\nA: red", "red", 3, (1,)),
    "an underlined word": Case(f"{STEPS}\n__Answer__ red", "red", 2, (1,)),
    "HTML": Case(f"<p>{STEPS}</p><br/>\n<b>Answer:</b> red", "red", 2, (1,)),
    "a box under a heading with words around": Case(
        f"{STEPS}\nFinal Answer: The final answer is $\\boxed{{red}}$. I hope it is correct.", "red", 2, (1,)
    ),
    "a tag after a heading": Case(f"{STEPS}\nAnswer: <answer>red</answer> (see R1)", "red", 2, (1,)),
    "quoted answer": Case(f'{STEPS}\nAnswer: "red"', "red", 2, (1,)),
    "QvQ": Case(
        "So I've got this picture. Hmm, R1 is a mug. Wait, maybe R2? No, R2 is a lamp. So it's red.\n\n"
        "**Final Answer**\n\n"
        "\\[ \\boxed{\\text{red}} \\]",
        "red",
        5,
        (1, 2),
    ),
    "everything listed": Case(
        "R1 is a mug. R2 is a lamp. R3 is a vase. R4 is a book. The mug is red. Answer: red", "red", 5, (1, 2, 3, 4)
    ),
    "a line of confidence after": Case(f"{STEPS}\n**Final Answer: Red.**\n\n*Confidence: high*", "Red.", 3, (1,)),
    "a bullet under a heading": Case(f"{STEPS}\nAnswer:\n- red", "red", 2, (1,)),
    "answer and explanation on one line": Case("**Answer:** yes. **Reasoning:** R1 is red.", "yes.", 1, (1,)),
    "bold below a sentence": Case(f"{STEPS}\nHence, the correct answer is:\n\n**red**", "red", 3, (1,)),
    "an arrow": Case(f"{STEPS}\nAnswer \u2192 red", "red", 2, (1,)),
    "a dictionary of Python": Case("{'rationale': 'R1 is red.', 'answer': 'red'}", "red", 1, (1,)),
    "JSON with a comma too many": Case('{"rationale": "R1 is red.", "answer": "red",}', "red", 1, (1,)),
    "a code fence under a heading": Case(f"{STEPS}\n### Answer:\n```\nred\n```", "red", 2, (1,)),
    "another tag after": Case(f"{STEPS}<answer>red</answer> <confidence>0.9</confidence>", "red", 2, (1,)),
    "the same answer again and again": Case(f"{STEPS}\n" + "Answer: red\n" * 5, "red", 2, (1,)),
    "the row of a table": Case("| 1 | R1 shows a mug |\n| Answer | red |", "red", 1, (1,)),
    "brackets as numbers": Case("1) R1 is a mug 2) R2 is a lamp 3) so red\nAnswer: red", "red", 3, (1, 2)),
    "only what it is not": Case("R1 is a mug. The answer is not blue. It is red.", None, 3, (1,)),
    "not this but that": Case("R1 is a mug. The answer is not blue but red.", "not blue but red", 2, (1,)),
    "no space after stops": Case("I notice R1.The mug is red.So the answer must be red.", "red", 3, (1,)),
    "a made-up dialogue": Case(
        "Thought Process: R1 shows it.\nAnswer: Yes\n\nQuestion: Is the lamp blue?\nR2 shows it.\nAnswer: No",
        "Yes",
        1,
        (1,),
    ),
    "the end of a turn": Case(f"{STEPS}\nAnswer: red</s><|im_end|>\n<|im_start|>user\nAnd R4?", "red", 2, (1,)),
    "a reason in the answer": Case(f"{STEPS}\nAnswer: no, because R2 is blue.", "no, because R2 is blue.", 2, (1,)),
}
