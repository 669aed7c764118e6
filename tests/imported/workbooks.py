"""Small xlsx workbooks, written part by part."""

import zipfile
from xml.sax.saxutils import escape

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_DOCUMENT = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_XML = '<?xml version="1.0" encoding="UTF-8"?>'
_KIND = "application/vnd.openxmlformats"


def _parts(rows):
    body = "".join(f"<row>{''.join(map(_cell, row))}</row>" for row in rows)
    sheet = f"{_KIND}-officedocument.spreadsheetml"
    return {
        "[Content_Types].xml": (
            f'{_XML}<Types xmlns="{_PACKAGE}/content-types">'
            f'<Default Extension="rels" ContentType="{_KIND}-package.relationships+xml"/>'
            f'<Override PartName="/xl/workbook.xml" ContentType="{sheet}.sheet.main+xml"/>'
            f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{sheet}.worksheet+xml"/></Types>'
        ),
        "_rels/.rels": _relation("officeDocument", "xl/workbook.xml"),
        "xl/workbook.xml": (
            f'{_XML}<workbook xmlns="{_MAIN}" xmlns:r="{_DOCUMENT}">'
            '<sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>'
        ),
        "xl/_rels/workbook.xml.rels": _relation("worksheet", "worksheets/sheet1.xml"),
        "xl/worksheets/sheet1.xml": f'{_XML}<worksheet xmlns="{_MAIN}"><sheetData>{body}</sheetData></worksheet>',
    }


def _relation(kind, target):
    return (
        f'{_XML}<Relationships xmlns="{_PACKAGE}/relationships">'
        f'<Relationship Id="r1" Type="{_DOCUMENT}/{kind}" Target="{target}"/></Relationships>'
    )


def _cell(value):
    """Text; a pair is a formula with its stored result."""
    if isinstance(value, tuple):
        formula, result = value
        return f'<c t="str"><f>{escape(formula)}</f><v>{escape(result)}</v></c>'
    return f'<c t="inlineStr"><is><t>{escape(value)}</t></is></c>'


def write_workbook(path, rows):
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in _parts(rows).items():
            archive.writestr(name, content)
