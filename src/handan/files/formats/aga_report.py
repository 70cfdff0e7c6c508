"""Result reports of the American Go Association, both dialects, and its lists of members; reports are written too."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from handan.errors import Clause, InputError, counted, one_line
from handan.files.games.contents import NUMBER_OF_ONE, Contents, Entrant, Gatherer, apart
from handan.files.games.format import Format
from handan.files.games.omissions import Part, event_omissions, omissions_of
from handan.files.games.result_table import LOWEST, days_of
from handan.files.games.text_lines import lines_of
from handan.files.io.options import Options
from handan.ledger import Event, Game, Ledger, Outcome, When
from handan.ledger.identity import unlabelled
from handan.ledger.placing import first_declared_ranks, result_of
from handan.ranks import Rank, plain_rank

TITLE = re.compile(r"\s*(TOURNEY|TOURNAMENT)\b[:\s]*(.*)", re.IGNORECASE)
FIELD = re.compile(r"\s*+#?\s*+(\w++)\s*+=\s*+(.*)")
SECTION = re.compile(r"\s*(PLAYERS|GAMES|END)\b\s*(\(?\s*\d*\s*\)?)\s*$", re.IGNORECASE)
MOST_WORDS = 3  # of a heading that no key word begins; our choice
HEADING = re.compile(r"(?:PLAYERS|GAMES|ROUND)\b", re.IGNORECASE)
"""How a line begins that directors write above the players, or the games of a round."""
ROUND = re.compile(r"\bROUND\W{0,3}(\d{1,3})\b", re.IGNORECASE)
GAMES_ROUND = re.compile(r"GAMES[\s:#.-]{0,3}(\d{1,3})\b", re.IGNORECASE)
BLACK_FIRST = re.compile(r"\(\s*b(?:lack)?\b\W{0,3}w(?:hite)?\b", re.IGNORECASE)
LETTERED = re.compile(r"\d{1,2}[kdp][?*]?", re.IGNORECASE)
DECIMAL = re.compile(r"-\d{1,2}(?:\.\d{1,9})?|\d{1,2}\.\d{1,9}")
WHOLE = re.compile(r"\d{1,2}")
RANK_WORDS = frozenset(("k", "kyu", "d", "dan", "p", "pro"))
COMMENT = re.compile(r"#|//| /")
"""What begins a remark behind a player."""
FLAG = re.compile(r"(?:bye|drop)\d{0,3}|\w{1,20}=.*", re.IGNORECASE)
"""What pairing programs note behind a rank: rounds left out, and facts such as `Club=PALO`."""
CLUB = "club="
LONGEST = 500  # characters of the line of a player; our choice
MOST_CLUB = 3  # words of a club behind a rank; our choice
GAME = re.compile(r"\s*(\w+)\s+(\w+)\s+(\S+)\s+(-?\d+)\s+(-?\d+(?:[.,]\d+)?)\s*(?:(?:#|//)\s*(.*))?$")
IDS = re.compile(r"aga:(?!999\d\d$|TMP\d+$)\w+")
WITHOUT_ID = re.compile(r"999\d\d|TMP\d{1,9}")
"""Numbers of players without one: counted down from 99999, or given by a program for one tournament."""
NUMBER = re.compile(r"([A-Za-z]{0,4})0*(\d{1,9})")


class PlayerLine(NamedTuple):
    """The line of a player, taken apart."""

    key: str
    """Number in the tournament (`key_of`)."""
    name: str
    rank: str
    """As it is written, without blanks: a rank, or a rating."""
    club: str


def key_of(text: str) -> str:
    """Return the one spelling of a player's number: `USA012` and `012` are 12, `Tmp001` is TMP1."""
    match = NUMBER.fullmatch(text)
    if not match:
        return text
    letters = match[1].upper()
    return f"{'' if letters == 'USA' else letters}{match[2]}"


def register_id(key: str) -> str:
    """Return the id of a number in the association's register; empty for one of this tournament alone."""
    return "" if WITHOUT_ID.fullmatch(key) else f"aga:{key}"


def player_line(line: str) -> PlayerLine | None:
    """Return the player of a line of single blanks; None if it is no number, name and rank.

    Behind the rank may stand flags of pairing programs, a club of a few words, and a remark.
    """
    if len(line) > LONGEST:
        return None
    comment = COMMENT.search(line)
    words = (line[: comment.start()] if comment else line).split()
    ranks = [rank for place in range(2, len(words)) if (rank := _rank_at(words, place))]
    if not ranks and comment:  # the mark stands in the name
        words = line.split()
        ranks = [rank for place in range(2, len(words)) if (rank := _rank_at(words, place))]
    if not ranks or not re.fullmatch(r"\w+", words[0]):
        return None
    _, place, behind, text = max(ranks)
    flags = [word for word in words[behind:] if FLAG.fullmatch(word)]
    others = [word for word in words[behind:] if word not in flags]
    if len(others) > MOST_CLUB:
        return None
    clubs = [flag[len(CLUB) :] for flag in flags if flag.lower().startswith(CLUB)]
    return PlayerLine(key_of(words[0]), " ".join(words[1:place]).strip(" ,"), text, " ".join(clubs[:1] or others))


def _rank_at(words: list[str], place: int) -> tuple[int, int, int, str] | None:
    """Return how surely a rank stands at a place, the place, where it ends, and its text; None if none does.

    A letter says it surest; a whole number is a rating where nothing but flags follows.
    """
    word, following = words[place], words[place + 1].lower() if place + 1 < len(words) else ""
    if LETTERED.fullmatch(word):
        return 2, place, place + 1, word
    if WHOLE.fullmatch(word) and following in RANK_WORDS:
        return 2, place, place + 2, word + following[0]
    if DECIMAL.fullmatch(word):
        return 1, place, place + 1, word
    if WHOLE.fullmatch(word) and all(FLAG.fullmatch(each) for each in words[place + 1 :]):
        return 0, place, place + 1, word
    return None


def sniff(head: bytes) -> bool:
    """Return whether a file has the key words of a report on lines of their own."""
    if b"PLAYERS" not in head.upper():
        return False
    text = head.decode("latin-1")
    begun = re.search(r"(?im)^[ \t]*(TOURNEY|TOURNAMENT)\b", text)
    return bool(begun) and bool(re.search(r"(?im)^[ \t]*PLAYERS\b", text))


def read(data: bytes, source: str, options: Options) -> Contents:
    """Read one report; InputError if it has no players, or neither a date nor one from the user."""
    gatherer = Gatherer(source, options.limits)
    report = Report(gatherer, options)
    for number, line in enumerate(lines_of(data, gatherer, options, "cp1252"), 1):
        text = " ".join(line.split())  # runs of blanks mean nothing, and cost the expressions time
        if report.section != "END":
            report.add(text, number)
        elif TITLE.match(text) or GAME.match(text):
            gatherer.reject(number, "line", text[:60], "before END; another report is to be a file of its own")
    return report.contents()


@dataclass
class Report:
    """A report that is read line by line."""

    gatherer: Gatherer
    options: Options
    section: str = ""
    """The key word that the line stands under."""
    title: str = ""
    fields: dict[str, str] = field(default_factory=dict)
    """What stands between the title and the players, by name in small letters."""
    entrants: dict[str, Entrant] = field(default_factory=dict)
    announced: dict[str, int] = field(default_factory=dict)
    """How many lines a key word promises in brackets."""
    game_lines: int = 0
    rounds: int = 0
    shared: dict[str, object] = field(default_factory=dict)
    """What all games of the report have, from the first of them on."""
    round: int | None = None
    black_first: bool = False
    """Whether the heading of the games says that Black's number stands first."""

    def add(self, line: str, number: int) -> None:
        """Read a line of single blanks; `number` is its place in the file."""
        if not line:
            return
        if (match := TITLE.match(line)) and self._may_be_title():
            self.section, self.title = "TITLE", match[2].strip()
        elif match := SECTION.match(line):
            self._begin(match[1].upper(), match[2])
        elif self._is_heading(line):
            self._begin("PLAYERS" if line[:1] in "pP" else "GAMES", "")
            place = ROUND.search(line) or GAMES_ROUND.match(line)
            self.round, self.black_first = int(place[1]) if place else None, bool(BLACK_FIRST.search(line))
        elif self.section == "TITLE":
            self._add_field(line)
        elif self.section == "PLAYERS" and self._is_game(line):
            self.gatherer.warn(number, "line", line[:60], "a row of a player; the games begin here without a key word")
            self._begin("GAMES", "")
            self._add_game(line, number)
        elif self.section == "PLAYERS" and self._is_other_heading(line):
            self.gatherer.warn(number, "line", line[:60], "a row of a player; passed over, as headings are")
        elif self.section == "PLAYERS":
            add_player(line, number, self.entrants, self.gatherer)
        elif self.section == "GAMES":
            self._add_game(line, number)

    def _may_be_title(self) -> bool:
        """Return whether a title may still come; a line of the mail before it may begin alike."""
        return not self.section or bool(self.section == "TITLE" and self.title and not self.fields)

    def _is_heading(self, line: str) -> bool:
        """Return whether a line begins a section with more words than its own; titles may begin alike."""
        if not HEADING.match(line):
            return False
        if self.section == "TITLE":
            return re.match(r"players\s*[(:]", line, re.IGNORECASE) is not None
        return self.section in {"PLAYERS", "GAMES"} and not GAME.match(line)

    def _is_game(self, line: str) -> bool:
        """Return whether a line is a game of two players who are listed before it."""
        match = GAME.match(line)
        return match is not None and all(key_of(key) in self.entrants for key in match.group(1, 2))

    def _is_other_heading(self, line: str) -> bool:
        """Return whether a line behind players is words alone, as `RESULTS` is; a player has a number."""
        return bool(self.entrants) and not any(map(str.isdecimal, line)) and len(line.split()) <= MOST_WORDS

    def _begin(self, section: str, behind: str) -> None:
        """Begin a section: `behind` its key word stands a round, or in brackets how many lines it has."""
        self.section = section
        digits = re.sub(r"\D", "", behind)
        if section == "GAMES":
            self.entrants = apart(self.entrants)
            self.round = int(digits) if digits and "(" not in behind else None
            self.black_first = False
        if digits and "(" in behind:
            self.announced[section] = int(digits)

    def _add_field(self, line: str) -> None:
        """Read a line under the title: a field, or the title itself."""
        if match := FIELD.match(line):
            self.fields.setdefault(match[1].lower(), match[2].strip().strip("\"'"))
        else:
            self.title = self.title or line

    def _add_game(self, line: str, number: int) -> None:
        if not self.shared:
            day = _date(self.fields, self.gatherer, self.options)
            self.shared = {"event": self.title, "kind": "tournament", "date": day}
        self.shared["round"] = self.round
        self.game_lines += 1
        self.rounds = max(self.rounds, self.round or 1)
        add_game(line, number, self.shared, self.entrants, self.gatherer, black_first=self.black_first)

    def contents(self) -> Contents:
        """Return what the report holds, with warnings where it says otherwise; InputError if it has no players."""
        warn = self.gatherer.warn
        if not self.entrants:
            pattern = "{source} has no row under PLAYERS; id, name and rank were expected"
            raise InputError(Clause.of(pattern, source=self.gatherer.source))
        if self.section != "END":
            self.gatherer.remark("the key word END is not at the end of the file; all before it was read", "END")
        counts = {"PLAYERS": len(self.entrants), "GAMES": self.game_lines}
        for name, number in self.announced.items():
            count = counts.get(name, 0)
            if number != count:
                warn(None, name, str(count), Clause.of("as many as the number in brackets, {number}", number=number))
        return self.gatherer.contents(tuple(self.entrants.values()), events=(self._event(),))

    def _event(self) -> Event:
        """Return what the report says of the tournament besides its games."""
        return Event(
            self.title,
            self.shared.get("date"),  # type: ignore[arg-type]  # a date, as `_date` returns it
            self.gatherer.date(None, "finish", self.fields.get("finish", ""), "mdy"),
            rounds=self.rounds,
            participants=tuple(each.participant() for each in self.entrants.values()),
            pairings=tuple(self.gatherer.pairings),
            kind="tournament",
            city=self.fields.get("location", ""),
            director=self.fields.get("td", ""),
        )


def _date(fields: dict[str, str], gatherer: Gatherer, options: Options) -> When | None:
    """Return the first day: start, else finish; M/D/YYYY or ISO."""
    for name in ("start", "date", "finish"):
        if when := gatherer.date(None, name, fields.get(name, ""), "mdy"):
            return when
    if options.date is None and not options.date_from_path:
        pattern = "{source} has no start or finish date, such as start=4/18/2026; give it{hint}"
        raise InputError(Clause.of(pattern, source=gatherer.source, hint=" (--date)"))
    return None


def add_player(line: str, number: int, entrants: dict[str, Entrant], gatherer: Gatherer) -> None:
    """Read the player of a line of single blanks: number, name, and rank or rating, which is never between -1 and 1."""
    player = player_line(line)
    if player is None:
        gatherer.reject(number, "player", line.strip()[:60], "id, name and rank")
        return
    key, name, rank, club = player
    rating: float | None = None
    if re.fullmatch(r"-?\d{1,2}(\.\d+)?", rank):
        rating = float(rank)
        if abs(rating) < 1:
            gatherer.warn(number, "rank", rank, "a rating from 1 upwards or -1 downwards; read as none")
            rating = None
        rank = _rank_of(rating) if rating else ""
    else:
        try:
            rank = plain_rank(rank)
        except InputError:
            gatherer.reject(number, "rank", rank, "a rank such as 4d, 12k or 4.45")
            return
    gatherer.name(number, name)
    entrant = Entrant(name or key, register_id(key), "", club, rank=rank, rating=rating)
    if key in entrants:
        same = (entrants[key].name, entrants[key].rank) == (entrant.name, entrant.rank)
        if same:
            gatherer.warn(number, "id", key, "a number of one row; the same player stands there twice")
        else:
            gatherer.reject(number, "id", key, Clause.of(NUMBER_OF_ONE, name=entrants[key].name))
        return
    entrants[key] = entrant


def _rank_of(rating: float) -> str:
    """Return the rank of a rating in stones: 4.45 is 4 dan, -3.34 is 3 kyu."""
    return str(Rank.dan(min(9, max(1, int(rating)))) if rating > 0 else Rank.kyu(min(50, max(1, int(-rating)))))


def add_game(
    line: str,
    number: int,
    shared: Mapping[str, object],
    entrants: Mapping[str, Entrant],
    gatherer: Gatherer,
    *,
    black_first: bool = False,
) -> None:
    """Add the game of a line of single blanks, as a rule White's number first."""
    match = GAME.match(line)
    if not match:
        gatherer.reject(number, "game", line.strip()[:60], "white, black, result (w, b or ?), handicap, komi")
        return
    word = match[3].lower()
    if word not in {"w", "b", "?"}:
        gatherer.reject(number, "result", match[3], "w or b; reports hold no draws")
        return
    unknown = next((text for text in match.group(1, 2) if key_of(text) not in entrants), None)
    if unknown is not None:
        gatherer.reject(number, "id", unknown, "the number of one of the players")
        return
    white, black = (entrants[key_of(text)] for text in match.group(*((2, 1) if black_first else (1, 2))))
    if word == "?":
        gatherer.pairing(int(str(shared.get("round") or 1)), black, white, match[4])
        return
    facts = {"result": f"{word.upper()}+", "handicap": match[4], "komi": match[5], "notes": match[6] or ""}
    gatherer.game_of(number, black, white, **shared, **facts)


def write(ledger: Ledger, ending: str, excel_safe: bool) -> tuple[bytes, list[str]]:  # noqa: ARG001, FBT001  # as all
    """Write the one tournament of a ledger as a report; InputError if it holds several events."""
    events = ledger.games["event"].unique().to_list()
    if len(events) != 1:
        names = ", ".join(sorted(events)[:5])
        raise InputError(f"a report holds one tournament, and these are {len(events)}: {names}; give one of them")
    decided = {Outcome.BLACK, Outcome.WHITE}
    games = [game for game in ledger if (result := result_of(game)).outcome in decided and not result.by_default]
    ranks = {name: rank or LOWEST for name, rank in first_declared_ranks(games).items()}
    keys, spare = {}, 99999
    for player in ledger.players:
        number = player.id.partition(":")[2]
        registered = IDS.fullmatch(player.id) is not None
        keys[player.name] = number if registered else str(spare)
        spare -= not registered
    event = next((each for each in reversed(ledger.events) if each.name == events[0]), Event(events[0]))
    first, last = days_of(ledger, event)
    span = [f"\tstart={first}", f"\tfinish={last}"] if first else []
    where = ", ".join(part for part in (event.city, event.country) if part)
    head = [*span, f"\tlocation={one_line(where)}", "\trules=AGA"]
    head += [f"\ttd={one_line(event.director)}"] if event.director else []
    lines = [f"TOURNEY {one_line(events[0]) or 'Tournament'}", *head, "", "PLAYERS"]
    strong = sorted(ranks, key=lambda name: (-Rank.parse(ranks[name]).stones, name))
    bare = {player.name: unlabelled(player) for player in ledger.players}
    lines += [f"{keys[name]}\t{bare[name]}\t{ranks[name]}" for name in strong]
    for place in sorted({game.round or 1 for game in games}):
        lines += ["", f"GAMES {place}"]
        lines += [_line(game, keys) for game in games if (game.round or 1) == place]
    counts = {
        "games by default, jigo and games without a winner": len(ledger) - len(games),
        "unknown colours": sum(not result_of(game).colours_known for game in games),
    }
    omissions = [f"{what} ({counted(count, 'game')})" for what, count in counts.items() if count]
    omissions += omissions_of(games, komi=_komi, size=19, date=str(first or ""), ids=IDS)
    omissions += event_omissions(ledger.events, {Part.PLACE, Part.DIRECTOR, Part.LAST_DAY}, ledger)
    return ("\n".join([*lines, "", "END"]) + "\n").encode(), omissions


def _line(game: Game, keys: dict[str, str]) -> str:
    winner = "b" if result_of(game).outcome is Outcome.BLACK else "w"
    return f"{keys[game.white]}\t{keys[game.black]}\t{winner}\t{game.handicap}\t{_komi(game):g}"


def _komi(game: Game) -> float:
    """Return the komi, and the usual one of reports where it was not recorded."""
    return (7.0 if game.handicap == 0 else 0.0) if game.komi is None else game.komi


AGA_REPORT = Format("AGA report", sniff, read, (".aga",), write)
