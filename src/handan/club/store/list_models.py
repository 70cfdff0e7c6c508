"""Rating lists as rows: who stands where, and the games in blocks, from which each list goes on.

The games are the truth; a list can be thrown away and made again at any time.
"""

from __future__ import annotations

from collections.abc import Sequence
from secrets import token_hex
from typing import TYPE_CHECKING

from django.db import models

from handan.club.store.fact_models import Player
from handan.club.store.fields import FactsField

if TYPE_CHECKING:
    from handan.club.rules import Rules
    from handan.club.state import State

FORM = 9
"""Of the rows: another number where a version of Handan keeps other ones."""
NOW = ""
"""`RatingList.question` of the list of now: no other is ever shown."""
BESIDE = "beside "
"""What `RatingList.question` of every other list begins with: one that is being made, or was replaced."""


def question_of_new() -> str:
    """Return the question of a list that is being made beside that of now."""
    return f"{BESIDE}{token_hex(8)}"


def question_of_replaced(new: str) -> str:
    """Return the question of the list that was that of now, until one that was made under the question `new` came."""
    return f"{new} before"


class RatingLists(models.Manager["RatingList"]):
    """All lists of all clubs."""

    def current(self, club: models.Model) -> RatingList | None:
        """Return the list of now of a club without its largest columns, whatever entry it follows; None without one."""
        return self.filter(club=club.pk, question=NOW).defer("figures", "keys").first()


class RatingList(models.Model):
    """A list of a club: that of now, which goes on with each entry, or one that is made beside it or was replaced."""

    club = models.ForeignKey("club.Club", models.CASCADE, related_name="+")
    question = models.CharField(max_length=64, blank=True)
    """Which list of the club: `NOW`, or one that begins with `BESIDE`."""
    number = models.BigIntegerField()
    """The last entry that it follows."""
    digest = models.CharField(max_length=64)
    form = models.PositiveSmallIntegerField()
    """By which rules it is kept; other versions of Handan may keep other ones."""
    phases = FactsField()
    """The facts of the rules under which the games are rated, in the order of their dates."""
    keys = models.TextField(blank=True)
    """Keys of all players, a line each, in the order of registration: the numbers that blocks have."""
    last_player = models.BigIntegerField(default=0)
    """`Player.number` of the last of them."""
    carried = FactsField()
    """Adjustments with which players enter each of the rules."""
    figures = models.BinaryField(default=b"")
    """Figures of all players, from which the rows of those are told that differ."""
    summary = FactsField()
    """What the list says besides: warnings, notes, columns, games."""
    seconds = models.FloatField(default=0.0)
    """Seconds of a processor that it took to be made the last time."""
    solved_until = models.DateTimeField(null=True)
    """Until when a process keeps others from solving it too, see `list_jobs.py`; None: nobody does."""
    used = models.DateTimeField(auto_now=True)
    """When it was made, or who makes it last gave a sign of life."""
    objects = RatingLists()

    class Meta:
        """One list a question."""

        constraints = (models.UniqueConstraint(fields=("club", "question"), name="one_list_a_question"),)

    def __str__(self) -> str:
        """Return the number of the club, and that of the last entry that it follows."""
        return f"list of {self.club_id} after entry {self.number}"

    def stands_after(self, state: State) -> bool:
        """Whether it follows the last entry of a state, by whatever rules."""
        return (self.number, self.digest) == (state.number, state.head)

    def has_rules(self, phases: Sequence[Rules]) -> bool:
        """Whether the games are rated under these rules, and the rows are as this version keeps them."""
        return self.form == FORM and self.phases == [rules.as_rated() for rules in phases]

    def follows(self, state: State, phases: Sequence[Rules]) -> bool:
        """Whether it is that of a state, under these rules."""
        return self.stands_after(state) and self.has_rules(phases)


class Standing(models.Model):
    """Where a player stands in a list."""

    list = models.ForeignKey(RatingList, models.CASCADE, related_name="standings", db_index=False)
    player = models.ForeignKey(Player, models.CASCADE, related_name="standings")
    seat = models.BigIntegerField()
    """The number that blocks have for the player."""
    rating = models.FloatField(null=True)
    deviation = models.FloatField(null=True)
    rank = models.CharField(max_length=8, blank=True)
    rank_number = models.SmallIntegerField(null=True)
    """30k is 1 and 1d is 31, where the rank is a state of its own and does not follow from the rating."""
    games = models.BigIntegerField()
    wins = models.BigIntegerField()
    losses = models.BigIntegerField()
    draws = models.BigIntegerField()
    last_played = models.CharField(max_length=10, blank=True)
    last_updated = models.CharField(max_length=10, null=True)  # empty where the game has no date
    """Day of the game that was added last, not necessarily played last; None without a game."""
    pool = models.BigIntegerField(null=True)
    """Number of the group of players who met, at least through others; the largest is 1."""
    beside = FactsField()
    """Further figures that the list shows, by column."""

    class Meta:
        """One a player, and an index for each order in which they are read."""

        constraints = (models.UniqueConstraint(fields=("list", "player"), name="one_standing_a_player"),)
        indexes = (
            models.Index(
                "list", models.F("rank_number").desc(), models.F("rating").desc(), "seat", name="standings_by_rank"
            ),
            models.Index("list", models.F("rating").desc(), "seat", name="standings_by_rating"),
            models.Index("list", "seat", name="standings_by_seat"),
        )

    def __str__(self) -> str:
        """Return the row of the player, and the rating."""
        return f"{self.player_id}: {self.rating}"


class Block(models.Model):
    """Some thousand games of a list in playing order, none of which is rated together with one of another block."""

    list = models.ForeignKey(RatingList, models.CASCADE, related_name="blocks", db_index=False)
    position = models.PositiveIntegerField()
    phase = models.PositiveSmallIntegerField()
    """Under which of the rules."""
    ends = models.BigIntegerField(null=True)
    """Date of its last game, in milliseconds since 1970; None where none has a date."""
    games = models.PositiveIntegerField()
    facts = models.BinaryField()
    """What is known of the games, an Arrow file."""
    ratings = models.BinaryField()
    """Ratings before the games, and what they changed."""
    start = models.BinaryField(null=True)
    """What was known of its players at its start, from which a game is explained."""
    checkpoint = models.BinaryField(null=True)
    """What was known of all players at its start; kept for few blocks, the more of them the later."""

    class Meta:
        """In playing order."""

        ordering = ("position",)
        constraints = (models.UniqueConstraint(fields=("list", "position"), name="one_block_a_position"),)

    def __str__(self) -> str:
        """Return its position, and the row of its list."""
        return f"block {self.position} of {self.list_id}"
