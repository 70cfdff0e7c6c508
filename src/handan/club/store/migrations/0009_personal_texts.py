"""What tells who somebody is stands apart from the facts of entries, so that a person can be forgotten.

The chains keep the digests that were published and signed; an entry at the end of each carries them over: it holds one
digest over all older entries as they stay when a person is forgotten.
"""

import hashlib
import json
import secrets
from collections.abc import Mapping
from datetime import UTC
from typing import Any

import django.db.models.deletion
import django.utils.timezone
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.exceptions import IrreversibleError
from django.utils import timezone

import handan.club.fields

KINDS = (
    "game recorded", "game corrected", "game withdrawn", "game restored", "game confirmed", "game disputed",
    "player registered", "player changed", "player merged", "player split", "rank adjusted", "adjustment withdrawn",
    "rules set", "list published", "member set", "key set", "zone set", "chain carried over", "person forgotten",
)  # fmt: skip
CARRIED, LIST, PERSON = "chain carried over", "list published", {"player registered", "player changed"}
SINGLE = {
    "game recorded": "notes", "game corrected": "notes", "rank adjusted": "note", "member set": "account",
}  # fmt: skip
"""The fact of such entries that is personal or free text."""
PUBLISHED = "published"
"""In place of a text: SHA-256 of the file of a list."""
LAST_WITH_TEXTS, FORMAT = 2, 3
"""The last format of digests that are made of the texts themselves, and the one that this version writes."""
WORDS = "entries of a ledger are never changed or deleted"
BEFORE = "club_id, number, kind, subject, facts, author, entered, reason, previous, digest, account, token, format"
KEPT = "club_id, number, kind, subject, facts, entered, previous, digest, account, token, format, sealed"
LINK = "CREATE TRIGGER entry_linked BEFORE UPDATE OF user_id ON club_entry"
BATCH = 2000  # rows at once


def _made(vendor: str, kept: str) -> list[str]:
    """Return the statements that make the triggers."""
    if vendor == "postgresql":
        return [
            f"CREATE TRIGGER entry_unchanged BEFORE UPDATE OF {kept} ON club_entry"
            " FOR EACH ROW EXECUTE FUNCTION refuse_change_of_entry()",
            f"{LINK} FOR EACH ROW WHEN (NEW.user_id IS NOT NULL AND NEW.user_id IS DISTINCT FROM OLD.user_id)"
            " EXECUTE FUNCTION refuse_change_of_entry()",
        ]
    return [
        f"CREATE TRIGGER entry_unchanged BEFORE UPDATE OF {kept} ON club_entry"
        f" BEGIN SELECT RAISE(ABORT, '{WORDS}'); END",
        f"CREATE TRIGGER entry_kept BEFORE DELETE ON club_entry BEGIN SELECT RAISE(ABORT, '{WORDS}'); END",
        f"{LINK} WHEN NEW.user_id IS NOT NULL AND NEW.user_id IS NOT OLD.user_id"
        f" BEGIN SELECT RAISE(ABORT, '{WORDS}'); END",
    ]


def drop(_: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """Drop the triggers, since SQLite makes the table anew."""
    on = " ON club_entry" if editor.connection.vendor == "postgresql" else ""
    names = ("entry_unchanged", "entry_linked") if on else ("entry_unchanged", "entry_linked", "entry_kept")
    for name in names:
        editor.execute(f"DROP TRIGGER {name}{on}")


def make_old(_: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """Create the triggers as they were."""
    for statement in _made(editor.connection.vendor, BEFORE):
        editor.execute(statement)


def make_new(_: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """Create the triggers."""
    for statement in _made(editor.connection.vendor, KEPT):
        editor.execute(statement)


def canonical(data: Any) -> bytes:
    """Return data as JSON in its one spelling."""
    return json.dumps(data, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")).encode()


def sha256(data: Any) -> str:
    """Return the digest of data in canonical JSON."""
    return hashlib.sha256(canonical(data)).hexdigest()


def rows_of(facts: Mapping[str, Any]) -> list[Any]:
    """Return the rows of an official list, none of facts that hold no list."""
    content = facts.get("content")
    rows = content.get("players") if isinstance(content, Mapping) else None
    return rows if isinstance(rows, list) else []


def is_row(row: Any) -> bool:
    """Whether something is a player's row of an official list."""
    return isinstance(row, Mapping) and "key" in row


def personal(row: Any) -> dict[str, Any]:
    """Return the personal and free texts of an entry by their places."""
    texts: dict[str, Any] = {"author": row.author, "reason": row.reason}
    if row.kind in PERSON:
        texts["person"] = dict(row.facts)
    elif row.kind in SINGLE:
        texts[SINGLE[row.kind]] = row.facts.get(SINGLE[row.kind])
    elif row.kind == LIST:
        texts |= {f"names.{item['key']}": item["player"] for item in rows_of(row.facts)
                  if is_row(item) and "player" in item}  # fmt: skip
    return {place: text for place, text in texts.items() if text}


def bare(kind: str, facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts of an entry without personal and free texts."""
    if kind in PERSON:
        return {}
    if kind in SINGLE:
        return {name: value for name, value in facts.items() if name != SINGLE[kind]}
    if kind == LIST and isinstance(facts.get("content"), Mapping) and isinstance(facts["content"].get("players"), list):
        rows = [{name: value for name, value in item.items() if name not in {"player", "salt"}} if is_row(item) else item
                for item in rows_of(facts)]  # fmt: skip
        return {**facts, "content": {**facts["content"], "players": rows}}
    return dict(facts)


def whole(kind: str, facts: Mapping[str, Any], texts: Mapping[str, Any]) -> dict[str, Any]:
    """Return bare facts with the personal and free texts, which are all there."""
    if kind in PERSON:
        return {**facts, **texts.get("person", {})}
    if kind in SINGLE and SINGLE[kind] in texts:
        return {**facts, SINGLE[kind]: texts[SINGLE[kind]]}
    if kind == LIST and rows_of(facts):
        rows = [{**item, "player": texts[place]} if (place := f"names.{is_row(item) and item['key']}") in texts else item
                for item in rows_of(facts)]  # fmt: skip
        return {**facts, "content": {**facts["content"], "players": rows}}
    return dict(facts)


def placed(row: Any) -> dict[str, Any]:
    """Return what the digest of an entry is made of besides its texts."""
    entered = row.entered.astimezone(UTC).isoformat(timespec="microseconds")
    return {"number": row.number, "kind": row.kind, "subject": row.subject, "entered": entered,
            "previous": row.previous, "facts": row.facts, "account": row.account, "token": row.token or "",
            "sealed": row.sealed, "format": row.format}  # fmt: skip


def put_apart(row: Any) -> dict[str, list[Any]]:
    """Take personal and free texts out of an entry, each of which gets a salt; return both by their places."""
    kept = {place: [secrets.token_hex(32), text] for place, text in personal(row).items()}
    row.sealed = {place: hashlib.sha256(bytes.fromhex(salt) + canonical(text)).hexdigest()
                  for place, (salt, text) in kept.items()}  # fmt: skip
    if row.kind == LIST:
        row.sealed[PUBLISHED] = hashlib.sha256(canonical(row.facts.get("content")) + b"\n").hexdigest()
    row.facts = bare(row.kind, row.facts)
    return kept


def move(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """Put personal and free texts of all entries apart, and carry each chain over."""
    club_model, entry_model, text_model = (apps.get_model("club", name) for name in ("Club", "Entry", "PersonalText"))
    alias = editor.connection.alias
    for club in club_model.objects.using(alias):
        outliving = hashlib.sha256()  # over the digests of what stays of each entry when a person is forgotten
        entries = entry_model.objects.using(alias).filter(club=club).order_by("number")
        for start in range(0, club.number, BATCH):
            rows = list(entries.filter(number__gt=start, number__lte=start + BATCH))
            texts = []
            for row in rows:
                kept = put_apart(row)
                outliving.update(sha256({**placed(row), "digest": row.digest}).encode())
                if kept:
                    texts.append(text_model(entry_id=row.pk, texts=kept))
            entry_model.objects.using(alias).bulk_update(rows, ["facts", "sealed"], batch_size=200)
            text_model.objects.using(alias).bulk_create(texts, batch_size=BATCH)
        if club.number:
            facts = {"entries": club.number, "digest": club.digest, "sealed": outliving.hexdigest()}
            last = entry_model(club=club, number=club.number + 1, kind=CARRIED, facts=facts, entered=timezone.now(),
                               previous=club.digest, format=FORMAT, sealed={})  # fmt: skip
            last.digest = sha256(placed(last))
            last.save(using=alias)
            club.number, club.digest = last.number, last.digest
            club.save(using=alias)
    if editor.connection.vendor == "postgresql":  # a table cannot be changed while its rows wait to be checked
        editor.execute("SET CONSTRAINTS ALL IMMEDIATE")


def move_back(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """Put the texts into the entries again, where all are kept and nothing was written since."""
    alias = editor.connection.alias
    entries = apps.get_model("club", "Entry").objects.using(alias)
    for club in apps.get_model("club", "Club").objects.using(alias):
        last = entries.filter(club=club, number=club.number).first()
        if last is not None and last.kind == CARRIED:
            club.number, club.digest = club.number - 1, last.previous
            last.delete()
            club.save(using=alias)
    if entries.filter(format__gt=LAST_WITH_TEXTS).exists():
        raise IrreversibleError(
            "entries were written since whose digests hold no names; the version before cannot read them"
        )
    rows: Any = entries.select_related("personal")
    for row in rows:
        kept = row.personal.texts if hasattr(row, "personal") else {}
        texts = {place: pair[1] for place, pair in kept.items()}
        if set(row.sealed) - set(kept) - {PUBLISHED}:
            raise IrreversibleError(
                "a person was forgotten; the version before cannot read the entries about that person"
            )
        row.facts = whole(row.kind, row.facts, texts)
        row.author, row.reason = texts.get("author", ""), texts.get("reason", "")
        row.save(using=alias)


class Migration(migrations.Migration):
    """Adds the table of texts, digests of texts, and what visitors see; takes texts out of the entries."""

    dependencies = (("club", "0008_repairs"),)
    operations = (
        migrations.RunPython(drop, make_old),
        migrations.AddField(
            "club", "openness",
            models.PositiveSmallIntegerField(choices=[(0, "closed"), (1, "ladder only"), (2, "open")], default=2),
        ),
        migrations.AddField("club", "forgotten", models.BigIntegerField(default=0)),
        migrations.AddField("entry", "sealed", handan.club.fields.FactsField(default=dict)),
        migrations.AlterField(
            "entry", "kind", models.CharField(choices=[(kind, kind) for kind in KINDS], max_length=30)
        ),
        migrations.CreateModel(
            name="PersonalText",
            fields=[
                ("entry", models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True,
                                               related_name="personal", serialize=False, to="club.entry")),
                ("texts", handan.club.fields.FactsField()),
            ],
        ),
        migrations.CreateModel(
            name="Shown",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("player", models.CharField(max_length=64)),
                ("name", models.CharField(blank=True, max_length=200)),
                ("club", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="shown",
                                           to="club.club")),
            ],
            options={"constraints": [models.UniqueConstraint(fields=("club", "player"), name="shown_one_way")]},
        ),
        migrations.CreateModel(
            name="ForgetRequest",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("player", models.CharField(max_length=64)),
                ("requested", models.DateTimeField(default=django.utils.timezone.now)),
                ("club", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE,
                                           related_name="forget_requests", to="club.club")),
            ],
            options={"constraints": [models.UniqueConstraint(fields=("club", "player"), name="asks_once")]},
        ),
        migrations.RunPython(move, move_back),
        migrations.RemoveField("entry", "author"),
        migrations.RemoveField("entry", "reason"),
        migrations.RunPython(make_new, drop),
    )  # fmt: skip
