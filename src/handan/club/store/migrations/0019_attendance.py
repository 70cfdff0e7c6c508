"""Who is at the club on a day, and against whom they sit down to play."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    """Adds a row a player and day."""

    dependencies = [
        ("club", "0018_events"),
    ]

    operations = [
        migrations.CreateModel(
            name="Attendance",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("player", models.CharField(max_length=64)),
                ("day", models.DateField()),
                ("arrived", models.DateTimeField(default=django.utils.timezone.now)),
                ("left", models.DateTimeField(null=True)),
                ("opponent", models.CharField(blank=True, max_length=64)),
                ("began", models.DateTimeField(null=True)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="attendances", to="club.club"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("club", "day", "player"), name="here_once_a_day"),
                ],
            },
        ),
    ]
