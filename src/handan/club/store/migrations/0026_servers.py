"""Whose ranks the players of a game have."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """Adds the server of a game, empty: no entry has said one."""

    dependencies = [
        ("club", "0025_categories_by_age"),
    ]

    operations = [
        migrations.AddField("game", "server", models.TextField(blank=True, default="")),
    ]
