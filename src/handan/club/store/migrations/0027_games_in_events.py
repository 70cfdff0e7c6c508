"""What the calendar counts, in the order of an index."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """Games of events are in an index with all that the calendar reads of them."""

    dependencies = [("club", "0026_servers")]

    operations = [
        migrations.RemoveIndex(model_name="game", name="games_of_event"),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(
                condition=models.Q(("event", ""), _negated=True),
                fields=["club", "event", "date", "kind", "status"],
                name="games_in_events",
            ),
        ),
    ]
