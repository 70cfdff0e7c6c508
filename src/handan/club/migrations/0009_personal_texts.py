"""What tells who somebody is stands apart from the facts of entries, so that a person can be forgotten.

The chains keep the digests that were published and signed; an entry at the end of each carries them over: it holds one
digest over all older entries as they stay when a person is forgotten.
"""

from typing import Any

import django.db.models.deletion
import django.utils.timezone
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.utils import timezone

import handan.club.fields
from handan.club.entries import LAST_WITH_TEXTS, Kind, Record, carried, chained, with_seals
from handan.club.sealing import PUBLISHED, bare, opened
from handan.errors import InputError

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


def move(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """Put personal and free texts of all entries apart, and carry each chain over."""
    club_model, entry_model, text_model = (apps.get_model("club", name) for name in ("Club", "Entry", "PersonalText"))
    alias = editor.connection.alias
    for club in club_model.objects.using(alias):
        sealed = []
        entries = entry_model.objects.using(alias).filter(club=club).order_by("number")
        for start in range(0, club.number, BATCH):
            rows = list(entries.filter(number__gt=start, number__lte=start + BATCH))
            texts = []
            for row in rows:
                record = with_seals(_record(row))
                sealed.append(record)
                kept = {place: [record.salts[place], text] for place, text in record.texts.items()}
                if kept:
                    texts.append(text_model(entry_id=row.pk, texts=kept))
                row.facts, row.sealed = bare(record.kind, record.facts), dict(record.sealed)
            entry_model.objects.using(alias).bulk_update(rows, ["facts", "sealed"], batch_size=200)
            text_model.objects.using(alias).bulk_create(texts, batch_size=BATCH)
        draft = carried(sealed)
        if draft is not None:
            record = next(chained([draft], club.number, club.digest, "", timezone.now()))
            facts = {name: getattr(record, name) for name in ("number", "kind", "facts", "entered", "previous",
                                                              "digest", "format", "sealed")}  # fmt: skip
            entry_model.objects.using(alias).create(club=club, **facts)
            club.number, club.digest = record.number, record.digest
            club.save(using=alias)
    if editor.connection.vendor == "postgresql":  # a table cannot be changed while its rows wait to be checked
        editor.execute("SET CONSTRAINTS ALL IMMEDIATE")


def move_back(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """Put the texts into the entries again, where all are kept and nothing was written since."""
    alias = editor.connection.alias
    entries = apps.get_model("club", "Entry").objects.using(alias)
    for club in apps.get_model("club", "Club").objects.using(alias):
        last = entries.filter(club=club, number=club.number).first()
        if last is not None and last.kind == Kind.CHAIN_CARRIED:
            club.number, club.digest = club.number - 1, last.previous
            last.delete()
            club.save(using=alias)
    if entries.filter(format__gt=LAST_WITH_TEXTS).exists():
        raise InputError("entries were written since whose digests hold no names; the version before cannot read them")
    rows: Any = entries.select_related("personal")
    for row in rows:
        kept = row.personal.texts if hasattr(row, "personal") else {}
        salts, texts = ({place: pair[part] for place, pair in kept.items()} for part in (0, 1))
        if set(row.sealed) - set(kept) - {PUBLISHED}:
            raise InputError("a person was forgotten; the version before cannot read the entries about that person")
        row.facts = opened(row.kind, row.facts, row.sealed, texts, salts)
        row.author, row.reason = texts.get("author", ""), texts.get("reason", "")
        row.save(using=alias)


def _record(row: models.Model) -> Record:
    names = ("number", "subject", "facts", "author", "entered", "reason", "previous", "digest", "account", "format")
    facts = {name: getattr(row, name) for name in names}
    return Record(kind=Kind(row.kind), token=row.token or "", **facts)  # type: ignore[attr-defined]


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
            "entry", "kind", models.CharField(choices=[(str(kind), str(kind)) for kind in Kind], max_length=30)
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
