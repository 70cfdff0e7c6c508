"""Files of office programs, known by their content: workbooks, and others that hold no table."""

from __future__ import annotations

import zipfile
from typing import IO

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""The first bytes of Office files before 2007 (OLE 2 compound files)."""
EXCEL = "an Excel workbook"
BINARY = "a binary Excel workbook (.xlsb)"
OLD_EXCEL = "an Excel workbook of before 2007"
LOCKED = "a workbook locked with a password"
SPREADSHEET = "an OpenDocument spreadsheet"
WORKBOOKS = (EXCEL, OLD_EXCEL, SPREADSHEET)
"""What is read, as `handan.files.tables.workbooks` does."""
MEMBERS = (
    ("xl/workbook.xml", EXCEL),
    ("xl/workbook.bin", BINARY),
    ("word/document.", "a Word document"),
    ("Index/Document.iwa", "a Numbers or Pages file"),
)
"""Beginnings of names that only these have in their archives."""
OPEN_DOCUMENT = {
    "application/vnd.oasis.opendocument.spreadsheet": SPREADSHEET,
    "application/vnd.oasis.opendocument.spreadsheet-template": SPREADSHEET,
    "application/vnd.oasis.opendocument.text": "an OpenDocument text",
}
PRINTED = {
    b"%PDF-": "a PDF document", b"\x89PNG\r\n\x1a\n": "a picture", b"\xff\xd8\xff": "a picture",
    b"GIF87a": "a picture", b"GIF89a": "a picture",
}  # fmt: skip
"""By their first bytes files that show a table and hold none."""
STREAMS = ("Workbook".encode("utf-16-le"), "Book".encode("utf-16-le"))
"""Names of the part that holds a table in an Excel file before 2007."""
ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
NO_TABLE = {"html": "a web page, whatever it is called", "workbook": "a workbook as XML, as Excel 2003 wrote it"}
"""What spreadsheet programs open as a table and is read by nothing else, by the first element."""
SAVED_AS_TABLE = "open it in a spreadsheet program, save it as .xlsx or as CSV UTF-8, and give that file"
MOST_TYPE = 128  # bytes of the name of a type
REACH = 1 << 22  # bytes in which such a name is looked for; our choice


def document(stream: IO[bytes]) -> str:
    """Return what kind of document a file is, as a message names it; empty if it is none."""
    if stream.read(len(OLE)) == OLE:
        start = stream.read(REACH)
        if ENCRYPTED in start:
            return LOCKED
        return OLD_EXCEL if any(name in start for name in STREAMS) else "a file of an old office program"
    try:
        with zipfile.ZipFile(stream) as archive:
            names = archive.namelist()
            for beginning, kind in MEMBERS:
                if any(name.startswith(beginning) for name in names):
                    return kind
            if names[:1] == ["mimetype"] and archive.getinfo("mimetype").file_size <= MOST_TYPE:
                return OPEN_DOCUMENT.get(archive.read("mimetype").decode("ascii", "replace").strip(), "")
    except Exception:  # noqa: BLE001  # a damaged archive raises anything; who unpacks it says what is wrong
        return ""
    return ""
