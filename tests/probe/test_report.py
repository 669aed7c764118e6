"""What a report says of the probe, alone and beside another suite."""

import json
from html.parser import HTMLParser

import pytest

import veridical
from veridical.suite import registry


class Page(HTMLParser):
    """The text that a page shows, and the documents of its items."""

    def __init__(self, path):
        super().__init__()
        self.text, self.documents, self.inside, self.tags = "", [], None, []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        named = dict(attributes)
        self.tags.append((tag, named))
        if tag in ("script", "style"):
            self.inside = named.get("type", tag)

    def handle_endtag(self, tag):
        self.inside = None

    def handle_data(self, data):
        if self.inside == "application/json":
            self.documents.append(json.loads(data))
        elif self.inside is None:
            self.text += f" {data}"

    @property
    def words(self):
        return " ".join(self.text.split())


@pytest.fixture(scope="module")
def page(seeing, blind, tmp_path_factory):
    return Page(veridical.write_report([seeing, blind], tmp_path_factory.mktemp("page") / "report.html"))


def test_a_page_opens_with_what_the_suite_says_first(page):
    assert "The probe in one line" in page.words
    assert "Most right: veridical/eye" in page.words
    assert "Probe: tiles, dots, boxes, clips and sums" in page.words


def test_a_page_has_titles_definitions_and_units_of_the_suites_measures(page):
    assert "10 for the true number of dots, one less for each dot off. Higher is better." in page.words
    assert "10.0 /10" in page.words
    assert "What the probe found" in page.words
    assert "Accuracy by family" in page.words


def test_a_page_shows_every_item_with_all_its_media(page, made):
    assert "Showing all 50 items in 25 base items" in page.words
    (document,) = page.documents
    items = {item["id"]: item for unit in document["units"] for item in unit["items"]}
    assert {name: [each["kind"] for each in item["media"]] for name, item in items.items()} == {
        stimulus.id: [medium.kind for medium in stimulus.media] for stimulus in made.stimuli
    }
    sources = document["sources"]
    tiles = items["tiles/0000/easy"]["media"]
    kinds = [sources[each["source"]].split(";")[0] for each in tiles]
    assert kinds == ["data:image/png", "data:image/jpeg", "data:image/webp"] * 2
    assert sources[items["clip/0000/easy"]["media"][0]["source"]].startswith("data:video/mp4")
    assert items["sums/0000/easy"]["media"] == []


def test_an_item_has_the_suites_names_facts_factors_boxes_and_scores(page, made):
    (document,) = page.documents
    items = {item["id"]: item for unit in document["units"] for item in unit["items"]}
    truth = {stimulus.id: stimulus.truth for stimulus in made.stimuli}
    dots = items["dots/0000/hard"]
    assert dots["title"] == "Hard item"
    assert dots["facts"] == [["dots in the picture", *[str(truth["dots/0000/hard"]["dots"])] * 2]]
    assert dots["factors"] == {"ink": "blue", "dot_count": truth["dots/0000/hard"]["dots"], "pale": False}
    boxes = items["boxes/0000/easy"]["media"][0]["regions"]
    assert [box[1:] for box in boxes] == truth["boxes/0000/easy"]["regions"]
    scores = [each["scores"] for question in dots["questions"] for each in question["outcomes"] if "scores" in each]
    assert ["closeness", "10", "0–10"] in scores[0]


def test_a_page_without_the_set_says_so(seeing, made, tmp_path):
    from shutil import copytree

    copy = copytree(seeing.folder, tmp_path / "run")
    described = json.loads((copy / "run.json").read_bytes())
    for start in described["execution"]:
        start["set"] = "/nowhere"
    (copy / "run.json").write_text(json.dumps(described))
    page = Page(veridical.write_report([copy], tmp_path / "report.html"))
    (document,) = page.documents
    assert document["sources"] == {}
    with_set = Page(veridical.write_report([copy], tmp_path / "with.html", stimuli=made.folder))
    assert with_set.documents[0]["sources"]


def test_a_page_shows_what_was_derived_for_the_run(tmp_path):
    small = veridical.make("probe", out=tmp_path / "set", units=1)
    run = veridical.run(
        small, "veridical/eye", out=tmp_path / "run", settings={"lens": ["derived"]}, show="quiet", analyze=False
    )
    (document,) = Page(veridical.write_report([run])).documents
    items = {item["id"]: item for unit in document["units"] for item in unit["items"]}
    assert len(items["clip/0000/easy"]["media"]) == 1 + 4
    assert all("source" in medium for item in items.values() for medium in item["media"])


def test_tables_and_figures_stand_in_the_run(seeing):
    table = (seeing.folder / "tables" / "probe-main.csv").read_text()
    assert table.startswith("Model,Accuracy,Accuracy low")
    assert "Closeness" in table
    assert (seeing.folder / "figures" / "probe-families.svg").read_text().startswith("<?xml")


def test_media_can_stand_in_a_folder_beside_the_page(seeing, made, tmp_path):
    veridical.write_report([seeing], tmp_path / "report.html", assets=tmp_path / "assets")
    there = {path.read_bytes() for path in (tmp_path / "assets").rglob("*") if path.is_file()}
    assert {made.read(medium.file) for stimulus in made.stimuli for medium in stimulus.media} <= there


def test_media_stand_in_a_folder_beside_a_page_that_has_no_room_for_them(seeing, tmp_path):
    whole = veridical.write_report([seeing], tmp_path / "page.html")
    assert list(tmp_path.iterdir()) == [whole]
    (units,) = [document["units"] for document in Page(whole).documents]
    limit = whole.stat().st_size - 1
    small = veridical.write_report([seeing], tmp_path / "small.html", limit_bytes=limit)
    assert small.stat().st_size <= limit
    (document,) = Page(small).documents
    assert [unit["name"] for unit in document["units"]] == [unit["name"] for unit in units]
    assert document["sources"]
    assert {tmp_path / source for source in document["sources"].values()} == set((tmp_path / "small-media").iterdir())


def test_a_report_on_the_command_line_is_one_page(seeing, blind, said, tmp_path):
    code, out, _ = said("report", seeing.folder, blind.folder, "--out", tmp_path / "page.html", "--json")
    assert (code, json.loads(out)["report"]) == (0, str(tmp_path / "page.html"))
    code, out, _ = said("report", seeing.folder, "--json")
    assert (code, json.loads(out)["report"]) == (0, str(seeing.folder / "report.html"))


def test_a_page_on_two_suites_has_a_part_for_each(seeing, tmp_path):
    if "viprobe" not in registry.names():
        pytest.skip("VI-Probe is not here")
    pictures = veridical.make("viprobe", cases=["zollner"], units=2, levels=2, size=128)
    other = veridical.run(pictures, "veridical/pixel", out=tmp_path / "run", show="quiet", analyze=False)
    page = Page(veridical.write_report([seeing, other], tmp_path / "report.html"))
    assert "Results of 2 suites" in page.words
    parts = [named["id"] for tag, named in page.tags if tag == "div" and named.get("class") == "part"]
    assert len(parts) == len(set(parts)) == 2
    ids = [named["id"] for _, named in page.tags if "id" in named]
    assert len(ids) == len(set(ids))
    assert len(page.documents) == 2
    assert {item["id"].split("/")[0] for each in page.documents for u in each["units"] for item in u["items"]} == {
        *("tiles", "dots", "boxes", "clip", "sums", "zollner"),
    }
