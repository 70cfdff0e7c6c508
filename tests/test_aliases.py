"""Who is who: likely pairs are proposed, a person decides, later reads obey, and a decision can be undone."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from random import Random

import pytest
from rapidfuzz import fuzz

from handan.errors import InputError
from handan.files import Decision, read
from handan.files.aliases import decide, read_aliases, undo
from handan.ledger import Game, Ledger
from handan.ledger.name_folding import folded, words
from handan.ledger.similar_names import ENOUGH, candidates, like_names
from tests.command_line import run, table

HEADER = ("black", "white", "result", "black_id", "white_id", "black_rank")
ROWS = (
    "Ada Lindqvist,Bo Tan,B+,,,3d",
    "LINDQVIST Ada,Cy Ruiz,W+,,,3d",
    "Ada Lindkvist,Cy Ruiz,W+,,,9k",
    "Bo Tan,Dee Moor,B+,egd:10000001,,1k",
    "Bo Tan,Dee Moor,W+,egd:10000002,,5k",
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return table(tmp_path / "games.csv", HEADER, *ROWS)


def pairs(ledger: Ledger, enough: float = ENOUGH) -> set[frozenset[str]]:
    return {frozenset((pair.first, pair.second)) for pair in candidates(ledger, enough)}


def test_names_are_compared_without_marks_capitals_width_and_order() -> None:
    assert folded("Zoë  ŁĄK") == "zoe lak"
    assert folded("\uff21\uff44\uff41") == "ada"  # full-width letters
    assert folded("İLKIN") == folded("ilkin") == folded("I\u0307lkin")  # the Turkish dotted capital
    assert words("Nørby-Łąk, Zoë") == words("zoe norby lak")


@pytest.mark.parametrize("enough", [30.0, 75.0, ENOUGH, 100.0])
def test_the_pairs_of_like_names_are_those_of_comparing_each_with_each(enough: float) -> None:
    """The slow twin compares all pairs by the same likeness."""
    dice = Random(5)
    letters = "abcdeeilnorstz éß漢山田김"
    names = {"".join(dice.choices(letters, k=dice.randint(1, 14))) for _ in range(220)}
    for name in sorted(names)[:60]:
        place = dice.randrange(len(name) + 1)
        names.add(f"{name[:place]}{dice.choice(letters)}{name[place + dice.randint(0, 1) :]}")
    twin = {}
    for one, other in combinations(sorted(names), 2):
        likeness = fuzz.ratio(words(one), words(other))
        if likeness >= enough and likeness > 0:
            twin[frozenset((one, other))] = round(likeness, 1)
    pairs = like_names(names, enough)
    assert {frozenset(pair[:2]): pair.likeness for pair in pairs} == pytest.approx(twin, abs=0.11)
    assert len(pairs) == len(twin)


def test_like_names_are_proposed_with_what_else_speaks_for_them(file: Path) -> None:
    ledger = read(file)
    by_pair = {frozenset((pair.first, pair.second)): pair for pair in candidates(ledger)}
    swapped = by_pair[frozenset(("Ada Lindqvist", "LINDQVIST Ada"))]
    assert swapped.likeness == 100
    assert swapped.evidence == ("same words in another order", "ranks: 3d, 3d")
    misspelt = by_pair[frozenset(("Ada Lindkvist", "LINDQVIST Ada"))]
    assert misspelt.evidence == ("ranks far apart: 9k, 3d", "1 common opponent")


@pytest.mark.parametrize(("last", "evidence"), [("5k", "ranks far apart: 1k, 5k"), ("4k", "ranks: 1k, 4k")])
def test_ranks_that_were_declared_last_speak_against_one_person_from_four_stones_on(last: str, evidence: str) -> None:
    games = [
        Game("Lindqvist Ada", name, "B+", day, black_rank=rank, white_rank="")
        for name, day, rank in (("Bo", "2026-01-01", "9k"), ("Cy", "2026-01-02", "3k"), ("Dee", "2026-01-03", "1k"))
    ]
    games += [
        Game("Lindkvist Ada", "Eve", "B+", day, black_rank=rank)
        for day, rank in (("2026-01-01", "1k"), ("2026-01-02", last))
    ]
    [pair] = candidates(Ledger.of(games))
    assert pair.evidence == (evidence,)


def test_one_name_with_two_numbers_of_a_register_is_proposed_and_a_like_name_is_not(file: Path) -> None:
    two = {pair.evidence[0] for pair in candidates(read(file)) if "egd" in pair.first and "egd" in pair.second}
    assert two == {"two numbers: egd:10000001, egd:10000002"}
    games = [Game("Bo Tan", "Cy", "B+", black_id="egd:1"), Game("Bo Tann", "Cy", "B+", black_id="egd:2")]
    assert not pairs(Ledger.of(games), enough=50)


def test_all_proposals_stand_in_one_file_that_is_decided_and_obeyed(tmp_path: Path) -> None:
    """Without a decision nothing changes; what was seen is not asked again, and its names are not warned of."""
    games, who = tmp_path / "games.csv", tmp_path / "who.csv"
    rows = [*ROWS, "Ada Moor,Dee Moor,B+,egd:3,,", "Ada Lind,Dee Moor,B+,egd:3,,"]
    table(games, HEADER, *rows)
    run("players", games, "--merge-candidates", "-o", who)
    before = run("players", games, "-f", "csv").csv
    assert run("players", games, "--aliases", who, "-f", "csv").csv == before
    lines = {tuple(line.split(",")[1:3]): line for line in who.read_text(encoding="utf-8").splitlines()[1:]}
    assert {("egd:10000002", "egd:10000001"), ("Ada Moor", "Ada Lind")} <= lines.keys()
    decided = [("apart" if "Lindkvist" in line else "seen" if "Moor" in line else "same") + line
               for line in lines.values()]  # fmt: skip
    who.write_text("\n".join(["decision,player,other,note,first,second,likeness,evidence", *decided]), encoding="utf-8")
    answer = run("players", games, "--aliases", who, "-f", "csv")
    assert [row["player"] for row in answer.csv].count("Bo Tan") == 1
    assert "stands with 2 names" not in answer.err
    assert "no two players" in run("players", games, "--aliases", who, "--merge-candidates").out
    run("players", games, "--aliases", who, "--merge-candidates", "-o", who)
    assert len(read_aliases(who)[0]) == len(decided)


def test_players_who_met_over_the_board_are_never_proposed() -> None:
    assert not pairs(Ledger.of([Game("Ada Lindqvist", "Ada Lindkvist", "B+")]))


def test_a_name_with_lost_characters_is_never_proposed() -> None:
    assert not pairs(Ledger.of([Game("Ad? Moor", "Bo", "B+"), Game("Ada Moor", "Bo", "B+")]))


def test_a_decision_is_kept_obeyed_and_undone(file: Path, tmp_path: Path) -> None:
    kept = tmp_path / "aliases.csv"
    assert run("players", file, "--aliases", kept, "--merge", "lindqvist ada", "Ada Lindqvist").status == 0
    assert kept.read_text(encoding="utf-8") == "decision,player,other,note\nsame,LINDQVIST Ada,Ada Lindqvist,\n"
    ladder = run("rate", file, "--system", "elo", "--aliases", kept, "--format", "json").json
    games = {row["player"]: row["games"] for row in ladder["players"]}
    assert games["Ada Lindqvist"] == 2
    assert "LINDQVIST Ada" not in games
    assert run("players", file, "--aliases", kept, "--undo", "LINDQVIST Ada").status == 0
    assert read(file, aliases=kept) == read(file)


def test_players_decided_to_be_two_are_not_proposed_again(file: Path, tmp_path: Path) -> None:
    kept = tmp_path / "aliases.csv"
    command = ("players", file, "--aliases", kept, "--merge-candidates", "--format", "json")
    before = run(*command).json
    run("players", file, "--aliases", kept, "--apart", "Ada Lindkvist", "Ada Lindqvist")
    after = run(*command).json
    assert len(after) == len(before) - 1
    assert {"Ada Lindkvist", "Ada Lindqvist"} not in [{row["first"], row["second"]} for row in after]


def test_an_id_decides_among_namesakes(file: Path, tmp_path: Path) -> None:
    """A name alone is that of who has no id, where there is such a player."""
    merged = read(file, aliases=[Decision(same=True, player="egd:10000002", other="egd:10000001")])
    assert [player.id for player in merged.players if player.name.startswith("Bo Tan")] == ["egd:10000001"]
    with_ids = table(tmp_path / "ids.csv", HEADER, *ROWS[3:])
    ambiguous = read(with_ids, aliases=[Decision(same=True, player="Bo Tan", other="Dee Moor")])
    assert [str(problem) for problem in ambiguous.problems if problem.source == "aliases"] == [
        "aliases: player 'Bo Tan' is not the name of one player; give one of the ids egd:10000001, egd:10000002"
    ]


def test_decisions_that_make_a_circle_are_refused(tmp_path: Path) -> None:
    kept = tmp_path / "aliases.csv"
    decide(kept, Decision(same=True, player="A", other="B"))
    decide(kept, Decision(same=True, player="B", other="C"))
    with pytest.raises(InputError, match="make a circle"):
        decide(kept, Decision(same=True, player="C", other="A"))
    assert len(read_aliases(kept)[0]) == 2
    with pytest.raises(InputError, match="holds no decision about 'Z'"):
        undo(kept, "Z")


def test_a_chain_of_decisions_leads_to_its_end() -> None:
    games = Ledger.of([Game("A", "X", "B+"), Game("B", "X", "B+"), Game("C", "X", "B+")])
    merged = read(
        games.games, aliases=[Decision(same=True, player="A", other="B"), Decision(same=True, player="B", other="C")]
    )
    assert [player.name for player in merged.players] == ["C", "X"]


@pytest.mark.parametrize("left", [(), (0,), (1,), (2,)])
def test_what_is_filled_into_a_table_of_proposals_is_read_back(tmp_path: Path, left: tuple[int, ...]) -> None:
    """Three spellings, of which any two pairs make one person; a name with two numbers; and one that stays open."""
    games, who = tmp_path / "games.csv", tmp_path / "who.csv"
    rows = (
        "Ada Lindqvist,Bo Tan,B+R,", "Ada Lindkvist,Eve Nemo,B+R,", "Ada Lindcvist,Dee Lund,B+R,",
        "Cy Ruiz,Bo Tann,B+R,egd:10000001", "Cy Ruiz,Dee Lund,B+R,egd:10000009",
    )  # fmt: skip
    games.write_text("\n".join(["black,white,result,black_id", *rows]))
    assert "5 proposals, 0 decisions" in run("players", games, "--merge-candidates", "-o", who).err
    header, *proposals = who.read_text(encoding="utf-8").splitlines()
    proposals = sorted(proposals, key=lambda row: ("Lind" not in row, "Bo Tan" in row))
    words = [*("" if place in left else "same" for place in range(3)), "same", "seen"]
    who.write_text("\n".join([header, *map(str.__add__, words, proposals)]), encoding="utf-8")
    players = run("players", games, "--aliases", who, "-f", "csv").csv
    assert sorted(row["games"] for row in players if row["player"].startswith(("Ada", "Cy"))) == ["2", "3"]
    assert {row["player"] for row in players} >= {"Bo Tan", "Bo Tann"}
    proposals_left = run("players", games, "--aliases", who, "--merge-candidates")
    assert proposals_left.out == "no two players have names that are like each other\n"
    again = run("players", games, "--aliases", who, "--merge-candidates", "-o", who)
    assert f"0 proposals, {5 - len(left)} decisions" in again.err
    assert run("players", games, "--aliases", who, "-f", "csv").csv == players


def test_the_list_of_players_says_what_the_files_say(file: Path) -> None:
    rows = {row["player"]: row for row in run("players", file, "--format", "csv").csv}
    assert rows["Bo Tan (egd:10000001)"]["rank"] == "1k"
    assert rows["Cy Ruiz"]["games"] == "2"


def test_a_decision_needs_a_file(file: Path) -> None:
    done = run("players", file, "--merge", "Ada Lindkvist", "Ada Lindqvist")
    assert (done.status, done.err.count("\n")) == (2, 1)


CAPITALS = "date,black,white,result\n2026-01-08,ADA LOVE,Bo Mann,B+R\n2026-01-15,BO MANN,Cy,W+2.5\n"


def test_names_that_differ_in_capitals_alone_are_said(tmp_path: Path) -> None:
    """One column in capitals makes two players of each: the person must learn of it, and how to mend it."""
    games, who = tmp_path / "games.csv", tmp_path / "who.csv"
    games.write_text(CAPITALS)
    text = "names that differ in capitals alone count as different players: BO MANN / Bo Mann (handan players"
    for answer in (run("check", games), run("rate", games, "--system", "elo")):
        assert answer.status == 0
        assert text in answer.err
    # decided either way, it is said no longer
    for decision in ("--merge", "--apart"):
        assert run("players", games, "--aliases", who, decision, "BO MANN", "Bo Mann").status == 0
        assert "capitals" not in run("rate", games, "--system", "elo", "--aliases", who).err
        who.unlink()


def test_names_of_the_same_words_in_another_order_are_said(tmp_path: Path) -> None:
    games, who = tmp_path / "games.csv", tmp_path / "who.csv"
    rows = ('"Lindqvist, Ada",Bo Mann,B+R', "Ada Lindqvist,Cy,W+R", "Wei Li,Li Wei,B+R")
    games.write_text("\n".join(["date,black,white,result", *[f"2026-01-08,{row}" for row in rows]]))
    text = "in another order may be one person, and count as different players: Ada Lindqvist / Lindqvist, Ada (handan"
    for answer in (run("check", games), run("rate", games, "--system", "elo")):
        assert (answer.status, text in answer.err) == (0, True)
        assert "Li Wei" not in answer.err  # who met each other are two
    assert run("players", games, "--aliases", who, "--apart", "Ada Lindqvist", "Lindqvist, Ada").status == 0
    assert "another order" not in run("rate", games, "--system", "elo", "--aliases", who).err


def test_what_is_said_of_several_files_together_names_none(tmp_path: Path) -> None:
    files = [tmp_path / "one.csv", tmp_path / "two.csv"]
    for file, row in zip(files, CAPITALS.splitlines()[1:], strict=True):
        file.write_text(f"date,black,white,result\n{row}\n")
    answer = run("rate", *files, "--system", "elo")
    assert "warning: names that differ in capitals alone count as different players: BO MANN / Bo Mann" in answer.err


def test_names_that_differ_in_joiners_alone_are_said(tmp_path: Path) -> None:
    games = tmp_path / "games.csv"
    games.write_text("black,white,result\nعلی\u200cرضا,Bo,B+R\nعلیرضا,Cy,W+R\n", encoding="utf-8")
    text = "names that differ in capitals or joiners alone count as different players: علیرضا / علی<U+200C>رضا"
    for answer in (run("check", games), run("rate", games, "--system", "elo")):
        assert answer.status == 0
        assert text in answer.err


@pytest.mark.parametrize(
    "more",
    ["2026-01-22,Bo Mann,BO MANN,B+R\n", "2026-01-22,Bo Mann,Cy,B+R\n2026-01-29,Eve,Cy,B+R\n"],
    ids=["they met", "ids"],
)
def test_who_surely_are_two_players_are_not_said_to_be_alike(more: str, tmp_path: Path) -> None:
    games = tmp_path / "games.csv"
    text = CAPITALS + more
    if "Eve" in more:
        rows = text.splitlines()
        ids = {"Bo Mann": "egd:17000001", "BO MANN": "egd:17000002"}
        rows = [f"{row},{ids.get(row.split(',')[1], '')},{ids.get(row.split(',')[2], '')}" for row in rows[1:]]
        text = "date,black,white,result,black_id,white_id\n" + "\n".join(rows) + "\n"
    games.write_text(text)
    for answer in (run("check", games), run("rate", games, "--system", "elo")):
        assert "capitals" not in answer.err
