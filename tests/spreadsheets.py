"""Spreadsheets as Excel, LibreOffice, Numbers and Google Sheets write them, made from their XML, with invented names.

`python -m tests.spreadsheets FOLDER` writes them all.
"""

from __future__ import annotations

import io
import json
import sys
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

Cell = object
Row = Sequence[Cell]

GAMES = (
    ("2026-09-03", "Jürgen Möller", "Ada Lind", "B+3.5"),
    ("2026-09-04", "Ada Lind", "Bo Quist", "W+R"),
    ("2026-09-15", "Bo Quist", "Jürgen Möller", "jigo"),
)
"""What every readable file of the folder tells, in all files with days and colours."""
EPOCHS = {False: date(1899, 12, 30), True: date(1904, 1, 1)}
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"


@dataclass(frozen=True)
class Formula:
    """A formula and the value that the program keeps with it."""

    value: Cell
    text: str = "A1"


@dataclass(frozen=True)
class Sheet:
    """One worksheet."""

    name: str
    rows: Sequence[Row]
    hidden_rows: tuple[int, ...] = ()
    """Numbers from 1."""
    merged: tuple[str, ...] = ()
    """Ranges such as A1:D1."""
    state: str = "visible"


@dataclass(frozen=True)
class Style:
    """What a program does in its own way."""

    shared: bool = True
    """Whether texts stand in a table of their own; else in the cells."""
    from_1904: bool = False
    styled_dates: bool = True
    """Whether numbers of days have the format of a date."""
    custom_dates: bool = False
    """Whether that format is one of the file's own."""
    positions: bool = True
    """Whether cells and rows say where they stand."""
    prefix: str = ""
    """Prefix of the namespace."""


def column_name(number: int) -> str:
    """Return the letters of a column, counted from 0."""
    return chr(65 + number) if number < 26 else column_name(number // 26 - 1) + chr(65 + number % 26)


@dataclass
class Workbook:
    """An Excel workbook."""

    sheets: list[Sheet]
    style: Style = field(default_factory=Style)
    texts: list[str] = field(default_factory=list)

    def content(self) -> bytes:
        """Return the bytes of the file."""
        parts = {f"xl/worksheets/sheet{place}.xml": self._sheet(sheet) for place, sheet in enumerate(self.sheets, 1)}
        numbers = range(1, len(self.sheets) + 1)
        listed = "".join(
            f'<sheet name={quoteattr(sheet.name)} sheetId="{place}" state="{sheet.state}" r:id="rId{place}"/>'
            for place, sheet in enumerate(self.sheets, 1)
        )
        epoch = '<workbookPr date1904="1"/>' if self.style.from_1904 else "<workbookPr/>"
        parts["xl/workbook.xml"] = (
            f'<workbook xmlns="{MAIN}" xmlns:r="{RELATIONS}">{epoch}<sheets>{listed}</sheets></workbook>'
        )
        related = [(f"rId{place}", "worksheet", f"worksheets/sheet{place}.xml") for place in numbers]
        related += [("rIdS", "styles", "styles.xml"), ("rIdT", "sharedStrings", "sharedStrings.xml")]
        parts["xl/_rels/workbook.xml.rels"] = _relations(related)
        parts["_rels/.rels"] = _relations([("rId1", "officeDocument", "xl/workbook.xml")])
        code = '<numFmts count="1"><numFmt numFmtId="164" formatCode="dd/mm/yyyy"/></numFmts>'
        identifier = 164 if self.style.custom_dates else 14
        parts["xl/styles.xml"] = (
            f'<styleSheet xmlns="{MAIN}">{code}<cellXfs count="2"><xf numFmtId="0"/>'
            f'<xf numFmtId="{identifier}" applyNumberFormat="1"/></cellXfs></styleSheet>'
        )
        items = "".join(f'<si><t xml:space="preserve">{escape(text)}</t></si>' for text in self.texts)
        parts["xl/sharedStrings.xml"] = f'<sst xmlns="{MAIN}">{items}</sst>'
        kinds = "".join(
            f'<Override PartName="/xl/worksheets/sheet{place}.xml" ContentType="application/'
            'vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>'
            for place in numbers
        )
        parts["[Content_Types].xml"] = (
            f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/>'
            '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            '<Override PartName="/xl/workbook.xml" ContentType="application/'
            f'vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>{kinds}</Types>'
        )
        return _zipped({name: f'<?xml version="1.0" encoding="UTF-8"?>{text}' for name, text in parts.items()})

    def _sheet(self, sheet: Sheet) -> str:
        mark = f"{self.style.prefix}:" if self.style.prefix else ""
        space = f"xmlns:{self.style.prefix}" if self.style.prefix else "xmlns"
        rows = []
        for number, row in enumerate(sheet.rows, 1):
            if not row and self.style.positions:
                continue
            cells = "".join(
                self._cell(cell, f"{column_name(place)}{number}", mark)
                for place, cell in enumerate(row)
                if cell is not None or not self.style.positions
            )
            hidden = ' hidden="1"' if number in sheet.hidden_rows else ""
            place = f' r="{number}"' if self.style.positions else ""
            rows.append(f"<{mark}row{place}{hidden}>{cells}</{mark}row>")
        ranges = "".join(f'<{mark}mergeCell ref="{area}"/>' for area in sheet.merged)
        merged = f"<{mark}mergeCells>{ranges}</{mark}mergeCells>" if ranges else ""
        body = f"<{mark}sheetData>{''.join(rows)}</{mark}sheetData>{merged}"
        return f'<{mark}worksheet {space}="{MAIN}">{body}</{mark}worksheet>'

    def _cell(self, cell: Cell, place: str, mark: str) -> str:
        where = f' r="{place}"' if self.style.positions else ""
        formula = ""
        if isinstance(cell, Formula):
            formula, cell = f"<{mark}f>{escape(cell.text)}</{mark}f>", cell.value
            if isinstance(cell, str):
                return f'<{mark}c{where} t="str">{formula}<{mark}v>{escape(cell)}</{mark}v></{mark}c>'
        if cell is None:
            return f"<{mark}c{where}/>"
        if isinstance(cell, date):
            days = (cell - EPOCHS[self.style.from_1904]).days
            styled = ' s="1"' if self.style.styled_dates else ""
            return f"<{mark}c{where}{styled}>{formula}<{mark}v>{days}</{mark}v></{mark}c>"
        if isinstance(cell, (int, float)):
            return f"<{mark}c{where}>{formula}<{mark}v>{cell}</{mark}v></{mark}c>"
        text = str(cell)
        if self.style.shared:
            if text not in self.texts:
                self.texts.append(text)
            return f'<{mark}c{where} t="s"><{mark}v>{self.texts.index(text)}</{mark}v></{mark}c>'
        space = ' xml:space="preserve"'
        return f'<{mark}c{where} t="inlineStr"><{mark}is><{mark}t{space}>{escape(text)}</{mark}t></{mark}is></{mark}c>'


def excel(*sheets: Sheet, **style: object) -> bytes:
    """Return an Excel workbook."""
    return Workbook(list(sheets), Style(**style)).content()  # type: ignore[arg-type]


def open_document(*sheets: Sheet) -> bytes:
    """Return an OpenDocument spreadsheet as LibreOffice writes it, filled up with repeated empty rows and cells."""
    tables = []
    for sheet in sheets:
        rows = []
        for number, row in enumerate(sheet.rows, 1):
            hidden = ' table:visibility="collapse"' if number in sheet.hidden_rows else ""
            cells = "".join(map(_open_cell, row))
            for area in (area for area in sheet.merged if area.startswith(f"A{number}:A")):
                rows_spanned = int(area.rpartition("A")[2]) - number + 1
                spans = f' table:number-columns-spanned="1" table:number-rows-spanned="{rows_spanned}"'
                cells = cells.replace("<table:table-cell", f"<table:table-cell{spans}", 1)
            cells += '<table:table-cell table:number-columns-repeated="1018"/>'
            rows.append(f"<table:table-row{hidden}>{cells}</table:table-row>")
        filler = '<table:table-cell table:number-columns-repeated="1024"/>'
        rows.append(f'<table:table-row table:number-rows-repeated="1048000">{filler}</table:table-row>')
        tables.append(f"<table:table table:name={quoteattr(sheet.name)}>{''.join(rows)}</table:table>")
    names = "urn:oasis:names:tc:opendocument:xmlns"
    spaces = " ".join(f'xmlns:{name}="{names}:{name}:1.0"' for name in ("office", "table", "text"))
    content = (
        f'<?xml version="1.0" encoding="UTF-8"?><office:document-content {spaces}><office:body><office:spreadsheet>'
        f"{''.join(tables)}</office:spreadsheet></office:body></office:document-content>"
    )
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    manifest = (
        f'<manifest:manifest xmlns:manifest="{names}:manifest:1.0"><manifest:file-entry manifest:full-path="/" '
        f'manifest:media-type="{kind}"/><manifest:file-entry manifest:full-path="content.xml" '
        'manifest:media-type="text/xml"/></manifest:manifest>'
    )
    return _zipped({"mimetype": kind, "content.xml": content, "META-INF/manifest.xml": manifest})


def _open_cell(cell: Cell) -> str:
    if isinstance(cell, Formula):
        plain = _open_cell(cell.value)
        formula = quoteattr(f"of:={cell.text}")
        return plain.replace("<table:table-cell", f"<table:table-cell table:formula={formula}", 1)
    if cell is None:
        return "<table:table-cell/>"
    if isinstance(cell, date):
        value = f'office:value-type="date" office:date-value="{cell}"'
        return f"<table:table-cell {value}><text:p>{cell:%d.%m.%Y}</text:p></table:table-cell>"
    if isinstance(cell, (int, float)):
        value = f'office:value-type="float" office:value="{cell}"'
        return f"<table:table-cell {value}><text:p>{cell}</text:p></table:table-cell>"
    text = f"<text:p>{escape(str(cell))}</text:p>"
    return f'<table:table-cell office:value-type="string">{text}</table:table-cell>'


def _relations(items: list[tuple[str, str, str]]) -> str:
    related = "".join(
        f'<Relationship Id="{name}" Type="{RELATIONS}/{kind}" Target="{target}"/>' for name, kind, target in items
    )
    return f'<Relationships xmlns="{PACKAGE}/relationships">{related}</Relationships>'


def _zipped(parts: dict[str, str]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return stream.getvalue()


def rows_of(headings: list[str], results: list[str], days: list[Cell] | None = None) -> list[Row]:
    """Return the games of `GAMES` under headings, with results and days as somebody writes them."""
    written = days if days is not None else [date.fromisoformat(day) for day, *_ in GAMES]
    games = zip(written, GAMES, results, strict=True)
    return [list(headings), *([day, black, white, result] for day, (_, black, white, _), result in games)]


ENGLISH = ["Date", "Black", "White", "Result"]
GERMAN = ["Datum", "Schwarz", "Weiß", "Ergebnis"]
FRENCH = ["Date", "Noir", "Blanc", "Résultat"]
PLAIN = ["B+3.5", "W+R", "jigo"]
IN_GERMAN = ["S+3,5", "W+Aufgabe", "remis"]
IN_FRENCH = ["N+3,5", "Blanc gagne par abandon", "nulle"]
SLASHES = ["03/09/2026", "04/09/2026", "15/09/2026"]
AMBIGUOUS = ["03/09/2026", "04/09/2026", "05/09/2026"]


def text_of(rows: Sequence[Row], separator: str = ";", end: str = "\r\n") -> str:
    """Return rows as text."""
    return "".join(separator.join("" if cell is None else str(cell) for cell in row) + end for row in rows)


def readable() -> dict[str, bytes]:
    """Return the files that tell `GAMES`, by name."""
    english, german = rows_of(ENGLISH, PLAIN), rows_of(GERMAN, IN_GERMAN)
    german_text = rows_of(GERMAN, IN_GERMAN, ["03.09.2026", "4.9.26", "15.9.2026"])
    slashes = rows_of(FRENCH, IN_FRENCH, list(SLASHES))
    iso = [day for day, *_ in GAMES]
    japanese = rows_of(
        ["日付", "黒", "白", "結果"],
        ["黒3目半勝ち", "白中押し勝ち", "持碁"],
        ["令和8年9月3日", "2026年9月4日", "2026/9/15"],
    )
    korean = rows_of(
        ["날짜", "흑", "백", "결과"],
        ["흑 3.5집승", "백 불계승", "무승부"],
        ["2026. 9. 3.", "2026년 9월 4일", "2026-9-15"],
    )
    chinese = rows_of(
        ["日期", "黑方", "白方", "结果"], ["黑胜3.5目", "白中盘胜", "和棋"], ["2026年9月3日", "2026-9-4", "2026/9/15"]
    )
    winners: list[Row] = [
        ["Played on", "Winner", "Loser", "Winner's colour", "Margin"],
        ["3 Sept 2026", "Jürgen Möller", "Ada Lind", "Black", "3½"],
        ["4 Sept 2026", "Bo Quist", "Ada Lind", "white", "resignation"],
    ]
    by_name = rows_of(
        ["Date", "Black Player", "White Player", "Winner"], ["Jürgen Möller by 3.5", "Bo Quist, resign", "draw"]
    )
    title: list[Row] = [["Vereinsmeisterschaft 2026"], [], *german]
    other = Sheet("Mitglieder", [["Name", "Rang"], ["Ada Lind", "3k"], ["Bo Quist", "5k"]])
    numbers = [[*row, 2.0 if place else "Runde"] for place, row in enumerate(german)]
    formulas: list[Row] = [
        ENGLISH[:],
        *([Formula(row[0], "TODAY()"), row[1], Formula(row[2], 'B2&""'), row[3]] for row in english[1:]),
    ]
    merged: list[Row] = [
        [*ENGLISH], [date(2026, 9, 3), *GAMES[0][1:]], [date(2026, 9, 4), *GAMES[1][1:]],
        [date(2026, 9, 15), *GAMES[2][1:]],
    ]  # fmt: skip
    spaced = [
        [f" {cell}\u00a0" if isinstance(cell, str) and row else cell for cell in each]
        for row, each in enumerate(english)
    ]
    serials = rows_of(ENGLISH, PLAIN, [46268, 46269, 46280])
    serials_1904 = rows_of(ENGLISH, PLAIN, [46268 - 1462, 46269 - 1462, 46280 - 1462])
    wide: list[Row] = [[*row, None, None] for row in german_text]
    mac = text_of(rows_of(FRENCH, IN_FRENCH, list(iso)), end="\r").encode("mac_roman")
    return {
        "excel_shared_strings.xlsx": excel(Sheet("Games", english)),
        "excel_inline_strings.xlsx": excel(Sheet("Games", english), shared=False),
        "excel_1904_dates.xlsx": excel(Sheet("Games", english), from_1904=True),
        "excel_own_date_format.xlsx": excel(Sheet("Games", english), custom_dates=True),
        "excel_bare_serials.xlsx": excel(Sheet("Games", serials)),
        "excel_bare_serials_1904.xlsx": excel(Sheet("Games", serials_1904), from_1904=True),
        "excel_serials_as_text.csv": text_of(serials, ",").encode(),
        "excel_german_title_merged.xlsx": excel(Sheet("Partien", title, merged=("A1:D1",))),
        "excel_games_on_second_sheet.xlsx": excel(other, Sheet("Partien", german)),
        "excel_hidden_row_and_sheet.xlsx": excel(
            Sheet("Games", english, hidden_rows=(3,)), Sheet("Old", german[:2], state="hidden")
        ),
        "excel_two_sheets_of_games.xlsx": excel(
            Sheet("August", english[:2]), Sheet("September", [english[0], *english[2:]])
        ),
        "excel_formulas.xlsx": excel(Sheet("Games", formulas)),
        "excel_numbers_and_text.xlsx": excel(Sheet("Partien", numbers)),
        "excel_no_positions.xlsx": excel(Sheet("Games", english), positions=False, shared=False),
        "excel_prefixed_namespace.xlsx": excel(Sheet("Games", english), prefix="x"),
        "excel_no_break_spaces.xlsx": excel(Sheet("Games", spaced)),
        "excel_empty_rows_below.xlsx": excel(Sheet("Games", [*english, [], [None] * 4, [""] * 4])),
        "excel_winner_by_name.xlsx": excel(Sheet("Games", by_name)),
        "excel_merged_day.xlsx": excel(Sheet("Games", merged, merged=("F1:F2",))),
        "google_sheets.xlsx": excel(Sheet("Sheet1", [*english, *[[None] * 26 for _ in range(3)]]), custom_dates=True),
        "google_sheets.csv": text_of(rows_of(ENGLISH, PLAIN, list(iso)), ",", "\r\n").encode(),
        "google_sheets.tsv": text_of(rows_of(ENGLISH, PLAIN, list(SLASHES)), "\t").encode(),
        "numbers.csv": ("\ufeff" + text_of([["Tabelle 1"], *german_text], ";", "\n")).encode(),
        "numbers_export.xlsx": excel(
            Sheet("Export Summary", [["This document was exported from Numbers."]]), Sheet("Games", title)
        ),
        "libreoffice.ods": open_document(Sheet("Tabelle1", german)),
        "libreoffice_hidden_row.ods": open_document(Sheet("Tabelle1", german, hidden_rows=(3,))),
        "libreoffice_second_sheet.ods": open_document(other, Sheet("Partien", title)),
        "libreoffice_formulas.ods": open_document(Sheet("Games", formulas)),
        "excel_german.csv": text_of(german_text).encode("cp1252"),
        "excel_sep_line.csv": ("sep=;\r\n" + text_of(german_text)).encode("cp1252"),
        "excel_utf8_bom.csv": ("\ufeff" + text_of(german_text)).encode(),
        "excel_unicode_text.txt": text_of(german_text, "\t").encode("utf-16"),
        "utf16_without_mark.txt": text_of(german_text, "\t").encode("utf-16-le"),
        "excel_trailing_separators.csv": text_of([*wide, *[[None] * 6] * 4]).encode("cp1252"),
        "excel_french_slashes.csv": text_of(slashes).encode("cp1252"),
        "excel_mac_french.csv": mac,
        "excel_american.csv": text_of(rows_of(ENGLISH, PLAIN, ["9/3/2026", "9/4/2026", "9/15/2026"]), ",").encode(),
        "excel_month_names.csv": text_of(rows_of(ENGLISH, PLAIN, ["3-Sep-26", "4-Sep-26", "15-Sep-26"]), ",").encode(),
        "title_and_blank_lines.csv": ("Club games 2026;;;\n;;;\n" + text_of(german_text, end="\n")).encode(),
        "japanese_shift_jis.csv": text_of(_without_marks(japanese), ",").encode("cp932"),
        "japanese_euc.csv": text_of(_without_marks(japanese), ",").encode("euc_jp"),
        "korean.csv": text_of(_without_marks(korean), ",").encode("euc_kr"),
        "chinese_gb.csv": text_of(_without_marks(chinese), ",").encode("gb18030"),
        "chinese_gb.xlsx": excel(Sheet("对局", chinese)),
        "vertical_bars.md": ("| " + text_of(rows_of(ENGLISH, PLAIN, list(iso)), " | ", " |\n| ")[:-2]).encode(),
        "blanks.txt": _padded(rows_of(ENGLISH, PLAIN, list(iso))).encode(),
        "lines.jsonl": _json_lines().encode(),
        "winners_and_losers.csv": text_of(winners, ",").encode(),
    }  # fmt: skip


def _without_marks(rows: Sequence[Row]) -> list[Row]:
    """Return rows whose names have no letters that East Asian encodings lack."""
    return [
        [cell.replace("ü", "u").replace("ö", "o") if isinstance(cell, str) else cell for cell in row] for row in rows
    ]


def _padded(rows: Sequence[Row]) -> str:
    return "".join("".join(f"{cell:<18}" for cell in row).rstrip() + "\n" for row in rows)


def _json_lines() -> str:
    keys = ("date", "black", "white", "result")
    return "".join(json.dumps(dict(zip(keys, game, strict=True)), ensure_ascii=False) + "\n" for game in GAMES)


def asking() -> dict[str, tuple[bytes, str]]:
    """Return the files that a person must say something about, with the option that answers the one question."""
    two = [["Datum", "Tag", "Schwarz", "Weiß", "Ergebnis"], ["3.9.2026", "1.1.2020", "Ada", "Bo", "S+"]]
    return {
        "ambiguous_dates.csv": (text_of(rows_of(ENGLISH, PLAIN, list(AMBIGUOUS)), ",").encode(), "--dates"),
        "ambiguous_dates.xlsx": (excel(Sheet("Games", rows_of(ENGLISH, PLAIN, list(AMBIGUOUS)))), "--dates"),
        "french_letter.csv": (text_of([FRENCH, ["2026-09-03", "Ada", "Bo", "B+3,5"]]).encode(), "--letters"),
        "one_chinese_name.csv": (b"black,white,result\nBo,\xc1\xd6,B+\n", "--encoding"),
        "two_results.csv": (text_of([["Black", "White", "Result", "Résultat"], ["A", "B", "B+", "W+"]]).encode(), ""),
        "two_blacks.csv": (
            text_of([["Noir", "Schwarz", "Blanc", "result"], ["A", "C", "B", "B+"]]).encode(),
            "--column",
        ),
        "pairs.csv": (
            text_of([["Datum", "Paarung", "Resultat"], ["2026-09-03", "Ada - Bo", "S+3,5"]]).encode(),
            "--column",
        ),
        "two_days.csv": (text_of([["Fecha", "Datum", *two[0][2:]], two[1]]).encode(), "--column"),
    }


def refused() -> dict[str, bytes]:
    """Return the files without a game, which are refused with what they lack."""
    return {
        "no_games.xlsx": excel(Sheet("Members", [["Name", "Rank"], ["Ada", "3k"]])),
        "empty.xlsx": excel(Sheet("Sheet1", [])),
        "no_games.ods": open_document(Sheet("Members", [["Name", "Rank"], ["Ada", "3k"]])),
        "header_only.xlsx": excel(Sheet("Games", [ENGLISH])),
        "header_only.csv": text_of([ENGLISH], ",").encode(),
        "damaged.xlsx": excel(Sheet("Games", rows_of(ENGLISH, PLAIN)))[:700],
        "photo_list.csv": b"file,width\nx.jpg,3\n",
    }


def main(folder: str) -> None:
    """Write all files."""
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    files = {**readable(), **{name: data for name, (data, _) in asking().items()}, **refused()}
    for name, data in files.items():
        (target / name).write_bytes(data)
    print(f"{len(files)} files in {target}")  # noqa: T201  # the answer of the command


if __name__ == "__main__":
    main(sys.argv[1])
