"""Which game was added last is found by an index; a player without a game has no day of the last one."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("club", "0015_rating_lists"),
    ]

    operations = [
        migrations.AlterField(
            model_name="standing",
            name="last_updated",
            field=models.CharField(max_length=10, null=True),
        ),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(fields=["club", "added", "line"], name="games_by_moment"),
        ),
    ]
