"""Make the sample databases of earlier versions, each by the code of its commit: `python -m tests.old_databases`.

A sample is made once, when a migration is released, and never again: what is in it is what that version wrote.
"""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

FOLDER = Path(__file__).parent / "samples" / "databases"
COMMITS = {
    "72356bc": "the first tables",
    "5f20566": "keys of players in 64 characters",
    "e3dca6b": "facts as canonical text",
    "2612996": "an index of the entries of a user",
    "867f682": "keys that sign",
    "7de4fb4": "digests of format 2",
    "52fae82": "links to new passwords, sessions, disputed games",
    "f8dc78a": "the moment of a request for a link under another name",
    "15087a2": "repairs, what tells who somebody is apart from the facts, the zone of a club",
    "d901d08": "what a club says of itself",
    "95e12bd": "record sheets, players entered by mistake, the PIN of the tablet",
    "7078029": "checks of sheets that were taken back",
    "2770aef": "players, games, adjustments, sheets and rating lists as rows",
    "892af26": "the state of all players at checkpoints",
    "82ebc8e": "events",
    "4973e61": "who is at the club on a day",
    "5613f2b": "entries of a kind, and who solves a list",
    "f311a70": "files that directors submit, the register of members, and what codes on cards are signed by",
    "9c8cb37": "checkpoints in the rows of their blocks",
    "dcc40c7": "countries and clubs that players have left",
    "20c5328": "categories by age",
    "a3e8922": "whose ranks the players of a game have",
    "15681b5": "games of events in the order of an index",
}
"""The commits whose tables differ from those before, and in what."""
FILL = """
import json, sys
import django
django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0)
from datetime import date
from handan.club import changes, lists
from handan.club.store.states import state_of
from handan.club.standings import standings
from handan.club.rules import checked
from handan.club.store.writing import create_club, write
day = date(2026, 11, 20)
club = create_club("lake", "Club by the lake", checked("elo", {}))
def add(make):
    return write(club, make, author="keeper")[0].subject
names = ("山田 春子", "Łucja Nowak", "Ada", "Adah")
keys = [add(lambda s, n=n: changes.players.register_player(s, {"name": n})) for n in names]
for key, rank in zip(keys, ("2d", "1k", "5k", "5k")):
    add(lambda s: changes.players.adjust(s, key, {"rank": rank}, day, "on entry"))
games = []
for place in range(24):
    facts = {"black": keys[place % 3], "white": keys[(place + 1) % 4], "result": "W+0.5" if place % 4 else "B+R",
             "date": f"2026-05-{place + 1:02d}"}
    if facts["black"] != facts["white"] and {facts["black"], facts["white"]} != {keys[2], keys[3]}:
        games.append(add(lambda s: changes.games.record_game(s, facts, day)))
add(lambda s: changes.games.correct_game(s, games[3], {"komi": 7.5}, day, "misread"))
add(lambda s: changes.games.withdraw_game(s, games[5], "twice"))
add(lambda s: changes.games.restore_game(s, games[5], "no"))
add(lambda s: changes.games.withdraw_game(s, games[6], "twice"))
write(club, lambda s: lists.publish(s, date(2026, 5, 31), label="May"), author="keeper")
add(lambda s: changes.players.merge_players(s, keys[3], keys[2], "one person"))
write(club, lambda s: changes.office.set_rules(s, checked("elo", {"k": 16}, date(2026, 5, 15))), author="keeper")
write(club, lambda s: lists.publish(s, date(2026, 6, 30), label="June"), author="keeper")
try:
    from handan.club.store.members import invite, new_account, new_token, set_member
    from handan.club.store.access import Actor
    from handan.club.store.models import Role, Scope
except ImportError:
    pass
else:
    user = new_account("keeper", "a long enough phrase")
    set_member(club, user, Role.KEEPER, keys[1], author="x")
    invite(Actor(club, Role.ADMINISTRATOR), Role.PLAYER, keys[0])
    new_token(user, "script", Scope.READ)
try:
    from handan.club.store.tablet import set_pin
except ImportError:
    pass
else:
    mistake = add(lambda s: changes.players.register_player(s, {"name": "Mistake"}))
    add(lambda s: changes.players.withdraw_player(s, mistake))
    sheet = add(lambda s: changes.sheets.enter_sheet(s, {1: games[0], 4: games[3]}))
    add(lambda s: changes.sheets.continue_sheet(s, sheet, {2: games[1]}))
    add(lambda s: changes.sheets.check_sheet(s, sheet))
    if hasattr(changes.sheets, "withdraw_check"):
        add(lambda s: changes.sheets.withdraw_check(s, sheet, s.number))
    set_pin(Actor(club, Role.ADMINISTRATOR), "271828")
if hasattr(changes, "events"):
    from handan.ledger import Bye, Event, Participant, Player, When
    ada = Participant(Player(keys[0], country="JP"), "2d", 1, ((1, Bye.ALLOCATED),))
    there = (ada, Participant(Player(keys[1]), "1k"))
    cup = Event("Cup", When.of("2026-05-02"), participants=there, rounds=2, country="JP", director="Ada")
    add(lambda s: changes.events.enter_event(s, cup, day))
rows = standings(state_of(club), day).rows
print(json.dumps([[row["player"], row["rank"], round(row["rating"], 3)] for row in rows], ensure_ascii=False))
from django.db import connection
connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")
connection.cursor().execute("PRAGMA journal_mode=DELETE")
connection.cursor().execute("VACUUM")
"""


def make(commit: str) -> None:
    """Write the database of a commit, packed, and its ladder."""
    with TemporaryDirectory() as folder:
        home = Path(folder)
        archive = subprocess.run(["git", "archive", commit, "src"], capture_output=True, check=True).stdout
        subprocess.run(["tar", "-x", "-C", folder], input=archive, check=True)
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("HANDAN", "DJANGO"))},
            "PYTHONPATH": str(home / "src"),
            "DATABASE_URL": f"sqlite:///{home / 'club.db'}",
            "DJANGO_SETTINGS_MODULE": "handan.web.settings",
            "HANDAN_KERNELS": "plain",
        }
        done = subprocess.run(
            [sys.executable, "-c", FILL], env=environment, cwd=folder, stdout=subprocess.PIPE, text=True, check=True
        )
        FOLDER.mkdir(exist_ok=True)
        (FOLDER / f"{commit}.db.gz").write_bytes(gzip.compress((home / "club.db").read_bytes(), mtime=0))
        (FOLDER / f"{commit}.json").write_text(done.stdout, encoding="utf-8")


if __name__ == "__main__":
    for name in sys.argv[1:] or COMMITS:
        if not (FOLDER / f"{name}.db.gz").exists():
            make(name)
