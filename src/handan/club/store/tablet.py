"""The club's tablet: a number opens it for saving, without an account."""

from __future__ import annotations

import secrets
from datetime import timedelta

from django.conf import settings
from django.contrib.auth.hashers import check_password, make_password
from django.core import signing
from django.db import transaction
from django.utils import timezone

from handan.club.entries import Draft
from handan.club.kinds import Kind
from handan.club.state import State
from handan.club.store.access import Actor
from handan.club.store.clock import evening_day
from handan.club.store.idempotency import NOTHING, Sending
from handan.club.store.members import digest
from handan.club.store.models import Club, Entry, PinTry, Role, TabletPin
from handan.club.store.writing import RateLimitError, write
from handan.errors import Clause, InputError

SHORTEST, LONGEST = 6, 12  # digits; our choice: whoever may try a hundred a day finds six in a year in 4 of 100 cases
ROW = "012345678909876543210"
TRIES_AN_HOUR, TRIES_A_DAY = 5, 100  # our choice: wrong numbers of an address, and of all addresses for a club
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
EVENING = timedelta(hours=3)  # our choice: without a game for so long, the tablet asks for its PIN again


def has_pin(club: Club) -> bool:
    """Whether games can be saved on the club's tablet without an account."""
    return TabletPin.objects.filter(club=club).exists()


def set_pin(by: Actor, pin: str, sending: Sending = NOTHING) -> None:
    """Set the number that opens the tablet for saving, empty: none; the log says that it was set, not which it is."""
    by.need(Role.ADMINISTRATOR)
    chosen, is_new = _checked(pin.strip()) if pin.strip() else "", False

    def tablet_set(_: State) -> Draft:
        nonlocal is_new
        is_new = True
        if not chosen and not has_pin(by.club):
            raise InputError("the tablet has no PIN already; nothing was changed")
        return Draft(Kind.TABLET_SET, {"pin": bool(chosen)})

    with transaction.atomic():
        write(by.club, tablet_set, author=by.name, user=by.user, sending=sending.with_secret(chosen))
        if not is_new:  # the form was sent again; another PIN may have been set since
            return
        TabletPin.objects.filter(club=by.club).delete()
        PinTry.objects.filter(club=by.club).delete()
        if chosen:
            TabletPin.objects.create(club=by.club, secret=make_password(chosen))


def device_mark(club: Club) -> str:
    """Return what a device keeps on which the PIN was right: others who guess do not keep it out."""
    row = TabletPin.objects.filter(club=club).first()
    return "" if row is None else signing.dumps([secrets.token_hex(8), digest(row.secret)], salt=f"tablet {club.pk}")


def evening_mark(club: Club) -> str:
    """Return what a tablet keeps once its PIN was right: it is open until the evening ends or it rests for long."""
    row = TabletPin.objects.filter(club=club).first()
    return "" if row is None else signing.dumps([str(evening_day(club)), digest(row.secret)], salt=f"evening {club.pk}")


def is_open(club: Club, evening: str) -> bool:
    """Whether a tablet that keeps what `evening_mark` returned saves without its PIN."""
    row = TabletPin.objects.filter(club=club).first() if evening else None
    try:
        marked = signing.loads(evening, salt=f"evening {club.pk}", max_age=EVENING) if evening else None
    except signing.BadSignature:
        return False
    return row is not None and marked == [str(evening_day(club)), digest(row.secret)]


def tablet(club: Club, pin: str, address: str, mark: str = "", evening: str = "") -> Actor:
    """Return who saves on the club's tablet without an account.

    Args:
        club: Whose tablet.
        pin: The number that was typed.
        address: Where from.
        mark: What the device keeps, as `device_mark` made it; empty for none.
        evening: What it keeps of this evening, as `evening_mark` made it; without a PIN it is enough.

    Raises:
        InputError: The number is not right.
        RateLimitError: An address, or all together, typed too many that were not, or games come too fast.
    """
    row = TabletPin.objects.filter(club=club).first()
    if row is None:
        raise InputError("the tablet has no PIN; an administrator sets one in the office")
    if not pin.strip() and is_open(club, evening):
        _not_too_often(club)
        return Actor(club, Role.KEEPER, tablet=True)
    device = _device(row, mark)
    own = PinTry.objects.create(club=club, address=digest(f"{settings.SECRET_KEY} {device or address}"))
    PinTry.objects.filter(tried__lt=own.tried - DAY).delete()
    tries = PinTry.objects.filter(club=club, tried__lte=own.tried)  # later ones are of a clock that was ahead
    of_address = tries.filter(address=own.address, tried__gt=own.tried - HOUR)
    if of_address.count() > TRIES_AN_HOUR or (not device and tries.count() > TRIES_A_DAY):
        own.delete()
        raise RateLimitError("too many wrong numbers; wait an hour, or sign in")
    if not check_password(pin.strip(), row.secret):
        raise InputError("that is not the PIN of the tablet")
    tries.filter(address=own.address).delete()
    _not_too_often(club)
    return Actor(club, Role.KEEPER, tablet=True)


def _device(row: TabletPin, mark: str) -> str:
    """Return which device a mark was made for, empty for one that is none, or was made before another PIN was set."""
    try:
        device, secret = signing.loads(mark, salt=f"tablet {row.pk}") if mark else ("", "")
    except signing.BadSignature:
        return ""
    return str(device) if secret == digest(row.secret) else ""


def _checked(pin: str) -> str:
    """Return a number that can be set; InputError for one that is too short, or the first that anybody tries."""
    if not (pin.isascii() and pin.isdecimal() and SHORTEST <= len(pin) <= LONGEST):
        raise InputError(Clause.of("a PIN has {least} to {most} digits", least=SHORTEST, most=LONGEST))
    if len(set(pin)) < 3 or pin in ROW:
        raise InputError("a PIN is no row of digits, nor one digit over and over")
    return pin


def _not_too_often(club: Club) -> None:
    """Refuse a tablet on which too much was saved within a minute."""
    now = timezone.now()
    minute = (now - timedelta(minutes=1), now)  # not later, as when clocks were ahead
    written = Entry.objects.filter(club=club, user=None, account="", entered__range=minute)
    if written.values("entered").distinct().count() >= settings.WRITES_A_MINUTE:
        raise RateLimitError("too many changes within a minute; wait a little")
