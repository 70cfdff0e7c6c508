"""Entries say which account wrote them and what their digests are made of; neither, nor the token, is ever changed."""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

BEFORE = "club_id, number, kind, subject, facts, author, entered, reason, previous, digest"
KEPT = f"{BEFORE}, account, token, format"
WORDS = "entries of a ledger are never changed or deleted"


def _triggers(vendor: str, kept: str) -> list[str]:
    """Return the statements that make the triggers of SQLite, or renew those of PostgreSQL that name columns."""
    if vendor == "postgresql":
        return [
            f"CREATE TRIGGER entry_unchanged BEFORE UPDATE OF {kept} ON club_entry"
            " FOR EACH ROW EXECUTE FUNCTION refuse_change_of_entry()"
        ]
    return [
        f"CREATE TRIGGER entry_unchanged BEFORE UPDATE OF {kept} ON club_entry"
        f" BEGIN SELECT RAISE(ABORT, '{WORDS}'); END",
        f"CREATE TRIGGER entry_kept BEFORE DELETE ON club_entry BEGIN SELECT RAISE(ABORT, '{WORDS}'); END",
    ]


LINK = "CREATE TRIGGER entry_linked BEFORE UPDATE OF user_id ON club_entry"
LINKED = {
    "sqlite": f"{LINK} WHEN NEW.user_id IS NOT NULL AND NEW.user_id IS NOT OLD.user_id"
    f" BEGIN SELECT RAISE(ABORT, '{WORDS}'); END",
    "postgresql": f"{LINK} FOR EACH ROW WHEN (NEW.user_id IS NOT NULL AND NEW.user_id IS DISTINCT FROM OLD.user_id)"
    " EXECUTE FUNCTION refuse_change_of_entry()",
}
"""The link to an account may be cleared with the account, and never point to another one."""


def _dropped(vendor: str) -> list[str]:
    if vendor == "postgresql":
        return ["DROP TRIGGER entry_unchanged ON club_entry"]
    return ["DROP TRIGGER entry_unchanged", "DROP TRIGGER entry_kept"]


def drop_old(_: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """Drop the triggers, since SQLite makes the table anew."""
    for statement in _dropped(editor.connection.vendor):
        editor.execute(statement)


def make_old(_: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """Create the triggers as they were."""
    for statement in _triggers(editor.connection.vendor, BEFORE):
        editor.execute(statement)


def make_new(_: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """Create the triggers."""
    vendor = editor.connection.vendor
    for statement in (*_triggers(vendor, KEPT), LINKED[vendor]):
        editor.execute(statement)


def drop_new(_: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """Drop the triggers."""
    vendor = editor.connection.vendor
    linked = "DROP TRIGGER entry_linked" + (" ON club_entry" if vendor == "postgresql" else "")
    for statement in (*_dropped(vendor), linked):
        editor.execute(statement)


class Migration(migrations.Migration):
    """Adds account and format; old entries have format 1, whose digests hold neither account nor token."""

    dependencies = (("club", "0003_keys"),)
    operations = (
        migrations.RunPython(drop_old, make_old),
        migrations.AddField("entry", "account", models.CharField(blank=True, default="", max_length=64)),
        migrations.AddField("entry", "format", models.PositiveSmallIntegerField(default=1)),
        migrations.RunPython(make_new, drop_new),
    )
