"""What a club says of itself, what somebody wishes of all pages, and that backups were made."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    """Adds language and colour of clubs, the language of accounts, and a row a backup."""

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("club", "0010_zones"),
    ]

    operations = [
        migrations.CreateModel(
            name="Backup",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("made", models.DateTimeField(default=django.utils.timezone.now)),
                ("entries", models.BigIntegerField()),
                ("file", models.CharField(max_length=200)),
            ],
        ),
        migrations.CreateModel(
            name="Preference",
            fields=[
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="preference",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("language", models.CharField(blank=True, max_length=10)),
            ],
        ),
        migrations.AddField(
            model_name="club",
            name="colour",
            field=models.CharField(blank=True, default="", max_length=7),
        ),
        migrations.AddField(
            model_name="club",
            name="language",
            field=models.CharField(blank=True, default="", max_length=10),
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
                    ("club set", "club set"),
                    ("chain carried over", "chain carried over"),
                    ("person forgotten", "person forgotten"),
                ],
                max_length=30,
            ),
        ),
    ]
