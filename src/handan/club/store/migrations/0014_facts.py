"""The club's facts as rows: players, games, adjustments, record sheets. They are filled from the entries."""

import django.db.models.deletion
from django.db import migrations, models

import handan.club.fields


class Migration(migrations.Migration):
    """Adds the tables that follow the entries of a ledger."""

    dependencies = [
        ("club", "0013_withdrawn_checks"),
    ]

    operations = [
        migrations.CreateModel(
            name="ClubState",
            fields=[
                (
                    "club",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="club.club",
                    ),
                ),
                ("form", models.PositiveSmallIntegerField()),
                ("number", models.BigIntegerField()),
                ("digest", models.CharField(max_length=64)),
                ("rules", handan.club.fields.FactsField()),
                ("lists", handan.club.fields.FactsField()),
                ("key", models.CharField(blank=True, max_length=64)),
                ("zone", models.CharField(blank=True, max_length=64)),
                ("sources", handan.club.fields.FactsField()),
                ("strangers", handan.club.fields.FactsField()),
            ],
            options={
                "verbose_name": "state of a club",
            },
        ),
        migrations.CreateModel(
            name="Adjustment",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=64)),
                ("number", models.BigIntegerField()),
                ("player", models.CharField(max_length=64)),
                ("facts", handan.club.fields.FactsField()),
                ("withdrawn", models.BooleanField(default=False)),
                ("set_aside", models.CharField(blank=True, max_length=64)),
                (
                    "club",
                    models.ForeignKey(
                        db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="club.club"
                    ),
                ),
            ],
            options={
                "ordering": ("number",),
                "indexes": [models.Index(fields=["club", "player"], name="adjustments_of_a_player")],
                "constraints": [models.UniqueConstraint(fields=("club", "key"), name="one_adjustment_a_key")],
            },
        ),
        migrations.CreateModel(
            name="Game",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("line", models.BigIntegerField()),
                ("black", models.CharField(max_length=64)),
                ("white", models.CharField(max_length=64)),
                ("date", models.BigIntegerField(null=True)),
                ("precision", models.PositiveSmallIntegerField()),
                ("result", models.TextField()),
                ("handicap", models.SmallIntegerField(null=True)),
                ("komi", models.FloatField(null=True)),
                ("size", models.PositiveSmallIntegerField(null=True)),
                ("kind", models.TextField(blank=True)),
                ("event", models.TextField(blank=True)),
                ("round", models.IntegerField(null=True)),
                ("black_rank", models.TextField(blank=True)),
                ("white_rank", models.TextField(blank=True)),
                ("moves", models.IntegerField(null=True)),
                ("notes", models.TextField(blank=True)),
                ("status", models.PositiveSmallIntegerField()),
                ("latest", models.BigIntegerField()),
                ("added", models.BigIntegerField(null=True)),
                ("unconfirmed", models.BooleanField(default=False)),
                (
                    "club",
                    models.ForeignKey(
                        db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="club.club"
                    ),
                ),
            ],
            options={
                "ordering": ("line",),
                "indexes": [
                    models.Index(fields=["club", "black", "date"], name="games_of_black"),
                    models.Index(fields=["club", "white", "date"], name="games_of_white"),
                    models.Index(fields=["club", "date", "line"], name="games_by_date"),
                    models.Index(fields=["club", "latest"], name="games_by_last_entry"),
                    models.Index(
                        condition=models.Q(("status", 0), _negated=True),
                        fields=["club", "status"],
                        name="games_not_counting",
                    ),
                ],
                "constraints": [models.UniqueConstraint(fields=("club", "line"), name="one_game_a_line")],
            },
        ),
        migrations.CreateModel(
            name="Player",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=64)),
                ("number", models.BigIntegerField()),
                ("name", models.TextField()),
                ("reading", models.TextField(blank=True)),
                ("country", models.TextField(blank=True)),
                ("home", models.TextField(blank=True)),
                ("ids", handan.club.fields.FactsField()),
                ("entry", models.BigIntegerField()),
                ("merged_into", models.CharField(blank=True, max_length=64)),
                ("withdrawn", models.BooleanField(default=False)),
                ("stem", models.TextField()),
                ("sorted_as", models.TextField()),
                ("wholes", models.TextField()),
                ("sounds", models.TextField()),
                ("words", models.TextField()),
                ("heard", models.TextField()),
                (
                    "club",
                    models.ForeignKey(
                        db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="club.club"
                    ),
                ),
            ],
            options={
                "ordering": ("number",),
                "indexes": [
                    models.Index(fields=["club", "number"], name="players_in_order"),
                    models.Index(fields=["club", "stem"], name="players_of_a_stem"),
                    models.Index(
                        condition=models.Q(
                            models.Q(("merged_into", ""), _negated=True), ("withdrawn", True), _connector="OR"
                        ),
                        fields=["club"],
                        name="players_of_another_state",
                    ),
                ],
                "constraints": [models.UniqueConstraint(fields=("club", "key"), name="one_player_a_key")],
            },
        ),
        migrations.CreateModel(
            name="Sheet",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=64)),
                ("number", models.BigIntegerField()),
                ("lines", handan.club.fields.FactsField()),
                ("parts", handan.club.fields.FactsField()),
                ("checks", handan.club.fields.FactsField()),
                ("withdrawals", handan.club.fields.FactsField()),
                (
                    "club",
                    models.ForeignKey(
                        db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="club.club"
                    ),
                ),
            ],
            options={
                "ordering": ("number",),
                "constraints": [models.UniqueConstraint(fields=("club", "key"), name="one_sheet_a_key")],
            },
        ),
    ]
