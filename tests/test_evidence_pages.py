"""Pages whose tables a command writes: what people wrote around them stays, and the tables say what was measured."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import handan
from benchmarks import comparison, coulom, pages, peers_ahead
from benchmarks.ledgers import Games, own
from benchmarks.peers import PEERS
from benchmarks.peers.__main__ import one_step_ahead
from benchmarks.peers.driving import Driver, logistic
from handan.evidence import Task

TEXT = "Before.\n\n<!-- written by make it -->\nold\n<!-- end of make it -->\n\nAfter.\n"


def test_only_the_place_of_a_command_is_written(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(TEXT)
    pages.write(page, "make it", "new")
    pages.write(page, "make it", "newer")
    assert page.read_text() == TEXT.replace("old", "\nnewer\n")
    with pytest.raises(ValueError, match="no place"):
        pages.write(page, "make another", "new")


def test_the_tables_of_a_comparison_say_what_compare_says() -> None:
    answer = handan.compare(handan.read("examples/club/games.csv"), "elo,egf,sagc")
    text = comparison.page_text({"club": comparison.plain(answer)})
    for each in answer.systems:
        assert f"{each.log_loss:.4f}" in next(line for line in text.splitlines() if f"`{each.system}`" in line)
    assert answer.best is not None
    whole = next(line for line in text.splitlines() if line.startswith(f"| `{answer.best.system}`"))
    assert f"**{answer.best.log_loss:.4f}**" in whole  # the best is bold
    page = comparison.PAGE.read_text(encoding="utf-8")  # sets that are not measured again keep their figures
    marks = ("<!-- written by make comparison -->", "<!-- end of make comparison -->")
    assert comparison.page_text({}, page) == page.partition(marks[0])[2].partition(marks[1])[0].strip()
    again, before = (comparison.written(f"{marks[0]}\n{text}\n{marks[1]}") for text in (
        comparison.page_text({"h9": comparison.plain(answer)}, page), comparison.page_text({}, page),
    ))  # fmt: skip
    assert again[0]["h9"]["games scored"] == f"{answer.scored:,}"
    assert again[0]["kgs"] == before[0]["kgs"]
    assert again[1]["kgs"] == before[1]["kgs"]


def test_every_page_that_a_command_writes_has_its_place_filled() -> None:
    for page, name in (
        (comparison.PAGE, "make comparison"),
        (peers_ahead.PAGE, "make peers"),
        (coulom.PAGE, "make coulom"),
        (pages.DOCS / "benchmarks.md", "make coverage-of-ratings"),
    ):
        text = page.read_text(encoding="utf-8")
        written = text.split(f"<!-- written by {name} -->")[1].split("<!-- end of")[0]
        assert written.count("|") > 50
    written = comparison.PAGE.read_text(encoding="utf-8")
    assert all(f"`{name}`" in written for name in handan.SYSTEMS)


class Counting(Driver):
    """A program that counts wins, and writes down what it had seen when it was asked."""

    def __init__(self, games: Games) -> None:
        super().__init__(games)
        self.wins = np.zeros(games.players)
        self.seen = 0

    def play(self, first: int, behind: int) -> None:
        assert first in {0, self.seen}
        self.seen = behind
        for game in range(first, behind):
            self.wins[self.games.black[game] if self.games.win[game] else self.games.white[game]] += 1

    def chance(self, black: int, white: int) -> float:
        return logistic(10.0 * (self.wins[black] - self.wins[white]))


def test_other_programs_forecast_games_before_they_learn_from_them(monkeypatch: pytest.MonkeyPatch) -> None:
    games = own(60)
    batch, refits = np.array([0, 5, 6, 20, 60]), np.array([20, 40])
    monkeypatch.setattr("benchmarks.peers.__main__.driver_of", lambda _, games: Counting(games))
    chances, _ = one_step_ahead(PEERS["elote Elo"], games, batch, refits)
    flipped = replace(games, win=np.where(np.arange(60) >= 20, 1 - games.win, games.win))
    again, _ = one_step_ahead(PEERS["elote Elo"], flipped, batch, refits)
    assert np.array_equal(chances, again)  # the last batch knows nothing of itself
    assert (chances[:5] == 0.5).all()
    assert not (chances[5:] == 0.5).all()
    monkeypatch.setattr(Counting, "at_once", True)
    fitted, _ = one_step_ahead(PEERS["choix"], games, batch, refits)
    assert (fitted[:20] == 0.5).all()
    assert not np.array_equal(fitted[40:], chances[40:])


def row_of(program: str, job: str, seconds: float, loss: float, interval: tuple[float, float]) -> dict[str, object]:
    figures = {"log_loss": loss, "behind": loss - 0.6, "interval": interval}
    return {"program": program, "job": job, "seconds": seconds, "ours": True, **figures}


def test_the_page_of_peers_says_where_handan_is_not_ahead() -> None:
    rows = [
        row_of("`handan`", "handan", 1.0, 0.6, (0.0, 0.0)),
        row_of("`elo`", "elo", 0.5, 0.65, (0.04, 0.06)),
        row_of("one Elo", "elo", 5.0, 0.61, (-0.01, 0.03)) | {"ours": False},
        {"program": "other Elo", "job": "elo", "seconds": 0.0, "ours": False, "note": "not within 60 s"},
    ]
    answer = {"games": 100, "players": 9, "known": "day", "rows": rows, "versions": {"one": "1.0"}}
    text = peers_ahead.page_text({"club": answer})
    assert "but for one Elo on club." in text
    written = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line[:1] == "|"]
    assert written[2:] == [
        ["`handan`", "0.6000"],
        ["one Elo", "0.6100≈ (10)"],
        ["`elo`", "0.6500"],
        ["other Elo", "– (not within 60 s)"],
    ]
    page = f"<!-- written by make peers -->\n\n{text}\n\n<!-- end of make peers -->"
    rows[2] = row_of("one Elo", "elo", 5.0, 0.61, (0.004, 0.016)) | {"ours": False}
    more = peers_ahead.page_text({"tom": answer}, page)  # what was measured before stays on the page
    assert "but for one Elo on club." in more
    assert re.search(r"^\| one Elo +\| 0.6100 \(10\) +\| 0.6100≈ \(10\) +\|$", more, re.MULTILINE)
    assert peers_ahead.page_text({}, page) == text


def test_coulom_s_table_has_the_paper_s_lines_and_rates_like_those_of_a_comparison() -> None:
    # R. Coulom (2008), table 1: the margins printed there
    assert [coulom._margin(games) for games in (726_648, 2_331_757)] == ["0.163", "0.091"]
    ledger = handan.read("examples/club/games.csv")
    even = coulom.even_games(ledger, 60)
    assert len(even) == 60
    assert not even.arrays.stones.any()
    task = Task.of(even)
    answer = coulom.rates(task, ["elo", "egf"])
    cut = answer["training"]
    assert cut == int(0.2376 * len(task.games))
    expected = handan.compare(even, "elo", since=None).systems[0]
    mean = (cut * answer["rates"]["elo"][0] + answer["test"] * answer["rates"]["elo"][1]) / (cut + answer["test"])
    assert expected.accuracy is not None
    assert abs(mean - 100.0 * expected.accuracy) < 1.0  # draws count in neither part
    text = coulom.page_text({"club": answer})
    assert "| `whr`           |          56.356 |      55.793 |" in text
