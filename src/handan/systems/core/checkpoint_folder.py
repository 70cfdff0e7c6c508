"""Checkpoints of a ledger on disk, kept beside its columns, so that the next replay begins there."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from handan.errors import InputError
from handan.ledger import Ledger
from handan.ledger.coded import Coded, Origin
from handan.ledger.folder import HEAD, Folder, Writing, writing
from handan.systems.core.boundaries import thin_out
from handan.systems.core.checkpoint import Checkpoint, CheckpointStore
from handan.systems.core.replay_state import RANK, ReplayState
from handan.systems.core.settings import settings_of

if TYPE_CHECKING:
    from handan.systems.core.base import Sequential

KIND, VERSION = "handan checkpoints", 2
FOLDER = "checkpoints"
"""Where they stand in the folder of a ledger."""
OF_PAST = ("numbers", "entered", "declared", "highest", "by_hand", "pool", "ranked", "late")


def checkpoint_store_of(rules: Sequential, ledger: Ledger) -> CheckpointStore:
    """Return what keeps checkpoints of a ledger on disk for a system, and none of any other ledger.

    A ledger with ranks or ratings set by hand has none: they may say another thing of its past by the next time.
    """
    origin = ledger.columns.origin if isinstance(ledger.columns, Coded) else None
    if origin is None or ledger.adjustments:
        return CheckpointStore()
    return CheckpointFolder(origin.path / FOLDER / f"{rules.name}-{_digest(rules)}", origin, ledger)


def _digest(rules: Sequential) -> str:
    """Return a short name for a system with all its settings and its formula."""
    settings = {name: getattr(rules, name) for name in settings_of(rules)}
    text = json.dumps([rules.revision, settings, repr(getattr(rules, "table", None))], sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


class CheckpointFolder(CheckpointStore):
    """Checkpoints in a folder: each lies at most four times as far from the end as the one after it."""

    def __init__(self, path: Path, origin: Origin, ledger: Ledger) -> None:
        self.path, self.origin, self.ledger = path, origin, ledger
        self.wanted: set[int] = set()
        self.damaged: set[int] = set()

    def choose(self, places: Iterable[int]) -> None:
        """Take which of the places ahead are kept."""
        games = len(self.ledger)
        ahead = sorted({place for place in [*self._there(), *places] if 0 < place < games}, reverse=True)
        depths = games - np.array(ahead, dtype=np.int64)
        self.wanted = {ahead[kept] for kept in thin_out(depths)}

    def nearest(self, game: int) -> Checkpoint | None:
        """Return the last place that is not behind a game; None: the beginning."""
        for place in sorted((place for place in self._there() if place <= game), reverse=True):
            with suppress(InputError, OSError, KeyError, ValueError):  # it is damaged: an earlier one may not be
                return self._read(place)
            self.damaged.add(place)
        return None

    def keep(self, checkpoint: Checkpoint) -> None:
        """Write a checkpoint if it is one of those that are kept; a folder that cannot be written to keeps none."""
        if checkpoint.game not in self.wanted or checkpoint.adjusted or checkpoint.past.adjustments:
            return
        grow = Folder.if_there(self.path, KIND, VERSION) is not None
        with suppress(InputError, OSError), writing(self.path, KIND, VERSION, grow=grow) as folder:
            facts = dict(Folder.open(self.path, KIND, VERSION).facts) if grow else {}
            valid = {str(number): facts[str(number)] for number in self._there() if number in self.wanted}
            players = f"players_{self.origin.players[:16]}"
            if players not in folder.columns:
                folder.put_value(players, self.ledger.names)
            own = self._written(folder, checkpoint) | {"players": players}
            valid[str(checkpoint.game)] = own | {"digest": _digest_of(checkpoint.game, own)}
            used = {name for item in valid.values() for name in [item["players"], *item["arrays"].values()]}
            folder.columns = {name: column for name, column in folder.columns.items() if name in used}
            folder.commit(**valid)

    def keep_also(self, checkpoint: Checkpoint) -> bool:
        """Write a checkpoint that was not chosen, unless it is there; return whether a replay can begin there now."""
        if checkpoint.game and checkpoint.game not in self._there():
            self.wanted.add(checkpoint.game)
            self.keep(checkpoint)
        return checkpoint.game in self._there()

    def _written(self, folder: Writing, checkpoint: Checkpoint) -> dict[str, Any]:
        """Write the arrays of a checkpoint; return what the head says of it."""
        arrays: dict[str, NDArray[Any]] = {name: getattr(checkpoint.past, name) for name in OF_PAST}
        arrays |= {f"state {name}": values for name, values in checkpoint.past.state.items()}
        arrays |= {"tallies": checkpoint.tallies, "unrated": checkpoint.unrated}
        facts: dict[str, Any] = {"token": self.origin.token, "arrays": {}, "shapes": {}, "texts": {}}
        for number, (name, values) in enumerate(arrays.items()):
            own = f"p{checkpoint.game}_{number}"
            facts["arrays"][name], facts["shapes"][name] = own, values.shape
            if values.dtype.kind == "U":
                texts, codes = np.unique(values, return_inverse=True)
                facts["texts"][name] = texts.tolist()
                folder.put(own, codes.reshape(-1).astype(np.min_scalar_type(len(texts))))
            else:
                folder.put(own, values.reshape(-1))
        return facts | {"rated": checkpoint.rated, "batches": checkpoint.past.batches, "day": checkpoint.past.day}

    def _there(self) -> list[int]:
        """Return the places that the games before them still are those that were rated."""
        folder, valid = Folder.if_there(self.path, KIND, VERSION), dict(self.origin.prefixes)
        facts = {} if folder is None else folder.facts
        return [
            int(name)
            for name, item in facts.items()
            if _is_whole(name, item) and int(name) not in self.damaged and int(name) <= valid.get(item["token"], -1)
        ]

    def _read(self, game: int) -> Checkpoint:
        folder = Folder.open(self.path, KIND, VERSION)
        facts = folder.facts[str(game)]
        arrays = {name: _array(folder, facts, name) for name in facts["arrays"]}
        unrated = arrays.pop("unrated")
        if facts["players"] != f"players_{self.origin.players[:16]}":
            arrays = dict(self._renumbered(arrays, folder.value(facts["players"])))
        state = {name.removeprefix("state "): values for name, values in arrays.items() if name.startswith("state ")}
        own: dict[str, Any] = {name: arrays[name] for name in OF_PAST}
        past = ReplayState(**own, state=state, batches=facts["batches"], day=facts["day"])
        return Checkpoint(game, past, arrays["tallies"], facts["rated"], unrated, ())

    def _renumbered(self, arrays: Mapping[str, NDArray[Any]], names: list[str]) -> Iterator[tuple[str, NDArray[Any]]]:
        """Yield arrays of players with those who have come since; KeyError if somebody is no more."""
        index = {name: number for number, name in enumerate(self.ledger.names)}
        place = np.array([index[name] for name in names], dtype=np.int64)
        beginning = Checkpoint.beginning(len(index))
        fresh = {name: getattr(beginning.past, name) for name in OF_PAST} | {"tallies": beginning.tallies}
        strangers = np.setdiff1d(np.arange(len(index)), place)
        for name, values in arrays.items():
            whole = fresh.get(name, np.zeros((len(index), *values.shape[1:]), dtype=values.dtype)).copy()
            whole[place] = values
            if name == "numbers":
                whole[strangers] = int(values.max(initial=-1)) + 1 + np.arange(len(strangers))
            yield name, whole


def _digest_of(game: int, facts: Mapping[str, Any]) -> str:
    """Return a digest of what the head says of a place."""
    return hashlib.sha256(json.dumps([game, facts], sort_keys=True).encode()).hexdigest()


def _is_whole(name: str, item: Any) -> bool:
    """Return whether what a head says of a place is as it was written."""
    if not (name.isdecimal() and isinstance(item, dict)):
        return False
    return item.get("digest") == _digest_of(int(name), {key: value for key, value in item.items() if key != "digest"})


def damage_beside(path: Path) -> list[str]:
    """Read all places that are kept in the folder of a ledger, and return what is damaged, one line each."""
    faults: list[str] = []
    for folder in sorted((path / FOLDER).iterdir()) if (path / FOLDER).is_dir() else ():
        try:
            opened = Folder.open(folder, KIND, VERSION)
            heads = [f"{folder / HEAD} is damaged" for name, item in opened.facts.items() if not _is_whole(name, item)]
            faults += [*heads[:1], *opened.damaged()]
        except (InputError, OSError) as error:
            faults.append(str(error))
    return faults


def _array(folder: Folder, facts: Mapping[str, Any], name: str) -> NDArray[Any]:
    values = folder.checked_array(facts["arrays"][name])
    if name in facts["texts"]:
        ranks: NDArray[Any] = np.array(facts["texts"][name], dtype=RANK)[values]
        return ranks
    shape: tuple[int, ...] = tuple(facts["shapes"][name])
    return values.copy().reshape(shape)
