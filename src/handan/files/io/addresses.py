"""Files that stand elsewhere: in a bucket of S3, Google or Azure, or on a web server; read within the same limits.

Buckets are read by pyarrow's own file systems, which find out who asks as the providers' programs do; web servers by
the standard library. What is read is held in memory, as a file of this machine is.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from handan.errors import InputError, one_line, shown
from handan.files.io.limits import Limits

ADDRESS = re.compile(r"([A-Za-z][A-Za-z0-9+.-]{1,40}):/+")  # two letters at least: one is a drive
BUCKETS = {"s3": "s3", "gs": "gs", "gcs": "gs", "az": "abfss", "abfs": "abfss", "abfss": "abfss"}
"""What people write, and what pyarrow calls it."""
NEEDS = "{} is read with pyarrow: pip install 'handan[cloud]'"
WHO = {
    "s3": "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or ~/.aws",
    "gs": "GOOGLE_APPLICATION_CREDENTIALS, or gcloud auth application-default login",
    "abfss": "AZURE_STORAGE_ACCOUNT and AZURE_STORAGE_KEY in the address or the environment, or az login",
}
REFUSED = (
    "access_denied", "access denied", "forbidden", "unauthenticated", "permission", "credential", "signature",
    "invalid_access_key", "invalid access key", "authorization", "http status 401", "http status 403",
)  # fmt: skip
"""Words by which providers say that somebody may not."""
NO_BUCKET = (
    "no_such_bucket", "nosuchbucket", "bucket not found", "bucket does not exist", "containernotfound",
    "specified container does not exist",
)  # fmt: skip


def is_address(path: str | os.PathLike[str]) -> bool:
    """Return whether a path is an address such as `s3://bucket/games.csv` and no file of this machine."""
    return bool(ADDRESS.match(os.fspath(path))) and not os.path.lexists(path)


def address_of(path: str | os.PathLike[str]) -> str:
    """Return an address with both of its slashes, of which a `Path` keeps one."""
    return ADDRESS.sub(r"\1://", os.fspath(path), count=1)


def shown_address(address: str) -> str:
    """Return an address for messages: without keys that stand in it, or after its question mark."""
    parts = urlsplit(address)
    text = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
    return "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in text)


def refuse_address(path: str | os.PathLike[str]) -> None:
    """Refuse to write to an address; InputError."""
    if is_address(path):
        raise InputError(f"{shown_address(address_of(path))} is an address; files are written on this machine")


def files_at(address: str, limits: Limits) -> Iterator[tuple[str, Any, bool]]:
    """Yield the files that an address stands for: name, a function that opens it, and whether it was named itself.

    Raises:
        InputError: Nothing is there, it may not be read, or nothing reads such addresses.
    """
    scheme = urlsplit(address).scheme.lower()
    if scheme in ("https", "http"):
        from handan.files.io.web_pages import opened_page  # which loads what only web servers need

        yield shown_address(address), lambda: opened_page(address, shown_address(address)), True
    elif scheme in BUCKETS:
        yield from _in_bucket(address, BUCKETS[scheme], limits)
    else:
        raise InputError(
            f"{shown_address(address)}: addresses of {shown(scheme)} are not read; s3, gs, az and https are, else save "
            "what is there and give that file"
        )


def _in_bucket(address: str, scheme: str, limits: Limits) -> Iterator[tuple[str, Any, bool]]:
    """Yield the file of an address in a bucket, or those of the folder that it is, by name."""
    name = shown_address(address)
    try:
        from pyarrow import ArrowException, fs
    except ImportError:
        raise InputError(NEEDS.format(name)) from None
    faults = (OSError, ValueError, NotImplementedError, ArrowException)
    try:
        system, path = fs.FileSystem.from_uri(scheme + address[address.index(":") :])
        info = system.get_file_info(path)
        folder = info.type is fs.FileType.Directory
        inside = system.get_file_info(fs.FileSelector(path, recursive=True)) if folder else [info]
        bucket = system.get_file_info(path.partition("/")[0]) if info.type is fs.FileType.NotFound else info
    except faults as error:
        raise _refused(name, scheme, error) from None
    if bucket.type is fs.FileType.NotFound:
        raise InputError(f"{name}: there is no such bucket")
    if info.type is fs.FileType.NotFound:
        raise InputError(f"{name}: there is no such file, or it may not be seen")

    def opened(file: str) -> Any:
        try:
            return system.open_input_stream(file, compression=None)
        except faults as error:
            raise _refused(name, scheme, error) from None

    files = sorted(item.path for item in inside if item.type is fs.FileType.File)
    for number, file in enumerate(files, 1):
        limits.check("members", number, name)
        own = f"{name.rstrip('/')}{file.removeprefix(path.rstrip('/'))}"
        if not folder or not any(part.startswith(".") for part in file.removeprefix(path).split("/")):
            yield own, partial(opened, file), not folder


def _refused(name: str, scheme: str, error: Exception) -> InputError:
    """Return in one line why a bucket cannot be read."""
    text = str(error).lower()
    if any(word in text for word in NO_BUCKET):
        return InputError(f"{name}: there is no such bucket")
    if any(word in text for word in REFUSED):
        return InputError(f"{name}: access was refused; say who you are by {WHO[scheme]}")
    return InputError(f"{name} cannot be read: {one_line(error)}")
