"""Forgetting a person: what tells who it was goes everywhere, games and everybody's figures stay, the chain holds."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING, Any

from django.apps import apps
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.db import OperationalError, connections, transaction
from django.db.models import Q, TextField
from django.db.models.functions import Cast

from handan.club.entries import FORMER, NAMES, Draft, canonical
from handan.club.federation import Place, one_person, same_numbers
from handan.club.kinds import Kind
from handan.club.mentions import LABELS, Mentions, all_names
from handan.club.people import order_of
from handan.club.state import State
from handan.club.store.access import Actor, account_key, users_by_key
from handan.club.store.computing import computed_cache
from handan.club.store.fact_models import Game
from handan.club.store.facts import records, refresh
from handan.club.store.members import end_links_of, reaches_account, refuse_last_administrators
from handan.club.store.models import (
    Attendance,
    Club,
    Entry,
    ForgetRequest,
    Invitation,
    Membership,
    PersonalText,
    Role,
    Shown,
    Subscription,
)
from handan.club.store.states import state_of
from handan.club.store.submissions import forget_in_submissions, waiting_that_name
from handan.club.store.writing import write
from handan.errors import Clause, InputError

if TYPE_CHECKING:
    from django.contrib.auth.models import User


SUFFIX = ".erasures"
BATCH = 500  # our choice: rows at once
TELLING = {
    "PersonalText", "Player", "Game", "Adjustment", "Submission", "User", "Session", "Shown", "AccessToken",
    "AccessAttempt", "AccessFailureLog", "AccessLog",
}  # fmt: skip
"""Tables in which names and addresses of people stand."""
TRIES = 5  # our choice: how often the journal is emptied if others are reading it
PAUSE = 0.2  # seconds between them


def clean() -> bool:
    """Write the database file anew without what was deleted, and empty its journal; whether both was done.

    Others who read keep a journal in use for a moment. PostgreSQL writes the tables anew; its own journal it reuses
    with time, and where it is kept for longer (an archive of it, a stream to another server) the operator ends that.
    """
    connection = connections["default"]
    if connection.in_atomic_block:
        return False
    if connection.vendor != "sqlite":
        with connection.cursor() as cursor:
            for model in apps.get_models():
                if model.__name__ in TELLING:
                    cursor.execute(f"VACUUM FULL {connection.ops.quote_name(model._meta.db_table)}")  # noqa: SLF001
        return True
    for _ in range(TRIES):
        try:
            with connection.cursor() as cursor:
                cursor.execute("VACUUM")
                busy = cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        except OperationalError:
            busy = 1
        if not busy:
            return True
        sleep(PAUSE)
    return False


def erasures_file() -> Path | None:
    """Return the file beside the database that keeps who was forgotten, by keys; None without a database file."""
    database = settings.DATABASES["default"]
    name = str(database["NAME"])
    return Path(f"{name}{SUFFIX}") if str(database["ENGINE"]).endswith("sqlite3") and name != ":memory:" else None


def erasure_of(entry: Entry) -> dict[str, Any]:
    """Return the record of a forgotten person: club, keys, when and by which account; no name."""
    whose = {name: entry.facts[name] for name in ("people", "accounts", "numbers") if name in entry.facts}
    return {"club": entry.club.slug, **whose, "entered": entry.entered.isoformat(), "by": entry.account}


def erasures() -> list[dict[str, Any]]:
    """Return the records of all who were forgotten on this server."""
    entries = Entry.objects.filter(kind=Kind.PERSON_FORGOTTEN).select_related("club").order_by("entered", "pk")
    return sorted(map(erasure_of, entries), key=of_clubs)  # those of federations follow from those of their clubs


def of_clubs(item: dict[str, Any]) -> bool:
    """Whether an erasure is that of a federation, which names players of its clubs."""
    return any("." in key for key in item["people"])


def keep_erasure(entry: Entry) -> None:
    """Add a forgotten person to the file beside the database, which a restored backup is compared with."""
    file = erasures_file()
    if file is None:
        return
    with os.fdopen(os.open(file, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600), "ab") as out:
        out.write(canonical(erasure_of(entry)) + b"\n")
        out.flush()
        os.fsync(out.fileno())


def read_erasures(file: Path) -> list[dict[str, Any]]:
    """Return the records of a file; InputError for a line that is none."""
    records = []
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        try:
            data = json.loads(line)
            keys = all(isinstance(key, str) for key in (*data["people"], *data["accounts"], data["club"]))
            for slug, entry, place in (one for places in data.get("numbers", ()) for one in places):
                keys &= isinstance(slug, str) and type(entry) is int and type(place) is int
        except (ValueError, KeyError, TypeError):
            keys = False
        if not keys:
            raise InputError(f"{file}, line {number}: this does not say who was forgotten")
        records.append(data)
    return records


def older_copies() -> list[Path]:
    """Return the copies that were made beside the database file before its tables changed."""
    file = erasures_file()
    name = file and file.name.removesuffix(SUFFIX)
    return sorted(file.parent.glob(f"{name}.*.backup")) if file else []


OF_GAMES = [kind for kind in Kind if kind.startswith("game ")]
"""Kinds whose entries bear the keys of players in no other place than as Black and White."""
SALT = re.compile(r'(?<=\[)"[0-9a-f]{64}"')


def rows_that_may_mention(club: Club, mentions: Mentions) -> Iterator[PersonalText]:
    """Go through the rows of texts with their entries, once each: all that tell of these people, and few others.

    By the keys of an entry the database finds them; in what is left the names are looked for as it is written.
    """
    rows = PersonalText.objects.filter(entry__club=club)
    by_keys = Q(entry__account__in=mentions.accounts) | Q(entry__subject__in=mentions.people)
    by_keys |= ~Q(entry__kind__in=OF_GAMES)
    yield from rows.filter(by_keys).select_related("entry").iterator(BATCH)
    others = rows.exclude(by_keys).annotate(written=Cast("texts", TextField())).values_list("pk", "written")
    answers: dict[str, bool] = {}
    wanted = (pk for pk, written in others.iterator(BATCH) if _is_named(mentions, SALT.sub('""', written), answers))
    while keys := list(islice(wanted, BATCH)):
        yield from rows.filter(pk__in=keys).select_related("entry")


def _is_named(mentions: Mentions, written: str, answers: dict[str, bool]) -> bool:
    """Whether texts name one of the people; most rows of a club have the same few authors and nothing else."""
    if written not in answers:
        if len(answers) > BATCH:
            answers.clear()
        answers[written] = mentions.named_in(_plain(written))
    return answers[written]


def _plain(written: str) -> str:
    """Return the texts of a row as one, with the letters that JSON writes otherwise."""
    return "\n".join(_strings(json.loads(written))) if "\\" in written else written


def _strings(value: Any) -> Iterator[str]:
    """Go through the texts in data."""
    if isinstance(value, str):
        yield value
    parts: Iterable[Any] = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for part in parts:
        yield from _strings(part)


@dataclass(frozen=True, slots=True)
class Forgetting:
    """Who is to be forgotten, and all that this would reach."""

    club: Club
    key: str
    people: tuple[str, ...]
    """Keys under which the person stands: their own and those merged into it."""
    accounts: tuple[str, ...]
    """Keys of the accounts that are these players."""
    users: tuple[User, ...]
    names: frozenset[str]
    """All names, readings and account names the person ever had here."""
    games: int
    """Games that stay."""
    texts: int
    """Entries from which texts go."""
    left: tuple[str, ...]
    """Facts that hold the name and stay, such as the name of an event; for a person to look at."""


def plan(club: Club, key: str, accounts: Iterable[str] = ()) -> Forgetting:
    """Return what forgetting a player would reach; InputError for a stranger, and for who was forgotten already.

    Args:
        club: The club.
        key: Any key of the player.
        accounts: Keys of accounts that were theirs, besides those that are.
    """
    state = state_of(club)
    person = state.person(key)
    if "." in person.key:
        raise InputError(Clause.of("{name} is a player of a club; the club forgets", name=person.name))
    people = tuple(state.names_of(person.key))
    if all(state.people[other].former for other in people):
        raise InputError(Clause.of("player {key} was forgotten already", key=key))
    bound = {item.user for item in Membership.objects.filter(club=club, player__in=people).select_related("user")}
    here = users_by_key()
    bound |= set(get_user_model().objects.filter(pk__in=[here[name] for name in accounts if name in here]))
    users = tuple(sorted(bound, key=lambda user: user.pk))
    own = tuple(dict.fromkeys([*accounts, *(account_key(user) for user in users)]))
    names = _names(club, people, own) | {text for user in users for text in (user.get_username(), user.email) if text}
    games = state.recorded.of(people).height
    mentions = Mentions(frozenset(people), frozenset(own), frozenset(names))
    texts = sum(bool(_gone(row, mentions)) for row in rows_that_may_mention(club, mentions))
    left = (*_left(club, state, mentions), *_elsewhere(club, people))
    return Forgetting(club, person.key, people, own, users, frozenset(names), games, texts, left)


def forget(
    club: Club, key: str, *, author: str = "", by: Actor | None = None, accounts: Iterable[str] = ()
) -> Forgetting:
    """Forget a player in every spelling, and the accounts that are theirs; return what went.

    The entry that says so bears keys only. InputError for a stranger, and for who was forgotten already;
    NotAllowedError where one of the accounts may do more than who asks.
    """
    with transaction.atomic():
        club = Club.objects.select_for_update().get(pk=club.pk)
        done = plan(club, key, accounts)
        if by is not None:
            _refuse_higher(by, done)
        facts = _facts(club, done, done.people)
        user = by.user if by is not None and by.user not in done.users else None
        author = "" if by is not None and user is None else author
        entry = write(club, lambda _: Draft(Kind.PERSON_FORGOTTEN, facts, done.key), author=author, user=user)[-1]
        if club.federation_id:
            _forget_above(club, done)
        _erase(club, done, done.people)
        for ledger in Club.objects.filter(Q(pk=club.pk) | Q(clubs=club.pk)):
            refresh(ledger)
        Club.objects.filter(pk=club.pk).update(forgotten=entry.number)
        _end_accounts(club, done, by)
    computed_cache.forget()
    transaction.on_commit(lambda: keep_erasure(entry))
    transaction.on_commit(clean)
    return done


def _refuse_higher(by: Actor, done: Forgetting) -> None:
    """Refuse who may do less than one of the accounts that would go, here."""
    by.need(Role.SECRETARY)
    for item in Membership.objects.filter(club=by.club, user__in=done.users):
        by.need(Role(item.role))
    if any(user.is_superuser for user in done.users):
        by.need(Role.ADMINISTRATOR)
    refuse_last_administrators(by.club, done.users)


def _forget_above(club: Club, done: Forgetting) -> Entry:
    """Let the federation of a club forget too: its lists name the players of its clubs.

    Whom it takes for the same person is a former member there too, and its entry keeps that they are one.
    """
    above = Club.objects.select_for_update().get(clubs=club.pk)
    state = state_of(above)
    people = one_person(state, [f"{club.slug}.{key}" for key in done.people])
    names = done.names | all_names(state.people[key].as_dict() for key in people) - {FORMER}
    clubs = Club.objects.filter(federation=above.pk).order_by("pk")
    numbers = same_numbers({item.slug: records(item) for item in clubs}, people)
    return _forget_foreign(above, people, replace(done, names=names), numbers)


def forget_foreign(
    club: Club, people: Iterable[str], accounts: Iterable[str], numbers: Sequence[Sequence[Place]]
) -> bool:
    """Forget players of clubs in the ledger of their federation, as of a copy that still names them; whether it did.

    `numbers` are as the federation kept them when they were forgotten.
    """
    with transaction.atomic():
        club = Club.objects.select_for_update().get(pk=club.pk)
        keys, places = set(people), {f"{NAMES}{key}" for key in people}
        for entry in Entry.objects.filter(club=club, kind=Kind.PERSON_FORGOTTEN):
            if keys <= set(entry.facts["people"]):
                return False
        rows = rows_that_may_mention(club, Mentions(frozenset(keys)))
        names = {str(text) for row in rows for place, (_, text) in row.texts.items() if place in places}
        own = tuple(sorted(keys, key=order_of))
        nothing = Forgetting(club, own[0], own, tuple(accounts), (), frozenset(names), 0, 0, ())
        _forget_foreign(club, own, nothing, numbers)
        refresh(club)
    computed_cache.forget()
    return True


def apply_erasures(records: Iterable[dict[str, Any]]) -> int:
    """Forget again whom this database, made of an older copy, still knows; return how many people."""
    count = 0
    for item in sorted(records, key=of_clubs):
        club = Club.objects.filter(slug=item["club"]).first()
        if club is None:
            continue
        if of_clubs(item):
            count += forget_foreign(club, item["people"], item["accounts"], item.get("numbers", ()))
            continue
        for key in item["people"]:
            person = state_of(club).people.get(key)
            if person is not None and not person.former:
                forget(club, key, accounts=item["accounts"])
                count += 1
    return count


def _forget_foreign(above: Club, people: Sequence[str], done: Forgetting, numbers: Sequence[Sequence[Place]]) -> Entry:
    facts = {**_facts(above, done, people), **({"numbers": numbers} if numbers else {})}
    entry = write(above, lambda _: Draft(Kind.PERSON_FORGOTTEN, facts, people[0]), author="")[-1]
    _erase(above, done, people)
    Club.objects.filter(pk=above.pk).update(forgotten=entry.number)
    transaction.on_commit(lambda: keep_erasure(entry))
    transaction.on_commit(clean)
    return entry


def _names(club: Club, people: Iterable[str], accounts: Iterable[str]) -> set[str]:
    """Return all names and readings under which players were ever entered, and names of their accounts as of then."""
    own = set(people)
    entries = Entry.objects.filter(club=club)
    registered = entries.filter(subject__in=list(own))
    names = all_names(entry.kept["person"][1] for entry in registered if "person" in entry.kept)
    written = entries.filter(account__in=[key for key in accounts if key])
    names |= {entry.author for entry in written.exclude(kind=Kind.MEMBER_SET)}  # which a program may write for them
    roles = [entry for entry in entries.filter(kind=Kind.MEMBER_SET) if entry.facts.get("player") in own]
    names |= {str(entry.kept["account"][1]) for entry in roles if "account" in entry.kept}
    return names - {"", FORMER}


def _gone(row: PersonalText, mentions: Mentions) -> set[str]:
    return mentions.places(row.entry, {place: text for place, (_, text) in row.texts.items()})


def _facts(club: Club, done: Forgetting, people: Iterable[str]) -> dict[str, Any]:
    """Return what the entry says: keys, and by place the entries whose texts go for a name that stands in them."""
    keys = Mentions(frozenset(people), frozenset(done.accounts))
    mentions = replace(keys, names=done.names)
    texts: dict[str, list[int]] = {}
    for row in rows_that_may_mention(club, mentions):
        for place in _gone(row, mentions) - keys.by_keys(row.entry):
            texts.setdefault(place, []).append(row.entry.number)
    whose = {"people": list(people), "accounts": list(done.accounts)}
    return {**whose, "texts": {place: sorted(numbers) for place, numbers in texts.items()}}


def _erase(club: Club, done: Forgetting, people: Iterable[str]) -> None:
    """Take texts and salts away."""
    mentions = Mentions(frozenset(people), frozenset(done.accounts), done.names)
    for row in list(rows_that_may_mention(club, mentions)):
        gone = _gone(row, mentions)
        kept = {place: pair for place, pair in row.texts.items() if place not in gone}
        if gone and kept:
            PersonalText.objects.filter(pk=row.pk).update(texts=kept)
        elif gone:
            PersonalText.objects.filter(pk=row.pk).delete()


def _left(club: Club, state: State, mentions: Mentions) -> tuple[str, ...]:
    """Return facts of a ledger that hold a name and stay, since ratings or lists may depend on them."""
    games = Game.objects.filter(club=club).order_by()
    facts = [f"{name} {shown}" for name in LABELS for shown in sorted({*games.values_list(name, flat=True).distinct()})]
    facts += [f"event {event.name}" for event in state.events.values()]
    facts += [f"list {item.label}" for item in state.lists]
    facts = list(dict.fromkeys(facts))
    named = (text for text in (*facts, f"club {club.name}") if mentions.named_in(text.partition(" ")[2]))
    return (*named, *waiting_that_name(club, mentions))


def _elsewhere(club: Club, people: Iterable[str]) -> tuple[str, ...]:
    """Return who the person is in other clubs of the federation, which forget for themselves."""
    above = Club.objects.filter(clubs=club.pk).first()
    if above is None:
        return ()
    keys = one_person(state_of(above), [f"{club.slug}.{key}" for key in people])
    others = [key.partition(".") for key in keys if not key.startswith(f"{club.slug}.")]
    return tuple(f"player {key} of the club {slug}, which forgets for itself" for slug, _, key in others)


def _end_accounts(club: Club, done: Forgetting, by: Actor | None) -> None:
    """End what a person's accounts are here.

    An account that is a member elsewhere too only loses its address; nothing of itself, if who asks has no say there.
    """
    ended = [user for user in done.users if by is None or user == by.user or reaches_account(by, user)]
    Membership.objects.filter(club=club, player__in=done.people).delete()
    Invitation.objects.filter(club=club, player__in=done.people).delete()
    for model in (Shown, ForgetRequest, Attendance, Subscription):
        model.objects.filter(club=club, player__in=done.people).delete()
    Attendance.objects.filter(club=club, opponent__in=done.people).update(opponent="", began=None)
    forget_in_submissions(club, done.users, Mentions(frozenset(), names=done.names))
    _end_attempts(ended)
    _end_sessions(ended, done.names)
    Membership.objects.filter(club=club, user__in=done.users).delete()
    for user in done.users:
        end_links_of(user, every=user in ended)
    for user in ended:
        if Membership.objects.filter(user=user).exists() or user.is_superuser:
            user.email = user.first_name = user.last_name = ""
            user.save(update_fields=["email", "first_name", "last_name"])
            user.access_tokens.all().delete()
            user.sign_ins.all().delete()
            user.password_links.all().delete()
        else:
            user.delete()


def _end_attempts(users: Iterable[User]) -> None:
    """Forget attempts to sign in with the names of accounts."""
    from axes.models import AccessAttempt, AccessFailureLog, AccessLog

    for user in users:
        for model in (AccessAttempt, AccessFailureLog, AccessLog):
            model.objects.filter(username__iexact=user.get_username()).delete()


def _end_sessions(users: Iterable[User], names: frozenset[str]) -> None:
    """End the sessions of accounts; of others take away what names somebody, such as the draft of a sheet."""
    own = {str(user.pk) for user in users}
    mentions = Mentions(frozenset(), names=names)
    for session in Session.objects.iterator(BATCH):
        data: dict[str, Any] = session.get_decoded()
        gone = [name for name, value in data.items() if mentions.named_in(_unpacked(value)) and name[:5] != "_auth"]
        if data.get("_auth_user_id") in own:
            session.delete()
        elif gone:
            rest = {name: value for name, value in data.items() if name not in gone}
            Session.objects.filter(pk=session.pk).update(session_data=SessionStore().encode(rest))


def _unpacked(value: Any) -> str:
    """Return what a session keeps as one text, in the letters that are meant where it is JSON itself."""
    with suppress(ValueError, TypeError):
        value = json.loads(value)
    return canonical(value).decode()
