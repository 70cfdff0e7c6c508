"""What is made of files that members send, in the process that reads them (`reading_apart`)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from handan import files
from handan.errors import Clause, FieldError, HeadingsError, InputError, QuestionError
from handan.files import Options
from handan.files.formats.workbook import rows_of_workbook
from handan.files.io.decoding import to_utf8
from handan.files.io.limits import UPLOADS, LimitError
from handan.files.io.office_documents import OLE
from handan.files.io.storage import ZIP
from handan.ledger import Ledger

TOO_MANY = (
    "at most {most} games at once; send them in parts, or let whoever runs the server load the file: handan club load"
)


def ledger_of(data: bytes, name: str, options: Options) -> Ledger:
    """Return the games of a file.

    Raises:
        QuestionError: It can be read in two ways.
        HeadingsError: Its headings do not say what its columns hold.
        InputError: It cannot be read.
    """
    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(data)
        try:
            ledger = files.read(path, options=options)
        except LimitError as error:
            if error.name == "games":
                raise too_many(f"> {error.most:,}", error.most) from None
            raise InputError(error.plain.replace(f"{folder}/", "")) from None
        except (FieldError, QuestionError, HeadingsError):
            raise
        except InputError as error:
            raise InputError(str(error).replace(f"{folder}/", "")) from None
    problems = [replace(each, source=each.source.replace(f"{folder}/", "")) for each in ledger.problems]
    return replace(ledger, problems=tuple(problems))


def too_many(number: str, most: int) -> FieldError:
    """Return the refusal of a sheet of more games than are entered at once."""
    return FieldError("file", number, Clause.of(TOO_MANY, most=f"{most:,}"))


def rows_of_list(data: bytes, name: str) -> str | list[list[list[str]]]:
    """Return the text of a list, or the filled rows of each worksheet of a workbook; InputError if it is neither."""
    if not data.startswith((*ZIP, OLE)):
        return to_utf8(data, name, Options(limits=UPLOADS))[0].decode()
    return rows_of_workbook(data, name, Options(limits=UPLOADS))
