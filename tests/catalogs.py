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
    from collections.abc import Iterator, Mapping, Sequence

PACKAGE = ROOT / "src" / "handan"
WEB = PACKAGE / "web"
ROOMS = ("club", "files", "ledger", "paper", "ranks.py", "ratings", "systems", "web/operations", "web/pages")
"""Where the refusals and warnings are written that pages show."""
OF_REASONS = ("Factor", "product", "surprise", "total")
"""What makes the terms of a reason, of a name, a value and a sentence."""
VALUE, WORD = re.compile(r"\{[^{}]*\}"), re.compile("[a-z]{4}|[a-z] [a-z]")
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
    return [*marked, *gathered]


def sentences(file: Path) -> Iterator[str]:
    """Go through what a file says by clauses, errors and reasons, also where it has given the text a name first."""
    tree, named = parsed(file), {**names_in(file)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("handan."):
            source = PACKAGE.parent / f"{(node.module or '').replace('.', '/')}.py"
            others = names_in(source) if source.exists() else {}
            named |= {item.name: others[item.name] for item in node.names if item.name in others}
    spoken = [part for node in ast.walk(tree) if isinstance(node, ast.Call) for part in said_by(node)]
    if "systems" in file.parts:  # what the factors were found from
        spoken += [key for value in named.get("facts", ()) if isinstance(value, ast.Dict) for key in value.keys if key]
    for part in spoken:
        yield from (text for text in texts(part, named) if WORD.search(VALUE.sub("", text)))


@cache
def parsed(file: Path) -> ast.Module:
    """Return the code of a file."""
    return ast.parse(file.read_text(encoding="utf-8"))


@cache
def names_in(file: Path) -> Mapping[str, list[ast.expr]]:
    """Return the values of names, those of attributes of `self` among them."""
    named: dict[str, list[ast.expr]] = {}
    for node in ast.walk(parsed(file)):
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=places)], value=ast.Tuple(elts=values)):
                for place, value in zip(places, values, strict=False):
                    named.setdefault(ast.unparse(place), []).append(value)
            case ast.Assign(targets=[place], value=value) | ast.AnnAssign(target=place, value=ast.expr() as value):
                named.setdefault(ast.unparse(place).removeprefix("self."), []).append(value)
    return named


def said_by(call: ast.Call) -> list[ast.expr]:
    """Return the arguments of a call that people read."""
    name = ast.unparse(call.func)
    if name in OF_REASONS:
        return call.args[:3] if name == "Factor" else call.args
    if name.rpartition(".")[2] in errors():  # of a field it is the third that says what it should be
        return call.args[2:3] if len(call.args) > 2 else call.args[:1]
    return call.args[:1] if name == "Clause.of" else []


def texts(node: ast.expr | None, named: Mapping[str, Sequence[ast.expr]], depth: int = 0) -> Iterator[str]:
    """Go through the texts that an expression may be; none for one that is worked out."""
    if depth > DEEPEST:
        return
    parts: Sequence[ast.expr | None] = ()
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.BinOp(op=ast.Add(), left=left, right=right):
            for one in texts(left, named, depth + 1):
                yield from (one + other for other in texts(right, named, depth + 1))
        case ast.Name(id=name) | ast.Attribute(value=ast.Name(id="self"), attr=name):
            parts = [*named.get(name, ())]
        case ast.IfExp(body=chosen, orelse=otherwise):
            parts = [chosen, otherwise]
        case ast.Dict(values=values) | ast.Tuple(elts=values) | ast.List(elts=values):
            parts = values
        case ast.Subscript(value=whole):
            parts = [whole]
    for part in parts:
        yield from texts(part, named, depth + 1)


@cache
def errors() -> frozenset[str]:
    """Return the names of the errors that the package raises on purpose."""
    bases = {
        node.name: {ast.unparse(base) for base in node.bases}
        for file in PACKAGE.rglob("*.py")
        for node in ast.walk(parsed(file))
        if isinstance(node, ast.ClassDef)
    }
    own = {"HandanError"}
    while more := {name for name, above in bases.items() if above & own} - own:
        own |= more
    return frozenset(own)


def words_of_systems() -> list[str]:
    """Return the titles of Handan's own systems, what their settings are, and units."""
    from handan.systems import OWN
    from handan.systems.core.settings import settings_of

    named = ((name, each) for system in OWN for name, (_, each) in settings_of(system.load()).items())
    bounds = [each for name, each in named if name != "card"]  # pages call it the table of terms
    titles = [system.title for system in OWN]
    return titles + [words for each in bounds for words in (each.text, each.unit) if words]


def filled(language: str) -> Catalog:
    """Return the catalog of a language as it is written."""
    with catalog_file(language).open("rb") as file:
        return read_po(file, locale=LOCALES[language], charset="utf-8")


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
