"""Settings of every system on the page of the rules: names, meanings, units and choices in the page's own language."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

import pytest

from handan.systems import OWN
from handan.systems.core.settings import settings_of
from tests.catalogs import filled
from tests.web.test_languages import OTHERS
from tests.web.test_pages import MakeClub, signed_in

if TYPE_CHECKING:
    from django.test import Client

SIGNS = {"k", "p", "tau", "beta", "epsilon", "elo", "jigo", "points"}
"""What some language writes as English does."""
PUBLISHED = re.compile(r"\s*[(（](?:as published|公表どおり|按公布值|공표대로|comme publié|wie veröffentlicht)[)）]$")
HOUSE = [listed.load() for listed in OWN]
FIELD = re.compile(r'<div class="field[^"]*">(.*?)</div>', re.DOTALL)


@pytest.fixture
def administrator(make_club: MakeClub) -> tuple[Client, str]:
    from handan.club.store.models import Role

    club = make_club("points", card="tokyo15")
    return signed_in(club, Role.ADMINISTRATOR), f"/{club.slug}/rules/"


def test_every_setting_and_choice_has_a_name(database: str) -> None:
    from handan.web.pages.vocabulary import CHOICES, LABELS, LABELS_OF_ONE

    for system in HOUSE:
        for name, (_, bounds) in settings_of(system).items():
            assert name in LABELS or (system.name, name) in LABELS_OF_ONE, (system.name, name)
            assert not [word for word in bounds.choices if (name, word) not in CHOICES], (system.name, name)


def test_every_name_of_a_setting_is_one_of_a_system(database: str) -> None:
    from handan.web.pages.vocabulary import CHOICES, LABELS, LABELS_OF_ONE

    names = {(system.name, name) for system in HOUSE for name in settings_of(system)}
    words = {(name, word) for system in HOUSE for name, (_, own) in settings_of(system).items() for word in own.choices}
    assert set(LABELS) | {name for _, name in LABELS_OF_ONE} <= {name for _, name in names}
    assert set(LABELS_OF_ONE) <= names
    assert set(CHOICES) == words


@pytest.mark.parametrize("language", OTHERS)
def test_every_setting_stands_in_the_catalog(database: str, language: str) -> None:
    from handan.web.pages.vocabulary import CHOICES, LABELS, LABELS_OF_ONE

    catalog = filled(language)
    for system in HOUSE:
        for name, (_, bounds) in settings_of(system).items():
            label = LABELS_OF_ONE.get((system.name, name), LABELS.get(name, ""))
            words = {label, bounds.unit, *(CHOICES[name, word] for word in bounds.choices)} - {"K", ""}
            words |= {bounds.text} if name != "card" else set()
            for word in words:
                message = catalog.get(word)
                assert message is not None, (system.name, name, word)
                assert message.string, (system.name, name, word)
                assert message.string != word or word.casefold() in SIGNS, (system.name, name, word)


@pytest.mark.extended
@pytest.mark.parametrize("language", OTHERS)
def test_no_setting_is_in_english_on_the_page(administrator: tuple[Client, str], language: str) -> None:
    client, path = administrator
    for system in HOUSE:
        pages = []
        for speaks in (language, "en"):
            client.cookies["language"] = speaks
            pages.append(_of_settings(client.get(path, {"system": system.name}).content.decode()))
        assert len(pages[0]) == len(pages[1]) == len(settings_of(system)), system.name
        for field, english in zip(*pages, strict=True):
            assert len(field) == len(english), system.name
            left = {word.casefold().strip() for word in field} & {word.casefold().strip() for word in english}
            assert not [word for word in left - SIGNS if re.search("[a-z]{3}", word)], system.name


def _of_settings(page: str) -> list[list[str]]:
    """Return the texts of each field of a system's settings."""
    fields = [field for field in FIELD.findall(page) if 'name="set-' in field]
    texts = ([unescape(text) for text in re.findall(r">([^<>]+)<", field) if text.strip()] for field in fields)
    return [[PUBLISHED.sub("", text) for text in field] for field in texts]


@pytest.mark.parametrize(("language", "number"), [("de", "0,016"), ("fr", "0,016"), ("ja", "0.016")])
def test_numbers_of_settings_have_the_decimal_sign_of_the_page(
    administrator: tuple[Client, str], language: str, number: str
) -> None:
    client, path = administrator
    client.cookies["language"] = language
    page = client.get(path, {"system": "egf-classic"}).content.decode()
    published = next(field for field in FIELD.findall(page) if 'name="set-epsilon"' in field)
    assert f'placeholder="{number}"' in published
    assert number in re.sub(r'="[^"]*"', "", published)


def test_roles_stand_in_the_log_in_the_language_of_the_page(administrator: tuple[Client, str]) -> None:
    client, path = administrator
    client.cookies["language"] = "ja"
    page = client.get(path.replace("rules/", "log/")).content.decode()
    assert "→ <strong>管理者" in page
    assert "→ <strong>administrator" not in page
