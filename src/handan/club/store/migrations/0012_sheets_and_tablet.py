"""Record sheets with their state, players entered by mistake, and the PIN of the club's tablet."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    """Adds kinds of entry, a row a PIN, and one a wrong try."""

    dependencies = [
        ("club", "0011_club_facts"),
    ]

    operations = [
        migrations.CreateModel(
            name="TabletPin",
            fields=[
                (
                    "club",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="tablet_pin",
                        serialize=False,
                        to="club.club",
                    ),
                ),
                ("secret", models.CharField(max_length=128)),
            ],
        ),
        migrations.CreateModel(
            name="PinTry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("address", models.CharField(max_length=64)),
                ("tried", models.DateTimeField(db_index=True, default=django.utils.timezone.now)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="pin_tries", to="club.club"
                    ),
                ),
            ],
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
                    ("player withdrawn", "player withdrawn"),
                    ("player restored", "player restored"),
                    ("rank adjusted", "rank adjusted"),
                    ("adjustment withdrawn", "adjustment withdrawn"),
                    ("sheet entered", "sheet entered"),
                    ("sheet continued", "sheet continued"),
                    ("sheet checked", "sheet checked"),
                    ("rules set", "rules set"),
                    ("list published", "list published"),
                    ("member set", "member set"),
                    ("key set", "key set"),
                    ("zone set", "zone set"),
                    ("club set", "club set"),
                    ("tablet set", "tablet set"),
                    ("chain carried over", "chain carried over"),
                    ("person forgotten", "person forgotten"),
                ],
                max_length=30,
            ),
        ),
    ]
