"""Migrations stand fast, and a database of every earlier version opens, is brought up to date, and keeps its ladder."""

from __future__ import annotations

import ast
import gzip
import json
import sqlite3
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from tests.forms import extended_but
from tests.old_databases import COMMITS, FOLDER
from tests.processes import program

MIGRATIONS = Path(__file__).parents[2] / "src" / "handan" / "club" / "store" / "migrations"
FROZEN = {
    "0001_initial": "deac813a8d70e883c9f70304174ae4f27897aa2fdc3cd1ece256746236bb2f52",
    "0002_append_only": "6c2966514417873231a9a2e15e893d783c994ba6c5ebc11899a3544496d44187",
    "0003_keys": "dbcec22645baf3ae5a59be78fba61a7939b44361f6ee2c2ea16a68b8adf75e00",
    "0004_digest_format": "894e11db710323e1ca11f07eb60638b77b9f66ebfd7dde926af50d6e2d47f900",
    "0005_new_passwords": "9190975d90d14d1af9d2ee21e9c3d9f82a462758f9c8589627f4f1497ec5a919",
    "0006_sessions_and_invitations": "f5894c099bb8e1490d2c60324d5565d620914f0ab3f75a1ba56ecb97697b11af",
    "0007_disputed_games": "a9646ecd9de0cf30613f93be614e0d3fd06989d9500c46d1081b03d6a93187ff",
    "0008_repairs": "69f518bca9e55a373a348a048926c60161f4b3646619818e042362cb811646fd",
    "0009_personal_texts": "579727f23d55cffc3daf30c546e68cca7ba7f6419d382a1001783fdbbf8d9e71",
    "0010_zones": "0276d8e15c374a20014069044ef97999825c8c27bb5c8f5dd163140559bde402",
    "0011_club_facts": "0d312a42addcdccf5dffc839efe89970f44da92ef9645535ce283ab2a2bc8f7c",
    "0012_sheets_and_tablet": "099a280a4e6ae196c172153f25825363b3a55b35293a9ca1372ccae235cb3fc7",
    "0013_withdrawn_checks": "25eca1be3137540883faedafd36964b2e344498b5c82584dcf7091e3f2f897f2",
    "0014_facts": "654ca24443e80851a742a0c7dee56e274a73fbf6aff4a367e0c6efe9eaa87290",
    "0015_rating_lists": "c52073c5350d75fc7193b044e21de2ab35f653922646920ee7e0d6e77e8ac7c6",
    "0016_games_by_moment": "9f300152fd03c2cbc775ef2b31845a1617b77b2d193c1b6c19130aa3192f2c2d",
    "0017_state_at_checkpoints": "ff338908b1edbc835ae9b1186351b7522ab646724e3c81acbeebafbd809b2811",
    "0018_events": "8b6497cde2180840d1074e8549754b4fd7aecad51cf407e3851599926fbef88a",
    "0019_attendance": "5d2a1a050e1a5776d0564cfc667c2cfcf5fea7e94b3a542d31b0d2dfa2255d07",
    "0020_solved_lists": "54c5801727472f764cf116e4276c383c1ef356d7035de6e21a7cfb952bf0f8f7",
    "0021_submissions": "e9b4db244446974b66a8aff1faafc1de56345fbfda0a3537d4902d27e7e9277e",
    "0022_register_and_card_codes": "239eaed182721b87e42ea3839f09cba50e62025eb6a7d62165fe2e82e9b4a374",
    "0023_checkpoints_in_blocks": "fdf3f2a2a8984e78170e32716c702667bd826f16539f835a638529301918b874",
    "0024_earlier_homes": "7621de5e92f4d855cfea13b0b6cbd857806fa5eb0af6614b8ef64ac58ced2873",
    "0025_categories_by_age": "302b5fbc89f55d7a9cbc97f762a8f6f0bf7c4f64b2e18284cbfeb7184ecc22b0",
    "0026_servers": "4306c1c29d9256ad07e727349062a801f1787126b16d55083b698e1346243627",
    "0027_games_in_events": "5160124b608463e0359d84c17118473193c364d00885f608024a2aec1ff48c68",
}
"""SHA-256 of what each migration does: its code without docstrings, comments and layout. A new one is added here when
it is released, with a sample made by `python -m tests.old_databases`; a line that is here never changes."""


ENTRIES = {
    "72356bc": 34,
    "15087a2": 34,
    "d901d08": 34,
    "95e12bd": 40,
    "7078029": 41,
    "2770aef": 41,
    "892af26": 41,
    "82ebc8e": 42,
    "4973e61": 42,
    "5613f2b": 42,
    "f311a70": 42,
    "9c8cb37": 42,
    "dcc40c7": 42,
    "20c5328": 42,
    "a3e8922": 42,
    "15681b5": 42,
}
"""Entries of the samples that have not 35 of them: the first has no member, newer ones no chain to be carried over. The
newest thirteen have a sheet, a mistake and a PIN, the last twelve a check that was taken back, nine an event."""


def digest(path: Path) -> str:
    """Return the digest of a migration's code, whatever its docstrings, comments and layout are."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            node.body = [part for part in node.body if not _is_text(part)] or [ast.Pass()]
    return sha256(ast.unparse(_Pieces().visit(tree)).encode()).hexdigest()


class _Pieces(ast.NodeTransformer):
    """Formatted texts as tuples of their pieces: versions of Python write the quotes within them otherwise."""

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        return ast.Tuple([self.visit(value) for value in node.values], ast.Load())

    def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.expr:
        form = [self.visit(node.format_spec)] if node.format_spec else []
        return ast.Tuple([self.visit(node.value), ast.Constant(node.conversion), *form], ast.Load())


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def test_migrations_stand_fast() -> None:
    made = {path.stem: digest(path) for path in sorted(MIGRATIONS.glob("0*.py"))}
    assert made == FROZEN


def test_migrations_depend_on_nothing_that_may_change() -> None:
    """What they import of the package is code that they would follow when it changes."""
    for path in MIGRATIONS.glob("0*.py"):
        names = {
            name
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            for name in ([node.module or ""] if isinstance(node, ast.ImportFrom) else
                         [item.name for item in node.names] if isinstance(node, ast.Import) else [])
            if name.startswith("handan")
        }  # fmt: skip
        assert names <= {"handan.club.fields"}, path.name


def tables(file: Path) -> dict[str, Any]:
    """Return the columns and indexes of each table of the club, and the triggers, without how they are written."""
    with closing(sqlite3.connect(file)) as database:
        names = [
            name
            for (name,) in database.execute("SELECT name FROM sqlite_master WHERE name LIKE 'club_%' AND type='table'")
        ]
        columns = {name: {row[1] for row in database.execute(f"PRAGMA table_info({name})")} for name in names}
        indexes = {
            tuple(row[2] for row in database.execute(f"PRAGMA index_info({index[1]})"))
            for name in names for index in database.execute(f"PRAGMA index_list({name})")
        }  # fmt: skip
        triggers = {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type='trigger'")}
    return {"columns": columns, "indexes": indexes, "triggers": triggers}


@pytest.fixture(scope="module")
def new(empty: Path) -> dict[str, Any]:
    return tables(empty)


@pytest.mark.parametrize("commit", extended_but([*COMMITS][:1] + [*COMMITS][-1:], COMMITS))
def test_a_database_of_an_earlier_version_is_brought_up_to_date(
    commit: str, new: dict[str, Any], tmp_path: Path
) -> None:
    file, ledger, listed = tmp_path / "club.db", tmp_path / "ledger.jsonl", tmp_path / "list.json"
    file.write_bytes(gzip.decompress((FOLDER / f"{commit}.db.gz").read_bytes()))
    (tmp_path / "club.db.states" / "lake").mkdir(parents=True)  # of a version that kept names there
    output = commands(
        ("club", "migrate", "--database", file),
        ("club", "verify", "--database", file),
        ("club", "export", "lake", ledger, "--database", file),
        ("club", "zone", "lake", "Africa/Johannesburg", "--database", file),  # it goes on
        ("club", "verify", "--database", file),
    )
    whole = "entries; the chain holds, and the replay makes every official list again"
    entries = ENTRIES.get(commit, 35)
    assert ("the file as it was" in output) == (commit != list(COMMITS)[-1])  # which is up to date
    assert (f"lake: {entries} {whole}" in output, f"lake: {entries + 1} {whole}" in output) == (True, True)
    assert tables(file) == new
    assert commit == list(COMMITS)[-1] or not (tmp_path / "club.db.states").exists()
    contents = [json.loads(line)["facts"]["content"] for line in ledger.read_text(encoding="utf-8").splitlines()
                if '"list published"' in line]  # fmt: skip
    ladder = json.loads((FOLDER / f"{commit}.json").read_text(encoding="utf-8"))
    assert [[row["player"], row["rank"], row["rating"]] for row in contents[-1]["players"]] == ladder
    text = json.dumps(contents[-1], ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    listed.write_text(text + "\n", encoding="utf-8")
    assert "the same bytes again" in commands(("verify", listed, ledger))
    with closing(sqlite3.connect(file)) as database, pytest.raises(sqlite3.IntegrityError, match="never changed"):
        database.execute("UPDATE club_entry SET subject = 'g1' WHERE number = 3")


def commands(*lines: tuple[object, ...]) -> str:
    """Return what commands print, all run by one process."""
    run = (
        "import json, sys\nfrom handan.cli import root\n"
        "for line in json.loads(sys.argv[1]):\n    root()(line, standalone_mode=False)"
    )
    return program(run, json.dumps([[str(part) for part in line] for line in lines]))


def test_samples_are_small() -> None:
    assert all(file.stat().st_size < 100_000 for file in FOLDER.iterdir())
