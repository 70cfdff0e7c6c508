"""Tournaments and other events as entries and rows; games are found by the name of their event."""

import django.db.models.deletion
from django.db import migrations, models

import handan.club.fields

KINDS = (
    "game recorded", "game corrected", "game withdrawn", "game restored", "game confirmed", "game disputed",
    "player registered", "player changed", "player merged", "player split", "player withdrawn", "player restored",
    "rank adjusted", "adjustment withdrawn", "sheet entered", "sheet continued", "sheet checked",
    "sheet check withdrawn", "event entered", "event changed", "event withdrawn", "rules set", "list published",
    "member set", "key set", "zone set", "club set", "tablet set", "chain carried over", "person forgotten",
)  # fmt: skip


class Migration(migrations.Migration):
    dependencies = [
        ("club", "0017_state_at_checkpoints"),
    ]

    operations = [
        migrations.AlterField(
            "entry", "kind", models.CharField(choices=[(kind, kind) for kind in KINDS], max_length=30)
        ),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(
                condition=models.Q(("event", ""), _negated=True),
                fields=["club", "event", "date"],
                name="games_of_event",
            ),
        ),
        migrations.CreateModel(
            name="Event",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=64)),
                ("number", models.BigIntegerField()),
                ("entry", models.BigIntegerField()),
                ("name", models.TextField()),
                ("first", models.BigIntegerField()),
                ("until", models.BigIntegerField()),
                ("country", models.TextField(blank=True)),
                ("kind", models.TextField(blank=True)),
                ("players", models.TextField(blank=True)),
                ("facts", handan.club.fields.FactsField()),
                ("withdrawn", models.BooleanField(default=False)),
                (
                    "club",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="club.club",
                    ),
                ),
            ],
            options={
                "ordering": ("number",),
                "indexes": [
                    models.Index(fields=["club", "name", "first"], name="events_of_a_name"),
                    models.Index(fields=["club", "first"], name="events_by_day"),
                ],
                "constraints": [models.UniqueConstraint(fields=("club", "key"), name="one_event_a_key")],
            },
        ),
    ]
