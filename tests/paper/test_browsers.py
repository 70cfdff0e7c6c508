"""Without the extra, a browser prints the same page in the same sizes."""

from __future__ import annotations

import io
import shutil
from datetime import date

import pytest

from handan.handicaps import card
from handan.paper import PAPERS, Heading, ListLine, Material, Member, RatingList, evening_of, make, month_of
from handan.ranks import Rank

pytestmark = pytest.mark.extended

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
DAY = date(2026, 11, 21)
SIZES = {"cards": (210, 297, 4), "points": (210, 297, 3), "poster": (297, 420, 1), "sheet": (210, 297, 2),
         "plates": (297, 210, 2), "month": (210, 297, 1), "list": (210, 297, 1),
         "evening": (210, 297, 1), "certificate": (210, 297, 11)}  # fmt: skip
"""Width and height in millimetres, and pages for eleven members."""


@pytest.mark.skipif(CHROMIUM is None, reason="no chromium is installed; apt-get install chromium")
def test_a_browser_prints_each_paper_on_the_pages_it_is_meant_for() -> None:
    pypdf = pytest.importorskip("pypdf")
    sync_api = pytest.importorskip("playwright.sync_api")
    members = tuple(Member(f"Ada Lindqvist {number}", Rank.dan(1), "133") for number in range(11))
    month = month_of(members, {}, DAY)
    listed = RatingList(tuple(ListLine(member, place, 3, 2, 1) for place, member in enumerate(members, 1)))
    material = Material(
        Heading("Club", DAY),
        members,
        card("tokyo15"),
        month=month,
        evening=evening_of(members, {}, DAY),
        listed=listed,
        copies=2,
    )
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page()
        for name in PAPERS:
            page.set_content(make(name, material).html)
            pdf = pypdf.PdfReader(io.BytesIO(page.pdf(prefer_css_page_size=True, print_background=True)))
            wide, tall, count = SIZES[name]
            assert len(pdf.pages) == count, name
            box = pdf.pages[0].mediabox
            measures = [float(length) / 72 * 25.4 for length in (box.width, box.height)]
            assert measures == pytest.approx([wide, tall], abs=0.5), name
        browser.close()
