"""From files to ratings: what rate, explain, history and handicap have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from handan.cli.exit_status import end
from handan.cli.file_options import saved_alone
from handan.cli.notices import note, say_all, working
from handan.cli.size_checks import check_files, check_system
from handan.errors import InputError, counted, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
    from pathlib import Path

    from handan.cli.file_options import Reading
    from handan.cli.notices import Progress
    from handan.cli.options import RanksShown
    from handan.errors import Problem
    from handan.evidence.own_settings import Tuned
    from handan.ledger import Ledger
    from handan.ratings import Ratings
    from handan.systems import System

    Make = Callable[[Ledger, System], Ratings]


@dataclass(frozen=True, slots=True)
class Session:
    """A ledger that was read from files, and its ratings."""

    system: System
    ledger: Ledger
    """Without games where ratings were saved: these are not read."""
    ratings: Ratings
    games: int
    """Number of games."""
    rated: int
    """Number of rated games."""
    unrated: Mapping[str, int]
    """Number of games that were not rated, by reason."""
    newest: str | None
    """Date of the newest game."""
    tuned: Tuned | None = None
    """What the games taught of the settings; None where nobody wanted that."""

    @property
    def rejected(self) -> list[Problem]:
        """Rows of the files that were left out."""
        return [problem for problem in self.ledger.problems if problem.rejected]

    @property
    def nothing(self) -> str:
        """Why no game was rated, in one line; empty if one was."""
        if self.rated:
            return ""
        reasons = ", ".join(f"{count:,} {reason}" for reason, count in self.unrated.items())
        return f"no game was rated: {reasons or ('none could be read' if self.rejected else 'no row holds one')}"

    def end(self) -> None:
        """End the command with the exit status of what was read and rated; return if all was."""
        end(left_out=bool(self.rejected), nothing=self.nothing)

    def ranks_hidden(self, shown: RanksShown) -> bool:
        """Whether ranks are left out of the answer: as wanted, and where they would say nothing."""
        return shown == "none" or (shown == "auto" and not self.ratings.arrays.ranks_declared)

    @property
    def warnings(self) -> list[str]:
        """What was read in another way than written, and what the ratings cannot say."""
        return [*(str(problem) for problem in self.ledger.problems if not problem.rejected), *self.ratings.warnings]

    @property
    def learned(self) -> list[str]:
        """Which settings the games taught, as one line; none where nobody wanted that."""
        return [] if self.tuned is None else [self.tuned.text]

    @property
    def tuned_as_dict(self) -> dict[str, Any]:
        """The same as plain data, under `tuned`."""
        return {} if self.tuned is None else {"tuned": self.tuned.as_dict()}

    @property
    def settings(self) -> dict[str, Any]:
        """The system's settings by name."""
        from handan.systems.core.settings import setting_values

        return setting_values(self.system)


def configured(name: str, pairs: Sequence[str] | None) -> System:
    """Return a system by name with settings given as `key=value`."""
    from handan.systems import system

    return type(system(name)).configured(setting_texts(pairs, "k=32"))


def setting_texts(pairs: Sequence[str] | None, example: str) -> dict[str, str]:
    """Return settings given as `key=value` by key; InputError, with an example, for what is none."""
    texts: dict[str, str] = {}
    for pair in pairs or ():
        key, equals, text = pair.partition("=")
        if not equals:
            raise InputError(f"setting {shown(pair)} is not KEY=VALUE, such as {example}")
        texts[key] = text
    return texts


def learning(pairs: Sequence[str] | None, *, tuned: bool) -> list[str] | None:
    """Return the names of settings given as `key=value`, which stay while games teach the others; None: all stay."""
    return list(setting_texts(pairs, "k=32")) if tuned else None


def rated(
    files: Sequence[Path],
    system: System,
    reading: Reading,
    fixed: Collection[str] | None = None,
    make: Make | None = None,
    *,
    learned_entries: bool = False,
) -> Session:
    """Read files, rate their games, and report on stderr what was left out and what to beware of."""
    return rated_ledger(read_ledger(files, reading), system, fixed, make, learned_entries=learned_entries)


def rated_ledger(
    ledger: Ledger,
    system: System,
    fixed: Collection[str] | None = None,
    make: Make | None = None,
    *,
    learned_entries: bool = False,
) -> Session:
    """Rate the games of a ledger, and report on stderr what to beware of.

    Args:
        ledger: The games.
        system: With its settings.
        fixed: Names of the settings that stay, where the games are to teach the others; None: all stay.
        make: Rates them; None: `ratings_of`.
        learned_entries: Whether newcomers enter where those like them stood.
    """
    check_system(ledger, system)
    if learned_entries:
        ledger = _with_learned_entries(ledger, system)
    tuned = None
    if fixed is not None:
        from handan.evidence.own_settings import tuned as learn

        with working("learning settings") as progress:
            tuned = learn(ledger, system, fixed=fixed, progress=progress)
        system = tuned.system
    ratings = (make or ratings_of)(ledger, system)
    say_all("warning", list(ratings.warnings))
    return Session(system, ledger, ratings, len(ledger), ratings.rated, ratings.unrated_counts, ledger.newest, tuned)


def saved_session(files: Sequence[Path], rules: System, reading: Reading) -> Session | None:
    """Return the list of saved ratings, whose games are not read; None if other files, rules or ways are given.

    Raises:
        InputError: The folder is damaged, or another revision of the formula made it.
    """
    if not saved_alone(files) or reading.changes_games:
        return None
    import handan

    saved = handan.open(files[0])
    if saved.system != rules:
        return None
    ratings = saved.standings
    say_all("warning", list(ratings.warnings))
    return Session(rules, ratings.ledger, ratings, saved.games, saved.rated, saved.unrated, saved.newest)


def _with_learned_entries(ledger: Ledger, system: System) -> Ledger:
    """Return the ledger with learned entry ranks, and say how many; as it is where the system learns them itself."""
    from handan.evidence.learned_entries import learns_entries, with_learned_entries

    if learns_entries(system):
        note(f"{system.name} learns by itself where newcomers enter")
        return ledger
    with working("learning where newcomers enter"):
        entered = with_learned_entries(ledger)
    changed = len(entered.adjustments) - len(ledger.adjustments)
    note(f"{counted(changed, 'newcomer')} of {len(ledger.players):,} enter where those like them stood")
    return entered


def ratings_of(ledger: Ledger, system: System, *, only_list: bool = False) -> Ratings:
    """Rate the games of a ledger.

    Args:
        ledger: The games.
        system: With its settings.
        only_list: Whether nobody wants to know what is said of each game, which many games leave no room for.
    """
    from handan.systems.core.ledger_windows import games_at_once
    from handan.systems.core.sequential import Sequential

    text = f"rating {counted(len(ledger), 'game')}"
    with working(text) as progress:
        together = games_at_once(ledger, only_list=only_list)
        if together is None or not isinstance(system, Sequential):
            return system.rate(ledger)
        from handan.systems.core.streaming import rated_in_windows

        return rated_in_windows(system, ledger, together, lambda games: progress(text, games, len(ledger)))


def saved_ratings(ledger: Ledger, system: System, folder: Path) -> Ratings:
    """Rate the games of a ledger and save the ratings."""
    from handan.saved import rate_and_save

    text = f"rating and saving {counted(len(ledger), 'game')}"
    with working(text) as progress:
        return rate_and_save(system, ledger, folder, lambda games: progress(text, games, len(ledger)))


def read_ledger(files: Sequence[Path], reading: Reading, remedy: str = "") -> Ledger:
    """Read files, and report on stderr what was left out or read in another way than it is written."""
    from handan.files import read
    from handan.ledger import When

    day = None if reading.as_of is None else When.parse(reading.as_of)
    check_files(files, remedy)
    with working("reading") as progress:
        ledger = read(
            files if len(files) == 1 else _announced(files, progress),
            strict=reading.strict,
            adjustments=reading.adjustments,
            dedupe=reading.dedupe,
            keep_repeats=reading.keep_repeats,
            aliases=reading.aliases,
            options=reading.as_options(),
        )
    say_problems(ledger.problems)
    return ledger if day is None else _as_of(ledger, str(day))


def say_problems(problems: Sequence[Problem]) -> None:
    """Report on stderr what was left out or read in another way than it is written."""
    for mark, rejected in (("rejected", True), ("warning", False)):
        say_all(mark, [str(problem) for problem in problems if problem.rejected is rejected])


def _as_of(ledger: Ledger, day: str) -> Ledger:
    """Return what was known at the end of a day; say so if that is no game, and how many games have no date."""
    past = ledger.as_of(day)
    if undated := int((~ledger.arrays.dated).sum()):
        note(f"warning: {counted(undated, 'game')} without a date left out of the list of {day}")
    if len(ledger) and not len(past):
        first = ledger.arrays.column("date").dt.date().min()
        note(f"warning: no game was played up to {day}" + ("" if first is None else f"; the first is of {first!s}"))
    return past


def _announced(files: Sequence[Path], progress: Progress) -> Iterator[Path]:
    """Yield the files, reporting which one is being read."""
    for number, file in enumerate(files, 1):
        progress(f"reading file {number:,} of {len(files):,}", number - 1, len(files) if len(files) > 1 else 0)
        yield file
