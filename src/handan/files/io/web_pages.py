"""Files on web servers, read by the standard library; apart, so that files of this machine load none of it."""

from __future__ import annotations

from base64 import b64encode
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import unquote, urlsplit, urlunsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from handan.errors import InputError, one_line

PATIENCE = 60.0  # seconds without an answer of a web server; our choice


class _NeverInTheClear(HTTPRedirectHandler):
    """Does not follow from https to http."""

    def redirect_request(self, req: Request, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> Request | None:
        """Return the request of the page to which an answer points."""
        if urlsplit(newurl).scheme not in ("https", "http") or (
            req.type == "https" and not newurl.startswith("https:")
        ):
            raise URLError("it points to a page that is not read by https")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def opened_page(address: str, name: str) -> Any:
    """Open a page that messages call by a name; InputError where there is none."""
    parts = urlsplit(address)
    user, _, host = parts.netloc.rpartition("@")
    who = {"Authorization": f"Basic {b64encode(unquote(user).encode()).decode()}"} if user else {}
    try:
        request = Request(urlunsplit(parts._replace(netloc=host, fragment="")))  # noqa: S310  # https and http alone
        for header, value in who.items():
            request.add_unredirected_header(header, value)
        return build_opener(_NeverInTheClear).open(request, timeout=PATIENCE)
    except HTTPError as error:
        error.close()
        what = {404: "there is no such file", 401: "access was refused", 403: "access was refused"}
        raise InputError(f"{name}: {what.get(error.code, 'the server answers')} (status {error.code})") from None
    except (URLError, HTTPException, OSError, ValueError) as error:
        raise InputError(f"{name} cannot be read: {one_line(getattr(error, 'reason', error))}") from None
