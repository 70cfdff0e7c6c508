"""Categories by age, and the years of birth of which they are told."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """Adds both, empty: no club asks until it has categories."""

    dependencies = [
        ("club", "0024_earlier_homes"),
    ]

    operations = [
        migrations.AddField("club", "categories", models.CharField(blank=True, default="", max_length=60)),
        migrations.AddField("subscription", "born", models.PositiveSmallIntegerField(null=True)),
    ]
