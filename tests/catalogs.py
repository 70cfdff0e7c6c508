"""The catalogs of the pages' languages: `python -m tests.catalogs` gathers messages anew and compiles every catalog.

Babel reads Python and Jinja2, so that no program of the system is needed. What other rooms refuse and warn of is
gathered where it stands there. Translations that are there stay; new messages are empty, and
`tests/web/test_languages.py` fails until somebody fills them.
"""

from __future__ import annotations

import ast
import io
import os
import re
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from tests.conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

PACKAGE = ROOT / "src" / "handan"
WEB = PACKAGE / "web"
ROOMS = (
    "club",
    "errors.py",
    "files",
    "ledger",
    "paper",
    "ranks.py",
    "ratings",
    "systems",
    "web/operations",
    "web/pages",
)
"""Where the refusals and warnings are written that pages show."""
REMARKS: Mapping[str, tuple[tuple[int, str], ...]] = {
    "_limit": ((1, "what"),),
    "Problem": ((6, "message"), (4, "expected")),
    "reject": ((3, "expected"),),
    "remark": ((0, "message"),),
    "warn": ((3, "expected"),),
}
"""What makes remarks about files, each with the places and names of its arguments that are sentences."""
SENTENCES = ("expected", "message", "pattern")
"""What parameters that are sentences are called."""
TABLES: Mapping[str, tuple[str, ...]] = {
    "club/entries.py": ("REASONS",),
    "club/kinds.py": ("Kind",),
    "club/rules.py": ("CONFIRMATIONS",),
    "club/service/operation.py": ("GAME_CHANGED", "EVENT_CHANGED", "PLAYER_CHANGED"),
    "club/service/sheets.py": ("ENTERED", "CHECKED", "CHANGED", "TAKEN_BACK"),
    "club/standings.py": ("CHANGE",),
    "club/store/access.py": ("TABLET",),
    "club/store/database.py": ("BusyError",),
    "club/store/founding.py": ("VERIFIED", "WRITTEN"),
    "club/store/models.py": ("Role", "Openness", "Decision", "Scope"),
    "club/verifying.py": ("verified",),
    "files/formats/ogs_games.py": ("_fault",),
    "files/io/office_documents.py": ("EXCEL", "BINARY", "SPREADSHEET", "MEMBERS", "OPEN_DOCUMENT", "PRINTED"),
    "handicaps/pasted_card.py": ("SENTENCES",),
    "paper/catalog.py": ("PAPERS",),
    "ratings/notes.py": ("RESET", "FIRST_RANK", "DECLARED_RATING"),
    "systems/aga.py": ("reason",),
    "systems/bradley_terry.py": ("_deviations",),
    "systems/core/initial_ratings.py": ("USED", "NOT_USED"),
    "systems/core/periods.py": ("undated",),
    "systems/families/most_likely_ranks.py": ("_warned",),
    "systems/families/paired_comparison.py": ("_ignored",),
    "systems/holigor.py": ("rate",),
    "systems/sagc.py": ("_limit",),
    "systems/whr.py": ("ONE_BY_ONE",),
    "web/operations/failures.py": ("TITLES",),
    "web/operations/uploads.py": ("TooManyFilesError",),
    "web/pages/errors.py": ("TITLES",),
    "web/pages/privacy.py": ("BY_NAME", "OTHERWISE", "NOT_AT_ALL"),
    "web/plain_data.py": ("STATUS", "SET_ASIDE"),
}
"""By file the constants, classes and functions whose texts are words and sentences of pages, said elsewhere."""
OF_REASONS = ("Factor", "product", "surprise", "total")
"""What makes the terms of a reason, of a name, a value and a sentence."""
VALUE, WORD = re.compile(r"\{[^{}]*\}"), re.compile("[a-z]{4}|[a-z] [a-z]| (?:and|is|or) ")
"""A value in a clause; what tells a sentence or a name from the letters of a formula."""
DEEPEST = 5
LOCALES = {"ja": "ja", "zh-hans": "zh_Hans", "zh-hant": "zh_Hant", "ko": "ko", "fr": "fr", "de": "de"}
"""Folder of each language but English, in which the messages are written."""
KEYWORDS = {
    **dict.fromkeys(("_", "gettext", "gettext_lazy", "gettext_noop")),
    "ngettext": (1, 2),
    **dict.fromkeys(("pgettext", "pgettext_lazy"), ((1, "c"), 2)),
    "npgettext": ((1, "c"), 2, 3),
}
OF_TEMPLATES = {"newstyle_gettext": "true", "silent": "false", "trimmed": "false"}
NO_DAY = datetime(2000, 1, 1, tzinfo=UTC)  # files change with what they say, never with the day
WIDE = 110


def catalog_file(language: str, kind: str = "po") -> Path:
    """Return the catalog of a language, as text or compiled."""
    return WEB / "locale" / LOCALES[language] / "LC_MESSAGES" / f"django.{kind}"


def messages(locale: str | None = None) -> Catalog:
    """Return an empty catalog of all messages of the pages."""
    made = Catalog(
        locale=locale, project="Handan", charset="utf-8", fuzzy=False, header_comment="# Words of Handan's pages.",
        version="pages", creation_date=NO_DAY, revision_date=NO_DAY, msgid_bugs_address="the issues of the repository",
        last_translator="the maintainers of Handan", language_team="readers of the language",
    )  # fmt: skip
    for place, message, context in messages_of_files():
        made.add(message, locations=[(place, 0)], context=context)
    for words in words_of_systems():
        made.add(words, locations=[("systems", 0)])
    return made


@cache
def messages_of_files() -> list[tuple[str, Any, str | None]]:
    """Return the messages of templates and code, each with its file and its context."""
    templates = [*WEB.rglob("templates/**/*.html"), *WEB.rglob("templates/**/*.txt")]
    readers = dict.fromkeys(templates, "jinja2.ext:babel_extract") | dict.fromkeys(WEB.rglob("*.py"), "python")
    marked = [
        (file.relative_to(WEB).as_posix(), message, context)
        for file in sorted(readers)
        for _, message, _, context in extract(
            readers[file], io.BytesIO(file.read_bytes()), keywords=KEYWORDS, options=OF_TEMPLATES
        )
    ]
    gathered = [
        (file.relative_to(PACKAGE).as_posix(), sentence, None)
        for room in ROOMS
        for file in sorted((PACKAGE / room).rglob("*.py")) or [PACKAGE / room]
        for sentence in sentences(file)
    ]
    return [*marked, *gathered, *((place, text, None) for place, text in of_tables())]


def sentences(file: Path) -> Iterator[str]:
    """Go through what a file says by clauses, errors, reasons and remarks, also where it has given the text a name."""
    for part in spoken(file):
        yield from (text for text in texts(part, file) if isinstance(text, str) and WORD.search(VALUE.sub("", text)))


def of_tables() -> Iterator[tuple[str, str]]:
    """Go through the texts of `TABLES`, each with its file."""
    for place, names in TABLES.items():
        for name in names:
            yield from ((place, text) for text in sorted(table_texts(PACKAGE / place, name)))


def table_texts(file: Path, name: str) -> set[str]:
    """Return the words and sentences of a constant, a class or a function, without keys and docstrings."""
    named = [each for each in names_in(file).get(name, ()) if each is not None]
    defined = [node for node in ast.walk(parsed(file)) if getattr(node, "name", "") == name]
    parts = [part for node in (*named, *defined) for part in ast.walk(node)]
    left_out = {id(key) for part in parts if isinstance(part, ast.Dict) for key in part.keys}
    left_out |= {id(part.value) for part in parts if isinstance(part, ast.Expr)}
    left_out |= {id(each) for part in parts if isinstance(part, ast.keyword) for each in ast.walk(part)}
    left_out |= {id(pair.elts[0]) for part in parts if isinstance(part, ast.Tuple) for pair in part.elts
                 if isinstance(pair, ast.Tuple) and pair.elts[1:]}  # fmt: skip
    there = [part.value for part in parts if isinstance(part, ast.Constant) and id(part) not in left_out]
    plain = bool(named) or any(isinstance(node, ast.ClassDef) for node in defined)
    return {text for text in there if isinstance(text, str) and WORD.search(text) and (plain or " " in text)}


def spoken(file: Path) -> list[ast.expr]:
    """Return the arguments of calls in a file that people read."""
    parts = [part for node in ast.walk(parsed(file)) if isinstance(node, ast.Call) for part in said_by(node)]
    parts += [
        default
        for node in ast.walk(parsed(file))
        if isinstance(node, ast.FunctionDef) and node.name in passing_on()
        for own, default in _with_defaults(node.args)
        if own.arg in SENTENCES
    ]
    if "systems" in file.parts:  # what the factors were found from
        facts = names_in(file).get("facts", ())
        parts += [key for value in facts if isinstance(value, ast.Dict) for key in value.keys if key]
    return parts


def _with_defaults(arguments: ast.arguments) -> Iterator[tuple[ast.arg, ast.expr]]:
    """Go through the parameters of a function that have a value where none is given, each with it."""
    yield from zip(reversed(arguments.args), reversed(arguments.defaults), strict=False)
    yield from ((own, value) for own, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if value)


@cache
def imported(file: Path) -> Mapping[str, Path]:
    """Return the files of the package from which a file imports names."""
    sources: dict[str, Path] = {}
    for node in ast.walk(parsed(file)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("handan."):
            source = PACKAGE.parent / f"{(node.module or '').replace('.', '/')}.py"
            if source.exists():
                sources |= {item.name: source for item in node.names}
    return sources


@cache
def parsed(file: Path) -> ast.Module:
    """Return the code of a file."""
    return ast.parse(file.read_text(encoding="utf-8"))


@cache
def names_in(file: Path) -> Mapping[str, list[ast.expr]]:
    """Return the values of names, those of attributes of `self` among them, and what functions of a name return."""
    named: dict[str, list[ast.expr]] = {}
    for node in ast.walk(parsed(file)):
        match node:
            case ast.Assign(targets=[target], value=value) | ast.AnnAssign(target=target, value=ast.expr() as value):
                for place, own in _taken_apart(target, value):
                    named.setdefault(place, []).append(own)
            case ast.NamedExpr(target=ast.Name(id=name), value=value):
                named.setdefault(name, []).append(value)
            case ast.For(target=target, iter=ast.Tuple(elts=values)):
                for place, own in (pair for value in values for pair in _taken_apart(target, value)):
                    named.setdefault(place, []).append(own)
            case ast.FunctionDef(name=name):
                returned = [each.value for each in ast.walk(node) if isinstance(each, ast.Return) and each.value]
                named.setdefault(f"{name}()", []).extend(returned)
    return named


def _taken_apart(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """Yield each name of a target with its value; of a call that gives several, the part of what it returns."""
    if not isinstance(target, ast.Tuple):
        yield ast.unparse(target).removeprefix("self."), value
    elif isinstance(value, ast.Tuple):
        for place, own in zip(target.elts, value.elts, strict=False):
            yield from _taken_apart(place, own)
    else:
        for number, place in enumerate(target.elts):
            yield from _taken_apart(place, ast.Subscript(value, ast.Constant(number)))


@cache
def passing_on() -> Mapping[str, tuple[tuple[int, str], ...]]:
    """Return the functions that make remarks of a parameter, by name, each with the place and name of that one."""
    raising: dict[str, set[tuple[int, str]]] = {name: {*places} for name, places in REMARKS.items()}
    functions = [
        (node, [each.arg for each in (*node.args.args, *node.args.kwonlyargs) if each.arg != "self"])
        for room in ("club/loading.py", "files", "ledger")
        for file in sorted((PACKAGE / room).rglob("*.py")) or [PACKAGE / room]
        for node in ast.walk(parsed(file))
        if isinstance(node, ast.FunctionDef)
    ]
    size = 0
    while size != (size := sum(map(len, raising.values()))):
        places = {name: tuple(sorted(own, reverse=True)) for name, own in raising.items()}
        for function, parameters in functions:
            calls = [node for node in ast.walk(function) if isinstance(node, ast.Call)]
            given = [part for call in calls for part in remarked(call, places)]
            given += [call.args[0] for call in calls if ast.unparse(call.func) == "Clause.of"]
            for part in given:
                if isinstance(part, ast.Name) and part.id in SENTENCES and part.id in parameters:
                    raising.setdefault(function.name, set()).add((parameters.index(part.id), part.id))
    return places


def remarked(call: ast.Call, places: Mapping[str, Sequence[tuple[int, str]]]) -> list[ast.expr]:
    """Return the arguments of a call that makes a remark about a file: its message, else what is expected."""
    own = places.get(ast.unparse(call.func).rpartition(".")[2], ())
    given = {word.arg: word.value for word in call.keywords}
    parts = [call.args[place] if place < len(call.args) else given.get(name) for place, name in own]
    filled = [part for part in parts if part is not None and not (isinstance(part, ast.Constant) and not part.value)]
    return filled[:1]


def said_by(call: ast.Call) -> list[ast.expr]:
    """Return the arguments of a call that people read."""
    name = ast.unparse(call.func)
    if name in OF_REASONS:
        return call.args[:3] if name == "Factor" else call.args
    kind = name.rpartition(".")[2]
    if kind in errors():  # of a field it is the third that says what it should be
        return call.args[2:3] if len(call.args) > 2 and kind in errors("FieldError") else call.args[:1]
    return call.args[:1] if name == "Clause.of" else remarked(call, passing_on())


def texts(node: ast.expr, file: Path, depth: int = 0) -> Iterator[str | ast.expr]:  # noqa: C901  # a case for each form
    """Go through the texts that an expression may be, and through the parts of it that are worked out."""
    if depth > DEEPEST:
        return
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.BinOp(op=ast.Add(), left=left, right=right):
            for one in texts(left, file, depth + 1):
                for other in texts(right, file, depth + 1):
                    yield one + other if isinstance(one, str) and isinstance(other, str) else node
        case ast.Call() as call if list(_returned(call, file)):
            for own, where in _returned(call, file):
                yield from texts(own, where, depth + 1)
        case ast.Subscript(value=ast.Call() as call, slice=ast.Constant(value=int(place))):
            for own, where in _returned(call, file):
                if isinstance(own, ast.Tuple) and place < len(own.elts):
                    yield from texts(own.elts[place], where, depth + 1)
        case ast.Call() | ast.JoinedStr():
            yield node
        case _:
            for own, where in _named(node, file):
                yield from texts(own, where, depth + 1)


def worked_out(part: ast.expr, file: Path) -> set[str]:
    """Return the pieces of a text that are put together where it is said, so that no catalog can have it."""
    pieces = [piece for piece in texts(part, file) if not isinstance(piece, str)]
    return {ast.unparse(piece) for piece in pieces if not isinstance(piece, ast.Call) or _is_formatted(piece)}


def _is_formatted(call: ast.Call) -> bool:
    """Return whether a call puts text together, other than a page that translates its pattern first."""
    own = call.func
    return isinstance(own, ast.Attribute) and own.attr in {"format", "join"} and "gettext(" not in ast.unparse(own)


def _named(node: ast.expr, file: Path) -> Iterator[tuple[ast.expr, Path]]:
    """Yield what a name stands for, or what an expression chooses from, with the file in which it stands."""
    parts: Sequence[ast.expr | None] = ()
    match node:
        case ast.Name(id=name) | ast.Attribute(value=ast.Name(id="self"), attr=name):
            own = names_in(file).get(name, ())
            file = file if own else imported(file).get(name, file)
            parts = own or names_in(file).get(name, ())
        case ast.IfExp(body=chosen, orelse=otherwise):
            parts = (chosen, otherwise)
        case ast.Subscript(value=ast.Tuple(elts=values), slice=ast.Constant(value=int(place))):
            parts = values[place : place + 1]
        case ast.Dict(values=values) | ast.Tuple(elts=values) | ast.List(elts=values) | ast.BoolOp(values=values):
            parts = values
        case ast.Subscript(value=whole):
            parts = (whole,)
    yield from ((part, file) for part in parts if part is not None)


def _returned(call: ast.Call, file: Path) -> Iterator[tuple[ast.expr, Path]]:
    """Yield what a function of the package returns, with the file in which it stands."""
    name = ast.unparse(call.func).rpartition(".")[2]
    if ast.unparse(call.func) == "Clause.of":
        return  # it is gathered where it stands
    for source in dict.fromkeys((file, imported(file).get(name, file))):
        yield from ((each, source) for each in names_in(source).get(f"{name}()", ()))


@cache
def errors(root: str = "HandanError") -> frozenset[str]:
    """Return the names of the errors that the package raises on purpose, or of those of one kind."""
    bases = {
        node.name: {ast.unparse(base) for base in node.bases}
        for file in PACKAGE.rglob("*.py")
        for node in ast.walk(parsed(file))
        if isinstance(node, ast.ClassDef)
    }
    own = {root}
    while more := {name for name, above in bases.items() if above & own} - own:
        own |= more
    return frozenset(own)


def words_of_systems() -> list[str]:
    """Return the titles of Handan's own systems, why they leave games out, what their settings are, and units."""
    from handan.ratings.notes import NOT_RATED
    from handan.systems import OWN
    from handan.systems.core.settings import settings_of

    named = ((name, each) for system in OWN for name, (_, each) in settings_of(system.load()).items())
    bounds = [each for name, each in named if name != "card"]  # pages call it the table of terms
    titles = [system.title for system in OWN]
    bases = {base for system in OWN for base in system.load().__mro__}
    reasons = {reason for base in bases for reason in getattr(sys.modules[base.__module__], "REASONS", ())}
    reasons |= {reason for base in bases for reason in getattr(base, "reasons", ())}
    notes = [f"{NOT_RATED}{reason}" for reason in sorted(reasons) if reason]
    return titles + notes + [words for each in bounds for words in (each.text, each.unit) if words]


def filled(language: str) -> Catalog:
    """Return the catalog of a language as it is written."""
    return _read(LOCALES[language], catalog_file(language).read_bytes())


@cache
def _read(locale: str, content: bytes) -> Catalog:
    """Return a catalog that is read once, however many ask; nobody changes what it holds."""
    return read_po(io.BytesIO(content), locale=locale, charset="utf-8")


def updated(language: str) -> Catalog:
    """Return the catalog of a language with the messages that there are now, and those of them that are translated."""
    made = messages(LOCALES[language])
    if catalog_file(language).exists():
        for message in filled(language):
            if message.id and (own := made.get(message.id, message.context)) is not None:
                own.string = message.string
    return made


def compiled(catalog: Catalog) -> bytes:
    """Return a catalog as gettext reads it."""
    made = io.BytesIO()
    write_mo(made, catalog)
    return made.getvalue()


def main() -> None:
    """Write every catalog, as text and compiled."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "handan.web.settings")
    for language in LOCALES:
        catalog, file = updated(language), catalog_file(language)
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("wb") as text:
            write_po(text, catalog, width=WIDE, include_lineno=False)
        catalog_file(language, "mo").write_bytes(compiled(catalog))
        empty = sum(not message.string or not all(message.string) for message in catalog if message.id)
        sys.stdout.write(f"{language}: {len(catalog)} messages, {empty} to be translated\n")


if __name__ == "__main__":
    main()
