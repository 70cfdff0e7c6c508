"""The catalogs of the pages' languages: `python -m tests.catalogs` gathers messages anew and compiles every catalog.

Babel reads Python and Jinja2, so that no program of the system is needed. Translations that are there stay; new
messages are empty, and `tests/web/test_languages.py` fails until somebody fills them.
"""

from __future__ import annotations

import io
import os
import sys
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from tests.conftest import ROOT

WEB = ROOT / "src" / "handan" / "web"
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
    return [
        (file.relative_to(WEB).as_posix(), message, context)
        for file in sorted(readers)
        for _, message, _, context in extract(
            readers[file], io.BytesIO(file.read_bytes()), keywords=KEYWORDS, options=OF_TEMPLATES
        )
    ]


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
