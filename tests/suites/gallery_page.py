"""What tests of galleries share: a page's text, elements and files, and the content of a folder."""

from html.parser import HTMLParser


class Page(HTMLParser):
    """The text of a page, its elements, and the files that it refers to."""

    def __init__(self, path):
        super().__init__()
        self.source = path.read_text(encoding="utf-8")
        self.elements = []
        self.parts = []
        self.feed(self.source)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.parts.append(data)

    @property
    def text(self):
        return " ".join("".join(self.parts).split())

    def values(self, tag, attribute):
        return [found[attribute] for name, found in self.elements if name == tag and attribute in found]


def contents(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
