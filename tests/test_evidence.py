"""Systems compared on ledgers of which the truth is known, and what the command prints of it."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import handan
from handan.errors import InputError
from handan.evidence import APART, compare
from handan.evidence.comparison import FIGURES
from handan.evidence.scores import COIN
from handan.ledger import Adjustment, Game, Ledger
from handan.systems import SYSTEMS, system
from handan.systems.handan import Handan
from handan.wording.figures import about
from tests.clubs import a_club
from tests.command_line import run

SEQUENTIAL = "elo,egf,egf-classic,dgs,ogs,glicko,glicko2,trueskill,sagc"
START = date(2020, 1, 1)


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HANDAN_KERNELS", "plain")


def played(strength: list[float], count: int, seed: int, *, k: float = 0.0, days: int = 8) -> list[Game]:
    """Return games whose results are drawn by Elo's law; strengths move by K like ratings, so Elo is the truth."""
    dice = np.random.default_rng(seed)
    now = list(strength)
    games = []
    for number in range(count):
        black, white = (int(place) for place in dice.permutation(len(now))[:2])
        expectation = 1.0 / (1.0 + 10.0 ** ((now[white] - now[black]) / 400.0))
        won = dice.random() < expectation
        change = k * (float(won) - expectation)
        now[black], now[white] = now[black] + change, now[white] - change
        day = START + timedelta(days=number // days)
        games.append(Game(f"P{black:02d}", f"P{white:02d}", "B+R" if won else "W+R", date=day, komi=6.5, round=number))
    return games


@pytest.mark.extended
def test_no_system_forecasts_coins() -> None:
    # whatever a system says, a fair coin costs it ln 2 or more on the average
    answer = compare(Ledger.of(played([0.0] * 16, 240, 4)), "all")
    assert {each.system for each in answer.systems} == set(SYSTEMS)
    assert answer.scored == 240
    for each in answer.systems:
        assert each.interval is not None
        assert each.log_loss is not None
        assert each.verdict != "better"
        assert each.log_loss > COIN - 2.0 * (each.interval[1] - each.interval[0]) / 3.92


def test_the_system_that_made_the_results_is_calibrated_and_first() -> None:
    # results drawn from Elo's own law with K = 32: no forecast can be better on the average, and its slope is 1
    ledger = Ledger.of(played([1500.0] * 30, 6000, 5, k=32.0))
    answer = compare(ledger, "elo:k=32,elo:k=4,elo:k=200")
    best = answer.systems[0]
    assert best.system == "elo:k=32"
    assert best.calibration_slope == pytest.approx(1.0, abs=0.1)
    assert [answer.pair("elo:k=32", other).verdict for other in ("elo:k=4", "elo:k=200")] == ["elo:k=32 is better"] * 2
    too_sure = next(each for each in answer.systems if each.system == "elo:k=200")
    assert too_sure.calibration_slope is not None
    assert too_sure.calibration_slope < 0.7


def test_settings_that_forecast_alike_cannot_be_told_apart() -> None:
    ledger = Ledger.of(played([1500.0, 1600.0, 1700.0] * 5, 200, 6))
    pair = compare(ledger, "elo:k=20,elo:k=21").pairs[0]
    assert pair.verdict == APART
    assert pair.games_needed is not None
    assert pair.games_needed > 200
    assert pair.interval[0] < 0.0 < pair.interval[1]
    same = compare(ledger, [system("elo"), "elo:batch=event"]).pairs[0]
    assert (same.difference, same.games_needed, same.verdict) == (0.0, None, APART)  # without events the same


def test_games_that_would_tell_are_written_with_two_digits() -> None:
    counts = {
        7: "7",
        99: "99",
        100: "about 100",
        2_607: "about 2,600",
        24_681: "about 25,000",
        999_999: "about 1 million",
    }
    counts |= {1_234_567: "about 1.2 million", 45_678_901: "about 46 million", 3_210_987_654: "about 3.2 billion"}
    assert {number: about(number) for number in counts} == counts
    assert about(10**30) == "more than a thousand billion"


def test_figures_are_those_of_the_forecasts() -> None:
    answer = compare(a_club(), SEQUENTIAL)
    frame = answer.forecasts()
    score = frame["score"].to_numpy()
    for each in answer.systems:
        p = frame[each.system].to_numpy()
        assert each.log_loss == pytest.approx(-np.mean(score * np.log(p) + (1 - score) * np.log(1 - p)), rel=1e-9)
        assert each.brier == pytest.approx(np.mean((p - score) ** 2), rel=1e-12)
        parts = [part for part in each.strangers.values() if part["games"]]
        assert sum(part["games"] for part in parts) == answer.scored
        whole = sum(part["games"] * part["log_loss"] for part in parts) / answer.scored
        assert each.log_loss == pytest.approx(whole, rel=1e-9)
    losses = [each.log_loss for each in answer.systems]
    assert losses == sorted(losses)  # type: ignore[type-var]


def test_the_forecasts_of_single_games_are_those_of_the_ratings() -> None:
    ledger = Ledger.of([replace(game, event="") for game in a_club()])  # every game has a round of its own
    for name in ("elo", "trueskill", "ogs"):
        own = system(name).rate(ledger).forecasts()
        compared = compare(ledger, name).forecasts()
        both = own.join(compared, on="game")
        assert both.height == compared.height
        np.testing.assert_allclose(both["probability"], both[name], rtol=1e-12)


def test_strangers_are_scored_and_counted() -> None:
    games = [Game("A", "B", "B+R", date="2026-01-01"), Game("A", "C", "B+R", date="2026-01-02"),
             Game("C", "B", "W+R", date="2026-01-03")]  # fmt: skip
    best = compare(Ledger.of(games), "elo").systems[0]
    assert {kind: part["games"] for kind, part in best.strangers.items()} == {
        "both_known": 1, "one_new": 1, "both_new": 1
    }  # fmt: skip
    assert best.strangers["both_new"]["log_loss"] == pytest.approx(COIN)
    whole = compare(Ledger.of(games), "elo", train=Ledger.of([Game("B", "C", "W+R", date="2025-01-01")])).systems[0]
    assert {kind: part["games"] for kind, part in whole.strangers.items()} == {
        "both_known": 2, "one_new": 1, "both_new": 0
    }  # fmt: skip
    assert whole.strangers["both_new"]["log_loss"] is None


def test_the_table_of_a_comparison_has_every_figure_of_its_systems() -> None:
    games = [Game("A", "B", "B+R"), Game("B", "C", "W+R"), Game("A", "C", "B+R")]
    answer = compare(Ledger.of(games), "elo,whr,egf")  # whr needs dates, so it has no forecast
    table = answer.table()
    assert table["system"].to_list() == [each.system for each in answer.systems]
    for name in ("log_loss", "brier", "accuracy", "calibration_slope", "seconds"):
        assert table[name].to_list() == [getattr(each, name) for each in answer.systems]
    assert table["low"].to_list() == [each.interval and each.interval[0] for each in answer.systems]
    assert table["both_new"].to_list() == [
        each.strangers.get("both_new", {}).get("log_loss") for each in answer.systems
    ]
    assert table.filter(pl.col("system") == "whr").drop("system", "scored", "seconds").row(0) == (None,) * 9
    assert table["scored"].to_list() == [answer.scored] * 3


def test_no_interval_of_a_loss_begins_below_zero() -> None:
    games = [Game("A", "B", result, date=START + timedelta(days=n)) for n, result in enumerate(("B+R", "W+R"))]
    [elo] = compare(Ledger.of(games), "elo:k=200").systems
    assert elo.interval is not None
    assert elo.interval[0] == 0.0 < elo.interval[1]


def test_intervals_of_a_few_days_are_called_no_evidence() -> None:
    """Two days give an interval of 0.0000 to 3 or more, and one of no width where both losses happen to be alike."""

    def noted(days: int) -> bool:
        results = ("B+R", "W+R") * days
        games = [Game(f"A{n}", f"B{n}", results[n], date=START + timedelta(days=n)) for n in range(days)]
        return any("95 % intervals are no evidence" in note for note in compare(Ledger.of(games), "elo").notes)

    assert [noted(days) for days in (1, 2, 3, 20)] == [True, True, False, False]


def test_a_game_that_a_system_refuses_is_still_forecast() -> None:
    dated = [Game("A", "B", "B+R", date=START + timedelta(days=n), black_rank="1d", white_rank="1k") for n in range(5)]
    jigo = Game("A", "B", "jigo", date="2020-02-01", black_rank="1d", white_rank="1k")
    unknown = Game("A", "X", "B+R", date="2020-02-02", black_rank="1d")
    ratings = system("aga").rate(Ledger.of([*dated, jigo, unknown]))
    assert ratings.rated == 5  # the association takes neither
    chances = compare(Ledger.of([*dated, jigo, unknown]), "aga").forecasts()["aga"].to_list()
    assert 0.5 < chances[5] < 1.0
    assert chances[6] == 0.5


@pytest.mark.parametrize("name", ["kgs", "igs", "whr", "elo"])
def test_newcomers_enter_as_set_by_hand(name: str) -> None:
    games = [
        Game(f"P{number % 7}", f"Q{number}", "B+R", date=START + timedelta(days=number), black_rank="3k")
        for number in range(40)
    ]
    declared = Ledger.of([replace(game, white_rank="1d") for game in games])
    by_hand = Ledger.of(games, [Adjustment(f"Q{number}", "1d", None) for number in range(40)])
    one, other = (compare(ledger, name).forecasts()[name].to_list() for ledger in (declared, by_hand))
    np.testing.assert_allclose(one, other, rtol=1e-9)
    assert one[0] < 0.5  # 3 kyu against 1 dan


def test_earlier_games_teach_and_are_not_scored() -> None:
    games = played([1400.0, 1500.0, 1600.0, 1700.0], 400, 7)
    train, later = Ledger.of(games[:300]), Ledger.of(games[300:])
    one, whole = compare(later, "elo,sagc,decayed", train=train), compare(Ledger.of(games), "elo,sagc,decayed")
    assert (one.games, one.scored) == (400, 100)
    since = games[300].date
    again = compare(Ledger.of(games), "elo,sagc,decayed", since=str(since))
    for name in ("elo", "sagc", "decayed"):
        tail = whole.forecasts()[name].to_list()[300:]
        assert one.forecasts()[name].to_list() == tail
        assert again.forecasts()[name].to_list() == whole.forecasts()[name].to_list()[-again.scored :]
    assert compare(later, "elo").systems[0].log_loss != one.systems[0].log_loss
    assert "100 of the scored games stand among the earlier ones too" in compare(later, "elo", train=later).notes


def test_a_comparison_is_the_same_every_time_whatever_players_are_called() -> None:
    games = played([1400.0, 1500.0, 1600.0, 1700.0], 90, 8)
    turned = [replace(game, black=game.black[::-1], white=game.white[::-1]) for game in games]
    answers = [compare(Ledger.of(each), "all").as_dict() for each in (games, games, turned)]
    for answer in answers:
        for each in answer["systems"]:
            each["seconds"] = 0.0
    assert answers[0] == answers[1]
    for one, other in zip(answers[0]["systems"], answers[2]["systems"], strict=True):
        assert one["log_loss"] == pytest.approx(other["log_loss"], rel=1e-9)


def test_handicaps_that_are_fair_show_as_even() -> None:
    # 6 stones bridge 6 ranks here: at them White scores one half, in even games more
    dice = np.random.default_rng(9)
    games = []
    for number in range(600):
        stones = 6 if number % 2 else 0
        white_wins = dice.random() < (0.5 if stones else 0.8)
        games.append(
            Game("A", "B", "W+R" if white_wins else "B+R", date=START + timedelta(days=number), handicap=stones,
                 komi=0.5 if stones else 6.5, black_rank="8k", white_rank="2k")
        )  # fmt: skip
    answer = compare(Ledger.of(games), "elo", by="handicap")
    assert [(group.group, group.games) for group in answer.groups] == [("even", 300), ("6 stones", 300)]
    for group, share in zip(answer.groups, (0.8, 0.5), strict=True):
        assert group.interval is not None
        assert group.interval[0] < share < group.interval[1]
    assert [group.group for group in compare(Ledger.of(games), "elo", by="rank").groups] == ["White 6 ranks stronger"]
    assert [group.group for group in compare(Ledger.of(games), "elo", by="year").groups] == ["2020", "2021"]
    experience = compare(Ledger.of(games), "elo", by="experience").groups
    assert [(group.group, group.games) for group in experience] == [
        ("0 games", 1), ("1 to 4 games", 4), ("5 to 19 games", 15), ("20 to 99 games", 80), ("100 games and more", 500),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("systems", "options", "message"),
    [
        ("elo,elo", {}, "'elo' was given twice"),
        ("elo,gliko", {}, "did you mean glicko"),
        ("elo:k", {}, "is not KEY=VALUE"),
        ("", {}, "no system was given"),
        ("elo", {"known": "hour"}, "known 'hour' is not one of game, day, event"),
        ("elo", {"by": "age"}, "is not one of handicap, rank, experience, year"),
        ("elo", {"since": "2031-01-01"}, "no game can be scored"),
    ],
)
def test_what_cannot_be_compared_is_said(systems: str, options: dict[str, str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        compare(a_club(), systems, **options)  # type: ignore[arg-type]


def table(path: Path, games: list[Game]) -> Path:
    handan.write(Ledger.of(games), path)
    return path


def test_the_command_prints_the_document_that_programs_read(tmp_path: Path) -> None:
    games = played([1400.0, 1500.0, 1600.0, 1700.0], 120, 10)
    earlier, later = table(tmp_path / "earlier.csv", games[:80]), table(tmp_path / "later.csv", games[80:])
    answer = run("compare", "--train", earlier, later, "--systems", "elo,glicko,points", "--format", "json")
    assert answer.status == 0
    document = answer.json
    assert list(document) == ["games", "scored", "known", "systems", "pairs", "sentence", "more_games", "curve"]
    assert (document["games"], document["scored"], document["known"]) == (120, 40, "game")
    assert [sorted(each) for each in document["systems"]] == [sorted(FIGURES)] * 3
    assert {each["system"] for each in document["systems"]} == {"elo", "glicko", "points"}
    for each in document["systems"]:
        assert each["interval"][0] < each["log_loss"] < each["interval"][1]
        assert set(each["strangers"]) == {"both_known", "one_new", "both_new"}
        assert each["settings"]["forecast"].startswith(
            "a logistic curve" if each["system"] == "points" else "its own law"
        )
    assert [sorted(pair) for pair in document["pairs"]] == [
        ["a", "b", "difference", "games_needed", "interval", "verdict"]
    ] * 3
    library = compare(handan.read(later), "elo,glicko,points", train=handan.read(earlier)).as_dict()
    for each in (*document["systems"], *library["systems"]):
        each["seconds"] = 0.0
    assert document == json.loads(json.dumps(library))


def test_the_command_says_in_words_what_can_be_told(tmp_path: Path) -> None:
    file = table(tmp_path / "games.csv", played([1200.0, 1500.0, 1800.0, 2100.0], 300, 11))
    answer = run("compare", file, "--systems", "elo,glicko,points,elo:k=0", "--by", "year")
    lines = answer.out.splitlines()
    assert lines[0].split()[:3] == ["#", "system", "log-loss"]
    assert "300 games scored (2020-01-01 to 2020-02-07), each from what was known before its moment" in answer.out
    assert "is better than" in answer.out
    assert "* a logistic curve through rating difference and stones, fitted to earlier games" in answer.out
    assert any(line.split()[1:2] == ["points*"] for line in lines)
    assert any(line.endswith(APART) for line in lines if "elo:k=0" in line)  # it never learns: a coin
    rows = run("compare", file, "--systems", "elo,glicko", "--format", "csv").csv
    assert [float(row["log_loss"]) for row in rows] == sorted(float(row["log_loss"]) for row in rows)


def test_days_without_times_or_rounds_are_known_as_a_whole(tmp_path: Path) -> None:
    games = [replace(game, round=None) for game in played([1400.0, 1600.0, 1800.0], 60, 12)]
    document = run("compare", table(tmp_path / "a.csv", games), "--systems", "elo", "--format", "json").json
    assert document["known"] == "day"


def test_games_that_can_tell_nothing_are_said_to() -> None:
    together = [replace(game, round=None, date="2020-01-01", event="") for game in played([1400.0, 1800.0], 40, 12)]
    answer = handan.compare(Ledger.of(together), "elo,egf")
    assert answer.notes == ("no game was known before any of the scored ones, so everybody is forecast as a newcomer",)
    drawn = [replace(game, result="jigo") for game in played([1400.0, 1800.0], 40, 12)]
    answer = handan.compare(Ledger.of(drawn), "elo,egf")
    assert answer.notes == ("every scored game was drawn: no forecast can be better than a coin's",)


def test_rows_that_are_left_out_end_with_1(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("date,black,white,result\n2026-01-01,Ada,Bo,B+R\n2026-01-02,Ada,Bo,X+R\n", encoding="utf-8")
    answer = run("compare", file, "--systems", "elo", "--format", "json")
    assert answer.status == 1
    assert answer.json["scored"] == 1
    assert math.isclose(answer.json["systems"][0]["log_loss"], COIN)
    file.write_text("date,black,white,result\n2026-01-01,Ada,Bo,void\n", encoding="utf-8")
    assert run("compare", file).status == 2


def test_a_report_is_one_page_that_needs_nothing_else(tmp_path: Path) -> None:
    games = [replace(game, notes="") for game in played([1400.0, 1600.0, 1800.0], 90, 13)]
    file, page = table(tmp_path / "a.csv", games), tmp_path / "report.html"
    assert run("compare", file, "--systems", "elo,glicko", "--by", "year", "--report", page).status == 0
    text = page.read_text(encoding="utf-8")
    assert text.count("<svg") == 3  # log-loss, calibration, parts
    for outside in ("<script", "<link", "src=", "href=", "@import"):
        assert outside not in text
    assert "90 games from 2020-01-01 to 2020-01-12" in text
    assert "<td>glicko</td>" in text
    assert "@media print" in text


def test_a_report_fits_screens_of_any_width() -> None:
    from handan.evidence.report import page  # charts are drawn by an extra

    text = page(handan.compare(handan.read("examples/club/games.csv"), "elo,egf"))
    assert '<meta name="viewport" content="width=device-width' in text  # else telephones show it as small as a stamp
    assert text.count("<table") == text.count('<div class="wide" tabindex="0"><table') > 1  # which scroll by themselves


def test_a_report_lists_what_to_know_about_its_games_by_itself() -> None:
    from handan.evidence.report import page  # charts are drawn by an extra

    answer = handan.compare(a_club(), "elo")
    for notes, parts in (((), 0), (("a & b", "c"), 1)):
        text = page(replace(answer, notes=notes))
        assert text.count("<h2>About these games</h2>") == parts
        assert text.count("<li>") == len(notes)
    assert "<li><small>a &amp; b</small></li>" in text


def test_names_in_a_report_are_text() -> None:
    from handan.evidence.report import page  # charts are drawn by an extra

    assert "&lt;b&gt;" in page(compare(a_club(), "elo"), title="<b>club</b>")


def test_what_a_part_earns_is_the_difference_of_two_systems_compared() -> None:
    ledger = Ledger.of(played([0.0, 100.0, 200.0, 300.0, 400.0, 500.0], 90, 3))
    answer = compare(ledger, "elo,handan:results=0", parts=True)
    assert {each.system for each in answer.systems} == {"handan:results=0", "elo"}
    parts = {name: words for name, _, words in Handan.traits.parts}
    assert {each.part for each in answer.parts} == {words for name, words in parts.items() if name != "results"}
    whole, without = "handan:results=0", "handan:results=0:look_back=0"
    pair = compare(ledger, ["elo", whole, "handan:results=0:look_back=0"]).pair(whole, without)
    (part,) = (each for each in answer.parts if each.part == parts["look_back"])
    sign = 1.0 if pair.a == without else -1.0
    assert part.earns == pytest.approx(sign * pair.difference, abs=1e-12)
    assert sorted(part.interval) == pytest.approx(sorted(sign * end for end in pair.interval), abs=1e-12)


def test_a_tuned_system_says_which_settings_earlier_games_chose() -> None:
    ledger = Ledger.of(played([0.0, 100.0, 200.0, 300.0], 120, 5, k=40.0))
    answer = compare(ledger, "elo", tuned=True)
    (tuned,) = (each for each in answer.systems if each.learned)
    assert tuned.learned == {each.name: each.value for each in handan.tuned(ledger, "elo").learned}
    assert tuned.settings["k"] == tuned.learned["k"]


def test_the_answer_is_one_sentence_for_people_programs_and_the_page(tmp_path: Path) -> None:
    ledger = Ledger.of(played([0.0, 0.0, 300.0, 600.0, 900.0], 200, 6))
    file = tmp_path / "games.csv"
    handan.write(ledger, file)
    answer = compare(ledger, "elo,glicko")
    (pair,) = answer.pairs
    assert pair.games_needed is not None
    words = {
        True: f"Of 2 systems {pair.a} forecasts these 200 games best, but it would take "
        f"{about(max(pair.games_needed - 200, 1))} more games to tell it from {pair.b}.",
        False: f"Of 2 systems {pair.a} forecasts these 200 games best, by more than chance.",
    }
    assert answer.sentence == words[pair.verdict == APART]
    command = ("compare", str(file), "--systems", "elo,glicko")
    assert run(*command).out.rstrip().endswith(answer.sentence)
    document = json.loads(run(*command, "--format", "json").out)
    assert (document["sentence"], document["more_games"]) == (answer.sentence, answer.more_games)
    assert sum(point["games"] for point in document["curve"]) == 200
    assert answer.sentence in answer._repr_html_()
    coins = compare(Ledger.of(played([0.0] * 4, 60, 7)), "elo,glicko")
    assert coins.sentence == "These 60 games do not show that any system forecasts better than a coin."


def test_the_curve_of_the_best_system_is_drawn_in_eighty_columns(tmp_path: Path) -> None:
    file = tmp_path / "games.csv"
    handan.write(Ledger.of(played([0.0, 0.0, 300.0, 600.0, 900.0], 200, 6)), file)
    lines = run("compare", str(file), "--systems", "elo", "--curve").out.splitlines()
    drawn = [line for line in lines if line.count(".") > 30]
    assert len(drawn) > 3
    for line in drawn:
        assert len(line) <= 80
        percents = [float(part) for part in line.replace("%", "").split()[:2]]
        picture = line.split()[-1]
        # one sign is two and a half per cent; the score is drawn over the forecast
        assert picture.index("o") == pytest.approx(percents[1] / 2.5, abs=0.51)
        assert "|" not in picture or picture.index("|") == pytest.approx(percents[0] / 2.5, abs=0.51)
