"""What databases lack that were made before 0001 and 0005 stood fast: an index, widths, and the name of a column."""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

COLUMNS = "club_id, number, kind, subject, facts, author, entered, reason, previous, digest, account, token, format"
UNCHANGED = "DROP TRIGGER entry_unchanged ON club_entry"
UNCHANGED_AGAIN = (
    f"CREATE TRIGGER entry_unchanged BEFORE UPDATE OF {COLUMNS} ON club_entry"
    " FOR EACH ROW EXECUTE FUNCTION refuse_change_of_entry()"
)


def repair(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """Give a database the index, the name of a column and the widths that it lacks, each if it does."""
    entry, reset = apps.get_model("club", "Entry"), apps.get_model("club", "ResetRequest")
    with editor.connection.cursor() as cursor:
        look = editor.connection.introspection
        indexes = look.get_constraints(cursor, "club_entry")
        columns = {column.name for column in look.get_table_description(cursor, "club_resetrequest")}
    if "entries_of_a_user" not in indexes:
        editor.add_index(entry, models.Index(fields=["user", "entered"], name="entries_of_a_user"))
    if "asked" in columns:
        new = reset._meta.get_field("requested")  # noqa: SLF001  # Django's public name
        old = new.clone()
        old.set_attributes_from_name("asked")
        old.model = reset
        editor.alter_field(reset, old, new)
    if editor.connection.vendor == "postgresql":  # SQLite looks neither at widths nor at types
        _widen(editor)


def _widen(editor: BaseDatabaseSchemaEditor) -> None:
    """Give columns of PostgreSQL the width and type that they have in new databases."""
    query = (
        "SELECT table_name, column_name, data_type FROM information_schema.columns"
        " WHERE table_schema = current_schema() AND (table_name, column_name) IN"
        " (('club_entry', 'subject'), ('club_entry', 'facts'), ('club_invitation', 'player'),"
        " ('club_membership', 'player')) AND (character_maximum_length < 64 OR data_type = 'jsonb')"
    )
    with editor.connection.cursor() as cursor:
        cursor.execute(query)
        narrow = cursor.fetchall()
    if not narrow:
        return
    editor.execute(UNCHANGED)  # it names the columns
    for table, column, kind in narrow:
        change = f"text USING {column}::text" if kind == "jsonb" else "varchar(64)"
        editor.execute(f"ALTER TABLE {table} ALTER COLUMN {column} TYPE {change}")
    editor.execute(UNCHANGED_AGAIN)


class Migration(migrations.Migration):
    """Repairs."""

    dependencies = (("club", "0007_disputed_games"),)
    operations = (migrations.RunPython(repair, migrations.RunPython.noop),)
