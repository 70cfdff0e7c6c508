"""`handan club`: making, copying and keeping the clubs of a server."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from handan.cli.django import keep_private, public_address, start, started, url_of
from handan.cli.notices import say
from handan.cli.output import write
from handan.errors import InputError, closest, shown

if TYPE_CHECKING:
    from handan.club.lists import Checked
    from handan.club.models import Club

app = typer.Typer(help="Make, copy and keep the clubs of a server.", rich_markup_mode=None, no_args_is_help=True)
Database = Annotated[
    str | None,
    typer.Option("--database", metavar="FILE|URL", help="SQLite file or URL; else as configured.", show_default=False),
]
ADMINISTRATOR = "administrator"
Slug = Annotated[str, typer.Argument(metavar="CLUB", help="The club's short name.", show_default=False)]


@app.command("migrate")
def migrate(database: Database = None) -> None:
    """Bring a database up to date; an SQLite file is backed up first."""
    start(database)
    from handan.club import keeping

    keep_private()
    kept = keeping.migrate()
    write(f"up to date{f'; the file as it was: {kept}' if kept else ''}")


@app.command("create")
def create(
    slug: Slug,
    name: Annotated[str, typer.Option("--name", help="What people call it.")],
    system: Annotated[str, typer.Option("--system", help="Its rating system.")] = "points",
    setting: Annotated[list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="A setting of it.")] = None,
    federation: Annotated[str | None, typer.Option("--federation", help="Short name of its federation.")] = None,
    database: Database = None,
) -> None:
    """Make a club, or a federation."""
    started(database)
    from django.core.exceptions import ValidationError

    from handan.club.rules import checked
    from handan.club.writing import create_club

    pairs = [pair.partition("=") for pair in setting or ()]
    above = None if federation is None else club_named(federation)
    try:
        club = create_club(slug, name, checked(system, {key: value for key, _, value in pairs}), federation=above)
    except ValidationError as error:
        raise InputError(f"club {shown(slug)}: {' '.join(error.messages)}") from None
    write(f"{club.name} is made")


@app.command("list")
def listed(database: Database = None) -> None:
    """The clubs, with their rules and the length of their ledgers."""
    started(database)
    from handan.club.models import Club
    from handan.club.reading import state_of

    for club in Club.objects.all():
        state = state_of(club)
        counts = f"{state.number} entries\t{len(state.active)} players"
        write(f"{club.slug}\t{club.name}\t{state.rules[-1].system}\t{counts}")


@app.command("invite")
def invite(
    slug: Slug,
    role: Annotated[str, typer.Option("--role", help="player, keeper, secretary, officer …")] = "administrator",
    database: Database = None,
) -> None:
    """Print a link that makes one person a member, once."""
    started(database)
    from handan.club.members import Actor
    from handan.club.members import invite as invited
    from handan.club.models import Role

    if role.upper() not in Role.__members__:
        raise InputError(f"role {shown(role)} is not one of {', '.join(name.lower() for name in Role.__members__)}")
    secret = invited(Actor(club_named(slug), Role.ADMINISTRATOR), Role[role.upper()])
    write(f"{public_address('/')}join/{secret}/")


@app.command("export")
def export(
    slug: Slug,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Packed if it ends in .gz.", show_default=False)],
    database: Database = None,
) -> None:
    """Write a club's whole ledger as one file."""
    started(database)
    import gzip

    from handan.club.exchange import read_ledger
    from handan.club.keeping import made_whole
    from handan.club.reading import ledger_file

    club = club_named(slug)
    with made_whole(file.absolute()) as part:
        with gzip.open(part, "wb") if file.suffix == ".gz" else part.open("wb") as out:
            out.writelines(ledger_file(club))
        with part.open("rb") as made:
            header = read_ledger(made)[0]
    write(f"{header['entries']} entries up to {header['digest']} in {file}")


@app.command("import")
def imported(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A ledger as exported.", show_default=False)],
    database: Database = None,
) -> None:
    """Make a club of an exported ledger, entries, digests and all."""
    started(database)
    from django.core.exceptions import ValidationError
    from django.db import transaction

    from handan.club.exchange import read_ledger
    from handan.club.models import Club
    from handan.club.writing import import_records

    with file.open("rb") as held:
        header, records = read_ledger(held)
        club = Club(slug=str(header["club"]), name=str(header["name"]))
        try:
            club.full_clean()
        except ValidationError as error:
            raise InputError(f"{file}: {' '.join(error.messages)}") from None
        with transaction.atomic():
            club.save()
            number = import_records(club, records)
    from handan.club.signing import fingerprint

    by = f"signed by key {fingerprint(header['key'])}" if "key" in header else "unsigned"
    write(f"{club.name}: {number} entries, {by}")


@app.command("copy")
def copied(
    source: Annotated[str, typer.Argument(metavar="FROM", help="SQLite file or URL.", show_default=False)],
    target: Annotated[str, typer.Argument(metavar="TO", help="SQLite file or URL; empty.", show_default=False)],
) -> None:
    """Copy all clubs, accounts and ledgers into another database, and verify them there."""
    started(source)
    from handan.club import keeping

    counts = keeping.copy(url_of(target))
    write(", ".join(f"{count} {label.rpartition('.')[2]}" for label, count in counts.items() if count))


@app.command("backup")
def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A new file.", show_default=False)],
    database: Database = None,
) -> None:
    """Copy the database into a new SQLite file while others write, and verify the copy by replay."""
    started(database)
    from handan.club import keeping

    write(f"{keeping.backup(file.absolute())} entries in {file}, verified")


@app.command("restore")
def restore(
    file: Annotated[Path, typer.Argument(metavar="BACKUP", help="A backup.", show_default=False)],
    target: Annotated[Path, typer.Argument(metavar="FILE", help="A new database file.", show_default=False)],
) -> None:
    """Make a database of a backup, after verifying it."""
    start(target)
    from handan.club import keeping

    number = keeping.restore(file.absolute(), target.absolute())
    write(f"{number} entries in {target}; `handan serve {target}` serves it")


@app.command("verify")
def verify(database: Database = None) -> None:
    """Check the pages of an SQLite file; compute every club's chain, replay it, and make its official lists again."""
    started(database)
    from handan.club import keeping

    for slug, (number, lists) in keeping.verify_clubs().items():
        write(f"{slug}: {number} entries; the chain holds, and the replay makes {_lists_made(lists)}")
        for reason in lists.older if lists else ():
            say(f"{slug}: {reason}")
        for period in lists.keys if lists else ():
            if not period.vouched:
                say(f"{slug}: the key before did not sign the one that entry {period.entry} sets; ask the club")


@app.command("key")
def key(
    slug: Slug,
    *,
    new: Annotated[bool, typer.Option("--new", help="Set another key pair, by an entry.")] = False,
    reason: Annotated[str, typer.Option("--reason", help="Why there is another key; printed in the log.")] = "",
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write the private key to a new file.")
    ] = None,
    take: Annotated[
        Path | None, typer.Option("--take", metavar="FILE", help="Take the private key of a ledger that was imported.")
    ] = None,
    database: Database = None,
) -> None:
    """Print the public key by which a club signs its lists and exports; keep it elsewhere, set or bring another."""
    started(database)
    from handan.club.club_keys import key_of, renew_key, take_key
    from handan.club.keeping import made_whole
    from handan.club.reading import state_of
    from handan.club.signing import fingerprint

    club = club_named(slug)
    if take:
        own = take_key(club, state_of(club), take.read_text(encoding="ascii", errors="replace").strip())
    else:
        own = renew_key(club, reason=reason) if new else key_of(club, state_of(club))
    if out:
        with made_whole(out.absolute()) as part:
            part.write_text(f"{own.private}\n", encoding="ascii")
    write(f"{own.public}\tfingerprint {fingerprint(own.public)}")


def _lists_made(lists: "Checked | None") -> str:
    """Say which official lists were made again, and by which key they are signed."""
    from handan.club.signing import fingerprint

    if lists is None or not lists.whole:
        return "every official list again"
    which = "every official list" if lists.again == lists.whole else f"{lists.again} of {lists.whole} official lists"
    unsigned = f"; {lists.unsigned} unsigned" if lists.unsigned else ""
    return f"{which} again{unsigned}" + (f"; key {fingerprint(lists.keys[-1].public)}" if lists.keys else "")


def club_named(slug: str) -> "Club":
    """Return a club by its short name; InputError if it is not there."""
    from handan.club.models import Club

    found = Club.objects.filter(slug=slug).first()
    if found is None:
        known = list(Club.objects.values_list("slug", flat=True))
        raise InputError(f"club {shown(slug)} is not here{closest(slug, known)}")
    return found
