"""Entries of a kind are found by an index; a list keeps what solving it took, and until when somebody does."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("club", "0019_attendance"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="entry",
            index=models.Index(fields=["club", "kind", "number"], name="entries_of_a_kind"),
        ),
        migrations.AddField(
            model_name="ratinglist",
            name="seconds",
            field=models.FloatField(default=0.0),
        ),
        migrations.AddField(
            model_name="ratinglist",
            name="solved_until",
            field=models.DateTimeField(null=True),
        ),
    ]
