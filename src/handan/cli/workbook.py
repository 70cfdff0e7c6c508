"""A small Excel workbook of text, as the standard asks for it (ECMA-376, part 1) and without a library."""

import io
import zipfile
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape, quoteattr

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
KIND = "application/vnd.openxmlformats-officedocument.spreadsheetml"
WIDTH = 16  # characters; our choice


def workbook(sheets: Mapping[str, Sequence[Sequence[str]]]) -> bytes:
    """Return a workbook of these sheets by name, all cells text; its first rows stay in sight."""
    numbers = range(1, len(sheets) + 1)
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{KIND}.sheet.main+xml"/>'
        + "".join(
            f'<Override PartName="/xl/worksheets/sheet{number}.xml" ContentType="{KIND}.worksheet+xml"/>'
            for number in numbers
        )
        + "</Types>",
        "_rels/.rels": _relations([("officeDocument", "xl/workbook.xml")]),
        "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{RELATIONS}"><sheets>'
        + "".join(
            f'<sheet name={quoteattr(name)} sheetId="{number}" r:id="rId{number}"/>'
            for number, name in zip(numbers, sheets, strict=True)
        )
        + "</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": _relations(
            [("worksheet", f"worksheets/sheet{number}.xml") for number in numbers]
        ),
    }
    for number, rows in zip(numbers, sheets.values(), strict=True):
        parts[f"xl/worksheets/sheet{number}.xml"] = _sheet(rows)
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(zipfile.ZipInfo(name), HEAD + text, zipfile.ZIP_DEFLATED)
    return data.getvalue()


def _relations(targets: Sequence[tuple[str, str]]) -> str:
    items = "".join(
        f'<Relationship Id="rId{number}" Type="{RELATIONS}/{kind}" Target="{target}"/>'
        for number, (kind, target) in enumerate(targets, 1)
    )
    return f'<Relationships xmlns="{PACKAGE}/relationships">{items}</Relationships>'


def _sheet(rows: Sequence[Sequence[str]]) -> str:
    frozen = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>'
    lines = "".join(
        f'<row r="{number}">'
        + "".join(
            f'<c r="{chr(ord("A") + place)}{number}" t="inlineStr"><is><t>{escape(text)}</t></is></c>'
            for place, text in enumerate(row)
        )
        + "</row>"
        for number, row in enumerate(rows, 1)
    )
    widths = f'<cols><col min="1" max="{max(map(len, rows))}" width="{WIDTH}" customWidth="1"/></cols>'
    view = f'<sheetViews><sheetView workbookViewId="0">{frozen}</sheetView></sheetViews>'
    return f'<worksheet xmlns="{MAIN}">{view}{widths}<sheetData>{lines}</sheetData></worksheet>'
