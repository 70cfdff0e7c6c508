"""What every call starts from: the token or session of who asks, the club, and the answers to errors."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from datetime import date
from functools import cache, partial, wraps
from typing import Any, ParamSpec, get_type_hints

from django.http import Http404, HttpRequest, HttpResponse
from ninja import NinjaAPI, Path, Router
from ninja.errors import AuthenticationError, HttpError, ValidationError
from ninja.openapi.schema import OpenAPISchema
from ninja.params.models import Query as OfQuery
from ninja.security import HttpBearer, SessionAuth

from handan.club.names import NotInClubError
from handan.club.new_games import TwinError
from handan.club.record_sheet import Looked
from handan.club.service.looking import Look, need_look
from handan.club.service.operation import Change, Operation, Outcome
from handan.club.service.sheets import WaitingLinesError
from handan.club.store.access import Actor, NotAllowedError, actors
from handan.club.store.clock import enter
from handan.club.store.computing import ASKER, ThrottledError
from handan.club.store.database import read_snapshot
from handan.club.store.idempotency import Sending
from handan.club.store.members import token_of
from handan.club.store.models import Club, Scope
from handan.club.store.writing import RateLimitError
from handan.errors import FieldError, HandanError
from handan.ledger.dates import read_day
from handan.web.api import bodies
from handan.web.api.schemas import Fault
from handan.web.operations.client_address import asker

P = ParamSpec("P")
router = Router()
"""Of all calls: those of several modules share a path, which one router alone can serve."""
Slug = Path[bodies.Slug]
PlayerKey = Path[bodies.PlayerKey]
GameKey = Path[bodies.GameKey]
UNKNOWN = 401
STATUS: dict[type[HandanError], int] = {
    NotAllowedError: 403, NotInClubError: 404, RateLimitError: 429, ThrottledError: 429,
}  # fmt: skip
REFUSALS: dict[int, Any] = dict.fromkeys((400, UNKNOWN, 403, 404, 409, 422, 429), Fault)


class Token(HttpBearer):
    """`Authorization: Bearer TOKEN`, made on the page of one's account."""

    openapi_name = "token"

    def authenticate(self, request: HttpRequest, token: str) -> object:
        """Return the token's owner, what they may do bounded by its scope; 401 for one that says nobody, or too little.

        No session takes the place of a token that was sent.
        """
        access = token_of(token)
        if access is None or (request.method not in {"GET", "HEAD"} and access.scope < Scope.WRITE):
            raise AuthenticationError
        request.user = access.user
        request.scope = Scope(access.scope)  # type: ignore[attr-defined]
        return access.user


class Session(SessionAuth):
    """The session of a browser, with its CSRF token."""

    openapi_name = "session"

    def __call__(self, request: HttpRequest) -> object | None:
        """Return who is signed in, None for nobody, whose lack of a CSRF token is not what is wrong."""
        return super().__call__(request) if request.user.is_authenticated else None


class Calls(NinjaAPI):
    """The calls; their document is made at the first question for it, and is the same as long as the process runs."""

    def get_openapi_schema(
        self, *, path_prefix: str | None = None, path_params: dict[str, Any] | None = None
    ) -> OpenAPISchema:
        """Return the document of all calls, whose paths begin as the server's do."""
        return _document(path_prefix or self.get_root_path(path_params or {}))


api = Calls(
    title="Handan",
    version="1",
    description="Ledgers of Go clubs: games, players, ratings with their reasons, official lists.",
    docs_url=None,
    auth=[Token(), Session(csrf=True)],
    urls_namespace="api",
)


@cache
def _document(path_prefix: str) -> OpenAPISchema:
    document = NinjaAPI.get_openapi_schema(api, path_prefix=path_prefix)
    for calls in document["paths"].values():
        for call in calls.values():
            if 422 in call["responses"]:  # versions of Python name it otherwise
                call["responses"][422]["description"] = "Unprocessable Entity"
    return document


def who(request: HttpRequest, slug: str, operation: Operation[...] | None = None) -> Actor:
    """Return who asks; 404 for a club that is not here.

    What they may do, the operation decides that they call; given here, it does so before its arguments are looked at.
    """
    club = Club.objects.filter(slug=slug).select_related("federation").first()
    [by] = asking(request, [club or Club()])
    if club is None or by.sees_nothing:  # nobody can tell one from the other who may not see it
        raise Http404(f"there is no club {slug}")
    enter(club)
    if operation is not None:
        by.need(operation.role)
    return by


def asking(request: HttpRequest, clubs: Iterable[Club]) -> list[Actor]:
    """Return what who asks is in each of some clubs; 401 for a token that says nobody, also where none is needed."""
    _read_token(request)
    ASKER.set(partial(asker, request))
    return actors(clubs, request.user, getattr(request, "scope", None))


def _read_token(request: HttpRequest) -> None:
    if "Authorization" in request.headers and not hasattr(request, "scope") and Token()(request) is None:
        raise AuthenticationError


def day_of(text: str | None, field: str) -> date | None:
    """Return a day, None where none is given; FieldError for text that is none."""
    return None if text is None else read_day(field, text)


def look(request: HttpRequest, slug: str, query: bodies.Asked | None = None, *, ladder: bool = False) -> Look:
    """Return who asks' look at a club, if it is open to them: as of a day, as known on a day, under another system.

    `ladder` marks what visitors see of a club that shows its ladder only.
    """
    by, query = who(request, slug), query or bodies.Asked()
    need_look(by, ladder=ladder)
    day, day_known = day_of(query.as_of, "as_of"), day_of(query.known, "known")
    return Look(actor=by, day=day, day_known=day_known, system=query.system)


def from_snapshot(call: Callable[..., Any]) -> Callable[..., Any]:
    """Return a call that reads a snapshot of the database, if it only reads."""

    @wraps(call)
    def run(request: HttpRequest, *args: Any, **given: Any) -> Any:
        if request.method != "GET":
            return call(request, *args, **given)
        _read_token(request)  # and note that it was used
        return read_snapshot(partial(call, request, *args, **given))

    return run


def refusing_unknown(call: Callable[..., Any]) -> Callable[..., Any]:
    """Return a call that refuses parameters of the query that it does not know, as it would ignore them."""
    hints = get_type_hints(call, include_extras=True).values()
    queries = [hint for hint in hints if any(isinstance(each, OfQuery) for each in getattr(hint, "__metadata__", ()))]
    names = sorted({name for query in queries for name in query.__origin__.model_fields})

    @wraps(call)
    def run(request: HttpRequest, *args: Any, **given: Any) -> Any:
        for name in request.GET:
            if name not in names:
                text = f"not a parameter of this call, which has {', '.join(names) or 'none'}"
                raise ValidationError([{"type": "extra_forbidden", "loc": ("query", name), "msg": text}])
        return call(request, *args, **given)

    return run


def place_part(request: HttpRequest, response: HttpResponse, query: bodies.Part | bodies.Whole, total: int) -> slice:
    """Return the places of a list that are asked for; the head of the answer says how long it is, and what follows."""
    response["X-Total-Count"] = str(total)
    end = total if query.limit is None else query.offset + query.limit
    if end < total:
        rest = request.GET.copy()
        rest["offset"] = str(end)
        response["Link"] = f'<{request.path}?{rest.urlencode()}>; rel="next"'
    return slice(query.offset, end)


def sent(request: HttpRequest) -> Sending:
    """Return what a call sends with its token: the header Idempotency-Key or `token` of the body, not two of them."""
    try:
        body = json.loads(request.body or b"{}")
    except ValueError:  # a body that is no JSON was refused before; one of a call without a body says nothing
        body = {}
    fields = dict(body) if isinstance(body, dict) else {"": body}
    header, field = request.headers.get("Idempotency-Key"), fields.pop("token", None)
    if header and field and header != field:
        raise FieldError("token", field, "the one that the header Idempotency-Key names; send one of them")
    return Sending.of(header or field, [request.method, request.path, fields])


def outcome(request: HttpRequest, change: Change, query: bodies.Look) -> Outcome:
    """Write a change and return what it did, or only what it would do.

    A call that is sent again with its token is answered as the first time, from the entries that it wrote then.
    """
    return change.would_do() if query.preview else change.carry_out(sent(request))


def changed(
    request: HttpRequest, slug: str, query: bodies.Look, operation: Operation[P], *args: P.args, **kwargs: P.kwargs
) -> Outcome:
    """Carry out an operation in the name of who asks, or look at what it would do, and return that."""
    return outcome(request, operation(who(request, slug, operation), *args, **kwargs), query)


def line_data(line: Looked) -> dict[str, Any]:
    """Return a line of a sheet that waits, as plain data."""
    asks = [
        {"field": side, "name": meant.name, "rank": meant.behind, "candidates": [
            {"key": person.key, "name": person.name, "reading": person.reading} for person in meant.candidates]}
        for side, meant in line.people.items() if meant.text and not meant.clear
    ]  # fmt: skip
    faults = [{"field": field, "message": str(fault)} for field, fault in line.faults.items()]
    twins = [key or "line" for key in line.alike]
    return {"line": line.number, "status": line.status, "questions": asks, "faults": faults, "twins": twins,
            "doubts": [str(doubt) for doubt in line.doubts]}  # fmt: skip


@api.exception_handler(HandanError)
def _refused(request: HttpRequest, error: HandanError) -> HttpResponse:
    """What the ledger refuses: 403 for a missing role, 404 for what is not there, 429 for too many, else 409."""
    status = next((status for kind, status in STATUS.items() if isinstance(error, kind)), 409)
    field = error.field if isinstance(error, FieldError) else None
    twin = {"twin": error.keys[0]} if isinstance(error, TwinError) and error.keys else {}
    lines = {"lines": list(map(line_data, error.lines))} if isinstance(error, WaitingLinesError) else {}
    answer = api.create_response(request, {"message": str(error), "field": field, **twin, **lines}, status=status)
    if isinstance(error, ThrottledError):
        answer["Retry-After"] = str(error.seconds)
    return answer


@api.exception_handler(Http404)
def _missing(request: HttpRequest, error: Http404) -> HttpResponse:
    return api.create_response(request, {"message": str(error) or "not found", "field": None}, status=404)


@api.exception_handler(ValidationError)
def _invalid(request: HttpRequest, error: ValidationError) -> HttpResponse:
    """What does not fit the document: 422 with the first field that is wrong."""
    first = error.errors[0]
    place = [str(part) for part in first.get("loc", ()) if part not in {"body", "query", "path"}]
    more = f" (and {len(error.errors) - 1} more)" if len(error.errors) > 1 else ""
    message = f"{'.'.join(place) or 'the call'}: {first.get('msg', 'wrong')}{more}"
    return api.create_response(request, {"message": message, "field": place[-1] if place else None}, status=422)


@api.exception_handler(HttpError)
def _unread(request: HttpRequest, error: HttpError) -> HttpResponse:
    """What cannot be read at all, such as a body that is no JSON; and calls without a key, 401."""
    message = error.message if error.status_code != UNKNOWN else "sign in, or send a token with the scope for this"
    answer = api.create_response(request, {"message": message, "field": None}, status=error.status_code)
    if error.status_code == UNKNOWN:
        answer["WWW-Authenticate"] = "Bearer"
    return answer
