"""The key pairs by which clubs sign; a club that was there before gets its own when it publishes a list."""

import django.db.models.deletion
from django.db import migrations, models

KINDS = (
    "game recorded",
    "game corrected",
    "game withdrawn",
    "game restored",
    "game confirmed",
    "player registered",
    "player changed",
    "player merged",
    "player split",
    "rank adjusted",
    "adjustment withdrawn",
    "rules set",
    "list published",
    "member set",
    "key set",
)


class Migration(migrations.Migration):
    """Adds the table of keys, and the entry that sets another key."""

    dependencies = (("club", "0002_append_only"),)
    operations = (
        migrations.CreateModel(
            name="ClubKey",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("public", models.CharField(max_length=64)),
                ("private", models.CharField(max_length=64)),
                (
                    "club",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="key", to="club.club"
                    ),
                ),
            ],
        ),
        migrations.AlterField(
            "entry", "kind", models.CharField(choices=[(kind, kind) for kind in KINDS], max_length=30)
        ),
    )
