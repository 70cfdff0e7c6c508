"""Checks of record sheets that were taken back."""

from django.db import migrations, models

KINDS = (
    "game recorded", "game corrected", "game withdrawn", "game restored", "game confirmed", "game disputed",
    "player registered", "player changed", "player merged", "player split", "player withdrawn", "player restored",
    "rank adjusted", "adjustment withdrawn", "sheet entered", "sheet continued", "sheet checked",
    "sheet check withdrawn", "rules set", "list published", "member set", "key set", "zone set", "club set",
    "tablet set", "chain carried over", "person forgotten",
)  # fmt: skip


class Migration(migrations.Migration):
    """Adds a kind of entry."""

    dependencies = [
        ("club", "0012_sheets_and_tablet"),
    ]

    operations = [
        migrations.AlterField(
            "entry", "kind", models.CharField(choices=[(kind, kind) for kind in KINDS], max_length=30)
        ),
    ]
