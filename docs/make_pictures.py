"""The pictures in `docs/pictures`: `make pictures`, while `make serve` serves the demonstration.

The terminal, the wall and the tablet are of the club that `handan example` writes. Each picture has few colours, so
that it stays small.
"""

from __future__ import annotations

import io
import os
import pty
import re
import shutil
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

PICTURES = Path(__file__).parent / "pictures"
PASSWORD = "demonstration-only"  # noqa: S105  # of every account of the demonstration
PORT = 8471  # our choice: of the sample club while its pictures are taken
SECONDS = 60  # our choice: in which a server starts
DAY = re.compile(r"^\d{4}-\d\d-\d\d", re.MULTILINE)
COLOURS = 128  # our choice: letters stay smooth, and red stays red


class Picture(NamedTuple):
    """A page, and how it is looked at."""

    name: str
    path: str
    width: int
    height: int
    scheme: Any
    account: str = ""


ALL = (
    Picture("wall", "club/", 760, 548, "light"),
    Picture("tablet", "club/kiosk/?one=p2&other=p4", 1000, 540, "dark"),
    Picture("terms", "lindenhof/games/enter/?one=p3&other=p5", 360, 640, "light", "keeper"),
    Picture("why", "tafelberg/start/", 360, 640, "dark", "player"),
)
"""Pages of the sample club, whose address begins with `club/`, and of the demonstration."""

TYPED = ("rate games.csv --system egf --limit 6", "explain games.csv --system sagc --player Alice --game 3")
"""What is typed in the picture of a terminal, in the folder of `handan example`."""


def on_a_terminal(command: list[str], folder: str) -> str:
    """Return what a command prints on a terminal of 96 columns."""
    here, there = pty.openpty()
    termios.tcsetwinsize(here, (60, 96))
    subprocess.run(command, cwd=folder, stdout=there, stderr=there, check=True)  # noqa: S603  # our own command
    printed = os.read(here, 100_000).decode()
    os.close(here)
    os.close(there)
    return printed.replace("\r\n", "\n")


def terminal() -> str:
    """Return a terminal as SVG, with what the commands print there."""
    from rich.console import Console
    from rich.text import Text

    screen = Console(record=True, width=96, file=io.StringIO(), force_terminal=True)
    program = [sys.executable, "-m", "handan"]
    with tempfile.TemporaryDirectory() as folder:
        on_a_terminal([*program, "example", "."], folder)
        for line in TYPED:
            screen.print(f"[bold green]$[/] handan {line}", highlight=False)
            screen.print(Text.from_ansi(on_a_terminal([*program, *line.split()], folder)))
    return re.sub(r"@font-face \{.*?\}", "", screen.export_svg(title="Lake Club"), flags=re.DOTALL)


@contextmanager
def sample_club() -> Iterator[str]:
    """Serve the sample club as if it had played yesterday, so that the wall shows who moved; yield the address."""
    program = [sys.executable, "-m", "handan"]
    with tempfile.TemporaryDirectory() as folder:
        for words in (["example", "."], ["init", "--title", "Lake Club", "--system", "egf"]):
            subprocess.run([*program, *words, "--quiet"], cwd=folder, check=True)  # noqa: S603  # our own command
        games = Path(folder) / "games.csv"
        text = games.read_text(encoding="utf-8")
        later = datetime.now().astimezone().date() - timedelta(days=1) - date.fromisoformat(max(DAY.findall(text)))
        games.write_text(DAY.sub(lambda day: str(date.fromisoformat(day[0]) + later), text), encoding="utf-8")
        serve = [*program, "serve", "games.csv", "--once", "--port", str(PORT), "--quiet"]
        server = subprocess.Popen(serve, cwd=folder)  # noqa: S603  # our own command
        try:
            yield f"http://127.0.0.1:{PORT}/"
        finally:
            server.terminate()
            server.wait()


def open_when_ready(page: Any, address: str) -> None:
    """Open a page of a server that may still be starting."""
    from playwright.sync_api import Error

    for _ in range(SECONDS):
        try:
            page.goto(address)
        except Error:
            time.sleep(1)
        else:
            return
    raise TimeoutError(address)


def main() -> None:
    """Take every picture; those of the demonstration from the server whose address is given, else from port 8000."""
    from PIL import Image
    from playwright.sync_api import sync_playwright

    demonstration = sys.argv[1] if sys.argv[1:] else "http://127.0.0.1:8000/"
    PICTURES.mkdir(exist_ok=True)
    with sync_playwright() as playwright, sample_club() as club:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1200, "height": 800})
        page.set_content(f'<body style="margin: 0">{terminal()}</body>')
        image = Image.open(io.BytesIO(page.locator("svg").screenshot(omit_background=True))).convert("RGB")
        image.quantize(COLOURS).save(PICTURES / "terminal.png", optimize=True)
        for picture in ALL:
            size: Any = {"width": picture.width, "height": picture.height}
            home = club if picture.path.startswith("club/") else demonstration
            page = browser.new_page(viewport=size, color_scheme=picture.scheme, locale="en")
            if picture.account:
                page.goto(f"{home}sign-in/")
                page.fill("[name=username]", picture.account)
                page.fill("[name=password]", PASSWORD)
                page.locator("main button").first.click()
                page.wait_for_load_state()
            open_when_ready(page, home + picture.path)
            if picture.name == "why":
                page.locator(".state h2 a").first.click()
                page.locator(".why-link").first.click()
            image = Image.open(io.BytesIO(page.screenshot())).convert("RGB").quantize(COLOURS)
            image.save(PICTURES / f"{picture.name}.png", optimize=True)
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
