"""The colours of the pages: the contrast of every pair that stands on a page, by day and by night."""

from __future__ import annotations

import re

import pytest

from tests.conftest import ROOT

STATIC = ROOT / "src" / "handan" / "web" / "static" / "handan"
SCHEMES = {"light": "tokens.css", "dark": "tokens-dark.css"}
TEXT, SIGN = 4.5, 3.0
"""WCAG 2.2: least contrast of text (1.4.3) and of borders and signs (1.4.11)."""
GROUNDS = ("paper", "sheet", "band", "mark")
WOOD = ("wood", "wood-end")  # both ends of the gradient, on which no program in a browser measures
PAIRS = [
    *((ink, ground, TEXT) for ink in ("ink", "soft", "link", "up", "down") for ground in GROUNDS),
    ("on-link", "link", TEXT),
    ("on-seal", "seal", TEXT),
    ("white-stone", "black-stone", TEXT),
    ("stone-rim", "white-stone", SIGN),
    *((ink, end, TEXT) for ink in ("on-wood", "wood-up", "wood-down") for end in WOOD),
    *((edge, ground, SIGN) for edge in ("control", "focus") for ground in ("paper", "sheet", "mark")),
    *(("stone-edge", ground, SIGN) for ground in ("paper", "sheet", "band")),
    *((line, "paper", SIGN) for line in ("rail", "link", "down", "seal")),
]


def tokens(scheme: str) -> dict[str, str]:
    text = (STATIC / SCHEMES[scheme]).read_text(encoding="utf-8")
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6}|transparent);", text))


def luminance(colour: str) -> float:
    """Return the relative luminance that WCAG 2.2 defines."""
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_the_measure_is_that_of_the_standard() -> None:
    assert contrast("#ffffff", "#000000") == pytest.approx(21.0)  # WCAG 2.2: from 1 to 21
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)  # a grey that fails by a little


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(("ink", "ground", "least"), PAIRS)
def test_a_pair_of_colours_can_be_read(scheme: str, ink: str, ground: str, least: float) -> None:
    colours = tokens(scheme)
    assert contrast(colours[ink], colours[ground]) >= least, (colours[ink], colours[ground])


def test_both_schemes_have_the_same_tokens_and_the_pages_use_no_other_colour() -> None:
    assert tokens("light").keys() == tokens("dark").keys()
    style = "".join((STATIC / f"{name}.css").read_text(encoding="utf-8") for name in ("style", "chart", "enter"))
    assert set(re.findall(r"var\(--([\w-]+)\)", style)) - {"tall"} <= tokens("light").keys()
    assert not re.search(r"#[0-9a-fA-F]{3,8}\b|rgba?\(|hsla?\(", style)


def test_nothing_is_set_smaller_than_fourteen_pixels() -> None:
    style = (STATIC / "style.css").read_text(encoding="utf-8").partition("@media print")[0]
    sizes = [float(size) for size in re.findall(r"font(?:-size)?:[^;}]*?(\d*\.?\d+)rem", style)]
    assert min(sizes) * 17 >= 14  # a rem is 17 px: 106.25 % of the browser's 16


def test_by_night_a_black_stone_lies_on_wood_since_its_rim_alone_would_look_as_a_white_one() -> None:
    night, day = tokens("dark"), tokens("light")
    assert contrast(night["black-stone"], night["stone-ground"]) >= SIGN
    assert contrast(night["stone-ground"], night["paper"]) >= SIGN
    assert contrast(night["black-stone"], night["paper"]) < SIGN  # what makes the wood needed
    assert day["stone-ground"] == "transparent"
