"""Sentences about one small scene in the styles of many writers, each with what a careful reader takes it to state.

A statement is written as "what it is of, what is stated, yes or no": "mug red yes". Looks and dismissals name the
thing, places are "mug R3 yes", relations "mug left of lamp yes".
"""

THINGS = (
    ("mug", "red", "wooden", "small", [40, 200, 120, 260], 3),
    ("lamp", "blue", "metal", "large", [240, 100, 330, 300], 1),
    ("vase", "yellow", "glass", "small", [380, 60, 440, 140], 2),
    ("book", "green", "woven", "small", [500, 320, 580, 400], 4),
    ("shelf", "brown", "wooden", "large", [20, 260, 200, 400], 5),
    ("ball", "red", "plastic", "small", [220, 340, 260, 380], None),
    ("ball", "purple", "plastic", "large", [290, 330, 350, 390], 6),
)
GRAPH = {
    "things": [dict(zip(("name", "color", "material", "size", "box", "number"), each, strict=True)) for each in THINGS],
    "relations": [[0, "on", 4], [0, "left of", 1], [1, "right of", 0], [1, "left of", 2], [2, "right of", 1]],
}
RELEVANT = (3, 1)

SENTENCES = (
    # The styles of instruction-tuned models.
    ("I look at R3, which shows the mug, and it is red.", "mug R3 yes; mug red yes"),
    ("I look at R3, which shows the mug, and it is green.", "mug R3 yes; mug green no"),
    ("Looking at R1, I see a large blue metal lamp.", "lamp R1 yes; lamp large yes; lamp blue yes; lamp metal yes"),
    ("Looking at R1, I see a small lamp.", "lamp R1 yes; lamp small no"),
    ("In R2, there is a yellow vase made of glass.", "vase R2 yes; vase yellow yes; vase glass yes"),
    ("Inside box 2 I can see a vase.", "vase R2 yes"),
    ("Region 4 contains a green book.", "book R4 yes; book green yes"),
    ("The bounding box R4 highlights a red book.", "book R4 yes; book red no"),
    ("R5 depicts a brown wooden shelf.", "shelf R5 yes; shelf brown yes; shelf wooden yes"),
    ("R3: a small red mug made of wood.", "mug R3 yes; mug small yes; mug red yes; mug wooden yes"),
    ("- **R2**: yellow glass vase", "vase R2 yes; vase yellow yes; vase glass yes"),
    ("* R1 (the lamp) is blue.", "lamp R1 yes; lamp blue yes"),
    ("The lamp (R1) is made of plastic.", "lamp R1 yes; lamp plastic no"),
    ("The mug in R3 is clearly red in color.", "mug R3 yes; mug red yes"),
    ("The mug, R3, is wooden.", "mug R3 yes; mug wooden yes"),
    ("R3 is the mug.", "mug R3 yes"),
    ("R3 is a green mug.", "mug R3 yes; mug green no"),
    ("The mug is R3.", "mug R3 yes"),
    ("The mug is in R1.", "mug R1 no"),
    ("The mug is located in region 3.", "mug R3 yes"),
    ("The vase is shown in R4.", "vase R4 no"),
    ("The mug is in R3, not in R1.", "mug R3 yes; mug not R1 yes"),
    ("I find the book in R4.", "book R4 yes"),
    ("There is no book in R2.", "book not R2 yes"),
    ("There is no book in R4.", "book not R4 no"),
    ("R2 does not show the book.", "book not R2 yes"),
    ("R2 shows a vase, not a book.", "vase R2 yes; book not R2 yes"),
    ("R4 displays the vase.", "vase R4 no"),
    ("R6 shows a large purple ball.", "ball R6 yes; ball large yes; ball purple yes"),
    ("R6 shows a red ball.", "ball R6 yes; ball red no"),
    ("R9 shows the mug.", "mug R9 no"),
    ("It is the lamp, which I see in R1.", "lamp R1 yes"),
    ("No other thing is as far from the edge of the shelf: it is the book in R4.", "book R4 yes"),
    ("I see grain running across the mug in R3, so it is made of wood.", "mug R3 yes; mug wooden yes"),
    ("The purple ball is in R2.", "ball R2 no; ball purple yes"),
    ("What I look for is in R3: it is the mug.", "mug R3 yes"),
    ("I compare R2 with the others: it is the book in R4.", "book R4 yes"),
    (
        "The purple ball in R6 is large, so of the two it is the red ball that is smaller.",
        "ball R6 yes; ball large yes; ball purple yes",
    ),
    # Looks.
    ("The mug is red.", "mug red yes"),
    ("The cup is red.", "mug red yes"),
    ("The mug is not red.", "mug not red no"),
    ("The mug isn't green.", "mug not green yes"),
    ("The mug's color is blue.", "mug blue no"),
    ("The color of the lamp is blue.", "lamp blue yes"),
    ("The lamp has a blue color.", "lamp blue yes"),
    ("The lamp is made of metal and the vase is made of glass.", "lamp metal yes; vase glass yes"),
    ("The mug and the lamp are both red.", "mug red yes; lamp red no"),
    ("R3 and R1 are blue.", "mug blue no; lamp blue yes"),
    ("The object in R4 is green.", "book green yes"),
    ("R4 is violet.", "book purple no"),
    ("The book appears green.", "book green yes"),
    ("The vase looks yellow, and it is small.", "vase yellow yes; vase small yes"),
    ("The mug, which stands on the shelf, is red.", "mug on shelf yes; mug red yes"),
    ("The red ball is plastic.", "ball plastic yes"),
    ("The mug is red, and the book is red as well.", "mug red yes; book red no"),
    ("The mug is not green but red.", "mug not green yes; mug red yes"),
    ("The lamp is metallic.", "lamp metal yes"),
    ("R1 is grey.", "lamp gray no"),
    # Relations.
    ("The mug is to the left of the lamp.", "mug left of lamp yes"),
    ("The mug is to the right of the lamp.", "mug right of lamp no"),
    (
        "The mug in R3 is to the right of the lamp in R1.",
        "mug R3 yes; mug right of lamp no; lamp R1 yes",
    ),
    ("R3 is left of R1.", "mug left of lamp yes"),
    ("R4 lies to the left of R3.", "book left of mug no"),
    ("The vase stands on the right side of the lamp.", "vase right of lamp yes"),
    ("The mug sits on top of the shelf.", "mug on shelf yes"),
    ("The book is on the shelf.", "book on shelf no"),
    ("The vase is further left than the mug.", "vase left of mug no"),
    ("The shelf is below the mug.", "shelf below mug yes"),
    ("The blue lamp stands left of the yellow vase.", "lamp blue yes; lamp left of vase yes; vase yellow yes"),
    ("The book is beneath the vase.", "book below vase yes"),
    ("The book is above the vase.", "book above vase no"),
    ("The mug is not to the right of the lamp.", "mug not right of lamp yes"),
    ("The mug is not left of the lamp.", "mug not left of lamp no"),
    ("The mug to the left of the lamp is red.", "mug left of lamp yes; mug red yes"),
    # What is no claim.
    ("Is the mug green?", ""),
    ("Which box shows the mug, R1 or R2?", ""),
    ("Maybe the mug is green.", ""),
    ("The mug might be green.", ""),
    ("It could be that R1 shows the mug.", ""),
    ("If the mug is green, the answer is no.", ""),
    ("I need to find out whether the mug is green.", ""),
    ("The question asks about a green mug.", ""),
    ("I am looking for a green mug.", ""),
    ("I think the mug is green.", ""),
    ("The mug seems to be green.", ""),
    ("I said that the mug is green.", ""),
    ("It was wrong to say the mug is green.", ""),
    ("The mug is either green or blue.", ""),
    ("The picture shows a room with a few things in it.", ""),
    ("So the answer is green.", ""),
    ("The handle of the mug is green.", ""),
    ("The lamp shade is green.", ""),
    ("The ball is green.", ""),
    ("The ball is to the left of the mug.", ""),
    ("Mugs are usually green.", ""),
    ("A green mug would stand out.", ""),
    ('The note says "the mug is green".', ""),
    ("The wall behind the lamp is green.", ""),
    ("The mug is close to something green.", ""),
    ("The mug has a green handle.", ""),
    ("The mug is red with green stripes.", "mug red yes"),
    ("The mug is red and green.", ""),
    ("The mug is similar to a green vase.", ""),
    ("The vase is behind the book.", ""),
    ("The mug is next to the lamp.", ""),
    ("The mug on the left is red.", "mug red yes"),
    ("Another mug is green.", ""),
    ("The mug is greener than the lamp.", ""),
    ("R2 shows a bottle.", ""),
    ("R1 and R3 show a mug and a lamp.", ""),
    ("R2 has a green background.", ""),
    ("The mug reflects green light.", ""),
    ("I first look at R1, then at R3.", ""),
    ("I look at R4 as well.", ""),
    ("The reflection in the vase is green.", ""),
    ("The glass is green.", ""),
    ("An orange would be round.", ""),
    # Boxes that are set aside.
    ("R2 does not matter for the question.", "vase dismissed yes"),
    ("R2 and R4 are irrelevant.", "vase dismissed yes; book dismissed yes"),
    ("R3 is irrelevant.", "mug dismissed no"),
    ("I can ignore R2, R4 and R5.", "vase dismissed yes; book dismissed yes; shelf dismissed yes"),
    ("R4 is not needed to answer this.", "book dismissed yes"),
    ("R5 has nothing to do with the question.", "shelf dismissed yes"),
    ("R3 cannot be ignored.", ""),
    ("Is R4 irrelevant?", ""),
    ("R2 may be irrelevant.", ""),
    ("R1 matters, but R2 does not matter.", "vase dismissed yes"),
    (
        "Only R1 and R3 matter here.",
        "vase dismissed yes; book dismissed yes; shelf dismissed yes; ball dismissed yes",
    ),
    ("R1 is important.", ""),
)

FRESH = (
    ("First, R3 catches my eye because it contains the mug, a red one.", "mug R3 yes; mug red yes"),
    ("The region labeled R1 encloses a tall blue lamp.", "lamp R1 yes; lamp blue yes"),
    ("R2 appears to contain a vase that is yellow.", "vase R2 yes; vase yellow yes"),
    ("Within R4, I notice a book with a green cover.", "book R4 yes"),
    ("My attention goes to R5 (the brown shelf).", "shelf R5 yes; shelf brown yes"),
    ("Next up is R6, showing a purple ball.", "ball R6 yes; ball purple yes"),
    ("R3 clearly depicts a mug; its surface is red.", "mug R3 yes; mug red yes"),
    ("The item highlighted by R1 is a lamp made from metal.", "lamp R1 yes; lamp metal yes"),
    ("I can confirm that the vase (in R2) is glass.", "vase R2 yes; vase glass yes"),
    ("Based on R4, the book is green.", "book green yes"),
    ("R1's lamp is blue.", "lamp R1 yes; lamp blue yes"),
    ("As for the mug, it is red.", "mug red yes"),
    (
        "The lamp, shown in R1, is to the right of the mug, shown in R3.",
        "lamp R1 yes; lamp right of mug yes; mug R3 yes",
    ),
    (
        "Comparing positions, the mug in R3 lies further left than the lamp in R1.",
        "mug R3 yes; mug left of lamp yes; lamp R1 yes",
    ),
    ("The mug is standing on the shelf in R5.", "mug on shelf yes; shelf R5 yes"),
    ("The green object in R4 is a book.", "book R4 yes; book green yes"),
    ("There's a yellow vase inside R2.", "vase yellow yes; vase R2 yes"),
    ("We see a large blue lamp on the right of the mug.", "lamp blue yes; lamp large yes; lamp right of mug yes"),
    ("The vase is yellow whereas the book is green.", "vase yellow yes; book green yes"),
    ("The lamp is blue, not red.", "lamp blue yes; lamp not red yes"),
    ("R2 has a yellow vase in it.", "vase R2 yes; vase yellow yes"),
    ("Box R4: the book is green.", "book green yes; book R4 yes"),
    ("R1 - lamp (blue)", "lamp R1 yes; lamp blue yes"),
    ("1. R3: red wooden mug on a shelf", "mug R3 yes; mug red yes; mug wooden yes; mug on shelf yes"),
    ("The mug sits directly above the shelf.", "mug above shelf yes"),
    ("Both the mug and the shelf are wooden.", "mug wooden yes; shelf wooden yes"),
    ("Neither the mug nor the lamp is green.", "mug not green yes; lamp not green yes"),
    ("The mug shares its material with the shelf: wood.", ""),
    ("The lamp is bluish.", ""),
    ("The mug's red color stands out.", "mug red yes"),
    ("A red mug is visible in R3.", "mug red yes; mug R3 yes"),
    ("R1 is where the lamp is.", "lamp R1 yes"),
    ("I conclude that the vase is to the right of the lamp.", "vase right of lamp yes"),
    ("Its color is red.", ""),
    ("The picture above the shelf is green.", ""),
    ("The lamp casts a red glow.", ""),
    ("Red light falls on the vase.", ""),
    ("The one in R2 is yellow.", "vase yellow yes"),
    ("R2 and R4 are yellow and green respectively.", ""),
    ("The mug is red; the lamp, by contrast, is green.", "mug red yes; lamp green no"),
    ("Unlike the lamp, the mug is red.", "mug red yes"),
    ("The mug is as red as the ball.", "mug red yes"),
    ("Since R3 shows a red mug, the answer is yes.", "mug R3 yes; mug red yes"),
    ("R1, R2, and R4 are not relevant to the mug.", "lamp dismissed no; vase dismissed yes; book dismissed yes"),
    ("The remaining boxes are distractors.", ""),
    ("The answer is that the mug is red.", "mug red yes"),
    ("In front of the lamp there is a green cup.", ""),
    ("The book lies to the lower right of the vase.", ""),
    ("The vase in R2 is smaller than the lamp.", "vase R2 yes"),
    ("The small vase stands right next to the large lamp.", ""),
    ("The book in R4, which is woven, lies far from the mug.", "book R4 yes; book woven yes"),
    ("I don't see a mug in R1.", "mug not R1 yes"),
    ("R4 contains neither the mug nor the lamp.", ""),
    ("R5 does not contain the book but the shelf.", "book not R5 yes; shelf R5 yes"),
    ("The ball in R6 has a purple hue.", "ball R6 yes; ball purple yes"),
    ("The wooden mug is what we need.", "mug wooden yes"),
    ("The label R2 is red.", ""),
    ("The red box R2 surrounds the vase.", "vase R2 yes"),
    ("The red bounding box around the lamp is R1.", "lamp R1 yes"),
    ("R3 is drawn in red around the mug.", ""),
    ("The boxes are red.", ""),
    ("The outline of R4 is red.", ""),
    ("R4 is outlined in red.", ""),
    ("R4 (red box) shows the book.", "book R4 yes"),
    ("The mug is in the red box R3.", "mug R3 yes"),
    ("The lamp is behind R4.", ""),
)
"""Sentences that were written when the rules were finished, and first read then; the rules were mended afterwards."""

RATIONALES = (
    (
        (
            "The image depicts a simple indoor scene with several household items. To answer the question, I"
            " first examine R3. Inside this box, there is a small red mug. The mug appears to be made of "
            "wood. Next, I check R1, where a large blue lamp is located. The lamp is positioned to the right"
            " of the mug. Therefore, the mug is on the left.\n"
            "\n"
            "Answer: left"
        ),
        (
            "mug R3 yes; mug small yes; mug red yes; mug wooden yes; lamp R1 yes; lamp large yes; lamp blue "
            "yes; lamp right of mug yes"
        ),
    ),
    (
        (
            "**Step 1:** I look at the room and see five boxes.\n"
            "**Step 2:** In R2, I see a yellow vase, which seems to be made of glass.\n"
            "**Step 3:** In R4, I see a green book. It is not on the shelf.\n"
            "**Step 4:** R5 contains a brown shelf with a red mug on top of it.\n"
            "**Answer:** no"
        ),
        (
            "vase R2 yes; vase yellow yes; book R4 yes; book green yes; shelf R5 yes; shelf brown yes; mug "
            "red yes; mug on shelf yes; book not on shelf yes"
        ),
    ),
    (
        (
            "I start by scanning the picture. R1 shows a lamp. It has a blue color, and it looks metallic. "
            "R6 shows a purple ball, which lies in front of the shelf. I also notice R2, but the vase inside"
            " it is not what I need. Since the lamp is blue and the ball is purple, they do not have the "
            "same color."
        ),
        "lamp R1 yes; lamp blue yes; lamp metal yes; ball R6 yes; ball purple yes; vase R2 yes",
    ),
    (
        (
            "Okay, so the question is whether the mug and the lamp have the same color. Let me see. R3 is "
            "the mug. It's red. R1 is the lamp. It's blue. So no, they're different. Hmm, wait. Is R1 really"
            " blue? Yes, it is. So the final answer is no."
        ),
        "mug R3 yes; mug red yes; lamp R1 yes; lamp blue yes",
    ),
    (
        (
            "R1: lamp, blue, metal, large\n"
            "R2: vase, yellow, glass, small\n"
            "R3: mug, red, wood, small\n"
            "R4: book, green\n"
            "R5: shelf"
        ),
        "lamp R1 yes; vase R2 yes; mug R3 yes; book R4 yes; shelf R5 yes",
    ),
    (
        (
            "My eyes are drawn to R3 because the question mentions a mug. The mug in this region is green. I"
            " then move over to R1, which frames a lamp. Its shade is blue. Because the mug stands to the "
            "right of the lamp, I can answer with yes."
        ),
        "mug green no; lamp R1 yes; mug right of lamp no",
    ),
    (
        (
            "The scene looks like a living room. The region marked as R5 holds a wooden shelf, and on this "
            "shelf there is the mug marked as R3. R2 shows a glass vase. It is further to the right than the"
            " lamp in R1. The remaining regions are not needed."
        ),
        (
            "shelf R5 yes; shelf wooden yes; mug R3 yes; mug on shelf yes; vase R2 yes; vase glass yes; vase"
            " right of lamp yes; lamp R1 yes"
        ),
    ),
    (
        (
            "Looking at the image, I can see a mug (R3), a lamp (R1) and a vase (R2). The mug is red and "
            "sits on a brown shelf. The lamp, which is blue, stands between the mug and the vase. The book "
            "in R4 is blue too."
        ),
        (
            "mug R3 yes; lamp R1 yes; vase R2 yes; mug red yes; mug on shelf yes; shelf brown yes; lamp blue"
            " yes; book R4 yes; book blue no"
        ),
    ),
)
"""Whole rationales, written after the sentences; the rules were mended by what they showed."""
