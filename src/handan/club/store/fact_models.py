"""The club's facts as rows: players, games, adjustments and record sheets as the entries of its ledger leave them.

The entries are the truth. These rows follow them in the transaction of each entry and can be made anew at any time;
`handan club verify` compares them with what the entries come to.
"""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from handan.club.store.fields import FactsField


class ClubState(models.Model):
    """Up to which entry the rows of a club follow its ledger, and what the entries come to besides the other tables."""

    club = models.OneToOneField("club.Club", models.CASCADE, primary_key=True, related_name="+")
    form = models.PositiveSmallIntegerField()
    """By which rules the rows are made; other versions of Handan may make other ones."""
    number = models.BigIntegerField()
    """The last entry that they follow."""
    digest = models.CharField(max_length=64)
    rules = FactsField()
    """The facts of each of the rules, in the order of their dates."""
    lists = FactsField()
    """Number, entry, day, label and system of each official list."""
    key = models.CharField(max_length=64, blank=True)
    """The public key that signs the lists."""
    zone = models.CharField(max_length=64, blank=True)
    sources = FactsField()
    """Of a federation: short name, last entry and digest of each club up to which its ledger was read."""
    strangers = FactsField()
    """Mergers of players who are not registered: of clubs of a federation that are not at hand."""

    class Meta:
        """Without names of its own."""

        verbose_name = "state of a club"

    def __str__(self) -> str:
        """Of which club, up to where."""
        return f"of {self.pk} after entry {self.number}"


class Player(models.Model):
    """A player as the last entry about them says; also those who were merged into another, or withdrawn."""

    club = models.ForeignKey("club.Club", models.CASCADE, related_name="+", db_index=False)
    key = models.CharField(max_length=64)
    number = models.BigIntegerField()
    """Place in the order of registration."""
    name = models.TextField()
    reading = models.TextField(blank=True)
    country = models.TextField(blank=True)
    home = models.TextField(blank=True)
    """Their club, as it is written in the ledger."""
    ids = FactsField()
    """Numbers in registers, such as `egd:17076590`."""
    earlier_homes = FactsField(default=list)
    """Day until which, country and club, oldest first."""
    entry = models.BigIntegerField()
    """The last entry about them."""
    merged_into = models.CharField(max_length=64, blank=True)
    """Key of the player who they were found to be; empty: nobody else."""
    withdrawn = models.BooleanField(default=False)
    """Whether they were entered by mistake."""
    stem = models.TextField()
    """The name up to a blank and a bracket, by which labels that could look alike stand together."""
    sorted_as = models.TextField()
    """The reading and the name, folded: the order in which lists of people stand."""
    wholes = models.TextField()
    """This one and the next three: the name as a search looks through it, see `Spelt`."""
    sounds = models.TextField()
    words = models.TextField()
    heard = models.TextField()

    class Meta:
        """In the order of registration."""

        ordering = ("number",)
        constraints = (models.UniqueConstraint(fields=("club", "key"), name="one_player_a_key"),)
        indexes = (
            models.Index(fields=("club", "number"), name="players_in_order"),
            models.Index(fields=("club", "stem"), name="players_of_a_stem"),
            models.Index(
                fields=("club",), name="players_of_another_state", condition=~Q(merged_into="") | Q(withdrawn=True)
            ),
        )

    def __str__(self) -> str:
        """The key."""
        return self.key


class Game(models.Model):
    """A game as the last entry about it says."""

    club = models.ForeignKey("club.Club", models.CASCADE, related_name="+", db_index=False)
    line = models.BigIntegerField()
    """The number in its key: that of the entry that recorded it."""
    black = models.CharField(max_length=64)
    """Key of the player, as the entry says it; `Player.merged_into` tells who that was found to be."""
    white = models.CharField(max_length=64)
    date = models.BigIntegerField(null=True)
    """Milliseconds since 1970 by the clock at the club; None where the day is not known."""
    precision = models.PositiveSmallIntegerField()
    """How many characters of the date in ISO 8601 are known."""
    result = models.TextField()
    handicap = models.SmallIntegerField(null=True)
    komi = models.FloatField(null=True)
    size = models.PositiveSmallIntegerField(null=True)
    kind = models.TextField(blank=True)
    event = models.TextField(blank=True)
    round = models.IntegerField(null=True)
    black_rank = models.TextField(blank=True)
    white_rank = models.TextField(blank=True)
    server = models.TextField(blank=True, default="")
    moves = models.IntegerField(null=True)
    notes = models.TextField(blank=True)
    status = models.PositiveSmallIntegerField()
    """0: it counts, 1: withdrawn, 2: it waits for confirmation, 3: it waits and the opponent objects."""
    latest = models.BigIntegerField()
    """The last entry about it."""
    added = models.BigIntegerField(null=True)
    """Microseconds since 1970 of the entry that recorded it."""
    unconfirmed = models.BooleanField(default=False)
    """Whether it never was confirmed though it should be."""

    class Meta:
        """In the order of entry."""

        ordering = ("line",)
        constraints = (models.UniqueConstraint(fields=("club", "line"), name="one_game_a_line"),)
        indexes = (
            models.Index(fields=("club", "black", "date"), name="games_of_black"),
            models.Index(fields=("club", "white", "date"), name="games_of_white"),
            models.Index(fields=("club", "date", "line"), name="games_by_date"),
            models.Index(fields=("club", "latest"), name="games_by_last_entry"),
            models.Index(fields=("club", "added", "line"), name="games_by_moment"),
            models.Index(fields=("club", "status"), name="games_not_counting", condition=~Q(status=0)),
            models.Index(
                fields=("club", "event", "date", "kind", "status"), name="games_in_events", condition=~Q(event="")
            ),
        )

    def __str__(self) -> str:
        """The key."""
        return f"g{self.line}"


class Adjustment(models.Model):
    """A rank or rating set by hand."""

    club = models.ForeignKey("club.Club", models.CASCADE, related_name="+", db_index=False)
    key = models.CharField(max_length=64)
    number = models.BigIntegerField()
    """Place in the order of entry."""
    player = models.CharField(max_length=64)
    facts = FactsField()
    withdrawn = models.BooleanField(default=False)
    set_aside = models.CharField(max_length=64, blank=True)
    """Key of the player whose merger into one with ranks of their own took its effect."""

    class Meta:
        """In the order of entry."""

        ordering = ("number",)
        constraints = (models.UniqueConstraint(fields=("club", "key"), name="one_adjustment_a_key"),)
        indexes = (models.Index(fields=("club", "player"), name="adjustments_of_a_player"),)

    def __str__(self) -> str:
        """The key."""
        return self.key


class Sheet(models.Model):
    """A record sheet, with its games and the entries about it."""

    club = models.ForeignKey("club.Club", models.CASCADE, related_name="+", db_index=False)
    key = models.CharField(max_length=64)
    number = models.BigIntegerField()
    """Place in the order of entry."""
    lines = FactsField()
    """Number on the paper and key of each game."""
    parts = FactsField()
    """Entries by which its games were entered."""
    checks = FactsField()
    """Entries by which somebody compared it with the paper, without those that were taken back."""
    withdrawals = FactsField()
    """Entries by which checks were taken back."""

    class Meta:
        """In the order of entry."""

        ordering = ("number",)
        constraints = (models.UniqueConstraint(fields=("club", "key"), name="one_sheet_a_key"),)

    def __str__(self) -> str:
        """The key."""
        return self.key


class Event(models.Model):
    """A tournament or another event as the last entry about it says."""

    club = models.ForeignKey("club.Club", models.CASCADE, related_name="+", db_index=False)
    key = models.CharField(max_length=64)
    number = models.BigIntegerField()
    """Place in the order of entry."""
    entry = models.BigIntegerField()
    """The last entry about it."""
    name = models.TextField()
    """That of its games."""
    first = models.BigIntegerField()
    """Milliseconds since 1970 of the start of its first day, by the clock at the club."""
    until = models.BigIntegerField()
    """Those of the last second of its last day."""
    country = models.TextField(blank=True)
    kind = models.TextField(blank=True)
    """Class of the tournament, as that of its games."""
    players = models.TextField(blank=True)
    """Keys of all who take part, with a blank before and behind each."""
    facts = FactsField()
    withdrawn = models.BooleanField(default=False)

    class Meta:
        """In the order of entry."""

        ordering = ("number",)
        constraints = (models.UniqueConstraint(fields=("club", "key"), name="one_event_a_key"),)
        indexes = (
            models.Index(fields=("club", "name", "first"), name="events_of_a_name"),
            models.Index(fields=("club", "first"), name="events_by_day"),
        )

    def __str__(self) -> str:
        """The key."""
        return self.key
