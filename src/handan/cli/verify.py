"""`handan verify`: check who signed an official list, and make it again from its ledger, to the same bytes."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import handan
from handan.cli.exit_status import end_unknown
from handan.cli.notices import say
from handan.cli.output import write
from handan.errors import InputError, counted, shown

if TYPE_CHECKING:
    from handan.club.entries import Record


def command(
    listed: Annotated[Path, typer.Argument(metavar="LIST", help="The file of an official list.", show_default=False)],
    ledgers: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[LEDGER]", help="The ledger as exported; for a federation those of its clubs too."),
    ] = None,
    key: Annotated[
        str | None,
        typer.Option(
            "--key", metavar="FILE|FINGERPRINT", help="The key that should have signed it.", show_default=False
        ),
    ] = None,
) -> None:
    """Check the signature of an official list, and with the ledger make it again.

    The exit status is 0 if it is the list of the club whose key or ledger is given, 2 if anything differs, and 3 if the
    signature holds but nothing here says whose it is: anybody can sign a list with a key of their own.
    """
    from handan.club.exchange import read_ledger
    from handan.club.lists import signer_of_list, verify_list

    frozen = listed.read_bytes()
    with _named(listed):
        data, signer = signer_of_list(frozen)
    records_by_club: dict[str, list[Record]] = {}
    for path in ledgers or ():
        with path.open("rb") as file, _named(path):
            header, records = read_ledger(file)
            records_by_club[str(header["club"])] = list(records)
    if records_by_club:
        verify_list(frozen, records_by_club)
    elif not signer:
        raise InputError(f"{listed}: the list is unsigned; only its ledger can show that it is right")
    if key is not None:
        _check_key(_key(key), signer, str(data["club"]), records_by_club)
    from handan.club.lists import no_longer_kept

    if gone := no_longer_kept(data, records_by_club):
        say(f"{gone} of the names in this list {'is' if gone == 1 else 'are'} no longer kept in the ledger")
    if data["version"] != handan.__version__ and records_by_club:
        say(f"made by version {data['version']}, replayed by {handan.__version__} with the constants of the list")
    tied = key is not None or bool(records_by_club)
    write(_answer(data, signer, replayed=bool(records_by_club), tied=tied))
    if not tied:
        end_unknown("whose key that is nothing here says; compare its fingerprint, or give --key or the ledger")


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Put the name of a file before what is wrong with it."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def _answer(data: dict[str, Any], signer: str, *, replayed: bool, tied: bool) -> str:
    from handan.club.keys import fingerprint

    whose = f"of {data['club']}" if tied else f"that nothing here ties to {data['club']}"
    by = f"signed by key {fingerprint(signer)} {whose}" if signer else "unsigned"
    same = f", the same bytes again from entry {data['ledger']['entry']} of {data['club']}" if replayed else ""
    return f"{data['label']}, as of {data['as_of']}: {counted(len(data['players']), 'player')}{same}; {by}"


def _key(text: str) -> str:
    """Return the key or fingerprint that an option names, itself or in a file."""
    path = Path(text)
    try:
        words = path.read_text(encoding="ascii", errors="replace").split() if path.is_file() else [text]
    except OSError as error:
        raise InputError(f"{text}: {error.strerror or error}") from None
    value = words[0].lower() if words else ""
    if len(value) not in {32, 64} or not set(value) <= set("0123456789abcdef"):
        raise InputError(f"--key {shown(text)} is neither a fingerprint nor a file that holds a public key")
    return value


def _check_key(expected: str, signer: str, slug: str, records_by_club: "dict[str, list[Record]]") -> None:
    """Refuse a list that the expected key has not signed, nor one that it vouches for in the ledger."""
    from handan.club.keys import fingerprint, key_history, leads_to

    if not signer:
        raise InputError(f"the list is unsigned; key {expected} should have signed it")
    if not leads_to(key_history(slug, records_by_club.get(slug, ())), expected, signer):
        raise InputError(f"the list is signed by key {fingerprint(signer)}, not by {expected}")
