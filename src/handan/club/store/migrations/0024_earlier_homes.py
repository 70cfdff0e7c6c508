"""Countries and clubs that players have left."""

from django.db import migrations

from handan.club.fields import FactsField


class Migration(migrations.Migration):
    """Adds them to the players, none of whom has any in entries of before."""

    dependencies = [
        ("club", "0023_checkpoints_in_blocks"),
    ]

    operations = [
        migrations.AddField("player", "earlier_homes", FactsField(default=list)),
    ]
