"""The key that signs sessions and links: made once, kept beside the database, refused where others may know it."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from pathlib import Path

from django.utils import timezone

from handan.errors import InputError

SHORTEST = 50  # characters; those that Django's own check (security.W009) asks for
OTHERS = 0o077
GIT_LINK = "gitdir: "
REMEDY = "delete it, and the next start makes another (sessions and links that reset a password end)"


def signing_key(file: Path) -> str:
    """Return the key of a file, which is made if it is not there; InputError for a key that others may know."""
    if not file.parent.is_dir():
        raise InputError(f"folder {file.parent} is not there; make it first")
    if not file.exists():
        _make(file)
    for fault in key_faults(file):
        raise InputError(fault)
    return _text(file)


def refuse_short(key: str) -> None:
    """Refuse a key of the configuration that could be guessed."""
    if len(key) < SHORTEST:
        raise InputError(
            f"configuration: secret_key has {len(key)} characters; at least {SHORTEST} random ones are safe"
        )


def signed_by_another(key: str) -> bool:
    """Return whether the last session of the database bears another key's signature, as where two hosts differ."""
    from django.contrib.sessions.backends.db import SessionStore
    from django.contrib.sessions.models import Session
    from django.core import signing

    store = SessionStore()
    row = Session.objects.filter(expire_date__gt=timezone.now()).order_by("expire_date").last()
    if row is None:
        return False
    try:
        signing.loads(row.session_data, key=key, salt=store.key_salt, serializer=store.serializer)
    except signing.BadSignature:
        return True
    return False


def key_faults(file: Path) -> Iterator[str]:
    """Say why a key that is there cannot be trusted; nothing for a key that can."""
    if os.name == "posix" and file.stat().st_mode & OTHERS:
        yield f"{file}: others on this machine may read it; {REMEDY}"
    if _under_version_control(file):
        yield f"{file}: it is under version control, so that everybody with a copy has the key; git rm it: {REMEDY}"
    if len(_text(file)) < SHORTEST:
        yield f"{file}: this is no key of at least {SHORTEST} characters; {REMEDY}"


def _text(file: Path) -> str:
    """Return the key; empty for what is no text."""
    try:
        return file.read_text(encoding="ascii").strip()
    except UnicodeDecodeError:
        return ""


def _make(file: Path) -> None:
    """Make a key for its owner only; it gets its name once it is whole, and one that another made meanwhile stays."""
    part = file.with_name(f"{file.name}.{secrets.token_hex(8)}.part")
    try:
        with os.fdopen(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as out:
            out.write(secrets.token_urlsafe(SHORTEST))
            out.flush()
            os.fsync(out.fileno())
        try:
            os.link(part, file)
        except FileExistsError:
            return
        except OSError:  # a file system without hard links
            part.rename(file)
    finally:
        part.unlink(missing_ok=True)


def _under_version_control(file: Path) -> bool:
    """Return whether a git repository around a file lists it; its index is read, no program is run."""
    file = file.absolute()
    for folder in file.parents:
        git = folder / ".git"
        if git.is_file():  # a working tree beside the repository
            git = folder / git.read_text(encoding="utf-8", errors="replace").strip().removeprefix(GIT_LINK)
        if git.is_dir():
            index = git / "index"
            name = file.relative_to(folder).as_posix().encode()
            return index.is_file() and name + b"\x00" in index.read_bytes()
    return False
