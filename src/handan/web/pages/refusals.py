"""Why something was refused, in the language of a page.

The other rooms speak English and know no Django; their sentences are marked here for the catalogs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from handan.errors import Clause, FieldError, HandanError, Problem, shown
from handan.web.pages.clauses import clause_words
from handan.web.pages.vocabulary import FIELDS

EXPECTED = (
    _("a player"), _("the name of a player; register newcomers first"), _("clear: it fits {names}"),
    _("clear: it fits {names} and more"), _("a player; every game has two"), _("another player than black"),
    _("another player"), _("a date such as 2026-05-01, 2026-05-01 14:30, 2026-05 or 2026"),
    _("a year such as 2012"), _("categories such as U12 U16 U20 60+"),
    _("the first day of another country or club"), _("a day such as 2026-05-01"), _("a month such as 2026-11"),
    _("an address that no other club has"), _("an address that no other page has"),
    _("small letters, digits and hyphens, a letter first, and no address of another page"),
    _("the name of a player"), _("a free name: {why}"), _("a result such as B+3.5, W+R or jigo"),
    _("one of 30k to 1k, 1d to 9d, 1p to 10p"),
    _("a rank such as 12k, 3d or 9p"), _("a whole number from {low} to {high}"),
    _("text without characters that nobody sees ({code})"),
    _("text without characters that nobody sees ({code}, which joins or parts nothing where it stands)"),
    _("a number of points from -400 to 400"), _("a number"),
    _("a number; the spreadsheet program has made a day of it"),
    _("a number of points such as 3.5, above 0 and no more than the board has"),
    _("a name"), _("a word that says what was otherwise"),
    _("a player who was not withdrawn; bring them back first"),
    _("a day up to today ({today} in the club's zone, {zone})"),
    _("a day up to today ({today} by the server's zone; the club's own is set on its page of rules)"),
    _("a day up to {last}"), _("a day from {first} on"), _("a colour such as #1f4a7c"),
    _("dark enough: white on it has contrast {ratio}, and {least} can be read"),
    _("a zone such as Asia/Tokyo{closest}"), _("a card; line {line}: {fault}"),
    _("text of at most {most} characters, without NUL and halves of characters"),
    _("a name; these words stand for people who were forgotten"), _("another name than the player's own"),
    _("a name that is nobody else's here"), _("a federation whose officer you are"),
    _("free: it belongs to {name} ({key})"), _("free: {name} has an account already"),
    _("at most {most} characters"), _("at most {most} bytes"),
    _("at most {most} bytes; the server's upload_limit raises it"),
    _(
        "at most {most} games at once; send them in parts, "
        "or let whoever runs the server load the file: handan club load"
    ),
    _("at least one game"),
    _("a name whose letters can all be read; save the list as CSV UTF-8"),
    _("a file"), _("a file with a game or an event"), _("a word of why"),
    _("at least one member and at most {most}"), _("a workbook with a list of members"), _("the name of an event"),
    _("the first day of an event"), _("a day from {first} to {last}"), _("a day within three years behind the first"),
    _("each player once"), _("a number of rounds up to {most}"), _("at most {most} texts"),
    _("at most {most} participants"), _("players who were not withdrawn; bring them back first"), _("two players"),
    _("rounds that there are"), _("a day not after {day}, on which its first game was played"),
    _("a day not before {day}, on which its last game was played"), _("another day"),
)  # fmt: skip
SENTENCES = (
    _("terms are for two players"), _("game {key} stands in the ledger of a club; it is changed there"),
    _("game {key} was withdrawn; restore it before it is corrected"),
    _("game {key} already stands so; nothing was changed"), _("game {key} is withdrawn already"),
    _("game {key} is not withdrawn"), _("game {key} does not wait for confirmation"),
    _("game {key} is disputed already"),
    _("game {key} was changed by entry {entry}; look at it again before you answer for it"),
    _("what entry {number} says cannot be undone"),
    _("game {key} was changed by entry {entry} since; look at it first"),
    _("player {key} was changed since; look at it first"),
    _("event {key} was changed by entry {entry} since; look at it first"),
    _("{name} is entered already, as event {key}; change that"), _("event {key} is not in the ledger"),
    _("event {key} already stands so; nothing was changed"), _("there is no event {key}"),
    _("event {key} is not withdrawn"), _("these are games of event {key}; it is moved as a whole"),
    _("event {key} stands in the ledger of a club; it is changed there"), _("this is no event: {why}"),
    _("there is no game of {name} on {day}"), _("all of this is entered already; nothing was changed"),
    _("there are no entries {first} to {last} that were written at once"), _("there is no entry {number}"),
    _("there is no list {number}"), _("{name} was given twice; a game has two players"),
    _("no invitation {number} is open in {club}"), _("none of these games counts"),
    _("a sheet has at least one game"),
    _("a player takes back a game on the day that they entered it"),
    _("an entry is undone by who wrote it; others can withdraw or correct it"),
    _("nothing of what was entered together stands any more"),
    _("this needs the role of {role} in {club}"), _("these rules hold already from that date; nothing was changed"),
    _("the club says so already; nothing was changed"),
    _("the log of this club is open to its members; sign in"),
    _("the opponent of who entered a game confirms it, or a result keeper"),
    _("the opponent of who entered a game objects to it, or a result keeper"),
    _("this is for the player concerned, and for secretaries"),
    _("the past is only looked at; write without as_of and known"),
    _("your own password is changed on the page of your account"), _("this link was used already"),
    _("terms are for two players who are there"), _("sheet {key} was changed meanwhile; look at it again"),
    _("sheet {key} is checked already, and nothing was changed since"), _("sheet {key} is not in the ledger"),
    _("there is no submission {number}"), _("a file is taken back by who submitted it"),
    _("this is for who submitted it, and for who accepts results"), _("this file was dealt with already: {decision}"),
    _("too many files wait to be accepted; take one back, or wait until some are"),
    _("at most {most} files are submitted within a day"),
    _("a sheet is checked by somebody else than who entered it"), _("a check is taken back by who made it"),
    _("entry {number} is not the last check of sheet {key}"), _("line {number} is not ready; look at it again"),
    _("these lines are no table: {why}"), _("line {line} has {number} cells; a line has at most {most}"),
    _("{number} of {whole} entries are verified"), _("{number} of {whole} entries are written"),
    _("nothing says who of the two in {cell} had Black; a heading Black – White, or White – Black, would"),
    _("that is not the PIN of the tablet"),
    _("adjustment of {name} has neither rank nor rating; give one of them"),
    _("adjustment of {name} has the deviation {deviation:g}, which is not a number above 0"),
    _("a player enters games of their own; a result keeper enters any game"),
    _("a PIN has {least} to {most} digits"), _("a PIN is no row of digits, nor one digit over and over"),
    _("the tablet has no PIN; an administrator sets one in the office"),
    _("the tablet has no PIN already; nothing was changed"),
    _("too many wrong numbers; wait an hour, or sign in"), _("{name} was not withdrawn"),
    _("player {key} was withdrawn; bring {name} back first"),
    _("{name} played game {game}; who has games is merged, not withdrawn"),
    _("{name} takes part in event {event}; who does is merged, not withdrawn"),
    _("another entry is merged into {name}; split it off first"),
    _("{name} has an account as this player; end that first"),
    _("somebody is invited as this player; take the invitation back first"),
    _("player {key} was forgotten; who comes back is registered anew"),
    _("all games of sheet {key} are taken back; there is nothing to check"),
    _("this invitation was used; ask the club's secretary for another"),
    _("{times} changes within a minute; wait a little, or send many games as one record sheet"),
    _("you have asked for much that takes long to work out; ask again in {seconds} s"),
    _("too many changes within a minute; wait a little"),
    _("too many links were asked for from this address; wait an hour, or ask the club's administrator"),
    _("Others are writing just now. Nothing was saved; press again in a moment."),
    _("a club with the address {slug} is here already; a ledger comes back where there is none"),
    _("player {key} is not registered"), _("game {key} is not in the ledger"), _("game {key} does not count here"),
    _("{name} is a player of a club; what is known of them is changed there"),
    _("{name} is a player of a club; they are withdrawn there"), _("{name} is a player of a club; the club forgets"),
    _("{name} is already entered so; nothing was changed"),
    _("{one} and {other} played each other in game {game}: two people"),
    _("player {key} is not merged into another"), _("player {key} was forgotten already"),
    _("player {key} is merged into {name} ({other}); split them first"),
    _("number {number} now belongs to another player; change that first"),
    _("adjustment {key} stands in the ledger of a club; it is changed there"),
    _("adjustment {key} is withdrawn already"), _("adjustment {key} is not in the ledger"),
    _("the zone of the club is {zone} already; nothing was changed"),
    _("{name} is no member of {club}; whom you invite becomes one by accepting"),
    _("{name} may do more than you, here or in another club; who stands above both makes the link"),
    _("{most} invitations are open already; take some back first"),
    _("{most} tokens are there already; revoke some first"),
    _("{most} clubs are here already; the operator makes more by `handan club create`"),
    _("{club} would have no administrator; make somebody else one first"),
    _("this invitation was used, is too old, or never was; ask the club's secretary for another"),
    _("this needs the role of an administrator in a club of this server"),
    _("the packed ledger is damaged: {why}"), _("line 1: this is no ledger exported by Handan"),
    _("line {number}: a ledger has one JSON object a line"),
    _("the file holds {number} of {whole} entries: it was cut off"),
    _("this ledger is too large for a page; the operator imports it"), _("the system of this club has no card"),
    _("{rank} is not a rank such as 5k or 1d"), _("{club} shows this to its members only"),
    _("no font here has {letters}, as in {names}: leave those members out, print the page in a browser, "
      "or install a font that has them"),
    _("this was sent already, and said something else; send what is new with a new token"),
    _("words with letters of one script each: {first} is {one} and {second} is {other}"),
    _("this token was used by another account; take one of your own"),
)  # fmt: skip

OF_PAPERS = (
    _("a poster is of a points card; name one, such as tokyo15"),
    _("{title}: {count} members; one paper holds {most}, choose some"),
    _("nobody was promoted in the month: choose members who have a rank, or another month"),
    _("{title}: no member is chosen, or the list is empty"), _("copies {copies} is not a number from 1 to {most}"),
)  # fmt: skip
REASONS = (
    _("it ends too soon"), _("it is nested too deep"), _("a number or a date is beyond all bounds"),
    _("its letters are not UTF-8"), _("a cell is too long, or a quotation mark is not closed"),
    _("something is of another kind than it should be"), _("it names something that is not there"),
    _("{name} is missing"), _("a value is not what it should be"), _("it cannot be unpacked"),
    _("format {form} is of another version of Handan"), _("moment {moment} has no time zone"),
    _("game {key} of a record sheet is not there"),
)  # fmt: skip
"""Why something that came from elsewhere cannot be read (`handan.club.reasons`)."""
OF_FILES = (
    _("this file takes more than {seconds} seconds to read; send it in parts"),
    _("this file takes more than {most} MB of memory to read; send it in parts"),
    _("the reading of this file broke off; save it as CSV UTF-8 and send that"),
    _("Too many files are being read just now. Nothing was saved; press again in a moment."),
    _("each day stands once: 1 row without one below it has the same day"),
    _("each day stands once: {number} rows without one below it have the same day"),
    _("1 ditto mark is read as the cell above it"),
    _("{number} ditto marks are read as the cells above them"),
    _("a date with its year, such as 2026-05-01"),
    _("a player, and white is empty as well; a row without players is no game"),
    _("filled in; every game needs it"), _("a usual number of stones, 0 to {most}; kept"),
    _("a date from 1600 to tomorrow; read as unknown"),
    _("a date from 1600 to tomorrow (if {year} is a Buddhist year, {meant} is meant); read as unknown"),
    _("a column that is read; ignored{closest}"),
    _("a player; a formula of the spreadsheet failed"), _("{side} {cell!r} is no player but a bye; left out"),
    _("{side} {cell!r} names no player; left out"),
    _("{side} {cell!r} is taken for a bye; of a player of that name write more than that; left out"),
    _("a row of {width} cells, as the header has; there are {cells}"),
    _("a full row of {cells} cells; the file ends inside it"),
    _("the text is not UTF-8; read as {encoding}{hint}"), _("whole; {sign} stands for destroyed bytes"),
    _("names that differ in capitals alone count as different players: {names}{hint}"),
    _("names that differ in capitals or joiners alone count as different players: {names}{hint}"),
    _("names of the same words in another order may be one person, and count as different players: {names}{hint}"),
    _("1 more row in which {field} is not {expected}"), _("{number:,} more rows in which {field} is not {expected}"),
)  # fmt: skip
"""What is wrong with a file of games (`handan.files`); a `hint` names what the command line has for it."""
OF_A_LEDGER = (
    _("line 1: this ledger does not say how many entries it holds, and where it ends"),
    _("line 1: {why}"),
    _("the file holds {number} of {whole} entries"),
    _("the file ends with digest {digest}, its first line says {other}"),
    _("line 1: signed by key {key}, the club's key at the last entry is {other}"),
    _("a line is longer than {most} MB; a ledger has one entry a line"),
    _("an entry of a ledger cannot be read: {why}"),
    _("entry {number}: {name} {found} is not text of at most {most} characters without NUL"),
    _("the entries up to {last} were changed after entry {number} carried them over"),
    _("entry {number} has digest format {form}, the one before it {other}"),
    _("entry {absent} is missing; entry {number} follows entry {last}"),
    _("entry {number} does not follow entry {last}: the chain of digests is broken"),
    _("entry {number} holds what a ledger cannot: {why}"),
    _("entry {number} was changed after it was written: its digest does not fit"),
    _("entry {number} was changed after it was written: what its digest is made of is gone"),
    _(
        "entry {number}: its {names} cannot be read any more, and no entry says that a person was forgotten "
        "of whom it told"
    ),
    _("the entries of {club} are no ledger: {why}"),
    _("entry {number} brings {key}, which is not its own key"),
    _("the signature does not fit: key {key} has not signed this"),
    _("of key and signature one is missing"),
    _("game g{line}: {field} {found} is not {expected}"),
    _("two entries of the ledger bear the same token"),
    _("{field} {found} is not {expected}; change that where the ledger comes from, and export it again"),
    _("the list of entry {number} of {club}: {why}"),
)
"""What is wrong with a ledger that is brought: a damaged file, or an entry that does not fit."""


def problem_words(problem: Problem) -> str:
    """Return what is wrong in a file in the language of the page, by its line; what no catalog has stays in English.

    Hints of what the command line can do about it are left out.
    """
    message = problem.message
    if isinstance(message, Clause) and "hint" in message.values:
        message = Clause.of(message.pattern, **{**message.values, "hint": ""})
    if message:
        text = clause_words(message)
    elif problem.field:
        text = refusal(FieldError(problem.field, problem.found, problem.expected))
    else:
        sentence = gettext("{row} is not {expected}")
        text = sentence.format(row=shown(problem.found), expected=clause_words(problem.expected))
    return text if problem.line is None else gettext("line {line}: {fault}").format(line=problem.line, fault=text)


def refusal(error: HandanError, names: Callable[[str], str] = str, fields: Mapping[str, str] | None = None) -> str:
    """Return what an error says in the language of the page; what no catalog has stays in English.

    Args:
        error: The error.
        names: Returns how the page shows the name of a player, of the label that the ledger has.
        fields: What the page calls fields otherwise than other pages do.
    """
    if type(error) is FieldError:  # others of its kind have a sentence of their own
        sentence = gettext("{field} {found} is not {expected}")
        field = (fields or {}).get(error.field) or gettext(FIELDS.get(error.field, error.field))
        words = {"field": field, "found": shown(names(error.found))}
        return sentence.format(**words, expected=clause_words(error.expected, names=names))
    text = error.args[0] if error.args and isinstance(error.args[0], str) else ""
    return clause_words(text, names=names) if text and str(error) == text else str(error)
