"""What is known of all players at a checkpoint is their state, as in the code."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("club", "0016_games_by_moment"),
    ]

    operations = [
        migrations.RenameField(model_name="checkpoint", old_name="known", new_name="state"),
    ]
