"""Zones of clubs, and tokens with what they said."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    """Adds the zone and the tokens."""

    dependencies = [
        ("club", "0009_personal_texts"),
    ]

    operations = [
        migrations.AddField(
            model_name="club",
            name="zone",
            field=models.CharField(blank=True, default="", max_length=64),
        ),
        migrations.AlterField(
            model_name="entry",
            name="kind",
            field=models.CharField(
                choices=[
                    ("game recorded", "game recorded"),
                    ("game corrected", "game corrected"),
                    ("game withdrawn", "game withdrawn"),
                    ("game restored", "game restored"),
                    ("game confirmed", "game confirmed"),
                    ("game disputed", "game disputed"),
                    ("player registered", "player registered"),
                    ("player changed", "player changed"),
                    ("player merged", "player merged"),
                    ("player split", "player split"),
                    ("rank adjusted", "rank adjusted"),
                    ("adjustment withdrawn", "adjustment withdrawn"),
                    ("rules set", "rules set"),
                    ("list published", "list published"),
                    ("member set", "member set"),
                    ("key set", "key set"),
                    ("zone set", "zone set"),
                    ("chain carried over", "chain carried over"),
                    ("person forgotten", "person forgotten"),
                ],
                max_length=30,
            ),
        ),
        migrations.CreateModel(
            name="IdempotencyKey",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("token", models.CharField(max_length=64)),
                ("account", models.CharField(blank=True, max_length=64)),
                ("content", models.CharField(max_length=64)),
                ("answer", models.TextField(blank=True)),
                ("created", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="idempotency_keys", to="club.club"
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("club", "token"), name="one_content_a_token")],
            },
        ),
    ]
