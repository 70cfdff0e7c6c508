"""OpenGotha's tournament files (XML), read and written."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from dataclasses import replace
from xml.sax.saxutils import quoteattr

from handan.errors import InputError
from handan.files.contents import Contents, Entrant, Gatherer
from handan.files.formats import Format, Options
from handan.files.losses import declared, is_default, one_line, result_of, unheld
from handan.files.undated import known
from handan.files.xml import Element, parse
from handan.ledger import Game, Ledger, Outcome, When
from handan.ledger.facts import read_name
from handan.ledger.names import folded
from handan.ranks import Rank

RESULTS = {
    "WHITEWINS": "W+", "BLACKWINS": "B+", "EQUAL": "jigo", "BOTHLOSE": "both-lose", "BOTHWIN": "both-win",
}  # fmt: skip
DEFAULT_DATE = "2009-01-01"
DEFAULT_NAMES = {"tournament", "default", "test", "opengotha", "noname"}
IDS = re.compile(r"(egd|ffg|aga):(?!0+$)\S+")
ROUNDS = 20


def sniff(head: bytes) -> bool:
    """Return whether a file begins like OpenGotha's XML, or like XML that is nobody else's and refused for its root."""
    text = head.replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xff\xfe \n\r\t")
    known = b"dataVersion" in text or b"<Players" in text or b"GeneralParameterSet" in text
    return (b"<Tournament" in text and known) or (text.startswith(b"<?xml") and b"<html" not in text.lower())


def read(data: bytes, source: str, options: Options) -> Contents:
    """Read one tournament; InputError if the file is not well-formed or another root stands there."""
    root = parse(data, source, options, ["Tournament"])
    gatherer = Gatherer(source, options.limits)
    general = root.first("GeneralParameterSet")
    facts = general.attributes if general else {}
    players, keys = _players(root, gatherer)
    shared: dict[str, object] = {
        "date": _date(root, facts, gatherer),
        "event": facts.get("name", "").strip() or facts.get("shortName", "").strip(),
        "kind": "tournament",
        "size": facts.get("size", "19"),
    }
    for name in ("name", "shortName"):
        if facts.get(name, "x").strip().lower() in DEFAULT_NAMES:
            gatherer.warn(None, name, facts[name], "the name of a tournament; read as it stands")
    unplayed = _games(root, shared, facts.get("komi", "7.5"), (players, keys), gatherer)
    if not gatherer.games:
        gatherer.warn(None, "Games", "no game", "a tournament with results; nothing was read")
    byes, absences = _idle(root, facts, players, gatherer)
    listed = tuple(entrant for entrant, _ in players.values())
    short = facts.get("shortName", "").strip() or facts.get("name", "").strip()
    saved = f"{short}|{facts.get('beginDate', '').strip()}" if short else ""
    found = gatherer.contents(listed, byes=byes, absences=absences, unplayed=unplayed)
    return replace(found, tournament=saved)


Players = dict[str, tuple[Entrant, bool]]
"""By key: the player, and whether he is a participant."""


def key_of(name: str) -> str:
    """Return a name as references spell it, for comparison: no blanks, capitals, marks, dots of the Turkish i."""
    plain = unicodedata.normalize("NFKD", folded(name.replace("İ", "I").replace("ı", "I")))
    return "".join(c for c in plain if not c.isspace() and not unicodedata.combining(c))


def _players(root: Element, gatherer: Gatherer) -> tuple[Players, set[str]]:
    """Return the players by key, and the keys that several bear."""
    players: Players = {}
    twice: set[str] = set()
    for element in (found for parent in root.all("Players") for found in parent.children if found.tag == "Player"):
        told = element.attributes
        try:
            name = read_name(f"{told.get('name', '')} {told.get('firstName', '')}")
        except InputError:
            gatherer.reject(element.line, "name", "", "the name of a player")
            continue
        gatherer.name(element.line, name)
        key = key_of(f"{told.get('name', '')}{told.get('firstName', '')}")
        if key in players:
            twice.add(key)
            gatherer.warn(
                element.line, "name", name, "a player who stands there once; games that name him are left out"
            )
        entrant = Entrant(
            name, _identity(told), told.get("country", "").upper(), told.get("club", ""), _rank(element, gatherer)
        )
        players[key] = (entrant, told.get("registeringStatus", "FIN") != "PRE")
    return players, twice


def _identity(told: dict[str, str]) -> str:
    """Return the first number of a register that a player bears: European, French, American."""
    for name, register in (("egfPin", "egd"), ("ffgLicence", "ffg"), ("agaId", "aga")):
        number = told.get(name, "").strip()
        if number and set(number) != {"0"}:
            return f"{register}:{number}"
    return ""


def _rank(element: Element, gatherer: Gatherer) -> str:
    text = element.attributes.get("rank") or element.attributes.get("grade") or "30K"
    try:
        return str(Rank.parse(text))
    except InputError:
        gatherer.warn(element.line, "rank", text, "a rank such as 3K or 2D; read as none")
        return ""


def _date(root: Element, facts: dict[str, str], gatherer: Gatherer) -> When | None:
    """Return the first day; where the program's default stands, the day on which the file was saved."""
    text = facts.get("beginDate", "").strip() or DEFAULT_DATE
    try:
        if known(When.of(text)) and text != DEFAULT_DATE:
            return When.of(text)
    except InputError:
        gatherer.warn(None, "beginDate", text, "a date such as 2020-10-24; the day of saving is used if there is one")
    saved = re.fullmatch(r"(\d{4})(\d\d)(\d\d)\d*", root.attributes.get("saveDT", ""))
    try:
        day = When.parse("-".join(saved.groups())) if saved else None
    except InputError:
        day = None
    used = f"the day of saving, {day}, is used" if day else "read as unknown"
    gatherer.warn(None, "beginDate", text, f"the date of the tournament; {used}")
    return day


def _games(
    root: Element, shared: dict[str, object], komi: str, known: tuple[Players, set[str]], gatherer: Gatherer
) -> int:
    """Take the games; return how many were paired and not played."""
    players, twice = known
    unplayed = 0
    for element in (found for parent in root.all("Games") for found in parent.children if found.tag == "Game"):
        told = element.attributes
        word, default = _result_word(told.get("result", "RESULT_UNKNOWN"))
        pair = [told.get(side, "") for side in ("blackPlayer", "whitePlayer")]
        keys = [key_of(name) for name in pair]
        if word == "UNKNOWN":
            if keys[0] == keys[1]:
                gatherer.warn(element.line, "blackPlayer", pair[0], "another player than white; nothing was played")
            else:
                unplayed += 1
            continue
        fault = next((name for name, key in zip(pair, keys, strict=True) if key not in players or key in twice), None)
        if fault is not None:
            expected = "the name of one player only" if key_of(fault) in twice else "one of the players"
            gatherer.reject(element.line, "player", fault, expected)
            continue
        if word not in RESULTS:
            gatherer.reject(element.line, "result", told.get("result", ""), "RESULT_WHITEWINS, RESULT_BLACKWINS, …")
            continue
        (black, in_black), (white, in_white) = (players[key] for key in keys)
        if not (in_black and in_white):
            gatherer.warn(
                element.line, "player", f"{black.name}, {white.name}", "two participants; one is only registered"
            )
        handicap = told.get("handicap", "0") or "0"
        gatherer.game(
            element.line,
            **shared,
            black=black.name,
            white=white.name,
            result=_result(word, default=default, known=told.get("knownColor", "true") != "false"),
            handicap=handicap,
            komi=komi if handicap == "0" else 0.5,
            round=told.get("roundNumber", ""),
            black_rank=black.rank,
            white_rank=white.rank,
            black_id=black.id,
            white_id=white.id,
            notes="default" if default and word in {"EQUAL", "BOTHLOSE", "BOTHWIN"} else "",
        )
    return unplayed


def _result_word(text: str) -> tuple[str, bool]:
    word = text.strip().upper().removeprefix("RESULT_")
    return word.removesuffix("_BYDEF"), word.endswith("_BYDEF")


def _result(word: str, *, default: bool, known: bool) -> str:
    """Return the result in the spelling of tables."""
    result = RESULTS[word]
    if word == "EQUAL":
        return "void" if default else result if known else "P="
    if result.endswith("+"):
        side = result if known else {"B+": "P1+", "W+": "P2+"}[result]
        return side + ("F" if default else "")
    return result


def _idle(root: Element, facts: dict[str, str], players: Players, gatherer: Gatherer) -> tuple[int, int]:
    """Return the number of byes, and of rounds that participants left out."""
    byes = [found for parent in root.all("ByePlayers") for found in parent.children if found.tag == "ByePlayer"]
    free = {(key_of(found.attributes.get("player", "")), found.attributes.get("roundNumber", "")) for found in byes}
    played: dict[str, set[int]] = defaultdict(set)
    for game in gatherer.games:
        for name in (game.black, game.white):
            played[name].add(game.round or 0)
    rounds = int(facts.get("numberOfRounds", "5")) if facts.get("numberOfRounds", "5").isdecimal() else 0
    absences = 0
    flags = {
        key_of(f"{found.attributes.get('name', '')}{found.attributes.get('firstName', '')}"): found.attributes
        for parent in root.all("Players")
        for found in parent.children
    }
    for key, (entrant, registered) in players.items():
        marks = flags.get(key, {}).get("participating", "1" * ROUNDS)
        absent = [place + 1 for place, mark in enumerate(marks[:rounds]) if mark == "0"]
        absences += sum(
            registered and place not in played[entrant.name] and (key, str(place)) not in free for place in absent
        )
    return len(byes), absences


WORDS = {
    Outcome.BLACK: "BLACKWINS", Outcome.WHITE: "WHITEWINS", Outcome.JIGO: "EQUAL", Outcome.BOTH_LOSE: "BOTHLOSE",
    Outcome.BOTH_WIN: "BOTHWIN", Outcome.VOID: "EQUAL",
}  # fmt: skip


def write(ledger: Ledger, ending: str, excel_safe: bool) -> tuple[bytes, list[str]]:  # noqa: ARG001, FBT001  # as all
    """Write the one tournament of a ledger; InputError if it holds several events."""
    events = ledger.games["event"].unique().to_list()
    if len(events) != 1:
        names = ", ".join(sorted(events)[:5])
        raise InputError(f"an OpenGotha file holds one tournament, and these are {len(events)}: {names}; give one")
    games = list(ledger)
    kept = [
        game for game in games
        if result_of(game).outcome in WORDS and (result_of(game).outcome is not Outcome.VOID or is_default(game))
    ]  # fmt: skip
    even = Counter(game.komi for game in kept if game.handicap == 0 and game.komi is not None).most_common(1)
    komi = even[0][0] if even else None
    size = Counter(game.size for game in kept).most_common(1)
    event = one_line(events[0])
    general = {
        "name": event, "shortName": event[:20], "beginDate": _first_day(ledger) or "2009-01-01",
        "komi": "7.5" if komi is None else f"{komi:g}", "size": str(size[0][0] if size else 19),
        "numberOfRounds": str(max((game.round or 1 for game in kept), default=1)),
    }  # fmt: skip
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<Tournament dataVersion="201">', "<Players>"]
    lines += [_tag("Player", player) for player in _written_players(ledger, kept)]
    lines += ["</Players>", "<Games>"]
    lines += [_tag("Game", _written_game(game, table)) for table, game in enumerate(kept, 1)]
    lines += ["</Games>", "<TournamentParameterSet>", _tag("GeneralParameterSet", general), "</TournamentParameterSet>"]
    losses = unheld(
        kept,
        komi=lambda game: float(general["komi"]) if game.handicap == 0 else 0.5,
        size=int(general["size"]),
        date=_first_day(ledger),
        ids=IDS,
    )
    missing = len(games) - len(kept)
    losses += [f"games without a result, and void games that are not by default ({missing} games)"] if missing else []
    keys = Counter(key_of(name) for name in declared(kept))
    twins = sum(keys[key_of(name)] > 1 for name in declared(kept))
    losses += (
        [f"players whose names differ by marks or blanks only, and their games ({twins} players)"] if twins else []
    )
    return ("\n".join([*lines, "</Tournament>"]) + "\n").encode(), losses


def _first_day(ledger: Ledger) -> str:
    days = ledger.games["date"].drop_nulls().dt.date()
    return str(days.min()) if len(days) else ""


def _tag(name: str, attributes: dict[str, str]) -> str:
    return f"<{name} {' '.join(f'{key}={quoteattr(value)}' for key, value in attributes.items() if value)}/>"


def _written_players(ledger: Ledger, games: list[Game]) -> list[dict[str, str]]:
    ranks = declared(games)
    registers = {"egd": "egfPin", "ffg": "ffgLicence", "aga": "agaId"}
    rows = []
    for player in ledger.players:
        if player.name in ranks:
            register, _, number = player.id.partition(":")
            surname, _, given = player.name.partition(" ")
            row = {"name": one_line(surname), "firstName": one_line(given) or " "}
            row |= {"country": one_line(player.country), "club": one_line(player.club)}
            row |= {"rank": ranks[player.name].upper() or "30K", "registeringStatus": "FIN"}
            rows.append(row | ({registers[register]: number} if register in registers else {}))
    return rows


def _written_game(game: Game, table: int) -> dict[str, str]:
    result = result_of(game)
    word = WORDS[result.outcome]
    keys = ["".join(one_line(name).split()).upper() for name in (game.black, game.white)]
    return {
        "roundNumber": str(game.round or 1), "tableNumber": str(table), "blackPlayer": keys[0], "whitePlayer": keys[1],
        "handicap": str(game.handicap), "knownColor": str(result.colours_known).lower(),
        "result": f"RESULT_{word}{'_BYDEF' if is_default(game) else ''}",
    }  # fmt: skip


OPENGOTHA = Format("OpenGotha XML", sniff, read, (".xml",), write)
