"""What may be forgotten when a system is added is asked for by a test; the template of CONTRIBUTING rates."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
import sys
from typing import Any

import pytest

import handan
from handan import systems
from handan.systems import OWN, SYSTEMS
from handan.systems.core.base import System
from tests.conftest import ROOT
from tests.places import PLACES, published

TEMPLATE = ROOT / "docs" / "templates" / "system.py"


def subclasses(system: type[Any]) -> set[type[Any]]:
    """Return all classes below a class."""
    return {each for one in system.__subclasses__() for each in {one, *subclasses(one)}}


@pytest.fixture(scope="module")
def template() -> Any:
    """Import the template as the module that it would be."""
    spec = importlib.util.spec_from_file_location("template_of_a_system", TEMPLATE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_every_system_of_the_package_is_in_the_list() -> None:
    for module in pkgutil.iter_modules(systems.__path__):
        importlib.import_module(f"handan.systems.{module.name}")
    own = {each for each in subclasses(System) if each.__module__.startswith("handan.systems.")}
    assert {each for each in own if "name" in vars(each)} == set(SYSTEMS.values())
    assert {each.__name__ for each in SYSTEMS.values()} <= set(systems.__all__)
    assert {each.name: each.title for each in OWN} == {name: each.title for name, each in SYSTEMS.items()}


@pytest.mark.parametrize("place", PLACES)
def test_no_system_is_forgotten_in(place: str) -> None:
    assert [name for name in SYSTEMS if not PLACES[place](ROOT, name)] == []


def test_the_reference_files_name_systems_that_exist() -> None:
    assert set(published(ROOT)) <= set(SYSTEMS)


def test_the_guide_names_every_place() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    others = ("src/handan/systems/", "systems/__init__.py", "tests/vectors/adapters/", "docs/templates/system.py")
    for place in (*PLACES, *others):
        assert place in text, place


def test_the_template_rates_the_example_club_and_explains_every_change(template: Any) -> None:
    club = ROOT / "examples" / "club"
    ledger = handan.read(club / "games.csv", adjustments=club / "adjustments.csv")
    ratings = template.Template().rate(ledger)
    assert ratings.rated > 2000
    # with equal steps a rating is the entry, or what was set by hand last, and ten points for each win more than losses
    for player in ledger.players[:10]:
        lines = ratings.explain(player.name)
        for line in lines:
            if line.game is not None and line.reason.factors:
                assert line.reason.value == pytest.approx(line.change)
                assert abs(line.change) in {0.0, 10.0}
        assert lines[-1].after == pytest.approx(ratings.rating[ledger.find(player.name)])


def test_the_template_forecasts_by_its_law(template: Any) -> None:
    rules = template.Template()
    one, other = rules.newcomer("A", rating=1900.0), rules.newcomer("B", rating=1500.0)
    assert rules.win_probability(one, other, 0, 6.5) == pytest.approx(10 / 11)  # 400 points are odds of ten to one
    assert rules.win_probability(other, one, 5, -6.5) == pytest.approx(10**0.25 / (1 + 10**0.25))  # five stones: 500
    ratings = rules.rate(handan.read(ROOT / "examples" / "games.csv"))
    assert len(ratings.forecasts()) == ratings.rated


def test_the_template_is_the_same_compiled(template: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = handan.read(ROOT / "examples" / "games.csv")
    answers = []
    for form in ("plain", "compiled"):
        monkeypatch.setenv("HANDAN_KERNELS", form)
        answers.append(template.Template().rate(ledger).rating.tolist())
    assert answers[0] == answers[1]
