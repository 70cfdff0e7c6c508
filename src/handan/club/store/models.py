"""What is stored of clubs: entries, which are only ever added, and who may write them; facts and lists follow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.validators import RegexValidator
from django.db import models
from django.utils import timezone

from handan.club.entries import FORMER, GENESIS, Record, opened
from handan.club.kinds import Kind
from handan.club.store.fact_models import Adjustment, ClubState, Event, Game, Player, Sheet
from handan.club.store.fields import FactsField
from handan.club.store.list_models import Block, RatingList, Standing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.contrib.auth.models import User as User  # noqa: PLC0414  # for those who know no Django

AT_ONCE = 5_000  # our choice: entries that are read together


class Role(models.IntegerChoices):
    """What a member may do; each role may do what those before it may."""

    VISITOR = 0, "visitor"
    PLAYER = 1, "player"
    KEEPER = 2, "result keeper"
    SECRETARY = 3, "secretary"
    OFFICER = 4, "federation officer"
    ADMINISTRATOR = 5, "administrator"


class Openness(models.IntegerChoices):
    """What visitors, who are no members, see of a club."""

    CLOSED = 0, "closed"
    LADDER = 1, "ladder only"
    OPEN = 2, "open"


class Club(models.Model):
    """A club, or a federation of clubs, with its ledger."""

    slug = models.CharField(
        max_length=40,
        unique=True,
        validators=[RegexValidator(r"^[a-z][a-z0-9-]*$", "Small letters, digits and hyphens, a letter first.")],
    )
    name = models.CharField(max_length=200)
    federation = models.ForeignKey("self", models.PROTECT, null=True, blank=True, related_name="clubs")
    number = models.BigIntegerField(default=0)
    """`Entry.number` of the last entry; 0 before the first."""
    digest = models.CharField(max_length=64, default=GENESIS)
    """`Entry.digest` of the last entry."""
    open_log = models.BooleanField(default=False)
    """Whether visitors may read the log; members always may."""
    zone = models.CharField(max_length=64, blank=True, default="")
    """The zone in which the club's days begin, as its last entry about it says; empty: the server's."""
    language = models.CharField(max_length=10, blank=True, default="")
    """The language of its pages for who has chosen none; empty: the browser's."""
    colour = models.CharField(max_length=7, blank=True, default="")
    """Its colour, `#rrggbb`; empty: that of all."""
    categories = models.CharField(max_length=60, blank=True, default="")
    """Categories by age, such as `U12 U20`; empty: the club asks nobody when they were born."""
    openness = models.PositiveSmallIntegerField(choices=Openness.choices, default=Openness.OPEN)
    """What visitors see of the club."""
    forgotten = models.BigIntegerField(default=0)
    """`Entry.number` of the last one by which somebody was forgotten, 0 for none; each process drops older states."""

    class Meta:
        """In order of names."""

        ordering = ("name",)

    def __str__(self) -> str:
        """Return the name of the club."""
        return self.name


class ClubKey(models.Model):
    """The key pair by which a club signs its lists and exports; the private key is on no page, in no export or log."""

    club = models.OneToOneField(Club, models.CASCADE, related_name="key")
    public = models.CharField(max_length=64)
    private = models.CharField(max_length=64)

    def __str__(self) -> str:
        """Return the public key."""
        return self.public


class EntryManager(models.Manager["Entry"]):
    """Entries with what tells who somebody is in them."""

    def get_queryset(self) -> models.QuerySet[Entry]:
        """Read both tables at once."""
        return super().get_queryset().select_related("personal")


class Entry(models.Model):
    """An entry of a club's ledger. The database refuses to change or delete one."""

    club = models.ForeignKey(Club, models.PROTECT, related_name="entries")
    number = models.BigIntegerField()
    kind = models.CharField(max_length=30, choices=[(str(kind), str(kind)) for kind in Kind])
    subject = models.CharField(max_length=64, blank=True)
    facts = FactsField()
    """Without what tells who somebody is; `record` has the whole ones."""
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    entered = models.DateTimeField()
    previous = models.CharField(max_length=64)
    digest = models.CharField(max_length=64)
    token = models.CharField(max_length=64, null=True)  # several entries without a token are allowed
    """A form's own mark, so that sending it twice writes once."""
    account = models.CharField(max_length=64, default="", blank=True)
    """The key of `user`, which is inside the digest."""
    format = models.PositiveSmallIntegerField(default=1)
    """What the digest is made of."""
    sealed = FactsField(default=dict)
    """Salted digests of the personal and free texts, by their places."""
    objects = EntryManager()

    class Meta:
        """In order of writing."""

        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(fields=("club", "number"), name="one_entry_a_number"),
            models.UniqueConstraint(fields=("club", "token"), name="one_entry_a_token"),
        )
        indexes = (
            models.Index(fields=("club", "subject", "number"), name="entries_of_a_subject"),
            models.Index(fields=("user", "entered"), name="entries_of_a_user"),
            models.Index(fields=("club", "kind", "number"), name="entries_of_a_kind"),
        )

    def __str__(self) -> str:
        """Return its number in the ledger, and its kind."""
        return f"{self.number} {self.kind}"

    def delete(self, *_: Any, **__: Any) -> tuple[int, dict[str, int]]:
        """Refuse."""
        raise TypeError("entries of a ledger are never deleted; write one that withdraws it")

    @property
    def kept(self) -> dict[str, list[Any]]:
        """Salt and text of what tells who somebody is, by its place."""
        row: PersonalText | None = getattr(self, "personal", None)
        return {} if row is None else row.texts

    @property
    def author(self) -> str:
        """Name of the account that wrote it, as it was then; of somebody who was forgotten, that."""
        return str(self.kept["author"][1]) if "author" in self.kept else FORMER if "author" in self.sealed else ""

    @property
    def reason(self) -> str:
        """Why it was written; empty if nobody said so, or the word is kept no longer."""
        return str(self.kept["reason"][1]) if "reason" in self.kept else ""

    @property
    def record(self) -> Record:
        """The entry as the rules of the ledger know it."""
        salts = {place: salt for place, (salt, _) in self.kept.items()}
        texts = {place: text for place, (_, text) in self.kept.items()}
        facts = opened(self.kind, self.facts, self.sealed, texts, salts)
        return Record(
            self.number, Kind(self.kind), self.subject, facts, self.author, self.entered, self.reason, self.previous,
            self.digest, self.account, self.token or "", self.format, self.sealed, salts,
        )  # fmt: skip


class IdempotencyKey(models.Model):
    """The token of a form or call that was carried out, and what it said, which tells a repetition from a change."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="idempotency_keys")
    token = models.CharField(max_length=64)
    account = models.CharField(max_length=64, blank=True)
    """The key of the account that sent it."""
    content = models.CharField(max_length=64)
    """SHA-256 of what was sent."""
    answer = models.TextField(blank=True)
    """What the answer is made of again, where the ledger does not say it; never a secret by itself."""
    created = models.DateTimeField(default=timezone.now)

    class Meta:
        """One a token."""

        constraints = (models.UniqueConstraint(fields=("club", "token"), name="one_content_a_token"),)

    def __str__(self) -> str:
        """Return the token."""
        return self.token


class PersonalText(models.Model):
    """What tells who somebody is in an entry, apart from its facts: it goes when a person is forgotten."""

    entry = models.OneToOneField(Entry, models.CASCADE, primary_key=True, related_name="personal")
    texts = FactsField()
    """Salt and text by the place where it belongs: `author`, `reason`, `person`, `notes`, `names.p3` …"""

    def __str__(self) -> str:
        """Return which entry the texts belong to."""
        return f"texts of entry {self.entry_id}"


class Shown(models.Model):
    """How a player is shown to visitors, where it is not by name."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="shown")
    player = models.CharField(max_length=64)
    """Key of the player in the club's ledger."""
    name = models.CharField(max_length=200, blank=True)
    """Another name; empty: none at all."""

    class Meta:
        """One row for each player."""

        constraints = (models.UniqueConstraint(fields=("club", "player"), name="shown_one_way"),)

    def __str__(self) -> str:
        """Return the key of the player, and the number of the club."""
        return f"{self.player} of {self.club_id}"


class ForgetRequest(models.Model):
    """That a member asks to be forgotten; a secretary answers it."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="forget_requests")
    player = models.CharField(max_length=64)
    requested = models.DateTimeField(default=timezone.now)

    class Meta:
        """One row for each player."""

        constraints = (models.UniqueConstraint(fields=("club", "player"), name="asks_once"),)

    def __str__(self) -> str:
        """Return the key of the player, and the number of the club."""
        return f"{self.player} of {self.club_id}"


class TabletPin(models.Model):
    """The number that is typed on the club's tablet before a game is saved there without an account."""

    club = models.OneToOneField(Club, models.CASCADE, primary_key=True, related_name="tablet_pin")
    secret = models.CharField(max_length=128)
    """Its salted hash, as of a password."""

    def __str__(self) -> str:
        """Return which club it belongs to."""
        return f"of {self.pk}"


class PinTry(models.Model):
    """That an address typed a number that was not right; kept for a day, to brake those who guess."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="pin_tries")
    address = models.CharField(max_length=64)
    """Its digest."""
    tried = models.DateTimeField(default=timezone.now, db_index=True)

    def __str__(self) -> str:
        """Return the moment of the try."""
        return f"{self.tried}"


class CardKey(models.Model):
    """By what the codes on members' cards are signed; where a club has none, cards do not open by a code."""

    club = models.OneToOneField(Club, models.CASCADE, primary_key=True, related_name="card_key")
    secret = models.CharField(max_length=64)
    editions = models.JSONField(default=dict)
    """How often the code of a player was made anew, by key; those who never needed it are not here."""

    def __str__(self) -> str:
        """Return which club it belongs to."""
        return f"card codes of {self.club_id}"


class Attendance(models.Model):
    """That a player is at the club on a day, and against whom they sit down to play; no fact of the ledger."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="attendances")
    player = models.CharField(max_length=64)
    """Key of the player in the club's ledger."""
    day = models.DateField()
    """The club's day."""
    arrived = models.DateTimeField(default=timezone.now)
    left = models.DateTimeField(null=True)
    """When they went home; None: they are still there."""
    opponent = models.CharField(max_length=64, blank=True)
    """Key of whom they play; empty: nobody."""
    began = models.DateTimeField(null=True)
    """When that game began."""

    class Meta:
        """One row for each player and day."""

        constraints = (models.UniqueConstraint(fields=("club", "day", "player"), name="here_once_a_day"),)

    def __str__(self) -> str:
        """Return the key of the player, and the day."""
        return f"{self.player} on {self.day}"


class Subscription(models.Model):
    """How a player belongs to the club: as a guest, until when paid, and since when no more; no fact of the ledger."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="subscriptions")
    player = models.CharField(max_length=64)
    """Key of the player in the club's ledger."""
    is_guest = models.BooleanField(default=False)
    left = models.DateField(null=True)
    """The day on which they left; None: they did not."""
    paid_until = models.DateField(null=True)
    born = models.PositiveSmallIntegerField(null=True)
    """The year of birth, where the club has categories by age."""

    class Meta:
        """One row for each player."""

        constraints = (models.UniqueConstraint(fields=("club", "player"), name="one_subscription_a_player"),)

    def __str__(self) -> str:
        """Return the key of the player."""
        return self.player


class Membership(models.Model):
    """What a user may do in a club, and which player they are."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships")
    club = models.ForeignKey(Club, models.CASCADE, related_name="memberships")
    role = models.PositiveSmallIntegerField(choices=Role.choices, default=Role.PLAYER)
    player = models.CharField(max_length=64, blank=True)
    """Key of the player in the club's ledger."""

    class Meta:
        """One role a club."""

        constraints = (models.UniqueConstraint(fields=("user", "club"), name="one_role_a_club"),)

    def __str__(self) -> str:
        """Return the account, and its role."""
        return f"{self.user}: {self.get_role_display()}"


class Invitation(models.Model):
    """A link by which somebody becomes a member, once. Only the digest of its secret is kept."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="invitations")
    role = models.PositiveSmallIntegerField(choices=Role.choices)
    player = models.CharField(max_length=64, blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    """Who made it; None: the server's own commands."""
    secret = models.CharField(max_length=64, unique=True)
    created = models.DateTimeField(default=timezone.now)
    expires = models.DateTimeField()
    used = models.DateTimeField(null=True)

    def __str__(self) -> str:
        """Return the role, and the club."""
        return f"{self.get_role_display()} of {self.club}"


class Decision(models.IntegerChoices):
    """What became of a file of results that was sent in."""

    WAITING = 0, "waiting"
    ACCEPTED = 1, "accepted"
    RETURNED = 2, "returned"
    TAKEN_BACK = 3, "taken back"


class Submission(models.Model):
    """A file of results that a member sends in, who may not enter it; no fact of the ledger until it is accepted."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="submissions")
    sender = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="submissions")
    file = models.CharField(max_length=200)
    """Its name."""
    data = models.BinaryField(null=True)
    """The file itself, as long as it waits."""
    answers = FactsField(default=dict)
    """What the sender answered where the file can be read in several ways, by the options of reading."""
    title = models.CharField(max_length=200, blank=True)
    """The events that it tells of."""
    games = models.PositiveIntegerField(default=0)
    note = models.TextField(blank=True)
    """What the sender says of it."""
    sent = models.DateTimeField(default=timezone.now)
    decision = models.PositiveSmallIntegerField(choices=Decision.choices, default=Decision.WAITING)
    decided = models.DateTimeField(null=True)
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    word = models.TextField(blank=True)
    """What they say of it."""
    first_entry = models.BigIntegerField(null=True)
    """The first entry by which it was accepted."""
    last_entry = models.BigIntegerField(null=True)

    class Meta:
        """Latest first."""

        ordering = ("-pk",)
        indexes = (models.Index(fields=("club", "decision"), name="submissions_that_wait"),)

    def __str__(self) -> str:
        """Return the name of the file, and the number of the club."""
        return f"{self.file} to {self.club_id}"


class Scope(models.IntegerChoices):
    """What a token allows; never more than its owner's role."""

    READ = 1, "read"
    WRITE = 2, "write"
    ADMINISTER = 3, "administer"


class AccessToken(models.Model):
    """A key for programs that act for a user. Only its digest is kept."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="access_tokens")
    name = models.CharField(max_length=100)
    scope = models.PositiveSmallIntegerField(choices=Scope.choices, default=Scope.READ)
    secret = models.CharField(max_length=64, unique=True)
    created = models.DateTimeField(default=timezone.now)  # not auto_now_add, which a copy would overwrite
    last_used = models.DateTimeField(null=True)
    expires = models.DateTimeField(null=True)

    def __str__(self) -> str:
        """Return the name that its owner gave it."""
        return self.name


class PasswordLink(models.Model):
    """A link by which the owner of an account sets a new password, once. Only the digest of its secret is kept."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="password_links")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    """Who made it; None: it was sent by mail."""
    secret = models.CharField(max_length=64, unique=True)
    created = models.DateTimeField(default=timezone.now)
    expires = models.DateTimeField()
    used = models.DateTimeField(null=True)

    def __str__(self) -> str:
        """Return whose password it renews."""
        return f"new password of {self.user}"


class ResetRequest(models.Model):
    """That an address asked for such a link by mail; kept for an hour, to brake those who ask often."""

    address = models.CharField(max_length=64, db_index=True)
    requested = models.DateTimeField(default=timezone.now, db_index=True)

    def __str__(self) -> str:
        """Return the moment of the request."""
        return f"{self.requested}"


class SignIn(models.Model):
    """A session of an account, from signing in to signing out; a session whose row is gone has ended."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="sign_ins")
    created = models.DateTimeField(default=timezone.now)
    last_used = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        """Return the account, and when the session began."""
        return f"{self.user} since {self.created}"


class Preference(models.Model):
    """What somebody wishes of all pages and mails, in whatever club."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="preference")
    language = models.CharField(max_length=10, blank=True)
    """Empty: that of the club, else of the browser."""

    def __str__(self) -> str:
        """Return whose wishes they are."""
        return f"of {self.user}"


class Backup(models.Model):
    """That a backup was made, and verified by replay."""

    made = models.DateTimeField(default=timezone.now)
    entries = models.BigIntegerField()
    file = models.CharField(max_length=200)
    """Its name, without the folder."""

    def __str__(self) -> str:
        """Return the name of the file."""
        return self.file


Entries = models.QuerySet[Entry]
Memberships = models.QuerySet[Membership]
Submissions = models.QuerySet[Submission]
Invitations = models.QuerySet[Invitation]
OF_FACTS = (ClubState, Player, Game, Adjustment, Sheet, Event)
"""The tables that follow the entries; see `fact_models`."""


def records_of(entries: Entries) -> Iterator[Record]:
    """Go through entries in order, as the rules of the ledger know them."""
    return (entry.record for entry in entries.order_by("number").iterator(AT_ONCE))


OF_LISTS = (RatingList, Standing, Block)
"""The tables that follow those; see `list_models`."""
