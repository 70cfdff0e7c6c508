"""`handan club` on people: forgetting somebody, what is kept of somebody, and what visitors see."""

import json
from pathlib import Path
from typing import Annotated

import typer

from handan.cli.club import OPERATOR, Slug, _club, app, on_database
from handan.cli.notices import say
from handan.cli.output import write
from handan.errors import InputError, counted, shown

__all__ = ["app"]
Key = Annotated[str, typer.Argument(metavar="KEY", help="The player's key, such as p3.", show_default=False)]


@on_database("forget")
def forget(
    slug: Slug,
    key: Key,
    *,
    yes: Annotated[bool, typer.Option("--yes", help="Do it; without this it is only said what would go.")] = False,
) -> None:
    """Forget a person: names, notes and account go for good, games and everybody's figures stay."""
    from handan.club.store import forgetting

    club = _club(slug)
    reach = forgetting.forget(club, key) if yes else forgetting.plan(club, key)
    did = "are gone" if yes else "would go"
    accounts, entries = counted(len(reach.users), "account"), counted(reach.texts, "entry", "entries")
    write(f"{', '.join(reach.people)}: name, notes and {accounts} {did} from {entries}")
    write(f"games that stay: {reach.games}; verify, lists and everybody's figures are as before")
    for text in reach.left:
        say(f"this fact holds the name and stays: {text}")
    if not yes:
        say("nothing was changed; --yes does it, and it cannot be undone")
        return
    from handan.club.store.forgetting import clean, erasures_file, older_copies

    if not clean():
        say("others are reading the database; run `handan club clean` later, so that its journal is emptied")
    if file := erasures_file():
        write(f"kept in {file}, which a restored backup is compared with; no name is in it")
    for copy in older_copies():
        say(f"{copy} was made before and still holds the name; delete it when it is not needed")


@on_database("clean")
def clean() -> None:
    """Write the database file anew without what was deleted, and empty its journal."""
    from handan.club.store import forgetting

    if not forgetting.clean():
        raise InputError("others are reading the database; nothing is left undone but its journal, try again")
    write("nothing that was deleted is left in the file")


@on_database("erasures")
def erasures() -> None:
    """Print who was forgotten, by keys: for `restore --erasures` and `import --erasures`."""
    from handan.club.store import forgetting

    for item in forgetting.erasures():
        write(json.dumps(item, sort_keys=True))


@on_database("person")
def person(
    slug: Slug,
    key: Key,
    out: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="A new file; else it is printed.")
    ] = None,
) -> None:
    """Write all that is kept of a person as one JSON file."""
    from handan.club.service.people import own_data
    from handan.club.store.backup import made_whole

    text = json.dumps(own_data(_club(slug), key), ensure_ascii=False, indent=1)
    if out is None:
        write(text)
        return
    with made_whole(out.absolute()) as part:
        part.write_text(f"{text}\n", encoding="utf-8")
    write(f"all that is kept of {key} in {out}")


@on_database("show")
def show(
    slug: Slug,
    key: Key,
    *,
    name: Annotated[str, typer.Option("--as", metavar="NAME", help="Another name.")] = "",
    hide: Annotated[bool, typer.Option("--hide", help="Not at all: 'a member'.")] = False,
) -> None:
    """Show a player to visitors under another name, or not at all; without an option by name again."""
    from handan.club.store.access import set_shown

    set_shown(_club(slug), key, name if name or hide else None)
    write(f"{key} is shown to visitors {f'as {name}' if name else 'not at all' if hide else 'by name'}")


@on_database("visitors")
def visitors(
    slug: Slug,
    what: Annotated[str, typer.Argument(metavar="open|ladder|closed", help="What they see.", show_default=False)],
    *,
    log: Annotated[
        bool | None, typer.Option("--log/--no-log", help="Also show the log of an open club.", show_default=False)
    ] = None,
) -> None:
    """Say what visitors see of a club: everything, the ladder only, or nothing."""
    from handan.club.changes.office import set_club
    from handan.club.service.office import facts_of_club
    from handan.club.store.models import Openness
    from handan.club.store.writing import write as write_entry

    if what.upper() not in Openness.__members__:
        raise InputError(f"{shown(what)} is none of {', '.join(name.lower() for name in Openness.__members__)}")
    club = _club(slug)
    wishes = {"openness": int(Openness[what.upper()])} | ({} if log is None else {"open_log": log})
    if any(facts_of_club(club)[name] != value for name, value in wishes.items()):
        write_entry(club, lambda state: set_club(state, facts_of_club(club), wishes), author=OPERATOR)
    write(f"visitors see of {slug}: {club.get_openness_display()}{', and the log' if club.open_log else ''}")
