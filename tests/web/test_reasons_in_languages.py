"""The clauses behind a change in people's own language: none is missing, and a card shows none in English."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import pytest

import handan
from handan.errors import Clause
from handan.ratings import Factor, Reason
from handan.systems import SYSTEMS
from tests.catalogs import PACKAGE, ROOMS, TABLES, WEB, filled, sentences, table_texts
from tests.conftest import ROOT
from tests.web.test_pages import MakeClub, registered, signed_in

if TYPE_CHECKING:
    from pathlib import Path

    from handan.club.store.models import Club

LETTERS = re.compile(r"(?<![a-z])(?!beta|sigma|kappa|sqrt|bonus =)[a-z]{3,}(?![a-z(])")
"""A word that is no letter or function of a formula."""
FORMULA_NAMES = {"con", "phi'^2"}


def phrases(factors: tuple[Factor, ...]) -> Iterator[str]:
    for factor in factors:
        yield from (factor.name, factor.clause)
        yield from phrases(factor.parts)


def said_by(reason: Reason) -> Iterator[str]:
    yield from phrases(reason.factors)
    for name, value in reason.facts.items():
        yield name
        if isinstance(value, str):
            yield value


def texts_in(files: Iterable[Path]) -> set[str]:
    """Return all texts that stand in the code of files."""
    trees = [ast.parse(file.read_text(encoding="utf-8")) for file in files]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    return {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_name_and_clause_of_a_system_is_in_the_catalogs(system: str) -> None:
    ratings = SYSTEMS[system]().rate(handan.read(ROOT / "examples" / "games.csv"))
    catalog = filled("ja")
    missing = set()
    for player in ratings.ledger.players:
        for line in ratings.explain(player.name):
            for text in said_by(line.reason):
                pattern = text.pattern if isinstance(text, Clause) else text
                if LETTERS.search(pattern) and pattern not in FORMULA_NAMES and pattern != "{terms.text}":
                    missing |= set() if pattern in catalog else {pattern}
    assert missing == set()


@pytest.mark.extended
def test_tables_of_words_stand_where_the_catalogs_gather_them_and_are_gathered_from_nowhere_else() -> None:
    files = {file for room in ROOMS for file in (PACKAGE / room).rglob("*.py")}
    elsewhere = {sentence for file in files for sentence in sentences(file)}
    assert not [(place, name) for place, names in TABLES.items() for name in names
                if table_texts(PACKAGE / place, name) <= elsewhere]  # fmt: skip


@pytest.mark.extended
def test_words_of_reasons_that_are_marked_by_hand_stand_in_the_code(database: str) -> None:
    from handan.web.pages import vocabulary

    own = WEB / "pages" / "vocabulary.py"
    assert {*vocabulary.OF_A_REASON} - texts_in({*PACKAGE.rglob("*.py")} - {own}) <= {"Promotion", "Demotion"}


@pytest.mark.parametrize(
    ("language", "clauses"),
    [
        ("ja", ("置石の係数", "実質の置石（2子）につき0.05ずつ", "昇級圏、勝ち、差")),
        (
            "de",
            ("Faktor der Vorgabe", "1 minus 0,05 für jeden Stein der wirksamen Vorgabe", "Aufstiegszone, Sieg"),
        ),
    ],
)
def test_a_card_and_a_game_give_their_reasons_in_the_language_of_the_page(
    club: Club, language: str, clauses: tuple[str, ...]
) -> None:
    from handan.club.store.models import Role

    secretary = signed_in(club, Role.SECRETARY)
    ada, _ = (registered(secretary, club, name, rank) for name, rank in (("Ada", "10k"), ("Bo", "7k")))
    game = {"black": "Ada", "white": "Bo", "result": "B+R", "date": "2026-05-01", "handicap": "2", "komi": "0.5"}
    entered = str(secretary.post(f"/{club.slug}/games/new/", game)["Location"])
    for path in (f"/{club.slug}/players/{ada}/", entered):
        page = secretary.get(path, headers={"Accept-Language": language}).content.decode()
        assert all(clause in page for clause in clauses), path
        assert 'lang="en"' not in page.replace('value="en" lang="en"', "")
        assert "factor:" not in page


def test_the_terms_of_the_card_are_said_as_the_page_says_terms(make_club: MakeClub) -> None:
    from handan.club.store.models import Role

    club = make_club("points", card="tokyo15")
    secretary = signed_in(club, Role.SECRETARY)
    for name, rank in (("Ada", "5k"), ("Bo", "1d")):
        registered(secretary, club, name, rank)
    game = {"black": "Ada", "white": "Bo", "result": "B+R", "date": "2026-05-01", "handicap": "2", "komi": "0.5"}
    entered = str(secretary.post(f"/{club.slug}/games/new/", game)["Location"])
    page = secretary.get(entered, headers={"Accept-Language": "ja"}).content.decode()
    assert re.search(r"手合割表の手合：黒：Ada、\d子", page)
    assert "相手の持ち点" in page


def test_a_clause_is_the_sentence_that_its_pattern_makes() -> None:
    clause = Clause.of("No rating falls below {floor:g}.", floor=100.0)
    assert clause == "No rating falls below 100."
    assert (clause.pattern, clause.values) == ("No rating falls below {floor:g}.", {"floor": 100.0})


def test_a_refused_name_is_refused_in_the_language_of_the_page_and_stays_typed(club: Club) -> None:
    from handan.club.store.models import Role

    secretary = signed_in(club, Role.SECRETARY)
    registered(secretary, club, "Ada", "10k")
    game = {"black": "zzz", "white": "Ada", "result": "B+R", "date": "2026-05-01"}
    page = secretary.post(f"/{club.slug}/games/new/", game, headers={"Accept-Language": "ja"}).content.decode()
    assert "登録された会員の名前（新人は先に登録してください）" in page
    assert 'value="zzz"' in page
    late = secretary.post(f"/{club.slug}/games/g9999/withdraw/?as_of=2026-01-01", headers={"Accept-Language": "de"})
    assert "Vergangenes wird nur angesehen" in late.content.decode()


@pytest.mark.parametrize(
    ("system", "settings", "rows", "german"),
    [
        (
            "egf",
            {"reset_two_grades": True},
            ("B+,9k", "B+,3k"),
            "neu gesetzt: trat als 3. Kyu an, der höchste Rang bis dahin war 9. Kyu",
        ),
        ("elo", {"late_ranks": "adjust"}, ("B+,", "B+,3k"), "zuerst angegebener Rang 3. Kyu"),
        ("aga", {}, ("jigo,9k", "B+,9k"), "nicht gewertet: Jigo, das nicht eingereicht wird"),
    ],
)  # fmt: skip
def test_notes_of_systems_are_in_the_language_of_the_page_with_their_values(
    make_club: MakeClub, system: str, settings: dict[str, str | bool], rows: tuple[str, str], german: str
) -> None:
    from handan.club.store.models import Role
    from handan.club.store.states import state_of
    from tests.web.test_events import upload

    club = make_club(system, **settings)
    secretary = signed_in(club, Role.SECRETARY)
    lines = [f"2026-05-0{day},Ada,Bo{day},{row},1k" for day, row in enumerate(rows, 1)]
    upload(secretary, club, "\n".join(["date,black,white,result,black_rank,white_rank", *lines]), "games.csv")
    page = f"/{club.slug}/players/{state_of(club).keys['Ada']}/"
    assert german in secretary.get(page, headers={"Accept-Language": "de"}).content.decode()
    assert german not in secretary.get(page, headers={"Accept-Language": "en"}).content.decode()
