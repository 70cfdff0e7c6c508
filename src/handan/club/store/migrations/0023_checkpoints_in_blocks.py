from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("club", "0022_register_and_card_codes"),
    ]

    operations = [
        migrations.DeleteModel(name="Checkpoint"),
        migrations.AddField("block", "checkpoint", models.BinaryField(null=True)),
    ]
