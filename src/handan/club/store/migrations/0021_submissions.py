"""Files of results that members send in, until somebody accepts or returns them."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import handan.club.fields


class Migration(migrations.Migration):
    """Adds a row a file."""

    dependencies = [
        ("club", "0020_solved_lists"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Submission",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("file", models.CharField(max_length=200)),
                ("data", models.BinaryField(null=True)),
                ("answers", handan.club.fields.FactsField(default=dict)),
                ("title", models.CharField(blank=True, max_length=200)),
                ("games", models.PositiveIntegerField(default=0)),
                ("note", models.TextField(blank=True)),
                ("sent", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "decision",
                    models.PositiveSmallIntegerField(
                        choices=[(0, "waiting"), (1, "accepted"), (2, "returned"), (3, "taken back")], default=0
                    ),
                ),
                ("decided", models.DateTimeField(null=True)),
                ("word", models.TextField(blank=True)),
                ("first_entry", models.BigIntegerField(null=True)),
                ("last_entry", models.BigIntegerField(null=True)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="submissions", to="club.club"
                    ),
                ),
                (
                    "decided_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "sender",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="submissions",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("-pk",),
                "indexes": [models.Index(fields=["club", "decision"], name="submissions_that_wait")],
            },
        ),
    ]
