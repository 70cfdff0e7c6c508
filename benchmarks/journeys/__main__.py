"""Journeys through a club server: what everybody is answered who enters, corrects, merges, publishes and looks.

Run as `python -m benchmarks.journeys --record FOLDER`, and with another version as `--compare FOLDER`: it makes clubs
by the forms and calls that people use, asks every page and call in every role, and keeps the answers, or prints how
they differ from those that are kept. Nothing depends on the day, the clock or what is drawn. `--quick` takes a part of
it. The version that is asked is the one of the Python that runs this.

Each club has a file of sentences, one a line, which say who does what: `keeper sends PATH field=value …` fills the form
of a page, `calls METHOD PATH json` is a call with a token, `enters CLUB games=… …` sends a record sheet of games that
are drawn, `presses WORD` the button of the form that leads there, `joins CLUB ROLE [PLAYER]` uses an invitation,
`tokens` makes a token for calls, `waits DAYS` lets days go by, `handan …` is a command. `-> name` keeps the key that
the answer names: `{name}` is that key afterwards, `{name#}` the number in it. After each, the ladder is asked for.
"""

from __future__ import annotations

import argparse
import contextlib
import difflib
import hashlib
import io
import itertools
import json
import os
import random
import re
import secrets
import shlex
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any
from unittest import mock
from urllib.parse import quote

from benchmarks.journeys.responses import form_of, readable

if TYPE_CHECKING:
    from django.test import Client

PASSWORD = "correct horse battery"
MEMORY = "/dev/shm"
INDEX = "index.json"
KINDS = {"{player}": "p", "{game}": "g", "{sheet}": "s"}
"""What stands for keys in addresses, and the first letter of these."""
KEYS = (
    re.compile(r"/(?:players|games|sheets|adjustments)/([pgsa]\d+)/"),
    re.compile(r'"subject": "([pgsa]\d+)"'),
    re.compile(r'"key": "((?:[a-z]+\.)?p\d+)"'),
)
"""Where an answer names a key."""
TOKEN = re.compile(r'<code class="link">([^<]+)</code>')
LINK = re.compile(r"/join/[\w-]+/")
PATIENCE = 600.0  # seconds
SIGNED_IN_FOR = timedelta(days=10)
CLUBS = {
    "linden": ("stranger", "guest", "ada", "keeper", "secretary", "officer", "administrator"),
    "sakura": ("stranger", "guest", "yamada", "keeper", "administrator"),
    "tafel": ("stranger", "keeper", "administrator"),
    "lone": ("stranger", "administrator"),
    "union": ("stranger", "officer", "administrator"),
}
"""Who asks everything of a club; all but the first and the last ask of few players and games."""
FEW = 2
QUICK = ("linden", "sakura")
"""The clubs of a quick run."""
LANGUAGES = ("ja", "de", "fr", "ko", "zh-hans", "zh-hant")
SENTENCES = Path(__file__).parent
SYLLABLES = ("ka", "ri", "no", "mo", "ta", "se", "li", "va", "den", "sten", "berg", "holm", "dar", "fel", "gun", "mir")
LONGEST_NAME = 150  # characters of a question in the name of its file
LONG, SHOWN = re.compile(r"-?\b\d+\.\d{9,}(?:e-?\d+)?\b"), 5
"""Numbers with more decimals than anybody is shown, and how many are compared; our choice."""
DIFFERENT_LINES = 40  # of one answer that are shown


class Clock:
    """The moment that it is for the server: it goes on by a minute with each step."""

    def __init__(self) -> None:
        self.moment = datetime(2026, 1, 10, 9, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        """Return the moment."""
        return self.moment


@dataclass
class Person:
    """Somebody who asks: a browser with its cookies, and a token for calls."""

    name: str
    client: Client
    signed_in: datetime | None = None
    token: str = ""
    page: str = ""
    """What the browser shows."""


@dataclass
class World:
    """A server with its clubs and all who ask, and what they were answered."""

    clock: Clock
    people: dict[str, Person] = field(default_factory=dict)
    keys: dict[str, str] = field(default_factory=dict)
    """Keys and links by the names that the journeys give them."""
    seen: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    """Keys that journeys gave a name, by club and first letter."""
    answers: dict[str, str] = field(default_factory=dict)
    """By what was asked, in the order of the questions."""
    says: bool = False
    """Whether each step is printed."""

    def person(self, name: str) -> Person:
        """Return somebody, signed in if they have an account."""
        from django.test import Client

        if name not in self.people:
            self.people[name] = Person(name, Client(enforce_csrf_checks=True))
        person = self.people[name]
        if person.signed_in is not None and self.clock.moment - person.signed_in > SIGNED_IN_FOR:
            person.signed_in = self.clock.moment
            self.send(person, "/sign-in/", {"username": name, "password": PASSWORD}, kept=False)
        return person

    # questions

    def ask(self, person: Person, path: str, **headers: str) -> None:
        """Get a page, or make a call that looks, and keep the answer."""
        if path.startswith("/api/") and person.token:
            headers["Authorization"] = f"Bearer {person.token}"
        answer = person.client.get(path, headers=headers)
        noted = "".join(f" ({value})" for name, value in headers.items() if name != "Authorization")
        self.keep(f"{person.name} GET {path}{noted}", answer)

    def call(self, person: Person, method: str, path: str, body: str = "") -> Any:
        """Make a call with the token of somebody, and keep the answer."""
        headers = {"Authorization": f"Bearer {person.token}", "Idempotency-Key": f"call-{len(self.answers)}"}
        path = f"/api/clubs{path}"
        answer = person.client.generic(method, path, body, content_type="application/json", headers=headers)
        self.keep(f"{person.name} {method} {path}", answer)
        return answer

    def send(self, person: Person, path: str, fields: dict[str, Any], *, kept: bool = True, action: str = "") -> Any:
        """Fill the form of a page and send it; keep the page, the answer, and the page that follows."""
        if path:
            first = person.client.get(path)
            person.page = first.content.decode()
            if kept:
                self.keep(f"{person.name} GET {path}", first)
        form = form_of(person.page, path, set(fields), action)
        values = {**form.fields, **{name: value for name, value in fields.items() if value is not None}}
        if "token" in values:
            values["token"] = f"step-{len(self.answers)}"
        if "csrftoken" in person.client.cookies:
            values.setdefault("csrfmiddlewaretoken", person.client.cookies["csrftoken"].value)
        target = form.action or path
        answer = person.client.post(target, values)
        if kept:
            self.keep(f"{person.name} POST {target}", answer)
        person.page = answer.content.decode()
        if answer.status_code in {302, 303}:
            after = person.client.get(answer["Location"])
            person.page = after.content.decode()
            if kept:
                self.keep(f"{person.name} GET {answer['Location']} (after POST)", after)
        return answer

    def keep(self, question: str, answer: Any) -> None:
        """Keep an answer under what was asked."""
        number = 1
        name = question = re.sub(r"/join/[\w-]{16,}/", "/join/…/", question)
        while name in self.answers:
            number += 1
            name = f"{question} #{number}"
        body = b"".join(answer.streaming_content) if answer.streaming else answer.content
        self.answers[name] = readable(answer.status_code, answer.headers, body)
        if answer.status_code >= 500 or self.says:
            print(answer.status_code, name, flush=True)

    # steps

    def walk(self, journey: str) -> None:
        """Do what the file of a journey says, line by line."""
        for line in (SENTENCES / f"{journey}.txt").read_text(encoding="utf-8").splitlines():
            self.clock.moment += timedelta(minutes=1)
            sentence, _, name = line.partition(" -> ")
            who, *words = shlex.split(self.filled(sentence))
            if who == "handan":
                command(*words)
                continue
            person, verb, rest = self.person(who), words[0], words[1:]
            done = getattr(self, f"_{verb}")(person, *rest)
            club = next((word.split("/")[1] for word in rest if word.startswith("/")), "")
            if name:
                self.keys[name] = key = _key(done, person.page)
                self.seen.setdefault((club, key.rpartition(".")[2][0]), []).append(key)
            if club in CLUBS and verb in {"sends", "calls"}:
                self.ask(self.person("administrator"), f"/api/clubs/{club}/ladder")

    def filled(self, text: str) -> str:
        """Return a line with the keys of its names; `{name#}` stands for the number of the entry of that key."""
        for name, key in self.keys.items():
            text = text.replace(f"{{{name}}}", key).replace(f"{{{name}#}}", key[1:])
        return text

    def _sends(self, person: Person, path: str, *pairs: str) -> Any:
        return self.send(person, path, _fields(pairs))

    def _presses(self, person: Person, action: str) -> Any:
        return self.send(person, "", {}, action=f"/{action}/")

    def _calls(self, person: Person, method: str, path: str, body: str = "") -> Any:
        return self.call(person, method, path, body)

    def _waits(self, _: Person, days: str) -> None:
        self.clock.moment += timedelta(days=int(days))

    def _joins(self, person: Person, club: str, role: str, player: str = "") -> None:
        """Use an invitation: of an administrator for a player, else of the command line."""
        if player:
            administrator = self.person("administrator")
            self.send(administrator, f"/{club}/members/", {"role": "1", "player": player}, kept=False)
            link = LINK.search(administrator.page)
        else:
            link = LINK.search(command("club", "invite", club, "--role", role))
        assert link, f"no link for {person.name}"
        fields = {"username": person.name, "password": PASSWORD, "again": PASSWORD}
        self.send(person, link[0], {} if person.signed_in else fields)
        person.signed_in = self.clock.moment

    def _tokens(self, person: Person) -> None:
        """Make a token for calls."""
        self.send(person, "/account/", {"name": "journeys", "scope": "3"}, kept=False)
        shown = TOKEN.search(person.page)
        assert shown, f"no token for {person.name}"
        person.token = shown[1]

    def _enters(self, person: Person, club: str, *pairs: str) -> Any:
        """Send a record sheet of games that are drawn."""
        drawn = games_drawn(**{name: value for name, (value,) in _fields(pairs).items()})
        return self.send(person, f"/{club}/games/sheet/", {"text": drawn, "newcomers": "on", "save": "1"})


def _fields(pairs: tuple[str, ...]) -> dict[str, list[str]]:
    fields = dict[str, list[str]]()
    for pair in pairs:
        name, _, value = pair.partition("=")
        fields.setdefault(name, []).append(value.replace("\\n", "\n"))
    return fields


def _key(answer: Any, page: str) -> str:
    """Return the key that an answer names."""
    text = answer.get("Location", "") or answer.content.decode()
    if link := LINK.search(page):
        return link[0]
    return next((match[1] for pattern in KEYS if (match := pattern.search(text))), "none")


def games_drawn(games: str, players: str, seed: str, first: str, days: str) -> str:
    """Return a table of games of players with invented names."""
    dice = random.Random(int(seed))
    names = list[str]()
    while len(names) < int(players):
        words = ("".join(dice.choices(SYLLABLES, k=2)).capitalize() for _ in range(2))
        if (name := " ".join(words)) not in names:
            names.append(name)
    strength = {name: dice.gauss(0.0, 4.0) for name in names}
    lines = ["date,black,white,result,handicap,komi,kind,event,round,black_rank,white_rank"]
    for number in range(int(games)):
        black, white = sorted(dice.sample(names, 2), key=lambda name: strength[name])
        stones = dice.choice((0, 0, min(9, round(strength[white] - strength[black]))))
        stones = 0 if stones < 2 else stones
        day = date.fromisoformat(first) + timedelta(days=number * int(days) // int(games))
        result = dice.choice(("B+R", "W+R", "B+3.5", "W+7.5", "W+T", "jigo" if not stones else "B+R"))
        event = f"Open {number // 20}" if number % 40 < 20 else ""
        ranks = (f"{max(1, round(9 - strength[name]))}k" for name in (black, white))
        komi = "0.5" if stones else "6.5"
        lines.append(f"{day},{black},{white},{result},{stones},{komi},club,{event},{number % 5 + 1},{','.join(ranks)}")
    return "\n".join(lines)


def command(*arguments: str) -> str:
    """Run a command of `handan` in this process and return what it prints."""
    from handan.cli import main

    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    with contextlib.redirect_stdout(out):
        status = main(list(arguments))
    if status:
        raise SystemExit(f"handan {' '.join(arguments)}: exit status {status}")
    return out.buffer.getvalue().decode()


def ask_all(world: World, clubs: Sequence[str], *, quick: bool) -> None:
    """Ask every page and call of clubs in every role; quickly: in the first and the last, of few players and games."""
    addresses = questions()
    for club in clubs:
        keys = {kind: world.seen.get((club, kind), []) for kind in "pgs"}
        few, one = ({kind: several[:number] for kind, several in keys.items()} for number in (FEW, 1))
        first, *others, last = CLUBS[club]
        for name in (first, last) if quick else (first, *others, last):
            person = world.person(name)
            for path in _paths(addresses["every club"], club, few if quick or name in others else keys):
                world.ask(person, path)
            for path in _paths(addresses["parts of pages"], club, keys):
                world.ask(person, path, **{"HX-Request": "true"})
        for language in LANGUAGES[: 1 if quick else None]:
            for path in _paths(addresses["in languages"], club, one):
                world.ask(person, path, **{"Accept-Language": language})
        for path in () if quick else _paths(addresses["papers"], club, one):
            world.ask(person, path)
    for name in ("stranger", "guest", "administrator"):
        for path in addresses["elsewhere"]:
            world.ask(world.person(name), path)


def questions() -> dict[str, list[str]]:
    """Return the addresses that are asked for by the headings of their file."""
    parts = (SENTENCES / "questions.txt").read_text(encoding="utf-8").split("\n\n")
    return {head.strip("[]"): rest for head, *rest in map(str.splitlines, parts)}


def _paths(addresses: Sequence[str], club: str, keys: dict[str, list[str]]) -> Iterator[str]:
    """Go through addresses, each for every key that it asks for; those of two players are for the first two."""
    for address in addresses:
        if "{one}" in address:
            for one, other in itertools.pairwise(keys["p"][:2]):
                yield address.format(club=club, one=one, other=other)
        else:
            name, kind = next((item for item in KINDS.items() if item[0] in address), ("", ""))
            for key in keys[kind] if kind else [""]:
                yield address.replace("{club}", club).replace(name, key)


def travelled(clubs: Sequence[str], *, quick: bool = False, says: bool = False) -> dict[str, str]:
    """Make the clubs in a database of its own, ask everything, and return the answers by their questions."""
    with TemporaryDirectory(prefix="handan-journeys-", dir=MEMORY if Path(MEMORY).is_dir() else None) as folder:
        os.environ |= {
            "DATABASE_URL": f"sqlite:///{Path(folder) / 'club.db'}", "DJANGO_SETTINGS_MODULE": "handan.web.settings",
            "HANDAN_HOSTS": "testserver", "HANDAN_LOG_LEVEL": "error", "HANDAN_TIME_ZONE": "Europe/Berlin",
            "HANDAN_SECRET_KEY": "of the journeys alone, and nowhere else used: 0123456789 abcdef",
            "HANDAN_WRITES_A_MINUTE": "1000000000", "HANDAN_COMPUTING_SECONDS": "1000000",
        }  # fmt: skip
        world = World(Clock(), says=says)
        with settled(world.clock):  # Django's own models, too, take the clock as it is when they are loaded
            import django

            django.setup()
            from django.conf import settings
            from django.db import connections

            from handan.web.pages import long_work

            mock.patch.object(long_work, "PATIENCE", PATIENCE).start()  # a busy machine would show how far the work is
            settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
            command("club", "migrate")
            for journey in ("founding", *clubs):
                world.walk(journey)
            ask_all(world, clubs, quick=quick)
            command("club", "verify")
            connections.close_all()
    return world.answers


@contextlib.contextmanager
def settled(clock: Clock) -> Iterator[None]:
    """Let the clock stand, and let what is drawn be the same each time: salts, and the keys that sign."""
    from cryptography.hazmat.primitives.asymmetric import ed25519

    key = ed25519.Ed25519PrivateKey.from_private_bytes(hashlib.sha256(b"journeys").digest())
    with (
        mock.patch("django.utils.timezone.now", clock),
        mock.patch.object(secrets, "token_hex", _salt),
        mock.patch.object(
            secrets, "token_urlsafe", side_effect=(f"secret-{number:024}" for number in itertools.count())
        ),
        mock.patch.object(ed25519, "Ed25519PrivateKey", Keys(key, ed25519.Ed25519PrivateKey)),
    ):
        yield


def _salt(size: int = 32) -> str:
    return hashlib.sha512(b"salt").hexdigest()[: 2 * size]


class Keys:
    """Private keys as `cryptography` has them, of which the one that is made is always the same."""

    def __init__(self, key: Any, kind: Any) -> None:
        self.from_private_bytes = kind.from_private_bytes
        self.generate = lambda: key


def record(answers: dict[str, str], folder: Path) -> None:
    """Write each answer into a file, and an index of them in the order of the questions."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.txt"):
        old.unlink()
    for question, answer in answers.items():
        (folder / _file_name(question)).write_text(answer, encoding="utf-8")
    index = {_file_name(question): question for question in answers}
    (folder / INDEX).write_text(json.dumps(index, ensure_ascii=False, indent=0), encoding="utf-8")


def recorded(folder: Path) -> dict[str, str]:
    """Return the answers of a folder by their questions."""
    index = json.loads((folder / INDEX).read_text(encoding="utf-8"))
    return {question: (folder / name).read_text(encoding="utf-8") for name, question in index.items()}


def _file_name(question: str) -> str:
    name = quote(question.replace(" ", "_"), safe="")
    if len(name) > LONGEST_NAME:
        name = f"{name[:LONGEST_NAME]}-{hashlib.sha256(question.encode()).hexdigest()[:8]}"
    return f"{name}.txt"


def differences(before: dict[str, str], after: dict[str, str]) -> Iterator[str]:
    """Go through the answers that differ, each with the lines that do."""
    for question in dict.fromkeys([*before, *after]):
        old, new = before.get(question), after.get(question)
        if old is None or new is None:
            yield f"{question}\n  only {'after' if old is None else 'before'}\n"
        elif old != new and not alike(old, new):
            lines = list(difflib.unified_diff(old.splitlines(), new.splitlines(), "before", "after", "", "", 2, ""))[2:]
            more = [f"  … {len(lines) - DIFFERENT_LINES} more lines"] * (len(lines) > DIFFERENT_LINES)
            yield "\n  ".join([question, *lines[:DIFFERENT_LINES], *more]) + "\n"


def alike(old: str, new: str) -> bool:
    """Whether two answers differ only in digits that nobody is shown, as those of a solution that ends elsewhere."""
    return LONG.sub(_shortened, old) == LONG.sub(_shortened, new)


def _shortened(number: re.Match[str]) -> str:
    return f"{round(float(number[0]), SHOWN) + 0.0}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Record answers, or compare them with recorded ones; 1 if any differs."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.journeys", description=__doc__)
    parser.add_argument("--record", type=Path, metavar="FOLDER", help="keep the answers there")
    parser.add_argument("--compare", type=Path, metavar="FOLDER", help="print how they differ from those kept there")
    parser.add_argument("--quick", action="store_true", help="two clubs, two roles, few players and games")
    parser.add_argument("--clubs", help=f"only of {', '.join(CLUBS)}; commas between")
    parser.add_argument("--steps", action="store_true", help="print each question with the status of its answer")
    given = parser.parse_args(arguments)
    clubs = given.clubs.split(",") if given.clubs else QUICK if given.quick else tuple(CLUBS)
    answers = travelled(clubs, quick=given.quick, says=given.steps)
    print(f"{len(answers):,} answers")
    if given.record:
        record(answers, given.record)
    if not given.compare:
        return 0
    before = recorded(given.compare)
    if given.clubs:
        before = {question: answer for question, answer in before.items() if question in answers}
    different = list(differences(before, answers))
    nearly = [
        name for name, answer in before.items() if answer != answers.get(name, answer) and alike(answer, answers[name])
    ]
    print(*different, *(f"{name}\n  only in digits behind the fifth decimal\n" for name in nearly), sep="\n")
    print(f"{len(different):,} answers differ" if different else "no answer differs")
    return bool(different)


if __name__ == "__main__":
    sys.exit(main())
