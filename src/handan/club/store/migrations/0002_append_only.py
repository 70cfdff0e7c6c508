"""The database itself refuses to change or delete entries; only the link to an account may be cleared."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

KEPT = "club_id, number, kind, subject, facts, author, entered, reason, previous, digest"
WORDS = "entries of a ledger are never changed or deleted"
MADE = {
    "sqlite": [
        f"CREATE TRIGGER entry_unchanged BEFORE UPDATE OF {KEPT} ON club_entry"
        f" BEGIN SELECT RAISE(ABORT, '{WORDS}'); END",
        f"CREATE TRIGGER entry_kept BEFORE DELETE ON club_entry BEGIN SELECT RAISE(ABORT, '{WORDS}'); END",
    ],
    "postgresql": [
        "CREATE FUNCTION refuse_change_of_entry() RETURNS trigger AS $$"
        f" BEGIN RAISE EXCEPTION '{WORDS}' USING ERRCODE = 'integrity_constraint_violation'; END $$ LANGUAGE plpgsql",
        f"CREATE TRIGGER entry_unchanged BEFORE UPDATE OF {KEPT} ON club_entry"
        " FOR EACH ROW EXECUTE FUNCTION refuse_change_of_entry()",
        "CREATE TRIGGER entry_kept BEFORE DELETE ON club_entry FOR EACH ROW EXECUTE FUNCTION refuse_change_of_entry()",
        "CREATE TRIGGER entries_kept BEFORE TRUNCATE ON club_entry"
        " FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_entry()",
    ],
}
UNMADE = {
    "sqlite": ["DROP TRIGGER entry_unchanged", "DROP TRIGGER entry_kept"],
    "postgresql": [
        "DROP TRIGGER entry_unchanged ON club_entry",
        "DROP TRIGGER entry_kept ON club_entry",
        "DROP TRIGGER entries_kept ON club_entry",
        "DROP FUNCTION refuse_change_of_entry()",
    ],
}


def make(_: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """Create the triggers."""
    for statement in MADE[editor.connection.vendor]:
        editor.execute(statement)


def unmake(_: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """Drop the triggers."""
    for statement in UNMADE[editor.connection.vendor]:
        editor.execute(statement)


class Migration(migrations.Migration):
    """Adds the triggers."""

    dependencies = (("club", "0001_initial"),)
    operations = (migrations.RunPython(make, unmake),)
