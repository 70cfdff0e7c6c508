"""The key pairs by which clubs sign; a club that was there before gets its own when it publishes a list."""

import django.db.models.deletion
from django.db import migrations, models

from handan.club.entries import Kind


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
            "entry", "kind", models.CharField(choices=[(str(kind), str(kind)) for kind in Kind], max_length=30)
        ),
    )
