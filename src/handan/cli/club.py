"""`handan club`: making, copying and keeping the clubs of a server."""

import inspect
from collections.abc import Callable
from datetime import UTC, datetime
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import urlsplit

import typer

from handan.cli.django import keep_private, public_address, start, started, url_of
from handan.cli.help import PlainCommand
from handan.cli.notices import say, working
from handan.cli.output import write
from handan.errors import InputError, closest, counted, shown

if TYPE_CHECKING:
    from handan.club.lists import Checked
    from handan.club.store.models import Club

app = typer.Typer(help="Make, copy and keep the clubs of a server.", rich_markup_mode=None, no_args_is_help=True)
Database = Annotated[
    str | None,
    typer.Option("--database", metavar="FILE|URL", help="SQLite file or URL; else as configured.", show_default=False),
]
Erasures = Annotated[
    Path | None,
    typer.Option("--erasures", metavar="FILE", help="Who was forgotten, by keys.", show_default=False),
]
Url = Annotated[
    str | None,
    typer.Option("--url", metavar="URL", help="Where the server answers; else as configured.", show_default=False),
]
ADMINISTRATOR = "administrator"
OPERATOR = "handan club"
"""The author of entries that commands write."""
Slug = Annotated[str, typer.Argument(metavar="CLUB", help="The club's short name.", show_default=False)]


def on_database(name: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Make a function a command with the option `--database`, before which Django is started."""

    def register(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def run(*, database: str | None = None, **given: Any) -> None:
            started(database)
            command(**given)

        own = inspect.signature(command)
        option = inspect.Parameter("database", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Database)
        run.__signature__ = own.replace(parameters=[*own.parameters.values(), option])  # type: ignore[attr-defined]  # which typer makes options of
        run.__annotations__ = {**command.__annotations__, "database": Database}
        app.command(name, cls=PlainCommand)(run)
        return run

    return register


@app.command("migrate", cls=PlainCommand)
def migrate(database: Database = None) -> None:
    """Bring a database up to date; an SQLite file is backed up first."""
    start(database)
    from handan.club.store import backup

    keep_private()
    with working("bringing the database up to date") as progress:
        kept = backup.migrate(progress)
    write(f"up to date{f'; the file as it was: {kept}' if kept else ''}")


@on_database("create")
def create(
    slug: Slug,
    name: Annotated[str, typer.Option("--name", help="What people call it.")],
    system: Annotated[str, typer.Option("--system", help="Its rating system.")] = "points",
    setting: Annotated[list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="A setting of it.")] = None,
    federation: Annotated[str | None, typer.Option("--federation", help="Short name of its federation.")] = None,
) -> None:
    """Make a club, or a federation."""
    from django.core.exceptions import ValidationError

    from handan.club.rules import checked
    from handan.club.store.writing import create_club

    pairs = [pair.partition("=") for pair in setting or ()]
    settings = {key: _table(value) if key == "card" else value for key, _, value in pairs}
    above = None if federation is None else _club(federation)
    try:
        club = create_club(slug, name, checked(system, settings), federation=above)
    except ValidationError:
        raise InputError(f"club {shown(slug)} is here already; give it another short name") from None
    write(f"{club.name} is made")


def _table(card: str) -> str:
    """Return the table of a club's own card, given as a CSV file; a name as it is."""
    from handan.cli.card import chosen_card
    from handan.handicaps import card_text

    return card_text(chosen_card(card)) if card.lower().endswith(".csv") else card


@on_database("list")
def listed() -> None:
    """The clubs, with their rules, the length of their ledgers, and the federation that each is in."""
    from handan.club.store.models import Club
    from handan.club.store.states import state_of

    for club in Club.objects.select_related("federation"):
        state = state_of(club)
        counts = f"{counted(state.number, 'entry', 'entries')}\t{counted(state.number_of_players, 'player')}"
        above = f"\tin {club.federation.slug}" if club.federation else ""
        write(f"{club.slug}\t{club.name}\t{state.rules[-1].system}\t{counts}{above}")


def _link(url: str | None, path: str) -> str:
    """Return the address of a page as it is pasted in a mail; a path alone, and how it gets whole, where none is known.

    `url` is where the server answers, as `--url` says it; None: as the configuration does.
    """
    if url is not None and urlsplit(url).scheme not in {"http", "https"}:
        raise InputError(f"--url {shown(url)} is no address such as https://go.example.org")
    base = public_address("/") if url is None else f"{url.rstrip('/')}/"
    if base == "/":
        say("put the server's address before it; --url, or hosts and https of the configuration, do so")
    return f"{base}{path}"


@on_database("invite")
def invite(
    slug: Slug,
    role: Annotated[str, typer.Option("--role", help="player, keeper, secretary, officer …")] = "administrator",
    url: Url = None,
) -> None:
    """Print a link that makes one person a member, once."""
    from handan.club.store.access import Actor
    from handan.club.store.members import invite as invited
    from handan.club.store.models import Role

    if role.upper() not in Role.__members__:
        raise InputError(f"role {shown(role)} is not one of {', '.join(name.lower() for name in Role.__members__)}")
    secret = invited(Actor(_club(slug), Role.ADMINISTRATOR), Role[role.upper()])
    write(_link(url, f"join/{secret}/"))


@on_database("password")
def password(
    user: Annotated[str, typer.Argument(metavar="USER", help="Name of the account.", show_default=False)],
    url: Url = None,
) -> None:
    """Print a link by which an account sets a new password, once, within two days; for servers without mail."""
    from django.contrib.auth import get_user_model

    from handan.club.store.accounts import password_link

    owner = get_user_model().objects.filter(username=user).first()
    if owner is None:
        names = sorted(get_user_model().objects.values_list("username", flat=True))
        raise InputError(f"account {shown(user)} is not here{closest(user, names)}")
    if not owner.is_active:
        raise InputError(f"account {shown(user)} is not active; no password lets it in")
    secret, link = password_link(owner)
    write(_link(url, f"reset/{secret}/"))
    say(f"once, until {link.expires:%Y-%m-%d %H:%M} UTC; hand it to {user} alone: whoever opens it has the account")


@on_database("export")
def export(
    slug: Slug,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Packed if it ends in .gz.", show_default=False)],
) -> None:
    """Write a club's whole ledger as one file."""
    import gzip

    from handan.club.exchange import read_ledger
    from handan.club.store.backup import made_whole
    from handan.club.store.states import ledger_file

    club = _club(slug)
    with made_whole(file.absolute()) as part:
        with gzip.open(part, "wb") if file.suffix == ".gz" else part.open("wb") as out:
            out.writelines(ledger_file(club))
        with part.open("rb") as made:
            header = read_ledger(made)[0]
    write(f"{header['entries']} entries up to {header['digest']} in {file}")


@on_database("import")
def imported(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A ledger as exported.", show_default=False)],
    erasures: Erasures = None,
) -> None:
    """Make a club of an exported ledger, entries, digests and all; who was forgotten since is forgotten again."""
    from handan.club.store.founding import import_club, known_erasures

    with file.open("rb") as stream:
        made = import_club(stream, known_erasures(erasures))
    if made.forgotten_again:
        say(f"{made.forgotten_again} who were forgotten since this export are forgotten again")
    by = f"signed by key {made.signed_by}" if made.signed_by else "unsigned"
    write(f"{made.club.name}: {made.entries} entries, {by}")


@app.command("copy", cls=PlainCommand)
def copied(
    source: Annotated[str, typer.Argument(metavar="FROM", help="SQLite file or URL.", show_default=False)],
    target: Annotated[str, typer.Argument(metavar="TO", help="SQLite file or URL; empty.", show_default=False)],
) -> None:
    """Copy all clubs, accounts and ledgers into another database, and verify them there."""
    started(source)
    from handan.club.store import backup

    counts = backup.copy(url_of(target))
    write(", ".join(f"{count} {label.rpartition('.')[2]}" for label, count in counts.items() if count))


@on_database("backup")
def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A new file.", show_default=False)],
) -> None:
    """Copy the database into a new SQLite file while others write, and verify the copy by replay."""
    from handan.club.store import backup

    write(f"{backup.backup(file.absolute())} entries in {file}, verified")


@app.command("restore", cls=PlainCommand)
def restore(
    file: Annotated[Path, typer.Argument(metavar="BACKUP", help="A backup.", show_default=False)],
    target: Annotated[Path, typer.Argument(metavar="FILE", help="A new database file.", show_default=False)],
    erasures: Erasures = None,
    *,
    nobody: Annotated[bool, typer.Option("--nobody-forgotten", help="Nobody was forgotten since the backup.")] = False,
) -> None:
    """Make a database of a backup, after verifying it; who was forgotten since is forgotten again."""
    start(target)
    from handan.club.store import backup
    from handan.club.store.forgetting import apply_erasures, erasures_file, read_erasures

    beside = erasures_file()
    record = erasures or (beside if beside and beside.exists() else None)
    if record is None and not nobody:
        raise InputError(
            f"who was forgotten since this backup of {_moment(file)}? Give --erasures FILE: the file beside "
            "the database as it was (.erasures), or what `handan club erasures` printed; or --nobody-forgotten"
        )
    gone = read_erasures(record) if record else []
    number = backup.restore(file.absolute(), target.absolute())
    try:
        again = apply_erasures(gone)
    except Exception:
        target.unlink()  # nobody who was forgotten comes back by half a restoration
        raise
    if again:
        say(f"{again} who were forgotten since this backup are forgotten again")
    write(f"{counted(number, 'entry', 'entries')} in {target}; `handan serve {target}` serves it")


def _moment(file: Path) -> str:
    """Return when a file was written last."""
    return f"{datetime.fromtimestamp(file.stat().st_mtime, UTC):%Y-%m-%d %H:%M} UTC" if file.is_file() else str(file)


@on_database("verify")
def verify() -> None:
    """Check the pages of an SQLite file; compute every club's chain, replay it, and make its official lists again."""
    from handan.club.store import backup

    for slug, (number, lists) in backup.verify_clubs().items():
        write(
            f"{slug}: {counted(number, 'entry', 'entries')}; the chain holds, and the replay makes {_lists_made(lists)}"
        )
        if lists and lists.forgotten:
            say(f"{slug}: the own digests of {lists.forgotten} older entries can no longer be computed, because a "
                "person was forgotten; the entry that carried the chain over holds for them")  # fmt: skip
        for reason in lists.older if lists else ():
            say(f"{slug}: {reason}")
        for period in lists.keys if lists else ():
            if not period.vouched:
                say(f"{slug}: the key before did not sign the one that entry {period.entry} sets; ask the club")


@on_database("rebuild")
def rebuild(slug: Slug) -> None:
    """Make the tables of a club's players, games and ratings anew from its entries.

    It prints how many rows said otherwise, those of the rating list among them.
    """
    from django.db import transaction

    from handan.club.store import list_verification
    from handan.club.store.clock import at_place
    from handan.club.store.facts import refresh

    club = _club(slug)
    with working(f"reading the entries of {club.name}") as progress:
        with transaction.atomic():
            changed = refresh(type(club).objects.select_for_update().get(pk=club.pk), progress)
        with at_place(club):
            changed += list_verification.rebuild(club)
    write(f"{club.slug}: {counted(changed, 'row')} made anew; the others said what its entries do")


@on_database("zone")
def zone(
    slug: Slug,
    name: Annotated[
        str | None, typer.Argument(metavar="ZONE", help="Such as Asia/Tokyo; '' for the server's.", show_default=False)
    ] = None,
    *,
    reason: Annotated[str, typer.Option("--reason", help="Why; printed in the log.")] = "",
) -> None:
    """Print the zone in which a club's days begin and which day it is there; with ZONE set another, by an entry."""
    from django.utils import timezone

    from handan.club.changes.office import set_zone
    from handan.club.store.clock import at_place, today
    from handan.club.store.writing import write as write_entry

    club = _club(slug)
    if name is not None:
        write_entry(club, lambda state: set_zone(state, name, reason), author=OPERATOR)
    with at_place(club):
        own = "" if club.zone else ", the server's"
        write(f"{timezone.get_current_timezone_name()}{own}; today is {today()}")


@on_database("key")
def key(
    slug: Slug,
    *,
    new: Annotated[bool, typer.Option("--new", help="Set another key pair, by an entry.")] = False,
    reason: Annotated[str, typer.Option("--reason", help="Why there is another key; printed in the log.")] = "",
    out: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write the private key to a new file.")
    ] = None,
    take: Annotated[
        Path | None, typer.Option("--take", metavar="FILE", help="Take the private key of a ledger that was imported.")
    ] = None,
) -> None:
    """Print the public key by which a club signs its lists and exports; keep it elsewhere, set or bring another."""
    from handan.club.keys import fingerprint
    from handan.club.store.backup import made_whole
    from handan.club.store.club_keys import key_of, take_key
    from handan.club.store.states import state_of
    from handan.club.store.writing import renew_key

    club = _club(slug)
    if take:
        own = take_key(club, state_of(club), take.read_text(encoding="ascii", errors="replace").strip())
    else:
        own = renew_key(club, reason=reason) if new else key_of(club, state_of(club))
    if out:
        with made_whole(out.absolute()) as part:
            part.write_text(f"{own.private}\n", encoding="ascii")
    write(f"{own.public}\tfingerprint {fingerprint(own.public)}")


def _lists_made(lists: "Checked | None") -> str:
    """Describe which official lists were made again, and by which key they are signed."""
    from handan.club.keys import fingerprint

    if lists is None or not lists.whole:
        return "every official list again"
    which = "every official list" if lists.again == lists.whole else f"{lists.again} of {lists.whole} official lists"
    unsigned = f"; {lists.unsigned} unsigned" if lists.unsigned else ""
    return f"{which} again{unsigned}" + (f"; key {fingerprint(lists.keys[-1].public)}" if lists.keys else "")


def _club(slug: str) -> "Club":
    from handan.club.store.models import Club

    club = Club.objects.filter(slug=slug).first()
    if club is None:
        slugs = list(Club.objects.values_list("slug", flat=True))
        raise InputError(f"club {shown(slug)} is not here{closest(slug, slugs)}")
    return club
