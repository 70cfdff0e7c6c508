"""How players belong to the club, and by what the codes on cards are signed."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """Adds a row a player, and a row a club."""

    dependencies = [
        ("club", "0021_submissions"),
    ]

    operations = [
        migrations.CreateModel(
            name="CardKey",
            fields=[
                (
                    "club",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="card_key",
                        serialize=False,
                        to="club.club",
                    ),
                ),
                ("secret", models.CharField(max_length=64)),
                ("editions", models.JSONField(default=dict)),
            ],
        ),
        migrations.CreateModel(
            name="Subscription",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("player", models.CharField(max_length=64)),
                ("is_guest", models.BooleanField(default=False)),
                ("left", models.DateField(null=True)),
                ("paid_until", models.DateField(null=True)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="subscriptions", to="club.club"
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("club", "player"), name="one_subscription_a_player")],
            },
        ),
    ]
